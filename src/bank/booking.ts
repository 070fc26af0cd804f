/**
 * What books a bank row: a payment of an invoice, or a voucher of its own. Each posts and matches in the
 * caller's transaction, or throws and leaves nothing.
 */
import type { Tx } from '../db/pool.ts';
import { futureProblems, refuseAny } from '../domain/basics/problems.ts';
import { signedRow } from '../domain/ledger/voucher.ts';
import { accounts as purchaseAccounts } from '../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../domain/sales/invoice.ts';
import { postAppVoucher } from '../ledger/vouchers/service.ts';
import { refuse } from '../lib/errors.ts';
import { payPurchase } from '../purchases/inbox/payments.ts';
import { registerPayment } from '../sales/invoices/settlement.ts';
import { holdUnmatched, matchTransaction } from './service.ts';

/** Characters of a payment's reference. */
const referenceMax = 200;

interface OfRow {
  readonly transactionId: string;
  /** The voucher's day: the bank's, or where that is locked one that is open. */
  readonly date: string;
  readonly today: string;
}

/** Registers the row's amount as a payment of a customer's invoice. */
export async function payInvoice(
  tx: Tx,
  { transactionId, invoiceId, ...days }: OfRow & { readonly invoiceId: string },
  actor: string,
): Promise<string> {
  const {
    amount_ore: amountOre,
    ledger_account: account,
    description,
  } = await holdUnmatched(tx, transactionId);
  // The bank row keeps the whole text.
  const reference = [...description].slice(0, referenceMax).join('') || null;
  const payment = { ...days, invoiceId, amountOre, account, reference };
  const { voucherId } = await registerPayment(tx, payment, actor);
  return matched(tx, transactionId, voucherId, actor);
}

/** Registers the row's amount as a payment of a supplier's invoice. */
export async function paySupplier(
  tx: Tx,
  { transactionId, purchaseId, ...days }: OfRow & { readonly purchaseId: string },
  actor: string,
): Promise<string> {
  const { amount_ore, ledger_account: account } = await holdUnmatched(tx, transactionId);
  const payment = { ...days, purchaseId, amountOre: -amount_ore, account };
  const { voucherId } = await payPurchase(tx, payment, actor);
  return matched(tx, transactionId, voucherId, actor);
}

/** Books the row against one account, origin `bank`. */
export async function bookDirectly(
  tx: Tx,
  direct: OfRow & {
    readonly account: number;
    readonly description: string;
    readonly counterparty: string | null;
    readonly series: string;
  },
  actor: string,
): Promise<string> {
  const { transactionId, account, today, ...head } = direct;
  refuseAny(futureProblems('date', head.date, today));
  const { amount_ore, ledger_account } = await holdUnmatched(tx, transactionId);
  if (account === ledger_account) {
    throw refuse('unprocessable', [
      { path: 'account', reason: 'own_account', params: { account } },
    ]);
  }
  if (account === receivablesAccount || account === purchaseAccounts.payables) {
    throw refuse('unprocessable', [
      { path: 'account', reason: 'account_of_invoices', params: { account } },
    ]);
  }
  const rows = [signedRow(ledger_account, amount_ore), signedRow(account, -amount_ore)];
  const { id } = await postAppVoucher(tx, { ...head, source: 'bank', rows }, actor);
  return matched(tx, transactionId, id, actor);
}

async function matched(
  tx: Tx,
  transactionId: string,
  voucherId: string | null,
  actor: string,
): Promise<string> {
  if (voucherId === null) throw new Error('the payment has no voucher');
  await matchTransaction(tx, { transactionId, voucherId }, actor);
  return voucherId;
}
