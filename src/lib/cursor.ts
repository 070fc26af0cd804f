/**
 * Where a page of a list ended. Opaque to callers and bound to the filters it was made with, so that it cannot quietly
 * continue another list.
 */
import { createHash } from 'node:crypto';
import { faultOf, refuse } from './errors.ts';

const fingerprint = (filters: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(filters)).digest('base64url').slice(0, 12);

export const encodePlace = (filters: readonly unknown[], place: readonly unknown[]): string =>
  Buffer.from(JSON.stringify([fingerprint(filters), ...place])).toString('base64url');

/** Throws 400 of a cursor that cannot be read, or was made with other filters. */
export function decodePlace<Place extends readonly unknown[]>(
  filters: readonly unknown[],
  cursor: string,
  isPlace: (parts: readonly unknown[]) => parts is Place,
): Place {
  const parts = parse(cursor);
  const [made, ...place] = Array.isArray(parts) ? parts : [];
  if (!isPlace(place)) throw refuseCursor('unreadable_cursor');
  if (made !== fingerprint(filters)) throw refuseCursor('foreign_cursor');
  return place;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const refuseCursor = (reason: 'foreign_cursor' | 'unreadable_cursor') =>
  refuse('invalid_request', [faultOf('cursor', reason)]);
