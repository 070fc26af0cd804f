/** How long the work of a killed worker waits for another to take it over. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { findPdf, requestPdf } from '#src/render/store.ts';
import { isAlive } from '../../soak/processes.ts';
import { orderBody } from '../support/installation.ts';
import { startService } from './crash.ts';
import { waitUntil } from './embedded.ts';

/** Starts of the whole service in which it is taken over: sooner than a missed heartbeat would tell of it. */
const startsMax = 6;
/** With a browser's start. */
const startsOfPrintingMax = 8;

/** Process numbers of everything that came from this one. */
function descendantsOf(root: number): number[] {
  const parents = new Map(
    execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]),
  );
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (parents.get(pid) === root || isBelow(parents.get(pid)));
  return [...parents.keys()].filter(isBelow);
}

it('work that a killed worker had in hand is done by the next as soon as it starts, and a page is printed once', {
  timeout: 300_000,
}, async () => {
  const service = await startService({ LOG_LEVEL: 'info' });
  const { owner } = service;
  for (const [turn, [part = '', table = '']] of [
    ['intake', 'sales.invoice_rows'],
    ['booking', 'sales.invoice_numbers'],
  ].entries()) {
    const blocker = await owner.connect();
    await blocker.query(`begin; lock table ${table} in exclusive mode`);
    const response = await fetch(`${service.address}/api/inbound/order`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        prefer: 'respond-async',
      },
      body: JSON.stringify(orderBody()),
    });
    // Decided at once, where only its booking is held up, it may be answered with the draft.
    expect(await response.json()).toMatchObject({ ok: true });
    // The worker has claimed the job and waits for the table.
    await waitUntil(async () => {
      const waiting = await db(owner).query(
        sql`select from pg_locks where relation = ${table}::regclass and not granted`,
      );
      return waiting.length > 0;
    });
    process.kill(service.children().get(part) ?? Number.NaN, 'SIGKILL');
    const killed = performance.now();
    await blocker.query('rollback');
    blocker.release();
    // Not when its heartbeat is missed, ten seconds later: the order's sender waits.
    await service.says(new RegExp(`(took over what was left behind[^]*){${turn + 1}}`));
    await waitUntil(async () => {
      const [booked] = await db(owner).query<{ count: number }>(
        sql`select count(*)::integer as count from sales.invoices where voucher_id is not null`,
      );
      const undone = await db(owner).query(sql`select from pgboss.job
        where name in ('order-intake', 'invoice-booking') and state <> 'completed'`);
      return booked?.count === turn + 1 && undone.length === 0;
    });
    expect(performance.now() - killed, part).toBeLessThan(startsMax * service.start_ms);
  }

  const html = '<!doctype html><html lang="sv"><head><title>Sida</title></head><p>Sida</p></html>';
  const blocker = await owner.connect();
  await blocker.query('begin; lock table archive.contents in exclusive mode');
  await requestPdf(db(owner), html);
  // The worker has printed the page and waits to store it.
  await waitUntil(async () => {
    const waiting = await db(owner).query(
      sql`select from pg_locks where relation = 'archive.contents'::regclass and not granted`,
    );
    return waiting.length > 0;
  });
  const worker = service.children().get('render') ?? 0;
  const browsers = descendantsOf(worker);
  expect(browsers.length).toBeGreaterThan(0);
  process.kill(worker, 'SIGKILL');
  const killed = performance.now();
  await blocker.query('rollback');
  blocker.release();
  await waitUntil(async () => (await findPdf(db(owner), html)) !== undefined);
  expect(performance.now() - killed).toBeLessThan(startsOfPrintingMax * service.start_ms);
  await waitUntil(() => !browsers.some(isAlive));
  const renderings = await db(owner).query(sql`select from archive.renderings`);
  expect(renderings).toHaveLength(1);
});
