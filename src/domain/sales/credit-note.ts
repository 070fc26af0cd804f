/** What a credit note takes back of an invoice's rows. */
import type { Fault } from '../../lib/errors.ts';
import { absolute, divideRounded, type Ore } from '../basics/money.ts';
import type { InvoiceRow } from './invoice.ts';

/** A row of a booked invoice with what earlier credit notes have taken of it. */
export interface CreditableRow extends InvoiceRow {
  readonly creditedE4: bigint;
  readonly creditedNetOre: bigint;
  readonly creditedVatOre: bigint;
}

/** So much of the row with this number; all that remains of it when no quantity is given. */
export interface CreditedRow {
  readonly rowNo: number;
  /** With the sign of the invoice's row. */
  readonly quantityE4?: bigint | undefined;
}

export type CreditDecision =
  | { readonly rows: InvoiceRow[]; readonly isWhole: boolean }
  | { readonly problems: Fault[] };

/**
 * The rows of a credit note. A part of a row takes its share of net and VAT; several part credits
 * together are the row to the öre. `isWhole` tells that nothing of the invoice remains.
 */
export function creditRows(
  rows: readonly CreditableRow[],
  wanted: readonly CreditedRow[] | undefined,
): CreditDecision {
  const asked: readonly CreditedRow[] =
    wanted ?? rows.filter(hasRemainder).map(({ rowNo }) => ({ rowNo }));
  const problems: Fault[] = [];
  const credited = new Map<number, InvoiceRow>();
  for (const [index, ask] of asked.entries()) {
    const row = rows.find(({ rowNo }) => rowNo === ask.rowNo);
    const reason = faultOf(row, ask, credited.has(ask.rowNo));
    if (row === undefined || reason !== null) {
      problems.push({
        path: `rows[${index}]`,
        reason: reason ?? 'unknown_row',
        params: { rowNo: ask.rowNo },
      });
    } else {
      credited.set(row.rowNo, shareOf(row, ask.quantityE4 ?? remainderOf(row)));
    }
  }
  if (asked.length === 0) {
    problems.push({ path: 'rows', reason: 'nothing_left' });
  }
  if (problems.length > 0) return { problems };
  const isWhole = rows.every((row) => {
    const quantity = credited.get(row.rowNo)?.quantityE4 ?? 0n;
    return quantity === remainderOf(row);
  });
  return { rows: [...credited.values()].sort((a, b) => a.rowNo - b.rowNo), isWhole };
}

const remainderOf = (row: CreditableRow): bigint => row.quantityE4 - row.creditedE4;

function hasRemainder(row: CreditableRow): boolean {
  return remainderOf(row) !== 0n;
}

function faultOf(
  row: CreditableRow | undefined,
  { quantityE4 }: CreditedRow,
  isRepeated: boolean,
): 'unknown_row' | 'repeated_row' | 'nothing_left' | 'quantity_exceeds_row' | null {
  if (row === undefined) return 'unknown_row';
  if (isRepeated) return 'repeated_row';
  const remainder = remainderOf(row);
  if (remainder === 0n) return 'nothing_left';
  if (quantityE4 === undefined) return null;
  const isWithin =
    quantityE4 !== 0n &&
    quantityE4 < 0n === remainder < 0n &&
    absolute(quantityE4) <= absolute(remainder);
  return isWithin ? null : 'quantity_exceeds_row';
}

/** Rounded from the row's beginning, not part by part, so that rounding never adds up. */
function shareOf(row: CreditableRow, quantityE4: bigint): InvoiceRow {
  const { creditedE4, creditedNetOre, creditedVatOre, ...invoiceRow } = row;
  const upTo = (whole: Ore) => divideRounded(whole * (creditedE4 + quantityE4), row.quantityE4);
  return {
    ...invoiceRow,
    quantityE4,
    netOre: upTo(row.netOre) - creditedNetOre,
    vatOre: upTo(row.vatOre) - creditedVatOre,
  };
}
