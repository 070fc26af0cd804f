/** Words of payments and files of them. */
import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import {
  type FileState,
  fileState,
  type PayoutState,
} from '../../domain/purchases/payables/file-state.ts';
import type { DueGroup, Payable, Payee } from '../../domain/purchases/payables/payable.ts';
import { obstacleWords } from '../../lib/sentences/payables.ts';
import { capitalized } from '../../lib/sentences/words.ts';
import { factsOf, type PaymentFile } from '../../purchases/payment-files/store.ts';

interface Chip {
  readonly tone: 'good' | 'warn' | 'bad' | 'info' | '';
  readonly text: string;
}

const fileChips: Readonly<Record<FileState, Chip>> = {
  waits_for_approval: { tone: 'warn', text: 'Väntar på godkännande' },
  not_sent: { tone: 'warn', text: 'Inte sänd' },
  sent: { tone: 'info', text: 'Sänd' },
  partly_paid: { tone: 'info', text: 'Delvis betald' },
  paid: { tone: 'good', text: 'Betald' },
  partly_refused: { tone: 'bad', text: 'Delvis avvisad' },
  refused: { tone: 'bad', text: 'Avvisad' },
  cancelled: { tone: '', text: 'Avbruten' },
};

export const fileChip = (file: PaymentFile): Chip => fileChips[fileState(factsOf(file))];

export const payoutChips: Readonly<Record<PayoutState, Chip>> = {
  asked: { tone: '', text: 'Väntar' },
  accepted: { tone: 'info', text: 'Godtagen' },
  refused: { tone: 'bad', text: 'Avvisad' },
  paid: { tone: 'good', text: 'Betald' },
  cancelled: { tone: '', text: 'Avbruten' },
};

export const groupWords: Readonly<Record<DueGroup, string>> = {
  overdue: 'Förfallet',
  this_week: 'Inom en vecka',
  later: 'Senare',
};

/** On a chip; null when nothing stands in the way. */
export const obstacleText = ({ obstacle }: Pick<Payable, 'obstacle'>): string | null =>
  obstacle === null ? null : capitalized(obstacleWords[obstacle]);

const kindWords = { bankgiro: 'Bankgiro', plusgiro: 'Plusgiro', iban: 'IBAN', other: 'Konto' };
const clearingLength = 4;

/** `Bankgiro 5050-1055`, `Konto 6000, 123456789`. */
export const payeeText = (payee: Payee): string => `${kindWords[payee.kind]} ${typedPayee(payee)}`;

/** As `readPayee` reads it. */
export function typedPayee({ kind, number }: Payee): string {
  if (kind !== 'other') return formatPaymentAccount(kind, number);
  return `${number.slice(0, clearingLength)}, ${number.slice(clearingLength)}`;
}
