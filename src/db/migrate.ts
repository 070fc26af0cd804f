/**
 * Brings a database to this program's schema: roles, the job queue's tables, the numbered migrations,
 * every function and every grant. Runs under one advisory lock, so any number of processes may start at once; a
 * second run does nothing.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { packageFile } from '../lib/package-file.ts';
import { jobDatabase } from './job-database.ts';
import { deadLetterName, type Queue, queues } from './jobs.ts';
import {
  defineFunctions,
  grantRights,
  migrationsDirectory,
  readApplied,
  readSchema,
  readSchemaStamp,
  refuseForeignSchema,
  refuseHalfRestored,
  refuseUnreadable,
  runMigrations,
  type Schema,
  versionOf,
} from './migrations.ts';
import { ensureOwnRoles } from './own-roles.ts';
import { patiently } from './patience.ts';
import { connect, createPool } from './pool.ts';
import { anyRoleName, roleName } from './roles.ts';

const lock = 7_203_517;

/**
 * Whoever writes the first event of a run begins its epoch, and the others wait for that commit: better
 * here. Not there yet in a schema that tests stop at.
 */
export const beginEpoch = `do $$ begin
  if to_regprocedure('events.writing_epoch()') is not null then
    perform events.writing_epoch();
  end if;
end $$`;

export interface MigrateOptions {
  /** The owner's login. */
  readonly url: string;
  readonly log: (line: string) => void;
  /** Where the files are, for tests of other migrations than our own. */
  readonly directory?: URL;
  /** What they say, for whoever has read them already. */
  readonly schema?: Schema;
  /** For a restore alone: first those migrations that the backup had, by name, and no rights yet; then the rest. */
  readonly restoring?: 'on' | { readonly only: (name: string) => boolean };
}

export interface Migrated {
  readonly version: number;
  /** What it then has (`readSchemaStamp`). */
  readonly stamp: string | undefined;
}

/** May run while the version before it serves: whoever uses what is changed is held up for a moment. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const client = await connect(options.url, 'huvudbok migrate');
  try {
    return await migrateOver(client, options);
  } finally {
    await client.end();
  }
}

/** As `migrate`, over a connection of the owner's that goes on being used; one on which it failed is to be closed. */
export async function migrateOver(
  client: pg.ClientBase,
  options: MigrateOptions,
): Promise<Migrated> {
  await refuseOldServer(client);
  await takeLock(client, options.log);
  const migrated = await bringUpToDate(client, options);
  await client.query('select pg_advisory_unlock($1)', [lock]);
  return migrated;
}

async function bringUpToDate(
  client: pg.ClientBase,
  { url, log, directory = migrationsDirectory, schema, restoring }: MigrateOptions,
): Promise<Migrated> {
  await settleSessions(client);
  const { migrations, functions } = schema ?? (await readSchema(directory));
  // Before anything is changed: an older program would take away rights that the newer one gave.
  refuseForeignSchema(await readApplied(client), migrations);
  if (!restoring) await refuseHalfRestored(client);
  const prefix = await ensureOwnRoles(client, url, log);
  await ensureQueues(client, url, roleName(prefix, 'hb_worker'));
  if (typeof restoring === 'object') {
    const taken = migrations.filter(({ name }) => restoring.only(name));
    await runMigrations(client, taken, functions, prefix, log);
    return { version: versionOf(taken), stamp: undefined };
  }
  await runMigrations(client, migrations, functions, prefix, log);
  await defineFunctions(client, functions, prefix, log);
  await patiently(client, async () => void (await client.query(beginEpoch)), log);
  await grantRights(client, prefix, log, directory);
  await restrictAsSuperuser(client, log);
  await refuseUnreadable(client);
  return { version: versionOf(migrations), stamp: await readSchemaStamp(client) };
}

/** Connections of our four logins that hold the lock: whoever runs SQL as a worker may, and no migration is theirs. */
const endHolders = `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.classid = 0 and l.objid = $1 and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and a.usename ~ $2 and pg_has_role(a.usesysid, 'usage')`;

/** One at a time; a connection that dies lets go. */
async function takeLock(client: pg.ClientBase, log: (line: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_ours', [lock]);
    if (rows[0].is_ours) return;
    if (attempt === 0) await client.query(endHolders, [lock, anyRoleName]);
    if (attempt === 20) log('En annan migrering av databasen pågår; väntar på den.');
    await sleep(100);
  }
}

/** Nothing of ours works on a server older than 15. */
export async function refuseOldServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer as number,
      current_setting('server_version') as version`,
  );
  if (rows[0].number >= 150_000) return;
  throw new OperatorError(
    `PostgreSQL 15 eller nyare behövs, men DATABASE_URL pekar på version ${rows[0].version}: uppgradera servern, eller peka ut en annan.`,
  );
}

/**
 * What every session in this database begins with, whoever logs in and through whatever pooler. How values are written
 * is ours to know: with a server's own `datestyle` no day could be read. Every statement of ours is short, also
 * the owner's: compiling them made filling the example company take three times as long.
 */
const sessionSettings = {
  jit: 'off',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
};

async function settleSessions(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select format('alter database %I set %I = %L', d.datname, given.name, given.value) as for_all,
       format('set %I = %L', given.name, given.value) as for_us
     from pg_database d, unnest($1::text[], $2::text[]) as given (name, value)
     where d.datname = current_database() and pg_has_role(d.datdba, 'usage')
       and not exists (select from pg_db_role_setting s
         where s.setdatabase = d.oid and s.setrole = 0
           and given.name || '=' || given.value = any (s.setconfig))`,
    [Object.keys(sessionSettings), Object.values(sessionSettings)],
  );
  for (const { for_all, for_us } of rows) await client.query(`${for_all}; ${for_us}`);
}

/** Takes away what only a superuser may; an owner who is none says how it is done. */
async function restrictAsSuperuser(
  client: pg.ClientBase,
  log: (line: string) => void,
): Promise<void> {
  const { rows } = await client.query(
    `select rolsuper as is_superuser,
       has_function_privilege('public', 'pg_prepared_statement()', 'execute')
         or has_function_privilege('lo_import(text)', 'execute') as is_open
     from pg_roles where rolname = current_user`,
  );
  const { is_superuser, is_open } = rows[0];
  if (is_superuser) {
    await client.query(await readFile(new URL('superuser.sql', migrationsDirectory), 'utf8'));
  } else if (is_open) {
    log(
      'Kör migrations/superuser.sql en gång som databasens superanvändare; se docs/operating.md.',
    );
  }
}

/** What each queue is to be, as pg-boss is told of it. */
const policyOf = ({ name, retryLimit, timeLimitSeconds }: Queue<unknown>) => ({
  deadLetter: deadLetterName(name),
  retryLimit,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: timeLimitSeconds,
  heartbeatSeconds: 10,
  deleteAfterSeconds: 86_400,
  notify: true,
});
const deadRetentionSeconds = 365 * 86_400;

/** pg-boss makes and upgrades its own schema; its queues follow src/db/jobs.ts. */
async function ensureQueues(client: pg.ClientBase, url: string, worker: string): Promise<void> {
  await forgetWorkersCommands(client, worker);
  await straightenQueues(client);
  if (await areQueuesReady(client)) return;
  const pool = createPool({ url, max: 2, applicationName: 'huvudbok migrate' });
  const db = jobDatabase(pool);
  // Loaded where it is needed: every command would wait for it.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ db, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
    for (const queue of queues) {
      const policy = policyOf(queue);
      await boss.createQueue(policy.deadLetter, { retentionSeconds: deadRetentionSeconds });
      await boss.createQueue(queue.name, policy);
      await boss.updateQueue(queue.name, policy);
    }
  } finally {
    await boss.stop({ graceful: false });
    await pool.end();
  }
}

/** Since when workers write no `pgboss.bam`. */
const commandsAreOurs = '0317';

/**
 * pg-boss runs as the owner, below, whatever SQL stands in `bam`: its own indexes that are still to be built. What may
 * be a worker's is run by nobody.
 */
async function forgetWorkersCommands(client: pg.ClientBase, worker: string): Promise<void> {
  const applied = await readApplied(client);
  if (applied.length === 0 || applied.some((name) => name >= commandsAreOurs)) return;
  await client.query(`do $$ begin
    if to_regclass('pgboss.bam') is not null then
      revoke all on pgboss.bam from ${worker};
      delete from pgboss.bam where status <> 'completed';
    end if;
  end $$`);
}

/** What workers may write of queues and pg-boss never sets anew: with another table none of its jobs is found. */
async function straightenQueues(client: pg.ClientBase): Promise<void> {
  await client.query(`do $$ begin
    if to_regclass('pgboss.bam') is not null then
      update pgboss.queue set policy = 'standard', partition = false, table_name = 'job_common'
        where (policy, partition, table_name) is distinct from ('standard', false, 'job_common');
      delete from pgboss.schedule where key <> '';
    end if;
  end $$`);
}

/** Whether nothing is left to do: most starts find it so, and need not load pg-boss to be told. */
async function areQueuesReady(client: pg.ClientBase): Promise<boolean> {
  const there = await client.query(`select to_regclass('pgboss.version') is not null as is_there`);
  if (!there.rows[0].is_there) return false;
  const {
    rows: [{ version }],
  } = await client.query('select max(version) as version from pgboss.version');
  if (version !== (await bossSchemaVersion())) return false;
  const {
    rows: [{ unfinished, policies }],
  } = await client.query(
    `select (select count(*)::integer from pgboss.bam where status <> 'completed') as unfinished,
       (select json_object_agg(q.name, json_build_object('deadLetter', q.dead_letter,
           'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay, 'retryBackoff', q.retry_backoff,
           'retryDelayMax', q.retry_delay_max, 'expireInSeconds', q.expire_seconds,
           'heartbeatSeconds', q.heartbeat_seconds, 'deleteAfterSeconds', q.deletion_seconds,
           'notify', q.notify)) from pgboss.queue q) as policies`,
  );
  const isReady = (queue: Queue<unknown>) =>
    policies?.[deadLetterName(queue.name)] !== undefined &&
    isDeepStrictEqual(policies[queue.name], policyOf(queue));
  return unfinished === 0 && queues.every(isReady);
}

/** The schema that the installed pg-boss works with. */
async function bossSchemaVersion(): Promise<number> {
  return JSON.parse(await readFile(packageFile('pg-boss', 'package.json'), 'utf8')).pgboss.schema;
}
