/**
 * (g) The statistics among a million vouchers, one call at a time over HTTP, and beside them what a walk
 * of all the rows costs: what each call would cost if no sums were kept.
 */
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { httpRequest } from './load-job.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';
import { type System, settle } from './system.ts';
import { limitOf, watch } from './watch.ts';

const p99_ms_wanted = 10;
/** So many that p99 is not what happened once, after as many in which the process has compiled what it runs. */
const calls_per_second_asked = 100;
const walks = 5;

const routes = [
  { path: '/api/stats/overview', isWanted: true },
  { path: '/api/stats/monthly', isWanted: true },
  { path: '/api/stats/daily?from=2026-01-01&to=2026-04-01', isWanted: false },
];

export async function measureStatistics(
  system: System,
  options: { seconds: number; vouchers: number; note: (line: string) => void },
): Promise<Figure[]> {
  await seed(system, options.vouchers, options.note);
  await settle(system);
  const figures: Figure[] = [];
  for (const { path, isWanted } of routes) {
    const { load, port, key } = system;
    const requests = [httpRequest('GET', path, { authorization: `Bearer ${key}` })];
    const calls_max = options.seconds * calls_per_second_asked;
    await load.run({ port, requests, calls_max, seconds: 60 });
    const { result, usage } = await watch(system, () =>
      load.run({ port, requests, calls_max, seconds: 60 }),
    );
    requireAllWell(result);
    figures.push({
      measurement: 'statistics',
      what: `GET ${path}, ${options.vouchers} vouchers, one call at a time`,
      per_second: result.calls / result.seconds,
      p50_ms: result.p50_ms,
      p99_ms: result.p99_ms,
      limited_by: limitOf(usage),
      usage,
      ...(isWanted
        ? { wanted: `p99 ≤ ${p99_ms_wanted} ms`, is_met: result.p99_ms <= p99_ms_wanted }
        : {}),
    });
  }
  return [...figures, await measureWalk(system)];
}

async function measureWalk({ owner }: System): Promise<Figure> {
  const times: number[] = [];
  for (let walk = 0; walk < walks; walk += 1) {
    const begun = performance.now();
    await db(owner).query(
      sql`select date_trunc('month', verification_date),
            sum(credit_ore - debit_ore) filter (where account < 4000),
            sum(debit_ore - credit_ore) filter (where account >= 4000)
          from ledger.voucher_rows where account between 3000 and 7999 group by 1`,
    );
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return {
    measurement: 'statistics',
    what: 'months by a walk of all the rows, straight in the database',
    p50_ms: percentile(times, 0.5),
    p99_ms: percentile(times, 0.99),
  };
}
