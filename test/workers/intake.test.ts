/** Received orders are judged once each, whatever happens to the job, its batch or its worker. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { enqueue, orderIntake } from '#src/db/jobs.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { judgeAttempts } from '#src/intake/orders/service.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { startApp, startWorkers, times, until } from '../support/processes.ts';

let books: Installation;
beforeEach(async () => {
  books = await createInstallation();
});
afterEach(() => books.close());

const url = '/api/inbound/order';
const send = (payload: object, headers = {}) =>
  books.call({ method: 'POST', url, payload, headers });
const queue = (payload: object) => send(payload, { prefer: 'respond-async' });

async function attempts() {
  return db(books.owner).query<{ id: string; status: string; external_id: string }>(
    sql`select a.id, a.status, o.external_id from intake.order_attempts a
        join intake.orders o on o.id = a.order_id order by a.received_at, a.id`,
  );
}

async function jobs() {
  return db(books.owner).query<{ state: string; name: string; output: unknown; data: object }>(
    sql`select state, name, output, data from pgboss.job where name like 'order-intake%'`,
  );
}

async function countInvoices(): Promise<number> {
  const [row] = await db(books.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from sales.invoices`,
  );
  return row?.count ?? 0;
}

/** From now on nothing can be drafted for a buyer of this name. */
const poison = `
  create function sales.poison() returns trigger language plpgsql as $$ begin
    if new.debtor ->> 'name' = 'Poison' then raise exception 'poisoned'; end if;
    return new;
  end $$;
  create trigger poison before insert on sales.invoices
    for each row execute function sales.poison()`;
const antidote = 'drop trigger poison on sales.invoices';

test('one order that cannot be handled is set aside for a retry while 49 neighbours are drafted', async () => {
  await books.owner.query(poison);
  await Promise.all(
    times(50).map((n) => queue(orderBody(n === 20 ? { customer: { name: 'Poison' } } : {}))),
  );
  await startWorkers(books.url);
  await until(async () => (await countInvoices()) === 49);
  // Seen in one look: what waits for a retry is tried again before long.
  let states: Partial<Record<string, Awaited<ReturnType<typeof jobs>>>> = {};
  await until(async () => {
    states = Object.groupBy(await jobs(), ({ state }) => state);
    return states['retry'] !== undefined && states['completed']?.length === 49;
  });
  expect(states['retry']).toMatchObject([{ output: { message: 'error: poisoned' } }]);
  const waiting = (await attempts()).filter(({ status }) => status === 'received');
  expect(waiting).toHaveLength(1);

  // Its sender is told that it is safe, and gets the answer when it has been retried.
  await books.owner.query(antidote);
  await until(async () => (await countInvoices()) === 50);
});

test('an order that never can be handled ends among the dead letters, where people see it', async () => {
  await books.owner.query(poison);
  await queue(orderBody({ customer: { name: 'Poison' } }));
  await books.owner.query('update pgboss.job set retry_limit = 0');
  await startWorkers(books.url);
  await until(async () => (await jobs()).length === 2);
  const [attempt] = await attempts();
  expect(await jobs()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'order-intake', state: 'failed' }),
      expect.objectContaining({ name: 'order-intake-dead', data: { attemptId: attempt?.id } }),
    ]),
  );
});

test('a job whose content makes no sense does not stop the others', async () => {
  await queue(orderBody());
  const worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 1,
    applicationName: 'test',
  });
  await withTx(worker, (tx) => enqueue(tx, orderIntake, [{ attemptId: 'nonsense' }]));
  await worker.end();
  await queue(orderBody());
  await startWorkers(books.url);
  await until(async () => (await countInvoices()) === 2);
  expect((await jobs()).filter(({ state }) => state === 'completed')).toHaveLength(2);
});

test('a job handed out to several workers at once is judged once', async () => {
  await Promise.all(times(20).map((n) => queue(orderBody(n < 5 ? { currency: 'EUR' } : {}))));
  const ids = (await attempts()).map(({ id }) => id);
  const worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 8,
    applicationName: 'test',
  });
  await Promise.all(
    times(8).map((n) => withTx(worker, (tx) => judgeAttempts(tx, n % 2 ? ids : ids.toReversed()))),
  );
  await worker.end();
  expect(await countInvoices()).toBe(15);
  const statuses = Object.groupBy(await attempts(), ({ status }) => status);
  expect(statuses['draft']).toHaveLength(15);
  expect(statuses['rejected']).toHaveLength(5);
});

test('orders too large to be in memory together are judged in portions, and one that lies in two of them once', async () => {
  // One and the same order in two bodies, with five large ones between them.
  const { externalId, ...rest } = orderBody();
  const large = () => ({ ...orderBody(), note: 'x'.repeat(900_000) });
  for (const payload of [{ externalId, ...rest }, large(), large(), large(), large(), large()]) {
    expect((await queue(payload)).statusCode).toBe(202);
  }
  await queue({ externalId, ...rest, note: 'igen' });
  await startWorkers(books.url);
  await until(async () => (await jobs()).every(({ state }) => state === 'completed'));
  expect(await countInvoices()).toBe(6);
  expect((await attempts()).map(({ status }) => status).toSorted()).toEqual([
    ...times(6).map(() => 'draft'),
    'duplicate',
  ]);
});

test('a rejected order is judged afresh when it is corrected, and not when it is only repeated', async () => {
  await startWorkers(books.url);
  const faulty = orderBody({ currency: 'EUR' });
  const first = await send(faulty);
  expect([first.statusCode, first.json().detail.reason]).toEqual([422, 'currency_not_supported']);
  const again = await send(faulty);
  expect(again.json().detail).toEqual(first.json().detail);
  expect(await attempts()).toHaveLength(1);

  const corrected = await send({ ...faulty, currency: 'SEK' });
  expect(corrected.statusCode).toBe(200);
  expect(corrected.json().duplicate).toBeUndefined();
  const { invoiceId } = corrected.json();
  for (const body of [faulty, { ...faulty, currency: 'SEK' }, { ...faulty, total: 1 }])
    expect((await send(body)).json()).toMatchObject({ ok: true, invoiceId, duplicate: true });
  expect(await attempts()).toHaveLength(2);
  expect(await countInvoices()).toBe(1);
});

test('a caller still gets the answer when its process lost the connection that brings it', async () => {
  const call = await startApp(books.url);
  const listeners = () =>
    db(books.owner).query<{ pid: number }>(
      sql`select pid from pg_stat_activity
          where datname = current_database() and application_name = 'huvudbok decisions'`,
    );
  const before = await listeners();
  const waiting = call(books.key, { method: 'POST', url, payload: orderBody() });
  await until(async () => (await attempts()).length === 1);
  for (let round = 0; round < 3; round += 1) {
    const lost = await listeners();
    await books.owner.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [
      lost.map(({ pid }) => pid),
    ]);
    const pids = new Set(lost.map(({ pid }) => pid));
    await until(async () => {
      const now = await listeners();
      return now.length >= before.length && now.every(({ pid }) => !pids.has(pid));
    });
  }
  expect(await listeners()).toHaveLength(before.length);
  await startWorkers(books.url);
  const answer = await waiting;
  expect(answer.statusCode).toBe(200);
});

test('a key revoked while its call waits is not told what became of the order, which is kept', async () => {
  const { id, key } = await books.makeKey();
  const waiting = books.call({ method: 'POST', url, payload: orderBody(), key });
  await until(async () => (await attempts()).length === 1);
  await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
  await startWorkers(books.url);
  const answer = await waiting;
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'key_revoked']);
  expect(await countInvoices()).toBe(1);
});

test('an order that nobody handles in time is safe, and its answer comes when it is sent again', async () => {
  const impatient = await createInstallation({ env: { INTAKE_WAIT_MS: '50' } });
  try {
    const payload = orderBody({ externalId: randomUUID() });
    const early = await impatient.call({ method: 'POST', url, payload });
    expect([early.statusCode, early.json().error]).toEqual([503, 'processing_delayed']);
    expect(early.headers['retry-after']).toBeDefined();
    await startWorkers(impatient.url);
    await until(async () => {
      const answer = await impatient.call({ method: 'POST', url, payload });
      return answer.statusCode === 200;
    });
  } finally {
    await impatient.close();
  }
});
