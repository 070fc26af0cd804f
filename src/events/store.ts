import type { Db } from '../db/pool.ts';
import { prepared, sql } from '../db/sql.ts';
import type { EventPlace } from '../domain/basics/event-cursor.ts';

/** An event as it is told, and its place among the others. */
export interface PlacedEvent extends EventPlace {
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> | null };
}

export function listEvents(db: Db, after: EventPlace, limit: number): Promise<PlacedEvent[]> {
  const { epoch, run, xid, seq } = after;
  return db.query(
    prepared(
      'events',
      sql`select epoch, run, xid, seq, event
          from api.list_events(${epoch}::integer, ${run}::bigint, ${xid}, ${seq}::bigint,
            ${limit}::integer)`,
    ),
  );
}

/** Of what lists tell as changed: what a call begun later does not see is of that time or later (ISO 8601). */
export async function changesCompleteUntil(db: Db): Promise<string> {
  const [row] = await db.query<{ until: Date }>(sql`select api.changes_complete_until() as until`);
  if (!row) throw new Error('no time was told');
  return row.until.toISOString();
}

export async function latestPlace(db: Db): Promise<EventPlace> {
  const [place] = await db.query<EventPlace>(
    sql`select epoch, run, xid, seq from api.latest_event_place()`,
  );
  if (!place) throw new Error('the events have no place');
  return place;
}
