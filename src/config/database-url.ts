/**
 * Reads DATABASE_URL, as libpq reads a connection URI. Neither `new URL` nor pg reads several hosts, and
 * pg 8 takes `require` and `verify-ca` for `verify-full` and warns of each; so this is the one place that
 * reads the address, for every connection there is.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import { OperatorError } from '../lib/operator-error.ts';

/** One server: a name, an address, or (beginning with a slash) the folder of a socket. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const sessionAttributes = ['any', 'read-write', 'primary'] as const;
const channelBindings = ['disable', 'prefer', 'require'] as const;

export interface TlsSettings {
  /** `prefer` goes on in the clear with a server that has no TLS; only `verify-…` know whom they speak to. */
  readonly mode: (typeof sslModes)[number];
  /** A file of certificates, or `system`. */
  readonly rootCert: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly password: string | undefined;
}

export interface ConnectionSettings {
  readonly servers: readonly [Server, ...Server[]];
  readonly user: string;
  /** Undefined without one: peer, certificate or trust. */
  readonly password: string | undefined;
  readonly database: string;
  /** Undefined when the address does not say. */
  readonly tls: TlsSettings | undefined;
  /** What a server must be to be used. */
  readonly target: (typeof sessionAttributes)[number];
  readonly applicationName: string | undefined;
  readonly connectTimeoutMs: number;
  readonly options: string | undefined;
  readonly channelBinding: (typeof channelBindings)[number];
}

const parameters = [
  'host',
  'port',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'target_session_attrs',
  'application_name',
  'connect_timeout',
  'options',
  'channel_binding',
] as const;
type Parameter = (typeof parameters)[number];

const defaultPort = 5432;
const connectTimeoutMs = 5_000;

/** A part of the address that cannot be meant, in Swedish and without anything secret. */
export class UrlFault extends OperatorError {
  readonly fault: string;

  constructor(fault: string) {
    super(`DATABASE_URL: ${fault}.`);
    this.fault = fault;
  }
}

const encodeThem = 'tecken som @ : / ? # % i användarnamn och lösenord procentkodas';

const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** Throws an OperatorError that names the part of the address that cannot be used, never its password. */
export function parseDatabaseUrl(url: string): ConnectionSettings {
  const found = parts.exec(url);
  if (!found) {
    throw new UrlFault(`anges som postgres://användare:lösenord@värd:5432/databas; ${encodeThem}`);
  }
  const [, login = '', hosts = '', path = '', query = ''] = found;
  const given = readParameters(query);
  const [user, ...password] = login.split(':');
  const servers = readServers(given.get('host') ?? hosts, given.get('port'));
  // As libpq reads it a database could be named so; what it is, is the rest of a password that was not encoded.
  if (/[@/]/.test(path)) {
    throw new UrlFault(`databasens namn går inte att läsa; ${encodeThem}`);
  }
  const name = decode(user ?? '', 'användaren') || userInfo().username;
  return {
    servers,
    user: name,
    password: decode(password.join(':'), 'lösenordet') || undefined,
    database: decode(path, 'databasens namn') || name,
    tls: readTls(given),
    target: oneOf(sessionAttributes, given, 'target_session_attrs', whatIsNeeded(servers)),
    applicationName: given.get('application_name'),
    connectTimeoutMs: readTimeout(given.get('connect_timeout')),
    options: given.get('options'),
    channelBinding: oneOf(channelBindings, given, 'channel_binding', 'prefer'),
  };
}

/** Several servers mean that one of them is written to and that it changes which. */
const whatIsNeeded = (servers: readonly Server[]) => (servers.length > 1 ? 'read-write' : 'any');

/** The same servers, database and parameters with another login. */
export function withLogin(url: string, user: string, password: string | null): string {
  const [, , hosts = '', path, query] = parts.exec(url) ?? [];
  const login = [user, ...(password === null ? [] : [password])].map(encodeURIComponent).join(':');
  const { database } = parseDatabaseUrl(url);
  return `postgres://${login}@${hosts}/${path || encodeURIComponent(database)}${query ? `?${query}` : ''}`;
}

function decode(text: string, part: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UrlFault(`${part} är inte rätt procentkodat; ett procenttecken skrivs %25`);
  }
}

function readParameters(query: string): ReadonlyMap<Parameter, string> {
  const given = new Map<Parameter, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [key = '', ...value] = pair.split('=');
    const name = decode(key, 'en parameter efter ?');
    const parameter = parameters.find((known) => known === name);
    if (!parameter) throw new UrlFault(wayOutOf(name));
    if (given.has(parameter)) throw new UrlFault(`${name} anges två gånger`);
    given.set(parameter, decode(value.join('='), name));
  }
  return given;
}

const otherWays: Readonly<Record<string, string>> = {
  user: 'användaren anges före @',
  password: 'lösenordet anges före @',
  dbname: 'databasen anges efter /',
  ssl: 'ange sslmode i stället för ssl',
  uselibpqcompat: 'ta bort uselibpqcompat; sslmode betyder redan det som i libpq',
  hostaddr: 'ange adressen som värd i stället för hostaddr',
};

const wayOutOf = (name: string): string =>
  otherWays[name] ??
  `parametern ${/^\w{1,40}$/.test(name) ? name : 'efter ?'} finns inte här; det som kan anges är ${parameters.join(', ')}`;

function readServers(hosts: string, ports: string | undefined): [Server, ...Server[]] {
  const servers = hosts.split(',').map((text): Server => {
    const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(text) ?? [];
    const host = decode(bracketed ?? plain, 'en värd');
    // Printed neither here nor below: it may be a part of a password that was not encoded.
    const isUnclear =
      bracketed === undefined
        ? /[[\]\s@]/.test(host) || port?.includes(':')
        : isIP(host.replace(/%.*$/, '')) !== 6;
    if (isUnclear) {
      throw new UrlFault(
        `en värd går inte att läsa; en IPv6-adress skrivs [::1], och ${encodeThem}`,
      );
    }
    return { host, port: port ? readPort(port) : defaultPort };
  });
  const [first, ...others] = servers;
  if (!first || (others.length > 0 && servers.some(({ host }) => host === ''))) {
    throw new UrlFault('en av värdarna är tom; skriv dem som värd1:5432,värd2:5432');
  }
  const [own, ...rest] = ports?.split(',').map(readPort) ?? [];
  if (rest.length > 0 && rest.length !== others.length) {
    throw new UrlFault('port ska ange en port, eller lika många som värdar');
  }
  return [
    { host: first.host || 'localhost', port: own ?? first.port },
    ...others.map(({ host, port }, index) => ({ host, port: rest[index] ?? own ?? port })),
  ];
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UrlFault(`en port är inget heltal mellan 1 och 65535; ${encodeThem}`);
}

function oneOf<Value extends string>(
  values: readonly Value[],
  given: ReadonlyMap<Parameter, string>,
  name: Parameter,
  otherwise: Value,
): Value {
  const text = given.get(name);
  const value = text === undefined ? otherwise : values.find((known) => known === text);
  if (value === undefined) throw new UrlFault(`${name} ska vara något av ${values.join(', ')}`);
  return value;
}

function readTimeout(text: string | undefined): number {
  if (text === undefined) return connectTimeoutMs;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (seconds === 0) throw new UrlFault('connect_timeout anges i hela sekunder, 1 till 999');
  return seconds * 1_000;
}

function readTls(given: ReadonlyMap<Parameter, string>): TlsSettings | undefined {
  const files = ['sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const;
  if (!given.has('sslmode') && !files.some((name) => given.has(name))) return undefined;
  const rootCert = given.get('sslrootcert');
  const otherwise = rootCert === 'system' ? 'verify-full' : 'prefer';
  const mode = oneOf(sslModes, given, 'sslmode', otherwise);
  if (rootCert === 'system' && mode !== 'verify-full') {
    throw new UrlFault('sslrootcert=system kräver sslmode=verify-full');
  }
  if (mode === 'verify-ca' && rootCert === undefined) {
    throw new UrlFault('sslmode=verify-ca kräver sslrootcert, filen med utfärdarens certifikat');
  }
  if (given.has('sslcert') !== given.has('sslkey')) {
    throw new UrlFault('sslcert och sslkey anges båda eller ingen');
  }
  return {
    mode,
    rootCert,
    cert: given.get('sslcert'),
    key: given.get('sslkey'),
    password: given.get('sslpassword'),
  };
}

/** Nothing leaves the machine on a socket or the loopback. */
const isLocal = ({ host }: Server): boolean =>
  host.startsWith('/') || host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);

/** How to speak with a server: as the address says, else encrypted where it can be, but not to oneself. */
export function tlsModeFor({ tls }: ConnectionSettings, server: Server): TlsSettings['mode'] {
  // A socket has no TLS, whatever the address says of it (libpq).
  if (server.host.startsWith('/')) return 'disable';
  return tls?.mode ?? (isLocal(server) ? 'disable' : 'prefer');
}

/** What Node's TLS is told for a server that is to be spoken with encrypted. Reads the files anew. */
export function tlsOptionsFor(settings: ConnectionSettings, server: Server): ConnectionOptions {
  const mode = tlsModeFor(settings, server);
  const { rootCert, cert, key, password } = settings.tls ?? {};
  // As libpq: a root certificate makes `require` look at it, though not at the name.
  const verifies = mode.startsWith('verify') || (mode === 'require' && rootCert !== undefined);
  const looksAtName = mode === 'verify-full';
  return {
    ...(rootCert === undefined ? {} : { ca: readRoots(rootCert) }),
    ...(cert === undefined || key === undefined ? {} : readOwn(cert, key, password)),
    rejectUnauthorized: verifies,
    ...(looksAtName ? {} : { checkServerIdentity: () => undefined }),
  };
}

const readRoots = (path: string): string | string[] =>
  path === 'system' ? getCACertificates('system') : readCertificates(path, 'sslrootcert').pem;

/** OpenSSL says of these what nobody understands, and not which file it is about. */
function readOwn(certPath: string, keyPath: string, passphrase: string | undefined) {
  const { pem: cert, first } = readCertificates(certPath, 'sslcert');
  const key = readPem(keyPath, 'sslkey');
  if (!first.checkPrivateKey(readKey(keyPath, key, passphrase))) {
    throw new UrlFault(
      `nyckeln i ${keyPath} (sslkey) hör inte till certifikatet i ${certPath} (sslcert)`,
    );
  }
  return { cert, key, ...(passphrase === undefined ? {} : { passphrase }) };
}

function readCertificates(
  path: string,
  parameter: string,
): { pem: string; first: X509Certificate } {
  const pem = readPem(path, parameter);
  try {
    return { pem, first: new X509Certificate(pem) };
  } catch {
    throw new UrlFault(`filen ${path} som ${parameter} pekar på är inget certifikat i PEM`);
  }
}

function readKey(path: string, key: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase === undefined ? {} : { passphrase }) });
  } catch {
    const wayOut = /ENCRYPTED/.test(key)
      ? `nyckeln i ${path} är krypterad, och ${passphrase === undefined ? 'sslpassword saknas' : 'sslpassword öppnar den inte'}`
      : `filen ${path} som sslkey pekar på är ingen nyckel i PEM`;
    throw new UrlFault(wayOut);
  }
}

function readPem(path: string, parameter: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // Of the process, not of the file: it passes, and is waited for (src/db/faults.ts).
    if (code === 'EMFILE' || code === 'ENFILE') throw cause;
    throw new OperatorError(
      `DATABASE_URL: filen ${path} som ${parameter} pekar på kan inte läsas (${code}).`,
      { cause },
    );
  }
}
