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

/** The connection is lost or was never there: nothing is known but that this call was not answered. */
const unreachable = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // None of several servers may be written to.
  'HB_NO_SERVER',
]);

/**
 * PostgreSQL's SQLSTATEs (Appendix A of its manual) for a server that is there but cannot do it now. None is
 * the caller's doing, and the same call may succeed later; nothing of it is done.
 */
const exhausted = new Set([
  '25006', // read only: a standby that has not been promoted
  '53000', // no resources, of whatever kind
  '53100', // the disk is full
  '53200', // out of memory
  '53300', // too many connections
  '53400', // a configured limit
  '55P03', // a lock that was not had in time
  // A statement that waited too long, behind a lock or a full disk.
  '57014',
  '57P01', // the server is being stopped
  '57P02', // it has crashed
  '57P03', // it is starting
  '57P05', // the session idled too long
  '58000', // the system around it
  '58030', // reading or writing a file
]);

/** Of the file system, where we write ourselves: full, over its quota, failing or read only. */
const unwritable = new Set(['EDQUOT', 'EIO', 'ENOSPC', 'EROFS']);

/** PostgreSQL has no SQLSTATE for this one (XX000), nor have libraries that pass on what they were told. */
const noRoom = /Disk quota exceeded|No space left on device/;

const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|connection is closed/;

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
  ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error)) ||
  (error instanceof Error && noRoom.test(error.message));

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
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Class 08 is the connection's, as a server or a pooler between tells it.
  return (
    unreachable.has(code) ||
    exhausted.has(code) ||
    unwritable.has(code) ||
    /^08...$/.test(code) ||
    noRoom.test(error.message) ||
    lostConnection.test(error.message)
  );
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
