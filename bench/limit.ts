/**
 * (a) The database's own limit: 64 connections that each post one voucher of three rows per
 * transaction on one and the same series, straight in the database. What gapless numbers allow
 * without gathering. The same for whatever else takes numbers.
 */
import type pg from 'pg';
import { roleUrl } from '#src/db/logins.ts';
import { connect, type Db, db, type Tx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';
import type { Figure, Measurement, Rate } from './figure.ts';
import { percentile } from './statistics.ts';
import { analyze, type System } from './system.ts';
import { directVouchers } from './vouchers.ts';
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

const vouchers: LimitWork = {
  measurement: 'limit',
  what: 'ledger.post_vouchers, one voucher per transaction',
  role: 'hb_worker',
  postOne: postVoucher,
};

export async function openLimit(system: System, work = vouchers): Promise<Limit> {
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

/** Alone, when posting is not measured beside it. */
export async function measureLimit(system: System, seconds: number): Promise<Figure[]> {
  const limit = await openLimit(system);
  try {
    await limit.run(1);
    await analyze(system);
    await limit.run(1);
    return [await limit.run(seconds)];
  } finally {
    await limit.close();
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

async function postVoucher(one: Db, n: number): Promise<void> {
  const voucher = directVouchers[n % directVouchers.length];
  if (!voucher) throw new Error('there are no vouchers to post');
  const [outcome] = await postToLedger(one as Tx, [
    { ...voucher, id: uuid(), series: 'A', counterparty: null, source: 'api', actor: 'job:bench' },
  ]);
  if (outcome?.number == null) throw new Error(`refused: ${JSON.stringify(outcome)}`);
}
