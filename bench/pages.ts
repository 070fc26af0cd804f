/**
 * (d) Pages of 50 vouchers among a million, with every combination of filters, first pages and pages
 * deep inside. Over HTTP, one call at a time, and beside it the database's part of it alone.
 */
import { createHash } from 'node:crypto';
import { roleUrl } from '#src/db/logins.ts';
import { createPool } from '#src/db/pool.ts';
import { withKey } from '#src/http/access.ts';
import { Readers } from '#src/http/readers.ts';
import { listVouchers } from '#src/ledger/vouchers/store.ts';
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { httpRequest } from './load-job.ts';
import { type Group, listGroups, type Page } from './page-filters.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';
import { type System, settle } from './system.ts';
import { limitOf, watch } from './watch.ts';

const p99_ms_wanted = 5;
/** Two hundred or more, so that p99 is not what happened once. */
const calls_per_second_asked = 60;
const rounds_before = 4;
const mixed_connections = 16;

interface Timing {
  readonly group: Group;
  readonly http: { readonly p50_ms: number; readonly p99_ms: number };
  readonly database: { readonly p50_ms: number; readonly p99_ms: number };
}

export async function measurePages(
  system: System,
  options: { seconds: number; vouchers: number; note: (line: string) => void },
): Promise<Figure[]> {
  const seeded = await seed(system, options.vouchers, options.note);
  await settle(system);
  const groups = await listGroups(system);
  const calls = options.seconds * calls_per_second_asked;
  await warmUp(system, groups);
  const timings: Timing[] = [];
  for (const group of groups) timings.push(await measureGroup(system, group, calls));
  const keys = new Set(timings.map(({ group }) => `${group.filters}|${group.depth}`));
  return [
    ...(seeded.posted === 0 ? [] : [seedFigure(seeded)]),
    ...[...keys].map((key) =>
      combine(timings.filter(({ group }) => `${group.filters}|${group.depth}` === key)),
    ),
    await measureMixed(system, groups, options.seconds),
  ];
}

function seedFigure({ posted, per_second }: { posted: number; per_second: number }): Figure {
  return {
    measurement: 'pages',
    what: `seeding ${posted} vouchers through ledger.post_vouchers, four connections`,
    per_second,
  };
}

/** A process that has just begun compiles while it answers, which a shop's does once a month. */
async function warmUp({ load, port, key }: System, groups: readonly Group[]): Promise<void> {
  const requests = groups.flatMap(({ pages }) => pages.map((page) => requestOf(key, page)));
  const calls_max = rounds_before * requests.length;
  requireAllWell(await load.run({ port, requests, calls_max, seconds: 300 }));
}

const requestOf = (key: string, { query }: Page): string => {
  const given = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]);
  const path = `/api/v1/verifikat?${new URLSearchParams(given)}`;
  return httpRequest('GET', path, { authorization: `Bearer ${key}` });
};

async function measureGroup(system: System, group: Group, calls: number): Promise<Timing> {
  const { load, port, key } = system;
  const requests = group.pages.map((page) => requestOf(key, page));
  // Until PostgreSQL has settled on a plan: it tries five times before it decides.
  const warm_up = Math.max(12, requests.length);
  await load.run({ port, requests, calls_max: warm_up, seconds: 60 });
  const http = await load.run({ port, requests, calls_max: calls, seconds: 60 });
  requireAllWell(http);
  return { group, http, database: await timeDatabase(system, group, warm_up, calls) };
}

/** The page's one statement as the HTTP process sends it, from the first byte to the last. */
async function timeDatabase(
  { url, key }: System,
  { pages }: Group,
  warm_up: number,
  calls: number,
): Promise<Timing['database']> {
  const hash = createHash('sha256').update(key).digest();
  const caller = { keyId: '', keyName: '', scopes: [], hash, hasHungUp: () => false };
  const pool = createPool({
    url: await roleUrl(url, 'hb_api'),
    max: 1,
    applicationName: 'bench pages',
    isPipelined: true,
  });
  const readers = new Readers({ pool, atOnce: 1, waiting: 1 });
  const times: number[] = [];
  try {
    for (let n = 0; n < warm_up + calls; n += 1) {
      const page = pages[n % pages.length];
      if (!page) continue;
      await withKey(readers, caller, async (tx) => {
        const begun = performance.now();
        await listVouchers(tx, page.query, page.place);
        if (n >= warm_up) times.push(performance.now() - begun);
      });
    }
  } finally {
    await pool.end();
  }
  times.sort((a, b) => a - b);
  return { p50_ms: percentile(times, 0.5), p99_ms: percentile(times, 0.99) };
}

/** One line for the groups with the same filters: the slowest group decides. */
function combine(timings: readonly Timing[]): Figure {
  const [worst] = timings.toSorted((a, b) => b.http.p99_ms - a.http.p99_ms);
  if (!worst) throw new Error('no pages were measured');
  const { filters, depth, kind } = worst.group;
  const { p50_ms, p99_ms } = worst.database;
  return {
    measurement: 'pages',
    what: `page of 50, ${depth}, filters: ${filters || 'none'}`,
    p50_ms: worst.http.p50_ms,
    p99_ms: worst.http.p99_ms,
    wanted: `p99 ≤ ${p99_ms_wanted} ms`,
    is_met: worst.http.p99_ms <= p99_ms_wanted,
    limited_by:
      `database ${p50_ms.toFixed(2)} (p99 ${p99_ms.toFixed(2)}) ms of it` +
      (kind === '' ? '' : `; slowest with ${kind}`),
    details: timings.map(({ group, http, database }) => ({ kind: group.kind, http, database })),
  };
}

async function measureMixed(
  system: System,
  groups: readonly Group[],
  seconds: number,
): Promise<Figure> {
  const { load, port, key } = system;
  const requests = groups.flatMap(({ pages }) => pages.map((page) => requestOf(key, page)));
  const { result, usage } = await watch(system, () =>
    load.run({ port, requests, connections: mixed_connections, seconds }),
  );
  requireAllWell(result);
  return {
    measurement: 'pages',
    what: `pages of 50 with all those filters mixed, ${mixed_connections} connections`,
    per_second: result.calls / result.seconds,
    p50_ms: result.p50_ms,
    p99_ms: result.p99_ms,
    limited_by: limitOf(usage),
    usage,
  };
}
