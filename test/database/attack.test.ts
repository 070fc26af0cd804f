/**
 * What somebody gets who can run any SQL on one of the service's connections: the login's own rights
 * and nothing behind them.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { revokeKey } from '#src/access/keys/service.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, createPool, databaseErrorOf, withTx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { withKey } from '#src/http/access.ts';
import { Readers } from '#src/http/readers.ts';
import {
  countVouchers,
  createInstallation,
  type Installation,
  orderBody,
  voucherBody,
} from '../support/installation.ts';

const forbidden = '42501';
const noKey = 'HB401';
const revoked = 'HB402';
const noScope = 'HB403';
const noRight = 'HB405';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  await books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
  await books.call({ method: 'POST', url: '/api/inbound/order', payload: orderBody() });
  // Nobody is asked for a key where there is no row to see.
  await books.owner.query(`insert into ledger.dimensions (id, kind, code, name)
    values (gen_random_uuid(), 'project', 'P1', 'Butiken')`);
});
afterAll(() => books.close());

const hashOf = (key: string) => createHash('sha256').update(key).digest();
const present = (key: string) => `huvudbok.credential = '${hashOf(key).toString('hex')}'`;

/** The rows a statement gave, or the SQLSTATE it was refused with. */
async function attempt(client: pg.Client, statement: string): Promise<unknown[] | string> {
  try {
    const result = await client.query(statement);
    return result.rows ?? [];
  } catch (error) {
    return databaseErrorOf(error)?.code ?? String(error);
  }
}

function login(role: DatabaseRole) {
  const session = { run: (_statement: string): Promise<unknown[] | string> => Promise.reject() };
  let client: pg.Client;
  beforeEach(async () => {
    client = await connect(await roleUrl(books.url, role), 'attacker');
    client.on('error', () => undefined);
    session.run = (statement) => attempt(client, statement);
    return () => client.end();
  });
  return session;
}

const secretTables = [
  'restricted.company',
  'proposals.proposals',
  'restricted.users',
  'restricted.api_keys',
  'restricted.key_windows',
  'restricted.address_windows',
  'restricted.idempotency',
  'audit.events',
  'intake.orders',
  'intake.order_attempts',
  'intake.till_reports',
  'intake.trials',
  'sales.customers',
  'sales.articles',
  'sales.invoices',
  'sales.invoice_rows',
  'sales.invoice_numbers',
  'sales.reference_rates',
  'pgboss.job',
  'pgboss.queue',
  'migration.applied',
  'migration.functions',
  'migration.hashes',
  'ledger.month_ends',
  'ledger.attachments',
  'ledger.withheld_vouchers',
  'archive.contents',
  'archive.pages',
  'archive.renderings',
  'audit.verifications',
  'bank.transactions',
  'events.outbox',
  'events.removals',
  'events.endpoints',
  'events.deliveries',
  'intake.e_invoices',
  'purchases.suppliers',
  'purchases.invoices',
  'purchases.payments',
  'restricted.agency_keys',
  'restricted.agency_tokens',
  'sales.payments',
  'sales.receivables',
  'pg_authid',
  'pg_shadow',
  'pg_statistic',
];

const readableTables = [
  'vouchers',
  'voucher_rows',
  'locks',
  'series',
  'accounts',
  'dimensions',
  'month_balances',
].map((name) => `ledger.${name}`);

/** What nobody but its rightful writers may change. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await books.owner.query(`select
    (select json_agg(v order by v.id) from ledger.vouchers v) as vouchers,
    (select json_agg(l) from ledger.locks l) as locks,
    (select json_agg(s order by s.id) from ledger.series s) as series,
    (select json_agg(y order by y.id) from ledger.fiscal_years y) as years,
    (select json_agg(k order by k.id) from restricted.api_keys k) as keys,
    (select json_agg(c) from restricted.company c) as company,
    (select json_agg(i order by i.id) from sales.invoices i) as invoices,
    (select json_agg(c order by c.id) from sales.customers c) as customers,
    (select count(*) from restricted.users) as users,
    (select count(*) from audit.events) as events`);
  return rows;
}

const outOfReach = [
  `copy ledger.vouchers to program 'cat'`,
  `copy ledger.vouchers from '/etc/passwd'`,
  `select pg_read_file('/etc/passwd')`,
  `select pg_ls_dir('.')`,
  `select * from pg_hba_file_rules`,
  `alter system set fsync = off`,
  `alter table ledger.vouchers disable row level security`,
  `alter table ledger.vouchers disable trigger all`,
  `drop policy key_reads on ledger.vouchers`,
  `set session_replication_role = replica`,
  `create role intruder`,
  `grant hb_worker to current_user`,
  `create extension dblink`,
];

/** Refused: no right, no such thing to be had, or not from here. */
const refusals = ['42501', '42704', '22023', '3F000', '0A000', '58P01'];

/** Things whose names could stand in the way of those that functions mean. */
const newObjects = [
  `create temporary table text (a integer)`,
  `create temporary view api_keys as select 1`,
  `create function pg_temp.now() returns timestamptz language sql as 'select null::timestamptz'`,
  `create table public.vouchers (a integer)`,
  `create function public.sha256(bytea) returns bytea language sql as 'select $1'`,
  `create schema intruder`,
  `create table ledger.mine (a integer)`,
  `create function api.mine() returns integer language sql as 'select 1'`,
  `create type public.uuid as (a integer)`,
];

const writes = [
  `insert into ledger.vouchers select * from ledger.vouchers`,
  `update ledger.vouchers set description = 'x'`,
  `delete from ledger.vouchers`,
  `truncate ledger.vouchers, ledger.voucher_rows`,
  `update ledger.voucher_rows set debit_ore = 1`,
  `delete from ledger.voucher_rows`,
  `update ledger.locks set period_locked_to = null`,
  `update ledger.fiscal_years set status = 'open'`,
  `update ledger.series set last_number = 0`,
  `do 'begin lock table ledger.series in exclusive mode; end'`,
];

const ledgerCall = (id: string) => `select * from ledger.post(
  array['${id}']::uuid[], array['D'], array['2026-03-31']::date[], array['x'], array[null],
  array['supplier_invoice'], 'job:supplier-invoice-booking', array[1, 1], array[1, 2], array[1930, 3001],
  array[100, 0]::bigint[], array[0, 100]::bigint[], array[null, null], array[null, null]::uuid[],
  array[null, null]::uuid[])`;

const otherRoles = ['hb_owner', 'postgres', 'hb_api', 'hb_app', 'hb_agency', 'hb_worker'];

describe('any SQL as hb_api', () => {
  const api = login('hb_api');

  test.each(secretTables)('reads nothing of %s', async (table) => {
    expect(await api.run(`select * from ${table}`)).toBe(forbidden);
  });
  test.each(outOfReach)('%s', async (statement) => {
    expect(refusals).toContain(await api.run(statement));
  });
  test.each(newObjects)('cannot %s', async (statement) => {
    expect(refusals).toContain(await api.run(statement));
  });
  test.each(writes)('cannot %s', async (statement) => {
    await api.run(`set ${present(books.key)}`);
    expect(await api.run(statement)).toBe(forbidden);
  });
  test('becomes nobody else', async () => {
    for (const role of otherRoles.filter((name) => name !== 'hb_api')) {
      expect(refusals).toContain(await api.run(`set role ${role}`));
      expect(refusals).toContain(await api.run(`set session authorization ${role}`));
    }
  });
  test('reaches the ledger, the job queue and the purge through no function', async () => {
    const before = await countVouchers(books.owner);
    await api.run(`set ${present(books.key)}`);
    expect(await api.run(ledgerCall('00000000-0000-7000-8000-000000000001'))).toBe(forbidden);
    expect(await api.run(`select intake.enqueue('purge', array['{}']::jsonb[])`)).toBe(forbidden);
    expect(await api.run('select restricted.purge_expired()')).toBe(forbidden);
    expect(await countVouchers(books.owner)).toBe(before);
  });

  test.each([
    ['nothing set', ''],
    ['an empty credential', `set huvudbok.credential = ''`],
    ['a made-up hash', `set huvudbok.credential = '${'ab'.repeat(32)}'`],
    ['the secret instead of its hash', `set huvudbok.credential = 'svc_live_x'`],
    ['a pattern', `set huvudbok.credential = '%'`],
  ])('%s opens neither vouchers, years, locks nor functions', async (_, set) => {
    if (set) await api.run(set);
    for (const statement of [
      'select * from ledger.vouchers',
      'select count(*) from ledger.voucher_rows',
      'select * from ledger.fiscal_years',
      'select period_locked_to from ledger.locks',
      'select * from ledger.series',
      'select * from ledger.accounts',
      'select * from ledger.dimensions',
      'select * from ledger.month_balances',
      'select * from api.installation()',
      `select * from api.reconcile_orders(array['x'], '{}')`,
    ]) {
      // 22023 is a credential that is not even hexadecimal.
      expect([noKey, '22023']).toContain(await api.run(statement));
    }
  });

  test('a key that has been revoked sees nothing in the next statement of the same transaction', async () => {
    const { id, key } = await books.makeKey();
    await api.run('begin');
    await api.run(`set local ${present(key)}`);
    expect(await api.run('select number from ledger.vouchers')).toHaveLength(1);
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    expect(await api.run('select number from ledger.vouchers')).toBe(revoked);
  });

  test('a credential set for one transaction is gone in the next', async () => {
    await api.run('begin');
    await api.run(`set local ${present(books.key)}`);
    await api.run('commit');
    expect(await api.run('select * from ledger.vouchers')).toBe(noKey);
  });

  test('a key for intake alone reads no voucher, though it may reconcile', async () => {
    const { key } = await books.makeKey(['intake:write']);
    await api.run(`set ${present(key)}`);
    expect(await api.run('select * from ledger.vouchers')).toBe(noScope);
    for (const table of ['voucher_rows', 'accounts', 'dimensions', 'month_balances']) {
      expect(await api.run(`select * from ledger.${table}`)).toBe(noScope);
    }
    expect(await api.run(`select * from api.reconcile_orders(array['x'], '{}')`)).toEqual([]);
  });

  test('nobody asks what became of an order without a key, nor about another order’s body', async () => {
    const { rows } = await books.owner.query('select id, order_id from intake.order_attempts');
    const { id, order_id: orderId } = rows[0];
    const ask = (hash: string, order = orderId) =>
      api.run(`select refusal, status from api.order_outcomes(array['\\x${hash}']::bytea[],
        array['${order}']::uuid[], array['${id}']::uuid[])`);
    const { key: reader } = await books.makeKey(['data:read']);
    expect(await ask('')).toEqual([{ refusal: 'unauthorized', status: null }]);
    expect(await ask(hashOf(reader).toString('hex'))).toEqual([
      { refusal: 'insufficient_scope', status: null },
    ]);
    const known = hashOf(books.key).toString('hex');
    expect(await ask(known, id)).toEqual([{ refusal: null, status: null }]);
    expect(await ask(known)).toEqual([{ refusal: null, status: 'draft' }]);
  });

  test('what an order was sent with is read by the key that sent it, and by no other', async () => {
    const { rows } = await books.owner.query('select order_id from intake.order_attempts');
    const ask = (hash: string) =>
      api.run(`select refusal, body is not null as is_told from api.first_bodies(
        array['\\x${hash}']::bytea[], array['${rows[0].order_id}']::uuid[])`);
    const { key: reader } = await books.makeKey(['data:read']);
    const { key: shop } = await books.makeKey(['intake:write']);
    for (const [hash, refusal, is_told] of [
      ['', 'unauthorized', false],
      [hashOf(reader).toString('hex'), 'insufficient_scope', false],
      [hashOf(shop).toString('hex'), null, false],
      [hashOf(books.key).toString('hex'), null, true],
    ] as const) {
      expect(await ask(hash)).toEqual([{ refusal, is_told }]);
    }
  });

  test('nobody stores an e-invoice or asks what became of one without a key that may', async () => {
    const { key: reader } = await books.makeKey(['data:read']);
    for (const [hash, outcome] of [
      ['', 'unauthorized'],
      [hashOf(reader).toString('hex'), 'insufficient_scope'],
    ]) {
      const id = '00000000-0000-7000-8000-000000000004';
      const stored = await api.run(`select outcome from api.store_e_invoices(
        array['\\x${hash}']::bytea[], array['${id}']::uuid[], array['\\x01']::bytea[],
        array['\\x01']::bytea[], array[1]::bigint[], array['${id}']::uuid[], array[null], array[null]::jsonb[])`);
      expect(stored).toEqual([{ outcome }]);
      const asked = await api.run(`select refusal, status from api.e_invoice_outcomes(
        array['\\x${hash}']::bytea[], array['${id}']::uuid[])`);
      expect(asked).toEqual([{ refusal: outcome, status: null }]);
    }
    const { rows } = await books.owner.query('select from intake.e_invoices');
    expect(rows).toEqual([]);
  });

  test('events are told to living keys that may read, and to nobody else', async () => {
    const ask = () => api.run(`select * from api.list_events(0, 0, '0', 0, 10)`);
    expect(await ask()).toBe(noKey);
    const { key } = await books.makeKey(['intake:write']);
    await api.run(`set ${present(key)}`);
    expect(await ask()).toBe(noScope);
  });

  test('a key for reading reconciles nothing', async () => {
    const { key } = await books.makeKey(['data:read']);
    await api.run(`set ${present(key)}`);
    expect(await api.run(`select * from api.reconcile_orders(array['x'], '{}')`)).toBe(noScope);
  });

  test('other connections’ statements do not give their credentials away', async () => {
    const url = await roleUrl(books.url, 'hb_api');
    const pool = createPool({ url, max: 1, applicationName: 'victim', isPipelined: true });
    const hash = hashOf(books.key);
    const caller = { keyId: '', keyName: '', scopes: [], hash, hasHungUp: () => false };
    await withKey(new Readers({ pool, atOnce: 1, waiting: 1 }), caller, async (tx) => {
      const statement = `select query from pg_stat_activity where application_name = 'victim'`;
      const see = async () => JSON.stringify(await api.run(statement));
      // It has been sent, and is the last that was until the next is.
      await expect.poll(see).toContain('huvudbok.credential');
      const seen = await see();
      expect(seen).not.toContain(hashOf(books.key).toString('hex'));
      expect(await tx.query(sql`select number from ledger.vouchers`)).toHaveLength(1);
    });
    await pool.end();
  });
});

describe('any SQL as hb_agency', () => {
  const session = login('hb_agency');

  test('reads nothing, calls nothing, makes nothing', async () => {
    await session.run(`set ${present(books.key)}`);
    for (const table of [...secretTables, ...readableTables])
      expect(await session.run(`select * from ${table}`)).toBe(forbidden);
    for (const statement of [...writes, ledgerCall('00000000-0000-7000-8000-000000000002')])
      expect(await session.run(statement)).toBe(forbidden);
    for (const statement of ['select api.require_key()', 'select * from api.installation()'])
      expect(await session.run(statement)).toBe(forbidden);
    for (const statement of newObjects) expect(refusals).toContain(await session.run(statement));
    for (const other of otherRoles.filter((name) => name !== 'hb_agency'))
      expect(refusals).toContain(await session.run(`set role ${other}`));
  });
});

describe('any SQL as hb_app without a person', () => {
  const session = login('hb_app');

  test.each([
    ['nobody', ''],
    ['a made-up session', 'ab'.repeat(32)],
    ['a key’s hash', 'key'],
  ])('reads nothing and changes nothing as %s', async (_, presented) => {
    const hash = presented === 'key' ? hashOf(books.key).toString('hex') : presented;
    await session.run(`set huvudbok.session = '${hash}'`);
    await session.run(`set ${present(books.key)}`);
    const before = await fingerprint();
    for (const table of [...secretTables, ...readableTables])
      expect([table, [forbidden, []]]).toEqual([
        table,
        expect.arrayContaining([await session.run(`select * from ${table}`)]),
      ]);
    for (const statement of [...writes, ledgerCall('00000000-0000-7000-8000-000000000002')])
      expect([[], forbidden, noRight]).toContainEqual(await session.run(statement));
    expect(await fingerprint()).toEqual(before);
  });

  test('makes nothing and becomes nobody else', async () => {
    for (const statement of newObjects) expect(refusals).toContain(await session.run(statement));
    for (const other of otherRoles.filter((name) => name !== 'hb_app'))
      expect(refusals).toContain(await session.run(`set role ${other}`));
  });

  test('learns nothing of the operation of the installation', async () => {
    for (const statement of [
      'select * from app.queue_states()',
      'select * from app.list_dead_jobs(null, 10)',
      'select * from app.database_facts()',
      `select * from app.actor_names(array['key:x'])`,
      `select unnest(app.matching_events('a', 10))`,
      `select * from sales.find_invoices('a', null, null, null, null, 10)`,
    ]) {
      const answer = await session.run(statement);
      const isShut = typeof answer === 'string' || answer.length === 0;
      expect([statement, answer, isShut]).toEqual([statement, answer, true]);
    }
  });
});

describe.each(['hb_api', 'hb_app', 'hb_agency', 'hb_worker'] as const)('any SQL as %s', (role) => {
  const session = login(role);

  test('takes away no rule of who may read, which would shut everybody out for good, and holds no table by trying', async () => {
    const policies = async () =>
      (await books.owner.query('select * from pg_policies order by 1, 2, 3')).rows;
    const before = await policies();
    expect(before).not.toEqual([]);
    for (const statement of [
      'drop owned by current_user',
      'drop owned by current_user cascade',
      'reassign owned by current_user to current_user',
    ]) {
      await session.run('begin');
      await session.run(statement);
      const [{ held } = { held: 0 }] = (await session
        .run(`select count(*)::integer as held from pg_locks
        where pid = pg_backend_pid() and mode = 'AccessExclusiveLock' and locktype = 'relation'`)
        .then((rows) => (typeof rows === 'string' ? [{ held: 0 }] : rows))) as { held: number }[];
      expect([statement, held]).toEqual([statement, 0]);
      await session.run('commit');
    }
    expect(await policies()).toEqual(before);
  });
});

describe('any function of hb_agency', () => {
  const agency = login('hb_agency');

  test('learns nothing without a secret that an agency was given', async () => {
    for (const hash of ['', 'ab'.repeat(32), hashOf(books.key).toString('hex')]) {
      const secret = `'\\x${hash}'::bytea`;
      expect(await agency.run(`select * from agency.find_key(${secret})`)).toEqual([
        { outcome: 'unauthorized', agency: null },
      ]);
      expect(
        await agency.run(`select agency.create_token(${secret}, ${secret}, 3600) as expires_at`),
      ).toEqual([{ expires_at: null }]);
      expect(
        await agency.run(
          `select * from agency.aggregate(${secret}, '2026-11-20', 'Europe/Stockholm')`,
        ),
      ).toEqual([{ outcome: 'unauthorized', answer: null }]);
    }
  });

  test('makes no token that outlives an hour, and never fills the table', async () => {
    const { key } = await withTx(books.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
    const known = `'\\x${hashOf(key).toString('hex')}'`;
    for (const seconds of [1_000_000_000, 2_147_483_647, -5]) {
      const [made] = (await agency.run(`select agency.create_token(${known},
        sha256(gen_random_uuid()::text::bytea), ${seconds}) - extract(epoch from now()) as seconds`)) as {
        seconds: string;
      }[];
      expect(Number(made?.seconds)).toBeLessThanOrEqual(3_600);
    }
    await agency.run(`select agency.create_token(${known}, sha256(n::text::bytea), 3600)
      from generate_series(1, 700) as n`);
    const { rows } = await books.owner.query(
      'select count(*)::integer as count from restricted.agency_tokens',
    );
    expect(rows).toEqual([{ count: 600 }]);
    // The latest opens, whatever came before it.
    expect(
      await agency.run(
        `select outcome from agency.aggregate(sha256('700'), '2026-11-20', 'Europe/Stockholm')`,
      ),
    ).toEqual([{ outcome: 'granted' }]);
  });
});

describe('any SQL as hb_worker', () => {
  const worker = login('hb_worker');

  test.each([
    'restricted.users',
    'restricted.api_keys',
    'restricted.idempotency',
    'restricted.company',
    'audit.events',
    'pg_authid',
  ])('reads nothing of %s', async (table) => {
    expect(await worker.run(`select * from ${table}`)).toBe(forbidden);
  });
  test.each([
    ...writes,
    ...newObjects,
    ...outOfReach,
    `insert into restricted.api_keys select * from restricted.api_keys`,
    `update restricted.api_keys set revoked_at = null`,
    `delete from audit.events`,
    `update audit.events set actor = 'x'`,
    `update restricted.company set collective_customer_id = null`,
    `delete from sales.invoices`,
    `update sales.invoices set total_ore = 0, net_ore = 0, vat_ore = 0`,
    `insert into sales.invoices (id, source, status, number, ocr, booked_at, created_by, customer_id,
       invoice_date, due_date, payment_terms_days, debtor, net_ore, vat_ore, total_ore, open_ore)
     select gen_random_uuid(), 'opening', 'booked', 99, '992', now(), 'x', id, '2020-01-01', '2020-01-31',
       30, '{}', 100, 0, 100, 100 from sales.customers limit 1`,
    `update sales.invoice_rows set net_ore = 0`,
    `update intake.order_attempts set raw = ''`,
    `delete from intake.order_attempts`,
    `update intake.till_reports set raw = ''`,
    `delete from intake.till_reports`,
    `update intake.e_invoices set raw = ''`,
    `delete from intake.e_invoices`,
    `update intake.trials set raw = ''`,
    `delete from intake.trials`,
    `delete from pgboss.version`,
    `insert into pgboss.version (version) values (1)`,
    `update pgboss.version set version = version + 1`,
    `insert into pgboss.bam (name, version, status, table_name, command)
       values ('x', 1, 'pending', 'job_common', 'drop table ledger.vouchers')`,
    `update pgboss.bam set command = 'drop table ledger.vouchers', status = 'pending'`,
    `select pgboss.job_table_run_async('x', 1, 'drop table ledger.vouchers')`,
    `select restricted.empty_demo()`,
    `update purchases.invoices set payable_ore = 0`,
    `delete from purchases.invoices`,
    `insert into purchases.payments select * from purchases.payments`,
    `update purchases.suppliers set name = 'x'`,
    `insert into events.outbox (type, subject) values ('voucher.posted', gen_random_uuid())`,
    `delete from events.endpoints`,
    `update archive.contents set bytes = ''`,
    `update audit.verifications set problems = '[]'`,
    `select bytes from archive.contents`,
    `select api.require_key()`,
  ])('cannot %s', async (statement) => {
    expect(refusals).toContain(await worker.run(statement));
  });
  test('becomes nobody else', async () => {
    for (const role of otherRoles.filter((name) => name !== 'hb_worker'))
      expect(refusals).toContain(await worker.run(`set role ${role}`));
  });
  test('posts through the ledger’s function, which judges it', async () => {
    const id = '00000000-0000-7000-8000-000000000003';
    await worker.run('begin');
    expect(await worker.run(ledgerCall(id))).toMatchObject([{ item: 1, error: null }]);
    expect(await worker.run(ledgerCall(id))).toBe('23505');
    await worker.run('rollback');
  });
  test('posts as a supplier’s invoice nothing that is none’s', async () => {
    const before = await countVouchers(books.owner);
    expect(await worker.run(ledgerCall('00000000-0000-7000-8000-000000000004'))).toBe('HB002');
    expect(await countVouchers(books.owner)).toBe(before);
  });
});
