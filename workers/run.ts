/**
 * Runs queues the way pg-boss means it: woken by NOTIFY, fetched in batches, and the effect and the
 * job's completion committed together. A bad job in a batch is set aside and its neighbours go on.
 */
import { type Job, type Db as JobTransaction, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { types } from '#src/db/client.ts';
import { jobDatabase } from '#src/db/job-database.ts';
import type { Queue } from '#src/db/jobs.ts';
import { createPool, inSavepoint, type Pool, type Tx, txOf } from '#src/db/pool.ts';
import type { Throughput } from '#src/installation/processes/throughput.ts';
import { jobSeconds, jobs } from '#src/metrics/metrics.ts';

/** A worker of one queue. `handle` takes many payloads in one transaction and may run twice. */
export interface Worker<Payload> {
  readonly queue: Queue<Payload>;
  readonly handle: (tx: Tx, payloads: readonly Payload[]) => Promise<void>;
  /** Batches at work at the same time in this process. */
  readonly concurrency: number;
}

/**
 * Work that takes long, or comes with the clock. It commits what it does by itself: a transaction open all
 * that time would hold back the cleaning of every table. May run twice.
 */
export interface Task<Payload extends object> {
  readonly queue: Queue<Payload>;
  /** Cron expression in the installation's time zone, for work that comes with the clock. */
  readonly schedule?: string;
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

const batchSize = 50;
/** Polling is only the backstop for a notice that was lost. */
const pollSeconds = 2;
const stopTimeoutMs = 8_000;

// biome-ignore lint/suspicious/noExplicitAny: workers of different payloads run side by side.
type AnyWorker = Worker<any>;
// biome-ignore lint/suspicious/noExplicitAny: and tasks.
type AnyTask = Task<any>;

const isTask = (work: AnyWorker | AnyTask): work is AnyTask => 'run' in work;

export async function runWorkers(
  work: readonly (AnyWorker | AnyTask)[],
  options: RunOptions,
): Promise<{ stop(): Promise<void> }> {
  const { url, log } = options;
  const tasks = work.filter(isTask);
  const workers = work.filter((one): one is AnyWorker => !isTask(one));
  const atOnce = (works: readonly { readonly concurrency?: number }[]): number =>
    works.reduce((sum, { concurrency = 1 }) => sum + concurrency, 0);
  const handlers = atOnce(workers) + atOnce(tasks);
  const applicationName = `huvudbok ${work.map(({ queue }) => queue.name).join(' ')}`;
  // A job may hold one connection and use another.
  const pool = options.pool ?? createPool({ url, max: handlers * 2 + 2, applicationName });
  const boss = new PgBoss({
    db: jobDatabase(pool, { url, applicationName }),
    useListenNotify: true,
    migrate: false,
    createSchema: false,
    schedule: tasks.some(({ schedule }) => schedule !== undefined),
    // Jobs of a worker that died are handed to another within seconds.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    reindex: false,
    persistWarnings: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  const stop = async (graceful: boolean) => {
    for (const { interrupt } of tasks) interrupt?.();
    await boss.stop({ graceful, timeout: stopTimeoutMs });
    await Promise.all(tasks.map(({ close }) => close?.()));
    if (options.pool === undefined) await pool.end();
  };
  try {
    await boss.start();
    for (const worker of workers) await startWorker(boss, worker, options);
    for (const task of tasks) await startTask(boss, task, pool, options);
  } catch (error) {
    await stop(false);
    throw error;
  }
  return { stop: () => stop(true) };
}

async function startTask(
  boss: PgBoss,
  { queue, schedule, concurrency = 1, run }: AnyTask,
  pool: Pool,
  options: RunOptions,
): Promise<void> {
  const { log, timeZone } = options;
  const record = recorder(options, queue, concurrency);
  for (let nth = 0; nth < concurrency; nth += 1) {
    const workerId = await boss.work(
      queue.name,
      { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds },
      async ([job]: Job<object>[]) => {
        if (!job) return;
        // Where one job was, more may wait: look again when it is done, and not at the next poll.
        boss.notifyWorker(workerId);
        const began = performance.now();
        const failed = new Set<string>();
        try {
          const ownLog = log.child({ queue: queue.name, job_id: job.id });
          await run(pool, ownLog, queue.payload.parse(job.data));
        } catch (error) {
          record.failed(job, error);
          failed.add(job.id);
          throw error;
        } finally {
          record.worked([job], began, failed);
        }
      },
    );
  }
  if (schedule !== undefined) await boss.schedule(queue.name, schedule, {}, { tz: timeZone });
}

async function startWorker(boss: PgBoss, worker: AnyWorker, options: RunOptions): Promise<void> {
  const { queue, concurrency } = worker;
  const record = recorder(options, queue, concurrency);
  await boss.work(
    queue.name,
    {
      batchSize: batchSize,
      burstWhenBatchFull: true,
      transactional: true,
      localConcurrency: concurrency,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
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
      };
      await handleBatch(worker, tx, fetched, setAside);
      record.worked(fetched, began, failed);
    },
  );
}

/** All together; when that fails, each alone, so that only the bad one pays. */
async function handleBatch(
  { queue, handle }: AnyWorker,
  tx: Tx,
  jobs: readonly Job<object>[],
  setAside: (job: Job<object>, error: unknown) => Promise<void>,
): Promise<void> {
  const attempt = async (batch: readonly Job<object>[]): Promise<void> => {
    const payloads = batch.map((job) => queue.payload.parse(job.data));
    await inSavepoint(tx, () => handle(tx, payloads));
  };
  try {
    await attempt(jobs);
  } catch (error) {
    if (jobs.length === 1) {
      for (const job of jobs) await setAside(job, error);
      return;
    }
    for (const job of jobs) {
      await attempt([job]).catch((reason) => setAside(job, reason));
    }
  }
}
