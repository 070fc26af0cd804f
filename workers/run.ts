/**
 * Runs queues the way pg-boss means it: woken by NOTIFY, fetched in batches, and the effect and the
 * job's completion committed together. A bad job in a batch is set aside and its neighbours go on.
 */
import { type Job, type Db as JobTransaction, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Tx, txOf, types } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Queue } from '#src/jobs.ts';

/** A worker of one queue. `handle` takes many payloads in one transaction and may run twice. */
export interface Worker<Payload> {
  readonly queue: Queue<Payload>;
  readonly handle: (tx: Tx, payloads: readonly Payload[]) => Promise<void>;
  /** Batches at work at the same time in this process. */
  readonly concurrency: number;
  /** Cron expression (UTC) for work that comes with the clock. */
  readonly schedule?: string;
}

export interface RunOptions {
  /** The login of hb_worker. */
  readonly url: string;
  readonly log: Logger;
}

const BATCH_SIZE = 50;
/** Polling is only the backstop for a notice that was lost. */
const POLL_SECONDS = 2;
const STOP_TIMEOUT_MS = 8_000;

// biome-ignore lint/suspicious/noExplicitAny: workers of different payloads run side by side.
type AnyWorker = Worker<any>;

export async function runWorkers(
  workers: readonly AnyWorker[],
  { url, log }: RunOptions,
): Promise<{ stop(): Promise<void> }> {
  const handlers = workers.reduce((sum, worker) => sum + worker.concurrency, 0);
  const boss = new PgBoss({
    connectionString: url,
    application_name: `huvudbok ${workers.map((worker) => worker.queue.name).join(' ')}`,
    max: handlers * 2 + 2,
    useListenNotify: true,
    migrate: false,
    createSchema: false,
    schedule: workers.some((worker) => worker.schedule !== undefined),
    // Jobs of a worker that died are handed to another within seconds.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    reindex: false,
    persistWarnings: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  await boss.start();
  for (const worker of workers) await startWorker(boss, worker, log);
  return { stop: () => boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }) };
}

async function startWorker(boss: PgBoss, worker: AnyWorker, log: Logger): Promise<void> {
  const { queue, concurrency, schedule } = worker;
  await boss.work(
    queue.name,
    {
      batchSize: BATCH_SIZE,
      burstWhenBatchFull: true,
      transactional: true,
      localConcurrency: concurrency,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
    },
    async (jobs: Job<object>[], db: JobTransaction) => {
      // pg-boss hands its first argument on to pg, which takes a whole query there: with a name it is
      // parsed and planned once a connection, with our types öre are numbers and not texts.
      const tx = txOf(({ values, ...named }) =>
        db.executeSql({ ...named, types } as unknown as string, [...values]),
      );
      const setAside = async (job: Job<object>, error: unknown) => {
        log.error({ err: error, queue: queue.name, job: job.id }, 'job failed');
        await boss.fail(queue.name, job.id, { message: String(error) }, { db });
      };
      await handleBatch(worker, tx, jobs, setAside);
    },
  );
  if (schedule !== undefined) await boss.schedule(queue.name, schedule, {});
}

/** All together; when that fails, each alone, so that only the bad one pays. */
async function handleBatch(
  { queue, handle }: AnyWorker,
  tx: Tx,
  jobs: readonly Job<object>[],
  setAside: (job: Job<object>, error: unknown) => Promise<void>,
): Promise<void> {
  const attempt = async (batch: readonly Job<object>[]): Promise<void> => {
    await tx.query(sql`savepoint batch`);
    try {
      await handle(
        tx,
        batch.map((job) => queue.payload.parse(job.data)),
      );
      await tx.query(sql`release savepoint batch`);
    } catch (error) {
      await tx.query(sql`rollback to savepoint batch`);
      throw error;
    }
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
