/** Registers read by key: whoever posts finds what to refer to, and keeps a copy that loses nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertDimension, updateDimension } from '#src/ledger/dimensions/store.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { changeArticle, createArticle } from '#src/sales/articles/store.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { type Installation, voucherBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

let books: Installation;
let ids: string[] = [];
beforeAll(async () => {
  books = await openBooks();
  const made = await db(books.owner).query<{ id: string }>(sql`
    insert into sales.customers (id, name, email, payment_terms_days, is_active)
    select gen_random_uuid(), 'Kund ' || n, 'kund' || n || '@kund.example', 30, n <> 3
    from generate_series(1, 5) n returning id`);
  ids = made.map(({ id }) => id);
  await db(books.owner).query(sql`insert into ledger.dimensions (id, kind, code, name)
    values (gen_random_uuid(), 'project', 'P1', 'Butiken')`);
  await db(
    books.owner,
  ).query(sql`insert into sales.articles (number, description, supply, unit_price_e4, unit)
    values ('ÖL–1', 'Öl', 'goods', 199500, 'st'), ('A''1', 'Apelsin', 'goods', null, null)`);
  await db(books.owner).query(sql`insert into purchases.suppliers (id, name, created_by)
    values (gen_random_uuid(), 'Granen AB', 'test')`);
});
afterAll(() => books.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  books.call({ url: `/api/v1/${path}`, headers });
const data = async (path: string) => {
  const answer = await get(path);
  expect([answer.statusCode, answer.json().error]).toEqual([200, undefined]);
  return answer.json().data as Record<string, unknown>[];
};
const all = async (path: string) => {
  const found: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const page = (await get(`${path}${path.includes('?') ? '&' : '?'}limit=2${cursor}`)).json();
    found.push(...page.data);
    if (!page.has_more) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
};

describe('each register', () => {
  const registers = [
    'konton?id=1930&id=3001&id=2611',
    'dimensioner',
    'artiklar',
    'kunder',
    'leverantorer',
    'serier',
    'rakenskapsar',
  ];
  test.each(registers)(
    '%s is read page by page, everything once and in one order',
    async (path) => {
      const whole = await data(`${path}${path.includes('?') ? '&' : '?'}limit=200`);
      expect(whole.length).toBeGreaterThan(0);
      expect(await all(path)).toEqual(whole);
    },
  );

  test.each(registers)(
    '%s answers 304 to who has it, and not when it has changed',
    async (path) => {
      const first = await get(path);
      const etag = String(first.headers['etag']);
      const again = await get(path, { 'if-none-match': `"annan", W/${etag}` });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      expect((await get(path, { 'if-none-match': '"annan"' })).statusCode).toBe(200);
    },
  );

  test.each(registers)('%s is closed to keys that may only hand in', async (path) => {
    const { key } = await books.makeKey(['intake:write']);
    const answer = await books.call({ url: `/api/v1/${path}`, key });
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
  });

  test.each([
    ['kunder?id=x', 'id'],
    ['konton?id=19300', 'id'],
    ['kunder?updatedSince=i+g%C3%A5r', 'updatedSince'],
    ['kunder?updatedSince=2026-02-30T00:00:00Z', 'updatedSince'],
    ['kunder?updatedSince=0000-01-01T00:00:00Z', 'updatedSince'],
    [`konton?${'id=1930&'.repeat(101)}`.slice(0, -1), 'id'],
    ['kunder?cursor=x', 'cursor'],
    ['artiklar?cursor=WyIiLCJcdTAwMDAiXQ', 'cursor'],
    ['kunder?active=ja', 'active'],
    ['kunder?limit=201', 'limit'],
    ['kunder?namn=Kund', 'namn'],
    ['serier?active=true', 'active'],
    ['artiklar?id=%00', 'id'],
    ['artiklar?externalId=%00', 'externalId'],
    [`kunder?externalId=${'a'.repeat(256)}`, 'externalId'],
    [`kunder?${'externalId=a&'.repeat(101)}`.slice(0, -1), 'externalId'],
    ['kunder?externalId=', 'externalId'],
    ['konton?externalId=1', 'externalId'],
  ])('%s is refused by name', async (path, field) => {
    const answer = await get(path);
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    expect(answer.json().detail.problems[0].path).toContain(field);
  });

  test('a cursor does not continue another list', async () => {
    const { next_cursor } = (await get('kunder?limit=1')).json();
    for (const other of ['leverantorer', 'kunder?active=true']) {
      const answer = await get(`${other}${other.includes('?') ? '&' : '?'}cursor=${next_cursor}`);
      expect(answer.json().detail.problems[0].reason).toBe('foreign_cursor');
    }
  });
});

test('what is found is what calls that write take', async () => {
  const [customer] = await data(`kunder?id=${ids[0]}`);
  const [project] = await data('dimensioner');
  const [account] = await data('konton?id=3001');
  const [article] = await data(`artiklar?id=${encodeURIComponent('ÖL–1')}`);
  expect(article).toMatchObject({ number: 'ÖL–1', unit_price: 19.95, unit: 'st', account: null });
  expect(account).toMatchObject({ number: 3001, type: 'revenue', vat_rate: 25, active: true });
  const invoice = await books.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId: customer?.['id'],
      invoiceDate: '2026-03-31',
      paymentTerms: customer?.['payment_terms'],
      rows: [{ description: 'Öl', quantity: 1, unitPrice: 19.95, vatRate: 25, account: 3001 }],
    },
  });
  expect(invoice.statusCode).toBe(200);
  const body = voucherBody();
  const rows = body.rows.map((row) => ({ ...row, project: project?.['id'] }));
  const voucher = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: { ...body, rows },
  });
  expect(voucher.statusCode).toBe(200);
  const year = await data('rakenskapsar');
  expect(year).toContainEqual(expect.objectContaining({ year: 2026, status: 'open' }));
  expect(await data('serier')).toContainEqual(
    expect.objectContaining({ code: 'A', year: 2026, last_number: 1 }),
  );
});

test('several are asked for by id, and those in use by active', async () => {
  const two = await data(`kunder?id=${ids[0]}&id=${ids[1]}`);
  expect(two.map(({ id }) => id).sort()).toEqual([ids[0], ids[1]].sort());
  const inactive = await data('kunder?active=false');
  expect(inactive.map(({ name }) => name)).toEqual(['Kund 3']);
});

test('what has changed since is told, whoever changed it, and nothing else', async () => {
  const since = encodeURIComponent(new Date().toISOString());
  expect(await data(`kunder?updatedSince=${since}`)).toEqual([]);
  await db(books.owner).query(sql`update sales.customers set city = 'Umeå',
    updated_at = '2000-01-01' where id = ${ids[4] ?? ''}`);
  await db(books.owner).query(
    sql`update ledger.accounts set is_active = false where number = 3001`,
  );
  const changed = await data(`kunder?updatedSince=${since}`);
  expect(changed.map(({ id, city }) => [id, city])).toEqual([[ids[4], 'Umeå']]);
  expect((await data(`konton?updatedSince=${since}`)).map(({ number }) => number)).toEqual([3001]);
});

test.each([
  ['kundfakturor?status=foo', 'status', 'unknown_value', 'draft, booked'],
  ['konton?id=1930&id=abc', 'id[1]', 'not_an_integer', 'ett heltal'],
  ['konton?limit=-1', 'limit', 'too_small', 'minst 1'],
  ['saldon?konto=abc', 'konto', 'not_an_integer', 'ett heltal'],
  ['verifikat?include=foo', 'include', 'unknown_value', 'account_names, dimensions'],
])('%s is told what may stand there', async (address, path, reason, words) => {
  const { key } = await books.makeKey(['data:read']);
  const answer = await books.call({ url: `/api/v1/${address}`, key });
  expect([answer.statusCode, answer.json().detail]).toMatchObject([
    400,
    { problems: [{ path, reason, message: expect.stringContaining(words) }] },
  ]);
});

describe('what other systems call it', () => {
  const supplier = { organizationNumber: null, vatNumber: null, endpoint: null, countryCode: 'SE' };
  const article = {
    description: 'Päron',
    supply: 'goods',
    account: null,
    unitPriceE4: null,
  } as const;
  const makers = {
    kunder: (externalId: string) =>
      withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Utifrån AB', externalId })),
    leverantorer: (externalId: string) =>
      withTx(books.owner, (tx) =>
        createSupplier(
          tx,
          { ...supplier, name: 'Utifrån AB', account: null, accounts: [], externalId },
          'test',
        ),
      ),
    artiklar: (externalId: string) =>
      withTx(books.owner, async (tx) => {
        const number = `N-${externalId}-${Math.random()}`;
        await createArticle(tx, number, { ...article, unit: null, externalId }, 'test');
        return { id: number };
      }),
    dimensioner: (externalId: string) =>
      withTx(books.owner, (tx) => {
        const code = Math.random().toString(36).slice(2, 12);
        return insertDimension(tx, { kind: 'project', code, name: 'Utifrån' }, externalId);
      }),
  };
  const keyOf = (one: Record<string, unknown> | undefined) => one?.['id'] ?? one?.['number'];

  test.each(Object.entries(makers))('finds one of %s, however it is spelt', async (path, make) => {
    const made = await make('Åre 17 ½');
    const other = await make('18');
    for (const asked of ['Åre 17 ½', ' A\u030are 17 ½ ']) {
      const found = await data(`${path}?externalId=${encodeURIComponent(asked)}`);
      expect(found.map(keyOf)).toEqual([made.id]);
      expect(found[0]).toMatchObject({ external_id: 'Åre 17 ½' });
    }
    const both = await all(`${path}?externalId=18&externalId=${encodeURIComponent('Åre 17 ½')}`);
    expect(new Set(both.map(keyOf))).toEqual(new Set([made.id, other.id]));
    expect(await data(`${path}?externalId=19`)).toEqual([]);
    expect(await data(`${path}?externalId=18&active=false`)).toEqual([]);
    const { next_cursor } = (
      await get(`${path}?externalId=18&externalId=${encodeURIComponent('Åre 17 ½')}&limit=1`)
    ).json();
    const answer = await get(`${path}?externalId=18&cursor=${next_cursor}`);
    expect(answer.json().detail.problems[0].reason).toBe('foreign_cursor');
  });

  test.each(Object.entries(makers))(
    'of several of %s made at once with one name there is one',
    async (path, make) => {
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => make('race')));
      const made = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(made).toHaveLength(1);
      for (const one of outcomes) {
        if (one.status === 'rejected')
          expect(one.reason.faults).toEqual([{ path: 'externalId', reason: 'external_id_taken' }]);
      }
      expect(await data(`${path}?externalId=race`)).toHaveLength(1);
    },
  );

  test('a change of it is a change, which a copy hears of', async () => {
    const { id } = await makers.dimensioner('before');
    const [before] = await data('dimensioner?externalId=before');
    const since = encodeURIComponent(String(before?.['updated_at']));
    await withTx(books.owner, (tx) =>
      updateDimension(tx, id, { name: 'Utifrån', isActive: true, externalId: 'after' }),
    );
    await makers.artiklar('before');
    const [one] = await data('artiklar?externalId=before');
    await withTx(books.owner, (tx) =>
      changeArticle(
        tx,
        String(one?.['number']),
        { ...article, unit: null, isActive: true, externalId: null },
        'test',
      ),
    );
    expect(await data('dimensioner?externalId=before')).toEqual([]);
    expect(await data('artiklar?externalId=before')).toEqual([]);
    const changed = await data(`dimensioner?updatedSince=${since}&id=${id}`);
    expect(changed).toMatchObject([{ external_id: 'after' }]);
    expect(changed[0]?.['updated_at']).not.toBe(before?.['updated_at']);
  });
});
