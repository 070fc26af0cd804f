/**
 * What the database alone can do, one commit a voucher: a row of the series locked and counted up, a voucher and three
 * rows with primary keys and nothing else, prepared, fsync as ours. By pgbench where it is installed, else by a client
 * of our own, whose processor time is in the figure's usage.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '#src/db/pool.ts';
import type { Rate } from './figure.ts';
import { percentile } from './statistics.ts';
import { type System, superuserUrl } from './system.ts';
import { limitOf, watch } from './watch.ts';

const sessions = 64;
const statement = 'select bare.post(1)';

/** Tables and a function, for the postgres user; dropped by whoever made them. */
export const bareSchema = `
  drop schema if exists bare cascade;
  create schema bare;
  create table bare.series (id integer primary key, next bigint not null default 1) with (fillfactor = 20);
  create table bare.vouchers (id bigint generated always as identity primary key, series integer not null,
    number bigint not null, date date not null, text text not null, created_at timestamptz not null default now(),
    unique (series, number));
  create table bare.rows (voucher_id bigint not null, row_no smallint not null, account integer not null,
    amount numeric(14, 2) not null, text text, primary key (voucher_id, row_no));
  insert into bare.series (id) select generate_series(1, 64);
  create function bare.post(p_series integer) returns bigint language plpgsql as $$
  declare
    v_number bigint;
    v_id bigint;
  begin
    update bare.series set next = next + 1 where id = p_series returning next - 1 into v_number;
    insert into bare.vouchers (series, number, date, text)
    values (p_series, v_number, current_date, 'Kundfaktura') returning id into v_id;
    insert into bare.rows values (v_id, 1, 1510, 1250.00, null), (v_id, 2, 3001, -1000.00, null),
      (v_id, 3, 2611, -250.00, null);
    return v_number;
  end $$`;

export interface BareLimit {
  run(seconds: number): Promise<Rate>;
  close(): Promise<void>;
}

export async function openBareLimit(system: System): Promise<BareLimit> {
  const url = await superuserUrl(system);
  const client = await connect(url, 'bench bare limit');
  await client.query(bareSchema);
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-bare-'));
  const script = join(folder, 'post.sql');
  await writeFile(script, `${statement};\n`);
  const pgbench = spawnSync('pgbench', ['--version']).status === 0;
  const load = pgbench ? await pgbenchLoad(url, script) : await ownLoad(url);
  return {
    async run(seconds) {
      const { result, usage } = await watch(system, () => load.run(seconds));
      return {
        measurement: 'limit',
        what: `bare: voucher and 3 rows a commit, one series, ${sessions} sessions (${pgbench ? 'pgbench' : 'own client'})`,
        ...result,
        limited_by: limitOf(usage),
        usage,
      };
    },
    async close() {
      await load.close();
      await client.query('drop schema bare cascade');
      await client.end();
      await rm(folder, { recursive: true });
    },
  };
}

type Measured = Pick<Rate, 'per_second' | 'p50_ms' | 'p99_ms'>;

interface BareLoad {
  run(seconds: number): Promise<Measured>;
  close(): Promise<void>;
}

/** Its time counts the logging in of all sessions, which has been seen to take more than a second. */
async function pgbenchLoad(url: string, script: string): Promise<BareLoad> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const log = `${script}.log`;
  return {
    async run(seconds) {
      const child = spawn(
        'pgbench',
        [
          ...['--no-vacuum', '--protocol=prepared', `--client=${sessions}`, '--jobs=2'],
          ...[`--time=${Math.max(3, Math.round(seconds))}`, `--file=${script}`],
          ...['--log', `--log-prefix=${log}`, pathname.slice(1)],
        ],
        {
          env: {
            ...process.env,
            PGHOST: hostname,
            PGPORT: port,
            PGUSER: decodeURIComponent(username),
            PGPASSWORD: decodeURIComponent(password),
          },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let told = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        told += text;
      });
      await once(child, 'close');
      const rate = /^tps = ([\d.]+)/m.exec(told)?.[1];
      if (rate === undefined) throw new Error(`pgbench did not tell its rate: ${told}`);
      return { per_second: Number(rate), ...(await readLatencies(log)) };
    },
    close: async () => undefined,
  };
}

/** pgbench's logs: `client transaction µs …`, a file a thread. */
async function readLatencies(prefix: string): Promise<Omit<Measured, 'per_second'>> {
  const all: number[] = [];
  for await (const file of glob(`${prefix}*`)) {
    for (const line of (await readFile(file, 'utf8')).split('\n')) {
      const us = line.split(' ')[2];
      if (us !== undefined) all.push(Number(us) / 1000);
    }
    await rm(file);
  }
  return percentilesOf(all);
}

function percentilesOf(latencies: readonly number[]): Omit<Measured, 'per_second'> {
  const sorted = Float64Array.from(latencies).sort();
  return { p50_ms: percentile(sorted, 0.5), p99_ms: percentile(sorted, 0.99) };
}

async function ownLoad(url: string): Promise<BareLoad> {
  const clients: pg.Client[] = [];
  for (let n = 0; n < sessions; n += 1) clients.push(await connect(url, 'bench bare limit'));
  return {
    async run(seconds) {
      const latencies: number[] = [];
      const started = performance.now();
      const deadline = started + seconds * 1000;
      await Promise.all(
        clients.map(async (client) => {
          while (performance.now() < deadline) {
            const begun = performance.now();
            await client.query({ name: 'bare', text: statement });
            latencies.push(performance.now() - begun);
          }
        }),
      );
      const took = (performance.now() - started) / 1000;
      return { per_second: latencies.length / took, ...percentilesOf(latencies) };
    },
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}
