/** What a credit note takes back of an invoice's rows. */
import type { Problem } from '../../lib/errors.ts';
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
  | { readonly problems: Problem[] };

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
  const problems: Problem[] = [];
  const credited = new Map<number, InvoiceRow>();
  for (const [index, ask] of asked.entries()) {
    const row = rows.find(({ rowNo }) => rowNo === ask.rowNo);
    const fault = faultOf(row, ask, credited.has(ask.rowNo));
    if (row === undefined || fault !== null) {
      const [reason, text] = fault ?? ['unknown_row', 'finns inte på fakturan.'];
      const path = `rows[${index}]`;
      problems.push({ path, reason, message: `${path}: rad ${ask.rowNo} ${text}` });
    } else {
      credited.set(row.rowNo, shareOf(row, ask.quantityE4 ?? remainderOf(row)));
    }
  }
  if (asked.length === 0) {
    const message = 'Allt på fakturan är redan krediterat.';
    problems.push({ path: 'rows', reason: 'nothing_left', message });
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
): [reason: string, text: string] | null {
  if (row === undefined) return ['unknown_row', 'finns inte på fakturan.'];
  if (isRepeated) return ['repeated_row', 'är angiven två gånger.'];
  const remainder = remainderOf(row);
  if (remainder === 0n) return ['nothing_left', 'är redan krediterad i sin helhet.'];
  if (quantityE4 === undefined) return null;
  const isWithin =
    quantityE4 !== 0n &&
    quantityE4 < 0n === remainder < 0n &&
    absolute(quantityE4) <= absolute(remainder);
  return isWithin ? null : ['quantity_exceeds_row', 'har inte så mycket kvar att kreditera.'];
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
