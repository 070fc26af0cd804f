/** What was sent of an order after it had become an invoice: the latest of each, until a person has seen to it. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface ChangedOrder {
  readonly received_at: Date;
  readonly sender: string | null;
  readonly raw: Buffer;
  /** What the invoice was made of. */
  readonly first: Buffer;
  /** The top-level fields in which they differ. */
  readonly fields: string[];
  readonly seen_at: Date | null;
  readonly seen_by: string | null;
}

/** Keeps it for people, when the key is the one that sent the first. */
export async function noteChangedOrder(
  db: Db,
  change: {
    readonly keyHash: Buffer;
    readonly orderId: string;
    readonly raw: Buffer;
    readonly fields: readonly string[];
    readonly requestId: string;
  },
): Promise<void> {
  await db.query(sql`select api.note_changed_order(${change.keyHash}, ${change.orderId}::uuid,
    ${change.raw}, ${change.fields}::text[], ${change.requestId}::uuid)`);
}

export async function findChangedOrder(db: Db, orderId: string): Promise<ChangedOrder | undefined> {
  const [change] =
    await db.query<ChangedOrder>(sql`select c.received_at, c.raw, c.fields, c.seen_at,
      c.seen_by, app.key_name(c.key_id) as sender, f.raw as first
    from intake.changed_orders c
    cross join lateral (select a.raw from intake.order_attempts a
      where a.order_id = c.order_id and a.status = 'draft' order by a.decided_at desc limit 1) as f
    where c.order_id = ${orderId}::uuid`);
  return change;
}

/** Marks what came at that moment as seen to. False when there is none such left. */
export async function settleChangedOrder(
  tx: Tx,
  orderId: string,
  receivedAt: string,
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select intake.settle_changed_order(${orderId}::uuid, ${receivedAt}::timestamptz) as is_done`,
  );
  return row?.is_done ?? false;
}

/** How many wait for somebody to see to them. */
export async function countChangedOrders(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from intake.changed_orders where seen_at is null`,
  );
  return row?.count ?? 0;
}
