/** Takes in the planned e-invoices the way an access point's are, and books, rejects and pays them. */
import { monthOf } from '../domain/basics/dates.ts';
import { divideRounded, type Ore } from '../domain/basics/money.ts';
import { sha256Of } from '../lib/sha256.ts';
import { uuid } from '../lib/uuid.ts';
import { documentBytes } from '../purchases/e-invoices/identity.ts';
import { judgeDocuments } from '../purchases/e-invoices/service.ts';
import { listDocumentOutcomes, storeDocuments } from '../purchases/e-invoices/store.ts';
import { payPurchase } from '../purchases/inbox/payments.ts';
import { bookPurchases, rejectPurchase } from '../purchases/inbox/service.ts';
import type { Books } from './books.ts';
import { eInvoiceXml, payableOf } from './e-invoice.ts';
import type { PaidPart, PlannedPurchase } from './purchases.ts';

/** A booked invoice with what is left to pay of it: below zero when the supplier owes us. */
interface Bought {
  readonly id: string;
  readonly owedOre: Ore;
  openOre: Ore;
  readonly paid: readonly PaidPart[];
}

/** Every invoice that has been booked so far. */
export type BoughtInvoices = Bought[];

/** Books a month's e-invoices, in the order they are given, and pays what is paid in it. */
export async function buyInMonth(
  books: Books,
  bought: BoughtInvoices,
  month: string,
  planned: readonly PlannedPurchase[],
  keyHash: Buffer,
): Promise<void> {
  const { tx, actors, calendar } = books;
  const ids = await receive(
    books,
    planned.map(({ document }) => eInvoiceXml(document)),
    keyHash,
  );
  for (const [index, { document, fate }] of planned.entries()) {
    const id = ids[index];
    if (!id) throw new Error(`the demo e-invoice ${document.number} did not reach the inbox`);
    if (fate.kind === 'rejected') await rejectPurchase(tx, id, fate.reason, actors.bookkeeper);
    if (fate.kind !== 'booked') continue;
    const [outcome] = await bookPurchases(tx, [id], actors.bookkeeper);
    if (outcome?.refusal) throw outcome.refusal;
    const owedOre = document.kind === 'Invoice' ? payableOf(document) : -payableOf(document);
    bought.push({ id, owedOre, openOre: owedOre, paid: fate.paid });
  }
  const payments = bought.flatMap((one) =>
    one.paid
      .filter(({ date }) => monthOf(date) === month && date <= calendar.today)
      .map((part) => ({ one, part })),
  );
  payments.sort((a, b) => a.part.date.localeCompare(b.part.date));
  for (const { one, part } of payments) {
    const { date, percent } = part;
    const amountOre = percent === 100 ? one.openOre : partOf(one.owedOre, percent);
    const payment = { purchaseId: one.id, date, today: calendar.today, amountOre };
    one.openOre = (await payPurchase(tx, payment, actors.bookkeeper)).openOre;
  }
}

const partOf = (ore: Ore, percent: number): Ore =>
  divideRounded(ore * BigInt(percent), 10_000n) * 100n;

/** Ids of the drafts that the documents became, in their order; null for one that was refused. */
export async function receive(
  { tx }: Books,
  documents: readonly string[],
  keyHash: Buffer,
): Promise<(string | null)[]> {
  if (documents.length === 0) return [];
  // In rising order, since that is the order they are judged in.
  const ids = documents.map(() => uuid()).sort();
  const received = documents.map((xml, index) => {
    const raw = Buffer.from(xml);
    const sha256 = sha256Of(documentBytes(raw));
    const common = { keyHash, refusal: null, requestId: uuid() };
    return { ...common, id: ids[index] ?? '', raw, sha256, size: raw.length };
  });
  await storeDocuments(tx, received);
  await judgeDocuments(
    tx,
    received.map(({ id }) => id),
  );
  const outcomes = await listDocumentOutcomes(tx, received);
  return outcomes.map(({ answer }) => answer?.draftId ?? null);
}
