/**
 * (n) The export of all vouchers with rows over HTTP, beside PostgreSQL's own COPY of the same rows to standard output over
 * one connection, in turn in one run; what each costs of the processors' time, and what the HTTP process and its backend
 * come to hold.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type pg from 'pg';
import { connect } from '#src/db/pool.ts';
import type { Figure } from './figure.ts';
import { listProcesses, readMemory } from './processes.ts';
import { seed } from './seed.ts';
import { median } from './statistics.ts';
import type { System } from './system.ts';

const rounds = 3;
const memory_every_ms = 200;
const http_mb_max = 250;
/** Of the last one. */
const line_bytes_max = 1_000;

/** What the export tells of each row, as COPY writes it; in the same order. */
const query = `select v.id, v.series, v.number, v.verification_date, v.description, v.counterparty, v.source, e.external_id,
    v.row_count, r.row_no, r.account, r.debit_ore * 0.01, r.credit_ore * 0.01, r.note, r.vat_code
  from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
  left join ledger.external_ids e on e.voucher_id = v.id
  order by v.verification_date, v.series, v.number, r.row_no`;

interface Taken {
  readonly seconds: number;
  readonly bytes: number;
  readonly rows: number;
  /** Of HTTP, and of whoever serves it in the database: neither who reads nor what goes on anyway. */
  readonly http_cpu_seconds: number;
  readonly database_cpu_seconds: number;
}

const cpuSeconds = (one: Taken): number => one.http_cpu_seconds + one.database_cpu_seconds;

export async function measureExport(
  system: System,
  options: { vouchers: number; note: (line: string) => void },
): Promise<Figure[]> {
  await seed(system, options.vouchers, options.note);
  const by = {
    copy: [] as Taken[],
    ndjson: [] as Taken[],
    csv: [] as Taken[],
  };
  const memory = await watchMemory(system);
  // Once each, so that nobody reads from the disk for the others.
  await takeExport(system, 'ndjson');
  const before = await memory.now();
  for (let round = 0; round < rounds; round += 1) {
    options.note(`  round ${round + 1} of ${rounds}`);
    by.copy.push(await takeCopy(system));
    by.ndjson.push(await takeExport(system, 'ndjson'));
    by.csv.push(await takeExport(system, 'csv'));
  }
  const held = await memory.stop();
  return [
    figureOf('COPY (query) TO STDOUT', by.copy, by.copy),
    figureOf('GET /api/v1/export/verifikatrader, NDJSON', by.ndjson, by.copy),
    figureOf('GET /api/v1/export/verifikatrader, CSV', by.csv, by.copy),
    {
      measurement: 'export',
      what: 'memory of http while it exports',
      value: `${Math.round(before)} → at most ${Math.round(held)} MB`,
      wanted: `< ${http_mb_max} MB`,
      is_met: held < http_mb_max,
    },
  ];
}

function figureOf(what: string, taken: readonly Taken[], copies: readonly Taken[]): Figure {
  const middle = (read: (one: Taken) => number): number => median(taken.map(read));
  const ratios = (read: (one: Taken) => number): number[] =>
    taken.map((one, round) => read(one) / read(copies[round] as Taken));
  const rate = (one: Taken) => one.rows / one.seconds;
  const share = ratios(rate);
  const cost = ratios(cpuSeconds);
  const mb = Math.round(middle(({ bytes }) => bytes) / 1_000_000);
  const us = (read: (one: Taken) => number): string =>
    (middle((one) => read(one) / one.rows) * 1_000_000).toFixed(2);
  const database = us((one) => one.database_cpu_seconds);
  return {
    measurement: 'export',
    what: `${what}: rows, ${mb} MB`,
    per_second: middle(rate),
    value:
      taken === copies
        ? `${database} µs of processor a row`
        : `${median(share).toFixed(2)} of COPY (${share.map((one) => one.toFixed(2)).join(', ')}); of processor a row ${database} µs in the database, ${us((one) => one.http_cpu_seconds)} in http, ${median(cost).toFixed(2)} × that of COPY`,
    details: taken,
  };
}

async function cpuOf({ postmaster }: System, wanted: (part: string) => boolean): Promise<number> {
  const processes = await listProcesses(postmaster);
  return processes
    .filter(({ part }) => wanted(part))
    .reduce((sum, { cpu_seconds }) => sum + cpu_seconds, 0);
}

async function take(
  system: System,
  role: string,
  read: () => Promise<{ bytes: number; rows: number }>,
): Promise<Taken> {
  const http = () => cpuOf(system, (part) => part === 'http');
  const database = () => cpuOf(system, (part) => part === `postgres: ${role}`);
  const [http_before, database_before] = [await http(), await database()];
  const begun = performance.now();
  const got = await read();
  const seconds = (performance.now() - begun) / 1000;
  const http_cpu_seconds = (await http()) - http_before;
  return {
    ...{ ...got, seconds, http_cpu_seconds },
    database_cpu_seconds: (await database()) - database_before,
  };
}

const takeExport = (system: System, format: 'ndjson' | 'csv'): Promise<Taken> =>
  take(system, 'hb_api', async () => {
    const asking = request({
      port: system.port,
      path: `/api/v1/export/verifikatrader?format=${format}`,
      headers: { authorization: `Bearer ${system.key}` },
    }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`the export answered ${answer.statusCode}`);
    let bytes = 0;
    let last: Buffer = Buffer.alloc(0);
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      last = part.length > line_bytes_max ? part : Buffer.concat([last, part]);
    }
    const line = last.subarray(-line_bytes_max).toString().trimEnd().split('\n').at(-1) ?? '';
    const rows = format === 'ndjson' ? JSON.parse(line).end.rows : Number(line.split(',')[9]);
    return { bytes, rows };
  });

/** By a connection of its own: what it sends is counted, and nothing of it kept. */
async function takeCopy(system: System): Promise<Taken> {
  const client = await connect(system.url, 'bench copy');
  try {
    return await take(system, 'hb_owner', () => copyOut(client));
  } finally {
    await client.end();
  }
}

function copyOut(client: pg.Client): Promise<{ bytes: number; rows: number }> {
  return new Promise((resolve, reject) => {
    const got = { bytes: 0, rows: 0 };
    client.query({
      submit: (connection: pg.Connection) => connection.query(`copy (${query}) to stdout`),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        got.bytes += chunk.length;
        got.rows += 1;
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(got),
      handleError: reject,
    } as unknown as pg.Submittable);
  });
}

/** The largest that the HTTP process has been. */
async function watchMemory({ postmaster }: System) {
  const http = (await listProcesses(postmaster)).find(({ part }) => part === 'http');
  const now = async (): Promise<number> => (http ? (await readMemory(http.pid)).resident_mb : 0);
  let highest = 0;
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(now).then((mb) => {
      highest = Math.max(highest, mb);
    });
  }, memory_every_ms);
  return {
    now,
    async stop() {
      clearInterval(timer);
      await looking;
      return highest;
    },
  };
}
