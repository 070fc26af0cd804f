/** Taking back what a row was booked as: a voucher that takes its voucher back, and its rows and documents open again. */
import { recordEvents } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { reverseRows } from '../../domain/ledger/reversal.ts';
import { correctVoucher, ledgerRowOf } from '../../ledger/vouchers/corrections.ts';
import { findLock, listVoucherRows } from '../../ledger/vouchers/detail-store.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { refuse } from '../../lib/errors.ts';
import { insertPurchasePayments } from '../../purchases/inbox/payment-store.ts';
import { reopenPayouts } from '../../purchases/payment-files/store.ts';
import { insertPayments } from '../../sales/invoices/settlement-store.ts';
import { reopenSettlements } from '../provider-settlements/store.ts';
import { lockBankAccounts } from '../transaction-store.ts';
import { lockDocuments } from './booking-store.ts';
import {
  clearMatches,
  findBooking,
  insertUndone,
  listBookedWith,
  type RowBookedWith,
  type RowBooking,
} from './undoing-store.ts';

/** What would be taken back, to be said before it is. */
export interface Undoing {
  readonly voucherId: string;
  readonly voucher: string;
  /** The day of what takes it back: the voucher's own, or where that is locked the first that is open. */
  readonly date: string;
  /** Rows that the voucher books, this one with them. */
  readonly rows: number;
  readonly documents: readonly {
    readonly kind: 'invoice' | 'purchase';
    readonly number: string;
    readonly ore: Ore;
    /** Undoing makes it paid again, and not open: its payment had come back. */
    readonly isReturn: boolean;
  }[];
  /** Numbers of documents whose payment somebody has paid back, or taken back, otherwise since: that is undone first. */
  readonly paidBack: readonly string[];
}

/** Null when nothing can be taken back: only what was booked as a payment or from the bank's row is. */
export async function whatUndoingTakesBack(db: Db, rowId: string): Promise<Undoing | null> {
  const booking = await findBooking(db, rowId);
  if (!booking?.isOfTheRow || booking.payments.some(hasItsOwnAct)) return null;
  const lock = await findLock(db, booking.date, booking.touchesVat);
  const paid = Map.groupBy(booking.payments, ({ kind, number }) => `${kind} ${number}`);
  return {
    voucherId: booking.voucherId,
    voucher: booking.label,
    date: lock?.earliest_allowed_date ?? booking.date,
    rows: booking.rowIds.length,
    documents: [...paid.values()].flatMap((some) => {
      const [first] = some;
      if (!first) return [];
      const ore = some.reduce((sum, { amountOre }) => sum + amountOre, 0n);
      const isReturn = some.every((one) => one.isReturn);
      return [{ kind: first.kind, number: first.number, ore, isReturn }];
    }),
    paidBack: [...new Set(booking.payments.flatMap((one) => (one.isPaidBack ? [one.number] : [])))],
  };
}

/** More are taken back in portions. */
export const undoneAtOnce = 100;

export interface BookedBeside {
  readonly row: RowBookedWith;
  /** Null when it cannot be taken back from here. */
  readonly undoing: Undoing | null;
}

/** What was booked in one act with a row, that row among them; none where it is more than is undone at once. */
export async function bookedTogether(db: Db, rowId: string): Promise<BookedBeside[]> {
  const rows = await listBookedWith(db, rowId, undoneAtOnce + 1);
  if (rows.length > undoneAtOnce) return [];
  const together: BookedBeside[] = [];
  for (const row of rows) {
    together.push({ row, undoing: await whatUndoingTakesBack(db, row.id) });
  }
  return together;
}

/** How many rows `bookedTogether` has. */
export async function countBookedTogether(db: Db, rowId: string): Promise<number> {
  const rows = await listBookedWith(db, rowId, undoneAtOnce + 1);
  return rows.length > undoneAtOnce ? 0 : rows.length;
}

/** A row with the voucher that booked it when somebody asked for it to be taken back. */
export interface UndoingChoice {
  readonly rowId: string;
  readonly voucherId: string;
}

/** All of them or none. Throws 422 when one is booked otherwise by now. Answers how many vouchers are taken back. */
export async function undoBookings(
  tx: Tx,
  choices: readonly UndoingChoice[],
  actor: string,
): Promise<number> {
  await lockBankAccounts(tx);
  const done = new Set<string>();
  for (const { rowId, voucherId } of choices) {
    // A voucher takes all its rows along.
    if (done.has(voucherId)) continue;
    const booking = await findBooking(tx, rowId);
    if (booking?.voucherId !== voucherId) {
      throw refuse('unprocessable', [{ path: 'transactionId', reason: 'nothing_to_undo' }]);
    }
    await undoBooking(tx, rowId, actor);
    done.add(voucherId);
  }
  return done.size;
}

/** Losses and set-offs; not a loss that the money itself took back. */
const hasItsOwnAct = ({ settles, amountOre }: RowBooking['payments'][number]): boolean =>
  settles === 'set_off' || (settles === 'loss' && amountOre > 0n);

/** Throws 422 when it is not booked any more, or was not booked from the bank's row. */
export async function undoBooking(tx: Tx, rowId: string, actor: string): Promise<Undoing> {
  await lockBankAccounts(tx);
  await holdDocuments(tx, rowId);
  const undoing = await whatUndoingTakesBack(tx, rowId);
  const booking = await findBooking(tx, rowId);
  if (!undoing || !booking) {
    throw refuse('unprocessable', [{ path: 'transactionId', reason: 'nothing_to_undo' }]);
  }
  const [number] = undoing.paidBack;
  if (number !== undefined) {
    throw refuse('unprocessable', [
      { path: 'transactionId', reason: 'paid_back_since', params: { number } },
    ]);
  }
  const description = `Ångrar ${booking.label}: ${booking.description}`.slice(0, 500);
  if (booking.source === 'bank') {
    // Its rows follow the correction (bank.follow_corrections).
    const correction = { correctedId: booking.voucherId, date: undoing.date, description };
    await correctVoucher(tx, { ...correction, replacement: null }, actor);
  } else await takeBackPayments(tx, booking, { date: undoing.date, description, actor });
  await reopenPayouts(tx, booking.voucherId);
  await reopenSettlements(tx, booking.voucherId);
  return undoing;
}

/** So that nobody pays back what is being taken back. */
async function holdDocuments(tx: Tx, rowId: string): Promise<void> {
  const { payments = [] } = (await findBooking(tx, rowId)) ?? {};
  const idsOf = (wanted: 'invoice' | 'purchase') =>
    payments.flatMap(({ kind, documentId }) => (kind === wanted ? [documentId] : []));
  await lockDocuments(tx, { invoices: idsOf('invoice'), purchases: idsOf('purchase') });
}

/** A payment that goes the other way, of every document that the voucher paid. */
async function takeBackPayments(
  tx: Tx,
  booking: RowBooking,
  {
    date,
    description,
    actor,
  }: { readonly date: string; readonly description: string; readonly actor: string },
): Promise<void> {
  const { series, source, counterparty } = booking;
  const rows = reverseRows((await listVoucherRows(tx, booking.voucherId)).map(ledgerRowOf));
  const head = { series, date, description, counterparty, source };
  const { id: voucherId } = await postAppVoucher(tx, { ...head, rows }, actor);
  const of = (wanted: 'invoice' | 'purchase') =>
    booking.payments
      .filter(({ kind }) => kind === wanted)
      .map(({ documentId: invoiceId, settles: kind, account, amountOre }) => ({
        ...{ invoiceId, date, kind, account, voucherId, createdBy: actor },
        amountOre: -amountOre,
        reference: null,
      }));
  await insertPayments(tx, of('invoice'));
  await insertPurchasePayments(tx, of('purchase'));
  await clearMatches(tx, booking.rowIds);
  const detail = { voucher_id: booking.voucherId };
  await recordEvents(
    tx,
    booking.rowIds.map((subject) => ({ actor, action: 'bank.unmatched', subject, detail })),
  );
  await insertUndone(tx, { voucherId: booking.voucherId, takenBackBy: voucherId }, actor);
}
