/** What the bank tells of the payments within a row, in words: who, and what was said. */
import type { RowPayment } from '../../domain/ledger/bank-matching/match.ts';
import { amountText, count } from '../format.ts';

interface OfRow {
  readonly description: string;
  readonly amount_ore: bigint;
}

const shownMax = 50;

/** Empty where it says no more than the row's own text. */
export function toldWords(payments: readonly RowPayment[], row: OfRow) {
  const isMore = payments.some((payment) => partyOf(payment, row).account !== null);
  const shown = isMore || toldInShort(payments, row) !== '' ? payments.slice(0, shownMax) : [];
  return {
    list: shown.map((payment) => {
      const { name, account } = partyOf(payment, row);
      return {
        who: [name, account].filter(Boolean).join(', '),
        said: saidIn(payment).join(', '),
        amount: amountWords(payment.amount ?? (payments.length === 1 ? row.amount_ore : null)),
      };
    }),
    more: payments.length > shownMax ? count(payments.length - shownMax) : null,
  };
}

/** On one line, as far as the row's own text does not say it; of several payments, how many. */
export function toldInShort(payments: readonly RowPayment[], row: OfRow): string {
  const [first, ...others] = payments;
  if (!first) return '';
  if (others.length > 0) return `${count(payments.length)} betalningar`;
  const text = row.description.toLowerCase();
  return [partyOf(first, row).name ?? '', ...saidIn(first)]
    .filter((part) => part !== '' && !text.includes(part.toLowerCase()))
    .join(', ');
}

const amountWords = (ore: bigint | null): string => (ore === null ? '' : amountText(ore));

/** The other one: who paid us, or whom we paid. */
const partyOf = ({ debtor, creditor }: RowPayment, { amount_ore }: OfRow): RowPayment['debtor'] =>
  amount_ore > 0n ? debtor : creditor;

const saidIn = ({ references, documents, texts, returnReason }: RowPayment): string[] => [
  ...references.map((reference) => `OCR ${reference}`),
  ...documents.map(({ number }) => `faktura ${number}`),
  ...texts,
  ...(returnReason === null ? [] : [`kom tillbaka (${returnReason})`]),
];
