/** The load generator, seen from the one who orders load: a child process that runs one job at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { httpRequest, type LoadAnswer, type LoadJob, type LoadResult } from './load-job.ts';

const calls_max = 2_000_000;

export interface Load {
  readonly pid: number;
  /** Throws when a connection breaks; refusals are in the result. */
  run(job: Partial<LoadJob> & Pick<LoadJob, 'port' | 'requests' | 'seconds'>): Promise<LoadResult>;
  stop(): void;
}

export function startLoad(): Load {
  const child = startChild('load-child.ts');
  return {
    pid: child.pid ?? 0,
    async run(job) {
      const whole: LoadJob = { connections: 1, calls_max, pause_ms: 0, ...job };
      child.send(whole);
      const answer = await messageFrom<LoadAnswer>(child);
      if ('fault' in answer) throw new Error(`the load generator: ${answer.fault}`);
      return answer.result;
    },
    stop: () => void child.kill(),
  };
}

/** Throws unless every call was answered with 200: a refusal is quick and would look like speed. */
export function requireAllWell({ statuses, calls, refusal }: LoadResult): void {
  if (statuses['200'] === calls) return;
  throw new Error(`not every call was answered with 200: ${JSON.stringify(statuses)}\n${refusal}`);
}

/** Calls per second that the generator itself can do, against a server that does nothing. */
export async function measureCeiling(load: Load, seconds: number): Promise<LoadResult> {
  const server = startChild('trivial-server.ts');
  try {
    const port = await messageFrom<number>(server);
    const headers = { authorization: `Bearer ${'x'.repeat(52)}` };
    const requests = [httpRequest('POST', '/', headers, { text: 'x'.repeat(300) })];
    await load.run({ port, requests, connections: 64, seconds: Math.min(1, seconds) });
    return await load.run({ port, requests, connections: 64, seconds });
  } finally {
    server.kill();
  }
}

function startChild(file: string): ChildProcess {
  return fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function messageFrom<T>(child: ChildProcess): Promise<T> {
  const answered = new AbortController();
  const ended = once(child, 'exit', { signal: answered.signal }).then(() => {
    throw new Error('a child process of the measurement ended');
  });
  try {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as T;
  } finally {
    answered.abort();
    await ended.catch(() => undefined);
  }
}
