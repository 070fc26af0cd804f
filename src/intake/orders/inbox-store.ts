/** The order inbox as people see it: lists, one order, and what they decide. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../lib/uuid.ts';
import { identityOf, refundKeyOf } from './identity.ts';
import type { ReceivedKind } from './store.ts';

const orderTabs = ['stopped', 'changed', 'drafts', 'duplicates', 'dismissed', 'all'] as const;
export type OrderTab = (typeof orderTabs)[number];

export type AttemptStatus = 'received' | 'draft' | 'duplicate' | 'rejected';

/** Larger bodies are not read for a list. */
const listedBytesMax = 64 * 1024;

export interface OrderQuery {
  readonly tab: OrderTab;
  /** Only orders whose latest attempt was rejected for this. */
  readonly reason: string | null;
  readonly externalId: string | null;
  /** The last order of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

export interface ListedOrder {
  id: string;
  kind: ReceivedKind;
  external_id: string | null;
  is_dismissed: boolean;
  received_at: Date;
  status: AttemptStatus;
  /** Should have been judged long ago: its job is lost. */
  is_stuck: boolean;
  reason: string | null;
  /** Why a person dismissed it; null when nobody has. */
  dismissal: string | null;
  sender: string | null;
  /** Of the latest attempt; null when it is large, or when the invoice says the same. */
  raw: Buffer | null;
  invoice_id: string | null;
  invoice_status: string | null;
  invoice_number: number | null;
  invoice_total_ore: bigint | null;
  debtor_name: string | null;
}

/** An attempt that waits longer than a judgement takes. */
const isStuck = sql`(a.status = 'received' and greatest(a.received_at, (select max(d.decided_at)
  from intake.order_decisions d where d.attempt_id = a.id)) < now() - interval '5 minutes')`;

/** An order's latest attempt speaks for it. */
const latestAttempt = sql`cross join lateral (
    select a.*, ${isStuck} as is_stuck
    from intake.order_attempts a where a.order_id = o.id
    order by a.received_at desc, a.id desc limit 1) as a`;

const inTab: Record<OrderTab, ReturnType<typeof sql>> = {
  stopped: sql`o.invoice_id is null and not o.is_dismissed and (a.status = 'rejected' or a.is_stuck)`,
  changed: sql`o.id in (select order_id from intake.changed_orders where seen_at is null)`,
  drafts: sql`i.status = 'draft'`,
  duplicates: sql`o.id in (select order_id from intake.order_attempts where status = 'duplicate')`,
  dismissed: sql`o.is_dismissed and o.invoice_id is null`,
  all: sql`true`,
};

/** Newest first; one more than `limit` when there is another page. */
export function listOrders(db: Db, query: OrderQuery): Promise<ListedOrder[]> {
  const { tab, reason, externalId, before, limit } = query;
  const conditions = [
    inTab[tab],
    ...(before === null ? [] : [sql`o.id < ${before}::uuid`]),
    ...(reason === null ? [] : [sql`a.status = 'rejected' and a.reason = ${reason}`]),
    ...(externalId === null
      ? []
      : [
          sql`(o.identity = ${identityOf(externalId)} or o.order_identity = ${identityOf(externalId)}
            or o.refund_key = ${refundKeyOf(externalId)})`,
        ]),
  ].reduce((all, one) => sql`${all} and ${one}`);
  return db.query(sql`select o.id, o.kind, o.external_id, o.is_dismissed, a.received_at, a.status, a.is_stuck,
      a.reason, case when o.is_dismissed then (select d.reason from intake.order_decisions d
        where d.order_id = o.id and d.decision = 'dismissed' order by d.decided_at desc limit 1)
        end as dismissal, app.key_name(a.key_id) as sender,
      case when i.id is null and octet_length(a.raw) <= ${listedBytesMax}::integer then a.raw end as raw,
      i.id as invoice_id, i.status as invoice_status, i.number as invoice_number,
      i.total_ore as invoice_total_ore, i.debtor ->> 'name' as debtor_name
    from intake.orders o ${latestAttempt}
    left join sales.invoices i on i.id = o.invoice_id
    where ${conditions}
    order by o.id desc limit ${limit + 1}::integer`);
}

export interface ShownOrder {
  id: string;
  kind: ReceivedKind;
  /** Of a refund: its order's page, the invoice that the order has become, and what that is in. */
  refunded_order_id: string | null;
  refunded_invoice_id: string | null;
  refunded_currency: string | null;
  external_id: string | null;
  is_dismissed: boolean;
  invoice_id: string | null;
  invoice_status: string | null;
  invoice_number: number | null;
  invoice_total_ore: bigint | null;
  customer_id: string | null;
  customer_name: string | null;
}

export async function findOrder(db: Db, id: string): Promise<ShownOrder | undefined> {
  const [order] = await db.query<ShownOrder>(sql`select o.id, o.kind, o.external_id, o.is_dismissed,
      r.id as refunded_order_id, r.invoice_id as refunded_invoice_id,
      (select n.currency from sales.invoices n where n.id = r.invoice_id) as refunded_currency, o.invoice_id, i.status as invoice_status, i.number as invoice_number,
      i.total_ore as invoice_total_ore, o.customer_id, c.name as customer_name
    from intake.orders o left join sales.invoices i on i.id = o.invoice_id
    left join sales.customers c on c.id = o.customer_id
    left join intake.orders r on r.identity = o.order_identity and r.kind = 'order'
    where o.id = ${id}::uuid`);
  return order;
}

export type RefundOfOrder = Pick<
  ListedOrder,
  | 'id'
  | 'kind'
  | 'external_id'
  | 'is_dismissed'
  | 'status'
  | 'is_stuck'
  | 'reason'
  | 'invoice_id'
  | 'invoice_status'
  | 'invoice_number'
  | 'invoice_total_ore'
>;

/** The refunds of an order, in the order they came; one more than `limit` when there are more. */
export function listRefundsOf(db: Db, orderId: string, limit: number): Promise<RefundOfOrder[]> {
  return db.query(sql`select o.id, o.kind, o.external_id, o.is_dismissed, a.status, a.is_stuck, a.reason,
      i.id as invoice_id, i.status as invoice_status, i.number as invoice_number, i.total_ore as invoice_total_ore
    from intake.orders o ${latestAttempt}
    left join sales.invoices i on i.id = o.invoice_id
    where o.order_identity is not null and o.order_identity = (select identity from intake.orders
      where id = ${orderId}::uuid and kind = 'order')
    order by o.id limit ${limit + 1}::integer`);
}

export interface JudgedAttempt {
  readonly reason: string | null;
  readonly detail: Record<string, unknown> | null;
}

export interface ShownAttempt extends JudgedAttempt {
  id: string;
  received_at: Date;
  status: AttemptStatus;
  is_stuck: boolean;
  decided_at: Date | null;
  /** Hexadecimal. */
  sha256: string;
  size: number;
  sender: string | null;
  request_id: string;
}

/** How an order's attempts stand; the first they ever came to is the last here. */
export function listAttempts(db: Db, orderId: string): Promise<ShownAttempt[]> {
  return db.query(sql`select a.id, a.received_at, a.status, a.reason, a.detail, a.decided_at,
      encode(a.sha256, 'hex') as sha256, octet_length(a.raw) as size, app.key_name(a.key_id) as sender,
      a.request_id, ${isStuck} as is_stuck
    from intake.order_attempts a where a.order_id = ${orderId}::uuid
    order by a.received_at desc, a.id desc limit 200`);
}

/** The bytes of an attempt of this very order. */
export async function findAttemptBytes(
  db: Db,
  orderId: string,
  attemptId: string,
): Promise<Buffer | undefined> {
  const [attempt] = await db.query<{ raw: Buffer }>(sql`select raw from intake.order_attempts
    where id = ${attemptId}::uuid and order_id = ${orderId}::uuid`);
  return attempt?.raw;
}

export interface OrderDecided {
  attempt_id: string;
  decision: 'retried' | 'dismissed' | 'invoiced';
  reason: string | null;
  judgement: JudgedAttempt | null;
  decided_at: Date;
  decided_by: string;
  request_id: string;
}

/** What people have decided about an order, in the order they did. */
export function listDecisions(db: Db, orderId: string): Promise<OrderDecided[]> {
  return db.query(sql`select attempt_id, decision, reason, judgement, decided_at, decided_by, request_id
    from intake.order_decisions where order_id = ${orderId}::uuid order by decided_at, id`);
}

export interface LockedOrder extends JudgedAttempt {
  id: string;
  kind: ReceivedKind;
  invoice_id: string | null;
  is_dismissed: boolean;
  attempt_id: string;
  status: AttemptStatus;
  is_stuck: boolean;
  raw: Buffer;
  decided_at: Date | null;
}

/** Orders held until commit, in id order, with how their latest attempts stand once they are held. */
export async function lockOrders(tx: Tx, ids: readonly string[]): Promise<LockedOrder[]> {
  await tx.query(
    sql`select from intake.orders where id = any (${ids}::uuid[]) order by id for update`,
  );
  return tx.query(sql`select o.id, o.kind, o.invoice_id, o.is_dismissed, a.id as attempt_id, a.status,
      a.is_stuck, a.raw, a.reason, a.detail, a.decided_at
    from intake.orders o ${latestAttempt} where o.id = any (${ids}::uuid[]) order by o.id`);
}

export interface NewDecision {
  readonly decision: 'retried' | 'dismissed' | 'invoiced';
  readonly reason: string | null;
  readonly actor: string;
  readonly requestId: string;
}

export async function insertDecisions(
  tx: Tx,
  orders: readonly LockedOrder[],
  { decision, reason, actor, requestId }: NewDecision,
): Promise<void> {
  const judgements = orders.map((order) =>
    decision === 'retried' && order.status === 'rejected'
      ? JSON.stringify({ reason: order.reason, detail: order.detail, decided_at: order.decided_at })
      : null,
  );
  await tx.query(sql`insert into intake.order_decisions (id, order_id, attempt_id, decision, reason,
      judgement, decided_by, request_id)
    select d.id, d.order_id, d.attempt_id, ${decision}, ${reason}, d.judgement, ${actor}, ${requestId}::uuid
    from unnest(${orders.map(() => uuid())}::uuid[], ${orders.map(({ id }) => id)}::uuid[],
      ${orders.map((order) => order.attempt_id)}::uuid[], ${judgements}::jsonb[])
      as d (id, order_id, attempt_id, judgement)`);
}

/** Puts rejected attempts back as they came, and their orders among those that are open. */
export async function openAgain(tx: Tx, orders: readonly LockedOrder[]): Promise<void> {
  await tx.query(sql`update intake.order_attempts
    set status = 'received', reason = null, detail = null, decided_at = null
    where id = any (${orders.map((order) => order.attempt_id)}::uuid[]) and status = 'rejected'`);
  await setDismissed(tx, orders, false);
}

export async function setDismissed(
  tx: Tx,
  orders: readonly { readonly id: string }[],
  isDismissed: boolean,
): Promise<void> {
  await tx.query(sql`update intake.orders set is_dismissed = ${isDismissed}
    where id = any (${orders.map(({ id }) => id)}::uuid[]) and is_dismissed <> ${isDismissed}`);
}

/** The order has this invoice from now on, whoever made it. */
export async function setInvoice(
  tx: Tx,
  orderId: string,
  { id, customerId }: { readonly id: string; readonly customerId: string },
): Promise<void> {
  await tx.query(sql`update intake.orders set invoice_id = ${id}, customer_id = ${customerId},
      is_dismissed = false where id = ${orderId}::uuid`);
}

/** What has become of the orders that were tried again in one call. */
export interface RetryOutcome {
  kind: ReceivedKind;
  attempt_id: string;
  status: AttemptStatus;
  is_invoiced: boolean;
}

export function listRetried(db: Db, requestId: string): Promise<RetryOutcome[]> {
  return db.query(sql`select o.kind, d.attempt_id, a.status, o.invoice_id is not null as is_invoiced
    from intake.order_decisions d join intake.order_attempts a on a.id = d.attempt_id
    join intake.orders o on o.id = d.order_id
    where d.request_id = ${requestId}::uuid and d.decision = 'retried' order by d.id`);
}
