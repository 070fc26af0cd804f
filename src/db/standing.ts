/**
 * Whether a database can serve this program, asked before anything else is done with it: by commands,
 * which say what is wrong and end, and by parts of the service, which wait for what may pass by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDatabaseUrl } from '../config/database-url.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { explainDatabaseFault } from './faults.ts';
import { readLogins } from './logins.ts';
import { refuseOldServer } from './migrate.ts';
import { readApplied, refuseOtherSchema } from './migrations.ts';
import { connect, createPool, databaseErrorOf, type Pool } from './pool.ts';
import type { DatabaseRole, Logins } from './roles.ts';

/** Refuses a server that is too old, and a schema that is not this program's. `url` is the owner's login. */
export async function checkDatabase(url: string): Promise<void> {
  const client = await connect(url, 'huvudbok check');
  try {
    await refuseOldServer(client);
    await refuseOtherSchema(client);
  } finally {
    await client.end();
  }
}

/** The owner's login, and what is known of the schema (`refuseOtherSchema`). */
export interface OwnersDatabase {
  readonly url: string;
  readonly stamp: string | undefined;
}

/** Runs `work` when the database is found to be as `checkDatabase` wants it, over one connection of the owner's. */
export async function withOwner<T>(
  { url, stamp }: OwnersDatabase,
  work: (owner: Pool, logins: Logins) => Promise<T>,
): Promise<T> {
  const owner = createPool({ url, max: 1, applicationName: 'huvudbok check' });
  try {
    const client = await owner.connect();
    const logins = await (async () => {
      await refuseOldServer(client);
      await refuseOtherSchema(client, stamp);
      return readLogins(client, url);
    })().finally(() => client.release());
    return await work(owner, logins);
  } finally {
    await owner.end();
  }
}

/** Whether any program has made its schema here. */
export async function isMigrated(url: string): Promise<boolean> {
  const client = await connect(url, 'huvudbok check');
  try {
    return (await readApplied(client)).length > 0;
  } finally {
    await client.end();
  }
}

/** Where each role's work begins; who may not go in there has lost all its rights. */
const homes: Readonly<Record<DatabaseRole, string>> = {
  hb_api: 'api',
  hb_app: 'app',
  hb_agency: 'agency',
  hb_worker: 'pgboss',
};

/** Refuses where `role` cannot log in, or not do its work; the connection of `pool` that is made for it stays. */
export async function checkRole(pool: Pool, role: DatabaseRole, login: Logins): Promise<void> {
  const name = parseDatabaseUrl(login(role)).user;
  const client = await pool.connect().catch((cause) => {
    const { code = '' } = databaseErrorOf(cause) ?? {};
    if (!['28P01', '28000', '42501'].includes(code)) throw cause;
    throw new OperatorError(
      `Databasrollen ${name} finns inte, eller har ett annat lösenord än det som följer av DATABASE_URL: kör huvudbok migrate.`,
      { cause },
    );
  });
  try {
    const { rows } = await client.query(`select has_schema_privilege($1, 'usage') as may`, [
      homes[role],
    ]);
    if (rows[0].may) return;
    throw new OperatorError(`Databasrollen ${name} saknar sina rättigheter: kör huvudbok migrate.`);
  } finally {
    client.release();
  }
}

export interface StandingWait {
  /** Of the database, for the sentence. */
  readonly url: string;
  /** The DATA_DIR that it is embedded in; undefined for a server of somebody's own. */
  readonly folder?: string | undefined;
  /** Told at once why, and then every minute, and when the wait is over. */
  readonly say: (line: string) => void;
  /** Ends the wait. */
  readonly signal?: AbortSignal;
}

const pauseMs = 1_000;
const sayAgainMs = 60_000;

/**
 * The outcome of `work`, which is done over again while the database is away. What never passes by itself
 * is thrown as an OperatorError. `work` must leave nothing open when it fails.
 */
export async function whenDatabaseAnswers<T>(
  work: () => Promise<T>,
  { url, folder, say, signal }: StandingWait,
): Promise<T> {
  for (let said_at = Number.NEGATIVE_INFINITY; ; ) {
    try {
      const result = await work();
      if (said_at > 0) say('Databasen svarar.');
      return result;
    } catch (error) {
      const fault = explainDatabaseFault(error, url, folder);
      if (!fault) throw error;
      if (!fault.passes) throw new OperatorError(fault.message, { cause: error });
      if (performance.now() - said_at > sayAgainMs) {
        said_at = performance.now();
        say(`Väntar på databasen. ${fault.message}`);
      }
    }
    await sleep(pauseMs, undefined, signal ? { signal } : {});
  }
}
