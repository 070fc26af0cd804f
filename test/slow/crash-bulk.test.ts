/** kill -9 of each part while bunches of vouchers, paid orders and their refunds pour in, many of them twice at once. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { type Service, startService } from '../process/crash.ts';
import { waitUntil } from '../process/embedded.ts';
import { orderBody, voucherBody } from '../support/installation.ts';

interface Result {
  readonly status: number;
  readonly id?: string;
  readonly invoiceId?: string;
  readonly error?: string;
}

/** Sent until it is answered for good, and everything in it too. */
async function answered(service: Service, path: string, body: string): Promise<Result[]> {
  for (;;) {
    const answer = await fetch(service.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
      body,
      signal: AbortSignal.timeout(20_000),
    })
      .then(async (response) => {
        const told = (await response.json()) as { results?: Result[] };
        return { status: response.status, results: told.results };
      })
      .catch(() => ({ status: 0, results: undefined }));
    const results = answer.results ?? [{ status: answer.status }];
    if (answer.status !== 0 && results.every(({ status }) => status < 500 && status !== 409)) {
      expect(results.filter(({ status }) => status !== 200)).toEqual([]);
      return results;
    }
    await sleep(50);
  }
}

const lines = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).join('\r\n');

it('nothing in a bunch is lost or doubled, no refund credits twice and no payment settles twice, whatever is killed', async () => {
  const service = await startService();
  const { owner } = service;
  const vouchers = new Map<string, string>();
  const orders = new Map<string, string>();
  let refunds = 0;
  let isOver = false;

  /** Sends the same twice at once; both are answered alike. */
  async function twice(path: string, items: readonly object[]): Promise<Result[]> {
    const body = lines(items);
    const [one, other] = await Promise.all([1, 2].map(() => answered(service, path, body)));
    const madeOf = (results: readonly Result[] | undefined) =>
      results?.map(({ id, invoiceId }) => id ?? invoiceId);
    expect(madeOf(other)).toEqual(madeOf(one));
    return one ?? [];
  }
  async function post(isAtomic: boolean): Promise<void> {
    const items = Array.from({ length: 20 }, () => {
      const idempotencyKey = randomUUID();
      return { ...voucherBody({ description: idempotencyKey }), idempotencyKey };
    });
    const results = await twice(`/api/v1/verifikat/bunt${isAtomic ? '?atomic=true' : ''}`, items);
    for (const [index, { idempotencyKey }] of items.entries()) {
      vouchers.set(idempotencyKey, results[index]?.id ?? '');
    }
  }
  async function sell(): Promise<void> {
    const items = Array.from({ length: 5 }, () =>
      orderBody({ payments: [{ method: 'card', amount: 209 }], tip: 10 }),
    );
    const results = await twice('/api/inbound/order/bunt', items);
    for (const [index, { externalId }] of items.entries()) {
      orders.set(externalId, results[index]?.invoiceId ?? '');
      for (const [part, amount] of [100.01, 98.99].entries()) {
        const refundId = `${externalId} ${part}`;
        const payments = [{ method: 'card', amount }];
        const body = { externalId, refundId, refundDate: '2026-04-02', amount, payments };
        await twice('/api/inbound/aterbetalning', [body]);
        refunds += 1;
      }
    }
  }
  const repeat = async (work: () => Promise<void>) => {
    while (!isOver) await work();
  };
  const clients = [repeat(() => post(true)), repeat(() => post(false)), repeat(sell), repeat(sell)];
  const goOn = async () => {
    const enough = { vouchers: vouchers.size + 60, refunds: refunds + 15 };
    await Promise.race([
      Promise.all(clients),
      waitUntil(() => vouchers.size >= enough.vouchers && refunds >= enough.refunds),
    ]);
  };
  await goOn();
  for (const part of ['http', 'intake']) {
    await waitUntil(() => service.children().has(part));
    process.kill(Number(service.children().get(part)), 'SIGKILL');
    await goOn();
  }
  const [backend] = await db(owner).query<{ pid: number }>(
    sql`select pid from pg_stat_activity where application_name like 'huvudbok http%' limit 1`,
  );
  expect(backend?.pid).toBeGreaterThan(1);
  // With one of its processes gone PostgreSQL ends all others, and begins anew from what it has written down.
  process.kill(Number(backend?.pid), 'SIGKILL');
  await goOn();
  isOver = true;
  await Promise.all(clients);

  const kept = await db(owner).query<{ description: string; id: string }>(
    sql`select description, id from ledger.vouchers where source = 'api'`,
  );
  expect(kept).toHaveLength(vouchers.size);
  expect(new Map(kept.map(({ description, id }) => [description, id]))).toEqual(vouchers);
  await waitUntil(async () => {
    const [notes] = await db(owner).query<{ booked: number }>(sql`select count(*)::integer as booked
      from sales.invoices where kind = 'credit_note' and status <> 'draft'`);
    return (notes?.booked ?? 0) >= refunds;
  });
  // Each invoice is credited twice, to the öre, and every krona that came in has gone back, but for the tip.
  expect(
    await db(owner).query(sql`select i.status, i.open_ore, count(*)::integer as invoices,
        sum((select sum(c.total_ore) from sales.invoices c where c.credited_invoice_id = i.id))::integer
          as credited,
        sum((select count(*) from sales.invoices c where c.credited_invoice_id = i.id))::integer as notes,
        sum((select count(*) from sales.payments p where p.invoice_id = i.id))::integer as payments,
        sum((select sum(p.amount_ore) from sales.payments p where p.invoice_id = i.id))::integer as paid
      from sales.invoices i where i.kind = 'invoice' group by 1, 2`),
  ).toEqual([
    {
      status: 'credited',
      open_ore: 0n,
      invoices: orders.size,
      credited: orders.size * 19_900,
      notes: refunds,
      payments: orders.size * 3,
      paid: 0,
    },
  ]);
  expect(
    await db(owner).query(sql`select account, sum(credit_ore - debit_ore)::integer as ore
      from ledger.voucher_rows where account in (1510, 1686, 2890) group by 1 order by 1`),
  ).toEqual([
    { account: 1510, ore: 0 },
    { account: 1686, ore: -orders.size * 1_000 },
    { account: 2890, ore: orders.size * 1_000 },
  ]);
  const { answer } = await service.command('verify', '--json');
  expect(answer).toEqual({
    vouchers: vouchers.size + 2 * orders.size + 2 * refunds,
    series: 8,
    problems: [],
  });
});
