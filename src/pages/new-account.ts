/** An account that a form with rows lacks: made in the chart of accounts, and there when one is back. */
import { type Fields, rowsOf, textOf } from './form-fields.ts';
import type { Goto } from './visit.ts';

/**
 * The way to a new account for the row that has one which is unknown, or else the first that has none. `from`
 * is where the form goes on.
 */
export function askForAccount(
  fields: Fields,
  known: readonly { readonly number: number }[],
  from: string,
): Goto {
  const numbers = new Set(known.map(({ number }) => String(number)));
  const rows = rowsOf(fields, 'rows').map((row) => ({
    account: textOf(row, 'account').trim(),
    isTyped: Object.values(row).some((value) => typeof value === 'string' && value.trim() !== ''),
  }));
  const unknown = rows.findIndex(({ account }) => account && !numbers.has(account.slice(0, 4)));
  const without = rows.findIndex(({ account, isTyped }) => isTyped && account === '');
  const blank = rows.findIndex(({ account }) => account === '');
  const place = [unknown, without, blank].find((index) => index >= 0) ?? rows.length;
  const [number] = /^\d{4}/.exec(rows[unknown]?.account ?? '') ?? [];
  const to = number === undefined ? '/kontoplan/nytt' : `/kontoplan/nytt?nummer=${number}`;
  return { to, asks: { from, field: `rows[${place}].account` } };
}
