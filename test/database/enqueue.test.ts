/** Jobs we put on a queue ourselves are the very rows that pg-boss would have put there. */
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enqueue, queues } from '#src/db/jobs.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/processes.ts';

let database: TestDatabase;
let owner: Pool;
let worker: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  owner = createPool({ url: database.url, max: 2, applicationName: 'test' });
  const url = await roleUrl(database.url, 'hb_worker');
  worker = createPool({ url, max: 2, applicationName: 'test' });
});
afterAll(async () => {
  await worker.end();
  // pg-boss does not wait for its connections to end, and one that is ended meanwhile ends the test run.
  await until(async () => {
    const theirs = await db(owner).query(sql`select from pg_stat_activity
      where datname = current_database() and application_name <> 'test'`);
    return theirs.length === 0;
  });
  await owner.end();
  await database.drop();
});

interface JobRow {
  data: { by: string };
  [column: string]: unknown;
}

test.each(queues)('enqueue() writes to $name what send() writes', async (queue) => {
  const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await boss.start();
  await boss.send(queue.name, { by: 'pg-boss' });
  await boss.stop({ graceful: false });
  await withTx(worker, (tx) => enqueue(tx, queue, [{ by: 'huvudbok' } as never]));
  const rows = await db(owner).query<JobRow>(
    sql`select *, (keep_until - created_on)::text as kept, (start_after - created_on)::text as delay
        from pgboss.job where name = ${queue.name}`,
  );
  const comparable = rows.map(({ data, ...row }) => {
    const { id, created_on, keep_until, start_after, ...rest } = row;
    expect([id, created_on, keep_until, start_after].every(Boolean)).toBe(true);
    return [data.by, rest] as const;
  });
  const { 'pg-boss': theirs, huvudbok: ours } = Object.fromEntries(comparable);
  expect(ours).toBeDefined();
  expect(ours).toEqual(theirs);
});

test('enqueue() wakes the workers that listen, and only when its transaction commits', async () => {
  const boss = new PgBoss({
    connectionString: database.url,
    useListenNotify: true,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  const [{ name } = { name: '' }] = queues;
  await boss.deleteAllJobs(name);
  const handled: unknown[] = [];
  const patient = { batchSize: 10, pollingIntervalSeconds: 600, notifyPollingIntervalSeconds: 600 };
  await boss.work(name, patient, async (jobs) => {
    handled.push(...jobs.map(({ data }) => data));
  });
  const listener = await connect(database.url, 'test');
  const heard: string[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  const [channel] = await db(owner).query<{ name: string }>(
    sql`select 'pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24) as name`,
  );
  await listener.query(`listen ${channel?.name}`);

  const [queue] = queues;
  if (!queue) throw new Error('there are no queues');
  await withTx(worker, async (tx) => {
    await enqueue(tx, queue, [{ attempt: 'rolled back' } as never]);
    throw new Error('rolled back');
  }).catch(() => undefined);
  await withTx(worker, (tx) => enqueue(tx, queue, [{ attempt: 1 }, { attempt: 2 }] as never[]));
  await until(() => handled.length === 2);
  expect(heard).toEqual([name]);
  expect(handled).toHaveLength(2);
  expect(handled).toEqual(expect.arrayContaining([{ attempt: 1 }, { attempt: 2 }]));
  await listener.end();
  await boss.stop({ graceful: false });
});
