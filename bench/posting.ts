/**
 * (b) POST /api/v1/verifikat on one series, and what it makes of what the database alone can do (a). The
 * two are measured in turn, several times, so that a noisy machine disturbs both alike.
 */

import { openBareLimit } from './bare-limit.ts';
import type { Figure, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { requireAllWell } from './load.ts';
import { analyze, type System } from './system.ts';
import { voucherRequests } from './vouchers.ts';
import { limitOf, watch } from './watch.ts';

const other_connections = [16, 256] as const;
const warm_up_seconds = 3;

export async function measurePosting(system: System, seconds: number): Promise<Figure[]> {
  const limit = await openBareLimit(system);
  try {
    await warmUp(system, () => limit.run(1), Math.min(warm_up_seconds, seconds));
    const seconds_p99: number[] = [];
    const { base, rate, ratio } = await measureInTurn(
      () => limit.run(seconds / 2),
      () => post(system, 64, seconds / 2, seconds_p99),
    );
    const worst_second = Math.max(...seconds_p99);
    const figures: Figure[] = [
      base,
      { ...rate, wanted: 'p99 ≤ 25 ms', is_met: rate.p99_ms <= 25 },
      {
        measurement: 'posting',
        what: 'the worst second at 64 connections',
        value: `p99 ${worst_second.toFixed(1)} ms`,
        wanted: 'p99 ≤ 60 ms',
        is_met: worst_second <= 60,
      },
      {
        measurement: 'posting',
        what: `ratio (b)/(a) at 64 connections, median of ${ratio.all}`,
        value: `${ratio.median.toFixed(2)} ×`,
        wanted: '≥ 4',
        is_met: ratio.median >= 4,
      },
    ];
    const one = await post(system, 1, seconds);
    figures.push({ ...one, wanted: '≥ 1000/s', is_met: one.per_second >= 1000 });
    for (const connections of other_connections) {
      figures.push(await post(system, connections, seconds));
    }
    return figures;
  } finally {
    await limit.close();
  }
}

async function warmUp(
  system: System,
  direct: () => Promise<unknown>,
  seconds: number,
): Promise<void> {
  await direct();
  await post(system, 64, seconds);
  await analyze(system);
  await direct();
  await post(system, 64, 1);
}

async function post(
  system: System,
  connections: number,
  seconds: number,
  seconds_p99: number[] = [],
): Promise<Rate> {
  const { load, port, key } = system;
  const requests = voucherRequests(key);
  const { result, usage } = await watch(system, () =>
    load.run({ port, requests, connections, seconds }),
  );
  requireAllWell(result);
  seconds_p99.push(...result.seconds_p99_ms);
  return {
    measurement: 'posting',
    what: `POST /api/v1/verifikat, 3 rows, one series, ${connections} connections`,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}
