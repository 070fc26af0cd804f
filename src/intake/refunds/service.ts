/** From a received refund to the credit note of its order's invoice, or a reason for a person to look at. */
import type { Tx } from '../../db/pool.ts';
import { findJsonProblems, parseJson } from '../../domain/basics/json.ts';
import { sum } from '../../domain/basics/money.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import type { InvoiceRow } from '../../domain/sales/invoice.ts';
import {
  type OrderPayment,
  type PaymentContext,
  paymentsInKronor,
  placePayments,
} from '../../domain/sales/order-payments.ts';
import type { RefundRejection } from '../../domain/sales/refund-rejections.ts';
import {
  type ParsedRefund,
  parseRefund,
  type Refund,
  refundedRows,
} from '../../domain/sales/refund-shape.ts';
import type { Fault } from '../../lib/errors.ts';
import type { NewInvoice } from '../../sales/invoices/create-store.ts';
import { creditNoteOf, decideCredit } from '../../sales/invoices/credits.ts';
import type { NumberedInvoice } from '../../sales/invoices/settled.ts';
import { listCreditableRows, lockInvoice } from '../../sales/invoices/settlement-store.ts';
import { identityOf, refundKeyOf } from '../orders/identity.ts';
import { findOrderInvoice, findTipLeft, isRefundKeyTaken } from './store.ts';

/** A refund as it was received. */
export interface ReceivedRefund {
  readonly order_id: string;
  readonly refund_key: string | null;
  readonly order_identity: string | null;
  readonly raw: Buffer;
}

export type RefundDecision =
  | {
      readonly kind: 'draft';
      readonly note: NewInvoice;
      readonly payments: readonly OrderPayment[];
    }
  | {
      readonly kind: 'rejected';
      readonly reason: RefundRejection;
      readonly problems: readonly Fault[];
    };

/** The refund in the bytes, or what is wrong with their form (`parseRefund`). The door has let only JSON through. */
export function readRefund(raw: Buffer, taken: { readonly isOssOn: boolean }): ParsedRefund {
  const { text, value } = parseJson(raw);
  const problems = findJsonProblems(text, value);
  return problems.length > 0 ? { problems } : parseRefund(value, taken);
}

/**
 * Decides about a refund, with its order's invoice held until commit: whoever books or credits it meanwhile waits, and
 * several refunds of one order never take more than there is. The caller writes the draft.
 */
export async function decideRefund(
  tx: Tx,
  received: ReceivedRefund,
  context: PaymentContext & {
    readonly fiscalYears: readonly DateSpan[];
    readonly isOssOn: boolean;
  },
  actor: string,
): Promise<RefundDecision> {
  const parsed = readRefund(received.raw, context);
  if ('problems' in parsed) return reject('invalid_refund', parsed.problems);
  const { refund } = parsed;
  const { externalId, refundId, refundDate: date } = refund;
  const refundKey = refundKeyOf(refundId);
  const orderIdentity = identityOf(externalId);
  // Whoever kept it under other numbers than it has would have it credited once more.
  if (received.refund_key !== refundKey || received.order_identity !== orderIdentity) {
    throw new Error('a refund is kept under other numbers than its own');
  }
  if (await isRefundKeyTaken(tx, refundKey, received.order_id)) {
    return reject('refund_id_taken', [
      { path: 'refundId', reason: 'refund_id_taken', params: { refundId } },
    ]);
  }
  const invoiceId = await findOrderInvoice(tx, orderIdentity);
  const invoice = invoiceId === null ? undefined : await lockInvoice(tx, invoiceId);
  if (!invoice)
    return reject('order_unknown', [
      { path: 'externalId', reason: 'order_unknown', params: { externalId } },
    ]);
  const { number } = invoice;
  if (invoice.status === 'draft' || number === null) {
    return reject('order_not_booked', [
      { path: 'externalId', reason: 'order_not_booked', params: { externalId } },
    ]);
  }
  if (!context.fiscalYears.some(({ start, end }) => start <= date && date <= end)) {
    return reject('refund_outside_fiscal_year', [
      { path: 'refundDate', reason: 'refund_outside_fiscal_year', params: { date } },
    ]);
  }
  if (date < invoice.invoice_date) {
    return reject('refund_before_invoice', [
      {
        path: 'refundDate',
        reason: 'refund_before_invoice',
        params: { number, from: invoice.invoice_date },
      },
    ]);
  }
  if (refund.currency !== null && refund.currency !== invoice.currency) {
    const params = { currency: invoice.currency };
    return reject('invalid_refund', [
      { path: 'currency', reason: 'refund_in_other_currency', params },
    ]);
  }
  return draftOf(tx, { ...invoice, number }, refund, context, actor);
}

async function draftOf(
  tx: Tx,
  invoice: NumberedInvoice,
  refund: Refund,
  context: PaymentContext,
  actor: string,
): Promise<RefundDecision> {
  // No invoice has the tip, so there is nothing to credit.
  if (refund.amountOre === 0n) {
    return reject('refund_payments_mismatch', [{ path: 'amount', reason: 'refund_of_tip_alone' }]);
  }
  const taken =
    refund.rows === null
      ? { rows: undefined }
      : refundedRows(refund.rows, await listCreditableRows(tx, invoice.id));
  if ('problems' in taken) return reject('refund_rows_unknown', taken.problems);
  const decided = await decideCredit(tx, invoice, {
    rows: taken.rows,
    amountOre: refund.amountOre ?? undefined,
  });
  if ('problems' in decided) {
    const isLoss = decided.problems.some(({ reason }) => reason === 'credit_of_written_off');
    return reject(isLoss ? 'refund_of_written_off' : 'refund_exceeds_invoice', decided.problems);
  }
  const { rows, totals, inCurrency } = decided;
  const owed = inCurrency
    ? {
        totalOre: inCurrencyTotal(rows) + inCurrency.currencyRounding,
        currency: inCurrency.currency,
      }
    : totals;
  const day = refund.refundDate;
  const paid = refund.payments && placePayments(refund.payments, { ...owed, day }, context);
  if (paid && 'problems' in paid) return reject('refund_payments_mismatch', paid.problems);
  const notes = `Återbetalning ${refund.refundId} av order ${refund.externalId}`;
  const credit = { date: refund.refundDate, notes };
  const note = creditNoteOf(invoice, credit, decided, { source: 'order', createdBy: actor });
  const payments = paymentsInKronor(paid?.payments ?? [], totals.totalOre, inCurrency);
  const tipOre = sum(payments.map((payment) => payment.tipOre));
  const openOre = tipOre === 0n ? 0n : await findTipLeft(tx, invoice.id);
  if (tipOre > openOre) {
    return reject('refund_payments_mismatch', [
      { path: 'tip', reason: 'refund_tip_exceeds', params: { tipOre, openOre } },
    ]);
  }
  return { kind: 'draft', note, payments };
}

const inCurrencyTotal = (rows: readonly InvoiceRow[]): bigint =>
  sum(rows.map(({ currencyNet, currencyVat }) => (currencyNet ?? 0n) + (currencyVat ?? 0n)));

const reject = (reason: RefundRejection, problems: readonly Fault[]): RefundDecision => ({
  kind: 'rejected',
  reason,
  problems,
});
