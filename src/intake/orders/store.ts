import type { KeyRefusal } from '../../access/keys/refusal.ts';
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Fault } from '../../lib/errors.ts';

/** What shops send, each kept, judged and shown in the same inbox. */
export type ReceivedKind = 'order' | 'refund';

/** An order or a refund as it came, with the ids it gets if it is new. */
export interface ReceivedOrder {
  readonly keyHash: Buffer;
  readonly kind: ReceivedKind;
  readonly identity: string;
  /** Its own number, as it came. */
  readonly externalId: string | null;
  /** Of a refund: the number that credits once, and what its order is known by. */
  readonly refundKey: string | null;
  readonly orderIdentity: string | null;
  readonly raw: Buffer;
  readonly sha256: Buffer;
  readonly orderId: string;
  readonly attemptId: string;
  readonly requestId: string;
}

export interface StoredOrder {
  outcome: 'stored' | KeyRefusal;
  order_id: string;
  /** The attempt with these bytes; null when the order has its invoice and the bytes are others. */
  attempt_id: string | null;
  is_new: boolean | null;
}

export interface OrderOutcome {
  /** Why the key may not know; everything else is then null. */
  refusal: KeyRefusal | null;
  status: 'received' | 'draft' | 'duplicate' | 'rejected';
  order_id: string;
  external_id: string | null;
  invoice_id: string | null;
  customer_id: string | null;
  attempt_id: string | null;
  reason: string | null;
  detail: (Record<string, unknown> & { problems?: readonly Fault[] }) | null;
}

export interface ReconciledOrder {
  identity: string;
  sha256: string;
  status: 'received' | 'draft' | 'duplicate' | 'rejected';
  order_id: string;
  invoice_id: string | null;
  customer_id: string | null;
  reason: string | null;
  received_at: Date;
}

/** Bytes, hash and job of many orders in one commit. */
export function storeOrders(db: Db, orders: readonly ReceivedOrder[]): Promise<StoredOrder[]> {
  return db.query<StoredOrder>(
    prepared(
      'store received',
      sql`select outcome, order_id, attempt_id, is_new
          from api.store_received(
            ${orders.map((order) => order.keyHash)}::bytea[],
            ${orders.map((order) => order.kind)}::text[],
            ${orders.map((order) => order.identity)}::text[],
            ${orders.map((order) => order.externalId)}::text[],
            ${orders.map((order) => order.refundKey)}::text[],
            ${orders.map((order) => order.orderIdentity)}::text[],
            ${orders.map((order) => order.raw)}::bytea[],
            ${orders.map((order) => order.sha256)}::bytea[],
            ${orders.map((order) => order.orderId)}::uuid[],
            ${orders.map((order) => order.attemptId)}::uuid[],
            ${orders.map((order) => order.requestId)}::uuid[])
          order by item`,
    ),
  );
}

export function listOutcomes(
  db: Db,
  orders: readonly {
    readonly keyHash: Buffer;
    readonly orderId: string;
    readonly attemptId: string | null;
  }[],
): Promise<OrderOutcome[]> {
  return db.query<OrderOutcome>(
    prepared(
      'order outcomes',
      sql`select refusal, status, order_id, external_id, invoice_id, customer_id, attempt_id, reason,
            detail
          from api.order_outcomes(${orders.map((order) => order.keyHash)}::bytea[],
            ${orders.map((order) => order.orderId)}::uuid[],
            ${orders.map((order) => order.attemptId)}::uuid[])
          order by item`,
    ),
  );
}

/** What an order or refund that has become an invoice was sent with. */
export interface FirstBody {
  /** Why the key may not know. */
  refusal: KeyRefusal | null;
  /** Null when another key sent it, or nobody: a person wrote the invoice by hand. */
  body: Buffer | null;
}

export function listFirstBodies(
  db: Db,
  orders: readonly { readonly keyHash: Buffer; readonly orderId: string }[],
): Promise<FirstBody[]> {
  return db.query<FirstBody>(
    prepared(
      'first bodies',
      sql`select refusal, body
          from api.first_bodies(${orders.map((order) => order.keyHash)}::bytea[],
            ${orders.map((order) => order.orderId)}::uuid[])
          order by item`,
    ),
  );
}

export function reconcileOrders(
  db: Db,
  identities: readonly string[],
  hashes: readonly Buffer[],
): Promise<ReconciledOrder[]> {
  return db.query<ReconciledOrder>(
    prepared(
      'reconcile orders',
      sql`select * from api.reconcile_orders(${identities}::text[], ${hashes}::bytea[])`,
    ),
  );
}

export interface ReconciledRefund {
  refund_key: string;
  external_id: string;
  status: 'received' | 'draft' | 'duplicate' | 'rejected';
  reason: string | null;
  invoice_id: string | null;
  received_at: Date;
}

export function reconcileRefunds(
  db: Db,
  refundKeys: readonly string[],
): Promise<ReconciledRefund[]> {
  return db.query<ReconciledRefund>(
    prepared('reconcile refunds', sql`select * from api.reconcile_refunds(${refundKeys}::text[])`),
  );
}

/** Whether the company takes orders with the VAT of other countries, and in their currencies. */
export async function isOssOn(db: Db): Promise<boolean> {
  const [company] = await db.query<{ is_on: boolean }>(sql`select api.is_oss_on() as is_on`);
  return company?.is_on ?? false;
}
