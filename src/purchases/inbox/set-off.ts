/**
 * Setting off a supplier's credit note against an invoice of the same supplier: both are lessened by one
 * voucher that has 2440 on both sides, so that each says what became of it. What was set off by mistake is
 * taken back by a negative amount.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { type Ore, oreToNumber } from '../../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../../domain/basics/problems.ts';
import { accounts } from '../../domain/purchases/supplier-posting.ts';
import { postTransfer } from '../../ledger/vouchers/service.ts';
import { type Fault, refuse } from '../../lib/errors.ts';
import { insertPurchasePayments, sumPaid, sumSetOffBetween } from './payment-store.ts';
import { lockBookedPurchase } from './payments.ts';
import { type LockedPurchase, lockPurchases } from './store.ts';

export interface CreditSetOff {
  /** Either of the two. */
  readonly purchaseId: string;
  /** The other: a credit note when that is an invoice, an invoice when it is a credit note. */
  readonly otherId: string;
  readonly date: string;
  readonly today: string;
  /** Above zero; below zero takes back what was set off between the two. */
  readonly amountOre: Ore;
}

interface Pair {
  /** What we owe on. */
  readonly debt: LockedPurchase;
  /** What the supplier owes us on: a credit note. */
  readonly claim: LockedPurchase;
}

/**
 * Sets off (series E). Answers what is left of `purchaseId`, in öre. Throws 422 when the two are not one of
 * each kind from the same supplier, or too small.
 */
export async function setOffCreditNote(
  tx: Tx,
  { purchaseId, otherId, date, today, amountOre }: CreditSetOff,
  actor: string,
): Promise<{ openOre: Ore }> {
  // Both at once, in the order of their ids: two people who set off the same two wait for each other.
  await lockPurchases(tx, [purchaseId, otherId]);
  const purchase = await lockBookedPurchase(tx, purchaseId);
  const { debt, claim } = pairOf(
    await withOwed(tx, purchase),
    await withOwed(tx, await lockBookedPurchase(tx, otherId)),
  );
  refuseAny([
    ...amountProblems({ debt, claim }, amountOre, await sumSetOffBetween(tx, debt.id, claim.id)),
    ...dayProblems({ debt, claim }, date),
    ...futureProblems('date', date, today),
  ]);
  const description = `Kvittning kreditfaktura ${claim.invoice_number} mot faktura ${debt.invoice_number}`;
  const voucherId = await postTransfer(
    tx,
    {
      series: 'E',
      date,
      description: description.slice(0, 500),
      counterparty: debt.supplier_name ?? debt.seller.name,
      source: 'supplier_payment',
      debit: accounts.payables,
      credit: accounts.payables,
      amountOre,
    },
    actor,
  );
  const account = accounts.payables;
  const half = { date, kind: 'set_off', account, voucherId, createdBy: actor } as const;
  await insertPurchasePayments(tx, [
    { ...half, invoiceId: debt.id, amountOre },
    { ...half, invoiceId: claim.id, amountOre: -amountOre },
  ]);
  const detail = { other_id: otherId, voucher_id: voucherId, amount: oreToNumber(amountOre) };
  await recordEvent(tx, { actor, action: 'purchase.set_off', subject: purchaseId, detail });
  const change = purchase.id === debt.id ? amountOre : -amountOre;
  return { openOre: purchase.open_ore - change };
}

interface Owed {
  readonly purchase: LockedPurchase;
  /** What it was booked on: below zero of a credit note. */
  readonly owedOre: Ore;
}

const withOwed = async (tx: Tx, purchase: LockedPurchase): Promise<Owed> => ({
  purchase,
  owedOre: purchase.open_ore + (await sumPaid(tx, purchase.id)),
});

function pairOf(one: Owed, other: Owed): Pair {
  const [debt, claim] = one.owedOre > 0n ? [one, other] : [other, one];
  const isPair = debt.owedOre > 0n && claim.owedOre < 0n;
  const isOneSupplier =
    debt.purchase.supplier_id !== null && debt.purchase.supplier_id === claim.purchase.supplier_id;
  if (isPair && isOneSupplier) return { debt: debt.purchase, claim: claim.purchase };
  throw refuse('unprocessable', [{ path: 'other', reason: 'not_credit_note_and_invoice' }]);
}

function amountProblems({ debt, claim }: Pair, amountOre: Ore, setOffOre: Ore): Fault[] {
  const path = 'amount';
  if (amountOre === 0n) return [{ path, reason: 'no_amount' }];
  if (amountOre < 0n) {
    const isWithin = -amountOre <= setOffOre;
    return isWithin ? [] : [{ path, reason: 'exceeds_set_off', params: { setOffOre } }];
  }
  const [weOweOre, owedToUsOre] = [debt.open_ore, -claim.open_ore];
  if (amountOre <= weOweOre && amountOre <= owedToUsOre) return [];
  const params = { ...numbersOf({ debt, claim }), weOweOre, owedToUsOre };
  return [{ path, reason: 'credit_set_off_exceeds_open', params }];
}

function dayProblems({ debt, claim }: Pair, date: string): Fault[] {
  const [, from = ''] = [debt.issue_date, claim.issue_date].sort();
  if (date >= from) return [];
  const params = { ...numbersOf({ debt, claim }), from };
  return [{ path: 'date', reason: 'credit_set_off_before_invoice', params }];
}

const numbersOf = ({ debt, claim }: Pair) => ({
  invoiceNumber: debt.invoice_number,
  creditNumber: claim.invoice_number,
});
