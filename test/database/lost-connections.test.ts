/** What happens in a process when PostgreSQL ends one of its connections, and to notices that come early. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Decisions, decisionChannel } from '#src/db/decisions.ts';
import { jobDatabase } from '#src/db/job-database.ts';
import {
  createPool,
  db,
  inWhole,
  linesOf,
  type Pool,
  type Tx,
  txOf,
  withLock,
  withReading,
  withTx,
} from '#src/db/pool.ts';
import { explainDatabaseError } from '#src/db/refusals.ts';
import { sql } from '#src/db/sql.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = createPool({ url: database.url, max: 4, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const holdLock = sql`select pg_advisory_xact_lock(4711)`;

/** Ends the connection that waits for the lock, as an administrator or a failover does. */
async function endTheOneThatWaits(): Promise<void> {
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await db(pool).query(end)).length).toBe(1);
}

test('a connection that is lost while it waits on a lock fails its own call alone, with 503', async () => {
  const faults: unknown[] = [];
  const heard = (error: unknown) => faults.push(error);
  process.on('uncaughtException', heard);
  onTestFinished(() => void process.off('uncaughtException', heard));

  await withTx(pool, async (tx) => {
    await tx.query(holdLock);
    const waiting = withTx(pool, (other) => other.query(holdLock)).catch(explainDatabaseError);
    await endTheOneThatWaits();
    expect(await waiting).toMatchObject({
      code: 'database_unavailable',
      headers: { 'retry-after': '5' },
    });
    expect(await tx.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
  expect(await withTx(pool, (tx) => tx.query(sql`select 2 as two`))).toEqual([{ two: 2 }]);
  expect(await withLock(pool, 'test', async () => 'done')).toBe('done');
  expect(faults).toEqual([]);
});

const presentAs = (name: string) => async (tx: Tx) => {
  await tx.query(sql`select set_config('huvudbok.credential', ${name}, true)`);
};

/** Stands between, and while it is silent keeps every connection open and passes nothing on. */
async function standBetween(url: string) {
  const { hostname, port } = new URL(url);
  let isSilent = false;
  const between = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes);
      });
      from.on('error', () => undefined).on('close', () => to.destroy());
    };
    pass(client, server);
    pass(server, client);
  });
  await once(between.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void between.close());
  const through = new URL(url);
  through.port = String((between.address() as AddressInfo).port);
  return {
    url: through.href,
    fallSilent: (is: boolean) => {
      isSilent = is;
    },
  };
}

test('a connection whose server falls silent is given up, and the next call has another', async () => {
  const between = await standBetween(database.url);
  const silentMsMax = 500;
  const reading = createPool({
    url: between.url,
    max: 1,
    applicationName: 'test',
    isPipelined: true,
    silentMsMax,
  });
  onTestFinished(() => reading.end());
  const ask = () =>
    withReading(reading, presentAs('a'), (some) => some.query(sql`select 1 as one`));
  expect(await ask()).toEqual([{ one: 1 }]);
  // One that nobody waits for may be silent for as long as it likes.
  const pidOf = sql`select pg_backend_pid() as pid`;
  const [first] = await db(reading).query(pidOf);
  await sleep(3 * silentMsMax);
  expect(await db(reading).query(pidOf)).toEqual([first]);

  between.fallSilent(true);
  expect(await ask().catch(explainDatabaseError)).toMatchObject({ code: 'database_unavailable' });
  between.fallSilent(false);
  expect(await ask()).toEqual([{ one: 1 }]);
});

/** One connection that is sent to before it has answered, as those have who read, and batches that follow each other. */
function readPool(): Pool {
  const reading = createPool({
    url: database.url,
    max: 1,
    applicationName: 'test reading',
    isPipelined: true,
  });
  onTestFinished(() => reading.end());
  return reading;
}
const whoReads = sql`select current_setting('huvudbok.credential', true) as name,
  current_setting('transaction_read_only') as read_only`;

test('each who reads is who they said, and nobody is on the connection after them', async () => {
  const reading = readPool();
  const asked = ['anna', 'bo', 'cy'].map((name) =>
    withReading(reading, presentAs(name), async (tx) => [
      ...(await tx.query<{ name: string; read_only: string }>(whoReads)),
      ...(await tx.query<{ name: string; read_only: string }>(whoReads)),
    ]),
  );
  const [anna, bo, cy] = (await Promise.all(asked)).map((rows) => rows.map(({ name }) => name));
  expect([anna, bo, cy]).toEqual([
    ['anna', 'anna'],
    ['bo', 'bo'],
    ['cy', 'cy'],
  ]);
  expect((await reading.query(whoReads.text)).rows).toEqual([{ name: '', read_only: 'off' }]);
  await expect(
    withReading(reading, presentAs('anna'), (tx) => tx.query(sql`create table public.t ()`)),
  ).rejects.toMatchObject({ code: '25006' });
});

test('a reading that is refused has sent its last before anybody else has the connection', async () => {
  const reading = readPool();
  const told: string[] = [];
  const refused = withReading(
    reading,
    async (tx) => void (await tx.query(sql`select 1 / 0`)),
    async (tx) => {
      for (const turn of ['first', 'second']) {
        await tx.query(whoReads).catch(() => told.push(turn));
      }
    },
  ).catch(({ code }: { code: string }) => told.push(code));
  const next = withReading(reading, presentAs('bo'), (tx) => tx.query(whoReads)).then((rows) =>
    told.push(JSON.stringify(rows)),
  );
  await Promise.all([refused, next]);
  expect(told).toEqual(['first', 'second', '22012', '[{"name":"bo","read_only":"on"}]']);
});

test('a reading whose connection is lost fails alone, and the next has another', async () => {
  const reading = readPool();
  await withTx(pool, async (tx) => {
    await tx.query(holdLock);
    const waiting = withReading(reading, presentAs('anna'), async (other) => {
      await Promise.all([other.query(holdLock), other.query(whoReads)]);
    }).catch(explainDatabaseError);
    await endTheOneThatWaits();
    expect(await waiting).toMatchObject({ code: 'database_unavailable' });
  });
  expect(await withReading(reading, presentAs('bo'), (tx) => tx.query(whoReads))).toEqual([
    { name: 'bo', read_only: 'on' },
  ]);
});

/** Marks that last as long as their transaction: which of them stand is what it did. */
const mark = (name: number) => sql`select pg_advisory_xact_lock(${name}::bigint)`;
const marks = sql`select objid::int as mark from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() order by 1`;

test('a batch of jobs that fails as a whole takes back what it did, and the same transaction goes on', async () => {
  await withTx(pool, async (tx) => {
    const failing = inWhole(tx, async () => {
      await tx.query(mark(1));
      await tx.query(sql`select 1 / 0`);
    });
    await expect(failing).rejects.toThrow('division by zero');
    await tx.query(mark(2));
    expect(await tx.query(marks)).toEqual([{ mark: 2 }]);
  });
});

test('a job whose connection ends before its transaction begins is not half done, and the next one goes well', async () => {
  const alone = createPool({ url: database.url, max: 1, applicationName: 'alone' });
  onTestFinished(() => alone.end());
  const begin = jobDatabase(alone).beginTransaction;
  if (!begin) throw new Error('jobs have no transactions');
  const client = await alone.connect();
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number;
  client.release();
  // Its `begin` meets an order to stop, as an operator's or a failover's.
  await db(pool).query(sql`select pg_terminate_backend(${pid})`);
  const first = await begin().catch(() => undefined);
  await first?.rollback();

  const job = await begin();
  const tx = txOf(({ text, values }) => job.db.executeSql(text, [...values]));
  await tx.query(mark(3));
  expect(await tx.query(marks)).toEqual([{ mark: 3 }]);
  await job.commit();
  expect(await db(alone).query(marks)).toEqual([]);
  await expect(job.db.executeSql('select 1')).rejects.toThrow('the transaction is over');
});

test('a decision that comes while its subject is being stored wakes the one who stored it', async () => {
  const decisions = new Decisions();
  await decisions.start(database.url);
  onTestFinished(() => decisions.stop());
  const notice = decisions.listen('early');
  for (const _ of ['while it is stored', 'while the outcome is read']) {
    await db(pool).query(sql`select pg_notify(${decisionChannel}, 'early')`);
    // A later one has been heard, so this one has.
    const later = decisions.listen('later');
    await db(pool).query(sql`select pg_notify(${decisionChannel}, 'later')`);
    await later.next(60_000);
    later.close();
    expect(await notice.next(0)).toBe(true);
  }
  expect(await notice.next(0)).toBe(false);
  notice.close();
});

test('a decision of which no word came is found all the same, long before the caller gives up', async () => {
  const decisions = new Decisions();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  const notice = decisions.listen('silent');
  const options = { timeoutMs: 60_000, since: notice };
  expect(await decisions.wait('silent', options, read, (times) => times === 2)).toBe(2);
  notice.close();
});

test('a pool may be given less time for a statement than its role has', async () => {
  const hurried = createPool({
    url: database.url,
    max: 1,
    applicationName: 'test hurried',
    statementTimeoutMs: 200,
  });
  onTestFinished(() => hurried.end());
  await withTx(pool, async (tx) => {
    await tx.query(holdLock);
    const waiting = withTx(hurried, (other) => other.query(holdLock)).catch(explainDatabaseError);
    expect(await waiting).toMatchObject({ code: 'database_unavailable' });
  });
});

test('of batches on one line, each stands by itself, and both fail with 503 when it is lost', async () => {
  const lines = readPool();
  const line = linesOf(lines)(0);
  const [first, bad, last] = await Promise.allSettled([
    line.query(sql`select 1 as one`),
    line.query(sql`select 1 / 0`),
    line.query(sql`select 3 as three`),
  ]);
  expect([first, last]).toEqual([
    { status: 'fulfilled', value: [{ one: 1 }] },
    { status: 'fulfilled', value: [{ three: 3 }] },
  ]);
  expect(bad?.status).toBe('rejected');

  await withTx(pool, async (tx) => {
    await tx.query(holdLock);
    const waiting = [1, 2].map(() => line.query(holdLock).catch(explainDatabaseError));
    await endTheOneThatWaits();
    for (const one of await Promise.all(waiting)) {
      expect(one).toMatchObject({ code: 'database_unavailable' });
    }
  });
  expect(await line.query(sql`select 4 as four`)).toEqual([{ four: 4 }]);
  expect([lines.totalCount, lines.idleCount]).toEqual([1, 1]);
});
