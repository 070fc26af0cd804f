/**
 * What settles a booked invoice: payments. Each posts its voucher in the caller's transaction, or
 * throws and leaves nothing; `status` and what remains follow in the database (`sales.settle`).
 * Credit notes, reminders and set-offs are in files of their own.
 */
import type { Tx } from '../../db/pool.ts';
import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import {
  bankAccount,
  type Difference,
  type Settlement,
  type Settling,
  settle,
} from '../../domain/ledger/settlement-accounts.ts';
import { type PostingRow, signedRow } from '../../domain/ledger/voucher.ts';
import { recovered, type StandingLoss } from '../../domain/sales/bad-debt.ts';
import { receivablesAccount } from '../../domain/sales/invoice.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { listLosses } from './loss-store.ts';
import { postLoss } from './losses.ts';
import { lockBooked, type NumberedInvoice, type Standing, standingOf } from './settled.ts';
import { insertPayments, sumThrough } from './settlement-store.ts';

export interface Payment extends Omit<Settlement, 'account' | 'settledOre'> {
  readonly invoiceId: string;
  readonly date: string;
  readonly today: string;
  /** Below zero when money goes back, or when a payment was registered by mistake. */
  readonly amountOre: Ore;
  /** Where the money came in (`settlementKindOf`); 1930 unless said. */
  readonly account?: number;
  readonly reference?: string | null;
  /** What the voucher is called, unless by what settles. */
  readonly words?: string;
}

/**
 * Registers a payment, whole or part: debit where the money came in and what makes up a difference, a
 * loss with the VAT that comes back; credit receivables (series C). Money for what was written off takes
 * that back in the same voucher.
 */
export async function registerPayment(tx: Tx, payment: Payment, actor: string): Promise<Standing> {
  const invoice = await lockBooked(tx, payment.invoiceId);
  const { date, today, account = bankAccount, reference = null, words } = payment;
  const settledOre = await sumThrough(tx, invoice.id, account);
  const settled = settle({ ...payment, account, settledOre }, 'customer');
  if ('problems' in settled) throw refuse('unprocessable', settled.problems);
  const lost = await listLosses(tx, invoice.id);
  const rows = [...settled.rows, ...recoveredRows(invoice, settled.rows, lost)];
  const amountOre = sum(rows.map((row) => row.amountOre));
  refuseAny([
    ...amountProblems(invoice, amountOre, lost),
    ...lossProblems(rows, lost),
    ...exchangeProblems(invoice, rows),
    ...dayProblems(invoice, date),
    ...futureProblems('date', date, today),
  ]);
  const { id: voucherId } = await postAppVoucher(
    tx,
    {
      series: 'C',
      date,
      description: words ?? `${wordFor(rows)} kundfaktura ${invoice.number}`,
      counterparty: invoice.debtor.name,
      source: 'payment',
      rows: [
        ...(await settlingRows(tx, invoice, rows)),
        ...(amountOre === 0n ? [] : [signedRow(receivablesAccount, -amountOre)]),
      ],
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

/** What money beyond what is open takes back of losses, on the accounts that they stand on. */
function recoveredRows(
  { open_ore: openOre }: NumberedInvoice,
  rows: readonly Settling[],
  losses: readonly StandingLoss[],
): Settling[] {
  if (rows.some(({ kind }) => kind === 'loss')) return [];
  return recovered(sum(rows.map(({ amountOre }) => amountOre)), openOre, losses).map(
    ({ account, ore }) => ({ kind: 'loss', account, amountOre: -ore }),
  );
}

/** As they settle, but a loss with its VAT on a row of its own. */
async function settlingRows(
  tx: Tx,
  invoice: NumberedInvoice,
  rows: readonly Settling[],
): Promise<PostingRow[]> {
  const losses = rows.filter(({ kind }) => kind === 'loss');
  const others = rows.filter(({ kind }) => kind !== 'loss');
  const [first] = losses;
  if (!first) return others.map(({ account, amountOre }) => signedRow(account, amountOre));
  const lossOre = sum(losses.map(({ amountOre }) => amountOre));
  const paidOre = sum(others.map(({ amountOre }) => amountOre));
  const posted = await postLoss(tx, invoice.id, { lossOre, paidOre, account: first.account });
  return rows.flatMap((row) => {
    if (row.kind !== 'loss') return [signedRow(row.account, row.amountOre)];
    return row === first ? posted : [];
  });
}

function wordFor(rows: readonly Settling[]): string {
  const moneyOre = sum(
    rows.filter(({ kind }) => kind === 'money').map(({ amountOre }) => amountOre),
  );
  const loss = rows.find(({ kind }) => kind === 'loss');
  const difference = rows.find(({ kind }) => kind !== 'money');
  if (moneyOre === 0n && difference) {
    if (loss && loss.amountOre < 0n) return 'Återtagen kundförlust';
    return differenceWords[difference.kind as Difference];
  }
  if (loss && loss.amountOre < 0n) return 'Inbetalning på avskriven';
  return moneyOre > 0n ? 'Inbetalning' : 'Återbetalning';
}

const differenceWords: Readonly<Record<Difference, string>> = {
  rounding: 'Öresutjämning',
  bank_fee: 'Bankavgift',
  loss: 'Kundförlust',
  exchange: 'Valutakursdifferens',
};

/** An invoice in kronor is paid in kronor. */
function exchangeProblems({ currency }: NumberedInvoice, rows: readonly Settling[]): Fault[] {
  if (currency !== homeCurrency || rows.every(({ kind }) => kind !== 'exchange')) return [];
  return [{ path: 'exchange', reason: 'exchange_in_kronor' }];
}

/** No more of a loss comes back than there is. */
function lossProblems(rows: readonly Settling[], losses: readonly StandingLoss[]): Fault[] {
  const backOre = -sum(
    rows.filter(({ kind }) => kind === 'loss').map(({ amountOre }) => amountOre),
  );
  const lostOre = sum(losses.map(({ ore }) => ore));
  if (backOre <= 0n || backOre <= lostOre) return [];
  return [{ path: 'amount', reason: 'exceeds_lost', params: { lostOre } }];
}

function amountProblems(
  invoice: NumberedInvoice,
  amountOre: Ore,
  losses: readonly StandingLoss[],
): Fault[] {
  const { number } = invoice;
  if (amountOre > 0n && amountOre > invoice.open_ore) {
    const openOre = invoice.open_ore > 0n ? invoice.open_ore : 0n;
    const lostOre = sum(losses.map(({ ore }) => ore));
    if (lostOre > 0n) {
      const params = { number, openOre: openOre + lostOre, lostOre };
      return [{ path: 'amount', reason: 'exceeds_open_and_lost', params }];
    }
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
