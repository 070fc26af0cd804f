/** (h) Agency keys exchanged for tokens, each call from a place of its own behind a proxy. */
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { withTx } from '#src/db/pool.ts';
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { httpRequest } from './load-job.ts';
import type { System } from './system.ts';
import { limitOf, watch } from './watch.ts';

/** An address may call 60 times an hour. */
const addresses = 4_000;
const connections_counts = [1, 16];

export async function measureAgency(system: System, seconds: number): Promise<Figure[]> {
  const { load, port, owner } = system;
  const { key } = await withTx(owner, (tx) => createAgencyKey(tx, 'Mätbyrån', 'bench'));
  const requests = Array.from({ length: addresses }, (_, n) =>
    httpRequest('POST', '/api/byra/token', {
      authorization: `Bearer ${key}`,
      'x-forwarded-for': `198.18.${n >> 8}.${n & 255}`,
      'x-forwarded-proto': 'https',
      'content-length': '0',
    }),
  );
  const figures: Figure[] = [];
  for (const connections of connections_counts) {
    const calls_max = addresses * 20;
    const { result, usage } = await watch(system, () =>
      load.run({ port, requests, connections, seconds, calls_max }),
    );
    requireAllWell(result);
    figures.push({
      measurement: 'agency',
      what: `POST /api/byra/token, ${connections} connections`,
      per_second: result.calls / result.seconds,
      p50_ms: result.p50_ms,
      p99_ms: result.p99_ms,
      limited_by: limitOf(usage),
      usage,
    });
  }
  return figures;
}
