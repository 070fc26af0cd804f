/**
 * Brings a database to this program's schema: roles, the job queue's tables, the numbered migrations
 * and every grant. Runs under one advisory lock, so any number of processes may start at once; a
 * second run does nothing.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { deadLetterName, queues } from '../jobs.ts';
import { connect, databaseErrorOf } from './pool.ts';
import { limitRole } from './role-limits.ts';
import { rolePassword, roles } from './roles.ts';

const directory = new URL('../../migrations/', import.meta.url);
const LOCK = 7_203_517;

export interface MigrateOptions {
  /** The owner's login. */
  readonly url: string;
  readonly log: (line: string) => void;
}

export async function migrate({ url, log }: MigrateOptions): Promise<{ version: number }> {
  const client = await connect(url, 'huvudbok migrate');
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await refuseOldServer(client);
    await withPatience(() => ensureRoles(client, url));
    await ensureQueues(url);
    await runMigrations(client, log);
    // Whoever writes the first event of a run begins its epoch, and the others wait for that commit: better here.
    await client.query('select events.writing_epoch()');
    await client.query(
      `begin; ${await readFile(new URL('grants.sql', directory), 'utf8')}; commit`,
    );
    await restrictAsSuperuser(client, log);
    const { rows } = await client.query(
      'select count(*)::integer as version from migration.applied',
    );
    return { version: rows[0].version };
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer as version`,
  );
  if (rows[0].version < 150_000) {
    throw new Error('PostgreSQL 15 eller nyare behövs; DATABASE_URL pekar på en äldre server.');
  }
}

/** Somebody else was making or changing the same role. */
const simultaneous = new Set(['XX000', '23505', '42710']);

/** Roles are the whole server's, the lock is this database's: another's migration may meet ours here. */
async function withPatience(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 10 || !simultaneous.has(databaseErrorOf(error)?.code ?? '')) throw error;
      await sleep(Math.random() * 100);
    }
  }
}

async function ensureRoles(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query('select rolname from pg_roles where rolname = any ($1)', [
    roles,
  ]);
  const existing = new Set(rows.map((row) => row.rolname));
  for (const role of roles) {
    const password = rolePassword(url, role);
    const login = password === null ? 'login' : `login password ${client.escapeLiteral(password)}`;
    await client.query(`${existing.has(role) ? 'alter' : 'create'} role ${role} ${login}`);
    await client.query(
      `do $$ begin execute format('grant connect on database %I to ${role}', current_database()); end $$`,
    );
    await limitRole(client, role);
  }
}

/** Takes away what only a superuser may; an owner who is none says how it is done. */
async function restrictAsSuperuser(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query(
    `select rolsuper as is_superuser,
       has_function_privilege('public', 'lo_create(oid)', 'execute') as is_open
     from pg_roles where rolname = current_user`,
  );
  const { is_superuser, is_open } = rows[0];
  if (is_superuser) {
    await client.query(await readFile(new URL('superuser.sql', directory), 'utf8'));
  } else if (is_open) {
    log(
      'Kör migrations/superuser.sql en gång som databasens superanvändare; se docs/operating.md.',
    );
  }
}

/** pg-boss makes and upgrades its own schema; its queues follow src/jobs.ts. */
async function ensureQueues(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 2, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    for (const { name, retryLimit, timeLimitSeconds } of queues) {
      const deadLetter = deadLetterName(name);
      await boss.createQueue(deadLetter, { retentionSeconds: 365 * 86_400 });
      const policy = {
        deadLetter,
        retryLimit,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: 300,
        expireInSeconds: timeLimitSeconds,
        heartbeatSeconds: 10,
        deleteAfterSeconds: 86_400,
        notify: true,
      };
      await boss.createQueue(name, policy);
      await boss.updateQueue(name, policy);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A migration that has run is never edited: its hash is kept and compared. */
async function runMigrations(client: pg.Client, log: (line: string) => void): Promise<void> {
  await client.query(`
    create schema if not exists migration;
    create table if not exists migration.hashes (
      name text not null, sha256 text not null, constraint hashes_pkey primary key (name))`);
  const names = (await readdir(directory)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  const { rows } = await client.query('select name, sha256 from migration.hashes');
  const known = new Map(rows.map((row) => [row.name, row.sha256]));
  const hashes = new Map<string, string>();
  for (const name of names) {
    const hash = createHash('sha256')
      .update(await readFile(new URL(name, directory)))
      .digest('hex');
    if ((known.get(name) ?? hash) !== hash) {
      throw new Error(`Migreringen ${name} har ändrats efter att den kördes; återställ filen.`);
    }
    hashes.set(name, hash);
  }
  const pending = names.length - known.size;
  if (pending > 0) log(`Databasen förs till schema ${names.length}.`);
  await runner({
    dbClient: client,
    dir: fileURLToPath(directory),
    ignorePattern: '(?!\\d{4}-.*\\.sql$).*',
    direction: 'up',
    migrationsTable: 'applied',
    migrationsSchema: 'migration',
    noLock: true,
    log: () => undefined,
  });
  await client.query(
    `insert into migration.hashes select * from unnest($1::text[], $2::text[])
     on conflict (name) do nothing`,
    [[...hashes.keys()], [...hashes.values()]],
  );
}
