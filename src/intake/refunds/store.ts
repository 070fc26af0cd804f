/** What the intake worker reads of the order that a refund is of (role hb_worker). */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

/** The invoice that the order has become; null when it has none, or has not come. */
export async function findOrderInvoice(tx: Tx, orderIdentity: string): Promise<string | null> {
  const [order] = await tx.query<{ invoice_id: string | null }>(
    sql`select invoice_id from intake.orders
        where identity = ${orderIdentity} and kind = 'order'`,
  );
  return order?.invoice_id ?? null;
}

/**
 * Whether another refund of that number is a credit note already. Those who ask about one number wait for each other
 * until commit.
 */
export async function isRefundKeyTaken(
  tx: Tx,
  refundKey: string,
  ownOrderId: string,
): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`refund ${refundKey}`}, 0))`);
  const [other] = await tx.query(
    sql`select from intake.orders where refund_key = ${refundKey} and invoice_id is not null
        and id <> ${ownOrderId}::uuid`,
  );
  return other !== undefined;
}
