/** A person writes a supplier's invoice from paper or PDF, or what somebody has laid out of their own money. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import {
  type ExchangeRate,
  homeCurrency,
  isForeignCurrency,
} from '../../domain/basics/exchange-rate.ts';
import { isOcrNumber } from '../../domain/basics/luhn.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import type { InvoiceSeller, PayeeAccount } from '../../domain/purchases/received-invoice.ts';
import { writtenWarnings } from '../../domain/purchases/supplier-inbox.ts';
import { accounts, isPurchaseAccount } from '../../domain/purchases/supplier-posting.ts';
import {
  outlayAccounts,
  postWritten,
  type WrittenPosting,
} from '../../domain/purchases/written-purchase.ts';
import { fileOnPurchase } from '../../ledger/documents/service.ts';
import { type Fault, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { requireAccounts, requireActive } from '../inbox/service.ts';
import { lockPurchases, replaceRows } from '../inbox/store.ts';
import { getSupplier, listSupplierAccounts } from '../suppliers/store.ts';
import { findNumbered, isOutlayKnown, listBookable, numberTaken, storeByHand } from './store.ts';
import { type HandAmounts, type HandLine, writtenJson } from './written.ts';

export const defaultPaymentDays = 30;

interface WrittenHead extends HandAmounts {
  readonly kind: 'invoice' | 'credit_note';
  readonly issueDate: string;
  /** What its amounts are in: one of `foreignCurrencies`, or kronor unless said. */
  readonly currency?: string;
  /** Kronor for one of the currency on the day of the invoice, in millionths; null of kronor. */
  readonly exchangeRateE6?: bigint | null;
  /** Documents of the inbox that it is written from; those it has it keeps. */
  readonly documentIds: readonly string[];
}

export interface SupplierInvoiceByHand extends WrittenHead {
  readonly supplierId: string;
  readonly invoiceNumber: string;
  /** Null follows the supplier's terms. */
  readonly dueDate: string | null;
  /** OCR number or message. */
  readonly reference: string | null;
  /** Where it is to be paid; null is the accounts that the supplier has. */
  readonly payTo: Pick<PayeeAccount, 'kind' | 'number'> | null;
}

export interface OutlayByHand extends WrittenHead {
  /** Who laid it out. */
  readonly laidOutBy: string;
  /** One of `outlayAccounts`. */
  readonly debtAccount: number;
  /** Where it was bought. */
  readonly sellerName: string;
  /** Of the receipt; null when it has none. */
  readonly invoiceNumber: string | null;
}

/**
 * Keeps an invoice as a draft, new or instead of what `id` was. Throws 422 naming the field when something is wrong,
 * and when the supplier has an invoice of that number.
 */
export async function writeInvoice(
  tx: Tx,
  id: string | null,
  invoice: SupplierInvoiceByHand,
  actor: string,
): Promise<string> {
  const before = id === null ? null : await holdDraft(tx, id);
  const { supplierId, invoiceNumber, issueDate, kind } = invoice;
  if (before?.supplier_id !== supplierId) await requireActive(tx, supplierId);
  const supplier = await getSupplier(tx, supplierId);
  const days = supplier.payment_days ?? defaultPaymentDays;
  const byTerms = kind === 'credit_note' ? null : addDays(issueDate, days);
  const dueDate = invoice.dueDate ?? byTerms;
  const taken = await findNumbered(tx, supplierId, invoiceNumber, id);
  const faults: Fault[] = taken ? [numberTaken(invoiceNumber, supplier.name)] : [];
  if (dueDate !== null && dueDate < issueDate) {
    faults.push({ path: 'dueDate', reason: 'due_before_invoice' });
  }
  const { posting, rate } = await postingOf(tx, invoice, accounts.payables, faults);
  const known = (await listSupplierAccounts(tx, supplierId)).map(payeeOf);
  const { reference } = invoice;
  const payment = {
    accounts: invoice.payTo === null ? known : [payeeOf(invoice.payTo)],
    reference,
    isOcr: reference !== null && isOcrNumber(reference.replaceAll(' ', '')),
    payee: null,
    isPaidOtherwise: false,
  };
  const seller: InvoiceSeller = {
    name: supplier.name,
    organizationNumber: supplier.organization_number,
    vatNumber: supplier.vat_number,
    endpoint: supplier.endpoint,
    countryCode: supplier.country_code,
  };
  const facts = { supplierId, seller, invoiceNumber, dueDate, laidOutBy: null };
  const warnings = writtenWarnings({ seller, payment }, { known, rate, isOutlayKnown: false });
  const debtAccount = accounts.payables;
  return keep(tx, id, invoice, { ...facts, payment, warnings, debtAccount, posting }, actor);
}

/** The same of an outlay, which is owed to who laid it out. */
export async function writeOutlay(
  tx: Tx,
  id: string | null,
  outlay: OutlayByHand,
  actor: string,
): Promise<string> {
  if (id !== null) await holdDraft(tx, id);
  const { laidOutBy, debtAccount, sellerName, issueDate } = outlay;
  const faults: Fault[] = [];
  const isKnown = outlayAccounts.some((account) => account === debtAccount);
  if (!isKnown || (await listBookable(tx, [debtAccount])).length === 0) {
    const reason = isKnown ? 'account_not_usable' : 'no_outlay_account';
    faults.push({ path: 'debtAccount', reason, params: { account: debtAccount } });
  }
  const { posting, rate } = await postingOf(tx, outlay, debtAccount, faults);
  const seller: InvoiceSeller = {
    name: sellerName,
    organizationNumber: null,
    vatNumber: null,
    endpoint: null,
    countryCode: 'SE',
  };
  const payment = {
    accounts: [],
    reference: null,
    isOcr: false,
    payee: null,
    isPaidOtherwise: false,
  };
  const newId = id ?? uuid();
  const { payableOre } = posting;
  const same = {
    id: newId,
    laidOutBy,
    issueDate,
    currency: outlay.currency ?? homeCurrency,
    payableOre,
    seller,
  };
  const isOutlayThere = await isOutlayKnown(tx, same);
  const warnings = writtenWarnings(
    { seller, payment },
    { known: [], rate, isOutlayKnown: isOutlayThere },
  );
  const invoiceNumber = outlay.invoiceNumber ?? `Kvitto ${issueDate}`;
  const facts = { supplierId: null, seller, invoiceNumber, dueDate: null, laidOutBy };
  return keep(tx, newId, outlay, { ...facts, payment, warnings, debtAccount, posting }, actor);
}

/** A draft that a person has written and that nothing has become of, held until commit. */
async function holdDraft(tx: Tx, id: string) {
  const [draft] = await lockPurchases(tx, [id]);
  if (!draft) throw refuseWhole('not_found', 'no_purchase', { id });
  if (!draft.is_by_hand) throw refuseWhole('unprocessable', 'not_written_by_hand');
  if (draft.status === 'booked') throw refuseWhole('unprocessable', 'purchase_booked');
  if (draft.status === 'rejected') throw refuseWhole('unprocessable', 'purchase_rejected');
  return draft;
}

type Judged = Pick<
  Parameters<typeof storeByHand>[1],
  | 'supplierId'
  | 'seller'
  | 'invoiceNumber'
  | 'dueDate'
  | 'laidOutBy'
  | 'payment'
  | 'warnings'
  | 'debtAccount'
> & { readonly posting: WrittenPosting };

async function keep(
  tx: Tx,
  id: string | null,
  written: WrittenHead,
  { posting, ...judged }: Judged,
  actor: string,
): Promise<string> {
  const keptId = id ?? uuid();
  const { rows, ...amounts } = posting;
  const { kind, issueDate, documentIds } = written;
  const { currency = homeCurrency, exchangeRateE6 = null } = written;
  const status = judged.warnings.length > 0 ? 'review' : 'new';
  const head = { id: keptId, status, kind, issueDate, currency, exchangeRateE6 } as const;
  const kept = { ...head, written: writtenJson(written) };
  await storeByHand(tx, { ...kept, ...judged, ...amounts }, actor);
  await replaceRows(tx, keptId, rows);
  await recordEvent(tx, { actor, action: 'purchase.written', subject: keptId });
  for (const documentId of documentIds) {
    await fileOnPurchase(tx, { documentId, purchaseId: keptId }, actor);
  }
  return keptId;
}

/** Throws 422 of everything that is wrong, `faults` first. */
async function postingOf(
  tx: Tx,
  written: WrittenHead,
  debtAccount: number,
  faults: readonly Fault[],
): Promise<{ posting: WrittenPosting; rate: ExchangeRate | null }> {
  const found = await accountsOf(tx, written.lines);
  const { rate, faults: ofRate } = rateOf(written);
  const outcome = postWritten({ ...written, debtAccount, rate, lines: found.lines });
  const wrong = 'problems' in outcome ? outcome.problems : [];
  refuseAny([...faults, ...ofRate, ...found.faults, ...wrong]);
  if ('problems' in outcome) throw new Error('an invoice with problems was let through');
  const { posting } = outcome;
  await requireAccounts(
    tx,
    posting.rows.map(({ account }) => ({ account, path: '' })),
  );
  return { posting, rate };
}

/** Amounts in another currency, booked as kronor by mistake, would look right. */
function rateOf({
  currency = homeCurrency,
  exchangeRateE6 = null,
}: Pick<WrittenHead, 'currency' | 'exchangeRateE6'>): {
  rate: ExchangeRate | null;
  faults: Fault[];
} {
  const params = { currency };
  const fault = (one: Fault) => ({ rate: null, faults: [one] });
  if (currency === homeCurrency) {
    if (exchangeRateE6 === null) return { rate: null, faults: [] };
    return fault({ path: 'currency', reason: 'rate_of_kronor' });
  }
  if (!isForeignCurrency(currency)) {
    return fault({ path: 'currency', reason: 'unknown_currency', params });
  }
  if (exchangeRateE6 === null) return fault({ path: 'rate', reason: 'rate_missing', params });
  return { rate: { currency, exchangeRateE6 }, faults: [] };
}

async function accountsOf(db: Db, lines: readonly HandLine[]) {
  const found = await listBookable(
    db,
    lines.map(({ account }) => account),
  );
  const byNumber = new Map(found.map((account) => [account.number, account]));
  const faults = lines.flatMap(({ account: number }, index): Fault[] => {
    const account = byNumber.get(number);
    if (account !== undefined && isPurchaseAccount(account)) return [];
    const reason = account === undefined ? 'account_not_usable' : 'not_a_purchase_account';
    return [{ path: `rows[${index}].account`, reason, params: { account: number } }];
  });
  const unknown = { vatBox: null, vatRate: null };
  return {
    faults,
    lines: lines.map((line) => ({
      ...line,
      account: { number: line.account, ...(byNumber.get(line.account) ?? unknown) },
    })),
  };
}

const payeeOf = ({ kind, number }: Pick<PayeeAccount, 'kind' | 'number'>): PayeeAccount => ({
  kind,
  number,
  bic: null,
});
