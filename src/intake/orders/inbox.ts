/** What a person decides about orders that stopped: tried again, helped with a customer, dismissed. */
import { recordEvent } from '../../audit/store.ts';
import { enqueue, orderIntake } from '../../db/jobs.ts';
import type { Tx } from '../../db/pool.ts';
import { parseJson } from '../../domain/basics/json.ts';
import { matchCustomer } from '../../domain/sales/customer-match.ts';
import { parseOrder } from '../../domain/sales/order-shape.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { insertCustomer, type NewCustomer } from '../../sales/customers/store.ts';
import {
  insertDecisions,
  type LockedOrder,
  lockOrders,
  openAgain,
  setDismissed,
  setInvoice,
} from './inbox-store.ts';
import { listCandidates } from './intake-store.ts';
import { keysOf } from './service.ts';

/** Who decides, and the call they do it with: what came of it is found by the call's id. */
export interface Decider {
  readonly actor: string;
  readonly requestId: string;
}

export interface Retried {
  /** How many are now to be judged again. */
  readonly retried: number;
  /** How many somebody else had already sent to be judged. */
  readonly underWay: number;
  /** How many have become invoices. */
  readonly invoiced: number;
}

/**
 * Has stopped orders judged afresh by the intake worker, on the bytes that came. One that is under way
 * or has its invoice is left alone, so that two people who try at once try once. Dismissed ones open.
 */
export async function retryOrders(
  tx: Tx,
  orderIds: readonly string[],
  decider: Decider,
): Promise<Retried> {
  const orders = await lockOrders(tx, orderIds);
  const stopped = orders.filter(mayBeRetried);
  await retry(tx, stopped, decider);
  const invoiced = orders.filter((order) => order.invoice_id !== null).length;
  return { retried: stopped.length, underWay: orders.length - stopped.length - invoiced, invoiced };
}

const mayBeRetried = ({ invoice_id, status, is_stuck }: LockedOrder): boolean =>
  invoice_id === null && (status === 'rejected' || is_stuck);

async function retry(
  tx: Tx,
  orders: readonly LockedOrder[],
  { actor, requestId }: Decider,
): Promise<void> {
  if (orders.length === 0) return;
  await insertDecisions(tx, orders, { decision: 'retried', reason: null, actor, requestId });
  await openAgain(tx, orders);
  await enqueue(
    tx,
    orderIntake,
    orders.map((order) => ({ attemptId: order.attempt_id })),
  );
  for (const { id, reason } of orders) {
    const detail = { request_id: requestId, reason };
    await recordEvent(tx, { actor, action: 'order.retried', subject: id, detail });
  }
}

/**
 * Makes the order's buyer a customer and has the order judged again, or left for the invoice that is
 * then written by hand. Throws 422 when there is
 * nothing to help, and when the buyer is a customer already or would still not be found.
 */
export async function createCustomerAndRetry(
  tx: Tx,
  orderId: string,
  customer: NewCustomer,
  decider: Decider,
  next: 'retry' | 'invoice' = 'retry',
): Promise<{ id: string; name: string }> {
  const order = await lockOpen(tx, orderId);
  const buyer = {
    externalId: customer.externalId ?? null,
    name: customer.name,
    email: customer.email ?? null,
    orgNumber: customer.organizationNumber ?? null,
    vatNumber: customer.vatNumber ?? null,
  };
  const known = matchCustomer(buyer, await listCandidates(tx, keysOf([buyer])));
  if (known) {
    const params = { name: known.name };
    throw refuse('unprocessable', [{ path: '', reason: 'customer_exists', params }]);
  }
  const parsed = parseOrder(parseJson(order.raw).value);
  if ('order' in parsed && matchCustomer(parsed.order.customer, [{ id: '', ...buyer }]) === null) {
    throw refuse('unprocessable', [{ path: 'name', reason: 'customer_not_of_order' }]);
  }
  const created = await insertCustomer(tx, customer);
  const { actor } = decider;
  const detail = { name: created.name, order_id: orderId };
  await recordEvent(tx, { actor, action: 'customer.created', subject: created.id, detail });
  if (next === 'retry') await retry(tx, [order], decider);
  return created;
}

/**
 * Makes the invoice that a person has written the order's, so that its number never becomes another.
 * `write` makes the draft and gives its id. Throws 422 when the order has an invoice or is
 * being judged.
 */
export async function invoiceByHand(
  tx: Tx,
  orderId: string,
  write: () => Promise<{ readonly id: string; readonly customerId: string }>,
  { actor, requestId }: Decider,
): Promise<string> {
  const order = await lockOpen(tx, orderId);
  const invoice = await write();
  await insertDecisions(tx, [order], { decision: 'invoiced', reason: null, actor, requestId });
  await setInvoice(tx, orderId, invoice);
  const detail = { request_id: requestId, invoice_id: invoice.id };
  await recordEvent(tx, { actor, action: 'order.invoiced', subject: orderId, detail });
  return invoice.id;
}

/** A stopped order, held until commit. A refund is none: it has neither buyer nor invoice of its own. */
async function lockOpen(tx: Tx, orderId: string): Promise<LockedOrder> {
  const [order] = await lockOrders(tx, [orderId]);
  if (order?.kind !== 'order') throw refuseWhole('not_found', 'no_order');
  if (order.invoice_id !== null) throw refuseWhole('unprocessable', 'order_invoiced');
  if (!mayBeRetried(order)) throw refuseWhole('unprocessable', 'order_retried');
  return order;
}

export interface Dismissed {
  readonly dismissed: number;
  /** Those that have an invoice, or are being judged. */
  readonly left: number;
}

/**
 * Closes orders that shall not become invoices. They wait for nobody any more; whoever sends the same
 * bytes again gets the same refusal as before, and other bytes are judged as ever. Dismissing twice
 * changes nothing.
 */
export async function dismissOrders(
  tx: Tx,
  orderIds: readonly string[],
  reason: string,
  { actor, requestId }: Decider,
): Promise<Dismissed> {
  const orders = await lockOrders(tx, orderIds);
  const open = orders.filter(
    (order) => order.invoice_id === null && order.status === 'rejected' && !order.is_dismissed,
  );
  const already = orders.filter((order) => order.is_dismissed).length;
  if (open.length > 0) {
    await insertDecisions(tx, open, { decision: 'dismissed', reason, actor, requestId });
    await setDismissed(tx, open, true);
  }
  for (const { id } of open) {
    const detail = { reason, request_id: requestId };
    await recordEvent(tx, { actor, action: 'order.dismissed', subject: id, detail });
  }
  return { dismissed: open.length + already, left: orders.length - open.length - already };
}
