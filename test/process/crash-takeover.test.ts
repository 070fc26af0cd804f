/** How long the work of a killed worker waits for another to take it over. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { orderBody } from '../support/installation.ts';
import { startService } from './crash.ts';
import { waitUntil } from './embedded.ts';

/** Starts of the whole service in which it is taken over: sooner than a missed heartbeat would tell of it. */
const startsMax = 6;

it.each([
  ['intake', 'order-intake', 'sales.invoice_rows'],
  ['booking', 'invoice-booking', 'sales.invoice_numbers'],
])(
  'work that a killed %s worker had in hand is done by the next as soon as it starts',
  async (...names) => {
    const [part, queue, table] = names;
    const service = await startService({ LOG_LEVEL: 'info' });
    const { owner } = service;
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
    process.kill(service.children().get(part) ?? 0, 'SIGKILL');
    const killed = performance.now();
    await blocker.query('rollback');
    blocker.release();
    // Not when its heartbeat is missed, ten seconds later: the order's sender waits.
    await service.says(/took over what was left behind/);
    await waitUntil(async () => {
      const [job] = await db(owner).query<{ state: string }>(
        sql`select state from pgboss.job where name = ${queue}`,
      );
      return job?.state === 'completed';
    });
    expect(performance.now() - killed).toBeLessThan(startsMax * service.start_ms);
  },
);
