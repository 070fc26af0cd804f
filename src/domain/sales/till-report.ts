/**
 * A till's Z report (Z-dagrapport, SKVFS 2014:9) as a program sends it: its form, and whether its own sums agree. All
 * of a day's receipts come as sums by VAT rate and by means of payment, which one voucher may document (BFL 5 kap. 6 §).
 */
import type { Fault } from '../../lib/errors.ts';
import { isDate } from '../basics/dates.ts';
import { isObject, JsonFields } from '../basics/json-fields.ts';
import { absolute, type Ore, sum } from '../basics/money.ts';
import { capProblems } from '../basics/problems.ts';
import { isVatRate, type VatRate, vatFromGross, vatRates } from '../ledger/vat.ts';

const rowsMax = 100;
export const tillIdMax = 100;
export const zNumberMax = 999_999_999_999;

/** What was sold, or brought back, at one rate; with VAT. */
export interface TillSales {
  readonly vatRate: VatRate;
  readonly amountOre: Ore;
  /** As the till has it; null when it does not say. */
  readonly vatOre: Ore | null;
}

export interface TillPayment {
  /** As the company names it, in lower case. */
  readonly method: string;
  /** Less what was paid back by it; below zero when that was more. */
  readonly amountOre: Ore;
}

/** Cash that came to the till (above zero) or left it otherwise than by sales. */
export interface TillMovement {
  /** What it was against, as the company names it with an account: `bank`. */
  readonly kind: string;
  readonly amountOre: Ore;
  readonly text: string | null;
}

export interface TillReport {
  readonly tillId: string;
  readonly zNumber: number;
  /** The voucher's day. */
  readonly date: string;
  /** How many receipts its sums are of; null when it does not say. */
  readonly receiptCount: number | null;
  readonly sales: readonly TillSales[];
  readonly returns: readonly TillSales[];
  readonly giftCardsSoldOre: Ore;
  readonly tipsOre: Ore;
  /** What cash payments were rounded by (lag 1970:1029): above zero when more was paid. */
  readonly roundingOre: Ore;
  readonly payments: readonly TillPayment[];
  readonly movements: readonly TillMovement[];
}

export type ParsedTillReport =
  | { readonly report: TillReport }
  | {
      readonly reason: 'invalid_report' | 'sums_differ';
      readonly problems: readonly Fault[];
    };

/** The number of a Z report, when it is one. */
export const zNumberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= zNumberMax
    ? value
    : null;

/** Reads anything JSON.parse can return as a report, or tells every fault at once. */
export function parseTillReport(json: unknown): ParsedTillReport {
  if (!isObject(json)) {
    const problem: Fault = { path: '', reason: 'wrong_type', params: { expected: 'till_report' } };
    return { reason: 'invalid_report', problems: [problem] };
  }
  const body = new JsonFields(json);
  // None is as good as an empty list: a till may have sold nothing at all.
  const list = (name: string): JsonFields[] => {
    const sent = json[name];
    const isNone = !body.has(name) || (Array.isArray(sent) && sent.length === 0);
    return isNone ? [] : body.objects(name, rowsMax);
  };
  const ifAny = (name: string): Ore => (body.has(name) ? body.notNegative(name, 2) : 0n);
  const report: TillReport = {
    tillId: body.text('tillId', tillIdMax).trim(),
    zNumber: countIn(body, 'zNumber'),
    date: body.date('date'),
    receiptCount: body.has('receiptCount') ? countIn(body, 'receiptCount') : null,
    sales: list('sales').map(readSales),
    returns: list('returns').map(readSales),
    giftCardsSoldOre: ifAny('giftCardsSold'),
    tipsOre: ifAny('tips'),
    roundingOre: body.has('rounding') ? body.decimal('rounding', 2) : 0n,
    payments: list('payments').map((payment) => ({
      method: payment.text('method', 50).trim().toLowerCase(),
      amountOre: payment.decimal('amount', 2),
    })),
    movements: list('movements').map((movement) => ({
      kind: movement.text('kind', 50).trim().toLowerCase(),
      amountOre: movement.decimal('amount', 2),
      text: movement.optionalText('text', 200),
    })),
  };
  if (body.has('currency') && body.text('currency', 10) !== 'SEK') {
    body.refuse('currency', { reason: 'till_in_other_currency' });
  }
  if (body.problems.length > 0) {
    return { reason: 'invalid_report', problems: capProblems(body.problems) };
  }
  const problems = sumProblems(report);
  return problems.length > 0 ? { reason: 'sums_differ', problems } : { report };
}

function countIn(body: JsonFields, name: string): number {
  const before = body.problems.length;
  const count = body.number(name);
  if (body.problems.length === before && zNumberOf(count) === null) {
    body.refuse(name, { reason: 'not_a_count' });
  }
  return count;
}

function readSales(row: JsonFields): TillSales {
  const before = row.problems.length;
  const rate = row.number('vatRate');
  const vatRate = isVatRate(rate) ? rate : 0;
  if (row.problems.length === before && !isVatRate(rate)) {
    const meant = vatRates.find((one) => one > 0 && one / 100 === rate) ?? null;
    const params = { rate, meant };
    row.refuse('vatRate', { reason: 'vat_rate_not_supported', params });
  }
  return {
    vatRate,
    amountOre: row.notNegative('amount', 2),
    vatOre: row.has('vat') ? row.notNegative('vat', 2) : null,
  };
}

/** Öre sold at a rate, less returns; with VAT, and the VAT it contains: gross × r / (100 + r). */
export interface TillRateSum {
  readonly vatRate: VatRate;
  readonly grossOre: Ore;
  readonly vatOre: Ore;
}

/** By rate, the highest first; those of nothing left out. */
export function tillRateSums({ sales, returns }: TillReport): TillRateSum[] {
  return vatRates.flatMap((vatRate) => {
    const of = (rows: readonly TillSales[]): Ore =>
      sum(rows.filter((row) => row.vatRate === vatRate).map(({ amountOre }) => amountOre));
    const grossOre = of(sales) - of(returns);
    const isNone = ![...sales, ...returns].some((row) => row.vatRate === vatRate);
    return isNone ? [] : { vatRate, grossOre, vatOre: vatFromGross(grossOre, vatRate) };
  });
}

/** What customers have paid for: sales less returns, gift cards and tips, as rounded. */
export const tillTotal = (report: TillReport): Ore =>
  sum(tillRateSums(report).map(({ grossOre }) => grossOre)) +
  report.giftCardsSoldOre +
  report.tipsOre +
  report.roundingOre;

/** In öre: to the nearest krona. */
const roundingOreMax = 50n;

/**
 * Where the report's own sums differ. By rate and by means they come to the same to the öre. A cash payment is rounded
 * by half a krona at most, and the VAT of a receipt by half an öre: so many times as there are receipts, when it says.
 */
function sumProblems(report: TillReport): Fault[] {
  const problems: Fault[] = [];
  const soldOre = tillTotal(report);
  const paidOre = sum(report.payments.map(({ amountOre }) => amountOre));
  if (soldOre !== paidOre) {
    const params = { soldOre, paidOre, differenceOre: paidOre - soldOre };
    problems.push({ path: 'payments', reason: 'till_sums_differ', params });
  }
  const { receiptCount, roundingOre } = report;
  if (receiptCount !== null && absolute(roundingOre) > roundingOreMax * BigInt(receiptCount)) {
    const params = { roundingOre, mostOre: roundingOreMax * BigInt(receiptCount) };
    problems.push({ path: 'rounding', reason: 'till_rounding_too_large', params });
  }
  for (const { vatRate, vatOre } of tillRateSums(report)) {
    const told = toldVat(report, vatRate);
    if (told === null) continue;
    if (2n * absolute(told - vatOre) <= BigInt(receiptCount ?? 0)) continue;
    const params = { rate: vatRate, toldOre: told, vatOre };
    problems.push({ path: 'sales', reason: 'till_vat_differs', params });
  }
  return problems;
}

/** What the till says of VAT at a rate; null when it does not say it of all its sums. */
function toldVat({ sales, returns }: TillReport, vatRate: VatRate): Ore | null {
  let totalOre = 0n;
  for (const [rows, sign] of [
    [sales, 1n],
    [returns, -1n],
  ] as const) {
    for (const row of rows.filter((one) => one.vatRate === vatRate)) {
      if (row.vatOre === null) return null;
      totalOre += sign * row.vatOre;
    }
  }
  return totalOre;
}

/** Whose report it is, as it came and as far as it can be read; each null when it cannot. */
export function tillReportNames(json: unknown): {
  readonly tillId: string | null;
  readonly zNumber: number | null;
  readonly date: string | null;
} {
  const body = isObject(json) ? json : {};
  const { tillId, date } = body;
  const isNamed =
    typeof tillId === 'string' &&
    tillId.trim() !== '' &&
    [...tillId].length <= tillIdMax &&
    tillId.isWellFormed() &&
    !tillId.includes('\0');
  return {
    tillId: isNamed ? tillId : null,
    zNumber: zNumberOf(body['zNumber']),
    date: typeof date === 'string' && isDate(date) ? date : null,
  };
}
