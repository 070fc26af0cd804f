import type { Db, Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

export interface AuditEvent {
  /** Who, where the database does not know it better: `job:<name>` or `cli`; a person is who is logged in. */
  readonly actor: string;
  /** What, as in `key.revoked`. */
  readonly action: string;
  /** To what: an id, a date, a name. */
  readonly subject: string;
  readonly detail?: object;
}

/** Writes down who did what, in the transaction that did it. */
export const recordEvent = (tx: Tx, event: AuditEvent): Promise<void> => recordEvents(tx, [event]);

/** The same of many, in their order. */
export async function recordEvents(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(sql`select audit.record(e.actor, e.action, e.subject, e.detail)
    from unnest(${events.map(({ actor }) => actor)}::text[],
      ${events.map(({ action }) => action)}::text[],
      ${events.map(({ subject }) => subject)}::text[],
      ${events.map(({ detail = {} }) => JSON.stringify(detail))}::jsonb[])
      as e (actor, action, subject, detail)`);
}

export interface ListedEvent {
  id: string;
  occurred_at: Date;
  actor: string;
  /** The person's name or address; null when it was no person. */
  actor_name: string | null;
  action: string;
  subject: string;
  detail: Record<string, unknown>;
}

/** The latest events of these actions, newest first; of one subject when told so. */
export function listLatestEvents(
  db: Db,
  actions: readonly string[],
  limit: number,
  subject: string | null = null,
): Promise<ListedEvent[]> {
  return db.query(sql`select e.id, e.occurred_at, e.actor, coalesce(nullif(u.name, ''), u.email) as actor_name,
      e.action, e.subject, e.detail
    from unnest(${actions}::text[]) as wanted (action)
    cross join lateral (select * from audit.events e where e.action = wanted.action
      and (${subject}::text is null or e.subject = ${subject})
      order by e.occurred_at desc, e.id desc limit ${limit}) as e
    left join restricted.users u on 'user:' || u.id = e.actor
    order by e.occurred_at desc, e.id desc limit ${limit}`);
}

/** That the books went back in time. */
export interface Restoring {
  readonly at: Date;
  /** What is later than this is not in them; null of books in which nothing had happened. */
  readonly books_end_at: Date | null;
}

/** The latest time that they did, by a backup or otherwise; undefined if they never have. */
export async function findRestoring(db: Db): Promise<Restoring | undefined> {
  const [event] = await listLatestEvents(db, ['books.restored', 'books.held'], 1);
  if (!event) return undefined;
  const { occurred_at: at, action, subject, detail } = event;
  const end = action === 'books.restored' ? subject : detail['books_end_at'];
  return { at, books_end_at: typeof end === 'string' ? new Date(end) : null };
}

/** What users and keys are called, when it may be seen. */
export function listNamesOf(
  db: Db,
  actors: readonly string[],
): Promise<{ actor: string; name: string | null }[]> {
  return db.query(sql`select actor, name from app.actor_names(${actors}::text[])`);
}
