/** Rows that the books have already: a voucher on the account says the same. */
import { daysBetween } from '../../basics/dates.ts';
import type { PaymentMarks } from './marks.ts';
import { spelledOnce } from './marks.ts';
import type { Match, MatchVoucher } from './match.ts';
import { wordsOf } from './names.ts';

/** So many days a voucher may stand from the bank's day, and so many where it may be taken without a person. */
export const voucherDays = 14;
const sureDays = 7;

export interface RowOfVoucher {
  readonly id: string;
  readonly accountId: string;
  readonly day: string;
  readonly amountOre: bigint;
  readonly marks: readonly PaymentMarks[];
}

/** They speak of different things. */
const differs = -1;

/**
 * Vouchers by the rows that they book. `near` are rows that a voucher of the same amount stands beside, so that nothing of
 * theirs is booked once more without a person.
 */
export function matchVouchers(
  rows: readonly RowOfVoucher[],
  vouchers: readonly MatchVoucher[],
): { readonly matches: Map<string, Match>; readonly near: ReadonlySet<string> } {
  const byAmount = Map.groupBy(vouchers, ({ accountId, roomOre }) => `${accountId} ${roomOre}`);
  const pairs = rows.flatMap((row) =>
    (byAmount.get(`${row.accountId} ${row.amountOre}`) ?? [])
      .map((voucher) => ({
        row,
        voucher,
        days: Math.abs(daysBetween(voucher.day, row.day)),
        agreement: agreementOf(row.marks, voucher.text),
      }))
      .filter(({ days }) => days <= voucherDays),
  );
  const near = new Set(pairs.map(({ row }) => row.id));
  const matches = new Map<string, Match>();
  const taken = new Set<string>();
  const degrees = [...new Set(pairs.map(({ agreement }) => agreement))].filter((one) => one >= 0);
  // What has most in common first.
  for (const degree of degrees.sort((a, b) => b - a)) {
    const some = pairs.filter(
      ({ row, voucher, agreement }) =>
        agreement === degree && !taken.has(voucher.id) && !matches.has(row.id),
    );
    const ofRow = Map.groupBy(some, ({ row }) => row.id);
    const ofVoucher = Map.groupBy(some, ({ voucher }) => voucher.id);
    for (const { row, voucher, days } of some) {
      if (ofRow.get(row.id)?.length !== 1 || ofVoucher.get(voucher.id)?.length !== 1) {
        matches.set(row.id, { certainty: 'none', reason: 'several_fit' });
        continue;
      }
      taken.add(voucher.id);
      matches.set(row.id, {
        certainty: degree > 0 && days <= sureDays ? 'exact' : 'likely',
        score: (degree > 0 ? 97 : 70) - days,
        reasons: days === 0 || degree === 0 ? ['whole_amount', 'day_near'] : ['whole_amount'],
        target: { kind: 'voucher', voucherId: voucher.id },
      });
    }
  }
  return { matches, near };
}

/** How many words and numbers stand in both; 0 where nothing speaks against it, and `differs`. */
function agreementOf(payments: readonly PaymentMarks[], text: string): number {
  const saidWords = wordsOf(text);
  const said = new Set([
    ...saidWords,
    ...text
      .split(/[^\p{L}\p{N}/-]+/u)
      .map(spelledOnce)
      .filter((one) => /\d{3}/.test(one)),
  ]);
  const words = payments
    .flatMap(({ words, name }) => [...words, ...wordsOf(name ?? '')])
    .filter((one) => !months.has(one));
  const numbers = payments.flatMap((one) => [
    ...one.references,
    ...one.documents,
    ...[...one.numbers].filter((number) => !one.doubtful.has(number) && !/^20\d\d$/.test(number)),
  ]);
  const isShared = (one: string): boolean =>
    said.has(one) || (one.length >= cutMin && [...said].some((other) => other.startsWith(one)));
  const shared = new Set([...numbers.filter((one) => said.has(one)), ...words.filter(isShared)])
    .size;
  if (shared > 0 || words.length === 0 || saidWords.length === 0) return shared;
  // Lön and Löneutbetalning: not the same word, nor another.
  const isKin = words.some((one) =>
    saidWords.some((other) => one.startsWith(other) || other.startsWith(one)),
  );
  return isKin ? 0 : differs;
}

/** When something was is not what it was: folded, and as people shorten them. */
const months = new Set(
  'januari jan februari feb mars mar april apr maj juni jun juli jul augusti aug september sep sept oktober okt november nov december dec'.split(
    ' ',
  ),
);

/** A word cut shorter could begin anything. */
const cutMin = 5;
