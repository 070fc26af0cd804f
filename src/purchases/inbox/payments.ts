/** Paying suppliers' invoices. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { absolute, type Ore, oreToNumber, sum } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { bookedOf, purchaseInCurrency } from '../../domain/ledger/part-in-currency.ts';
import {
  bankAccount,
  isOfExchange,
  type Settlement,
  type Settling,
  settle,
} from '../../domain/ledger/settlement-accounts.ts';
import { signedRow } from '../../domain/ledger/voucher.ts';
import { postAppVoucher } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { insertPurchasePayments, sumPaid, sumSetOff, sumThrough } from './payment-store.ts';
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
  /**
   * Of an invoice in another currency: the amount is all of it, so what it differs from what is booked by is an exchange
   * difference (7960, 3960).
   */
  readonly isWhole?: boolean;
  /**
   * Of an invoice in another currency: the amount is so much of it, in hundredths of the currency and with the amount's sign;
   * then that is what is paid, whole or not, and what it differs from what that was booked on is an exchange difference.
   */
  readonly currencyPart?: bigint | null;
  /** What was open as whoever pays it saw it; null where nobody looks first. */
  readonly seenOpenOre?: Ore | null;
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
  const { seenOpenOre = null } = payment;
  if (seenOpenOre !== null && seenOpenOre !== purchase.open_ore) {
    const params = { openOre: purchase.open_ore };
    throw refuseWhole('unprocessable', 'purchase_changed_meanwhile', params);
  }
  const settledOre = await sumThrough(tx, purchaseId, account);
  const paidOre = await sumPaid(tx, purchaseId);
  const settlement = { ...payment, account, settledOre };
  const { currencyPart = null } = payment;
  const rows =
    currencyPart !== null
      ? partRows(settlement, purchase, { currencyPart, paidOre })
      : payment.isWhole
        ? wholeRows(settlement, purchase, { paidOre, setOffOre: await sumSetOff(tx, purchaseId) })
        : rowsOf(settlement);
  const amountOre = sum(rows.map((row) => row.amountOre));
  refuseAny([
    ...debtProblems(purchase, account),
    ...amountProblems(purchase, amountOre, paidOre),
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

function rowsOf(settlement: Settlement): Settling[] {
  const settled = settle(settlement, 'supplier');
  if ('problems' in settled) throw refuse('unprocessable', settled.problems);
  return settled.rows;
}

/**
 * All that is open paid, or all that was paid with money taken back, with the exchange difference that it takes. No money
 * at all closes what is left when all is paid, or set off, at another rate.
 */
function wholeRows(
  settlement: Settlement,
  { currency, open_ore: openOre }: LockedPurchase,
  { paidOre, setOffOre }: { readonly paidOre: Ore; readonly setOffOre: Ore },
): Settling[] {
  const path = 'isWhole';
  if (currency === homeCurrency) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_in_kronor' }]);
  }
  const isRest = settlement.amountOre === 0n && openOre !== 0n;
  const settledOre = isRest ? 0n : sum(rowsOf(settlement).map((row) => row.amountOre));
  const isPaying = isRest || (openOre !== 0n && openOre > 0n === settledOre > 0n);
  const wholeOre = isPaying ? openOre : setOffOre - paidOre;
  const lostOre = settledOre - wholeOre;
  if (!isOfExchange(lostOre, openOre + paidOre)) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_too_large' }]);
  }
  const differences = { ...settlement.differences, exchange: lostOre };
  return rowsOf({ ...settlement, differences });
}

/** So much of the currency paid, or taken back, with the exchange difference of its day. */
function partRows(
  settlement: Settlement,
  purchase: LockedPurchase,
  { currencyPart, paidOre }: { readonly currencyPart: bigint; readonly paidOre: Ore },
): Settling[] {
  const { currency, payable_ore, open_ore } = purchase;
  const path = 'currencyPart';
  // An outlay is owed in kronor, whatever was bought.
  if (currency === homeCurrency || purchase.laid_out_by !== null) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_in_kronor' }]);
  }
  const bookedOre = bookedOf(currencyPart, purchaseInCurrency(payable_ore, open_ore, paidOre));
  const settledOre = sum(rowsOf(settlement).map((row) => row.amountOre));
  if (bookedOre > 0n !== settledOre > 0n) {
    throw refuse('unprocessable', [{ path, reason: 'mixed_signs' }]);
  }
  const lostOre = settledOre - bookedOre;
  if (!isOfExchange(lostOre, bookedOre)) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_of_part_too_large' }]);
  }
  const differences = { ...settlement.differences, exchange: lostOre };
  return rowsOf({ ...settlement, differences });
}

export interface OutlayRepayment {
  /** Outlays of one person. */
  readonly purchaseIds: readonly string[];
  readonly date: string;
  readonly today: string;
  /** Where the money left. */
  readonly account: number;
}

/**
 * Gives back all that is left of outlays by one voucher: debit where they are owed, credit the account that the
 * money left. A payment of one of them below zero takes that one back. Answers what was paid, in öre.
 */
export async function repayOutlays(
  tx: Tx,
  { purchaseIds, date, today, account }: OutlayRepayment,
  actor: string,
): Promise<{ voucherId: string; paidOre: Ore; laidOutBy: string }> {
  const ids = [...new Set(purchaseIds)];
  const outlays = await lockPurchases(tx, ids);
  const missing = ids.find((wanted) => !outlays.some(({ id }) => id === wanted));
  if (missing !== undefined) throw refuseWhole('unprocessable', 'no_purchase', { id: missing });
  const [laidOutBy = null, ...others] = new Set(outlays.map(({ laid_out_by }) => laid_out_by));
  refuseAny(outlays.flatMap(repayableProblems));
  if (laidOutBy === null || others.length > 0) {
    throw refuse('unprocessable', [{ path: 'purchase', reason: 'outlays_of_several' }]);
  }
  const paidOre = sum(outlays.map(({ open_ore }) => open_ore));
  if (paidOre <= 0n) throw refuse('unprocessable', [{ path: 'purchase', reason: 'nothing_owed' }]);
  // That money can leave the account.
  rowsOf({ amountOre: paidOre, account });
  refuseAny([
    ...outlays.flatMap((one) => debtProblems(one, account)).slice(0, 1),
    ...outlays.flatMap((one) => dayProblems(one, date)).slice(0, 1),
    ...futureProblems('date', date, today),
  ]);
  const debts = Map.groupBy(outlays, ({ debt_account }) => debt_account);
  const numbers = [...new Set(outlays.map(({ invoice_number }) => invoice_number))].join(', ');
  const { id: voucherId } = await postAppVoucher(
    tx,
    {
      series: series,
      date,
      description: `Utlägg åter till ${laidOutBy}: ${numbers}`.slice(0, 500),
      counterparty: laidOutBy,
      source: 'supplier_payment',
      rows: [
        ...[...debts].flatMap(([debt, owed]) => {
          const ore = sum(owed.map(({ open_ore }) => open_ore));
          return ore === 0n ? [] : [signedRow(debt, ore)];
        }),
        signedRow(account, -paidOre),
      ],
    },
    actor,
  );
  const common = { kind: 'money', date, account, voucherId, createdBy: actor } as const;
  await insertPurchasePayments(
    tx,
    outlays.map(({ id, open_ore }) => ({ ...common, invoiceId: id, amountOre: open_ore })),
  );
  for (const { id, open_ore } of outlays) {
    const detail = { voucher_id: voucherId, amount: oreToNumber(open_ore) };
    await recordEvent(tx, { actor, action: 'purchase.paid', subject: id, detail });
  }
  return { voucherId, paidOre, laidOutBy };
}

function repayableProblems({
  status,
  laid_out_by,
  open_ore,
  invoice_number,
}: LockedPurchase): Fault[] {
  const isOwed = status === 'booked' && laid_out_by !== null && open_ore !== 0n;
  if (isOwed) return [];
  return [{ path: 'purchase', reason: 'outlay_not_owed', params: { number: invoice_number } }];
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
