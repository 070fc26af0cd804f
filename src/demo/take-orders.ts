/** Takes in the planned orders the way the web shop's are, and books and settles some of them. */
import { addDays } from '../domain/basics/dates.ts';
import { receivedOrder } from '../intake/orders/received.ts';
import { judgeAttempts } from '../intake/orders/service.ts';
import { listOutcomes, type OrderOutcome, storeOrders } from '../intake/orders/store.ts';
import { uuid } from '../lib/uuid.ts';
import { bookInvoices } from '../sales/invoices/service.ts';
import { registerPayment } from '../sales/invoices/settlement.ts';
import type { Books } from './books.ts';
import { workday } from './calendar.ts';
import {
  correctedOrder,
  isFresh,
  lateOrder,
  type OrderBody,
  type PlannedOrder,
  repeatedOrder,
  stoppedOrders,
} from './orders.ts';

/** A month's orders: drafts of them all, booked but for the latest, and paid by card. */
export async function takeOrders(
  books: Books,
  planned: readonly PlannedOrder[],
  keyHash: Buffer,
): Promise<void> {
  const { tx, calendar, actors } = books;
  const received = await receive(
    books,
    planned.map(({ body }) => body),
    keyHash,
  );
  for (const [index, order] of planned.entries()) {
    const { invoice_id: invoiceId } = received[index] ?? {};
    if (!invoiceId) throw new Error(`the demo order ${order.body.externalId} became no draft`);
    if (isFresh(calendar, order)) continue;
    const [outcome] = await bookInvoices(tx, [invoiceId], actors.bookkeeper);
    if (outcome?.refusal) throw outcome.refusal;
    const date = workday(addDays(order.body.orderDate, 1));
    if (date > calendar.today) continue;
    const amountOre = BigInt(Math.round((outcome?.invoice.total_amount ?? 0) * 100));
    const reference = order.body.externalId ?? null;
    const payment = { invoiceId, date, today: calendar.today, amountOre, reference };
    await registerPayment(tx, payment, actors.bookkeeper);
  }
}

/** Those that need a person. Only once the year before is closed: one of them came too late for it. */
export async function takeSpecialOrders(books: Books, keyHash: Buffer): Promise<void> {
  const { tx, calendar, actors } = books;
  const [wrong, right] = correctedOrder(calendar);
  const stopped = await receive(books, [...stoppedOrders(calendar), wrong], keyHash);
  const made = stopped.find(({ invoice_id: id }) => id !== null);
  if (made) throw new Error(`the demo order ${made.external_id} was not stopped`);
  await receive(books, [right, ...repeatedOrder(calendar)], keyHash);
  const [late] = await receive(books, [lateOrder(calendar)], keyHash);
  if (late?.invoice_id) await bookInvoices(tx, [late.invoice_id], actors.bookkeeper);
}

async function receive(
  { tx }: Books,
  bodies: readonly OrderBody[],
  keyHash: Buffer,
): Promise<OrderOutcome[]> {
  if (bodies.length === 0) return [];
  // In rising order, since that is the order attempts at the same time are judged in.
  const attemptIds = bodies.map(() => uuid()).sort();
  const received = bodies.map((body, index) => {
    const raw = Buffer.from(JSON.stringify(body));
    const order = receivedOrder(raw, body, { keyHash, requestId: uuid() });
    return { ...order, attemptId: attemptIds[index] ?? order.attemptId };
  });
  const stored = await storeOrders(tx, received);
  await judgeAttempts(
    tx,
    stored.flatMap(({ attempt_id: id }) => id ?? []),
  );
  return listOutcomes(
    tx,
    stored.map(({ order_id: orderId, attempt_id: attemptId }) => ({
      keyHash,
      orderId,
      attemptId,
    })),
  );
}
