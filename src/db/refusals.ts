/**
 * What the database refuses, said as the contract says it. A named constraint or one of our own
 * SQLSTATEs becomes an error code here and nowhere else; what is not listed is our fault (500).
 */
import { AppError } from '../errors.ts';
import { encodePlace } from '../events/cursor.ts';
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

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  // None of several servers may be written to; or the one there is no longer may.
  'HB_NO_SERVER',
  '25006',
  '08000',
  '08003',
  '08006',
  '53300',
  // A statement that waited too long, behind a lock or a full disk: the same call may succeed later.
  '57014',
  '57P01',
  '57P02',
  '57P03',
]);

const lostConnection = /Connection terminated|timeout exceeded when trying to connect/;

export function explainDatabaseError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const told = databaseErrorOf(error);
  const known = bySqlState[told?.code ?? ''];
  if (known) return known(told?.detail);
  return isUnreachable(error)
    ? new AppError('database_unavailable', 'Databasen svarar inte just nu; försök igen strax.', {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    : undefined;
}

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return unreachable.has(code) || lostConnection.test(error.message);
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
