/** What a credit note takes back of an invoice's rows. */
import type { Fault } from '../../lib/errors.ts';
import {
  absolute,
  allocate,
  divideRounded,
  greatest,
  least,
  type Ore,
  sum,
} from '../basics/money.ts';
import { vatFromGross } from '../ledger/vat.ts';
import { chargedRate, type InvoiceRow, plainRow, taxKey } from './invoice.ts';

/** A row of a booked invoice with what earlier credit notes have taken of it. */
export interface CreditableRow extends InvoiceRow {
  readonly creditedE4: bigint;
  readonly creditedNetOre: bigint;
  readonly creditedVatOre: bigint;
  /** The same in the invoice's own currency, where that is not kronor. */
  readonly creditedCurrencyNet?: bigint;
  readonly creditedCurrencyVat?: bigint;
  /** Some of it was taken off the price, without a quantity (`reducePrice`). */
  readonly isReduced?: boolean;
}

/** So much of the row with this number; all that remains of it when no quantity is given. */
export interface CreditedRow {
  readonly rowNo: number;
  /** With the sign of the invoice's row. */
  readonly quantityE4?: bigint | undefined;
}

export type CreditDecision =
  | {
      readonly rows: InvoiceRow[];
      readonly isWhole: boolean;
      /** What an amount takes of the invoice's own rounding. */
      readonly roundingOre?: Ore;
    }
  | { readonly problems: Fault[] };

/**
 * The rows of a credit note. A part of a row takes its share of net and VAT, or of price with VAT and VAT where prices
 * include it: what is given back is then what was paid for it. Several part credits together are the row to the öre.
 * `isWhole` tells that nothing of the invoice remains.
 */
export function creditRows(
  rows: readonly CreditableRow[],
  wanted: readonly CreditedRow[] | undefined,
  pricesIncludeVat: boolean,
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
      credited.set(row.rowNo, shareOf(row, ask.quantityE4 ?? remainderOf(row), pricesIncludeVat));
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

/**
 * Takes an amount with VAT off the price of what remains, no goods back: shared by rate and then by row in
 * proportion to what remains of each, by largest remainder. VAT is what the price so far taken off the rate
 * contains (gross × r / (100 + r)) less what was credited before, so that rounding never adds up. `leftOre`
 * is what remains of the invoice with its rounding, which goes last: all of it is everything that remains.
 */
export function reducePrice(
  rows: readonly CreditableRow[],
  {
    amountOre,
    leftOre,
    pricesIncludeVat,
  }: { readonly amountOre: Ore; readonly leftOre: Ore; readonly pricesIncludeVat: boolean },
): CreditDecision {
  if (amountOre === leftOre) {
    const everything = creditRows(rows, undefined, pricesIncludeVat);
    if ('rows' in everything || leftOre === 0n) return everything;
  }
  const left = rows.map((row) => ({ row, ...leftOf(row) })).filter(({ ore }) => ore !== 0n);
  const rowsOre = sum(left.map(({ ore }) => ore));
  const sharedOre = least(amountOre, rowsOre);
  const byRate = [...Map.groupBy(left, ({ row }) => taxKey(row)).values()];
  const rateShares = allocate(
    sharedOre,
    byRate.map((group) => sum(group.map(({ ore }) => ore))),
  );
  const reductions = byRate.flatMap((group, index) => reduceRate(group, rateShares[index] ?? 0n));
  const reduced = reductions
    .filter(({ netOre, vatOre }) => netOre !== 0n || vatOre !== 0n)
    .map(({ row, netOre, vatOre }) => reductionRow(row, netOre, vatOre, pricesIncludeVat))
    .sort((a, b) => a.rowNo - b.rowNo);
  const [first] = rows;
  if (!first) return { problems: [{ path: 'rows', reason: 'nothing_left' }] };
  return {
    // When nothing is left but the rounding, it is taken on a row of nothing.
    rows: reduced.length > 0 ? reduced : [reductionRow(first, 0n, 0n, pricesIncludeVat)],
    isWhole: false,
    roundingOre: amountOre - sharedOre,
  };
}

interface LeftRow extends ReturnType<typeof leftOf> {
  readonly row: CreditableRow;
}

function leftOf(row: CreditableRow) {
  const netOre = row.netOre - row.creditedNetOre;
  const vatOre = row.vatOre - row.creditedVatOre;
  return { netOre, vatOre, ore: netOre + vatOre };
}

/** Of rows that are taxed alike. */
function reduceRate(group: readonly LeftRow[], grossOre: Ore) {
  const rate = group[0] ? chargedRate(group[0].row) : 0;
  const shares = allocate(
    grossOre,
    group.map(({ ore }) => ore),
  );
  const creditedOre = sum(group.map(({ row }) => row.creditedNetOre + row.creditedVatOre));
  const creditedVatOre = sum(group.map(({ row }) => row.creditedVatOre));
  const net = sum(group.map(({ netOre }) => netOre));
  const vat = sum(group.map(({ vatOre }) => vatOre));
  const wanted =
    grossOre === net + vat ? vat : vatFromGross(creditedOre + grossOre, rate) - creditedVatOre;
  // Neither base nor VAT is credited beyond what remains of it.
  const from = greatest(least(0n, vat), grossOre - greatest(0n, net));
  const to = least(greatest(0n, vat), grossOre - least(0n, net));
  const vatShares = allocate(greatest(from, least(wanted, to)), shares);
  return group.map(({ row }, index) => {
    const vatOre = vatShares[index] ?? 0n;
    return { row, vatOre, netOre: (shares[index] ?? 0n) - vatOre };
  });
}

function reductionRow(
  { rowNo, account, vatRate, ossCountry, ossRateE2, ossSupply, description }: CreditableRow,
  netOre: Ore,
  vatOre: Ore,
  pricesIncludeVat: boolean,
): InvoiceRow {
  const priceOre = pricesIncludeVat ? netOre + vatOre : netOre;
  return {
    ...plainRow,
    rowNo,
    account,
    vatRate,
    ossCountry: ossCountry ?? null,
    ossRateE2: ossRateE2 ?? null,
    ossSupply: ossSupply ?? null,
    description: [...`Prisavdrag: ${description}`].slice(0, 500).join(''),
    quantityE4: 10_000n,
    unitPriceE4: priceOre * 100n,
    netOre,
    vatOre,
    isPriceReduction: true,
  };
}

/** The quantity that may still come back; none of a row whose whole price has been taken off. */
function remainderOf(row: CreditableRow): bigint {
  const { netOre, vatOre } = leftOf(row);
  const isFree = row.netOre === 0n && row.vatOre === 0n;
  return row.isReduced && !isFree && netOre === 0n && vatOre === 0n
    ? 0n
    : row.quantityE4 - row.creditedE4;
}

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

/**
 * Rounded from the row's beginning, not part by part, so that rounding never adds up; of a row whose price has been
 * reduced, a share of what remains.
 */
function shareOf(row: CreditableRow, quantityE4: bigint, pricesIncludeVat: boolean): InvoiceRow {
  const {
    creditedE4,
    creditedNetOre,
    creditedVatOre,
    creditedCurrencyNet: _net,
    creditedCurrencyVat: _vat,
    isReduced = false,
    ...invoiceRow
  } = row;
  const share = (wholeOre: Ore, creditedOre: Ore): Ore =>
    isReduced
      ? divideRounded((wholeOre - creditedOre) * quantityE4, row.quantityE4 - creditedE4)
      : divideRounded(wholeOre * (creditedE4 + quantityE4), row.quantityE4) - creditedOre;
  const vatOre = share(row.vatOre, creditedVatOre);
  const netOre = pricesIncludeVat
    ? share(row.netOre + row.vatOre, creditedNetOre + creditedVatOre) - vatOre
    : share(row.netOre, creditedNetOre);
  return { ...invoiceRow, quantityE4, netOre, vatOre };
}
