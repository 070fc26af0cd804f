/** The job queue, the database and what was last done for them. The functions ask for the right. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface QueueState {
  queue: string;
  /** Counted to 10 000. */
  waiting: number;
  oldest: Date | null;
  active: number;
  /** Dead letters, counted to 10 000. */
  dead: number;
}

export const queueCountMax = 10_000;

export const listQueues = (db: Db): Promise<QueueState[]> =>
  db.query<QueueState>(sql`select queue, waiting, oldest, active, dead from app.queue_states()`);

export async function countDeadJobs(db: Db): Promise<number> {
  const [row] = await db.query<{ dead: bigint }>(sql`select app.count_dead_jobs() as dead`);
  return Number(row?.dead ?? 0n);
}

export interface DeadJob {
  queue: string;
  id: string;
  payload: Record<string, unknown>;
  failed_at: Date;
  attempts: number | null;
  failure: string | null;
}

/** The latest jobs that failed for good. */
export const listDeadJobs = (db: Db, limit: number): Promise<DeadJob[]> =>
  db.query<DeadJob>(sql`select queue, id, payload, failed_at, attempts, failure
    from app.list_dead_jobs(${limit}::integer)`);

/** Puts dead letters back on their queue (null: all of them) and says how many there were. */
export async function retryDeadJobs(
  tx: Tx,
  queue: string,
  ids: readonly string[] | null,
): Promise<number> {
  const [row] = await tx.query<{ retried: number }>(
    sql`select app.retry_dead_jobs(${queue}, ${ids}::uuid[]) as retried`,
  );
  return row?.retried ?? 0;
}

export interface DatabaseFacts {
  version: string;
  size_bytes: bigint;
  connections: number;
  connections_max: number;
  /** The oldest transaction still open; null when there is none, or it may not be seen. */
  longest_seconds: number | null;
  longest_by: string | null;
}

export async function getDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const [row] = await db.query<DatabaseFacts>(sql`select version, size_bytes, connections,
    connections_max, longest_seconds, longest_by from app.database_facts()`);
  if (!row) throw new Error('the database told nothing of itself');
  return row;
}

export interface LastVerification {
  finished_at: Date;
  actor: string;
  vouchers: bigint;
  problems: { message: string; series: string | null; number: number | null }[];
}

export async function findLastVerification(db: Db): Promise<LastVerification | undefined> {
  const [row] = await db.query<LastVerification>(sql`select v.finished_at, v.actor, v.vouchers,
      v.problems from audit.verifications v order by v.finished_at desc limit 1`);
  return row;
}

/** Clears away what has served its time; how much of each there was. */
export async function purgeExpired(tx: Tx): Promise<Readonly<Record<string, bigint>> | undefined> {
  // Events go, but not how far they had come: a reader who has had them all has not come too far.
  await tx.query(sql`select events.keep_last_place()`);
  const [purged] = await tx.query<Record<string, bigint>>(
    sql`select answers, windows, tokens, events, deliveries, sessions, forms,
          restricted.purge_begun_forms() as begun_forms
        from restricted.purge_expired()`,
  );
  return purged;
}
