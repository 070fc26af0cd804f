import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { roleUrl } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { upkeep } from '#workers/upkeep.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';

let books: Installation;
let worker: Pool;
beforeAll(async () => {
  books = await createInstallation();
  worker = createPool({
    url: roleUrl(books.url, 'hb_worker'),
    max: 1,
    applicationName: 'test worker',
  });
});
afterAll(async () => {
  await worker.end();
  await books.close();
});

const post = (key: string) =>
  books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(),
    headers: { 'idempotency-key': key },
  });

const kept = () =>
  db(books.owner).query<{ key: string }>(
    sql`select idempotency_key as key from restricted.idempotency order by 1`,
  );

test('an answer is kept for 72 hours and then cleared away, however often that is done', async () => {
  for (const key of ['older-than-72h', 'almost-72h', 'just-now']) await post(key);
  const age = (key: string, interval: string) =>
    books.owner.query(
      `update restricted.idempotency set created_at = now() - interval '${interval}'
       where idempotency_key = '${key}'`,
    );
  await age('older-than-72h', '72 hours 1 second');
  await age('almost-72h', '71 hours 59 minutes');
  for (let round = 0; round < 2; round += 1) {
    await withTx(worker, (tx) => upkeep.handle(tx, [{}]));
    expect(await kept()).toEqual([{ key: 'almost-72h' }, { key: 'just-now' }]);
  }
  expect((await post('almost-72h')).headers['idempotent-replayed']).toBe('true');
  expect((await post('older-than-72h')).headers['idempotent-replayed']).toBeUndefined();
});

test('a sender’s count of failures is forgotten after a day', async () => {
  await books.call({ method: 'GET', url: '/api/v1/meta', key: `svc_live_${'A'.repeat(43)}` });
  const count = async () =>
    (await db(books.owner).query(sql`select from restricted.address_windows`)).length;
  await withTx(worker, (tx) => upkeep.handle(tx, [{}]));
  expect(await count()).toBe(1);
  await books.owner.query(
    `update restricted.address_windows set opened_at = now() - interval '25 hours'`,
  );
  await withTx(worker, (tx) => upkeep.handle(tx, [{}]));
  expect(await count()).toBe(0);
});
