/**
 * What a form sent, as names and texts. `rows[2].account` becomes an object in a list, a name that comes
 * several times becomes a list of texts; how deep and how many is limited, since anybody can send a form.
 */

import { AppError } from '../lib/errors.ts';
import { say } from '../lib/language.ts';
import { count } from './format.ts';

export type Field = string | readonly Field[] | { readonly [name: string]: Field };
export type Fields = { readonly [name: string]: Field };

const nameForm = /^[A-Za-z_]\w{0,60}(\[\d{1,4}\])?(\.[A-Za-z_]\w{0,60})?$/;
/** In all lists of a form together: more than anybody types. */
export const rowsMax = 1_000;
/** Every field of so many rows. */
export const fieldsMax = 10_000;
/**
 * Rows that nothing is in yet and that nothing was sent of. A browser sends every row of a form in order,
 * so a place far beyond them is made up: each row costs its part of a page, and must cost its sender too.
 */
const rowsSkippedMax = 50;

type Tree = { [name: string]: string | string[] | Tree[] };

/** Pairs that have been kept, in the order they came. What no form of ours has, or has room for, is left out. */
export const readFields = (pairs: Iterable<readonly [string, string]>): Fields =>
  treeOf(pairs).fields;

/** What a form sent. More than there is room for is refused as a whole: nobody knows what was left out. */
export function readSentFields(pairs: Iterable<readonly [string, string]>): Fields {
  const { fields, isWhole } = treeOf(pairs);
  if (isWhole) return fields;
  throw new AppError(
    'payload_too_large',
    say`Formuläret rymmer högst ${count(rowsMax)} rader. Inget är sparat: gå tillbaka, där allt du skrev står kvar, och dela upp det.`,
    { detail: { limit_rows: rowsMax, limit_fields: fieldsMax } },
  );
}

function treeOf(pairs: Iterable<readonly [string, string]>): { fields: Fields; isWhole: boolean } {
  const root: Tree = Object.create(null) as Tree;
  let count = 0;
  let rowsMade = 0;
  let isWhole = true;
  for (const [name, value] of pairs) {
    count += 1;
    if (count > fieldsMax) return { fields: root, isWhole: false };
    if (!nameForm.test(name)) continue;
    const [, list = '', index, part] = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+))?$/.exec(name) ?? [];
    if (index !== undefined && part !== undefined) {
      const there = root[list];
      const rows = isRows(there) ? there : [];
      const missing = Math.max(0, Number(index) + 1 - rows.length);
      if (rowsMade + missing > Math.min(rowsMax, rowsSkippedMax + count)) {
        isWhole = false;
        continue;
      }
      rowsMade += missing;
      for (let one = 0; one < missing; one += 1) rows.push(Object.create(null) as Tree);
      root[list] = rows;
      addTo(rows[Number(index)] as Tree, part, value);
    } else if (index === undefined && part === undefined) {
      addTo(root, list, value);
    }
  }
  return { fields: root, isWhole };
}

/** A list is all rows or all texts, so its first tells. */
const isRows = (value: Tree[string] | undefined): value is Tree[] =>
  Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');

function addTo(tree: Tree, name: string, value: string): void {
  const there = tree[name];
  if (there === undefined) tree[name] = value;
  else if (typeof there === 'string') tree[name] = [there, value];
  else if (!isRows(there) || there.length === 0) (there as string[]).push(value);
}

/** The other way: what a form with these fields would send. */
export function pairsOf(fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, value] as [string, string]];
    if (!Array.isArray(value)) return [];
    return value.flatMap((one: Field, index): [string, string][] =>
      typeof one === 'string'
        ? [[name, one]]
        : pairsOf(one as Fields).map(([part, text]) => [`${name}[${index}].${part}`, text]),
    );
  });
}

/** The one text sent under a name; empty when there is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && typeof value[0] === 'string' ? value[0] : '';
}

/** Every text sent under a name: the ticked boxes. */
export function textsOf(fields: Fields, name: string): string[] {
  const value = fields[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The rows of `name[0].part`, in order. */
export function rowsOf(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Fields => typeof one === 'object' && !Array.isArray(one));
}

export interface KeptForm {
  /** Where the form was sent. */
  readonly url: string;
  /** Its fields as JSON: `[["date","2026-03-31"],…]`. */
  readonly pairs: string;
}
