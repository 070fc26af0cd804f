/** What callers meet when there is more to do than there is room for: nothing lost, nothing done twice. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { type Sql, sql } from '#src/db/sql.ts';
import { Load, limitsOf } from '#src/http/load.ts';
import { Readers } from '#src/http/readers.ts';
import { type Installation, voucherBody } from '../support/installation.ts';
import { openBooks, openSecondApp, type SecondApp } from './books.ts';
import { exchangeOne, head, listen } from './raw.ts';

const url = '/api/v1/verifikat';
const limits = { ...limitsOf(0), calls: 8, bytes: 64 * 1024, connections: 20 };

let books: Installation;
let second: SecondApp;
let load: Load;
let port: number;
beforeAll(async () => {
  books = await openBooks();
  load = new Load(limits);
  second = await openSecondApp(books, { load });
  port = await listen(second.app);
});
afterAll(async () => {
  await second.close();
  await books.close();
});

const post = (key: string, idempotencyKey = randomUUID(), body: object = voucherBody()) =>
  second.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
    payload: body,
  });

/** What the statement locks is held until this is called. */
async function hold(locks: Sql): Promise<() => Promise<void>> {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const holding = withTx(books.owner, async (tx) => {
    await tx.query(locks);
    isHeld();
    await isOver;
  });
  const letGo = async (): Promise<void> => {
    end();
    await holding;
  };
  onTestFinished(letGo);
  await held;
  return letGo;
}

/** Nobody posts until this is called: the series are held by another. */
const holdSeries = (): Promise<() => Promise<void>> =>
  hold(sql`select id from ledger.series for update`);

const waitingForSeries = async (): Promise<number> => {
  const [{ waiting } = { waiting: 0 }] = await db(books.owner).query<{ waiting: number }>(
    sql`select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting;
};

const postedAs = async (descriptions: readonly string[]): Promise<string[]> => {
  const rows = await db(books.owner).query<{ description: string }>(
    sql`select description from ledger.vouchers where description = any(${descriptions})`,
  );
  return rows.map(({ description }) => description).sort();
};

test('more calls than a key has room for are shed at once, uncharged, and retried to one voucher each', async () => {
  const { key } = await books.makeKey();
  const { key: other } = await books.makeKey();
  expect([(await post(key)).statusCode, (await post(other)).statusCode]).toEqual([200, 200]);
  const letGo = await holdSeries();
  const names = Array.from({ length: 12 }, () => randomUUID());
  const sent = Promise.all(
    names.map((name) => post(key, name, voucherBody({ description: name }))),
  );
  const neighbour = Promise.all([post(other)]);
  // The shed are answered while the others still wait, and small things too.
  await expect.poll(() => load.counts.shed.calls).toBeGreaterThanOrEqual(8);
  const headers = { authorization: `Bearer ${key}` };
  expect((await second.app.inject({ url: '/api/v1/meta', headers })).statusCode).toBe(200);
  expect((await second.app.inject('/healthz')).statusCode).toBe(200);
  await letGo();
  const answers = await sent;
  const shed = answers.filter(({ statusCode }) => statusCode === 503);
  expect(shed.length).toBeGreaterThanOrEqual(8);
  for (const answer of shed) {
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(answer.json().error).toBe('overloaded');
  }
  // Shed before the key was looked up: the quota is as it was.
  const uncharged = shed.filter((answer) => answer.json().detail.limit === 'calls');
  expect(uncharged.length).toBeGreaterThanOrEqual(8);
  for (const answer of uncharged) expect(answer.headers).not.toHaveProperty('ratelimit');
  expect((await neighbour)[0]?.statusCode).toBeOneOf([200, 503]);

  const done = names.filter((_, n) => answers[n]?.statusCode === 200);
  expect(await postedAs(names)).toEqual(done.toSorted());
  for (const name of names) {
    const again = await post(key, name, voucherBody({ description: name }));
    expect(again.statusCode).toBe(200);
    expect(again.headers['idempotent-replayed']).toBe(done.includes(name) ? 'true' : undefined);
  }
  expect(await postedAs(names)).toEqual(names.toSorted());
  expect(load.counts.writing).toEqual({ calls: 0, bytes: 0 });
});

const auth = () => `Authorization: Bearer ${books.key}`;

test('a call that the database does not answer is told so, and hears what became of it when it comes again', async () => {
  const hurried = await openSecondApp(books, { answerTimeoutMs: 500 });
  onTestFinished(() => hurried.close());
  const letGo = await holdSeries();
  const name = randomUUID();
  const send = () =>
    hurried.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${books.key}`, 'idempotency-key': name },
      payload: voucherBody({ description: name }),
    });
  const late = await send();
  expect([late.statusCode, late.json().error]).toEqual([503, 'database_unavailable']);
  expect(late.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  await letGo();
  await expect.poll(async () => (await send()).statusCode).toBe(200);
  expect(await postedAs([name])).toEqual([name]);
});

test('bytes are counted as they are announced and as they come; a shed body is not waited for', async () => {
  const announced = head('POST', url, [auth(), 'Content-Length: 60000', 'Content-Type: a/b']);
  expect((await exchangeOne(port, [announced])).statusCode).toBe(503);
  const chunked = head('POST', url, [auth(), 'Transfer-Encoding: chunked', 'Content-Type: a/b']);
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  const answer = await exchangeOne(port, [chunked, chunk, chunk]);
  expect(JSON.parse(answer.body)).toMatchObject({
    error: 'overloaded',
    detail: { limit: 'bytes' },
  });
  await expect.poll(() => load.counts.writing).toEqual({ calls: 0, bytes: 0 });
});

test('a sender that hangs up in the middle of a body gives its place back', async () => {
  for (const line of ['Content-Length: 9000', 'Transfer-Encoding: chunked']) {
    const socket = connect(port, '127.0.0.1');
    const idempotency = `Idempotency-Key: ${randomUUID()}`;
    socket.write(`${head('POST', url, [auth(), idempotency, 'Content-Type: a/b', line])}10\r\n{`);
    await expect.poll(() => load.counts.writing.calls).toBe(1);
    socket.destroy();
    await expect.poll(() => load.counts.writing).toEqual({ calls: 0, bytes: 0 });
  }
});

/** No key is looked up until this is called. */
const holdKeys = (): Promise<() => Promise<void>> =>
  hold(sql`lock table restricted.api_keys in access exclusive mode`);

test('a sender that hangs up just as its body is to be read ends nothing', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<Socket>();
  const letGo = await holdKeys();
  second.app.server.once('connection', arrive);
  const sender = connect(port, '127.0.0.1');
  const lines = [auth(), `Idempotency-Key: ${randomUUID()}`, 'Transfer-Encoding: chunked'];
  sender.write(`${head('POST', url, lines)}10\r\n{`);
  const socket = await arrived;
  await expect.poll(() => load.counts.writing.calls).toBe(1);
  // A socket is destroyed a moment before whoever reads from it hears so: here until the test says.
  Object.defineProperty(socket, 'destroyed', { value: true, configurable: true });
  await letGo();
  await expect.poll(() => load.counts.writing.calls).toBe(0);
  Reflect.deleteProperty(socket, 'destroyed');
  sender.destroy();
  await expect.poll(() => socket.closed).toBe(true);
  expect((await post((await books.makeKey()).key)).statusCode).toBe(200);
});

test('a sender that hangs up while its key is looked up gives its place back', async () => {
  const letGo = await holdKeys();
  const connections = promisify(second.app.server.getConnections.bind(second.app.server));
  const body = JSON.stringify(voucherBody());
  const sockets = Array.from({ length: 3 }, () => {
    const socket = connect(port, '127.0.0.1');
    const lines = [
      auth(),
      `Idempotency-Key: ${randomUUID()}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(head('POST', url, lines) + body);
    return socket;
  });
  await expect.poll(() => load.counts.writing.calls).toBe(3);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => connections()).toBe(0);
  await letGo();
  await expect.poll(() => load.counts.writing).toEqual({ calls: 0, bytes: 0 });
});

test('a large answer that is made for somebody who has hung up is held for nobody', async () => {
  const { key } = await books.makeKey();
  const rows = Array.from({ length: 60 }, (_, n) => ({
    account: n % 2 === 0 ? 1930 : 3001,
    debit: n % 2 === 0 ? 1 : 0,
    credit: n % 2 === 0 ? 0 : 1,
  }));
  for (let n = 0; n < 20; n += 1) {
    expect((await post(key, randomUUID(), voucherBody({ rows }))).statusCode).toBe(200);
  }
  const letGo = await hold(sql`lock table ledger.vouchers in access exclusive mode`);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<Socket>();
  second.app.server.once('connection', arrive);
  const sender = connect(port, '127.0.0.1');
  sender.write(head('GET', `${url}?limit=200`, [auth()]));
  const socket = await arrived;
  const waiting = sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await db(books.owner).query(waiting)).length).toBe(1);
  sender.destroy();
  await expect.poll(() => socket.closed).toBe(true);
  await letGo();
  // Whoever reads next does so after it.
  const headers = { authorization: `Bearer ${key}` };
  const next = await second.app.inject({ method: 'GET', url: `${url}?limit=200`, headers });
  expect(next.body.length).toBeGreaterThan(64 * 1024);
  await expect.poll(() => load.counts.answering).toEqual({ calls: 0, bytes: 0 });
});

test('what is posted by those who hang up while they wait is left, and others do not wait for it', async () => {
  const { key } = await books.makeKey();
  const { key: other } = await books.makeKey();
  expect([(await post(key)).statusCode, (await post(other)).statusCode]).toEqual([200, 200]);
  const letGo = await holdSeries();
  // Both batches that go at once are with the database.
  const ahead = [post(other)];
  await expect.poll(waitingForSeries).toBe(1);
  ahead.push(post(other));
  await expect.poll(waitingForSeries).toBe(2);
  const names = Array.from({ length: 3 }, () => randomUUID());
  const sockets = names.map((name) => {
    const body = JSON.stringify(voucherBody({ description: name }));
    const socket = connect(port, '127.0.0.1');
    const lines = [`Authorization: Bearer ${key}`, `Idempotency-Key: ${name}`];
    socket.write(head('POST', url, [...lines, `Content-Length: ${body.length}`]) + body);
    return socket;
  });
  await expect.poll(() => load.counts.writing.calls).toBe(5);
  for (const socket of sockets) socket.destroy();
  const stayed = post(other);
  // Whether those who have gone are still counted depends on how soon their sockets are known to be closed.
  await expect.poll(() => load.counts.writing.calls).toBeGreaterThanOrEqual(3);
  await letGo();
  expect((await Promise.all([...ahead, stayed])).map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200,
  ]);
  await expect.poll(() => load.counts.writing).toEqual({ calls: 0, bytes: 0 });
  expect(await postedAs(names)).toEqual([]);
});

test('connections that say nothing make room for those who do', async () => {
  const silent = Array.from({ length: 60 }, () => connect(port, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => undefined).resume();
  await expect.poll(() => silent.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(39);
  const answer = await exchangeOne(port, [head('GET', '/api/v1/meta', [auth()])]);
  expect(answer.statusCode).toBe(200);
  for (const socket of silent) socket.destroy();
});

test('those who read take turns, a bounded number of them, and too many are told so', async () => {
  const readers = new Readers({ pool: books.owner, atOnce: 1, waiting: 8 });
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const turns: string[] = [];
  const read = (holder: string) =>
    readers.run(holder, async () => {
      turns.push(holder);
      await isOver;
      return 200;
    });
  const greedy = Promise.allSettled(Array.from({ length: 10 }, () => read('greedy')));
  const second = read('second');
  expect(readers.counts).toEqual({ running: 1, waiting: 5 });
  end();
  expect(await second).toBe(200);
  const answers = await greedy;
  const refused = answers.filter((answer) => answer.status === 'rejected');
  expect(refused).toHaveLength(5);
  expect(refused[0]?.reason).toMatchObject({ code: 'overloaded', limit: 'readers' });
  expect(turns.indexOf('second')).toBe(2);
  expect(readers.counts).toEqual({ running: 0, waiting: 0 });
});
