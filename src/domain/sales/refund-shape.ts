/** A refund as a shop sends it: the form of its fields. What it takes back is decided with the invoice at hand. */
import type { Fault } from '../../lib/errors.ts';
import { homeCurrency, isForeignCurrency } from '../basics/exchange-rate.ts';
import { isObject, JsonFields } from '../basics/json-fields.ts';
import { greatest, least, type Ore } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';
import type { CreditableRow, CreditedRow } from './credit-note.ts';
import { readPayments, type SentPayments } from './order-payments.ts';

const rowsMax = 10_000;

/** So many of an article, or of one row of the order. */
export interface RefundRow {
  /** Of the order, 1 for its first; null when the article says which. */
  readonly rowNo: number | null;
  readonly articleNumber: string | null;
  /** Above zero, also of rows that the order has below zero. */
  readonly quantityE4: bigint;
}

export interface Refund {
  /** The order's number at the shop, and the refund's own. */
  readonly externalId: string;
  readonly refundId: string;
  readonly refundDate: string;
  /** What the amounts are in, as sent; null when the shop does not say, and then they are in the order's. */
  readonly currency: string | null;
  /** With VAT; null when rows say what, or everything is taken back; zero when a tip alone is given back. */
  readonly amountOre: Ore | null;
  readonly rows: readonly RefundRow[] | null;
  /** What was paid back, the tip too, and how; null when the shop does not say. */
  readonly payments: SentPayments | null;
}

export type ParsedRefund = { readonly refund: Refund } | { readonly problems: Fault[] };

/**
 * Reads anything JSON.parse can return as a refund, or tells every fault of its form at once. Other currencies than kronor
 * are taken where orders in them are (`isOssOn`).
 */
export function parseRefund(json: unknown, { isOssOn = false } = {}): ParsedRefund {
  if (!isObject(json)) {
    return { problems: [{ path: '', reason: 'wrong_type', params: { expected: 'refund' } }] };
  }
  const body = new JsonFields(json);
  const payments = readPayments(body, json);
  const isOfTip = payments !== null && payments.tipOre > 0n;
  const refund: Omit<Refund, 'currency'> = {
    externalId: body.text('externalId', 255),
    refundId: body.text('refundId', 255),
    refundDate: body.date('refundDate'),
    amountOre: body.has('amount')
      ? isOfTip
        ? body.notNegative('amount', 2)
        : body.positive('amount', 2)
      : null,
    rows: body.has('rows') ? body.objects('rows', rowsMax).map(readRow) : null,
    payments,
  };
  const currency = body.has('currency') ? body.text('currency', 10) : null;
  const isTaken =
    currency === null || currency === homeCurrency || (isOssOn && isForeignCurrency(currency));
  if (!isTaken) {
    body.refuse('currency', { reason: 'refund_in_other_currency' });
  }
  if (refund.amountOre !== null && refund.rows !== null) {
    body.refuse('amount', { reason: 'amount_and_rows' });
  }
  return body.problems.length === 0
    ? { refund: { ...refund, currency } }
    : { problems: capProblems(body.problems) };
}

function readRow(row: JsonFields): RefundRow {
  const quantityE4 = row.positive('quantity', 4);
  const rowNo = row.has('rowNo') ? row.number('rowNo') : null;
  const articleNumber = row.optionalText('articleNumber', 100);
  if (rowNo === null && articleNumber === null) {
    row.refuse('articleNumber', { reason: 'row_or_article' });
  }
  return { rowNo, articleNumber, quantityE4 };
}

/**
 * Which rows of the invoice are taken back. An article's quantity is taken of the rows that sold it, in their order,
 * as far as each has some left (of those that took it off, when none sold it); what several rows of the refund take of
 * one row is one quantity.
 */
export function refundedRows(
  rows: readonly RefundRow[],
  creditable: readonly CreditableRow[],
): { readonly rows: CreditedRow[] } | { readonly problems: Fault[] } {
  const taken = new Map<number, bigint>();
  const problems: Fault[] = [];
  for (const [index, { rowNo, articleNumber, quantityE4 }] of rows.entries()) {
    const path = `rows[${index}]`;
    const named = creditable.filter((row) =>
      rowNo === null ? row.articleNumber === articleNumber : row.rowNo === rowNo,
    );
    const sold = named.filter((row) => row.quantityE4 > 0n);
    const ofAsked = sold.length > 0 ? sold : named;
    const params = { rowNo, articleNumber };
    if (ofAsked.length === 0) {
      problems.push({ path, reason: 'refund_row_unknown', params });
      continue;
    }
    let left = quantityE4;
    for (const row of ofAsked) {
      const sign = row.quantityE4 < 0n ? -1n : 1n;
      const free = (row.quantityE4 - row.creditedE4) * sign - (taken.get(row.rowNo) ?? 0n);
      const part = greatest(0n, least(left, free));
      if (part > 0n) taken.set(row.rowNo, (taken.get(row.rowNo) ?? 0n) + part);
      left -= part;
    }
    if (left > 0n) problems.push({ path, reason: 'refund_row_exceeds', params });
  }
  if (problems.length > 0) return { problems: capProblems(problems) };
  return {
    rows: [...taken].map(([rowNo, quantityE4]) => {
      const isNegative = (creditable.find((row) => row.rowNo === rowNo)?.quantityE4 ?? 0n) < 0n;
      return { rowNo, quantityE4: isNegative ? -quantityE4 : quantityE4 };
    }),
  };
}
