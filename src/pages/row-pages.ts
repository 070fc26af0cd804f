/** Long lists of rows a part at a time: a voucher from a program may have ten thousand, and a page is for reading. */

import { AppError } from '../lib/errors.ts';
import { say } from '../lib/language.ts';
import { rowsMax, textOf } from './form-fields.ts';
import { count } from './format.ts';
import type { Visit } from './visit.ts';

const rowsPerPage = 500;

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Null when all of them are shown; as the partial `row-pages` has it. */
  readonly pages: {
    readonly words: string;
    readonly earlier: string | null;
    readonly later: string | null;
  } | null;
}

/** The part of the rows that `?rad=501` of the address begins with; at most so many at once. */
export function pageOfRows<Row>(
  all: readonly Row[],
  { path, query }: Pick<Visit<unknown>, 'path' | 'query'>,
): RowPage<Row> {
  if (all.length <= rowsPerPage) return { rows: all, pages: null };
  const asked = Number(/^\d{1,6}$/.exec(textOf(query, 'rad'))?.[0] ?? 1) - 1;
  const last = Math.floor((all.length - 1) / rowsPerPage);
  const page = Math.min(Math.max(0, Math.floor(asked / rowsPerPage)), last);
  const from = page * rowsPerPage;
  const rows = all.slice(from, from + rowsPerPage);
  const addressOf = (start: number) => `${path}?rad=${start + 1}`;
  return {
    rows,
    pages: {
      words: say`Rad ${count(from + 1)}–${count(from + rows.length)} av ${count(all.length)}.`,
      earlier: page > 0 ? addressOf(from - rowsPerPage) : null,
      later: page < last ? addressOf(from + rowsPerPage) : null,
    },
  };
}

/** The first of many, where there is nothing to turn to, and what to say of those that are left out. */
export function firstRows<Row>(all: readonly Row[]): {
  readonly rows: readonly Row[];
  readonly more: string | null;
} {
  const more = all.length - rowsPerPage;
  return {
    rows: all.slice(0, rowsPerPage),
    more: more > 0 ? say`Och ${count(more)} rader till, som inte visas här.` : null,
  };
}

export const fitsInForm = (amount: number): boolean => amount <= rowsMax;

/** Refuses to put more rows into a form than it can send; `what` begins the sentence: `Verifikatet`. */
export function requireFormRoom(amount: number, what: string): void {
  if (fitsInForm(amount)) return;
  throw new AppError(
    'unprocessable',
    say`${what} har ${count(amount)} rader, och ett formulär rymmer ${count(rowsMax)}. Gör det genom API:t, eller i flera delar.`,
  );
}
