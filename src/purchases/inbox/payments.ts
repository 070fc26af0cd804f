/** Paying suppliers' invoices. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { absolute, type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { bankAccount, type Settlement, settle } from '../../domain/ledger/settlement-accounts.ts';
import { signedRow } from '../../domain/ledger/voucher.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { insertPurchasePayments, sumPaid, sumThrough } from './payment-store.ts';
import { type LockedPurchase, lockPurchases } from './store.ts';

const series = 'E';

export interface PurchasePayment extends Omit<Settlement, 'account' | 'settledOre'> {
  readonly purchaseId: string;
  readonly date: string;
  readonly today: string;
  /** What left the account; below zero when the supplier pays back, or to take a payment back. */
  readonly amountOre: Ore;
  /** Where the money left (`settlementKindOf`); 1930 unless said. */
  readonly account?: number;
}

/**
 * Pays an invoice, or part of it, or gives back an outlay: debit 2440 or where the outlay is owed, credit the
 * account the money left. An amount the other way takes back what was paid. Answers what is left to pay, in öre.
 */
export async function payPurchase(
  tx: Tx,
  payment: PurchasePayment,
  actor: string,
): Promise<{ voucherId: string; openOre: Ore }> {
  const { purchaseId, date, today, account = bankAccount } = payment;
  const purchase = await lockBookedPurchase(tx, purchaseId);
  const settledOre = await sumThrough(tx, purchaseId, account);
  const settled = settle({ ...payment, account, settledOre }, 'supplier');
  if ('problems' in settled) throw refuse('unprocessable', settled.problems);
  const { rows } = settled;
  const amountOre = sum(rows.map((row) => row.amountOre));
  refuseAny([
    ...debtProblems(purchase, account),
    ...amountProblems(purchase, amountOre, await sumPaid(tx, purchaseId)),
    ...dayProblems(purchase, date),
    ...futureProblems('date', date, today),
  ]);
  const { id: voucherId } = await postAppVoucher(
    tx,
    {
      series: series,
      date,
      description: descriptionOf(purchase).slice(0, 500),
      counterparty: purchase.laid_out_by ?? nameOf(purchase),
      source: 'supplier_payment',
      rows: [
        signedRow(purchase.debt_account, amountOre),
        ...rows.map((row) => signedRow(row.account, -row.amountOre)),
      ],
    },
    actor,
  );
  const common = { invoiceId: purchaseId, date, voucherId, createdBy: actor };
  await insertPurchasePayments(
    tx,
    rows.map((row) => ({ ...common, ...row })),
  );
  const detail = { voucher_id: voucherId, amount: oreToNumber(amountOre) };
  await recordEvent(tx, { actor, action: 'purchase.paid', subject: purchaseId, detail });
  return { voucherId, openOre: purchase.open_ore - amountOre };
}

const descriptionOf = ({ laid_out_by, invoice_number }: LockedPurchase): string =>
  laid_out_by === null
    ? `Betalning av leverantörsfaktura ${invoice_number}`
    : `Utlägg åter till ${laid_out_by}: ${invoice_number}`;

/** What is owed on an account is not paid from it. */
function debtProblems({ debt_account }: LockedPurchase, account: number): Fault[] {
  if (account !== debt_account) return [];
  return [{ path: 'account', reason: 'paid_through_debt_account', params: { account } }];
}

const nameOf = ({ supplier_name, seller }: LockedPurchase): string => supplier_name ?? seller.name;

/** Holds a booked invoice of a supplier until commit; throws when it is none. */
export async function lockBookedPurchase(tx: Tx, purchaseId: string): Promise<LockedPurchase> {
  const [purchase] = await lockPurchases(tx, [purchaseId]);
  if (!purchase) throw refuseWhole('unprocessable', 'no_purchase', { id: purchaseId });
  if (purchase.status !== 'booked') throw refuseWhole('unprocessable', 'invoice_not_booked');
  return purchase;
}

function amountProblems(purchase: LockedPurchase, amountOre: Ore, paidOre: Ore): Fault[] {
  const { invoice_number: number, open_ore: openOre } = purchase;
  const left = openOre - amountOre;
  const owed = openOre + paidOre;
  const isWithin = owed > 0n ? left >= 0n && left <= owed : left <= 0n && left >= owed;
  if (isWithin) return [];
  const isPaying = owed > 0n === amountOre > 0n;
  return isPaying || paidOre === 0n
    ? [{ path: 'amount', reason: 'exceeds_open_purchase', params: { number, openOre } }]
    : [
        {
          path: 'amount',
          reason: 'exceeds_paid_purchase',
          params: { number, paidOre: absolute(paidOre) },
        },
      ];
}

/** What was paid before there was a debt is an advance (1480). */
function dayProblems(purchase: LockedPurchase, date: string): Fault[] {
  const { invoice_number: number, issue_date: from } = purchase;
  if (date >= from) return [];
  return [{ path: 'date', reason: 'paid_before_purchase', params: { number, from } }];
}
