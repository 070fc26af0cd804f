import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Work } from './throughput.ts';

export interface ProcessRow {
  id: string;
  host: string;
  pid: number;
  /** As in `http` or `intake`. */
  parts: string[];
  version: string;
  started_at: Date;
  seen_at: Date;
  /** Seen lately enough to be running. */
  is_alive: boolean;
  /** Jobs in the latest minute, by queue. */
  handled: Record<string, number>;
  /** By queue: milliseconds at work in the latest minute, and at how much at a time it can be. */
  work: Record<string, { busy_ms: number; slots: number }>;
}

export interface ProcessNote {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly parts: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  readonly work: ReadonlyMap<string, Work>;
}

/** Says that a process lives. */
export async function noteProcess(db: Db, note: ProcessNote): Promise<void> {
  const queues = [...note.work];
  const handled = Object.fromEntries(
    queues.filter(([, { jobs }]) => jobs > 0).map(([queue, { jobs }]) => [queue, jobs]),
  );
  const work = Object.fromEntries(
    queues.map(([queue, { busyMs, slots }]) => [queue, { busy_ms: Math.round(busyMs), slots }]),
  );
  await db.query(sql`select restricted.note_process(${note.id}::uuid, ${note.host}, ${note.pid}::integer,
    ${note.parts}::text[], ${note.version}, ${note.startedAt}::timestamptz,
    ${JSON.stringify(handled)}::jsonb, ${JSON.stringify(work)}::jsonb)`);
}

export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db.query(sql`select restricted.forget_process(${id}::uuid)`);
}

/** Every process of the last day that did not stop by itself. Three missed notes mean it is gone. */
export function listProcesses(db: Db): Promise<ProcessRow[]> {
  return db.query<ProcessRow>(sql`select p.id, p.host, p.pid, p.parts, p.version, p.started_at,
      p.seen_at, p.seen_at > now() - interval '45 seconds' as is_alive, p.handled, p.work
    from restricted.processes p order by p.parts, p.started_at, p.id`);
}

/** Whether anybody prints: a `worker render` that runs, or whoever calls one when there is a page. */
export async function isPrinting(db: Db): Promise<boolean> {
  return (await listProcesses(db)).some((one) => one.is_alive && one.parts.includes('render'));
}

/** A queue as it stands, and what all its workers did in the latest minute together. */
export interface QueueFigures {
  queue: string;
  waiting: number;
  oldest_seconds: number;
  active: number;
  dead: number;
  /** Jobs. */
  handled: number;
  busy_seconds: number;
  /** Batches or jobs that there is room for at the same time. */
  slots: number;
  processes: number;
}

export const listQueueFigures = (db: Db): Promise<QueueFigures[]> =>
  db.query<QueueFigures>(sql`select queue, waiting::double precision, oldest_seconds,
      active::double precision, dead::double precision, handled, busy_seconds,
      slots::double precision, processes::double precision
    from restricted.queue_figures()`);

/** What else the database knows of itself, by name; null where nothing is known yet. */
export const listFigures = (db: Db): Promise<{ name: string; value: number | null }[]> =>
  db.query(sql`select name, value from restricted.figures()`);
