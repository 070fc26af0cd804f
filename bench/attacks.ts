/**
 * Too much of everything, against a real HTTP process: what each attack sends, and what others see
 * meanwhile. Loopback only, bounded in connections, bytes and time.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMemory } from './processes.ts';
import { percentile } from './statistics.ts';

export interface Target {
  readonly port: number;
  readonly key: string;
}

export interface Answer {
  /** 0 when the connection broke before an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
}

export interface Call {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly isChunked?: boolean;
  readonly agent?: Agent;
  readonly timeout_ms?: number;
}

const answer_ms_max = 60_000;

/** One call; a broken connection is an answer too. */
export async function call(
  { port, key }: { readonly port: number; readonly key?: string | undefined },
  options: Call,
): Promise<Answer> {
  const { path, body, agent, headers = {}, isChunked = false } = options;
  const begun = performance.now();
  try {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal: AbortSignal.timeout(options.timeout_ms ?? answer_ms_max),
      ...(agent ? { agent } : { agent: false }),
    });
    // A refusal may come before the body has gone; what breaks after it does not matter.
    sent.on('error', () => undefined);
    const answered = once(sent, 'response');
    sent.end(body);
    const [response] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: Buffer.concat(chunks).toString(),
      ms: performance.now() - begun,
    };
  } catch (error) {
    return { status: 0, headers: {}, body: String(error), ms: performance.now() - begun };
  }
}

/** What became of each voucher that was sent, by its Idempotency-Key, which is its description too. */
export type Journal = Map<string, Answer>;

/** As long as the keys that take its place. */
const key_mark = '00000000-0000-0000-0000-000000000000';
const templates = new Map<number, string>();

/** Made once for each number of rows: whoever attacks should not be busy with making it. */
function voucherText(key: string, rows: number): string {
  const known = templates.get(rows);
  const template = known ?? JSON.stringify(voucherOf(rows));
  if (!known) templates.set(rows, template);
  return template.replace(key_mark, key);
}

const voucherOf = (rows: number) => ({
  seriesCode: 'A',
  date: '2026-03-31',
  description: key_mark,
  rows: Array.from({ length: rows }, (_, n) => ({
    account: n % 2 === 0 ? 1930 : 3001,
    debit: n % 2 === 0 ? 1 : 0,
    credit: n % 2 === 0 ? 0 : 1,
  })),
});

/** Rows that make a body of just under the 512 kB that are allowed. */
export const rows_max = 12_800;

export function postVoucher(
  target: Target,
  key: string,
  { rows = 2, agent }: { readonly rows?: number; readonly agent?: Agent } = {},
): Promise<Answer> {
  return call(target, {
    path: '/api/v1/verifikat',
    headers: { 'idempotency-key': key },
    body: voucherText(key, rows),
    ...(agent ? { agent } : {}),
  });
}

/** As many of the largest vouchers as asked for, all at once. */
export async function largeVouchers(
  target: Target,
  count: number,
  rows = rows_max,
): Promise<Journal> {
  const journal: Journal = new Map();
  await Promise.all(
    Array.from({ length: count }, async () => {
      const key = randomUUID();
      journal.set(key, await postVoucher(target, key, { rows }));
    }),
  );
  return journal;
}

/** Small vouchers over so many connections, each as fast as it is answered. */
export async function flood(
  target: Target,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Journal> {
  const journal: Journal = new Map();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const deadline = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < deadline) {
      const key = randomUUID();
      journal.set(key, await postVoucher(target, key, { agent }));
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return journal;
}

/** As many e-invoices of 4 MB as asked for, all at once; none of them readable. */
export function largeDocuments(
  target: Target,
  { count, isChunked }: { readonly count: number; readonly isChunked: boolean },
): Promise<Answer[]> {
  const body = Buffer.alloc(4 * 1024 * 1024 - 1024, 'x');
  const headers = { 'content-type': 'application/xml' };
  const path = '/api/inbound/peppol';
  return Promise.all(
    Array.from({ length: count }, () => call(target, { path, headers, body, isChunked })),
  );
}

/** Readers of everything there is, over so many connections. */
export async function readMuch(
  target: Target,
  {
    connections,
    seconds,
    paths,
  }: { connections: number; seconds: number; paths: readonly string[] },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const deadline = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      for (let turn = n; performance.now() < deadline; turn += 1) {
        const answer = await call(target, { path: paths[turn % paths.length] ?? '/', agent });
        answers.push({ ...answer, body: '' });
      }
    }),
  );
  agent.destroy();
  return answers;
}

const slow_byte_ms = 400;

/** Connections that say `opening`, and then a byte now and then, if they are to. */
export async function slowConnections(
  { port }: Target,
  {
    count,
    opening,
    seconds,
    drip,
  }: {
    readonly count: number;
    readonly opening: string;
    readonly seconds: number;
    /** What is repeated; undefined says nothing more. */
    readonly drip: string | undefined;
  },
): Promise<void> {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('error', () => undefined);
    socket.resume();
    sockets.push(socket);
    if (opening !== '') socket.write(opening);
    if (n % 50 === 49) await sleep(5);
  }
  const deadline = performance.now() + seconds * 1000;
  while (performance.now() < deadline) {
    await sleep(slow_byte_ms);
    if (drip === undefined) continue;
    for (const socket of sockets) if (socket.writable) socket.write(drip);
  }
  for (const socket of sockets) socket.destroy();
}

/** A voucher's head, and then a body that never ends. */
export const slowBodyOpening = ({ key }: Target, bytes: number): string =>
  [
    'POST /api/v1/verifikat HTTP/1.1',
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    `idempotency-key: ${randomUUID()}`,
    'content-type: application/json',
    `content-length: ${bytes}`,
    '',
    '{',
  ].join('\r\n');

/** Large bodies whose senders hang up as soon as they have sent them. */
export async function hangUps(target: Target, count: number, rows = rows_max): Promise<string[]> {
  const keys: string[] = [];
  await Promise.all(
    Array.from({ length: count }, async () => {
      const key = randomUUID();
      const body = voucherText(key, rows);
      keys.push(key);
      const socket = connect({ host: '127.0.0.1', port: target.port });
      socket.on('error', () => undefined);
      const head = slowBodyOpening(target, Buffer.byteLength(body)).replace(
        /idempotency-key: \S+/,
        `idempotency-key: ${key}`,
      );
      const isGone = once(socket, 'close');
      socket.write(head + body.slice(1), () => setTimeout(() => socket.destroy(), 5));
      await isGone;
    }),
  );
  return keys;
}

/** What others see during an attack. */
export interface Seen {
  readonly p50_ms: number;
  readonly max_ms: number;
  readonly calls: number;
  /** Answers other than 200. */
  readonly refused: Readonly<Record<string, number>>;
}

export interface Watch<T> {
  readonly result: T;
  readonly seen: Readonly<Record<string, Seen>>;
  readonly rss_before_mb: number;
  readonly rss_max_mb: number;
  readonly seconds: number;
  /** Until a voucher with the attacker's key was posted as quickly as before. */
  readonly recovered_ms: number;
}

const probe_every_ms = 50;
const quick_ms = 250;

/** Runs an attack while others ask for small things, one at a time each, and tells how they fared. */
export async function during<T>(
  { target, neighbour, pid }: { target: Target; neighbour: Target; pid: number },
  attack: () => Promise<T>,
): Promise<Watch<T>> {
  const probes: Record<string, () => Promise<Answer>> = {
    '/healthz': () => call(neighbour, { path: '/healthz' }),
    '/readyz': () => call(neighbour, { path: '/readyz' }),
    'the page /logga-in': () =>
      call(neighbour, { path: '/logga-in', headers: { authorization: '' } }),
    'meta, the attacker’s key': () => call(target, { path: '/api/v1/meta' }),
    'meta, another key': () => call(neighbour, { path: '/api/v1/meta' }),
    'posting, another key': () => postVoucher(neighbour, randomUUID()),
  };
  const seen = new Map<string, Answer[]>();
  let isOver = false;
  const rss_before_mb = (await readMemory(pid)).resident_mb;
  let rss_max_mb = rss_before_mb;
  const watching = Object.entries(probes).map(async ([name, probe]) => {
    const answers: Answer[] = [];
    seen.set(name, answers);
    while (!isOver) {
      answers.push(await probe());
      await sleep(probe_every_ms);
    }
  });
  const sampling = (async () => {
    while (!isOver) {
      rss_max_mb = Math.max(rss_max_mb, (await readMemory(pid)).resident_mb);
      await sleep(100);
    }
  })();
  const begun = performance.now();
  const result = await attack();
  const ended = performance.now();
  let recovered_ms = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 100 && recovered_ms === Number.POSITIVE_INFINITY; tries += 1) {
    const answer = await postVoucher(target, randomUUID());
    if (answer.status === 200 && answer.ms < quick_ms) recovered_ms = performance.now() - ended;
    else await sleep(20);
  }
  isOver = true;
  await Promise.all([...watching, sampling]);
  return {
    result,
    seen: Object.fromEntries([...seen].map(([name, answers]) => [name, seenOf(answers)])),
    rss_before_mb,
    rss_max_mb,
    seconds: (ended - begun) / 1000,
    recovered_ms,
  };
}

function seenOf(answers: readonly Answer[]): Seen {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return {
    p50_ms: percentile(times, 0.5),
    max_ms: percentile(times, 1),
    calls: answers.length,
    refused: statusesOf(answers.filter(({ status }) => status !== 200)),
  };
}

export function statusesOf(answers: Iterable<Answer>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
