import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

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
}

export interface ProcessNote {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly parts: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  readonly handled: Readonly<Record<string, number>>;
}

/** Says that a process lives. */
export async function noteProcess(db: Db, note: ProcessNote): Promise<void> {
  await db.query(sql`select restricted.note_process(${note.id}::uuid, ${note.host}, ${note.pid}::integer,
    ${note.parts}::text[], ${note.version}, ${note.startedAt}::timestamptz,
    ${JSON.stringify(note.handled)}::jsonb)`);
}

export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db.query(sql`select restricted.forget_process(${id}::uuid)`);
}

/** Every process of the last day that did not stop by itself. Three missed notes mean it is gone. */
export function listProcesses(db: Db): Promise<ProcessRow[]> {
  return db.query<ProcessRow>(sql`select p.id, p.host, p.pid, p.parts, p.version, p.started_at,
      p.seen_at, p.seen_at > now() - interval '45 seconds' as is_alive, p.handled
    from restricted.processes p order by p.parts, p.started_at, p.id`);
}
