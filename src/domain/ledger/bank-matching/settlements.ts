/** Payouts of providers (cards, Swish, invoices on account), which have said what is in them before the bank's row comes. */
import { daysBetween } from '../../basics/dates.ts';
import { spelledOnce } from './marks.ts';
import type { Match, MatchSettlement } from './match.ts';
import { wordsOf } from './names.ts';
import type { RowOfVoucher } from './vouchers.ts';

/** A payout comes some days after it is said, or before the provider tells of it. */
const daysBefore = 7;
const daysAfter = 14;
/** A shorter number in a text can be anything. */
const numberMin = 5;

type RowOfPayout = RowOfVoucher & { readonly accountKind: string };

/** From the surest to the weakest. */
const degrees = ['settlement_number', 'provider_name', 'only_amount'] as const;
type Degree = (typeof degrees)[number];
const scores = { settlement_number: 98, provider_name: 85, only_amount: 40 } as const;

/**
 * By row, of those that the amount and the days let be a payout. Exact is a row that names it, and where nothing else can
 * be meant; of rows or payouts that fit equally well none is held for the other.
 */
export function matchSettlements(
  rows: readonly RowOfPayout[],
  settlements: readonly MatchSettlement[],
  isAsked: (degree: Degree) => boolean,
): ReadonlyMap<string, Match> {
  const byAmount = Map.groupBy(settlements, ({ amountOre }) => amountOre);
  const pairs = rows
    .filter(({ accountKind }) => accountKind === 'bank')
    .flatMap((row) =>
      (byAmount.get(row.amountOre) ?? [])
        .filter((one) => isNear(row.day, one.day))
        .map((settlement) => ({ row, settlement, degree: degreeOf(row, settlement) })),
    );
  const matches = new Map<string, Match>();
  const taken = new Set<string>();
  for (const degree of degrees.filter(isAsked)) {
    const some = pairs.filter(
      (pair) =>
        pair.degree === degree && !matches.has(pair.row.id) && !taken.has(pair.settlement.id),
    );
    const ofRow = Map.groupBy(some, ({ row }) => row.id);
    const ofSettlement = Map.groupBy(some, ({ settlement }) => settlement.id);
    for (const { row, settlement } of some) {
      const isOne =
        ofRow.get(row.id)?.length === 1 && ofSettlement.get(settlement.id)?.length === 1;
      taken.add(settlement.id);
      matches.set(
        row.id,
        isOne
          ? {
              certainty: degree === 'settlement_number' ? 'exact' : 'likely',
              score: scores[degree],
              reasons: degree === 'only_amount' ? [degree] : [degree, 'whole_amount'],
              target: {
                kind: 'settlement',
                settlementId: settlement.id,
                account: settlement.account,
              },
            }
          : { certainty: 'none', reason: 'several_fit' },
      );
    }
  }
  return matches;
}

function isNear(day: string, said: string): boolean {
  const days = daysBetween(said, day);
  return days >= -daysBefore && days <= daysAfter;
}

function degreeOf(
  { marks }: RowOfPayout,
  { number, reference, provider }: MatchSettlement,
): Degree {
  const names = [reference, number].filter((one) => one !== null).map(spelledOnce);
  const isNamed = marks.some((one) => {
    const text = spelledOnce(one.text);
    const said = [...one.references, ...one.endToEndIds.map(spelledOnce), ...one.numbers];
    return names.some(
      (name) => said.includes(name) || (name.length >= numberMin && text.includes(name)),
    );
  });
  if (isNamed) return 'settlement_number';
  const words = new Set(wordsOf(provider));
  const isProviders = marks.some((one) =>
    [...one.words, ...wordsOf(one.name ?? '')].some((word) => words.has(word)),
  );
  return isProviders ? 'provider_name' : 'only_amount';
}
