/** Many at once against several processes on one database: everything happens once, or not at all. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import {
  countVouchers,
  createInstallation,
  type Installation,
  orderBody,
  voucherBody,
} from '../support/installation.ts';
import { type Call, startApp, startWorkers, times, until } from '../support/processes.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const url = '/api/v1/verifikat';

async function twoApps(): Promise<[Call, Call]> {
  return [await startApp(books.url), await startApp(books.url)];
}

test('64 identical vouchers with one Idempotency-Key, over two processes, become one voucher', async () => {
  const apps = await twoApps();
  const before = await countVouchers(books.owner);
  const payload = voucherBody();
  const headers = { 'idempotency-key': randomUUID() };
  const post = (index: number) =>
    (apps[index % 2] ?? apps[0])(books.key, { method: 'POST', url, payload, headers });
  const answers = await Promise.all(times(64).map(post));

  const posted = answers.filter(({ statusCode }) => statusCode === 200);
  expect(posted.length).toBeGreaterThan(0);
  expect(new Set(posted.map(({ body }) => body)).size).toBe(1);
  expect(posted.filter((answer) => !answer.headers['idempotent-replayed'])).toHaveLength(1);
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    expect(answer.statusCode).toBe(409);
    expect(answer.json().error).toBe('idempotency_in_progress');
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect(await countVouchers(books.owner)).toBe(before + 1);

  const retry = await post(1);
  expect(retry.body).toBe(posted[0]?.body);
  expect(retry.headers['idempotent-replayed']).toBe('true');
});

test('64 identical orders over two processes and two workers become one invoice', async () => {
  const apps = await twoApps();
  await startWorkers(books.url);
  await startWorkers(books.url);
  const payload = orderBody();
  const answers = await Promise.all(
    times(64).map((index) =>
      (apps[index % 2] ?? apps[0])(books.key, {
        method: 'POST',
        url: '/api/inbound/order',
        payload,
      }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(times(64).map(() => 200));
  const bodies = answers.map((answer) => answer.json());
  expect(new Set(bodies.map(({ invoiceId }) => invoiceId)).size).toBe(1);
  expect(new Set(bodies.map(({ customerId }) => customerId)).size).toBe(1);
  expect(bodies.filter(({ duplicate }) => duplicate !== true)).toHaveLength(1);
  const [stored] = await db(books.owner).query(
    sql`select count(*)::integer as invoices from sales.invoices`,
  );
  expect(stored).toEqual({ invoices: 1 });
});

test('64 different bodies of one order become one invoice, and everyone is told the same', async () => {
  const apps = await twoApps();
  await startWorkers(books.url);
  await startWorkers(books.url);
  const externalId = randomUUID();
  const answers = await Promise.all(
    times(64).map((index) =>
      (apps[index % 2] ?? apps[0])(books.key, {
        method: 'POST',
        url: '/api/inbound/order',
        payload: orderBody({ externalId, note: `body ${index}` }),
      }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(times(64).map(() => 200));
  expect(new Set(answers.map((answer) => answer.json().invoiceId)).size).toBe(1);
});

test('a key revoked under load posts nothing once the revocation has committed', async () => {
  const apps = await twoApps();
  const { id, key } = await books.makeKey();
  let isLoading = true;
  let posted = 0;
  const statuses = new Set<number>();
  const client = async (index: number): Promise<void> => {
    while (isLoading) {
      const app = apps[index % 2] ?? apps[0];
      const answer = await app(key, { method: 'POST', url, payload: voucherBody() });
      if (answer.statusCode === 200) posted += 1;
      else return void statuses.add(answer.statusCode);
    }
  };
  const clients = times(32).map(client);
  await until(() => posted > 200);
  const before = posted;
  await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
  const meanwhile = posted - before;
  const byKey = async () => {
    const [row] = await db(books.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from ledger.vouchers where posted_by = ${`key:${id}`}`,
    );
    return row?.count ?? 0;
  };
  const atRevocation = await byKey();
  await Promise.all(clients);
  isLoading = false;
  expect(await byKey()).toBe(atRevocation);
  expect([...statuses]).toEqual([401]);
  expect(posted).toBe(atRevocation);
  // The load must not keep the owner waiting: a few rounds of what is posted at once, and no more.
  expect(meanwhile).toBeLessThan(20 * clients.length);
});

test('a revocation gets its turn while postings overlap without a pause', async () => {
  const { id, key } = await books.makeKey();
  const hash = createHash('sha256').update(key).digest('hex');
  let isLoading = true;
  let rounds = 0;
  const posters = times(6).map(async () => {
    const client = await connect(await roleUrl(books.url, 'hb_api'), 'poster');
    for (; isLoading; rounds += 1) {
      await client.query(`begin; select * from api.post_vouchers(array['\\x${hash}']::bytea[],
          array['k'], array['']::bytea[], array[''], array['${randomUUID()}']::uuid[], array['A'],
          array['1999-01-01']::date[], array[''], array[null], array['api'], array[null]::uuid[],
          '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', null, false, null)`);
      await sleep(10);
      await client.query('commit');
    }
    await client.end();
  });
  await until(() => rounds > 12);
  await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
  isLoading = false;
  await Promise.all(posters);
});

test('a voucher dated on a page already read neither repeats nor hides another', async () => {
  const [call] = await twoApps();
  const series = 'C';
  const post = async (date: string) => {
    const payload = voucherBody({ seriesCode: series, date });
    const answer = await call(books.key, { method: 'POST', url, payload });
    return answer.json().id as string;
  };
  const existing: string[] = [];
  for (const day of ['05', '05', '06', '07', '07', '08', '09'])
    existing.push(await post(`2026-05-${day}`));
  const read: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await call(books.key, {
      method: 'GET',
      url: `${url}?serie=${series}&limit=2${cursor && `&cursor=${cursor}`}`,
    });
    const { data, next_cursor: next } = page.json();
    read.push(...data.map((voucher: { id: string }) => voucher.id));
    if (next === null) break;
    await post('2026-05-01');
    await post('2026-05-06');
    cursor = encodeURIComponent(next);
    if (read.length > 40) throw new Error('the pages never end');
  }
  expect(read.filter((id) => existing.includes(id))).toEqual(existing);
  expect(new Set(read).size).toBe(read.length);
});

test('the books are whole after all of it', async () => {
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
