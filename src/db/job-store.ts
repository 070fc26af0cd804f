/** What a worker process asks of the job queue beside pg-boss: what comes next, and what the dead have left. */
import type { Db } from './pool.ts';
import { sql } from './sql.ts';

/** As in `intake.enqueue`: each queue that gets jobs is named on it. */
export const jobChannel = 'pgboss_454650302e472074f72063fd';

export interface QueueOutlook {
  queue: string;
  /** Milliseconds until a job may be taken, none or less when one may; null when there is none. */
  due_ms: number | null;
  /** Until one at work counts as left behind. */
  overdue_ms: number | null;
}

/** How each queue stands, in one statement however many there are. */
export const listOutlooks = (db: Db, queues: readonly string[]): Promise<QueueOutlook[]> =>
  db.query<QueueOutlook>(sql`select q.name as queue, due.ms as due_ms, overdue.ms as overdue_ms
    from unnest(${queues}::text[]) as q (name)
    left join lateral (
      select case when exists (select from pgboss.job j
          where j.name = q.name and j.state < 'active' and not j.blocked
            and j.start_after <= pgboss.job_now()) then 0
        else (select extract(epoch from min(j.start_after) - pgboss.job_now()) * 1000
          from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked)
        end::double precision as ms) due on true
    left join lateral (
      select (extract(epoch from min(least(
          j.heartbeat_on + j.heartbeat_seconds * interval '1 second',
          j.started_on + j.expire_seconds * interval '1 second')) - pgboss.job_now()) * 1000
        )::double precision as ms
      from pgboss.job j where j.name = q.name and j.state = 'active') overdue on true`);

/**
 * Gives back what is at work on queues that nobody works any more, and says from which. Whoever works a
 * queue has its lock (`holdQueues`); jobs of `inHand` are the caller's own, and those begun within
 * `youngMs` may be on their way to it. Their number of attempts goes on, so one that kills its worker ends.
 */
export async function giveBackJobs(
  db: Db,
  queues: readonly string[],
  { inHand, youngMs }: { readonly inHand: readonly string[]; readonly youngMs: number },
): Promise<string[]> {
  const rows = await db.query<{ queue: string }>(sql`with left_alone as materialized (
      select q.name from unnest(${queues}::text[]) as q (name)
      where pg_try_advisory_xact_lock(hashtextextended('huvudbok queue ' || q.name, 0)))
    update pgboss.job j set state = 'retry', start_after = pgboss.job_now()
    from left_alone q
    where j.name = q.name and j.state = 'active' and j.retry_count < j.retry_limit
      and j.id <> all (${inHand}::uuid[])
      and j.started_on <= pgboss.job_now() - ${youngMs} * interval '1 millisecond'
    returning j.name as queue`);
  return [...new Set(rows.map(({ queue }) => queue))];
}

/** Says, for as long as the connection lives, that somebody works these queues. */
export async function holdQueues(db: Db, queues: readonly string[]): Promise<void> {
  await db.query(sql`select pg_advisory_lock_shared(hashtextextended('huvudbok queue ' || q.name, 0))
    from unnest(${queues}::text[]) as q (name)`);
}

/**
 * What was written while the clock was ahead, by a day or by years: until that moment came again nothing would come with
 * the clock, be tried again or be cleared away. A minute is what two hosts' clocks may differ by.
 */
export async function forgetFuture(db: Db): Promise<void> {
  await db.query(sql`with moment as (select pgboss.job_now() as now, pgboss.job_now() + interval '1 minute' as soon),
    clock as (update pgboss.version set cron_on = now from moment where cron_on > soon),
    queues as (update pgboss.queue set maintain_on = null, monitor_claim_on = null from moment
      where maintain_on > soon or monitor_claim_on > soon)
    update pgboss.job j set start_after = now from moment
    where j.state < 'active' and j.start_after > soon and greatest(j.created_on, j.started_on) > soon`);
}
