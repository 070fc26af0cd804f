/**
 * Whoever can run any SQL as a person or with a key calls functions with lists that no program makes, in
 * transactions that no program begins. What is written is what was judged and sealed, or nothing is.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { revokeKey } from '#src/access/keys/service.ts';
import { loadConfig } from '#src/config/config.ts';
import { findLogins, roleUrl } from '#src/db/logins.ts';
import { connect, databaseErrorOf, db, withTx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { type Connections, closeConnections, createConnections } from '#src/http/connections.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { buildApp } from '#src/process/app.ts';
import {
  countVouchers,
  createInstallation,
  type Installation,
  TODAY,
} from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

const malformed = '22023';
const noRight = 'HB405';

let books: Installation;
let person: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
});
afterAll(() => books.close());

function login(role: DatabaseRole) {
  const session = { run: (_statement: string): Promise<unknown[] | string> => Promise.reject() };
  let client: pg.Client;
  beforeEach(async () => {
    client = await connect(await roleUrl(books.url, role), 'attacker');
    session.run = (statement) =>
      client.query(statement).then(
        ({ rows }) => rows ?? [],
        (error) => databaseErrorOf(error)?.code ?? String(error),
      );
    return () => client.end();
  });
  return session;
}

const presented = (someone: LoggedIn): string =>
  hashOfSecret(String(someone.cookies.get(sessionCookie))).toString('hex');
const keyHash = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A voucher of two rows as a person posts it, with some lists as they should not be. */
const personsVoucher = (lists: Readonly<Record<string, string>> = {}): string => {
  const { ids, items, accounts, debits, notes } = {
    ids: 'array[gen_random_uuid()]',
    items: 'array[1, 1]',
    accounts: 'array[1930, 3001]',
    debits: 'array[100, 0]::bigint[]',
    notes: 'array[null, null]',
    ...lists,
  };
  return `select number, error from ledger.post(${ids}, array['A'], array['2026-03-31']::date[], array['x'],
    array[null], array['app'], 'x', ${items}, array[1, 2], ${accounts}, ${debits},
    array[0, 100]::bigint[], ${notes}, array[null, null]::uuid[], array[null, null]::uuid[])`;
};

const keysVoucher = (key: string, accounts = 'array[1930, 3001]'): string =>
  `select outcome from api.post_vouchers(array['\\x${keyHash(key)}']::bytea[],
    array[gen_random_uuid()::text], array['\\x01']::bytea[], array['{}'],
    array[gen_random_uuid()], array['A'], array['2026-03-31']::date[], array['x'], array[null], array['api'],
    array[gen_random_uuid()], array[1, 1], array[1, 2], ${accounts}, array[100, 0]::bigint[],
    array[0, 100]::bigint[], array[null, null], array[null, null]::uuid[], array[null, null]::uuid[], null, false, null)`;

/** Counted from nought: by place these are accounts 3001 and 1510, as rows 1930 and 3001. */
const shifted = `'[0:2]={1930, 3001, 1510}'::integer[]`;

describe('lists', () => {
  const app = login('hb_app');
  const api = login('hb_api');

  test.each([
    ['accounts that count from nought', { accounts: shifted }],
    ['accounts in two dimensions', { accounts: `'{{1930, 3001}}'::integer[]` }],
    ['too many amounts', { debits: 'array[100, 0, 7]::bigint[]' }],
    ['too few notes', { notes: 'array[null]' }],
    ['rows of a voucher that is not there', { items: 'array[2, 2]' }],
    ['a row after those of its voucher', { items: 'array[1, 2]' }],
    ['a voucher too many', { ids: 'array[gen_random_uuid(), gen_random_uuid()]' }],
    [
      'a voucher that counts from nought',
      { ids: `'[0:0]={00000000-0000-7000-8000-000000000001}'::uuid[]` },
    ],
  ])(
    'of a person with %s post nothing, for what is sealed would not be what is stored',
    async (_, lists) => {
      await app.run(`set huvudbok.session = '${presented(person)}'`);
      const before = await countVouchers(books.owner);
      expect(await app.run(personsVoucher(lists))).toBe(malformed);
      expect(await countVouchers(books.owner)).toBe(before);
      expect(await app.run(personsVoucher())).toMatchObject([{ error: null }]);
    },
  );

  test('of a key post nothing else than they seal', async () => {
    expect(await api.run(keysVoucher(books.key, shifted))).toBe(malformed);
    expect(await api.run(keysVoucher(books.key))).toEqual([{ outcome: 'posted' }]);
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems).toEqual([]);
  });

  test('that leave an invoice without a customer book no draft that somebody else made', async () => {
    const [draft] = await makeDrafts(books.owner, [100n]);
    const hash = `array['\\x${keyHash(books.key)}']::bytea[]`;
    const id = `array['${draft}']::uuid[]`;
    const nothing = `'{}', '{}', '{}', '{}'`;
    expect(
      await api.run(`select outcome from api.create_invoices(${hash}, array[null], array['\\x01']::bytea[],
        array['{}'], ${id}, ${id}, ${nothing}, '{}', ${nothing}, array[true], array[gen_random_uuid()],
        array['[]']::jsonb[], array[1, 1], array[1, 2], array[1510, 1930], array[12500, 0]::bigint[], array[0, 12500]::bigint[], false)`),
    ).toBe(malformed);
    const [row] = await db(books.owner).query(
      sql`select status from sales.invoices where id = ${draft}::uuid`,
    );
    expect(row).toEqual({ status: 'draft' });
  });

  test('that are neither tried nor done book no draft that somebody else made, and post nothing', async () => {
    const [draft] = await makeDrafts(books.owner, [100n]);
    const before = await countVouchers(books.owner);
    const hash = `array['\\x${keyHash(books.key)}']::bytea[]`;
    const { rows } = await books.owner.query(
      `select customer_id, net_ore, vat_ore, (select json_agg(a) from sales.voucher_amounts($1) a
        where credit_ore <> 0) as amounts from sales.invoices where id = $1`,
      [draft],
    );
    const [{ customer_id: customer, net_ore: net, vat_ore: vat, amounts }] = rows;
    const lines = amounts as { account: number; credit_ore: number }[];
    const list = (values: readonly number[]) => `array[${values.join()}]`;
    expect(
      await api.run(`select outcome from api.create_invoices(${hash}, array['crooked 9'], array['\\x01']::bytea[],
        array['{}'], array[gen_random_uuid()], array['${draft}']::uuid[], array['${customer}']::uuid[],
        array['2026-03-31']::date[], array[null]::date[], array['2026-04-30']::date[], array[30], array[null], array[null],
        array[${net}]::bigint[], array[${vat}]::bigint[], array[true], array[gen_random_uuid()], array['[]']::jsonb[],
        ${list(lines.map(() => 1))}, ${list(lines.map((_, at) => at + 1))}, ${list(lines.map(({ account }) => account))},
        ${list(lines.map(({ credit_ore: ore }) => Math.max(0, -ore)))}::bigint[],
        ${list(lines.map(({ credit_ore: ore }) => Math.max(0, ore)))}::bigint[], null)`),
    ).toBe('22004');
    const [row] = await db(books.owner).query(
      sql`select status from sales.invoices where id = ${draft}::uuid`,
    );
    expect(row).toEqual({ status: 'draft' });
    await api.run('begin');
    expect(await api.run(keysVoucher(books.key).replace(/false(, null)?\)$/, 'null$1)'))).toBe(
      '22004',
    );
    await api.run('rollback');
    expect(await countVouchers(books.owner)).toBe(before);
  });

  test('without keys store no order and no e-invoice', async () => {
    const id = `array[gen_random_uuid()]`;
    expect(
      await api.run(`select * from api.store_received('{}', array['order'], array['x'], array['x'], array[null],
        array[null], array['\\x01']::bytea[], array[sha256('x')], ${id}, ${id}, ${id})`),
    ).toBe(malformed);
    expect(
      await api.run(`select * from api.store_e_invoices('{}', ${id}, array[sha256('x')],
        array['\\x01']::bytea[], array[1]::bigint[], ${id}, array[null], array[null]::jsonb[])`),
    ).toBe(malformed);
  });

  test('that end without a key are not the one’s before', async () => {
    const twice = (value: string) => `array[${value}, ${value}]`;
    const answer = await api.run(`select outcome from api.post_vouchers(
      array['\\x${keyHash(books.key)}', null]::bytea[], array['crooked 1', 'crooked 2'],
      ${twice(`'\\x01'`)}::bytea[], ${twice(`'{}'`)}, ${twice('gen_random_uuid()')}, ${twice(`'A'`)},
      ${twice(`'2026-03-31'`)}::date[], ${twice(`'x'`)}, ${twice('null')}, ${twice(`'api'`)},
      ${twice('gen_random_uuid()')}, array[1, 1, 2, 2], array[1, 2, 1, 2], array[1930, 3001, 1930, 3001],
      array[100, 0, 100, 0]::bigint[], array[0, 100, 0, 100]::bigint[], array[null, null, null, null],
      array[null, null, null, null]::uuid[], array[null, null, null, null]::uuid[], null, false, null)`);
    expect(answer).toEqual([{ outcome: 'posted' }, { outcome: 'unauthorized' }]);
  });
});

describe('a worker that books an invoice', () => {
  const worker = login('hb_worker');
  type Row = readonly [item: number, account: number, debit: number, credit: number];
  const own: readonly Row[] = [
    [1, 1510, 12_500, 0],
    [1, 3001, 0, 10_000],
    [1, 2611, 0, 2_500],
  ];
  const booking = (drafts: readonly string[], rows: readonly Row[]): string => {
    const list = (values: readonly unknown[], type: string) => `array[${values.join()}]::${type}[]`;
    const placeOf = (row: Row) => rows.filter(([item]) => item === row[0]).indexOf(row) + 1;
    return `select error from sales.book(${list(
      drafts.map((id) => `'${id}'`),
      'uuid',
    )}, ${list(
      drafts.map(() => 'gen_random_uuid()'),
      'uuid',
    )}, 'job:invoice-booking', ${list(
      rows.map(([item]) => item),
      'integer',
    )}, ${list(rows.map(placeOf), 'integer')}, ${list(
      rows.map(([, account]) => account),
      'integer',
    )}, ${list(
      rows.map(([, , debit]) => debit),
      'bigint',
    )}, ${list(
      rows.map(([, , , credit]) => credit),
      'bigint',
    )})`;
  };

  test.each<[string, readonly Row[], string]>([
    [
      'without its VAT',
      [
        [1, 1510, 12_500, 0],
        [1, 3001, 0, 12_500],
      ],
      'HB002',
    ],
    [
      'with its VAT at another rate',
      [
        [1, 1510, 12_500, 0],
        [1, 3001, 0, 10_000],
        [1, 2621, 0, 2_500],
      ],
      'HB002',
    ],
    [
      'as another revenue',
      [
        [1, 1510, 12_500, 0],
        [1, 3911, 0, 10_000],
        [1, 2611, 0, 2_500],
      ],
      'HB002',
    ],
    [
      'with money that it knows nothing of',
      [...own, [1, 1930, 99_900, 0], [1, 3999, 0, 99_900]],
      'HB002',
    ],
    ['with rows of no invoice', [...own, [2, 1930, 100, 0], [2, 3999, 0, 100]], malformed],
  ])('%s posts nothing, for nobody could change it', async (_, rows, refusal) => {
    const drafts = await makeDrafts(books.owner, [100n]);
    const before = await countVouchers(books.owner);
    expect(await worker.run(booking(drafts, rows))).toBe(refusal);
    expect(await countVouchers(books.owner)).toBe(before);
    expect(await worker.run(booking(drafts, own))).toEqual([{ error: null }]);
  });

  test('twice in one call leaves neither a voucher nor a number without its invoice', async () => {
    const [draft = ''] = await makeDrafts(books.owner, [100n]);
    const twice = [...own, ...own.map(([, ...row]): Row => [2, ...row])];
    expect(await worker.run(booking([draft, draft], twice))).toBe(malformed);
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems).toEqual([]);
  });
});

describe('a transaction that reads what was committed before', () => {
  const app = login('hb_app');
  const api = login('hb_api');

  test.each(['repeatable read', 'serializable'])(
    '%s: posts nothing past a lock that is set meanwhile',
    async (level) => {
      await app.run(`begin isolation level ${level}`);
      await app.run(`set local huvudbok.session = '${presented(person)}'`);
      await app.run('select from ledger.locks');
      const set = (day: string | null) =>
        db(books.owner).query(sql`update ledger.locks set period_locked_to = ${day}`);
      await set('2026-03-31');
      try {
        expect(await app.run(personsVoucher())).toBe(noRight);
        await app.run('rollback');
        await app.run(`set huvudbok.session = '${presented(person)}'`);
        expect(await app.run(personsVoucher())).toMatchObject([{ error: 'period_locked' }]);
      } finally {
        await set(null);
      }
    },
  );

  test('is nobody’s, so that who is shut out is so at once', async () => {
    await app.run('begin isolation level repeatable read');
    await app.run(`set local huvudbok.session = '${presented(person)}'`);
    expect(await app.run('select app.current_role_name() as role')).toEqual([{ role: null }]);
    expect(await app.run('select id from ledger.vouchers')).toEqual([]);
  });

  test('outlives no key', async () => {
    const { id, key } = await books.makeKey();
    await api.run('begin isolation level repeatable read');
    await api.run('select 1 as one from ledger.vouchers limit 0');
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    expect(await api.run(keysVoucher(key))).toBe(noRight);
  });
});

describe('readiness', () => {
  let connections: Connections;
  beforeAll(async () => {
    const login = await findLogins(books.url);
    connections = createConnections(login, 'test readiness');
    await connections.decisions.start(login('hb_api'));
    return () => closeConnections(connections);
  });
  const one = login('hb_api');
  const other = login('hb_api');

  test('of one process is not held up by another that stopped while it proved its own', async () => {
    await one.run('begin');
    await one.run('select api.prove_writing()');
    await other.run(`set statement_timeout = '3s'`);
    expect(await other.run('select api.prove_writing()')).toHaveLength(1);
  });

  // Rights that are handed out at the moment make TRUNCATE fail so ("tuple concurrently updated").
  test.each([
    ['XX000', 200],
    ['53100', 503],
  ])('when TRUNCATE fails with %s is %i', async (code, status) => {
    await books.owner.query(`create function restricted.fail() returns trigger language plpgsql as $$
        begin raise exception 'made up' using errcode = '${code}'; end $$;
      create trigger fail before truncate on restricted.write_proofs
        execute function restricted.fail()`);
    const app = await buildApp({
      config: loadConfig({ BASE_URL: 'https://bok.example' }),
      ...connections,
      clock: { now: () => new Date(), today: () => TODAY },
    });
    try {
      const { rows: before } = await books.owner.query('select from restricted.write_proofs');
      expect((await app.inject({ url: '/readyz' })).statusCode).toBe(status);
      const { rows: after } = await books.owner.query('select from restricted.write_proofs');
      expect(after.length - before.length).toBe(status === 200 ? 1 : 0);
    } finally {
      await app.close();
      await books.owner.query('drop function restricted.fail cascade');
    }
  });
});
