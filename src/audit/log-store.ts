/** The audit log as it is read: filtered, newest first, a page at a time. */
import type { Db } from '../db/pool.ts';
import { join, type Sql, sql } from '../db/sql.ts';
import { isUuid } from '../lib/uuid.ts';

export interface EventFilter {
  /** Days in the time zone, both included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly timeZone: string;
  /** As it is written down: `user:<id>`. */
  readonly actor: string | null;
  readonly action: string | null;
  /** Words of the subject and the detail, or the id of a subject or a request. */
  readonly search: string | null;
}

/** Where a page ended. The time as PostgreSQL writes it, to the microsecond. */
export interface AuditPlace {
  readonly occurredAt: string;
  readonly id: string;
}

export interface LoggedEvent {
  id: string;
  occurred_at: Date;
  /** The time to the microsecond, for the next page. */
  place: string;
  actor: string;
  /** Of the user or key who did it; null when it is neither, or may not be seen. */
  actor_name: string | null;
  action: string;
  subject: string;
  detail: Record<string, unknown>;
  request_id: string | null;
}

/** Words more common than this are found by reading backwards in time instead. */
const matchesMax = 5_000;

/** A page is found in an index alone, whatever is filtered by; only then are its rows read. */
export async function listEvents(
  db: Db,
  filter: EventFilter,
  after: AuditPlace | null,
  limit: number,
): Promise<LoggedEvent[]> {
  const conditions: Sql[] = [sql`true`];
  const { from, to, timeZone, actor, action, search } = filter;
  if (from)
    conditions.push(sql`e.occurred_at >= ${from}::date::timestamp at time zone ${timeZone}`);
  if (to) {
    conditions.push(sql`e.occurred_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`);
  }
  if (actor) conditions.push(sql`e.actor = ${actor}`);
  if (action) conditions.push(sql`e.action = ${action}`);
  if (search) conditions.push(await searched(db, search));
  if (after) {
    conditions.push(
      sql`(e.occurred_at, e.id) < (${after.occurredAt}::timestamptz, ${after.id}::uuid)`,
    );
  }
  return db.query<LoggedEvent>(sql`
    select e.id, e.occurred_at, e.occurred_at::text as place, e.actor,
      coalesce(nullif(u.name, ''), u.email, k.name) as actor_name, e.action, e.subject, e.detail,
      e.request_id
    from (select e.id from audit.events e where ${join(conditions, sql` and `)}
      order by e.occurred_at desc, e.id desc limit ${limit}::integer) as found
    join audit.events e on e.id = found.id
    left join restricted.users u on e.actor = 'user:' || u.id
    left join restricted.api_keys k on e.actor = 'key:' || k.id
    order by e.occurred_at desc, e.id desc`);
}

async function searched(db: Db, search: string): Promise<Sql> {
  const id = search.toLowerCase();
  if (isUuid(id)) {
    return sql`(e.subject = ${id} or e.request_id = ${id}::uuid)`;
  }
  const words = prefixesOf(search);
  if (words === '') return sql`false`;
  const [found] = await db.query<{ ids: string[] | null }>(
    sql`select app.matching_events(${words}, ${matchesMax}::integer) as ids`,
  );
  return found?.ids
    ? sql`e.id = any(${found.ids}::uuid[])`
    : sql`audit.words_of(e.subject, e.detail) @@ to_tsquery('simple', ${words})`;
}

/** `'anna':* & 'bok':*`: each word as the beginning of one. */
export const prefixesOf = (search: string): string =>
  search
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `'${word.replace(/[\\']/g, '\\$&')}':*`)
    .join(' & ');

export interface Actor {
  readonly actor: string;
  readonly name: string;
}

/** The people, and for those who may see them the keys, that events can be asked for. */
export function listActors(db: Db): Promise<Actor[]> {
  return db.query<Actor>(sql`
    select actor, name from (
      select 1 as kind, 'user:' || u.id as actor, coalesce(nullif(u.name, ''), u.email) as name
      from restricted.users u
      union all
      select 2, 'key:' || k.id, k.name from restricted.api_keys k
    ) a order by kind, lower(name), actor limit 1000`);
}
