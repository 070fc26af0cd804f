/** Whether an order's rows make the total the customer paid, and what to show when they do not. */
import type { Fault } from '../../lib/errors.ts';
import { absolute, type Ore, oreToNumber, sum } from '../basics/money.ts';
import { isVatRate, type VatRate, vatFromGross, vatFromNet } from '../ledger/vat.ts';
import {
  chargedRate,
  type ForeignVat,
  priceRowsExcludingVat,
  priceRowsIncludingVat,
  type RowAmounts,
  rowAmount,
  totalsOf,
} from './invoice.ts';
import type { Order, OrderRow } from './order-shape.ts';

export type PricedOrderRow = OrderRow & RowAmounts & ForeignVat & { readonly vatRate: VatRate };

interface GrossAmounts extends RowAmounts {
  readonly grossOre: Ore;
}

/** The arithmetic of an order to the öre, with VAT rounded per rate (as we book) and per row. */
export interface OreTable {
  readonly pricesIncludeVat: boolean;
  readonly rows: readonly (GrossAmounts & { readonly rowNo: number; readonly vatRate: number })[];
  readonly perRate: GrossAmounts;
  readonly perRow: GrossAmounts;
  readonly totalOre: Ore;
  /** Total less what the rows make with VAT rounded per rate. */
  readonly differenceOre: Ore;
}

export interface TotalVerdict {
  /** What goes to 3740 so that the invoice says what was paid; zero when there is a problem. */
  readonly roundingOre: Ore;
  readonly problems: readonly Fault[];
  readonly oren: OreTable | null;
}

/** Rows that each rounded an öre may differ this much in sum; a whole-krona total, half a krona. */
const differenceOreMax = 5n;
const wholeKronaDifferenceOreMax = 50n;

/**
 * The rows with net and VAT, in the order's currency, or null while any rate is neither Swedish nor known to be another
 * country's. `foreign` is whose VAT each row bears, in their order.
 */
export function priceOrder(
  order: Order,
  foreign: readonly (ForeignVat | null)[] = [],
): PricedOrderRow[] | null {
  const rows = order.rows.flatMap(({ currency: _own, vatCountry: _said, ...row }, index) => {
    const vat = foreign[index];
    if (vat) return [{ ...row, ...vat, vatRate: 0 as const }];
    return isVatRate(row.vatRate) ? [{ ...row, vatRate: row.vatRate }] : [];
  });
  if (rows.length < order.rows.length) return null;
  return order.pricesIncludeVat ? priceRowsIncludingVat(rows) : priceRowsExcludingVat(rows);
}

/**
 * Compares the rows with the total, both in the order's currency (`currency`, when that is not kronor). Prices with VAT
 * can be summed whatever the rates; prices without only when every rate is known.
 */
export function checkTotal(
  order: Order,
  priced: readonly PricedOrderRow[] | null,
  currency?: string,
): TotalVerdict {
  const rowsOre = priced ? totalsOf(priced, 0n).totalOre : grossOf(order);
  const totalOre = order.totalOre ?? rowsOre;
  const problems: Fault[] = [];
  const inWhich = currency === undefined ? {} : { currency };
  if (totalOre !== null && totalOre < 0n) {
    problems.push({ path: 'total', reason: 'negative_total', params: { totalOre, ...inWhich } });
  }
  const differenceOre = totalOre === null || rowsOre === null ? 0n : totalOre - rowsOre;
  if (totalOre === null || isRounding(differenceOre, totalOre)) {
    return { roundingOre: problems.length === 0 ? differenceOre : 0n, problems, oren: null };
  }
  problems.push(mismatch(totalOre, totalOre - differenceOre, priced, inWhich));
  const oren = priced && oreTable(order, priced, totalOre, differenceOre);
  return { roundingOre: 0n, problems, oren };
}

/** The table as it stands in `detail.oren` of an answer: kronor with two decimals. */
export function orenForWire(table: OreTable): Record<string, unknown> {
  return {
    prices_include_vat: table.pricesIncludeVat,
    rows: table.rows.map((row) => ({
      row_no: row.rowNo,
      vat_rate: row.vatRate,
      ...amountsForWire(row),
    })),
    vat_rounded_per_rate: amountsForWire(table.perRate),
    vat_rounded_per_row: amountsForWire(table.perRow),
    total: oreToNumber(table.totalOre),
    difference: oreToNumber(table.differenceOre),
  };
}

function isRounding(differenceOre: Ore, totalOre: Ore): boolean {
  const isWholeKrona = totalOre % 100n === 0n;
  return absolute(differenceOre) <= (isWholeKrona ? wholeKronaDifferenceOreMax : differenceOreMax);
}

function mismatch(
  totalOre: Ore,
  rowsOre: Ore,
  priced: readonly PricedOrderRow[] | null,
  inWhich: { readonly currency?: string },
): Fault {
  const differenceOre = absolute(totalOre - rowsOre);
  const isWithoutVat = priced !== null && totalsOf(priced, 0n).netOre === totalOre;
  const params = { totalOre, rowsOre, differenceOre, isWithoutVat, ...inWhich };
  return { path: 'total', reason: 'total_mismatch', params };
}

function grossOf({ pricesIncludeVat, rows }: Order): Ore | null {
  return pricesIncludeVat ? sum(rows.map(rowAmount)) : null;
}

function oreTable(
  order: Order,
  priced: readonly PricedOrderRow[],
  totalOre: Ore,
  differenceOre: Ore,
): OreTable {
  const rowByRow = priced.map((row) => {
    const amount = rowAmount(row);
    const rate = chargedRate(row);
    if (!order.pricesIncludeVat) return { netOre: amount, vatOre: vatFromNet(amount, rate) };
    const vatOre = vatFromGross(amount, rate);
    return { netOre: amount - vatOre, vatOre };
  });
  return {
    pricesIncludeVat: order.pricesIncludeVat,
    rows: priced.map((row, index) => ({
      rowNo: index + 1,
      vatRate: chargedRate(row),
      ...withGross(row),
    })),
    perRate: withGross(totalsOf(priced, 0n)),
    perRow: withGross(totalsOf(rowByRow, 0n)),
    totalOre,
    differenceOre,
  };
}

function withGross({ netOre, vatOre }: RowAmounts): GrossAmounts {
  return { netOre, vatOre, grossOre: netOre + vatOre };
}

function amountsForWire({ netOre, vatOre, grossOre }: GrossAmounts): Record<string, number> {
  return { net: oreToNumber(netOre), vat: oreToNumber(vatOre), gross: oreToNumber(grossOre) };
}
