/**
 * Where the processor time of a voucher and of an order goes, part by part. Of HTTP's parts each is run by itself;
 * in the database one connection runs batches, its backend's processor time is read from /proc, its statements and
 * triggers are timed by auto_explain, and what it writes is counted by pg_walinspect. Linux only.
 */
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { admit } from '#src/access/keys/admission-store.ts';
import { voucherInput } from '#src/api/vouchers/schemas.ts';
import { parseDatabaseUrl } from '#src/config/database-url.ts';
import { types } from '#src/db/client.ts';
import { findLogins } from '#src/db/logins.ts';
import type { Db, Tx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { canonicalJson, findJsonProblems, parseJson } from '#src/domain/basics/json.ts';
import { checkVoucher } from '#src/domain/ledger/voucher.ts';
import { receivedOrder } from '#src/intake/orders/received.ts';
import { judgeAttempts } from '#src/intake/orders/service.ts';
import { listOutcomes, storeOrders } from '#src/intake/orders/store.ts';
import { postVouchers } from '#src/ledger/vouchers/store.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { uuid } from '#src/lib/uuid.ts';
import type { Figure } from './figure.ts';
import { requireAllWell } from './load.ts';
import { orderBodies, orderRequests } from './orders.ts';
import { analyze, type System, superuserUrl } from './system.ts';
import { directVouchers, postItems, voucherBodies, voucherRequests } from './vouchers.ts';
import { watch } from './watch.ts';

const batch = 50;
const rounds = 40;
const warm_up_rounds = 12;
const repeats = 5_000;
/** Parts below this share of a batch are not worth a line. */
const smallest_us = 0.5;

export async function measureProfile(system: System, seconds: number): Promise<Figure[]> {
  const books = await openBackend(system);
  try {
    return [
      ...profileHttp(),
      ...(await profileVouchers(system, books)),
      ...(await profileOrders(system, books)),
      ...(await profileLoad(system, seconds)),
    ];
  } finally {
    await books.client.end();
  }
}

const figure = (what: string, value: string): Figure => ({ measurement: 'profile', what, value });
const microseconds = (us: number): string => `${us.toFixed(1)} µs`;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** What the HTTP process does with a voucher's body, step by step. */
function profileHttp(): Figure[] {
  const bytes = voucherBodies.map((body) => Buffer.from(JSON.stringify(body)));
  const parsed = bytes.map((one) => parseJson(one));
  const texts = parsed.map(({ value }) => canonicalJson(value));
  const inputs = parsed.map(({ value }) => voucherInput.parse(value));
  const rows = directVouchers.map((voucher) => voucher.rows);
  const answer = {
    id: uuid(),
    series: 'A',
    number: 1,
    label: 'A1',
    verification_date: '2026-01-01',
    url: `https://bok.example/verifikat/${uuid()}`,
  };
  const steps: readonly (readonly [string, (n: number) => unknown])[] = [
    ['parse', (n) => parseJson(bytes[n] as Buffer)],
    ['strict JSON', (n) => findJsonProblems(parsed[n]?.text ?? '', parsed[n]?.value)],
    ['validate', (n) => voucherInput.parse(parsed[n]?.value)],
    ['rules', (n) => checkVoucher(rows[n] ?? [])],
    ['canonical text', (n) => canonicalJson(parsed[n]?.value)],
    ['idempotency hash', (n) => sha256Of(texts[n] ?? '')],
    ['serialise the answer', () => JSON.stringify(answer)],
  ];
  return steps.map(([name, step]) => {
    const run = () => {
      for (let n = 0; n < repeats; n += 1) step(n % inputs.length);
    };
    run();
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return figure(`voucher, http: ${name}`, microseconds((user + system) / repeats));
  });
}

/** A superuser's connection that takes the roles' part, and what its backend has used. */
interface Backend {
  readonly client: pg.Client;
  readonly db: Db;
  become(role: DatabaseRole): Promise<void>;
  /** Microseconds of processor time until now. */
  used(): Promise<number>;
  /** What auto_explain has told since last asked: milliseconds by statement and trigger. */
  explained(): Map<string, number>;
  explain(isOn: boolean): Promise<void>;
}

async function openBackend(system: System): Promise<Backend> {
  const client = new pg.Client({ connectionString: await superuserUrl(system), types });
  await client.connect();
  await client.query(`load 'auto_explain'; set jit = off; set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on; set auto_explain.log_triggers = on; set auto_explain.log_level = notice;
    set auto_explain.log_format = json; create extension if not exists pg_walinspect`);
  const login = await findLogins(system.url);
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = rows[0].pid as number;
  let told = new Map<string, number>();
  client.on('notice', ({ message = '' }) => noteTimes(told, message));
  return {
    client,
    db: {
      async query<Row extends object>({
        text,
        values,
        name,
      }: {
        text: string;
        values: readonly unknown[];
        name?: string;
      }) {
        const answer = await client.query({ text, values: [...values], ...(name ? { name } : {}) });
        return answer.rows as Row[];
      },
    },
    become: async (role) => {
      const { user } = parseDatabaseUrl(login(role));
      await client.query(`set session authorization ${pg.escapeIdentifier(user)}`);
    },
    used: async () =>
      Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1000,
    explained() {
      const found = told;
      told = new Map();
      return found;
    },
    explain: async (isOn) => {
      await client.query(`reset session authorization`);
      await client.query(`set auto_explain.log_min_duration = ${isOn ? 0 : -1}`);
    },
  };
}

interface Explained {
  readonly 'Query Text': string;
  readonly Plan: { readonly 'Actual Total Time': number };
  readonly Triggers?: readonly { 'Trigger Name': string; Relation: string; Time: number }[];
}

function noteTimes(told: Map<string, number>, message: string): void {
  const text = /plan:\n(\{.*)$/s.exec(message)?.[1];
  if (text === undefined) return;
  const {
    'Query Text': query,
    Plan: plan,
    Triggers: triggers = [],
  } = JSON.parse(text) as Explained;
  const add = (name: string, ms: number) => told.set(name, (told.get(name) ?? 0) + ms);
  const words = query.replace(/\s+/g, ' ').trim();
  add(`statement: ${words.slice(0, 70)}`, plan['Actual Total Time']);
  for (const { 'Trigger Name': name, Relation: relation, Time: ms } of triggers) {
    add(`trigger: ${relation} ${name}`, ms);
  }
}

interface Work {
  readonly what: string;
  readonly size: number;
  readonly role: DatabaseRole;
  readonly run: () => Promise<unknown>;
}

/** Processor time an item, and of a batch its statements and triggers. */
async function profileWork(books: Backend, { what, size, role, run }: Work): Promise<Figure[]> {
  await books.explain(false);
  await books.become(role);
  for (let n = 0; n < warm_up_rounds; n += 1) await run();
  const all: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const before = await books.used();
    await run();
    all.push((await books.used()) - before);
  }
  const figures = [figure(`${what}, ${size} at once`, microseconds(median(all) / size))];
  if (size === 1) return figures;
  await books.explain(true);
  await books.become(role);
  books.explained();
  const parts = new Map<string, number[]>();
  for (let n = 0; n < rounds; n += 1) {
    await run();
    for (const [name, ms] of books.explained()) {
      const times = parts.get(name) ?? [];
      times.push(ms);
      parts.set(name, times);
    }
  }
  await books.explain(false);
  const told = [...parts]
    .map(([name, times]) => ({ name, us: (median(times) * 1000) / size }))
    .filter(({ us }) => us >= smallest_us)
    .sort((a, b) => b.us - a.us);
  return [...figures, ...told.map(({ name, us }) => figure(`  ${name}`, microseconds(us)))];
}

async function profileVouchers(system: System, books: Backend): Promise<Figure[]> {
  const item = postItems(system.key);
  let n = 0;
  const post = async (size: number) => {
    const items = Array.from({ length: size }, () => item(n++));
    const outcomes = await postVouchers(books.db, items, false);
    const refused = outcomes.find(({ outcome }) => outcome !== 'posted');
    if (refused) throw new Error(`refused: ${JSON.stringify(refused)}`);
  };
  const call = { hash: sha256Of(system.key), scopes: ['ledger:write', 'data:read'] as const };
  const calls = (size: number) => Array.from({ length: size }, () => call);
  await post(batch);
  await analyze(system);
  const work = (what: string, size: number, run: () => Promise<unknown>): Promise<Figure[]> =>
    profileWork(books, { what: `voucher, database: ${what}`, size, role: 'hb_api', run });
  const figures = [
    ...(await work('admission', 1, () => admit(books.db, calls(1)))),
    ...(await work('admission', batch, () => admit(books.db, calls(batch)))),
    ...(await work('posting', 1, () => post(1))),
    ...(await work('posting', batch, () => post(batch))),
  ];
  return [...figures, ...(await profileWal(books, batch, () => post(batch)))];
}

/** What a batch writes to the log, an item, by kind of record: those of indexes among them. */
async function profileWal(books: Backend, size: number, run: () => Promise<unknown>) {
  const { client } = books;
  const place = async () =>
    (await client.query('select pg_current_wal_insert_lsn() as at')).rows[0].at;
  await books.explain(false);
  const from = await place();
  await books.become('hb_api');
  for (let n = 0; n < rounds; n += 1) await run();
  await books.explain(false);
  const { rows } = await client.query(
    `select "resource_manager/record_type" as kind, count::float8, record_size::float8 as bytes,
       fpi_size::float8 as images
     from pg_get_wal_stats($1, pg_current_wal_flush_lsn(), true) where count > 0 order by 3 desc`,
    [from],
  );
  const items = size * rounds;
  return rows
    .filter(({ count }) => count / items >= 0.05)
    .map(({ kind, count, bytes, images }) =>
      figure(
        `  log: ${kind}, ${(count / items).toFixed(1)} a voucher`,
        `${(bytes / items).toFixed(0)} B (+ ${(images / items).toFixed(0)} of page images)`,
      ),
    );
}

async function profileOrders(system: System, books: Backend): Promise<Figure[]> {
  const { client } = books;
  const { load, port, key } = system;
  const keyHash = sha256Of(key);
  // Of empty tables every plan would read all of what was taken back.
  requireAllWell(
    await load.run({ port, requests: orderRequests(key), connections: 16, seconds: 2 }),
  );
  await analyze(system);
  let n = 0;
  const received = () => {
    const body = { ...orderBodies[n++ % orderBodies.length], externalId: uuid() };
    return receivedOrder(Buffer.from(JSON.stringify(body)), body, { keyHash, requestId: uuid() });
  };
  // Taken back, or the intake worker would be at them too.
  const withOrders = async (
    size: number,
    work: (orders: ReturnType<typeof received>[]) => Promise<unknown>,
  ) => {
    const orders = Array.from({ length: size }, received);
    await client.query('begin');
    await work(orders);
    await client.query('rollback');
  };
  const store = (size: number) => withOrders(size, (orders) => storeOrders(books.db, orders));
  const judge = (size: number) =>
    withOrders(size, async (orders) => {
      await books.become('hb_api');
      await storeOrders(books.db, orders);
      await books.become('hb_worker');
      await judgeAttempts(
        books.db as Tx,
        orders.map(({ attemptId }) => attemptId),
      );
    });
  const read = (size: number) => withOrders(size, (orders) => listOutcomes(books.db, orders));
  const work = (what: string, size: number, role: DatabaseRole, run: () => Promise<unknown>) =>
    profileWork(books, { what: `order, database: ${what}`, size, role, run });
  return [
    ...(await work('receiving', 1, 'hb_api', () => store(1))),
    ...(await work('receiving', batch, 'hb_api', () => store(batch))),
    ...(await work('receiving and judging', 1, 'hb_worker', () => judge(1))),
    ...(await work('receiving and judging', batch, 'hb_worker', () => judge(batch))),
    ...(await work('answering', batch, 'hb_api', () => read(batch))),
  ];
}

/** Under load: what each process uses a call, and how long calls' statements wait, for what. */
async function profileLoad(system: System, seconds: number): Promise<Figure[]> {
  const { load, port, key } = system;
  const figures: Figure[] = [];
  for (const [what, requests] of [
    ['voucher', voucherRequests(key)],
    ['order', orderRequests(key)],
  ] as const) {
    await load.run({ port, requests, connections: 64, seconds: Math.min(3, seconds) });
    const { result, usage } = await watch(system, () =>
      load.run({ port, requests, connections: 64, seconds }),
    );
    requireAllWell(result);
    const each = result.seconds / result.calls;
    const told = (name: string, many: number) =>
      figure(`${what}, 64 connections, ${name}`, microseconds(many * each * 1e6));
    const own = Object.entries(usage.cores).filter(
      ([part]) => !['bench', 'load generator'].includes(part),
    );
    figures.push(
      ...own.map(([part, cores]) => told(`processor: ${part}`, cores)),
      ...Object.entries(usage.waits).map(([wait, many]) => told(`waiting: ${wait}`, many)),
    );
  }
  return figures.filter(({ value }) => Number.parseFloat(value ?? '') >= smallest_us);
}
