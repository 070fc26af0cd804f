import { afterAll, beforeAll, expect, test } from 'vitest';
import { queues } from '#src/db/jobs.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { recordBackup } from '#src/installation/operations/service.ts';
import { startHeartbeat } from '#src/installation/processes/heartbeat.ts';
import { Throughput } from '#src/installation/processes/throughput.ts';
import { insertVerification } from '#src/ledger/verification/store.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { until } from '../support/processes.ts';

let installation: Installation;
let person: LoggedIn;
let workerPool: Pool;
beforeAll(async () => {
  installation = await createInstallation({ workers: true });
  person = await logIn(installation, 'administrator');
  workerPool = createPool({
    url: await roleUrl(installation.url, 'hb_worker'),
    max: 1,
    applicationName: 'test',
  });
});
afterAll(async () => {
  await workerPool.end();
  await installation.close();
});

const asOwner = (statement: ReturnType<typeof sql>) => db(installation.owner).query(statement);

const countDead = async (): Promise<number> => {
  const [row] = await db(installation.owner).query<{ dead: number }>(
    sql`select count(*)::integer as dead from pgboss.job where name = 'order-intake-dead'`,
  );
  return row?.dead ?? 0;
};

async function orderThatFails(externalId: string): Promise<void> {
  const before = await countDead();
  await asOwner(sql`update pgboss.queue set retry_limit = 0 where name = 'order-intake'`);
  await asOwner(sql`create or replace function public.break() returns trigger language plpgsql as
    $$ begin raise exception 'disken <script>är full'; end $$`);
  await asOwner(sql`create or replace trigger break before insert on sales.invoices
    for each row execute function public.break()`);
  const sent = await installation.call({
    method: 'POST',
    url: '/api/inbound/order',
    headers: { prefer: 'respond-async' },
    payload: orderBody({ externalId }),
  });
  expect(sent.statusCode).toBe(202);
  await until(async () => (await countDead()) > before);
  await asOwner(sql`drop trigger break on sales.invoices`);
}

const statusOf = async (externalId: string): Promise<string> => {
  const [row] = await db(installation.owner).query<{ status: string }>(
    sql`select a.status from intake.order_attempts a join intake.orders o on o.id = a.order_id
        where o.external_id = ${externalId}`,
  );
  return row?.status ?? '';
};

test('each queue is called what it does, and none what code calls it', async () => {
  const { body } = await person.get('/drift');
  const shown = [...body.matchAll(/<th scope="row">([^<]*)<\/th>/g)].map(([, name]) => name);
  expect(shown.length).toBeGreaterThan(10);
  expect(queues.map(({ name }) => name).filter((name) => shown.includes(name))).toEqual([]);
});

test('a job that failed for good is shown with its reason, and done when tried again', async () => {
  await orderThatFails('dead-1');
  const page = await person.get('/drift');
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('disken &lt;script&gt;är full');
  expect(page.body).toMatch(/Order bedöms <span class="under">attemptId|attemptId [0-9a-f-]{36}/);
  const [, job = ''] = /name="job" value="([0-9a-f-]{36})"/.exec(page.body) ?? [];
  const fields = { ...tokensOf(page.body), queue: 'order-intake', job };
  const answer = await person.post('/drift/forsok-igen', fields);
  expect(answer.statusCode).toBe(303);
  await until(async () => (await statusOf('dead-1')) === 'draft');
  const after = await person.get('/drift');
  expect(after.body).toContain('1 jobb (Order bedöms) görs om nu.');
  expect(after.body).toContain('Inget jobb har misslyckats för gott');
  const [event] = await db(installation.owner).query(
    sql`select actor, subject, detail from audit.events where action = 'jobs.retried'`,
  );
  expect(event).toEqual({
    actor: `user:${person.id}`,
    subject: 'order-intake',
    detail: { jobs: 1, job },
  });
});

test('all of a queue are tried again at once, and two who ask do it once', async () => {
  await orderThatFails('dead-2');
  await orderThatFails('dead-3');
  const forms = await Promise.all([person.get('/drift'), person.get('/drift')]);
  const answers = await Promise.all(
    forms.map(({ body }) =>
      person.post('/drift/forsok-igen', { ...tokensOf(body), queue: 'order-intake' }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
  await until(async () => (await statusOf('dead-2')) === 'draft');
  await until(async () => (await statusOf('dead-3')) === 'draft');
  const events = await db(installation.owner).query<{ jobs: number }>(
    sql`select (detail ->> 'jobs')::integer as jobs from audit.events
        where action = 'jobs.retried' and detail ->> 'job' is null`,
  );
  expect(events).toEqual([{ jobs: 2 }]);
});

test('only administrators open it, and the database itself refuses the others', async () => {
  for (const role of ['lasare', 'medarbetare'] as const) {
    const other = await logIn(installation, role);
    expect((await other.get('/drift')).statusCode).toBe(403);
    const { body } = await other.get('/dimensioner');
    const answer = await other.post('/drift/forsok-igen', {
      ...tokensOf(body),
      queue: 'order-intake',
    });
    expect(answer.statusCode).toBe(403);
  }
  const app = createPool({
    url: await roleUrl(installation.url, 'hb_app'),
    max: 1,
    applicationName: 'test',
  });
  try {
    for (const call of [
      sql`select app.queue_states()`,
      sql`select app.count_dead_jobs()`,
      sql`select app.list_dead_jobs(1)`,
      sql`select app.retry_dead_jobs('order-intake', null)`,
      sql`select app.database_facts()`,
    ]) {
      await expect(db(app).query(call)).rejects.toMatchObject({ code: 'HB405' });
    }
    expect(await db(app).query(sql`select id from restricted.processes`)).toEqual([]);
    await expect(db(app).query(sql`select from pgboss.job`)).rejects.toThrow(/permission denied/);
  } finally {
    await app.end();
  }
});

test('a queue that nobody has is refused', async () => {
  const { body } = await person.get('/drift');
  const answer = await person.post('/drift/forsok-igen', { ...tokensOf(body), queue: 'x-dead' });
  expect(answer.statusCode).toBe(400);
});

test('a process says that it lives and how much it does, and is gone when it stops', async () => {
  const throughput = new Throughput();
  throughput.count('order-intake', 240);
  const heartbeat = await startHeartbeat({ pool: workerPool, parts: ['intake'], throughput });
  const alive = await person.get('/drift');
  expect(alive.body).toMatch(/scope="row">intake<\/th>\s*<td><span class="chip good">Igång/);
  expect(alive.body).toMatch(
    /Order bedöms<\/th>(\s*<td[^>]*>[^<]*<\/td>){3}\s*<td class="number">240</,
  );
  await asOwner(sql`update restricted.processes set seen_at = now() - interval '1 minute'`);
  expect((await person.get('/drift')).body).toMatch(
    /intake<\/th>\s*<td><span class="chip bad">Tyst/,
  );
  await heartbeat.stop();
  expect((await person.get('/drift')).body).toContain('Ingen process har hört av sig');
});

test('a process silent for a day is forgotten by the next word of another', async () => {
  const died = await startHeartbeat({ pool: workerPool, parts: ['upkeep'] });
  await asOwner(sql`update restricted.processes set seen_at = now() - interval '25 hours'`);
  const heartbeat = await startHeartbeat({ pool: workerPool, parts: ['booking'] });
  const rows = await asOwner(sql`select parts from restricted.processes`);
  expect(rows).toEqual([{ parts: ['booking'] }]);
  await heartbeat.stop();
  await died.stop();
});

test('the last backup is told when a script has noted one, and how to when none has', async () => {
  expect((await person.get('/drift')).body).toContain('backup done');
  await withTx(installation.owner, (tx) =>
    recordBackup(tx, new Date('2026-11-20T01:00:00Z'), 'cli'),
  );
  const page = await person.get('/drift');
  expect(page.body).toMatch(/Senast 2026-11-20 02:00\. <span class="chip good">Färsk/);
});

test('what the last check of the books found is told, faults and all', async () => {
  expect((await person.get('/drift')).body).toContain('Inte gjord än');
  const problem = {
    kind: 'gap',
    series: 'A',
    year: 2026,
    number: 3,
    message: 'Nummer 2–2 <b>saknas</b>.',
  };
  await withTx(installation.owner, (tx) =>
    insertVerification(tx, { vouchers: 12, series: 8, problems: [problem] }, 'test'),
  );
  const page = await person.get('/drift');
  expect(page.body).toContain('<span class="chip bad">1 fel</span>');
  expect(page.body).toContain('A3 Nummer 2–2 &lt;b&gt;saknas&lt;/b&gt;.');
});
