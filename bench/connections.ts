/**
 * What few connections cost: posting through an http process with the connections it usually has, and
 * through one that may have as many as before they were budgeted (26, of which 12 for keys), in turn.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Figure, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { requireAllWell } from './load.ts';
import { freePort, type System } from './system.ts';
import { voucherRequests } from './vouchers.ts';
import { limitOf, watch } from './watch.ts';

const many = '26';
const connections = 64;
/** What disturbs one round disturbs the other: only a clear loss counts. */
const ratio_min = 0.95;

export async function measureConnections(system: System, seconds: number): Promise<Figure[]> {
  const generous = await startHttp(system, { DATABASE_CONNECTIONS: many });
  const usual = await startHttp(system, {});
  try {
    for (const { port } of [generous, usual]) await post(system, port, Math.min(3, seconds), '');
    const { base, rate, ratio } = await measureInTurn(
      () => post(system, generous.port, seconds, `${many} connections to the database`),
      () => post(system, usual.port, seconds, 'its usual connections to the database'),
    );
    return [
      base,
      rate,
      {
        measurement: 'connections',
        what: `ratio usual/many at ${connections} callers, median of ${ratio.all}`,
        value: `${ratio.median.toFixed(2)} ×`,
        wanted: `≥ ${ratio_min}`,
        is_met: ratio.median >= ratio_min,
      },
    ];
  } finally {
    generous.stop();
    usual.stop();
  }
}

async function startHttp({ url }: System, settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const entry = fileURLToPath(new URL('../src/cli/huvudbok.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [entry, 'http'], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return { port, stop: () => void child.kill('SIGTERM') };
}

async function post(system: System, port: number, seconds: number, by: string): Promise<Rate> {
  const requests = voucherRequests(system.key);
  const { result, usage } = await watch(system, () =>
    system.load.run({ port, requests, connections, seconds }),
  );
  requireAllWell(result);
  return {
    measurement: 'connections',
    what: `POST /api/v1/verifikat, ${connections} callers, an http with ${by}`,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}
