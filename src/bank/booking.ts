/**
 * What books a bank row: a payment of an invoice, or a voucher of its own. Each posts and matches in the
 * caller's transaction, or throws and leaves nothing.
 */
import type { Tx } from '../db/pool.ts';
import { homeCurrency } from '../domain/basics/exchange-rate.ts';
import type { Ore } from '../domain/basics/money.ts';
import { futureProblems, refuseAny } from '../domain/basics/problems.ts';
import { goesAs } from '../domain/ledger/bank-matching/documents.ts';
import type { MatchPart } from '../domain/ledger/bank-matching/match.ts';
import { counterRows, type SplitTarget } from '../domain/ledger/bank-matching/posting.ts';
import { bookedOf } from '../domain/ledger/part-in-currency.ts';
import { isOfExchange } from '../domain/ledger/settlement-accounts.ts';
import type { VatRate } from '../domain/ledger/vat.ts';
import { signedRow } from '../domain/ledger/voucher.ts';
import { accounts as purchaseAccounts } from '../domain/purchases/supplier-posting.ts';
import { receivablesAccount } from '../domain/sales/invoice.ts';
import { postAppVoucher } from '../ledger/vouchers/service.ts';
import { refuse } from '../lib/errors.ts';
import { bookDecisions } from './matching/booking.ts';
import { getWholeInCurrency, lockDocuments } from './matching/booking-store.ts';
import { holdUnmatched, matchTransaction } from './service.ts';
import { lockBankAccounts } from './transaction-store.ts';

interface OfRow {
  readonly transactionId: string;
  /** The voucher's day: the bank's, or where that is locked one that is open. */
  readonly date: string;
  readonly today: string;
}

export interface DocumentPaid extends OfRow {
  readonly kind: MatchPart['kind'];
  readonly documentId: string;
  /**
   * Of a document in another currency: the row is all that is open of it, so what it differs from that is an exchange
   * difference (7960, 3960).
   */
  readonly isWhole?: boolean;
  /** Or so much of it, in hundredths of its currency, above zero: the difference is of that part. */
  readonly currencyPart?: bigint | null;
  /** What the bank has taken for it within the row, above zero (6570). */
  readonly bankFeeOre?: Ore;
}

/** Registers the row's amount as a payment of an invoice to a customer or from a supplier. */
export async function payDocument(tx: Tx, paid: DocumentPaid, actor: string): Promise<string> {
  const { transactionId, date, today } = paid;
  await lockBankAccounts(tx);
  const held = await holdUnmatched(tx, transactionId);
  const { amount_ore: amountOre, ledger_account: ledgerAccount, description: text } = held;
  const row = { id: transactionId, ledgerAccount, amountOre, day: date, text };
  const target = await targetOf(tx, amountOre, paid);
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

/** What the row is of the document, with what makes up the difference. */
async function targetOf(
  tx: Tx,
  amountOre: Ore,
  { kind, documentId, isWhole = false, currencyPart = null, bankFeeOre = 0n }: DocumentPaid,
): Promise<SplitTarget> {
  if (bankFeeOre < 0n) throw refuse('unprocessable', [{ path: 'bankFee', reason: 'mixed_signs' }]);
  // The bank's fee makes what comes in less, and what goes out more.
  const broughtOre = amountOre + bankFeeOre;
  const partOre =
    isWhole || currencyPart !== null
      ? await paidOre(tx, broughtOre, { kind, documentId, currencyPart })
      : broughtOre;
  const differences = [
    { kind: 'bank_fee', amountOre: -bankFeeOre },
    { kind: 'exchange', amountOre: broughtOre - partOre },
  ] as const;
  return {
    kind: 'split',
    parts: [{ kind, documentId, amountOre: partOre }],
    differences: differences.filter((one) => one.amountOre !== 0n),
    accounts: [],
  };
}

/** All that is open of a document in another currency, or the part that is said, where so many kronor can be that. */
export async function paidOre(
  tx: Tx,
  broughtOre: Ore,
  {
    kind,
    documentId,
    currencyPart,
  }: Pick<DocumentPaid, 'kind' | 'documentId'> & { readonly currencyPart: bigint | null },
): Promise<Ore> {
  const [document] = await lockDocuments(tx, {
    invoices: kind === 'invoice' ? [documentId] : [],
    purchases: kind === 'purchase' ? [documentId] : [],
  });
  // That nothing of it is open that way is told as of any payment.
  if (!document || !goesAs(document.openOre, broughtOre)) return broughtOre;
  const { currency, openOre } = document;
  const path = currencyPart === null ? 'isWhole' : 'currencyPart';
  if (currency === homeCurrency) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_in_kronor' }]);
  }
  if (currencyPart !== null) {
    if (currencyPart <= 0n)
      throw refuse('unprocessable', [{ path, reason: 'amount_not_above_zero' }]);
    const whole = await getWholeInCurrency(tx, { kind, documentId });
    const partOre = bookedOf(openOre < 0n ? -currencyPart : currencyPart, { ...whole, openOre });
    if (isOfExchange(broughtOre - partOre, partOre)) return partOre;
    throw refuse('unprocessable', [{ path, reason: 'exchange_of_part_too_large' }]);
  }
  if (!isOfExchange(broughtOre - openOre, openOre)) {
    throw refuse('unprocessable', [{ path, reason: 'exchange_too_large' }]);
  }
  return openOre;
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
