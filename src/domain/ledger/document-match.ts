/** Which voucher or supplier's invoice a document that waits belongs to. Ties are for people. */
import { isDate } from '../basics/dates.ts';
import type { Ore } from '../basics/money.ts';

/** A receipt and its voucher are of the same amount, and at most so many days apart. */
export const matchDays = 10;

/**
 * The one place that can be meant, or null: the only one of the document's own day, else the only one there
 * is. `rivals` are the days of other documents that wait, of the same amount and so near that they could be
 * meant as well.
 */
export function soleMatch<Place extends { readonly date: string }>(
  { date, rivals }: { readonly date: string; readonly rivals: readonly string[] },
  places: readonly Place[],
): Place | null {
  const sameDay = places.filter((place) => place.date === date);
  const [first = null, ...others] = sameDay.length > 0 ? sameDay : places;
  const isRivalled = sameDay.length > 0 ? rivals.includes(date) : rivals.length > 0;
  return others.length === 0 && !isRivalled ? first : null;
}

/** What is known of a document before anybody has looked. */
export interface DocumentFacts {
  readonly date: string | null;
  readonly amountOre: Ore | null;
}

/**
 * The day and the amount that a file's name tells, as scanners and people write them: `2026-03-14 Kvitto
 * 1 249,50 kr.pdf`, `20260314_1249.50.pdf`. What stands there twice, differently, is not told.
 */
export function factsOfName(fileName: string): DocumentFacts {
  const name = fileName.replace(/\.[A-Za-z]{3,4}$/, '');
  const days = [...name.matchAll(/(?<!\d)(20\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)/g)];
  const dates = days
    .map(([, year, , month, day]) => `${year}-${month}-${day}`)
    .filter((date) => isDate(date));
  const rest = days.reduce((text, [day]) => text.replace(day, '|'), name);
  const amounts = [
    ...rest.matchAll(/(?<![\d.,])(\d{1,3}(?:[ \u00a0]\d{3}){1,2}|\d{1,9})[.,](\d\d)(?![\d.,])/g),
  ].map(([, whole = '', ore = '']) => BigInt(whole.replace(/\D/g, '') + ore));
  const amount = sole(amounts);
  return { date: sole(dates), amountOre: amount !== null && amount > 0n ? amount : null };
}

function sole<Value>(values: readonly Value[]): Value | null {
  const [first = null, ...others] = new Set(values);
  return others.length === 0 ? first : null;
}
