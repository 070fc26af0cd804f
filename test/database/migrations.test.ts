/** The schema comes to be once, however often and by however many it is asked for. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { hash } from '@node-rs/argon2';
import { expect, inject, onTestFinished, test } from 'vitest';
import { rawHashOf } from '#src/access/users/passwords.ts';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool, db } from '#src/db/pool.ts';
import { roles } from '#src/db/roles.ts';
import {
  listPolicies,
  listPrivileges,
  listRoutines,
  listTables,
} from '#src/ledger/verification/catalogue-store.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { uuid } from '#src/lib/uuid.ts';
import { cloneDatabase } from '../support/database.ts';
import { times } from '../support/processes.ts';

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
    queues: await rows(`select name, policy, retry_limit, heartbeat_seconds, dead_letter
      from pgboss.queue order by name`),
    applied: await rows('select name, run_on from migration.applied order by name'),
    privileges: await Promise.all(roles.map((role) => listPrivileges(db(pool), role))),
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

/** A copy of the program, without the migrations that `skip` says. */
async function copyProgram(skip: (name: string) => boolean = () => false): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'huvudbok-copy-'));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const part of ['src', 'workers', 'migrations', 'package.json'])
    await cp(join(root, part), join(copy, part), {
      recursive: true,
      filter: (source) => !skip(basename(source)),
    });
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
    installation_schema_version: await countFiles(),
  });
  await appendFile(join(copy, 'migrations', '0002-create-ledger.sql'), '-- a second thought\n');
  await expect(run()).rejects.toMatchObject({
    stderr: expect.stringContaining('0002-create-ledger.sql'),
  });
});

test('invoices booked before their terms were frozen get those that they were claimed by', async () => {
  const url = await createEmpty();
  const owner = createPool({ url, max: 1, applicationName: 'test' });
  onTestFinished(() => owner.end());
  // As it was before, and its rights too, which name what came later.
  const copy = await copyProgram((name) => name >= '0034' && name.endsWith('.sql'));
  await writeFile(join(copy, 'migrations', 'grants.sql'), '');
  await migrateBy(copy, url);
  const [customer, invoice, note, draft] = times(4).map(() => uuid());
  await owner.query(`
    insert into sales.customers (id, name, agreed_rate_e2) values ('${customer}', 'Kund', 1200);
    insert into sales.invoices (id, kind, credited_invoice_id, status, source, created_by, customer_id,
      invoice_date, due_date, payment_terms_days, debtor, net_ore, vat_ore, total_ore, number, ocr, booked_at)
    select id::uuid, kind, credited::uuid, status, 'app', 'test', '${customer}', day::date, day::date, 0,
      '{"name": "Kund"}', 0, 0, 0, number, ocr, case status when 'draft' then null else now() end
    from (values ('${invoice}', 'invoice', null, 'paid', '2026-03-31', 1001, '1'),
      ('${note}', 'credit_note', '${invoice}', 'booked', '2026-04-20', 1002, '2'),
      ('${draft}', 'invoice', null, 'draft', '2026-05-31', null, null))
      as i (id, kind, credited, status, day, number, ocr)`);
  await migrate({ url, log: quiet });
  const { rows } = await owner.query(`select id, agreed_rate_e2, interest_from, interest_is_stated,
    reminder_fee_is_agreed, effective_date from sales.invoices order by invoice_date`);
  const asBefore = {
    interest_from: 'due_date',
    interest_is_stated: true,
    reminder_fee_is_agreed: false,
  };
  expect(rows).toEqual([
    { id: invoice, agreed_rate_e2: 1200, effective_date: null, ...asBefore },
    { id: note, agreed_rate_e2: 1200, effective_date: '2026-04-20', ...asBefore },
    { id: draft, agreed_rate_e2: null, effective_date: null, ...asBefore },
  ]);
  // What was booked is frozen again.
  await expect(
    owner.query(`update sales.invoices set agreed_rate_e2 = 1 where id = '${invoice}'`),
  ).rejects.toMatchObject({ constraint: 'invoices_are_frozen' });
});

test('passwords, sessions and recovery codes of before 0070 go on working', async () => {
  const url = await createEmpty();
  const copy = await copyProgram((name) => /^(00[7-9]|0[1-9]|[1-9])\d*-.*\.sql$/.test(name));
  await writeFile(join(copy, 'migrations', 'grants.sql'), '');
  await migrateBy(copy, url);
  const pool = createPool({ url, max: 2, applicationName: 'test' });
  onTestFinished(() => pool.end());
  const [id, session, code] = [uuid(), sha256Of('session'), sha256Of('code')];
  await pool.query(
    `insert into restricted.users (id, email, role, password_hash, totp_secret)
     values ($1, 'gammal@exempel.se', 'agare', $2, $3)`,
    [id, await hash('rätt häst batteri'), Buffer.alloc(20, 7)],
  );
  await pool.query(
    'insert into restricted.sessions (hash, user_id, is_complete) values ($1, $2, true)',
    [session, id],
  );
  await pool.query('insert into restricted.recovery_codes (user_id, hash) values ($1, $2)', [
    id,
    code,
  ]);
  await migrate({ url, log: quiet });
  const ask = async (statement: string, values: unknown[] = []) =>
    (await pool.query(statement, values)).rows[0];
  const started = await ask(`select * from app.find_login('gammal@exempel.se', '192.0.2.1')`);
  await ask('select app.answer_try($1, $2)', [
    started.try,
    await rawHashOf('rätt häst batteri', started),
  ]);
  expect(
    await ask(
      `select app.begin_session($1, sha256('s'), null, '192.0.2.1', 'Firefox') as outcome`,
      [started.try],
    ),
  ).toEqual({ outcome: 'second_factor' });
  expect(await ask('select role, is_complete from app.enter($1)', [session])).toEqual({
    role: 'agare',
    is_complete: true,
  });
  expect(await ask('select app.spend_code($1, null, null, $2) as is_spent', [id, code])).toEqual({
    is_spent: true,
  });
}, 60_000);
