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

type Agreement = 'agrees' | 'silent' | 'differs';

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
  const matches = new Map<string, Match>();
  const taken = new Set<string>();
  for (const agreement of ['agrees', 'silent'] as const) {
    const some = pairs.filter(
      (pair) =>
        pair.agreement === agreement && !taken.has(pair.voucher.id) && !matches.has(pair.row.id),
    );
    const ofRow = Map.groupBy(some, ({ row }) => row.id);
    const ofVoucher = Map.groupBy(some, ({ voucher }) => voucher.id);
    for (const { row, voucher, days } of some) {
      const isOnly = ofRow.get(row.id)?.length === 1 && ofVoucher.get(voucher.id)?.length === 1;
      if (!isOnly) continue;
      taken.add(voucher.id);
      const agrees = agreement === 'agrees';
      matches.set(row.id, {
        certainty: agrees && days <= sureDays ? 'exact' : 'likely',
        score: (agrees ? 97 : 70) - days,
        reasons: days === 0 || !agrees ? ['whole_amount', 'day_near'] : ['whole_amount'],
        target: { kind: 'voucher', voucherId: voucher.id },
      });
    }
    for (const [rowId, of] of ofRow) {
      if (of.length > 1 && !matches.has(rowId)) {
        matches.set(rowId, { certainty: 'none', reason: 'several_fit' });
      }
    }
  }
  return { matches, near: new Set(pairs.map(({ row }) => row.id)) };
}

/** Whether a number or a word stands in both; `silent` where one of them has none to compare. */
function agreementOf(payments: readonly PaymentMarks[], text: string): Agreement {
  const said = new Set([
    ...wordsOf(text),
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
  if (numbers.some((one) => said.has(one)) || words.some(isShared)) return 'agrees';
  return words.length === 0 || wordsOf(text).length === 0 ? 'silent' : 'differs';
}

/** When something was is not what it was: folded, and as people shorten them. */
const months = new Set(
  'januari jan februari feb mars mar april apr maj juni jun juli jul augusti aug september sep sept oktober okt november nov december dec'.split(
    ' ',
  ),
);

/** A word cut shorter could begin anything. */
const cutMin = 5;
