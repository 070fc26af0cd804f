/** What lists of registers share: the filter in the address, and the page they stand on. */
import { z } from 'zod';
import { isDate } from '../../domain/basics/dates.ts';
import { AppError } from '../../lib/errors.ts';
import { type Fields, textOf } from '../form-fields.ts';
import type { FormInput } from '../visit.ts';

export const pageRows = 50;

/** The address with these parameters; empty ones are left out. */
export function addressOf(path: string, parameters: Readonly<Record<string, string>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Where a page ended, as an opaque parameter of the next one's address. */
export const placeText = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The place in `?efter=…`; undefined on the first page. Throws 400 when it cannot be read. */
export function placeOf<Place>(query: Fields, schema: z.ZodType<Place>): Place | undefined {
  const given = textOf(query, 'efter');
  if (given === '') return undefined;
  const result = schema.safeParse(parsed(given));
  if (result.success) return result.data;
  throw new AppError('invalid_request', 'Sidan i listan finns inte; börja om från listans början.');
}

function parsed(given: string): unknown {
  try {
    return JSON.parse(Buffer.from(given, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const plainText = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u);
const calendarDay = z.string().refine(isDate);

/** By name, then id. */
export const namePlace = z.tuple([plainText, z.uuid()]).transform(([name, id]) => ({ name, id }));
/** By date, then id. */
export const dayPlace = z.tuple([calendarDay, z.uuid()]).transform(([date, id]) => ({ date, id }));
/** By a text alone. */
export const textPlace = z.tuple([plainText]).transform(([text]) => text);
/** A row of a voucher. */
export const rowPlace = z
  .tuple([
    calendarDay,
    plainText,
    z.int().min(1).max(2_147_483_647),
    z.int().min(1).max(2_147_483_647),
  ])
  .transform(([date, series, number, rowNo]) => ({ date, series, number, rowNo }));

export const shown = { aktiva: 'Aktiva', inaktiva: 'Inaktiva', alla: 'Alla' } as const;
export type Shown = keyof typeof shown;

/** `?q=…&visa=…`: what is searched for, and whether the active, the inactive or all are shown. */
export function registerFilterOf(query: Fields): {
  readonly search: string;
  readonly isActive: boolean | null;
  readonly show: Shown;
} {
  const search = searchOf(query);
  const given = textOf(query, 'visa');
  const show = Object.hasOwn(shown, given) ? (given as Shown) : 'aktiva';
  return { search, show, isActive: show === 'alla' ? null : show === 'aktiva' };
}

/** What is searched for, cut and cleaned: a search is never refused. */
export const searchOf = (query: Fields): string =>
  textOf(query, 'q')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 100);

/** The options of a select, with the chosen one marked. */
export const optionsOf = (labels: Readonly<Record<string, string>>, chosen: string) =>
  Object.entries(labels).map(([value, label]) => ({ value, label, isChosen: value === chosen }));

/** A page of at most `pageRows`, and the address of the next one. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  {
    path,
    parameters,
    placeOfRow,
    isFirst,
  }: {
    readonly path: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly placeOfRow: (row: Row) => readonly (string | number)[];
    readonly isFirst: boolean;
  },
): { rows: Row[]; pager: { next: string | null; first: string | null } } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const next =
    rows.length > limit && last !== undefined
      ? addressOf(path, { ...parameters, efter: placeText(placeOfRow(last)) })
      : null;
  return { rows: kept, pager: { next, first: isFirst ? null : addressOf(path, parameters) } };
}

/** A page of a register as the address asks for it, and what its template shows around the rows. */
export async function registerPageOf<Row, Place>(
  query: Fields,
  register: {
    readonly path: string;
    readonly placeSchema: z.ZodType<Place>;
    readonly placeOfRow: (row: Row) => readonly (string | number)[];
    readonly list: (
      filter: { readonly search: string; readonly isActive: boolean | null },
      place: Place | undefined,
    ) => Promise<readonly Row[]>;
  },
) {
  const { path, placeSchema, placeOfRow, list } = register;
  const { search, show, isActive } = registerFilterOf(query);
  const place = placeOf(query, placeSchema);
  const { rows, pager } = pageOf(await list({ search, isActive }, place), pageRows, {
    path,
    parameters: { q: search, visa: show === 'aktiva' ? '' : show },
    placeOfRow,
    isFirst: place === undefined,
  });
  const isFiltered = search !== '' || show !== 'aktiva' || place !== undefined;
  return { rows, around: { search, shown: optionsOf(shown, show), isFiltered, pager } };
}

/** Labels with their values; a dash where there is none. */
export const factsShown = (pairs: readonly (readonly [string, string | null])[]) =>
  pairs.map(([label, value]) => ({ label, value: value || '–' }));

/** What another system calls it, when one does. */
export const outsideFacts = (externalId: string | null): [string, string][] =>
  externalId === null ? [] : [['Kallas i andra system', externalId]];

/** A button's refusal beside a form that was not sent: its fields show what is stored. */
export const asStored = (input: FormInput): FormInput => ({ ...input, isSent: false });
