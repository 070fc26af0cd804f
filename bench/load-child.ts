/**
 * The load generator's own process: raw keep-alive sockets, one call at a time on each. It writes
 * ready-made bytes and reads of an answer only its status and length, so that it costs little beside
 * what it measures. Loopback only, bounded in calls and in time.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitWithParent } from '#src/process/lifecycle.ts';
import { type LoadAnswer, type LoadJob, type LoadResult, unique_mark } from './load-job.ts';
import { percentile } from './statistics.ts';

const answer_ms_max = 60_000;
const status_start = 'HTTP/1.1 '.length;
const length_header = /\r\ncontent-length: *(\d+)/i;

let sequence = 0;
const run_prefix = Date.now().toString(36).slice(-8);
/** As long as the mark it replaces, and never the same twice. */
const unique = (): string => {
  sequence += 1;
  return run_prefix + sequence.toString(36).padStart(unique_mark.length - run_prefix.length, '0');
};

interface Answer {
  readonly status: number;
  readonly length: number;
  readonly bytes: Buffer;
}

/** The answer at the start of `bytes` if it is whole. */
function parseAnswer(bytes: Buffer): Answer | undefined {
  const head_end = bytes.indexOf('\r\n\r\n');
  if (head_end === -1) return undefined;
  const head = bytes.toString('latin1', 0, head_end);
  const body_length = length_header.exec(head)?.[1];
  if (body_length === undefined) throw new Error(`an answer without Content-Length: ${head}`);
  const length = head_end + 4 + Number(body_length);
  if (bytes.length < length) return undefined;
  return { status: Number(head.slice(status_start, status_start + 3)), length, bytes };
}

class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #resolve: ((answer: Answer) => void) | undefined;
  #reject: ((reason: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setTimeout(answer_ms_max, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('the server closed a connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  call(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#reject = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const answer = parseAnswer(this.#received);
    if (!answer) return;
    this.#received = this.#received.subarray(answer.length);
    this.#resolve?.(answer);
  }
}

async function run(job: LoadJob): Promise<LoadResult> {
  const templates = job.requests.map((request) => request.split(unique_mark));
  const connections: Connection[] = [];
  for (let count = 0; count < job.connections; count += 1) {
    connections.push(await Connection.open(job.port));
  }
  const latencies = new Float64Array(job.calls_max);
  const statuses: Record<string, number> = {};
  let refusal: string | undefined;
  let started_calls = 0;
  let calls = 0;
  /** How many calls had been answered as each second ended. */
  const ends: number[] = [];
  const started = performance.now();
  const deadline = started + job.seconds * 1000;

  async function client(connection: Connection): Promise<void> {
    while (started_calls < job.calls_max && performance.now() < deadline) {
      const template = templates[started_calls % templates.length] ?? [];
      started_calls += 1;
      const request = template.length === 1 ? (template[0] ?? '') : template.join(unique());
      const begun = performance.now();
      const { status, bytes } = await connection.call(request);
      latencies[calls] = performance.now() - begun;
      while (performance.now() - started >= (ends.length + 1) * 1000) ends.push(calls);
      calls += 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 200) refusal ??= bytes.toString('utf8').slice(0, 2000);
      if (job.pause_ms > 0) await sleep(job.pause_ms * (0.5 + Math.random()));
    }
  }
  try {
    await Promise.all(connections.map(client));
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - started) / 1000;
  const p99 = (from: number, to: number) =>
    percentile(Float64Array.from(latencies.subarray(from, to)).sort(), 0.99);
  const seconds_p99_ms = ends.map((end, second) => p99(ends[second - 1] ?? 0, end));
  const sorted = latencies.subarray(0, calls).sort();
  return {
    calls,
    seconds,
    statuses,
    ...(refusal === undefined ? {} : { refusal }),
    p50_ms: percentile(sorted, 0.5),
    p99_ms: percentile(sorted, 0.99),
    max_ms: percentile(sorted, 1),
    seconds_p99_ms,
  };
}

const tell = (answer: LoadAnswer): void => void process.send?.(answer);

exitWithParent();
process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => tell({ result }),
    (error) => tell({ fault: String(error) }),
  );
});
