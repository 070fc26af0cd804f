/** Pages of what is listed by day: where one ended, opaque to callers, and bound to what was asked for. */
import { createHash } from 'node:crypto';
import { isDate } from '../domain/basics/dates.ts';
import { faultOf, refuse } from '../lib/errors.ts';

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A place in the list: what comes after it. */
export interface DayPlace {
  readonly date: string;
  readonly id: string;
}

/** What was asked for, but for where the page begins and how long it is; in one order whatever the call's. */
export type DayFilter = Readonly<Record<string, unknown>>;

const fingerprint = (filter: DayFilter): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url')
    .slice(0, 12);

export const encodePlace = (filter: DayFilter, { date, id }: DayPlace): string =>
  Buffer.from(JSON.stringify([fingerprint(filter), date, id])).toString('base64url');

/** Throws 400 of a cursor that cannot be read, or was made with other filters. */
export function decodePlace(filter: DayFilter, cursor: string): DayPlace {
  const parts = parse(cursor);
  const [made, date, id] = Array.isArray(parts) ? parts : [];
  const isPlace =
    typeof date === 'string' && isDate(date) && typeof id === 'string' && idForm.test(id);
  if (!isPlace) throw refuse('invalid_request', [faultOf('cursor', 'unreadable_cursor')]);
  if (made !== fingerprint(filter)) {
    throw refuse('invalid_request', [faultOf('cursor', 'foreign_cursor')]);
  }
  return { date, id };
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Throws 400 of days that are the wrong way round. */
export function requireOrder(from: string | undefined, to: string | undefined): void {
  if (from === undefined || to === undefined || from <= to) return;
  const message = `from (${from}) ligger efter to (${to}); byt plats på dem.`;
  throw refuse('invalid_request', [{ path: 'from', reason: 'after_to', message }]);
}
