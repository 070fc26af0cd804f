/** What customer invoices are called where people read. */

import type { SettlementKind } from '../../domain/ledger/settlement-accounts.ts';
import {
  type InvoiceStanding,
  type InvoiceState,
  invoiceState,
} from '../../domain/sales/invoice-state.ts';
import { remaining } from '../format.ts';

const chips: Readonly<Record<InvoiceState, { readonly text: string; readonly tone: string }>> = {
  draft: { text: 'Utkast', tone: '' },
  stopped: { text: 'Utkast, kunde inte bokföras', tone: 'warn' },
  unpaid: { text: 'Obetald', tone: 'info' },
  partly_paid: { text: 'Delbetald', tone: 'info' },
  partly_credited: { text: 'Delkrediterad', tone: 'info' },
  partly_paid_and_credited: { text: 'Delbetald och delkrediterad', tone: 'info' },
  credited_and_open: { text: 'Krediterad, inte reglerad', tone: 'info' },
  overdue: { text: 'Förfallen', tone: 'bad' },
  paid: { text: 'Betald', tone: 'good' },
  partly_written_off: { text: 'Delvis avskriven', tone: '' },
  written_off: { text: 'Avskriven', tone: '' },
  credited: { text: 'Krediterad', tone: '' },
  credit_note: { text: 'Kreditfaktura', tone: '' },
  nothing_due: { text: 'Inget att betala', tone: '' },
};

/** What a row of a payment was, beside money. */
export const paymentKinds: Readonly<Record<SettlementKind | 'set_off', string>> = {
  money: '',
  rounding: 'Öresutjämning',
  bank_fee: 'Bankavgift',
  loss: 'Kundförlust',
  exchange: 'Valutakursdifferens',
  set_off: 'Kvittning',
};

/** The fields of an invoice as the stores answer it that its state follows from. */
interface Stored {
  readonly kind: InvoiceStanding['kind'];
  readonly status: string;
  readonly due_date: string;
  readonly total_ore: bigint;
  readonly open_ore: bigint;
  readonly credited_ore: bigint;
  readonly lost_ore: bigint;
}

export function stateOf(invoice: Stored, isStopped: boolean, today: string) {
  const state = invoiceState(
    {
      kind: invoice.kind,
      status: invoice.status,
      dueDate: invoice.due_date,
      totalOre: invoice.total_ore,
      openOre: invoice.open_ore,
      creditedOre: invoice.credited_ore,
      lostOre: invoice.lost_ore,
      isStopped,
    },
    today,
  );
  return { state, chip: chips[state] };
}

/** Whether somebody waits for the money: then the due date is worth words. */
export const isAwaited = (state: InvoiceState): boolean => awaited.has(state);
const awaited: ReadonlySet<InvoiceState> = new Set([
  'unpaid',
  'partly_paid',
  'partly_credited',
  'partly_paid_and_credited',
  'credited_and_open',
  'overdue',
]);

/** What is left when something has happened to an invoice, in a sentence. */
export function remains(openOre: bigint): string {
  if (openOre === 0n) return 'Fakturan är betald.';
  const { label, amount } = remaining(openOre, 'betala tillbaka');
  return `${label}: ${amount}.`;
}

/** `Faktura 1001`, `Kreditfaktura 1002`, `Fakturautkast`. */
export function nameOf({
  kind,
  number,
}: {
  readonly kind: InvoiceStanding['kind'];
  readonly number: number | null;
}): string {
  if (number === null)
    return kind === 'credit_note' ? 'Utkast till kreditfaktura' : 'Fakturautkast';
  return `${kind === 'credit_note' ? 'Kreditfaktura' : 'Faktura'} ${number}`;
}
