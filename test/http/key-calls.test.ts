/** The log of a key's latest calls: what was refused is seen too, and it never grows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyCall, listCalls, recordCalls } from '#src/access/keys/call-store.ts';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { KeyCalls } from '#src/http/key-calls.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

/** The log once it holds as many calls. */
async function logOf(id: string, calls: number): Promise<KeyCall[]> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const log = await listCalls(db(books.owner), id);
    if (log.length >= calls || Date.now() > deadline) return log;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const told = (log: readonly KeyCall[]) =>
  log.map(({ route, status, code }) => [route, status, code]).reverse();

test('every call of a known key is seen, with the code it was refused with', async () => {
  const { id, key } = await books.makeKey(['ledger:write', 'data:read'], 5);
  const post = { method: 'POST', url: '/api/v1/verifikat', key } as const;
  const ids: string[] = [];
  for (const options of [
    { url: '/api/v1/meta', key },
    { url: '/api/v1/verifikat?id=x', key },
    { ...post, payload: voucherBody({ rows: [] }) },
    { ...post, payload: voucherBody({ date: '1999-01-01' }) },
    { ...post, payload: { text: 'x'.repeat(2_000_000) } },
    { method: 'POST', url: '/api/inbound/order', key, payload: {} } as const,
    { url: '/api/v1/meta', key },
  ]) {
    ids.push(String((await books.call(options)).headers['x-request-id']));
  }
  await db(books.owner).query(
    sql`update restricted.api_keys set expires_at = now() where id = ${id}::uuid`,
  );
  await books.call({ url: '/api/v1/meta', key });
  await db(books.owner).query(
    sql`update restricted.api_keys set revoked_at = now(), revoked_by = 'test' where id = ${id}::uuid`,
  );
  await books.call({ url: '/api/v1/meta', key });
  const log = await logOf(id, 9);
  expect(told(log)).toEqual([
    ['GET /api/v1/meta', 200, null],
    ['GET /api/v1/verifikat', 400, 'invalid_request'],
    ['POST /api/v1/verifikat', 400, 'invalid_request'],
    ['POST /api/v1/verifikat', 422, 'unprocessable'],
    ['POST /api/v1/verifikat', 413, 'payload_too_large'],
    ['POST /api/inbound/order', 403, 'insufficient_scope'],
    ['GET /api/v1/meta', 429, 'rate_limited'],
    ['GET /api/v1/meta', 401, 'unauthorized'],
    ['GET /api/v1/meta', 401, 'key_revoked'],
  ]);
  expect(
    log
      .map(({ requestId }) => requestId)
      .reverse()
      .slice(0, 7),
  ).toEqual(ids);
  expect(log.every(({ durationMs }) => durationMs >= 0 && durationMs < 10_000)).toBe(true);
});

test('of each key the latest hundred are kept, in the order they came', async () => {
  const { id, key } = await books.makeKey();
  const other = await books.makeKey();
  // A moment ago: what is said to be older or later than calls are is brought nearer.
  const begun = Date.now() - 10_000;
  const made = (secret: string, count: number, from: number) =>
    Array.from({ length: count }, (_, index) => ({
      hash: hashOfSecret(secret),
      calledAt: new Date(begun + from + index),
      route: `GET /${from + index}`,
      status: 200,
      code: null,
      durationMs: 1,
      requestId: randomUUID(),
    }));
  const writer = db(books.owner);
  await recordCalls(writer, [...made(key, 70, 0), ...made(other.key, 3, 500)]);
  await recordCalls(writer, [...made(other.key, 1, 600), ...made(key, 70, 70)]);
  const log = await logOf(id, 100);
  expect(told(log).map(([route]) => route)).toEqual(
    Array.from({ length: 100 }, (_, index) => `GET /${40 + index}`),
  );
  expect(await logOf(other.id, 4)).toHaveLength(4);
  await recordCalls(writer, made(key, 250, 1_000));
  const after = await logOf(id, 100);
  expect([after.length, after[0]?.route, after[99]?.route]).toEqual([
    100,
    'GET /1249',
    'GET /1150',
  ]);
});

test('of more calls than are kept between two writings, the latest are seen', async () => {
  const { id, key } = await books.makeKey();
  const gathered = new KeyCalls(db(books.owner), (error) => expect.fail(String(error)));
  const begun = Date.now() - 10_000;
  for (let n = 0; n < 250; n += 1) {
    const calledAt = new Date(begun + n);
    const call = { hash: hashOfSecret(key), calledAt, status: 200, code: null, durationMs: 1 };
    gathered.note({ ...call, route: `GET /${n}`, requestId: randomUUID() });
  }
  await gathered.flush();
  expect(told(await logOf(id, 100)).map(([route]) => route)).toEqual(
    Array.from({ length: 100 }, (_, index) => `GET /${150 + index}`),
  );
});

test('two processes that write at once lose nothing and never stop each other', async () => {
  const keys = await Promise.all([1, 2, 3].map(() => books.makeKey()));
  const batch = (order: typeof keys, status: number) =>
    order.flatMap(({ key }) =>
      Array.from({ length: 5 }, () => ({
        hash: hashOfSecret(key),
        calledAt: new Date(),
        route: 'GET /x',
        status,
        code: null,
        durationMs: 1,
        requestId: randomUUID(),
      })),
    );
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      recordCalls(db(books.owner), batch(index % 2 ? keys : keys.toReversed(), 200)),
    ),
  );
  for (const { id } of keys) expect(await logOf(id, 40)).toHaveLength(40);
});

test('a secret that is no key is written down nowhere', async () => {
  const before = await countCalls();
  await books.call({ url: '/api/v1/meta', key: `svc_live_${'x'.repeat(43)}` });
  await books.call({ url: '/api/v1/meta', key: null });
  await recordCalls(db(books.owner), [
    {
      hash: hashOfSecret('nobody'),
      calledAt: new Date(),
      route: 'GET /',
      status: 200,
      code: null,
      durationMs: 0,
      requestId: randomUUID(),
    },
  ]);
  const { id, key } = await books.makeKey();
  await books.call({ url: '/api/v1/meta', key });
  await logOf(id, 1);
  expect(await countCalls()).toBe(before + 1);
});

async function countCalls(): Promise<number> {
  const [row] = await db(books.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from restricted.key_calls`,
  );
  return row?.count ?? 0;
}
