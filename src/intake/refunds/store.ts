/** What the intake worker reads of the order that a refund is of (role hb_worker). */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';

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

/** What is left of the tip that an invoice's order came with and that is booked, less what its credit notes give back, drafts too. */
export async function findTipLeft(tx: Tx, invoiceId: string): Promise<Ore> {
  const [found] = await tx.query<{ ore: Ore }>(
    sql`select coalesce(sum(case when i.kind = 'invoice' then p.tip_ore else -p.tip_ore end), 0)::bigint as ore
        from sales.order_payments p join sales.invoices i on i.id = p.invoice_id
        where (i.id = ${invoiceId}::uuid and p.voucher_id is not null)
          or i.credited_invoice_id = ${invoiceId}::uuid`,
  );
  return found?.ore ?? 0n;
}
