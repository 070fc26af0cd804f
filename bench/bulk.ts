/**
 * POST /api/v1/verifikat/bunt on one connection, a thousand vouchers a call, and what it makes of what the database can
 * take in batches: bare tables a thousand a commit, and our own function as the bulk calls it. In turn, several times.
 */
import { roleUrl } from '#src/db/logins.ts';
import { connect, db } from '#src/db/pool.ts';
import { postVouchers } from '#src/ledger/vouchers/store.ts';
import { bareSchema } from './bare-limit.ts';
import type { Figure, Rate } from './figure.ts';
import { measureInTurn } from './in-turn.ts';
import { requireAllWell } from './load.ts';
import { httpRequest, unique_mark } from './load-job.ts';
import { percentile } from './statistics.ts';
import { analyze, type System, superuserUrl } from './system.ts';
import { postItems, voucherBodies } from './vouchers.ts';
import { limitOf, type Usage, watch } from './watch.ts';

const items_per_call = 1_000;
/** As many as the bulk hands over at once (src/api/vouchers/posting.ts). */
const items_per_batch = 200;
const wanted_per_second = 8_000;

export async function measureBulk(system: System, seconds: number): Promise<Figure[]> {
  const bare = await openBareBatches(system);
  const own = await openOwnBatches(system);
  try {
    for (const { run } of [bare, own, { run: (s: number) => bulk(system, s) }]) await run(1);
    await analyze(system);
    await bulk(system, 1);
    const part = seconds / 2;
    const toBare = await measureInTurn(
      () => bare.run(part),
      () => bulk(system, part),
    );
    const toOwn = await measureInTurn(
      () => own.run(part),
      () => bulk(system, part),
    );
    return [
      toBare.base,
      toOwn.base,
      {
        ...toBare.rate,
        wanted: `≥ ${wanted_per_second}/s`,
        is_met: toBare.rate.per_second >= wanted_per_second,
      },
      ratioOf('of bare batches', toBare.ratio),
      ratioOf('of our function in batches', toOwn.ratio),
      ...costsOf(toBare.rate),
    ];
  } finally {
    await own.close();
    await bare.close();
  }
}

const ratioOf = (what: string, { median, all }: { median: number; all: string }): Figure => ({
  measurement: 'bulk',
  what: `ratio ${what}, median of ${all}`,
  value: `${median.toFixed(2)} ×`,
});

/** Processor time of a voucher, by who spent it. */
function costsOf({ per_second, usage }: Rate & { readonly usage?: Usage }): Figure[] {
  return Object.entries(usage?.cores ?? {})
    .filter(([, cores]) => cores > 0.01)
    .sort(([, a], [, b]) => b - a)
    .map(([part, cores]) => ({
      measurement: 'bulk',
      what: `processor time a voucher: ${part}`,
      value: `${((cores / per_second) * 1e6).toFixed(0)} µs`,
    }));
}

const requests = (key: string): string[] =>
  [0, 1].map((half) =>
    httpRequest(
      'POST',
      '/api/v1/verifikat/bunt',
      { authorization: `Bearer ${key}` },
      Array.from({ length: items_per_call }, (_, n) => ({
        idempotencyKey: `${unique_mark}-${n}`,
        ...voucherBodies[(n + half * 7) % voucherBodies.length],
      })),
    ),
  );

async function bulk(system: System, seconds: number): Promise<Rate> {
  const { load, port, key, observer } = system;
  const count = async () => {
    const { rows } = await observer.query(
      'select sum(last_number)::integer as n from ledger.series',
    );
    return rows[0].n as number;
  };
  const before = await count();
  const { result, usage } = await watch(system, () =>
    load.run({ port, requests: requests(key), connections: 1, seconds }),
  );
  requireAllWell(result);
  const posted = (await count()) - before;
  if (posted !== result.calls * items_per_call) throw new Error(`only ${posted} were posted`);
  return {
    measurement: 'bulk',
    what: `POST /api/v1/verifikat/bunt, ${items_per_call} of 3 rows a call, one connection; p50 and p99 of calls`,
    per_second: posted / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}

interface Batches {
  run(seconds: number): Promise<Rate>;
  close(): Promise<void>;
}

/** Batch after batch on one connection. */
async function runBatches(
  system: System,
  seconds: number,
  { what, size, post }: { what: string; size: number; post: (n: number) => Promise<void> },
): Promise<Rate> {
  const { result, usage } = await watch(system, async () => {
    const latencies: number[] = [];
    const started = performance.now();
    const deadline = started + seconds * 1000;
    while (performance.now() < deadline) {
      const begun = performance.now();
      await post(latencies.length * size);
      latencies.push(performance.now() - begun);
    }
    return { latencies, seconds: (performance.now() - started) / 1000 };
  });
  const sorted = Float64Array.from(result.latencies).sort();
  return {
    measurement: 'bulk',
    what,
    per_second: (sorted.length * size) / result.seconds,
    p50_ms: percentile(sorted, 0.5),
    p99_ms: percentile(sorted, 0.99),
    limited_by: limitOf(usage),
    usage,
  };
}

async function openOwnBatches(system: System): Promise<Batches> {
  const client = await connect(await roleUrl(system.url, 'hb_api'), 'bench bulk');
  const item = postItems(system.key);
  return {
    run: (seconds) =>
      runBatches(system, seconds, {
        what: `api.post_vouchers, ${items_per_batch} a commit, one connection`,
        size: items_per_batch,
        async post(from) {
          const items = Array.from({ length: items_per_batch }, (_, n) => item(from + n));
          const outcomes = await postVouchers(db(client), items, false);
          const refused = outcomes.find(({ outcome }) => outcome !== 'posted');
          if (refused) throw new Error(`refused: ${JSON.stringify(refused)}`);
        },
      }),
    close: () => client.end(),
  };
}

const bareBatch = `
  create function bare.post_batch(p_series integer, p_vouchers integer) returns bigint language plpgsql as $$
  declare
    v_number bigint;
  begin
    update bare.series set next = next + p_vouchers where id = p_series returning next - p_vouchers into v_number;
    with voucher as (
      insert into bare.vouchers (series, number, date, text)
      select p_series, v_number + i, current_date, 'Kundfaktura' from generate_series(0, p_vouchers - 1) as i
      returning id
    )
    insert into bare.rows select v.id, r.* from voucher v
    cross join (values (1::smallint, 1510, 1250.00, null), (2::smallint, 3001, -1000.00, null),
      (3::smallint, 2611, -250.00, null)) as r;
    return v_number;
  end $$`;

async function openBareBatches(system: System): Promise<Batches> {
  const client = await connect(await superuserUrl(system), 'bench bare batches');
  await client.query(bareSchema);
  await client.query(bareBatch);
  return {
    run: (seconds) =>
      runBatches(system, seconds, {
        what: `bare: voucher and 3 rows, ${items_per_call} a commit, one series, one connection`,
        size: items_per_call,
        post: async () =>
          void (await client.query({
            name: 'bare batch',
            text: 'select bare.post_batch(1, $1)',
            values: [items_per_call],
          })),
      }),
    async close() {
      await client.query('drop schema bare cascade');
      await client.end();
    },
  };
}
