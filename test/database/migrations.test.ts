/** The schema comes to be once, however often and by however many it is asked for. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool } from '#src/db/pool.ts';
import { roles } from '#src/db/roles.ts';
import { cloneDatabase } from '../support/database.ts';
import { times } from '../support/processes.ts';
import { listPolicies, listPrivileges, listRoutines, listTables } from './catalogue.ts';

const root = join(import.meta.dirname, '..', '..');
const quiet = () => undefined;

async function countFiles(): Promise<number> {
  const names = await readdir(join(root, 'migrations'));
  return names.filter((name) => /^\d{4}-/.test(name)).length;
}

/** A database with nothing in it, owned as the template is. */
async function createEmpty(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(inject('templateUrl'));
  const owner = decodeURIComponent(url.username);
  url.pathname = `/${name}`;
  const asAdmin = async (statement: string) => {
    const admin = await connect(inject('adminUrl'), 'test');
    await admin.query(statement);
    await admin.end();
  };
  await asAdmin(`create database ${name} owner "${owner}"`);
  onTestFinished(() => asAdmin(`drop database ${name} with (force)`));
  return url.href;
}

/** All that a migration makes or grants. */
async function describeDatabase(url: string): Promise<object> {
  const pool = createPool({ url, max: 2, applicationName: 'test' });
  const rows = async (statement: string) => (await pool.query(statement)).rows;
  const description = {
    tables: await listTables(pool),
    columns: await rows(`select table_schema, table_name, column_name, data_type, column_default,
        is_nullable from information_schema.columns
      where table_schema in ('api', 'audit', 'intake', 'ledger', 'restricted', 'sales', 'pgboss')
        and table_name !~ '_\\d{8}$' order by 1, 2, 3`),
    constraints: await rows(`select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
      from pg_constraint where conrelid <> 0 and conrelid::regclass::text !~ '_\\d{8}$' order by 1, 2`),
    indexes: await rows(`select indexdef from pg_indexes
      where schemaname !~ '^pg_' and tablename !~ '_\\d{8}$' order by 1`),
    triggers: await rows('select tgname, pg_get_triggerdef(oid) from pg_trigger order by 1, 2'),
    routines: await listRoutines(pool),
    policies: await listPolicies(pool),
    queues: await rows(`select name, policy, retry_limit, heartbeat_seconds, dead_letter
      from pgboss.queue order by name`),
    applied: await rows('select name, run_on from migration.applied order by name'),
    privileges: await Promise.all(roles.map((role) => listPrivileges(pool, role))),
  };
  await pool.end();
  return description;
}

test('three processes that start at once on an empty database all get the same, whole schema', async () => {
  const url = await createEmpty();
  const results = await Promise.all(times(3).map(() => migrate({ url, log: quiet })));
  const version = await countFiles();
  expect(results).toEqual(times(3).map(() => ({ version })));
});

test('two installations on one server may be upgraded at the same time', async () => {
  const urls = await Promise.all(times(4).map(createEmpty));
  const version = await countFiles();
  const results = await Promise.all(urls.map((url) => migrate({ url, log: quiet })));
  expect(results).toEqual(urls.map(() => ({ version })));
});

test('a second migration changes nothing, and says nothing', async () => {
  const database = await cloneDatabase();
  const lines: string[] = [];
  // The first after cloning restores the rights of the database itself.
  await migrate({ url: database.url, log: quiet });
  const before = await describeDatabase(database.url);
  await migrate({ url: database.url, log: (line) => lines.push(line) });
  expect(await describeDatabase(database.url)).toEqual(before);
  expect(lines).toEqual([]);
  await database.drop();
});

test('a migration that was edited after it ran is refused, by name', async () => {
  const database = await cloneDatabase();
  const copy = await mkdtemp(join(tmpdir(), 'huvudbok-edited-'));
  onTestFinished(async () => {
    await rm(copy, { recursive: true });
    await database.drop();
  });
  for (const part of ['src', 'workers', 'migrations', 'package.json'])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const run = () =>
    promisify(execFile)(process.execPath, [join(copy, 'src', 'huvudbok.ts'), 'migrate', '--json'], {
      env: { DATABASE_URL: database.url },
      cwd: copy,
    });
  expect(JSON.parse((await run()).stdout)).toEqual({
    installation_schema_version: await countFiles(),
  });
  await appendFile(join(copy, 'migrations', '0002-create-ledger.sql'), '-- a second thought\n');
  await expect(run()).rejects.toMatchObject({
    stderr: expect.stringContaining('0002-create-ledger.sql'),
  });
});
