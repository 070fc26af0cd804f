/**
 * What may be wrong with a database that is to be worked with, as one sentence with the way out. Commands
 * say it and end; a part of the service waits while what is wrong may pass by itself, and ends when it
 * never will; HTTP answers that the database is unavailable. What is not in this list is our own fault.
 */
import { parseDatabaseUrl } from '../config/database-url.ts';
import { databaseErrorOf } from './pool.ts';

export interface DatabaseFault {
  /** Swedish, complete, and without the password. */
  readonly message: string;
  /** Whether the same attempt may succeed later without anybody touching this process's settings. */
  readonly passes: boolean;
}

/** Who asks what where, for the sentence. */
interface Target {
  readonly user: string;
  readonly host: string;
  readonly database: string;
}

type Say = (target: Target, words: string) => string;

const start = 'kontrollera att PostgreSQL är igång och att DATABASE_URL pekar rätt';
const unreachable: Say = ({ host }, words) => `Databasen på ${host} nås inte (${words}): ${start}.`;
const busy: Say = ({ host }) =>
  `Databasen på ${host} startar, stannar eller har brutit anslutningen: ${start}.`;
const full: Say = ({ host }) =>
  `Disken hos databasen på ${host} är full: frigör plats eller utöka den.`;
const untrusted: Say = ({ host }, words) =>
  `Certifikatet hos databasen på ${host} godtas inte (${words}): ange dess utfärdare med sslrootcert i DATABASE_URL, eller rätta certifikatet.`;

/** Certificates whose issuer is known, and that say something else than they should. */
const mistaken: Readonly<Record<string, Say>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: ({ host }) =>
    `Certifikatet hos databasen på ${host} godtas inte, för det är utfärdat för ett annat namn: skriv namnet som står i det som värd i DATABASE_URL, eller ge databasen ett certifikat för det här.`,
  CERT_HAS_EXPIRED: ({ host }) =>
    `Certifikatet hos databasen på ${host} godtas inte, för det har gått ut: förnya det där, och låt PostgreSQL läsa in det (pg_reload_conf).`,
  CERT_NOT_YET_VALID: ({ host }) =>
    `Certifikatet hos databasen på ${host} godtas inte, för det gäller inte än: kontrollera klockorna här och där, och när det utfärdades.`,
};
const noPassword: Say = ({ user }) =>
  `DATABASE_URL saknar lösenordet för ${user}: ange postgres://${user}:lösenord@värd:5432/databas.`;

const openFiles: Say = (_target, words) =>
  `Processen har för många filer och anslutningar öppna (${words}): höj gränsen med ulimit -n.`;

/** By Node's error codes, and PostgreSQL's SQLSTATE (Appendix A of its manual). */
const passing: Readonly<Record<string, Say>> = {
  ECONNABORTED: unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTDOWN: unreachable,
  EHOSTUNREACH: unreachable,
  EMFILE: openFiles,
  ENETDOWN: unreachable,
  ENETUNREACH: unreachable,
  ENFILE: openFiles,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  EAI_AGAIN: unreachable,
  HB_NO_SERVER: (_, words) =>
    `Ingen server i DATABASE_URL kan användas nu (${words}): starta den primära, eller befordra en standby.`,
  ENOTFOUND: ({ host }) =>
    `Datorn ${host} i DATABASE_URL hittas inte på nätet: rätta namnet, eller starta den.`,
  // After a failover the same address may be the primary.
  '25006': ({ host }) =>
    `Databasen på ${host} tar bara emot läsning. Är den en standby: peka DATABASE_URL på den som tar emot skrivning. Går den tillbaka till en tidpunkt och står still där: kör select pg_wal_replay_resume() i den, och huvudbok backup restored innan något startas.`,
  '53000': full,
  '53100': full,
  '53200': ({ host }) => `Minnet hos databasen på ${host} räcker inte: ge den mer.`,
  '53300': ({ host }) =>
    `Databasen på ${host} har inga lediga anslutningar: höj max_connections, eller kör färre processer.`,
  '53400': ({ host }) => `Databasen på ${host} har nått en gräns i sina inställningar: höj den.`,
  '55P03': ({ database }) =>
    `Databasen ${database} är låst av något annat som pågår: försök igen när det är klart.`,
  // A statement that waited too long, behind a lock or a full disk.
  '57014': ({ database }) =>
    `Databasen ${database} svarade inte i tid: försök igen, och se efter vad som håller den upptagen.`,
  '57P01': busy,
  '57P02': busy,
  '57P03': busy,
  '57P05': busy,
  '58000': ({ host }, words) =>
    `Systemet kring databasen på ${host} svarar med fel (${words}): laga det.`,
  '58030': ({ host }, words) =>
    `Databasen på ${host} kommer inte åt sina filer (${words}): se till att disken är hel och går att skriva på, och att filerna är serverns egna.`,
};

const lasting: Readonly<Record<string, Say>> = {
  '28P01': ({ user, host }) =>
    `Lösenordet för ${user} på ${host} stämmer inte, eller så finns inte inloggningen: rätta DATABASE_URL.`,
  '28000': ({ user, host }, words) =>
    `Databasen på ${host} släpper inte in ${user} (${words}): rätta DATABASE_URL eller serverns pg_hba.conf.`,
  '3D000': ({ user, host, database }) =>
    `Databasen ${database} finns inte på ${host}: rätta DATABASE_URL, eller skapa den med createdb -O ${user} ${database}.`,
  '42501': ({ user, database }, words) =>
    `${user}, eller en av programmets roller, saknar en behörighet i databasen ${database} (${words}): DATABASE_URL ska ha inloggningen som äger databasen och får skapa roller, och huvudbok migrate ger rollerna deras.`,
  '08P01': ({ host }, words) =>
    `Servern på ${host} kan inte användas som PostgreSQL (${words}): rätta DATABASE_URL.`,
  EPROTO: ({ host }, words) =>
    `Servern på ${host} talar inte TLS som vi (${words}): rätta DATABASE_URL eller serverns certifikat.`,
};

/**
 * PostgreSQL has no SQLSTATE for these (XX000), nor have libraries that pass on what they were told. The init file is
 * what a new connection writes, and where there is no room none comes in.
 */
export const noRoom =
  /Check free disk space|Disk quota exceeded|No space left on device|could not write init file/;

export const tellsOfNoRoom = (error: unknown): boolean =>
  error instanceof Error && noRoom.test(error.message);

/** Where neither has a code, the words tell. */
const byWords: readonly (readonly [RegExp, Say, boolean])[] = [
  [
    /Connection terminated|timeout expired|timeout exceeded when trying|Client has encountered a connection error|connection is closed/,
    unreachable,
    true,
  ],
  [noRoom, full, true],
  // SQLSTATE 55000, as of much else: how an operator keeps everybody out for a while.
  [
    /^database ".*" is not currently accepting connections$/,
    ({ host, database }) =>
      `Databasen ${database} på ${host} är stängd för anslutningar: öppna den med alter database ${database} allow_connections true.`,
    true,
  ],
  [/client password must be a string/, noPassword, false],
  [
    /server does not support SSL/,
    ({ host }) =>
      `Databasen på ${host} tar inte emot TLS, som DATABASE_URL kräver: slå på ssl i servern, eller ta bort sslmode.`,
    false,
  ],
  [
    /^received invalid response: /,
    ({ host }, words) =>
      `På ${host} svarar något annat än PostgreSQL (${words}): rätta värd och port i DATABASE_URL.`,
    false,
  ],
];

/** What OpenSSL says of a certificate that it does not believe. */
const certificates = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** The same of the embedded database, which has a folder and no address that anybody chose. */
type SayOfFolder = (folder: string, words: string) => string;

const restarted: SayOfFolder = (folder, words) =>
  `PostgreSQL i ${folder} svarar inte (${words}). Den startas igen av sig själv; dröjer det, se efter att disken har plats och läs postgresql.log där.`;
const ofFolder: ReadonlyMap<Say, SayOfFolder> = new Map([
  [unreachable, restarted],
  [busy, restarted],
  [full, (folder) => `Disken där ${folder} ligger är full: frigör plats eller utöka den.`],
]);
/** What gives a folder back that lacks some of its files. */
export const wayBack =
  'återställ mappen hel, eller den senaste säkerhetskopian i en ny mapp (DATA_DIR=… huvudbok restore <fil>)';
/** A server whose own passwords, or database, are not there has had its folder restored by halves. */
export const halved: SayOfFolder = (folder, words) =>
  `PostgreSQL i ${folder} släpper inte in Huvudbok (${words}): ${wayBack}.`;

/**
 * What is wrong with the database at `url`, or with the embedded one of the DATA_DIR `folder`; undefined when the error
 * is about something else.
 */
export function explainDatabaseFault(
  error: unknown,
  url = '',
  folder?: string,
): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = databaseErrorOf(error)?.code ?? ('code' in error ? String(error.code) : '');
  const words = error.message.trim() || code;
  const say = (sentence: Say, passes: boolean) => {
    const embedded = ofFolder.get(sentence) ?? (passes ? undefined : halved);
    return {
      message: folder && embedded ? embedded(folder, words) : sentence(targetOf(url), words),
      passes,
    };
  };
  // Class 08 is the connection's, as a server or a pooler between tells it.
  const known = passing[code] ?? lasting[code] ?? (/^08...$/.test(code) ? unreachable : undefined);
  if (known) return say(known, known !== lasting[code]);
  if (certificates.test(code)) return say(mistaken[code] ?? untrusted, false);
  // A socket that is not there yet.
  if (code === 'ENOENT' && (!('syscall' in error) || error.syscall === 'connect')) {
    return say(unreachable, true);
  }
  const [, sentence, passes] = byWords.find(([pattern]) => pattern.test(error.message)) ?? [];
  return sentence && say(sentence, passes === true);
}

const unclear: Target = { user: 'inloggningen', database: 'i DATABASE_URL', host: 'DATABASE_URL' };

function targetOf(url: string): Target {
  try {
    const { servers, user, database } = parseDatabaseUrl(url);
    const host = servers.map((server) => `${server.host}:${server.port}`).join(', ');
    // The rest of a password that was not encoded would be read as a name.
    return /[@/:]/.test(database) ? unclear : { user, database, host };
  } catch {
    return unclear;
  }
}
