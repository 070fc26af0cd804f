/**
 * What settles a booked invoice: payments. Each posts its voucher in the caller's transaction, or
 * throws and leaves nothing; `status` and what remains follow in the database (`sales.settle`).
 * Credit notes, reminders and set-offs are in files of their own.
 */
import type { Tx } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import {
  bankAccount,
  type Settlement,
  type Settling,
  settle,
} from '../../domain/ledger/settlement-accounts.ts';
import { type PostingRow, signedRow } from '../../domain/ledger/voucher.ts';
import { lossRows } from '../../domain/sales/bad-debt.ts';
import { receivablesAccount } from '../../domain/sales/invoice.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { lockBooked, type NumberedInvoice, type Standing, standingOf } from './settled.ts';
import { insertPayments, listLostRows, listTaxedShares, sumThrough } from './settlement-store.ts';

export interface Payment extends Omit<Settlement, 'account' | 'settledOre'> {
  readonly invoiceId: string;
  readonly date: string;
  readonly today: string;
  /** Below zero when money goes back, or when a payment was registered by mistake. */
  readonly amountOre: Ore;
  /** Where the money came in (`settlementKindOf`); 1930 unless said. */
  readonly account?: number;
  readonly reference?: string | null;
}

/**
 * Registers a payment, whole or part: debit where the money came in and what makes up a difference, a
 * loss with the VAT that comes back; credit receivables (series C).
 */
export async function registerPayment(tx: Tx, payment: Payment, actor: string): Promise<Standing> {
  const invoice = await lockBooked(tx, payment.invoiceId);
  const { date, today, account = bankAccount, reference = null } = payment;
  const settledOre = await sumThrough(tx, invoice.id, account);
  const settled = settle({ ...payment, account, settledOre }, 'customer');
  if ('problems' in settled) throw refuse('unprocessable', settled.problems);
  const { rows } = settled;
  const amountOre = sum(rows.map((row) => row.amountOre));
  refuseAny([
    ...amountProblems(invoice, amountOre),
    ...dayProblems(invoice, date),
    ...futureProblems('date', date, today),
  ]);
  const { id: voucherId } = await postAppVoucher(
    tx,
    {
      series: 'C',
      date,
      description: `${wordFor(rows, amountOre)} kundfaktura ${invoice.number}`,
      counterparty: invoice.debtor.name,
      source: 'payment',
      rows: [...(await settlingRows(tx, invoice, rows)), signedRow(receivablesAccount, -amountOre)],
    },
    actor,
  );
  const common = { invoiceId: invoice.id, date, voucherId, reference, createdBy: actor };
  await insertPayments(
    tx,
    rows.map((row) => ({ ...common, ...row })),
  );
  return standingOf(tx, invoice.id, voucherId);
}

/** As they settle, but a loss with its VAT on a row of its own. */
async function settlingRows(
  tx: Tx,
  { id, paid_ore, open_ore }: NumberedInvoice,
  rows: readonly Settling[],
): Promise<PostingRow[]> {
  const [shares, lost] = rows.some(({ kind }) => kind === 'loss')
    ? [await listTaxedShares(tx, id), await listLostRows(tx, id)]
    : [[], []];
  const claimOre = paid_ore + open_ore;
  return rows.flatMap(({ kind, account, amountOre }) =>
    kind === 'loss'
      ? lossRows({ lossOre: amountOre, account, claimOre, shares, lost })
      : [signedRow(account, amountOre)],
  );
}

const words = { rounding: 'Öresutjämning', bank_fee: 'Bankavgift', loss: 'Kundförlust' } as const;

function wordFor(rows: readonly Settling[], amountOre: Ore): string {
  const difference = rows.find(({ kind }) => kind !== 'money');
  const hasMoney = rows.some(({ kind }) => kind === 'money');
  if (!hasMoney && difference && difference.kind !== 'money') return words[difference.kind];
  return amountOre > 0n ? 'Inbetalning' : 'Återbetalning';
}

function amountProblems(invoice: NumberedInvoice, amountOre: Ore): Fault[] {
  const { number } = invoice;
  if (amountOre > 0n && amountOre > invoice.open_ore) {
    const openOre = invoice.open_ore > 0n ? invoice.open_ore : 0n;
    return [{ path: 'amount', reason: 'exceeds_open', params: { number, openOre } }];
  }
  if (amountOre < 0n && -amountOre > invoice.paid_ore) {
    const params = { number, paidOre: invoice.paid_ore };
    return [{ path: 'amount', reason: 'exceeds_paid', params }];
  }
  return [];
}

/** What came before there was a claim is an advance (2420). */
function dayProblems({ number, invoice_date: from }: NumberedInvoice, date: string): Fault[] {
  if (date >= from) return [];
  return [{ path: 'date', reason: 'paid_before_invoice', params: { number, from } }];
}
