/**
 * (n) Writing while a transaction that reads (an export, a backup, an analysis) stays open: of what has been changed since it
 * began, no version can go. Vouchers, booked invoices and orders, each before it, as it ends, and after it.
 */
import { connect } from '#src/db/pool.ts';
import type { Figure, Rate } from './figure.ts';
import { invoiceRequests, makeCustomer } from './invoices.ts';
import { requireAllWell } from './load.ts';
import { orderRequests } from './orders.ts';
import { analyze, type System } from './system.ts';
import { voucherRequests } from './vouchers.ts';
import { limitOf, type Usage, watch } from './watch.ts';

const connections = 64;
const slice_seconds = 10;
const warm_up_seconds = 4;

export async function measureOpenTransaction(system: System, seconds: number): Promise<Figure[]> {
  const work: Readonly<Record<string, string[]>> = {
    vouchers: voucherRequests(system.key),
    'booked invoices': invoiceRequests(system, await makeCustomer(system)),
    orders: orderRequests(system.key),
  };
  const figures: Figure[] = [];
  for (const [what, requests] of Object.entries(work)) {
    figures.push(...(await measure(system, what, requests, seconds)));
  }
  return figures;
}

async function measure(
  system: System,
  what: string,
  requests: readonly string[],
  seconds: number,
): Promise<Figure[]> {
  const slice = (when: string, time: number) => run(system, `${what}, ${when}`, requests, time);
  await slice('warm', warm_up_seconds);
  await analyze(system);
  const time = Math.min(slice_seconds, seconds);
  const before = await slice('nobody reads', time);
  const reader = await connect(system.url, 'bench reader');
  let last = before;
  try {
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from ledger.series');
    for (let past = 0; past < seconds; past += time) {
      last = await slice(`somebody has read for ${past + time} s`, time);
    }
  } finally {
    await reader.end();
  }
  const after = await slice('afterwards', time);
  const ratio = costOf(last) / Math.min(costOf(before), costOf(after));
  return [
    before,
    last,
    after,
    {
      measurement: 'open-transaction',
      what: `${what}, the database's processor time of one, of what it was`,
      value: `${ratio.toFixed(2)} ×`,
      wanted: '≤ 2',
      is_met: ratio <= 2,
    },
  ];
}

async function run(
  system: System,
  what: string,
  requests: readonly string[],
  seconds: number,
): Promise<Rate & { readonly usage: Usage }> {
  const job = { port: system.port, requests, connections, seconds };
  const { result, usage } = await watch(system, () => system.load.run(job));
  requireAllWell(result);
  return {
    measurement: 'open-transaction',
    what: `${what}, ${connections} connections`,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}

/** Processor seconds of connections of ours. */
function costOf({ per_second, usage }: Rate & { readonly usage: Usage }): number {
  const ours = Object.entries(usage.cores).filter(([part]) => part.startsWith('postgres: hb_'));
  return ours.reduce((sum, [, cores]) => sum + cores, 0) / per_second;
}
