/** From what a caller wants invoiced to a priced draft, or what is wrong with it. */
import type { Fault } from '../../lib/errors.ts';
import { addDays } from '../basics/dates.ts';
import { absolute, maxAmountOre } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';
import {
  type DraftRow,
  type InvoiceRow,
  type InvoiceTotals,
  priceRowsExcludingVat,
  totalsOf,
} from './invoice.ts';

export interface PricedDraft {
  readonly dueDate: string;
  readonly rows: InvoiceRow[];
  readonly totals: InvoiceTotals;
}

/** `unreadable` breaks a limit (400), `unprocessable` is a sum nobody can be invoiced (422). */
export type DraftDecision =
  | { readonly kind: 'draft'; readonly draft: PricedDraft }
  | { readonly kind: 'unreadable' | 'unprocessable'; readonly problems: Fault[] };

/** The last day the books can hold. */
const lastDay = '9999-12-31';

/**
 * Prices a draft: unit prices are without VAT, VAT is per rate on the sum (EN 16931). The due date is
 * `paymentTermsDays` calendar days after the invoice date.
 */
export function priceDraft(wanted: {
  readonly invoiceDate: string;
  readonly paymentTermsDays: number;
  readonly rows: readonly DraftRow[];
}): DraftDecision {
  const numbered = wanted.rows.map((row, index) => ({ ...row, rowNo: index + 1 }));
  const rows = priceRowsExcludingVat(numbered);
  const totals = totalsOf(rows, 0n);
  const faults: Fault[] = [...rows.flatMap(rowProblems), ...totalProblems(totals)];
  if (!isDueInTime(wanted.invoiceDate, wanted.paymentTermsDays)) {
    faults.push({ path: 'invoiceDate', reason: 'due_date_too_late', params: { lastDay } });
  }
  if (faults.length > 0) return { kind: 'unreadable', problems: capProblems(faults) };
  if (totals.totalOre < 0n) {
    const params = { of: 'invoice', totalOre: totals.totalOre } as const;
    return {
      kind: 'unprocessable',
      problems: [{ path: 'rows', reason: 'negative_total', params }],
    };
  }
  const dueDate = addDays(wanted.invoiceDate, wanted.paymentTermsDays);
  return { kind: 'draft', draft: { dueDate, rows, totals } };
}

/** Whether the due date is one that the calendar has. */
export const isDueInTime = (invoiceDate: string, paymentTermsDays: number): boolean =>
  addDays(lastDay, -paymentTermsDays) >= invoiceDate;

function rowProblems(row: InvoiceRow): Fault[] {
  const at = `rows[${row.rowNo - 1}]`;
  const problems: Fault[] = [];
  if (row.quantityE4 === 0n) {
    problems.push({ path: `${at}.quantity`, reason: 'zero_quantity' });
  }
  if (absolute(row.netOre) > maxAmountOre) {
    const params = { of: 'invoice', mostOre: maxAmountOre } as const;
    problems.push({ path: at, reason: 'amount_too_large', params });
  }
  return problems;
}

function totalProblems({ totalOre }: InvoiceTotals): Fault[] {
  if (absolute(totalOre) <= maxAmountOre) return [];
  const params = { of: 'invoice', mostOre: maxAmountOre } as const;
  return [{ path: 'rows', reason: 'total_too_large', params }];
}
