/**
 * What books a bank row: a payment of an invoice, or a voucher of its own. Each posts and matches in the
 * caller's transaction, or throws and leaves nothing.
 */
import type { Tx } from '../db/pool.ts';
import { futureProblems, refuseAny } from '../domain/basics/problems.ts';
import type { MatchPart } from '../domain/ledger/bank-matching/match.ts';
import { counterRows } from '../domain/ledger/bank-matching/posting.ts';
import type { VatRate } from '../domain/ledger/vat.ts';
import { signedRow } from '../domain/ledger/voucher.ts';
import { accounts as purchaseAccounts } from '../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../domain/sales/invoice.ts';
import { postAppVoucher } from '../ledger/vouchers/service.ts';
import { refuse } from '../lib/errors.ts';
import { bookDecisions } from './matching/booking.ts';
import { holdUnmatched, matchTransaction } from './service.ts';
import { lockBankAccounts } from './transaction-store.ts';

interface OfRow {
  readonly transactionId: string;
  /** The voucher's day: the bank's, or where that is locked one that is open. */
  readonly date: string;
  readonly today: string;
}

/** Registers the row's amount as a payment of an invoice to a customer or from a supplier. */
export async function payDocument(
  tx: Tx,
  {
    transactionId,
    kind,
    documentId,
    date,
    today,
  }: OfRow & { readonly kind: MatchPart['kind']; readonly documentId: string },
  actor: string,
): Promise<string> {
  await lockBankAccounts(tx);
  const held = await holdUnmatched(tx, transactionId);
  const { amount_ore: amountOre, ledger_account: ledgerAccount, description: text } = held;
  const row = { id: transactionId, ledgerAccount, amountOre, day: date, text };
  const parts = [{ kind, documentId, amountOre }];
  const target = { kind: 'documents', parts, difference: null } as const;
  const { booked, refused } = await bookDecisions(tx, [{ row, target, other: null }], {
    today,
    actor,
  });
  const [done] = booked;
  if (done) return done.voucherId;
  throw refuse(
    'unprocessable',
    refused.map(({ fault }) => fault),
  );
}

/** Books the row against one account, with VAT of a rate within it where that is said; origin `bank`. */
export async function bookDirectly(
  tx: Tx,
  direct: OfRow & {
    readonly account: number;
    readonly vatRate?: VatRate;
    readonly description: string;
    readonly counterparty: string | null;
    readonly series: string;
  },
  actor: string,
): Promise<string> {
  const { transactionId, account, vatRate = 0, today, ...head } = direct;
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
  const counter = counterRows(account, -amount_ore, vatRate);
  if (counter === null) {
    throw refuse('unprocessable', [
      { path: 'vatRate', reason: 'no_vat_of_account', params: { account } },
    ]);
  }
  const rows = [signedRow(ledger_account, amount_ore), ...counter];
  const { id } = await postAppVoucher(tx, { ...head, source: 'bank', rows }, actor);
  await matchTransaction(tx, { transactionId, voucherId: id }, actor);
  return id;
}
