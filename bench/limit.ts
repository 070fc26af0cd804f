/**
 * (a) What our own functions allow without gathering: 64 connections that each post one voucher of three rows per
 * transaction on one and the same series, straight in the database. The same for whatever else takes numbers.
 */
import type pg from 'pg';
import { roleUrl } from '#src/db/logins.ts';
import { connect, type Db, db } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { postVouchers } from '#src/ledger/vouchers/store.ts';
import { openBareLimit } from './bare-limit.ts';
import type { Figure, Measurement, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { percentile } from './statistics.ts';
import { analyze, type System } from './system.ts';
import { postItems } from './vouchers.ts';
import { limitOf, watch } from './watch.ts';

export const limit_clients = 64;

export interface Limit {
  /** Posts for a while on all connections. */
  run(seconds: number): Promise<Rate>;
  close(): Promise<void>;
}

/** One statement outside begin and commit is a transaction of its own, with one round trip. */
export interface LimitWork {
  readonly measurement: Measurement;
  readonly what: string;
  readonly role: DatabaseRole;
  readonly postOne: (db: Db, n: number) => Promise<void>;
}

/** The product's own function, a call a transaction, as one HTTP process with a batch of one would use it. */
function posting(key: string): LimitWork {
  const item = postItems(key);
  return {
    measurement: 'limit',
    what: 'api.post_vouchers, one voucher per transaction',
    role: 'hb_api',
    async postOne(one, n) {
      const [outcome] = await postVouchers(one, [item(n)], false);
      if (outcome?.outcome !== 'posted') throw new Error(`refused: ${JSON.stringify(outcome)}`);
    },
  };
}

export async function openLimit(system: System, work = posting(system.key)): Promise<Limit> {
  const url = await roleUrl(system.url, work.role);
  const clients = await Promise.all(
    Array.from({ length: limit_clients }, () => connect(url, 'bench limit')),
  );
  return {
    async run(seconds) {
      const { result, usage } = await watch(system, () => postAll(clients, work, seconds));
      const sorted = Float64Array.from(result.latencies).sort();
      return {
        measurement: work.measurement,
        what: `${work.what}, ${limit_clients} clients`,
        per_second: result.latencies.length / result.seconds,
        p50_ms: percentile(sorted, 0.5),
        p99_ms: percentile(sorted, 0.99),
        limited_by: limitOf(usage),
        usage,
      };
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}

/** The database alone, and our function: what posting is held against. */
export async function measureLimit(system: System, seconds: number): Promise<Figure[]> {
  const bare = await openBareLimit(system);
  const limit = await openLimit(system);
  try {
    await bare.run(1);
    await limit.run(1);
    await analyze(system);
    await limit.run(1);
    const { base, rate } = await measureInTurn(
      () => bare.run(seconds / 2),
      () => limit.run(seconds / 2),
    );
    return [base, rate];
  } finally {
    await limit.close();
    await bare.close();
  }
}

async function postAll(clients: readonly pg.Client[], { postOne }: LimitWork, seconds: number) {
  const latencies: number[] = [];
  const started = performance.now();
  const deadline = started + seconds * 1000;
  await Promise.all(
    clients.map(async (client, index) => {
      for (let n = index; performance.now() < deadline; n += clients.length) {
        const begun = performance.now();
        await postOne(db(client), n);
        latencies.push(performance.now() - begun);
      }
    }),
  );
  return { latencies, seconds: (performance.now() - started) / 1000 };
}
