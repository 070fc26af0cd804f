/** The schema comes to be once, however often and by however many it is asked for. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { readFunctions, readMigrations, restoreMark, versionOf } from '#src/db/migrations.ts';
import { connect, createPool, db } from '#src/db/pool.ts';
import { roles } from '#src/db/roles.ts';
import { withOwner } from '#src/db/standing.ts';
import {
  listPolicies,
  listPrivileges,
  listRoutines,
  listTables,
} from '#src/ledger/verification/catalogue-store.ts';
import { OperatorError } from '#src/lib/operator-error.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { cloneDatabase } from '../support/database.ts';
import { times } from '../support/processes.ts';

const root = join(import.meta.dirname, '..', '..');
const quiet = () => undefined;

/** What the schema is called once all of the program's migrations have run. */
const version = versionOf(await readMigrations());

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
    tables: await listTables(db(pool)),
    columns: await rows(`select table_schema, table_name, column_name, data_type, column_default,
        is_nullable from information_schema.columns
      where table_schema in ('api', 'audit', 'intake', 'ledger', 'restricted', 'sales', 'pgboss')
        and table_name !~ '_\\d{8}$' order by 1, 2, 3`),
    constraints: await rows(`select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
      from pg_constraint where conrelid <> 0 and conrelid::regclass::text !~ '_\\d{8}$' order by 1, 2`),
    indexes: await rows(`select indexdef from pg_indexes
      where schemaname !~ '^pg_' and tablename !~ '_\\d{8}$' order by 1`),
    triggers: await rows('select tgname, pg_get_triggerdef(oid) from pg_trigger order by 1, 2'),
    routines: await listRoutines(db(pool)),
    policies: await listPolicies(db(pool)),
    queues:
      await rows(`select name, policy, retry_limit, heartbeat_seconds, dead_letter, partition, table_name
      from pgboss.queue order by name`),
    schedules: await rows(`select name, key from pgboss.schedule order by 1, 2`),
    applied: await rows('select name, run_on from migration.applied order by name'),
    privileges: await Promise.all(roles.map((role) => listPrivileges(db(pool), role))),
  };
  await pool.end();
  return description;
}

test('the program starts where a process may have few files open, as services and containers often may', async () => {
  const migrations = pathToFileURL(join(root, 'src/db/migrations.ts')).href;
  const script = `const { readFunctions, readMigrations } = await import('${migrations}');
    console.log((await readMigrations()).length, (await readFunctions()).length);`;
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 64 && exec "$0" --input-type=module --eval "$1"',
    process.execPath,
    script,
  ]);
  const all = [await readMigrations(), await readFunctions()];
  expect(stdout.trim()).toBe(all.map(({ length }) => length).join(' '));
});

test('three processes that start at once on an empty database all get the same, whole schema', async () => {
  const url = await createEmpty();
  const results = await Promise.all(times(3).map(() => migrate({ url, log: quiet })));
  expect(results).toEqual(
    times(3).map(() => ({ version, stamp: expect.stringMatching(/^[0-9a-f]{64}$/) })),
  );
  expect(new Set(results.map(({ stamp }) => stamp)).size).toBe(1);
});

test('two installations on one server may be upgraded at the same time', async () => {
  const urls = await Promise.all(times(4).map(createEmpty));
  const results = await Promise.all(urls.map((url) => migrate({ url, log: quiet })));
  expect(results).toEqual(urls.map(() => expect.objectContaining({ version })));
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

test('rights that nobody has changed are not given anew, and whatever anybody has changed is put right', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await migrate({ url: database.url, log: quiet });
  const owner = await connect(database.url, 'test');
  onTestFinished(() => owner.end());
  const api = new URL(await roleUrl(database.url, 'hb_api')).username;
  const written = async () =>
    (await owner.query(`select max(xmin::text::bigint) as last from pg_proc where oid >= 16384`))
      .rows[0].last;
  const before = [await describeDatabase(database.url), await written()];
  await migrate({ url: database.url, log: quiet });
  expect([await describeDatabase(database.url), await written()]).toEqual(before);

  for (const change of [
    `revoke select on ledger.vouchers from ${api}`,
    `grant select on audit.events to ${api}`,
    `grant update (name) on ledger.accounts to ${api}`,
    `grant execute on function audit.record to ${api}`,
    'grant usage on schema app to public',
  ]) {
    await owner.query(change);
    await migrate({ url: database.url, log: quiet });
    expect(await describeDatabase(database.url), change).toEqual(before[0]);
  }
});

test('a part that is told of the schema reads no files, and takes no other for it', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const { stamp } = await migrate({ url: database.url, log: quiet });
  const check = () => withOwner({ url: database.url, stamp }, async (_, login) => login('hb_api'));
  expect(await check()).toBe(await roleUrl(database.url, 'hb_api'));
  const owner = await connect(database.url, 'test');
  onTestFinished(() => owner.end());
  await owner.query(`update migration.functions set sha256 = 'x' where name = 'api.admit'`);
  await expect(check()).rejects.toThrow('andra funktioner än programmet (1 skiljer sig)');
  await owner.query(`create table ${restoreMark} ()`);
  await expect(check()).rejects.toThrow('restore igen');
});

test('what a worker has left for pg-boss to run as the owner is not run, though workers of before could write it', async () => {
  const url = await createEmpty();
  await migrate({ url, log: quiet, restoring: { only: (name) => name < '0317' } });
  const owner = await connect(url, 'test');
  onTestFinished(() => owner.end());
  await owner.query(`insert into pgboss.bam (name, version, status, table_name, command)
    values ('x', 1, 'pending', 'job_common', 'create table public.taken ()');
    update pgboss.version set bam_on = null`);
  await migrate({ url, log: quiet });
  const { rows } = await owner.query(`select to_regclass('public.taken') as taken,
    (select count(*)::integer from pgboss.bam) as waiting`);
  expect(rows).toEqual([{ taken: null, waiting: 0 }]);
});

test('a migration sets queues right that somebody with a worker’s login has turned away from their jobs', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await migrate({ url: database.url, log: quiet });
  const before = await describeDatabase(database.url);
  const worker = await connect(await roleUrl(database.url, 'hb_worker'), 'attacker');
  await worker.query(`update pgboss.queue set table_name = 'nowhere', partition = true, policy = 'short';
    insert into pgboss.schedule (name, key, cron) values ('purge', 'x', 'never')`);
  await worker.end();
  await migrate({ url: database.url, log: quiet });
  expect(await describeDatabase(database.url)).toEqual(before);
});

test('a worker’s login that passes for another migration holds none up', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  await migrate({ url: database.url, log: quiet });
  const worker = await connect(await roleUrl(database.url, 'hb_worker'), 'attacker');
  worker.on('error', () => undefined);
  await worker.query('select pg_advisory_lock(7203517)');
  await migrate({ url: database.url, log: quiet });
  await expect(worker.query('select 1')).rejects.toThrow();
});

test('where people had locked VAT is read out of the audit log, once', async () => {
  const url = await createEmpty();
  await migrate({ url, log: quiet, restoring: { only: (name) => name < '0284' } });
  const pool = createPool({ url, max: 1, applicationName: 'test' });
  await pool.query(`alter table ledger.locks disable trigger user;
    insert into ledger.locks values (true, null, '2026-06-30') on conflict (singleton) do update set vat_locked_to = '2026-06-30';
    alter table ledger.locks enable trigger user;
    insert into audit.events (id, occurred_at, actor, action, subject, detail) values
      (gen_random_uuid(), '2026-04-02', 'test', 'lock.vat', '2026-02-28', '{"before": null}'),
      (gen_random_uuid(), '2026-04-03', 'test', 'lock.vat', '2026-03-31', '{"before": "2026-02-28", "reason": "Mars"}'),
      (gen_random_uuid(), '2026-07-03', 'test', 'lock.vat', '2026-06-30', '{"reason": "Momsdeklarationen är lämnad"}')`);
  await migrate({ url, log: quiet });
  const { rows } = await pool.query('select vat_locked_to, vat_lock_said_to from ledger.locks');
  expect(rows).toEqual([{ vat_locked_to: '2026-06-30', vat_lock_said_to: '2026-03-31' }]);
  await pool.end();
});

/** A copy of the program. */
async function copyProgram(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'huvudbok-copy-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const part of ['src', 'workers', 'migrations', 'package.json'])
    await cp(join(root, part), join(copy, part), { recursive: true });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

const migrateBy = (copy: string, url: string) =>
  promisify(execFile)(
    process.execPath,
    [join(copy, 'src', 'cli', 'huvudbok.ts'), 'migrate', '--json'],
    {
      env: { DATABASE_URL: url },
      cwd: copy,
    },
  );

test('a migration that was edited after it ran is refused, by name', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const copy = await copyProgram();
  const run = () => migrateBy(copy, database.url);
  expect(JSON.parse((await run()).stdout)).toEqual({
    installation_schema_version: version,
  });
  await appendFile(join(copy, 'migrations', '0124-ledger.sql'), '-- a second thought\n');
  await expect(run()).rejects.toMatchObject({
    stderr: expect.stringContaining('0124-ledger.sql'),
  });
});

/** The program's migrations in a folder of their own, for a test to go on from. */
async function copyMigrations(): Promise<{ folder: string; directory: URL }> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(root, 'migrations'), folder, { recursive: true });
  return { folder, directory: pathToFileURL(`${folder}/`) };
}

test('functions whose files have changed are defined anew, all or none, and never by an older program', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const { url } = database;
  const { folder, directory } = await copyMigrations();
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  const answer = (value: number) =>
    write(
      'functions/ledger/answer.sql',
      `create or replace function ledger.answer() returns integer language sql as 'select ${value}';\n`,
    );
  const pool = createPool({ url, max: 1, applicationName: 'test' });
  onTestFinished(() => pool.end());
  const answered = async () => (await pool.query('select ledger.answer() as value')).rows[0].value;

  await write('9900-answer.sql', '-- A release whose functions have changed.\n');
  await answer(1);
  expect(await migrate({ url, log: quiet, directory })).toMatchObject({ version: 9900 });
  expect(await answered()).toBe(1);

  await answer(2);
  await write('functions/ledger/zero.sql', 'create function ledger.zero() returns nonsense;\n');
  await expect(migrate({ url, log: quiet, directory })).rejects.toThrow(OperatorError);
  expect(await answered()).toBe(1);
  await rm(join(folder, 'functions/ledger/zero.sql'));
  await migrate({ url, log: quiet, directory });
  expect(await answered()).toBe(2);

  const before = await describeDatabase(url);
  await expect(migrate({ url, log: quiet })).rejects.toThrow('nyare schema (9900-answer)');
  expect(await describeDatabase(url)).toEqual(before);
});

test('a migration gets the functions that it asks for, in their place', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const { folder, directory } = await copyMigrations();
  await writeFile(
    join(folder, 'functions/ledger/refuse_guest.sql'),
    `create or replace function ledger.refuse_guest() returns trigger language plpgsql as
      $$ begin raise exception 'no guests'; end $$;\n`,
  );
  await writeFile(
    join(folder, '9900-guests.sql'),
    `create table ledger.guests (id uuid not null, constraint guests_pkey primary key (id));
-- functions: ledger.refuse_guest, ledger.refuse_change
create trigger guests_are_refused before insert on ledger.guests
  for each row execute function ledger.refuse_guest();\n`,
  );
  await migrate({ url: database.url, log: quiet, directory });
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
  onTestFinished(() => pool.end());
  await expect(pool.query('insert into ledger.guests values (gen_random_uuid())')).rejects.toThrow(
    'no guests',
  );
});

test('books from before the baseline are refused in a sentence, and nothing is changed', async () => {
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
  onTestFinished(() => pool.end());
  await pool.query(`truncate migration.applied;
    insert into migration.applied (name, run_on) values ('0001-create-restricted', now())`);
  const before = await describeDatabase(database.url);
  await expect(migrate({ url: database.url, log: quiet })).rejects.toThrow(
    /^Böckerna i databasen är gjorda av en förhandsversion av Huvudbok \(0001-create-restricted\)/,
  );
  expect(await describeDatabase(database.url)).toEqual(before);
});

test('every function is in a file called as it is, once, and nowhere else', async () => {
  const defined = ({ text }: { text: string }) =>
    [...text.matchAll(/^create (?:or replace )?function ([a-z_.]+)\s*\(/gm)].map(
      ([, name]) => name,
    );
  const files = await readFunctions();
  for (const file of files) expect(new Set(defined(file))).toEqual(new Set([file.name]));
  for (const migration of await readMigrations()) expect(defined(migration)).toEqual([]);
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test' });
  onTestFinished(() => pool.end());
  const routines = (await listRoutines(db(pool))).map(({ name }) => name);
  const ours = routines.filter((name) => !name.startsWith('pgboss.'));
  expect(ours.sort()).toEqual(files.flatMap((file) => defined(file)).sort());
});

/** After a new one, in `migrations`: `sha256sum 0*.sql > frozen.sha256`; lines that are there never change. */
test('numbered migrations are as they were landed, and new ones come after them', async () => {
  const frozen = await readFile(join(root, 'migrations', 'frozen.sha256'), 'utf8');
  const lines = (await readMigrations()).map(({ name, sha256 }) => `${sha256}  ${name}.sql\n`);
  expect(lines.join('')).toBe(frozen);
});

test('a release whose functions or rights are others than the latest carries a numbered migration', async () => {
  const grants = await readFile(join(root, 'migrations', 'grants.sql'), 'utf8');
  const functions = (await readFunctions()).map(({ sha256 }) => sha256);
  const digest = sha256Of(...functions, grants).toString('hex');
  const releases = (await readFile(join(root, 'migrations', 'released.txt'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '));
  const [, last = '0', released = ''] = releases.at(-1) ?? [];
  const isAlike = digest === released;
  expect({ version, digest, mayBeReleased: isAlike || version > Number(last) }).toEqual({
    version: expect.any(Number),
    digest,
    mayBeReleased: true,
  });
  expect(releases.map(([, number]) => Number(number))).toEqual(
    releases.map(([, number]) => Number(number)).sort((a, b) => a - b),
  );
});

test('days and moments are read as they are on a server that writes them otherwise', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const owner = await connect(url, 'test');
  const name = new URL(url).pathname.slice(1);
  await owner.query(`alter database ${name} set datestyle to 'sql, dmy'`);
  await owner.query(`alter database ${name} set timezone to 'Pacific/Kiritimati'`);
  await owner.end();
  // A pooler between resets its sessions to what the database says.
  const read = async (before: string) => {
    const client = await connect(url, 'test');
    await client.query(before);
    const rows = client.query(
      `select '2026-03-04'::date as day, '2026-03-04T23:00:00Z'::timestamptz as moment`,
    );
    return (await rows.finally(() => client.end())).rows[0];
  };
  const asTheyAre = { day: '2026-03-04', moment: new Date('2026-03-04T23:00:00Z') };
  expect(await read('reset all')).toEqual(asTheyAre);
  await expect(read(`set datestyle to 'sql, dmy'`)).rejects.toThrow('not an ISO date: 04/03/2026');
  await migrate({ url, log: quiet });
  const settled = createPool({ url, max: 1, applicationName: 'test' });
  const { rows } = await settled.query(
    `select setting from pg_db_role_setting, unnest(setconfig) as setting where setrole = 0
       and setdatabase = (select oid from pg_database where datname = current_database()) order by 1`,
  );
  await settled.end();
  expect(rows.map(({ setting }) => setting)).toEqual([
    'DateStyle=ISO, YMD',
    'IntervalStyle=postgres',
    'TimeZone=UTC',
    'bytea_output=hex',
    'extra_float_digits=1',
    'jit=off',
  ]);
});
