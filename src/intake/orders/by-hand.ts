/** An order as the rows of an invoice that a person writes, whatever was wrong with it. Pure. */

import { isObject } from '../../domain/basics/json-fields.ts';
import { divideRounded, type Ore, parseDecimal } from '../../domain/basics/money.ts';
import { isVatRate } from '../../domain/ledger/vat.ts';
import {
  type DraftRow,
  isDiscount,
  isUnit,
  priceRowsExcludingVat,
  totalsOf,
  type WrittenField,
} from '../../domain/sales/invoice.ts';

/** Prices are without VAT, in kronor. What could not be read is null, for the person to fill in. */
export type HandRow = {
  readonly [Field in Exclude<WrittenField, 'account'>]: DraftRow[Field] | null;
} & { readonly isGiftCard: boolean };

export interface HandOrder {
  readonly rows: readonly HandRow[];
  /** What is left of the order's total when the rows are priced; null when either cannot be told. */
  readonly differenceOre: Ore | null;
}

const rowsMax = 200;
/** A krona of a currency is this many ten-thousandths. */
const one = 10_000n;

/**
 * The rows of a body, prices made to kronor at `rateE4` ten-thousandths of a krona each (null: not
 * known, so no prices) and without VAT. A rate sent as a fraction is taken for the percentage meant.
 */
export function handOrder(body: unknown, rateE4: bigint | null): HandOrder {
  const order = isObject(body) ? body : {};
  const sent = Array.isArray(order['rows']) ? order['rows'].slice(0, rowsMax) : [];
  const rows = sent.map((row: unknown) =>
    handRow(isObject(row) ? row : {}, order['pricesIncludeVat'] === true, rateE4),
  );
  const totalE4 = numberE4(order['total']);
  if (totalE4 === null || rateE4 === null || rows.length === 0)
    return { rows, differenceOre: null };
  const priced = rows.flatMap(({ quantityE4, unitPriceE4, discountE2, vatRate }) =>
    quantityE4 === null || unitPriceE4 === null || discountE2 === null || vatRate === null
      ? []
      : { quantityE4, unitPriceE4, discountE2, vatRate },
  );
  if (priced.length < rows.length) return { rows, differenceOre: null };
  const totalOre = divideRounded(totalE4 * rateE4, one * 100n);
  return { rows, differenceOre: totalOre - totalsOf(priceRowsExcludingVat(priced), 0n).totalOre };
}

function handRow(
  row: Readonly<Record<string, unknown>>,
  includesVat: boolean,
  rateE4: bigint | null,
): HandRow {
  const percentE4 = numberE4(row['vatRate']);
  const meantE4 =
    percentE4 !== null && percentE4 > 0n && percentE4 < one ? percentE4 * 100n : percentE4;
  const percent = meantE4 === null ? null : Number(meantE4) / 10_000;
  const price = numberE4(row['unitPrice']);
  const withoutVat =
    price === null || !includesVat || meantE4 === null
      ? price
      : divideRounded(price * 100n * one, 100n * one + meantE4);
  return {
    articleNumber: text(row['articleNumber'], 100),
    description: text(row['description'], 500),
    quantityE4: numberE4(row['quantity']),
    unit: unitOf(row['unit']),
    unitPriceE4:
      withoutVat === null || rateE4 === null ? null : divideRounded(withoutVat * rateE4, one),
    discountE2: discountOf(row['discountPct']),
    vatRate: percent !== null && isVatRate(percent) ? percent : null,
    isGiftCard: row['giftCard'] === true && percent === 0,
  };
}

const unitOf = (value: unknown): string | null =>
  typeof value === 'string' && isUnit(value.trim()) ? value.trim() : null;

/** Null when it cannot be read: then nobody knows what the row comes to. */
function discountOf(value: unknown): bigint | null {
  if (value === undefined || value === null || value === '') return 0n;
  const percentE2 = typeof value === 'number' ? parseDecimal(value, 2) : null;
  return percentE2 !== null && isDiscount(percentE2) ? percentE2 : null;
}

const numberE4 = (value: unknown): bigint | null =>
  typeof value === 'number' && Number.isFinite(value) ? parseDecimal(value, 4) : null;

const text = (value: unknown, max: number): string | null =>
  typeof value === 'string' ? [...value.trim()].slice(0, max).join('') || null : null;
