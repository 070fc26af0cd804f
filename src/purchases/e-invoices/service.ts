/** From received bytes to a draft in the supplier inbox, or a reason: load → decide → apply, many at once. */

import { decisionChannel } from '../../db/decisions.ts';
import { enqueue, supplierInvoiceBooking } from '../../db/jobs.ts';
import type { Tx } from '../../db/pool.ts';
import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { oreToNumber } from '../../domain/basics/money.ts';
import { plainFileName } from '../../domain/ledger/attachment.ts';
import { type Prepayment, prepaymentsOf } from '../../domain/purchases/prepayments.ts';
import type { ReceivedInvoice } from '../../domain/purchases/received-invoice.ts';
import { unmarked } from '../../domain/purchases/reverse-charge.ts';
import { type InboxWarning, inboxWarnings } from '../../domain/purchases/supplier-inbox.ts';
import { matchSupplier } from '../../domain/purchases/supplier-match.ts';
import {
  type PostingSuggestion,
  suggestRows,
  takenBackInKronor,
  totalsInKronor,
} from '../../domain/purchases/supplier-posting.ts';
import { isAddressedTo } from '../../domain/sales/receiver.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import { portionsOf } from '../../lib/portions.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { uuid } from '../../lib/uuid.ts';
import { setRows } from '../inbox/service.ts';
import {
  findSupplierCoding,
  getPurchaseRules,
  insertPurchases,
  listInvoicesNumbered,
  listOpenPrepayments,
  listSuppliersLike,
  type NewPurchase,
  type PurchaseRules,
  type Supplier,
  setSuggested,
} from '../inbox/store.ts';
import {
  type DocumentDecision,
  listDocuments,
  lockDocuments,
  type WaitingDocument,
  writeDecisions,
} from './intake-store.ts';
import { type ReadDocument, readDocument, type Unreadable } from './reading.ts';

/** How many warnings an answer names; the inbox has them all. */
const warningsMax = 100;

/** Of documents in memory at the same time, which read take several times as much. */
const portionBytes = 8_000_000;

type Read = WaitingDocument & { readonly read: ReadDocument };

/**
 * Judges received documents in the caller's transaction. One that was judged before is left alone. A
 * person's word that they are ours goes before whom they say they are for.
 */
export async function judgeDocuments(
  tx: Tx,
  documentIds: readonly string[],
  { areVouchedFor = false } = {},
): Promise<readonly DocumentDecision[]> {
  const locked = await lockDocuments(tx, documentIds);
  const decisions: DocumentDecision[] = [];
  for (const portion of portionsOf(locked, ({ bytes }) => bytes, portionBytes)) {
    const ids = portion.map(({ id }) => id);
    decisions.push(...(await judge(tx, await listDocuments(tx, ids), areVouchedFor)));
  }
  return decisions;
}

async function judge(
  tx: Tx,
  waiting: readonly WaitingDocument[],
  areVouchedFor: boolean,
): Promise<readonly DocumentDecision[]> {
  const rules = await getPurchaseRules(tx);
  const documents: Read[] = waiting.map((document) => ({
    ...document,
    read: readDocument(document.raw),
  }));
  const invoices = documents.flatMap(({ read }) => ('invoice' in read ? [read.invoice] : []));
  const suppliers = await listSuppliersLike(
    tx,
    invoices.map(({ seller }) => seller),
    invoices.flatMap(({ payment }) => payment.accounts),
  );
  const prepayments = await listOpenPrepayments(
    tx,
    suppliers.map(({ id }) => id),
  );
  const known = await listInvoicesNumbered(
    tx,
    invoices.map(({ invoiceNumber }) => invoiceNumber),
  );

  const purchases: NewPurchase[] = [];
  const numbered = Map.groupBy<string, Numbered>(known, (one) => one.invoice_number);
  const decisions = documents.map((document): DocumentDecision => {
    const { id, read } = document;
    if (!('invoice' in read)) return { ...unreadable(read.unreadable), id };
    const { invoice, findings } = read;
    const isForUs = isAddressedTo(invoice.buyerIds, rules);
    if (!isForUs && !areVouchedFor) return { ...wrongReceiver, id };
    const supplier = matchSupplier(invoice.seller, invoice.payment.accounts, suppliers);
    const sameNumber = numbered.get(invoice.invoiceNumber) ?? [];
    const isNumberKnown = sameNumber.some((other) => isSameSeller(other, invoice, supplier));
    const open = prepayments.get(supplier?.id ?? '') ?? [];
    const judged = { invoice, findings, supplier, open, isForUs, isNumberKnown, rules };
    const purchase = draftOf(document, judged);
    purchases.push(purchase);
    numbered.set(invoice.invoiceNumber, [...sameNumber, numberedOf(purchase)]);
    return { status: 'draft', id, answer: answerOf(document, purchase) };
  });

  if (purchases.length > 0) await insertPurchases(tx, purchases);
  await bookAutomatically(tx, rules, purchases);
  await writeDecisions(tx, decisions, decisionChannel);
  return decisions;
}

/** What the sender of a document hears of it when it is only tried. */
export type TriedEInvoice =
  | {
      readonly status: 'draft';
      readonly invoiceNo: string;
      readonly supplier: string;
      readonly total: number;
      readonly warnings: readonly InboxWarning[];
    }
  | Refused;

/**
 * Judges a document's bytes by the rules and by whom it is for, and changes nothing. What the registers and the inbox know
 * (its supplier, another of that number) is not asked: who tries learns nothing of what exists.
 */
export async function tryEInvoice(tx: Tx, raw: Buffer): Promise<TriedEInvoice> {
  const read = readDocument(raw);
  if (!('invoice' in read)) return unreadable(read.unreadable);
  if (!isAddressedTo(read.invoice.buyerIds, await getPurchaseRules(tx))) return wrongReceiver;
  const { invoiceNumber, seller, totals } = read.invoice;
  return {
    status: 'draft',
    invoiceNo: invoiceNumber,
    supplier: seller.name,
    total: oreToNumber(totals.payableOre),
    warnings: read.findings.slice(0, warningsMax),
  };
}

type Refused = Omit<Extract<DocumentDecision, { status: 'rejected' }>, 'id'>;

function unreadable({ message, line, column }: Unreadable): Refused {
  const detail = { message, ...(line === null ? {} : { line, column }) };
  return { status: 'rejected', reason: 'document_unreadable', detail };
}

const wrongReceiver: Refused = {
  status: 'rejected',
  reason: 'wrong_receiver',
  detail: {
    message:
      'Dokumentet är ställt till någon annan; kontrollera mottagarens adress (EndpointID) och organisationsnummer.',
  },
};

interface Judged {
  readonly invoice: ReceivedInvoice;
  readonly findings: readonly InboxWarning[];
  readonly supplier: Supplier | null;
  /** The supplier's prepayments that no invoice has deducted. */
  readonly open: readonly Prepayment[];
  readonly isForUs: boolean;
  readonly isNumberKnown: boolean;
  readonly rules: PurchaseRules;
}

/**
 * Suggests the rows of a purchase anew, in kronor: as when it came, but with the account that the
 * supplier's purchases usually go to now, its mark, and its prepayments; of one in another currency at the rate
 * given (kronor for one, in millionths). Throws when there are none: without a rate, when the totals do not add up, and
 * of what is no purchase.
 */
export async function suggestAnew(
  tx: Tx,
  purchase: {
    readonly id: string;
    readonly raw: Buffer;
    readonly supplier_id: string | null;
    readonly currency: string;
  },
  exchangeRateE6: bigint | null,
  actor: string,
): Promise<void> {
  const { id, raw, supplier_id: supplierId, currency } = purchase;
  if (currency !== homeCurrency && exchangeRateE6 === null) {
    throw refuse('unprocessable', [{ path: 'rate', reason: 'rate_missing', params: { currency } }]);
  }
  const read = readDocument(raw);
  const rules = await getPurchaseRules(tx);
  const supplier = supplierId === null ? null : await findSupplierCoding(tx, supplierId);
  const open =
    supplierId === null
      ? []
      : ((await listOpenPrepayments(tx, [supplierId], id)).get(supplierId) ?? []);
  const suggestion =
    'invoice' in read
      ? suggestionFor(read.invoice, { supplier, open, rules, exchangeRateE6 })
      : undefined;
  if (!suggestion || suggestion.rows.length === 0) {
    throw refuseWhole('unprocessable', 'no_rows_to_suggest');
  }
  await setRows(tx, id, suggestion.rows, actor);
  await setSuggested(tx, id, {
    prepaymentIds: suggestion.prepaymentIds,
    exchangeRateE6: currency === homeCurrency ? null : exchangeRateE6,
  });
}

function suggestionFor(
  invoice: ReceivedInvoice,
  {
    supplier,
    open,
    rules: { purchaseAccount },
    exchangeRateE6 = null,
  }: {
    readonly supplier: Pick<Supplier, 'account' | 'mark'> | null | undefined;
    readonly open: readonly Prepayment[];
    readonly rules: PurchaseRules;
    readonly exchangeRateE6?: bigint | null;
  },
): PostingSuggestion & { readonly prepaymentIds: readonly string[] } {
  const situation = prepaymentsOf(invoice, open);
  const { currency, isSelfBilling } = invoice;
  const isForeign = currency !== homeCurrency;
  const totals =
    isForeign && exchangeRateE6 !== null
      ? totalsInKronor(invoice.totals, { currency, exchangeRateE6 })
      : invoice.totals;
  const ownAccount = supplier?.account ?? null;
  const { deducted } = situation;
  const suggestion = suggestRows(totals, {
    seller: invoice.seller,
    ownAccount,
    purchaseAccount,
    mark: supplier?.mark ?? unmarked,
    ...situation,
    deducted: isForeign
      ? takenBackInKronor(deducted, totals.prepaidOre, { ownAccount, purchaseAccount })
      : deducted,
  });
  const mayBeSuggested = (!isForeign || exchangeRateE6 !== null) && !isSelfBilling;
  return {
    ...suggestion,
    rows: mayBeSuggested ? suggestion.rows : [],
    prepaymentIds: deducted.map(({ id }) => id),
  };
}

function draftOf(
  { id: documentId }: Read,
  { invoice, findings, supplier, open, isForUs, isNumberKnown, rules }: Judged,
): NewPurchase {
  const suggestion = suggestionFor(invoice, { supplier, open, rules });
  const surroundings = { supplier, isForUs, isNumberKnown, doubts: suggestion.doubts };
  const warnings = [...inboxWarnings(invoice, surroundings), ...findings];
  return {
    id: uuid(),
    documentId,
    status: warnings.length > 0 ? 'review' : 'new',
    supplierId: supplier?.id ?? null,
    invoice,
    warnings,
    rows: suggestion.rows,
    prepaymentIds: suggestion.prepaymentIds,
    files: invoice.files.map((file) => ({
      ...file,
      fileName: plainFileName(file.fileName),
      sha256: sha256Of(file.bytes),
    })),
  };
}

interface Numbered {
  readonly supplier_id: string | null;
  readonly seller: ReceivedInvoice['seller'];
  readonly invoice_number: string;
}

const numberedOf = ({ supplierId, invoice }: NewPurchase): Numbered => ({
  supplier_id: supplierId,
  seller: invoice.seller,
  invoice_number: invoice.invoiceNumber,
});

/** Whether another invoice is from the same seller; of one that is no supplier, its numbers say so. */
function isSameSeller(
  other: Numbered,
  { seller }: ReceivedInvoice,
  supplier: Supplier | null,
): boolean {
  if (supplier !== null && other.supplier_id === supplier.id) return true;
  return (['organizationNumber', 'vatNumber', 'endpoint'] as const).some(
    (sign) => seller[sign] !== null && seller[sign] === other.seller[sign],
  );
}

function answerOf({ sha256, received_at }: Read, { id, status, invoice, warnings }: NewPurchase) {
  return {
    ok: true as const,
    draftId: id,
    invoiceNo: invoice.invoiceNumber,
    supplier: invoice.seller.name,
    total: oreToNumber(invoice.totals.payableOre),
    warnings: warnings.slice(0, warningsMax),
    documentSha256: sha256,
    receivedAt: received_at.toISOString(),
    countryCodeC4: 'SE' as const,
    status,
  };
}

/** When the company wants it: what nobody needs to look at is booked without anybody. */
async function bookAutomatically(
  tx: Tx,
  { isBookedAutomatically }: PurchaseRules,
  purchases: readonly NewPurchase[],
): Promise<void> {
  // Of nothing at all (zero kronor) there is nothing to code either.
  const isCoded = ({ rows, invoice }: NewPurchase) => rows.length > 0 || isEmpty(invoice);
  const sound = purchases.filter((one) => one.status === 'new' && isCoded(one));
  if (!isBookedAutomatically || sound.length === 0) return;
  await enqueue(
    tx,
    supplierInvoiceBooking,
    sound.map(({ id }) => ({ purchaseId: id })),
  );
}

const isEmpty = ({ totals }: ReceivedInvoice): boolean =>
  [totals.netOre, totals.vatOre, totals.roundingOre, totals.prepaidOre, totals.payableOre].every(
    (ore) => ore === 0n,
  );
