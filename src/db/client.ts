/**
 * One connection, as DATABASE_URL says it: to the server that is to be used now, encrypted as it says, and
 * refused when the server is not what it must be. Everything that connects does so with this.
 */
import { randomBytes } from 'node:crypto';
import { connect as connectSocket, type Socket } from 'node:net';
import pg from 'pg';
import {
  type ConnectionSettings,
  parseDatabaseUrl,
  type Server,
  tlsModeFor,
  tlsOptionsFor,
} from '../config/database-url.ts';
import { OperatorError } from '../lib/operator-error.ts';
import {
  type Examine,
  NoServerError,
  type ServerState,
  type Servers,
  serversOf,
} from './servers.ts';

/** How values are read, by every connection: a bigint is a BigInt, a date its own text. */
export const types = new pg.TypeOverrides();
// PostgreSQL has days and moments that no calendar of ours does (`infinity`, before our era, after the year 9999). None of
// ours is one; what SQL of somebody's has made so is read as the first or last that there is, and no page falls over it.
const isBefore = (text: string): boolean => text.startsWith('-') || text.endsWith('BC');
/** Better no answer than a day that is another: `migrate` settles how the database writes them (migrate.ts). */
function requireIso(text: string): void {
  if (!/^-?infinity$|^\d{4,}-/.test(text)) throw new TypeError(`not an ISO date: ${text}`);
}
const firstMoment = Date.parse('0001-01-02T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T00:00:00Z');
const parseMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
// A date is a string end to end: pg's own parser makes 2026-01-01 a moment in 2025 east of Greenwich.
types.setTypeParser(pg.types.builtins.DATE, (text: string) => {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  requireIso(text);
  return isBefore(text) ? '0001-01-01' : '9999-12-31';
});
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text: string) => {
  requireIso(text);
  const at = Number(parseMoment(text));
  if (at >= firstMoment && at <= lastMoment) return new Date(at);
  return new Date(isBefore(text) ? firstMoment : lastMoment);
});
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text));

export interface ClientOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Cancels a statement that takes longer, where less is right than the role may have (role-limits.ts). */
  readonly statementTimeoutMs?: number;
  /** Longer than any statement may take here: a server that is silent for as long is not there any more. */
  readonly silentMsMax?: number;
  /** Sends a statement before the answer of the one before it; the server still takes them in turn. */
  readonly isPipelined?: boolean;
}

/** pg settles on server and encryption when a client is made; ours are known when it connects. */
interface Aim {
  host: string;
  port: number;
  ssl: boolean;
  enableChannelBinding: boolean;
  processID: number | null;
  connection: pg.Connection & { ssl: false | object };
}

interface StateRow {
  readonly pid: number;
  readonly is_standby: boolean;
  readonly is_read_only: boolean;
  readonly timeline: number;
  readonly system_identifier: string;
}

const askState = `select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby,
  pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only`;
/** Only asked where servers are compared: not every relative of PostgreSQL has timelines. */
const askTimeline = `, case when pg_is_in_recovery() then 0
    else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline,
  (select system_identifier::text from pg_control_system()) as system_identifier`;

export class DatabaseClient extends pg.Client {
  /** Where it is, once it has begun to connect. */
  server: Server | undefined;
  readonly #settings: ConnectionSettings;
  readonly #servers: Servers;
  readonly #options: ClientOptions;
  /** Statements that have been sent and not answered. */
  #waiting = 0;

  /** `server` is for looking at one of several; otherwise it is found. */
  constructor(options: ClientOptions, server?: Server) {
    const settings = parseDatabaseUrl(options.url);
    const [first] = settings.servers;
    super({
      host: first.host,
      port: first.port,
      user: settings.user,
      database: settings.database,
      ...(settings.password === undefined ? {} : { password: settings.password }),
      ...(settings.options === undefined ? {} : { options: settings.options }),
      application_name: nameOf(settings, options.applicationName),
      ssl: false,
      types,
      pipeline: options.isPipelined ?? false,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: settings.connectTimeoutMs,
    });
    this.#settings = settings;
    this.#options = options;
    this.#servers = serversOf(settings);
    this.server = server;
    this.#giveCallbacks();
    this.#hideNames();
    if (options.isPipelined) this.#sendTogether();
    // A connection that is lost says so to the statement that runs, to the next one, and by its end. This is a
    // third time, and would end the process if nobody listened.
    this.on('error', () => this.server && this.#servers.lose(this.server));
    this.on('notice', ({ routine, message }) => {
      // A commit whose wait for the standby was cut short is told as done, and is gone if the primary is.
      if (routine === 'SyncRepWaitForLSN') this.#fail(new NoServerError(message));
    });
  }

  /** What pg says first of all. A pooler that remembers how a server wrote days before is told so anew (migrate.ts). */
  getStartupConf(): object {
    const { getStartupConf } = pg.Client.prototype as unknown as { getStartupConf(): object };
    return { ...getStartupConf.call(this), DateStyle: 'ISO, YMD', TimeZone: 'UTC' };
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null, client?: this) => void): void;
  override connect(callback?: (error: Error | null, client?: this) => void): unknown {
    const connected = this.#connect();
    if (!callback) return connected.then(() => this);
    connected.then(() => callback(null, this), callback);
    return undefined;
  }

  /**
   * A statement gets its callback as it is made. pg's own promises give it one afterwards, and Node then takes all that an
   * answer leads to for something that is still in use until it collects the old part of the heap: a tenth of all that a
   * call allocates, and each collection of the young part takes five times as long (docs/decisions/0004).
   */
  #giveCallbacks(): void {
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      if (typeof args.at(-1) === 'function' || isSubmittable(args[0])) return query(...args);
      return new Promise((resolve, reject) => {
        this.#waiting += 1;
        query(...args, (error: Error | null, result: unknown) => {
          this.#waiting -= 1;
          if (error) reject(error);
          else resolve(result);
        });
      }).catch(throwFromHere);
    }) as typeof this.query;
  }

  /**
   * Who runs SQL of their own on this connection could put another statement in the place of one that it has
   * prepared, and the next person to use it would run that: if they knew its name (superuser.sql hides those).
   */
  #hideNames(): void {
    const secret = randomBytes(9).toString('base64url');
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    const hidden = (statement: unknown): unknown =>
      isNamed(statement) ? { ...statement, name: `${statement.name} ${secret}` } : statement;
    this.query = ((statement: unknown, ...rest: unknown[]) =>
      query(hidden(statement), ...rest)) as typeof this.query;
  }

  /** Statements of one turn leave in one message: each message is a call of the system's and wakes the server. */
  #sendTogether(): void {
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    let isCorked = false;
    this.query = ((...args: unknown[]) => {
      const { stream } = (this as unknown as Aim).connection;
      if (!isCorked) {
        isCorked = true;
        stream.cork();
        process.nextTick(() => {
          isCorked = false;
          stream.uncork();
        });
      }
      return query(...args);
    }) as typeof this.query;
  }

  /**
   * `begin`, on a session that is as it was when it connected. In one message: who had the connection before
   * may have left settings behind, and the next person's text, dates and answers would follow them.
   */
  beginAnew(begin: string): string {
    const { statementTimeoutMs } = this.#options;
    const limit =
      statementTimeoutMs === undefined ? '' : `set statement_timeout = ${statementTimeoutMs}; `;
    // Said, because this transaction has begun with what was left.
    return `reset all; ${limit}${begin.replace(/^begin/, 'begin isolation level read committed')}`;
  }

  /** Closes the connection at once: its server is not to be used. What it was doing fails. */
  drop(): void {
    (this as unknown as Aim).connection.stream.destroy();
  }

  /** What is under way fails as when the connection is lost, whatever the server goes on to say. */
  #fail(error: Error): void {
    (this as unknown as Aim).connection.emit('error', error);
    this.drop();
  }

  async #connect(): Promise<void> {
    const isExamining = this.server !== undefined;
    const examine: Examine = (server) => examineServer(this.#options, server);
    const server = this.server ?? (await this.#servers.find(examine));
    this.server = server;
    try {
      await this.#aim(server);
      const isBound = this.#watchBinding();
      await super.connect();
      isBound();
      this.#endSilence();
      const state = await this.#inTime(this.state());
      if (!isExamining) {
        this.#servers.accept(state);
        await this.#limit();
        this.once('end', this.#servers.add(this, examine));
      }
    } catch (error) {
      this.#servers.lose(server);
      await this.end().catch(() => undefined);
      throw error;
    }
  }

  /**
   * What stands between us and the server (a proxy, a server's process that stands still) may keep the connection open
   * and never answer: whoever waits would hold one of few connections for ever.
   */
  #endSilence(): void {
    const { silentMsMax } = this.#options;
    if (silentMsMax === undefined) return;
    const stream = (this as unknown as Aim).connection.stream as Socket;
    stream.setTimeout(silentMsMax);
    stream.on('timeout', () => {
      if (this.#waiting > 0) this.drop();
    });
  }

  /** A pooler whose server is away lets us in, and is silent then. */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const tooLate = setTimeout(() => this.drop(), this.#settings.connectTimeoutMs);
    return answer.finally(() => clearTimeout(tooLate));
  }

  /** Not a start-up parameter: PgBouncer refuses those that it does not know. */
  async #limit(): Promise<void> {
    const { statementTimeoutMs } = this.#options;
    if (statementTimeoutMs === undefined) return;
    await this.query(`set statement_timeout = ${statementTimeoutMs}`);
  }

  /** What the server says of itself; refuses a pooler that does not keep sessions apart. */
  async state(): Promise<ServerState> {
    const { areSeveral } = this.#servers;
    const { rows } = await this.query<StateRow>(askState + (areSeveral ? askTimeline : ''));
    const [row] = rows;
    if (!row || !this.server) throw new NoServerError('the server said nothing of itself');
    // The number of the session is the pooler's own when there is one between us and PostgreSQL.
    if (row.pid !== (this as unknown as Aim).processID) await this.#refuseSharedSessions(row.pid);
    return {
      server: this.server,
      isStandby: row.is_standby,
      isReadOnly: row.is_read_only,
      timeline: row.timeline ?? 0,
      systemIdentifier: row.system_identifier ?? '',
    };
  }

  async #aim(server: Server): Promise<void> {
    const mode = tlsModeFor(this.#settings, server);
    const { connectTimeoutMs, channelBinding } = this.#settings;
    const ask = () => asksForTls(server, connectTimeoutMs);
    const isEncrypted =
      mode !== 'disable' && (mode !== 'prefer' || (await this.#servers.speaksTls(server, ask)));
    const aim = this as unknown as Aim;
    // Who waited for us has given up meanwhile; a socket that is closed would open again.
    if (aim.connection.stream.destroyed) throw new NoServerError('gave up before connecting');
    aim.host = server.host;
    aim.port = server.port;
    aim.ssl = isEncrypted;
    aim.connection.ssl = isEncrypted && tlsOptionsFor(this.#settings, server);
    aim.enableChannelBinding = isEncrypted && channelBinding !== 'disable';
  }

  /** channel_binding=require: no password is proved to a server that cannot prove the same connection. */
  #watchBinding(): () => void {
    if (this.#settings.channelBinding !== 'require') return () => undefined;
    const { connection } = this as unknown as Aim;
    let isBound = false;
    const refusal = new OperatorError(
      'DATABASE_URL: channel_binding=require, men servern erbjuder ingen kanalbindning (SCRAM över TLS).',
    );
    connection.once('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
      isBound = mechanisms.includes('SCRAM-SHA-256-PLUS');
      if (!isBound) connection.stream.destroy(refusal);
    });
    for (const weaker of ['authenticationCleartextPassword', 'authenticationMD5Password']) {
      connection.once(weaker, () => connection.stream.destroy(refusal));
    }
    return () => {
      if (!isBound) throw refusal;
    };
  }

  /**
   * Two sessions that are open at the same time have a server process each. Where they are seen to share
   * one, LISTEN, locks and prepared statements would work now and then.
   */
  async #refuseSharedSessions(ownPid: number): Promise<void> {
    if (this.#servers.holdsSessions) return;
    this.#servers.holdsSessions = true;
    const other = new DatabaseClient(this.#options, this.server);
    try {
      await other.connect();
      for (let turn = 0, own = ownPid; turn < 5; turn += 1) {
        if ((await pidOf(other)) === own) throw sharedSessions();
        own = await pidOf(this);
      }
    } catch (error) {
      this.#servers.holdsSessions = false;
      throw error;
    } finally {
      await other.end().catch(() => undefined);
    }
  }
}

/** Whoever asked is in the trace, as with pg's own promises; without it, only that something came from the server. */
function throwFromHere(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/** A cursor, say: what pg does not make itself. */
const isSubmittable = (statement: unknown): boolean =>
  typeof (statement as { readonly submit?: unknown } | null)?.submit === 'function';

const isNamed = (statement: unknown): statement is { readonly name: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  !('submit' in statement) &&
  'name' in statement &&
  typeof statement.name === 'string';

const sharedSessions = (): OperatorError =>
  new OperatorError(
    'DATABASE_URL går genom en PgBouncer som delar anslutningar mellan sessioner (pool_mode = transaction eller statement). ' +
      'Sätt pool_mode = session för databasen där, eller peka ut PostgreSQL direkt (docs/operating.md).',
  );

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** The parts of the service by name, under the name that the address gives the whole. */
const nameOf = ({ applicationName }: ConnectionSettings, part: string): string =>
  applicationName === undefined ? part : part.replace(/^huvudbok\b/, () => applicationName);

async function examineServer(options: ClientOptions, server: Server): Promise<ServerState> {
  const client = new DatabaseClient(options, server);
  try {
    await client.connect();
    return await client.state();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** SSLRequest: a server that speaks TLS answers S. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

function asksForTls({ host, port }: Server, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, timeout: timeoutMs });
    socket.on('connect', () => socket.write(sslRequest));
    socket.on('timeout', () => socket.destroy(new Error('timeout expired')));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('Connection terminated unexpectedly')));
    socket.once('data', (answer) => {
      resolve(answer[0] === 'S'.charCodeAt(0));
      socket.destroy();
    });
  });
}
