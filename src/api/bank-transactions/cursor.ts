/** Where a page of bank rows ended: opaque to callers, and bound to what was asked for. */
import { createHash } from 'node:crypto';
import type { BankRowPlace, BankRowQuery } from '../../bank/statements/posted-store.ts';
import { isDate } from '../../domain/basics/dates.ts';
import { faultOf, refuse } from '../../lib/errors.ts';

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const fingerprint = ({ account, iban, from, to, matched }: BankRowQuery): string =>
  createHash('sha256')
    .update(JSON.stringify([account, iban, from, to, matched]))
    .digest('base64url')
    .slice(0, 12);

export const encodePlace = (query: BankRowQuery, { date, id }: BankRowPlace): string =>
  Buffer.from(JSON.stringify([fingerprint(query), date, id])).toString('base64url');

/** Throws 400 of a cursor that cannot be read, or was made with other filters. */
export function decodePlace(query: BankRowQuery, cursor: string): BankRowPlace {
  const parts = parse(cursor);
  const [made, date, id] = Array.isArray(parts) ? parts : [];
  const isPlace =
    typeof date === 'string' && isDate(date) && typeof id === 'string' && idForm.test(id);
  if (!isPlace) throw refuse('invalid_request', [faultOf('cursor', 'unreadable_cursor')]);
  if (made !== fingerprint(query)) {
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
