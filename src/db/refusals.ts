/**
 * What the database refuses, as the contract has it. A named constraint or one of our own
 * SQLSTATEs becomes an error code here and nowhere else; what is not listed is our fault (500).
 */

import { encodePlace } from '../domain/basics/event-cursor.ts';
import { AppError, type Refusal, refuseWhole } from '../lib/errors.ts';
import { explainDatabaseFault, tellsOfNoRoom } from './faults.ts';
import { databaseErrorOf } from './pool.ts';

const bySqlState: Record<string, (detail: string | undefined) => Refusal> = {
  HB401: () => refuseWhole('unauthorized', 'unknown_key'),
  HB402: () => refuseWhole('key_revoked', 'key_revoked'),
  HB403: () => refuseWhole('insufficient_scope', 'scope_missing'),
  HB405: () => refuseWhole('forbidden', 'role_insufficient'),
  HB429: () =>
    refuseWhole('rate_limited', 'pdf_budget_spent', {}, { headers: { 'retry-after': '3600' } }),
  HB409: (place) => {
    const detail = { resume_cursor: encodePlace(JSON.parse(place ?? '')) };
    return refuseWhole('cursor_ahead', 'cursor_after_restore', {}, { detail });
  },
  // Backstop: the HTTP edge names the field before text with NUL gets this far.
  '22021': () => refuseWhole('invalid_request', 'nul_in_text'),
};

/** Of the file system, where we write ourselves: full, over its quota, failing or read only. */
const unwritable = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS']);

export function explainDatabaseError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const told = databaseErrorOf(error);
  const known = bySqlState[told?.code ?? ''];
  if (known) return known(told?.detail);
  if (!isUnavailable(error)) return undefined;
  const options = { headers: { 'retry-after': '5' }, cause: error };
  return refuseWhole('database_unavailable', reasonOf(error), {}, options);
}

/** A disk, ours or the database's, has no room left. */
export const isFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)) || tellsOfNoRoom(error);

function reasonOf(error: unknown): 'database_full' | 'database_read_only' | 'database_silent' {
  if (isFull(error)) return 'database_full';
  return ['25006', 'EROFS'].includes(codeOf(error)) ? 'database_read_only' : 'database_silent';
}

const codeOf = (error: unknown): string =>
  databaseErrorOf(error)?.code ??
  (error instanceof Error && 'code' in error ? String(error.code) : '');

/** The database is out of reach, or cannot do anything of the kind now: no call's own doing. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  // What a role may not do is for whoever wrote the call; everything else would be the same for all calls.
  return unwritable.has(code) || (code !== '42501' && explainDatabaseFault(error) !== undefined);
}

/**
 * A statement does not fit the schema (class 42, and a plan whose columns are others): one that waited for an upgrade's
 * locks goes on as it was before it. Asked anew it meets what the upgrade made.
 */
export const isOvertaken = (error: unknown): boolean =>
  /^(42(?!501)...|0A000)$/.test(databaseErrorOf(error)?.code ?? '');

/** For routes that answer `db_error` when what they read cannot be read. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Keys, connections and waits have answers of their own; what is left is unreadable data.
    throw (
      explainDatabaseError(error) ??
      refuseWhole('db_error', 'figures_unreadable', {}, { cause: error })
    );
  }
}
