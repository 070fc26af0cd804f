/**
 * Runs queues the way pg-boss means it: woken by NOTIFY, fetched in batches, and the effect and the
 * job's completion committed together. A bad job in a batch is set aside and its neighbours go on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, type Db as JobTransaction, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { types } from '#src/db/client.ts';
import { jobDatabase } from '#src/db/job-database.ts';
import { forgetFuture } from '#src/db/job-store.ts';
import type { Queue } from '#src/db/jobs.ts';
import { createJobPool, db, inSavepoint, inWhole, type Pool, type Tx, txOf } from '#src/db/pool.ts';
import type { Throughput } from '#src/installation/processes/throughput.ts';
import { jobSeconds, jobs } from '#src/lib/metrics/metrics.ts';
import { type Lookout, startLookout } from './lookout.ts';

/** A worker of one queue. `handle` takes many payloads in one transaction and may run twice. */
export interface Worker<Payload> {
  readonly queue: Queue<Payload>;
  readonly handle: (tx: Tx, payloads: readonly Payload[]) => Promise<void>;
  /** Batches at work at the same time in this process. */
  readonly concurrency: number;
}

export type Schedule = 'hourly' | 'nightly';

/** When work comes with the clock, in the installation's time zone. */
export interface Moments {
  readonly cron: string;
  /** What each then waits: what was missed comes with the start, all at once. */
  readonly waitSeconds: number;
}

const waitSecondsMax = 600;

/**
 * When in the hour, or in the night (from 01:00 up to 05:00): by the millisecond when its queue was made, so that the
 * many installations of one server do not prove their books in the same minute, nor one installation all that it
 * does, by night or after a start.
 */
export function momentsOf(schedule: Schedule, made: Date): Moments {
  const moment = made.getTime();
  const waitSeconds = Math.floor(moment / 240) % waitSecondsMax;
  if (schedule === 'hourly') return { cron: `${moment % 60} * * * *`, waitSeconds };
  return { cron: `${moment % 50} ${1 + (Math.floor(moment / 60) % 4)} * * *`, waitSeconds };
}

/**
 * Work that takes long, or comes with the clock. It commits what it does by itself: a transaction open all
 * that time would hold back the cleaning of every table. May run twice.
 */
export interface Task<Payload extends object> {
  readonly queue: Queue<Payload>;
  /** For work that comes with the clock, at a moment of the installation's own. */
  readonly schedule?: Schedule;
  /** Jobs at work at the same time in this process; one when it does not say. */
  readonly concurrency?: number;
  readonly run: (pool: Pool, log: Logger, payload: Payload) => Promise<void>;
  /** Told at once when the process is to stop, by what takes longer than a stop may: it is begun anew. */
  readonly interrupt?: () => void;
  /** What to let go of when the process stops. */
  readonly close?: () => Promise<void>;
}

export interface RunOptions {
  /** The login of hb_worker. */
  readonly url: string;
  /** The process's connections, when more than these queues share them. */
  readonly pool?: Pool;
  readonly log: Logger;
  readonly timeZone: string;
  /** Where handled jobs are counted, for whoever shows it. */
  readonly throughput?: Throughput;
  /** Queues that somebody else works, who is called when there is a job. */
  readonly watch?: { readonly queues: readonly string[]; readonly call: () => void };
}

export interface RunningWorkers {
  /** For how long no job has been at work. */
  idleMs(): number;
  stop(): Promise<void>;
}

/** Lines and figures of what a queue's workers did, the same for batches and tasks. */
function recorder({ log, throughput }: RunOptions, queue: Queue<unknown>, slots: number) {
  throughput?.declare(queue.name, slots);
  return {
    /** What was fetched together has been worked, which took until now. */
    worked(fetched: readonly Job<object>[], began: number, failed: ReadonlySet<string>): void {
      const ms = performance.now() - began;
      throughput?.count(queue.name, fetched.length, ms);
      jobSeconds.observe({ queue: queue.name }, ms / 1000);
      jobs.inc({ queue: queue.name, result: 'failed' }, failed.size);
      jobs.inc({ queue: queue.name, result: 'done' }, fetched.length - failed.size);
      for (const { id } of fetched) {
        if (failed.has(id)) continue;
        log.info({ queue: queue.name, job_id: id, ms: Math.round(ms) }, 'job done');
      }
    },
    failed(job: Job<object>, error: unknown): void {
      log.error({ err: error, queue: queue.name, job_id: job.id }, 'job failed');
    },
  };
}

/** What a batch costs by itself is as much as ten orders; who handles them bounds what is in memory (`portionsOf`). */
const batchSize = 200;
/** Nobody polls: the lookout wakes them. */
const pollingIntervalSeconds = 24 * 3_600;
const stopTimeoutMs = 8_000;
/** One queue's first look for jobs waits for the one before it, or each would take a connection of its own; for work that it finds none does. */
const firstLookMsMax = 100;
/** How often a clock that has been put right is looked for. */
const clockMs = 600_000;

// biome-ignore lint/suspicious/noExplicitAny: workers of different payloads run side by side.
type AnyWorker = Worker<any>;
// biome-ignore lint/suspicious/noExplicitAny: and tasks.
type AnyTask = Task<any>;
/** What is done with the jobs of a queue, each by itself or as they come. */
export type AnyWork = AnyWorker | AnyTask;

const isTask = (work: AnyWork): work is AnyTask => 'run' in work;

export async function runWorkers(
  work: readonly AnyWork[],
  options: RunOptions,
): Promise<RunningWorkers> {
  const { url, log, watch = { queues: [], call: () => undefined } } = options;
  const tasks = work.filter(isTask);
  const workers = work.filter((one): one is AnyWorker => !isTask(one));
  const atOnce = (works: readonly { readonly concurrency?: number }[]): number =>
    works.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0);
  const handlers = atOnce(workers) + atOnce(tasks);
  const applicationName = `huvudbok ${work.map(({ queue }) => queue.name).join(' ')}`;
  // A job may hold one connection and use another.
  const pool = options.pool ?? createJobPool({ url, max: handlers * 2 + 2, applicationName });
  const jobs = jobDatabase(pool);
  const boss = new PgBoss({
    db: jobs,
    migrate: false,
    createSchema: false,
    schedule: tasks.some(({ schedule }) => schedule !== undefined),
    cronWorkerIntervalSeconds: 45,
    // No job waits for another.
    flowIntervalSeconds: 24 * 3_600,
    // What has served its time; jobs that were left behind are seen by the lookout, and seen to at once.
    superviseIntervalSeconds: 300,
    monitorIntervalSeconds: 1,
    reindex: false,
    persistWarnings: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  const hands = new Hands(boss);
  let lookout: Lookout | undefined;
  const mayHaveBeenAhead = setInterval(() => {
    forgetFuture(db(pool)).catch((error) => log.warn({ err: error }, 'looking at the clock'));
  }, clockMs);
  const stop = async (graceful: boolean) => {
    clearInterval(mayHaveBeenAhead);
    for (const { interrupt } of tasks) interrupt?.();
    await boss.stop({ graceful, timeout: stopTimeoutMs });
    // Until then its queues are held: nobody takes over what is being finished.
    await lookout?.stop();
    await Promise.all(tasks.map(({ close }) => close?.()));
    if (options.pool === undefined) await pool.end();
  };
  try {
    await forgetFuture(db(pool));
    await boss.start();
    lookout = await startLookout({
      url,
      applicationName,
      pool,
      log,
      queues: work.map(({ queue }) => queue.name),
      watched: watch.queues,
      inHand: hands.jobs,
      wake: (queue) => (watch.queues.includes(queue) ? watch.call() : hands.wake(queue)),
      overdue: (queue) => boss.supervise(queue),
    });
    hands.onFailure = lookout.lookSoon;
    const looked = () => Promise.race([jobs.idle(), sleep(firstLookMsMax)]);
    for (const worker of workers) {
      await startWorker(boss, worker, hands, options);
      await looked();
    }
    for (const task of tasks) {
      await startTask(boss, task, hands, pool, options);
      await looked();
    }
  } catch (error) {
    await stop(false);
    throw error;
  }
  return { stop: () => stop(true), idleMs: () => hands.idleMs() };
}

/** The workers of a process, by queue, and what they have at work. */
class Hands {
  readonly jobs = new Set<string>();
  onFailure: () => void = () => undefined;
  readonly #boss: PgBoss;
  readonly #workers = new Map<string, string[]>();
  #restedAt = performance.now();

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  add(queue: string, worker: string): void {
    this.#workers.set(queue, [...(this.#workers.get(queue) ?? []), worker]);
  }

  wake(queue: string): void {
    for (const worker of this.#workers.get(queue) ?? []) this.#boss.notifyWorker(worker);
  }

  idleMs(): number {
    return this.jobs.size > 0 ? 0 : performance.now() - this.#restedAt;
  }

  async hold(jobs: readonly Job<object>[], work: () => Promise<void>): Promise<void> {
    for (const { id } of jobs) this.jobs.add(id);
    try {
      await work();
    } catch (error) {
      this.onFailure();
      throw error;
    } finally {
      for (const { id } of jobs) this.jobs.delete(id);
      this.#restedAt = performance.now();
    }
  }
}

async function startTask(
  boss: PgBoss,
  { queue, schedule, concurrency = 1, run }: AnyTask,
  hands: Hands,
  pool: Pool,
  options: RunOptions,
): Promise<void> {
  const { log, timeZone } = options;
  const record = recorder(options, queue, concurrency);
  for (let nth = 0; nth < concurrency; nth += 1) {
    const workerId = await boss.work(
      queue.name,
      { pollingIntervalSeconds },
      async ([job]: Job<object>[]) => {
        if (!job) return;
        // Where one job was, more may wait: look again when it is done.
        boss.notifyWorker(workerId);
        const began = performance.now();
        const failed = new Set<string>();
        try {
          const ownLog = log.child({ queue: queue.name, job_id: job.id });
          await hands.hold([job], () => run(pool, ownLog, queue.payload.parse(job.data)));
        } catch (error) {
          record.failed(job, error);
          failed.add(job.id);
          throw error;
        } finally {
          record.worked([job], began, failed);
        }
      },
    );
    hands.add(queue.name, workerId);
  }
  if (schedule === undefined) return;
  const found = await boss.getQueue(queue.name);
  if (found === null) throw new Error(`there is no queue ${queue.name}`);
  const { cron, waitSeconds } = momentsOf(schedule, found.createdOn);
  // A machine that was asleep or off at the moment does once what it missed.
  const way = { tz: timeZone, missed: 'once', startAfter: waitSeconds } as const;
  await boss.schedule(queue.name, cron, {}, way);
}

async function startWorker(
  boss: PgBoss,
  worker: AnyWorker,
  hands: Hands,
  options: RunOptions,
): Promise<void> {
  const { queue, concurrency } = worker;
  const record = recorder(options, queue, concurrency);
  for (let nth = 0; nth < concurrency; nth += 1) {
    const workerId = await boss.work(
      queue.name,
      {
        batchSize,
        burstWhenBatchFull: true,
        transactional: true,
        // The role's own limits hold (`settingsOf`); reading the server's settings anew took half of a small batch.
        transactionTimeoutSeconds: 0,
        pollingIntervalSeconds,
      },
      async (fetched: Job<object>[], db: JobTransaction) => {
        const began = performance.now();
        const failed = new Set<string>();
        // pg-boss hands its first argument on to pg, which takes a whole query there: with a name it is
        // parsed and planned once a connection, with our types öre are numbers and not texts.
        const tx = txOf(({ values, ...named }) =>
          db.executeSql({ ...named, types } as unknown as string, [...values]),
        );
        const setAside = async (job: Job<object>, error: unknown) => {
          record.failed(job, error);
          failed.add(job.id);
          await boss.fail(queue.name, job.id, { message: String(error) }, { db });
          hands.onFailure();
        };
        await hands.hold(fetched, () => handleBatch(worker, tx, fetched, setAside));
        record.worked(fetched, began, failed);
      },
    );
    hands.add(queue.name, workerId);
  }
}

/**
 * All together, with the transaction to themselves; when that fails, each half by itself as a part of it, until only the
 * bad one pays.
 */
async function handleBatch(
  worker: AnyWorker,
  tx: Tx,
  jobs: readonly Job<object>[],
  setAside: (job: Job<object>, error: unknown) => Promise<void>,
  within: typeof inSavepoint = inWhole,
): Promise<void> {
  const { queue, handle } = worker;
  try {
    const payloads = jobs.map((job) => queue.payload.parse(job.data));
    await within(tx, () => handle(tx, payloads));
  } catch (error) {
    const [job] = jobs;
    if (job && jobs.length === 1) return setAside(job, error);
    const middle = Math.ceil(jobs.length / 2);
    for (const half of [jobs.slice(0, middle), jobs.slice(middle)]) {
      await handleBatch(worker, tx, half, setAside, inSavepoint);
    }
  }
}
