/**
 * Money is a whole number of öre in a bigint; quantities and unit prices are bigints scaled by
 * 10 000 (suffix E4). No binary floating point takes part in any sum, rate or rounding: numbers
 * exist only at the edge, where JSON comes in (`parseDecimal`) and goes out (`oreToNumber`).
 */

/** One hundredth of a krona. Negative for credits and discounts. */
export type Ore = bigint;

/** The largest amount of one row and of one voucher: 9 999 999 999,99 kr. */
export const maxAmountOre: Ore = 999_999_999_999n;

/** A hundred per cent, in hundredths of a per cent. */
export const wholeE2 = 10_000n;

const exactBelow = 10 ** 15;
const decimalText = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** The smaller of two. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The larger of two. */
export const greatest = (one: bigint, other: bigint): bigint => (one > other ? one : other);

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

/**
 * `numerator / denominator` as a whole number, rounded half away from zero. The one rounding rule
 * of the product: Skatteverket rounds VAT mathematically (third decimal 5 goes up), and a credit
 * then mirrors its invoice to the öre.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const divisor = absolute(denominator);
  const rounded = (2n * absolute(numerator) + divisor) / (2n * divisor);
  return numerator < 0n === denominator < 0n ? rounded : -rounded;
}

/**
 * A JSON number as a bigint scaled by 10^scale, exactly as its shortest decimal text reads (the
 * text the sender wrote, for up to 15 digits). Null when it has more decimals than `scale`, is not
 * finite or is negative zero, which has no meaning as an amount.
 */
export function parseDecimal(value: number, scale: number): bigint | null {
  if (Object.is(value, -0)) return null;
  const scaled = Math.round(value * 10 ** scale);
  // Up to fifteen digits no two decimals are the same number, so one that this gives back is what was written.
  if (Math.abs(scaled) < exactBelow && scaled / 10 ** scale === value) return BigInt(scaled);
  const match = decimalText.exec(String(value));
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const shift = scale - fraction.length + Number(exponent);
  const power = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % power !== 0n) return null;
  const magnitude = shift < 0 ? digits / power : digits * power;
  return sign === '-' ? -magnitude : magnitude;
}

/** Öre (a number where they come as JSON) as kronor for JSON. Exact to the öre up to 15 digits. */
export function oreToNumber(ore: Ore | number): number {
  return Number(ore) / 100;
}

/** Hundredths of a per cent as per cent for JSON. */
export function e2ToNumber(percentE2: bigint): number {
  return Number(percentE2) / 100;
}

/** A quantity or unit price scaled by 10 000 as a number for JSON, exact up to 15 digits. */
export function e4ToNumber(valueE4: bigint): number {
  return Number(valueE4) / 10_000;
}

/**
 * Rounds the exact shares `shares[i] / denominator` to whole numbers that sum to `total`, by
 * largest remainder; on a tie the earlier row wins. Each part lies less than one from its exact
 * share, never changes sign, and turning every sign turns every part. `total` is the rounded sum of
 * the shares; anything further away is a fault of ours.
 */
export function apportion(total: bigint, shares: readonly bigint[], denominator: bigint): bigint[] {
  const divisor = absolute(denominator);
  const exact = denominator < 0n ? shares.map((share) => -share) : shares;
  const parts = exact.map((share) => share / divisor);
  const left = total - sum(parts);
  if (absolute(left) > BigInt(parts.length)) {
    throw new RangeError(`shares do not add up to ${total}: ${left} left over`);
  }
  const step = left < 0n ? -1n : 1n;
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: step * (share % divisor) }))
    .sort((a, b) => compare(b.remainder, a.remainder) || a.index - b.index);
  const rounded = new Set(byRemainder.slice(0, Number(absolute(left))).map(({ index }) => index));
  return parts.map((part, index) => (rounded.has(index) ? part + step : part));
}

/**
 * Divides `total` in proportion to `weights`; the parts sum to `total` exactly. Weights that cancel
 * out say nothing about proportions, so the total is then divided equally.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  const weight = sum(weights);
  if (weight === 0n) {
    const shares = weights.map(() => total);
    return apportion(total, shares, BigInt(weights.length || 1));
  }
  const shares = weights.map((one) => total * one);
  return apportion(total, shares, weight);
}

/**
 * Row amount in öre: quantity × unit price less the discount (hundredths of a per cent), rounded once
 * (BT-131 is rounded to two decimals).
 */
export function lineAmount(quantityE4: bigint, unitPriceE4: bigint, discountE2: bigint): Ore {
  return divideRounded(quantityE4 * unitPriceE4 * (wholeE2 - discountE2), 1_000_000n * wholeE2);
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Kronor as people and spreadsheets write them, `1 234,50 kr` or `-1234.5`, in öre; undefined when it is no amount. */
export function readKronor(text: string): Ore | undefined {
  const plain = text.replace(/[\s\u00a0\u202f]|kr$/g, '').replace(/^[−–]/, '-');
  const [, sign, whole = '', ore = ''] = /^(-?)(\d{1,10})(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (sign === undefined) return undefined;
  const amount = BigInt(whole + ore.padEnd(2, '0'));
  return amount > maxAmountOre ? undefined : sign === '' ? amount : -amount;
}
