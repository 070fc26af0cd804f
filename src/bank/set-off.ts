/**
 * Setting off what a customer owes us against what we owe the same party: an act of its own that lessens
 * both, on one voucher of 2440 against 1510. What was set off by mistake is taken back by a negative
 * amount.
 */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import { type Ore, oreToNumber } from '../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../domain/basics/problems.ts';
import { accounts } from '../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../domain/sales/invoice.ts';
import { postTransfer } from '../ledger/vouchers/service.ts';
import type { Fault } from '../lib/errors.ts';
import { insertPurchasePayments } from '../purchases/inbox/payment-store.ts';
import { lockBookedPurchase } from '../purchases/inbox/payments.ts';
import type { LockedPurchase } from '../purchases/inbox/store.ts';
import {
  lockBooked,
  type NumberedInvoice,
  type Standing,
  standingOf,
} from '../sales/invoices/settled.ts';
import { insertPayments } from '../sales/invoices/settlement-store.ts';
import { isSameParty, sumSetOff } from './set-off-store.ts';

export interface SetOff {
  readonly invoiceId: string;
  /** The supplier's invoice. */
  readonly purchaseId: string;
  readonly date: string;
  readonly today: string;
  /** Above zero; below zero takes back what was set off between the two. */
  readonly amountOre: Ore;
}

/** Sets off (series C). Throws 422 when the two are not between the same parties, or too small. */
export async function setOff(tx: Tx, act: SetOff, actor: string): Promise<Standing> {
  const { invoiceId, purchaseId, date, today, amountOre } = act;
  const invoice = await lockBooked(tx, invoiceId);
  const purchase = await lockBookedPurchase(tx, purchaseId);
  refuseAny([
    ...(await partyProblems(tx, act)),
    ...amountProblems(invoice, purchase, amountOre, await sumSetOff(tx, invoiceId, purchaseId)),
    ...dayProblems(invoice, purchase, date),
    ...futureProblems('date', date, today),
  ]);
  const description = `Kvittning kundfaktura ${invoice.number} mot leverantörsfaktura ${purchase.invoice_number}`;
  const voucherId = await postTransfer(
    tx,
    {
      series: 'C',
      date,
      description: description.slice(0, 500),
      counterparty: invoice.debtor.name,
      source: 'payment',
      debit: accounts.payables,
      credit: receivablesAccount,
      amountOre,
    },
    actor,
  );
  const half = { date, kind: 'set_off', amountOre, voucherId, createdBy: actor } as const;
  const reference = `Kvittad mot leverantörsfaktura ${purchase.invoice_number}`.slice(0, 200);
  await insertPayments(tx, [{ ...half, invoiceId, account: accounts.payables, reference }]);
  await insertPurchasePayments(tx, [
    { ...half, invoiceId: purchaseId, account: receivablesAccount },
  ]);
  const detail = { purchase_id: purchaseId, amount: oreToNumber(amountOre) };
  await recordEvent(tx, { actor, action: 'invoice.set_off', subject: invoiceId, detail });
  return standingOf(tx, invoiceId, voucherId);
}

/** Each must owe the other: by organization or VAT number, or where none tells, by name. */
async function partyProblems(tx: Tx, { invoiceId, purchaseId }: SetOff): Promise<Fault[]> {
  if (await isSameParty(tx, invoiceId, purchaseId)) return [];
  return [{ path: 'purchase', reason: 'other_party' }];
}

function amountProblems(
  { number, open_ore: owedToUs }: NumberedInvoice,
  { invoice_number, open_ore: weOwe }: LockedPurchase,
  amountOre: Ore,
  setOffOre: Ore,
): Fault[] {
  const path = 'amount';
  if (amountOre === 0n) return [{ path, reason: 'no_amount' }];
  if (amountOre < 0n) {
    return -amountOre <= setOffOre
      ? []
      : [{ path, reason: 'exceeds_set_off', params: { setOffOre } }];
  }
  const most = owedToUs < weOwe ? owedToUs : weOwe;
  if (amountOre <= most) return [];
  const left = (ore: Ore): Ore => (ore > 0n ? ore : 0n);
  const params = {
    number,
    invoiceNumber: invoice_number,
    owedToUsOre: left(owedToUs),
    weOweOre: left(weOwe),
  };
  return [{ path, reason: 'set_off_exceeds_open', params }];
}

function dayProblems(
  { number, invoice_date: ours }: NumberedInvoice,
  { invoice_number, issue_date: theirs }: LockedPurchase,
  date: string,
): Fault[] {
  const from = ours > theirs ? ours : theirs;
  if (date >= from) return [];
  const params = { number, ours, invoiceNumber: invoice_number, theirs, from };
  return [{ path: 'date', reason: 'set_off_before_invoice', params }];
}
