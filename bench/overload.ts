/**
 * Too much of everything (attacks.ts), one after the other: what others see meanwhile, what the http process
 * holds at most, and how soon it posts as quickly as before.
 */

import { createKey } from '#src/access/keys/service.ts';
import { withTx } from '#src/db/pool.ts';
import { inThread } from './attack-thread.ts';
import { during, slowBodyOpening, type Target } from './attacks.ts';
import type { Figure } from './figure.ts';
import { listProcesses } from './processes.ts';
import type { System } from './system.ts';

const recovery_ms_max = 1_000;
const large_calls = 250;
const paths = ['/api/v1/verifikat?limit=200', '/api/stats/overview', '/api/stats/monthly'];

export async function measureOverload(system: System, seconds: number): Promise<Figure[]> {
  const { port, key } = system;
  const target: Target = { port, key };
  const neighbour: Target = { port, key: await anotherKey(system) };
  const http = (await listProcesses(system.postmaster)).find(({ part }) => part === 'http');
  if (!http) throw new Error('no http process is running');
  const idle = { count: 1_000, opening: '', seconds, drip: undefined };
  const slow = { count: 500, opening: slowBodyOpening(target, 400_000), seconds, drip: ' ' };
  const attacks: Readonly<Record<string, () => Promise<unknown>>> = {
    [`${large_calls} vouchers of 488 kB`]: () => inThread('largeVouchers', target, large_calls),
    [`${large_calls} senders of 488 kB who hang up`]: () =>
      inThread('hangUps', target, large_calls),
    'posting over 640 connections': () => inThread('flood', target, { connections: 640, seconds }),
    '64 e-invoices of 4 MB': () =>
      inThread('largeDocuments', target, { count: 64, isChunked: false }),
    '64 e-invoices of 4 MB of unknown length': () =>
      inThread('largeDocuments', target, { count: 64, isChunked: true }),
    '1 000 idle connections': () => inThread('slowConnections', target, idle),
    '500 bodies that never end': () => inThread('slowConnections', target, slow),
    'reading over 64 connections': () =>
      inThread('readMuch', target, { connections: 64, seconds, paths }),
  };
  const figures: Figure[] = [];
  for (const [what, attack] of Object.entries(attacks)) {
    const { seen, recovered_ms, rss_before_mb, rss_max_mb } = await during(
      { target, neighbour, pid: http.pid },
      attack,
    );
    const most = (name: string): string => `${Math.round(seen[name]?.max_ms ?? 0)} ms`;
    figures.push({
      measurement: 'overload',
      what,
      value:
        `back after ${Math.round(recovered_ms)} ms; at most ${most('/healthz')} for health, ` +
        `${most('posting, another key')} for another key’s posting; ` +
        `${Math.round(rss_before_mb)} → ${Math.round(rss_max_mb)} MB`,
      wanted: `back < ${recovery_ms_max} ms`,
      is_met: recovered_ms < recovery_ms_max,
      details: { seen, recovered_ms, rss_before_mb, rss_max_mb },
    });
  }
  return figures;
}

async function anotherKey({ owner }: System): Promise<string> {
  const wanted = {
    name: 'Grannen',
    scopes: ['ledger:write', 'data:read'] as const,
    quotaPerHour: 10_000_000,
    expiresAt: null,
  };
  return (await withTx(owner, (tx) => createKey(tx, wanted, 'bench'))).key;
}
