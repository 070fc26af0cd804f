/**
 * What the database refuses, said as the contract says it. A named constraint or one of our own
 * SQLSTATEs becomes an error code here and nowhere else; what is not listed is our fault (500).
 */

import { encodePlace } from '../domain/basics/event-cursor.ts';
import { AppError } from '../lib/errors.ts';
import { explainDatabaseFault, tellsOfNoRoom } from './faults.ts';
import { databaseErrorOf } from './pool.ts';

const bySqlState: Record<string, (detail: string | undefined) => AppError> = {
  HB401: () => new AppError('unauthorized', 'API-nyckeln är okänd eller har gått ut.'),
  HB402: () => new AppError('key_revoked', 'API-nyckeln är återkallad av ägaren.'),
  HB403: () => new AppError('insufficient_scope', 'API-nyckeln saknar den behörighet som krävs.'),
  HB405: () => new AppError('forbidden', 'Din roll räcker inte till det här.'),
  HB409: (place) =>
    new AppError(
      'cursor_ahead',
      'Databasen har gått tillbaka till en tidigare tidpunkt, och cursor pekar på händelser som inte ' +
        'längre finns; jämför det ni har fått med bokföringen, och läs vidare från resume_cursor.',
      { detail: { resume_cursor: encodePlace(JSON.parse(place ?? '')) } },
    ),
  // Backstop: the HTTP edge names the field before text with NUL gets this far.
  '22021': () =>
    new AppError('invalid_request', 'Anropet innehåller ett tecken som inte kan lagras (NUL).'),
};

/** Of the file system, where we write ourselves: full, over its quota, failing or read only. */
const unwritable = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS']);

export function explainDatabaseError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const told = databaseErrorOf(error);
  const known = bySqlState[told?.code ?? ''];
  if (known) return known(told?.detail);
  return isUnavailable(error)
    ? new AppError('database_unavailable', sentenceOf(error), {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    : undefined;
}

const isFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)) || tellsOfNoRoom(error);

function sentenceOf(error: unknown): string {
  if (isFull(error)) {
    return 'Det finns ingen plats kvar på databasens disk, så inget kan sparas just nu; försök igen när den som sköter installationen har gjort plats.';
  }
  if (['25006', 'EROFS'].includes(codeOf(error))) {
    return 'Databasen går bara att läsa just nu, så inget kan sparas; försök igen strax.';
  }
  return 'Databasen svarar inte just nu; försök igen strax.';
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** The database is out of reach, or cannot do anything of the kind now: no call's own doing. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  // What a role may not do is for whoever wrote the call; everything else would be the same for all calls.
  return unwritable.has(code) || (code !== '42501' && explainDatabaseFault(error) !== undefined);
}

/** For routes that answer `db_error` when what they read cannot be read. */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Keys, connections and waits have answers of their own; what is left is unreadable data.
    throw (
      explainDatabaseError(error) ??
      new AppError('db_error', 'Siffrorna kunde inte läsas just nu; försök igen strax.', {
        cause: error,
      })
    );
  }
}
