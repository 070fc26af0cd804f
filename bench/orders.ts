/** (c) Orders that become drafts while the sender waits: many at once, and one now and then. */
import { addDays } from '#src/domain/basics/dates.ts';
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { httpRequest, unique_mark } from './load-job.ts';
import { analyze, customerOf, customers_count, type System } from './system.ts';
import { limitOf, watch } from './watch.ts';

const variants = 1000;
const connections_many = 64;
const warm_up_seconds = 3;
const idle_pause_ms = 200;

/** All with the same number, for whoever sends them to replace. */
export const orderBodies: readonly object[] = Array.from({ length: variants }, (_, n) => {
  const price = 100 + (n % 900);
  const rows = Array.from({ length: 1 + (n % 3) }, (_, index) => ({
    description: `Vara ${index + 1}`,
    quantity: 1 + (n % 4),
    unitPrice: price,
    vatRate: 25,
  }));
  return {
    externalId: unique_mark,
    orderDate: addDays('2026-01-01', n % 320),
    currency: 'SEK',
    pricesIncludeVat: true,
    total: rows.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0),
    // Every third buyer is unknown and becomes the collective customer's.
    customer: n % 3 === 0 ? { name: `Okänd ${n}` } : customerOf((n * 7) % customers_count),
    rows,
  };
});

export const orderRequests = (key: string): string[] =>
  orderBodies.map((body) =>
    httpRequest('POST', '/api/inbound/order', { authorization: `Bearer ${key}` }, body),
  );

export async function measureOrders(system: System, seconds: number): Promise<Figure[]> {
  const requests = orderRequests(system.key);
  const warm_up = Math.min(warm_up_seconds, seconds);
  const base = { requests, port: system.port };
  await system.load.run({ ...base, connections: connections_many, seconds: warm_up });
  await analyze(system);
  await system.load.run({ ...base, connections: connections_many, seconds: 1 });

  const many = await measure(system, { ...base, connections: connections_many, seconds });
  const one = await measure(system, { ...base, connections: 1, seconds });
  const idle = await measure(system, {
    ...base,
    connections: 1,
    seconds: seconds * 2,
    pause_ms: idle_pause_ms,
  });
  const what = 'POST /api/inbound/order, answered when it is a draft';
  return [
    { ...one, what: `${what}, 1 connection` },
    {
      ...many,
      what: `${what}, ${connections_many} connections`,
      wanted: '≥ 1000/s',
      is_met: many.per_second >= 1000,
    },
    {
      ...idle,
      what: `${what}, one every ${idle_pause_ms} ms`,
      wanted: 'p50 ≤ 15 ms',
      is_met: idle.p50_ms <= 15,
    },
  ];
}

async function measure(system: System, job: Parameters<System['load']['run']>[0]) {
  const { result, usage } = await watch(system, () => system.load.run(job));
  requireAllWell(result);
  return {
    measurement: 'orders' as const,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}
