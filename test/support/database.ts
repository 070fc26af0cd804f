/**
 * A database of its own for a test file, cloned in some ten milliseconds from one that is migrated, one with a
 * company, or one with all of the example company's books. What is cloned is made once a run, by whoever first
 * asks for it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { beginEpoch } from '#src/db/migrate.ts';
import { createPool, type Tx, withTx } from '#src/db/pool.ts';
import { seedDemo } from '#src/demo/service.ts';
import { setUp } from '#src/installation/company/service.ts';
import { TODAY, testCompany } from './company.ts';
import { testKeyring } from './secrets.ts';

export interface TestDatabase {
  /** The owner's login. */
  readonly url: string;
  drop(): Promise<void>;
}

const object_in_use = '55006';
const attempts_max = 50;

/** What a database may begin with: tables and nothing in them, a company, or the example company's books. */
const contents = {
  nothing: undefined,
  company: (tx: Tx) => setUp(tx, testCompany, 'test'),
  demo: (tx: Tx) =>
    seedDemo(tx, { today: TODAY, timeZone: 'Europe/Stockholm', keyring: testKeyring }, 'demo'),
};
export type Content = keyof typeof contents;

export async function cloneDatabase(content: Content = 'nothing'): Promise<TestDatabase> {
  const template = templates[content] ?? (await templateOf(content));
  templates[content] = template;
  return copyDatabase(template.href);
}

/** A copy of one that nobody is in, by its owner's login. */
export async function copyDatabase(original: string): Promise<TestDatabase> {
  const template = new URL(original);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await create(await keptAdmin(), name, template);
  const url = new URL(template);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      if (process.env['TEST_KEEP']) console.log(`Kept database ${name}`);
      else await (await keptAdmin()).query(`drop database ${name} with (force)`);
    },
  };
}

/** Those that this worker knows to be there. */
const templates: Partial<Record<Content, URL>> = {};

/** The database that others are cloned from. Whoever asks meanwhile waits for the one that makes it. */
async function templateOf(content: Content): Promise<URL> {
  const migrated = new URL(inject('templateUrl'));
  const fill = contents[content];
  if (!fill) return migrated;
  const template = new URL(migrated);
  template.pathname += `_${content}`;
  const name = template.pathname.slice(1);
  await asAdmin(async (admin) => {
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    // It has its name when it is whole: one that could not be filled is nobody's template.
    const unfinished = `${name}_${randomBytes(6).toString('hex')}`;
    await create(admin, unfinished, migrated);
    const url = new URL(migrated);
    url.pathname = `/${unfinished}`;
    const pool = createPool({ url: url.href, max: 1, applicationName: 'test' });
    await withTx(pool, async (tx) => void (await fill(tx))).finally(() => pool.end());
    await renameDatabase(admin, unfinished, name);
  });
  return template;
}

async function create(admin: pg.Client, name: string, template: URL): Promise<void> {
  const source = admin.escapeIdentifier(template.pathname.slice(1));
  const owner = admin.escapeIdentifier(decodeURIComponent(template.username));
  await whenNobodyIsIn(() =>
    admin.query(`create database ${name} owner ${owner} template ${source} strategy file_copy`),
  );
  // A clone does not take the database's own rights and settings with it (grants.sql, migrate.ts).
  await admin.query(`revoke temporary on database ${name} from public`);
  await admin.query(`alter database ${name} set jit = off`);
  await beginItsEpoch(template, name);
}

/** As `migrate` does: else the first transaction that writes an event would hold up all others. */
async function beginItsEpoch(template: URL, name: string): Promise<void> {
  const url = new URL(template);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(beginEpoch).finally(() => client.end());
}

const renameDatabase = (admin: pg.Client, from: string, to: string): Promise<void> =>
  whenNobodyIsIn(() => admin.query(`alter database ${from} rename to ${to}`));

/** The last connections of whoever filled it may not be quite gone. */
async function whenNobodyIsIn(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const is_busy = error instanceof pg.DatabaseError && error.code === object_in_use;
      if (!is_busy || attempt === attempts_max) throw error;
      await sleep(20);
    }
  }
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = await connectAdmin();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

let kept: pg.Client | undefined;

/** One for all clones of a worker, with which it ends: to connect takes a fourth of what a clone does. */
async function keptAdmin(): Promise<pg.Client> {
  if (kept) return kept;
  const admin = await connectAdmin();
  admin.on('error', () => {
    if (kept === admin) kept = undefined;
  });
  kept = admin;
  return admin;
}

async function connectAdmin(): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: inject('adminUrl') });
  await admin.connect();
  return admin;
}
