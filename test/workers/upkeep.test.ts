import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { createJobPool, createPool, db, type Pool } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { booking } from '#workers/booking.ts';
import { eInvoices } from '#workers/e-invoices.ts';
import { intake } from '#workers/intake.ts';
import { purchaseBooking } from '#workers/purchase-booking.ts';
import { momentsOf, runWorkers } from '#workers/run.ts';
import { trials } from '#workers/trials.ts';
import { purging, verifying } from '#workers/upkeep.ts';
import { tamper } from '../database/books.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';

const log = pino({ level: 'silent' });
let books: Installation;
let worker: Pool;
beforeAll(async () => {
  books = await createInstallation();
  worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
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
    await purging.run(worker, log, {});
    expect(await kept()).toEqual([{ key: 'almost-72h' }, { key: 'just-now' }]);
  }
  expect((await post('almost-72h')).headers['idempotent-replayed']).toBe('true');
  expect((await post('older-than-72h')).headers['idempotent-replayed']).toBeUndefined();
});

test('many installations do not prove their books in the same minute, and none by day', () => {
  const made = Array.from({ length: 1_000 }, (_, n) => new Date(1_795_000_000_000 + n * 7_919));
  const nights = made.map((moment) => momentsOf('nightly', moment));
  expect(new Set(nights.map(({ cron }) => cron)).size).toBe(200);
  for (const { cron } of nights) expect(cron).toMatch(/^[1-4]?\d [1-4] \* \* \*$/);
  expect(new Set(made.map((moment) => momentsOf('hourly', moment).cron)).size).toBe(60);
  // What a whole host of them missed does not begin all at once when it is on again.
  const waits = nights.map(({ waitSeconds }) => waitSeconds);
  expect(new Set(waits).size).toBeGreaterThan(400);
  expect(Math.max(...waits)).toBeLessThan(600);
});

test('an agency’s count of calls is forgotten after a day', async () => {
  await books.owner.query(`select agency.count_call('192.0.2.1', 'agency_aggregate')`);
  const count = async () =>
    (await db(books.owner).query(sql`select from restricted.address_windows`)).length;
  await purging.run(worker, log, {});
  expect(await count()).toBe(1);
  await books.owner.query(
    `update restricted.address_windows set opened_at = now() - interval '25 hours'`,
  );
  await purging.run(worker, log, {});
  expect(await count()).toBe(0);
});

test('tokens, old events and finished deliveries go when their time is over', async () => {
  const owner = db(books.owner);
  const before = async () => {
    const [row] = await owner.query<{ count: number }>(
      sql`select count(*)::integer as count from events.outbox`,
    );
    return row?.count ?? 0;
  };
  await post('an-event-of-today');
  const today = await before();
  expect(today).toBeGreaterThan(0);
  await owner.query(sql`insert into events.outbox (type, subject, occurred_at) values
    ('order.received', gen_random_uuid(), now() - interval '89 days'),
    ('order.received', gen_random_uuid(), now() - interval '91 days')`);
  await purging.run(worker, log, {});
  expect(await before()).toBe(today + 1);
});

test('a nightly check keeps what it found where people and readiness see it, and may run twice', async () => {
  const ready = async () => (await books.call({ url: '/readyz', key: null })).json();
  expect(await ready()).toEqual({ ok: true, verification: null, backup: null });
  await makeDrafts(books.owner, [100n]);
  await verifying.run(worker, log, {});
  await verifying.run(worker, log, {});
  expect(await ready()).toEqual({
    ok: true,
    backup: null,
    verification: { finished_at: expect.any(String), problems: 0 },
  });
  const audit = await db(books.owner).query(
    sql`select actor, detail from audit.events where action = 'books.verified'`,
  );
  expect(audit).toHaveLength(2);
  expect(audit[0]).toEqual({
    actor: 'job:verification',
    detail: { vouchers: expect.any(Number), problems: 0 },
  });
  await tamper(books.url, `update ledger.vouchers set description = 'ändrad' where number = 1`);
  await verifying.run(worker, log, {});
  expect((await ready()).verification.problems).toBe(1);
});

test('a page that nobody was sent goes after a week with its PDF; what somebody was sent or keeps stays', async () => {
  const hours = { old: 169, unprinted: 169, young: 167, sent: 9999, kept: 9999 };
  const made = [
    ...Object.entries(hours).map(
      ([name, age]) => `insert into archive.pages (sha256, html, created_at)
        values (sha256('${name}'), '${name}', now() - interval '${age} hours')`,
    ),
    ...Object.keys(hours)
      .filter((name) => name !== 'unprinted')
      .flatMap((name) => [
        `insert into archive.contents (sha256, bytes) values (sha256('${name} pdf'), '${name} pdf')`,
        `insert into archive.renderings (page_sha256, sha256) values (sha256('${name}'), sha256('${name} pdf'))`,
      ]),
    `insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
      values (gen_random_uuid(), gen_random_uuid(), sha256('kept pdf'), 'x.pdf', 'application/pdf', 'x')`,
    `insert into sales.mails (id, invoice_id, kind, sender_name, sender, recipients, subject, body, page_sha256,
        file_name, message_id, created_by)
      values (gen_random_uuid(), gen_random_uuid(), 'invoice', 'x', 'x@example.com', '{y@example.com}', 'x', 'x',
        sha256('sent'), 'x.pdf', '<x@example.com>', 'x')`,
  ];
  await tamper(books.url, made.join(';'));
  const left = async () =>
    (
      await db(books.owner).query<{ what: string }>(sql`select html as what from archive.pages
        union all select convert_from(bytes, 'UTF8') from archive.contents order by what`)
    ).map(({ what }) => what);
  for (let round = 0; round < 2; round += 1) {
    await purging.run(worker, log, {});
    expect(await left()).toEqual(['kept pdf', 'sent', 'sent pdf', 'young', 'young pdf']);
  }
});

describe('by the clock', () => {
  const owner = () => db(books.owner);
  /** What pg-boss is about to put on the queue. */
  const checks = () =>
    owner().query<{ wait: number }>(sql`select (data -> 'options' ->> 'startAfter')::integer as wait
      from pgboss.job where name = '__pgboss__send-it' and data ->> 'name' = 'verification'`);
  const worked = async (until: () => Promise<boolean>) => {
    const url = await roleUrl(books.url, 'hb_worker');
    const workers = await runWorkers([verifying], { url, log, timeZone: 'Europe/Stockholm' });
    await expect.poll(until, { timeout: 60_000 }).toBe(true);
    await workers.stop();
  };
  const isOneWaiting = async () => (await checks()).length === 1;

  test('a night’s check of the books that a machine slept through is done once when it is awake', async () => {
    // Known since before, and last looked at two nights ago.
    await worked(async () => (await owner().query(sql`select from pgboss.schedule`)).length === 1);
    expect(await checks()).toEqual([]);
    const back = sql`now() - interval '2 days'`;
    await owner().query(sql`update pgboss.schedule set created_on = ${back}`);
    await owner().query(sql`update pgboss.version set cron_on = ${back}`);
    await worked(isOneWaiting);
    // Started again, it is not done twice.
    await worked(isOneWaiting);
    const [check] = await checks();
    expect(check?.wait).toBeLessThan(600);
  });

  test('a clock that was years ahead, and is right again, stops neither checks nor what is tried again', async () => {
    const ahead = sql`now() + interval '10 years'`;
    await owner().query(sql`update pgboss.version set cron_on = ${ahead}`);
    await owner().query(
      sql`update pgboss.queue set maintain_on = ${ahead}, monitor_claim_on = ${ahead}`,
    );
    await owner().query(
      sql`update pgboss.job set created_on = ${ahead}, start_after = ${ahead} where name = 'verification'`,
    );
    const isRight = async () => {
      const [{ is_right } = { is_right: false }] = await owner().query<{
        is_right: boolean;
      }>(sql`select
        not exists (select from pgboss.version where cron_on > now())
        and not exists (select from pgboss.queue where greatest(maintain_on, monitor_claim_on) > now())
        and not exists (select from pgboss.job where state < 'active' and start_after > now() + interval '11 minutes')
        as is_right`);
      return is_right;
    };
    expect(await isRight()).toBe(false);
    await worked(isRight);
  });
});

test('a process that begins does not take a connection for each of its queues', async () => {
  const url = await roleUrl(books.url, 'hb_worker');
  const pool = createJobPool({ url, max: 10, applicationName: 'test begins' });
  const works = [intake, eInvoices, trials, booking, purchaseBooking, purging, verifying];
  const workers = await runWorkers(works, { url, pool, log, timeZone: 'Europe/Stockholm' });
  expect(pool.totalCount).toBeLessThanOrEqual(3);
  await workers.stop();
  await pool.end();
});
