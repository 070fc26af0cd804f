/** One customer invoice: what it says, what has happened to it, and what can be done with it. */
import { z } from 'zod';
import { listCounterclaims } from '../../bank/set-off-store.ts';
import { isDate } from '../../domain/basics/dates.ts';
import { sum } from '../../domain/basics/money.ts';
import { buyerOf, isOfOtherEuCountry } from '../../domain/sales/buyer.ts';
import {
  collectionReadiness,
  type ReadinessCheck,
  readinessOf,
} from '../../domain/sales/collection-readiness.ts';
import { missingOnInvoices } from '../../domain/sales/invoice-seller.ts';
import { dueInWords } from '../../domain/sales/invoice-state.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { lacking } from '../../lib/sentences/collection.ts';
import { said, sentenceFor, sentenceOfKept } from '../../lib/sentences/say.ts';
import { decimalText } from '../../lib/swedish.ts';
import { byTax, rateText, rowTable } from '../../render/row-table.ts';
import { addressLines, exchangeRateText, orgNumberText } from '../../render/wording.ts';
import { getCollectionFacts } from '../../sales/collection/store.ts';
import { lockDraft } from '../../sales/invoices/draft-store.ts';
import { removeDraft } from '../../sales/invoices/drafts.ts';
import { listOrderPayments, type ToldPayment } from '../../sales/invoices/order-payment-store.ts';
import { getSeller } from '../../sales/invoices/printing-store.ts';
import {
  findOrderWarnings,
  getInvoice,
  hasNumberedInvoices,
  type InvoiceFacts,
  listCreditNotes,
  listPayments,
  listReminders,
} from '../../sales/invoices/reading-store.ts';
import { hasForeignVat, type ListedRow, listRows } from '../../sales/invoices/row-store.ts';
import { bookInvoices } from '../../sales/invoices/service.ts';
import { listMails } from '../../sales/mail/store.ts';
import { findPause } from '../../sales/reminders/store.ts';
import { amountText, dayInWords, kronor, remaining } from '../format.ts';
import { uuid } from '../inputs.ts';
import { shownProblems } from '../order-problems.ts';
import type { Pages } from '../page.ts';
import { pageOfRows } from '../row-pages.ts';
import type { Goto, View, Visit } from '../visit.ts';
import { mailsView } from './invoice-mail-view.ts';
import { isAwaited, nameOf, paymentKinds, stateOf } from './invoice-words.ts';

export const invoiceParams = z.object({ id: uuid });
export type InvoiceVisit = Visit<{ id: string }>;

export function registerInvoicePage(pages: Pages): void {
  const place = { right: 'keep_books', params: invoiceParams } as const;
  pages.show({ url: '/kundfakturor/:id', right: 'read', params: invoiceParams, show: showInvoice });
  pages.act({
    ...place,
    url: '/kundfakturor/:id/bokfor',
    fields: z.object({ shown: z.string().default('') }),
    perform: (visit, fields) => book(visit, { ...fields, isAsked: false }),
  });
  pages.act({
    ...place,
    url: '/kundfakturor/:id/ta-bort',
    perform: async ({ tx, params: { id }, person }) => {
      await removeDraft(tx, id, person.actor);
      return { to: '/kundfakturor?flik=utkast', notice: 'Utkastet är borttaget.' };
    },
  });
}

/**
 * Books the draft, or leaves it with the reason on its page. `shown` is the total that the person saw, in öre: no
 * other is booked. Before the very first invoice the company is asked for what it has not said of itself, unless it has been
 * (`isAsked`). `before` is what was done just before.
 */
export async function book(
  { tx, params: { id }, person }: InvoiceVisit,
  { shown, isAsked }: { readonly shown: string; readonly isAsked: boolean },
  before = '',
): Promise<Goto> {
  const to = `/kundfakturor/${id}`;
  // Held, so that nobody changes it between the look and the booking.
  await lockDraft(tx, id);
  const { status, total_ore: total } = await getInvoice(tx, id);
  if (status !== 'draft') return { to, notice: 'Fakturan var redan bokförd.' };
  if (shown !== String(total)) {
    const notice = `${before}Inget är bokfört: fakturan blir ${kronor(total)}, och sidan visade något annat. Se efter att den stämmer och bokför den sedan.`;
    return { to, notice };
  }
  const asks =
    !isAsked &&
    missingOnInvoices(await getSeller(tx)).length > 0 &&
    !(await hasNumberedInvoices(tx));
  if (asks) return { to: `${to}/innan-bokning`, notice: before };
  const [outcome] = await bookInvoices(tx, [id], person.actor);
  if (outcome?.refusal)
    return { to, notice: `${before}Fakturan kunde inte bokföras; se varför nedan.` };
  return { to, notice: `Fakturan är bokförd med nummer ${outcome?.invoice.invoice_number}.` };
}

async function showInvoice(visit: InvoiceVisit): Promise<View> {
  const { tx, params, today, deps } = visit;
  const { id } = params;
  const invoice = await getInvoice(tx, id);
  const rows = await listRows(tx, id);
  const payments = await listPayments(tx, id);
  const counterclaims = await listCounterclaims(tx, id);
  const { state, chip } = stateOf(invoice, invoice.booking_refusal !== null, today);
  const isDraft = state === 'draft' || state === 'stopped';
  return {
    template: 'invoice',
    title: nameOf(invoice),
    values: {
      id,
      chip,
      due: isAwaited(state) ? dueInWords(invoice.due_date, today) : null,
      pause: await pauseOf(tx, id, today),
      isDisputed: invoice.dispute_reason !== null,
      disputeReason: invoice.dispute_reason ?? '',
      refusal: refusalOf(invoice),
      can: actionsOf(invoice, rows, today, payments.length > 0, counterclaims.length > 0),
      isDraft,
      missing: isAwaited(state) || isDraft ? lacking(missingOnInvoices(await getSeller(tx))) : '',
      isCreditNote: invoice.kind === 'credit_note',
      credited:
        invoice.credited_id === null
          ? null
          : { href: `/kundfakturor/${invoice.credited_id}`, number: invoice.credited_number },
      debtor: debtorView(invoice),
      warnings: isDraft ? await warningsOf(tx, invoice, rows) : [],
      facts: factsOf(invoice),
      voucher: linkTo(invoice.voucher_id, invoice.voucher),
      order: invoice.order_id === null ? null : `/order/${invoice.order_id}`,
      notes: invoice.notes ?? '',
      ...amountsOf(invoice, rows, visit),
      told: (await listOrderPayments(tx, id)).map(toldPayment),
      payments: payments.map((payment) => ({
        date: payment.payment_date,
        amount: amountText(payment.amount_ore),
        account: payment.account,
        kind: paymentKinds[payment.kind],
        reference: payment.reference ?? '',
        voucher: linkTo(payment.voucher_id, payment.voucher),
      })),
      reminders: (await listReminders(tx, id)).map((reminder) => ({
        no: reminder.reminder_no,
        date: reminder.sent_date,
        fee: amountText(reminder.fee_ore),
        voucher: linkTo(reminder.voucher_id, reminder.voucher),
        withdrawal:
          reminder.withdrawn_on === null
            ? null
            : {
                date: reminder.withdrawn_on,
                ...linkTo(reminder.withdrawal_id, reminder.withdrawal),
              },
        withdraw:
          reminder.fee_ore > 0n && reminder.withdrawn_on === null
            ? `/kundfakturor/${id}/paminnelser/${reminder.reminder_no}/ta-tillbaka`
            : null,
        pdf: `/kundfakturor/${id}/paminnelser/${reminder.reminder_no}/pdf`,
        mail: `/kundfakturor/${id}/paminnelser/${reminder.reminder_no}/e-post`,
      })),
      mails: mailsView(id, isDraft ? [] : await listMails(tx, id), deps.config.timeZone),
      creditNotes: (await listCreditNotes(tx, id)).map((note) => ({
        href: `/kundfakturor/${note.id}`,
        number: note.number ?? 'Utkast',
        date: note.invoice_date,
        effective: note.effective_date,
        total: amountText(note.total_ore),
      })),
      collection: isAwaited(state)
        ? await collectionCard(tx, id, today, deps.config.timeZone)
        : null,
    },
  };
}

/** What the shop said was paid: the voucher it became, or why it could not be booked with the invoice. */
function toldPayment(told: ToldPayment) {
  const { refusal } = told;
  return {
    method: told.method,
    amount: amountText(told.amount_ore),
    tip: told.tip_ore === 0n ? null : amountText(told.tip_ore),
    account: told.account,
    date: told.payment_date,
    reference: told.reference ?? '',
    voucher: linkTo(told.voucher_id, told.voucher),
    refusal:
      refusal &&
      sentenceOfKept(() => said('page', ledgerRefusal(refusal.error, refusal.detail)).message),
  };
}

/** What keeps runs of reminders from it now; one that is over is as none. */
async function pauseOf(tx: InvoiceVisit['tx'], id: string, today: string) {
  const pause = await findPause(tx, id);
  if (!pause || pause.lastDay < today) return null;
  const { kind, lastDay, reason } = pause;
  return { isPromise: kind === 'promise', lastDay, reason };
}

/** What the buttons do; the role is asked for beside. */
function actionsOf(
  invoice: InvoiceFacts,
  rows: readonly ListedRow[],
  today: string,
  hasPayments: boolean,
  hasCounterclaims: boolean,
) {
  const { kind, status, source, total_ore, credited_ore, open_ore, lost_ore, due_date } = invoice;
  const { debtor } = invoice;
  const isDraft = status === 'draft';
  const isBooked = !isDraft && kind === 'invoice';
  const hasEInvoice = !isDraft && rows.length > 0;
  const isNumbered = Boolean(debtor['orgNumber'] || debtor['vatNumber']);
  const isCreditedWhole = total_ore > 0n && credited_ore === total_ore;
  return {
    mail: !isDraft,
    // People have no address in Peppol; a company or an authority whose number nobody has written down looks like one.
    eInvoice: hasEInvoice && isNumbered,
    eInvoiceYet: hasEInvoice && !isNumbered && !rows.some(hasForeignVat),
    edit: isDraft,
    book: isDraft,
    remove: isDraft && (source !== 'order' || kind === 'credit_note'),
    credit: isBooked && !isCreditedWhole,
    pay: isBooked && open_ore > 0n,
    payLost: isBooked && open_ore === 0n && lost_ore > 0n,
    writeOff: isBooked && open_ore > 0n,
    takeLossBack: isBooked && lost_ore > 0n,
    payBack: isBooked && open_ore < 0n,
    setOff: isBooked && hasCounterclaims,
    takeBack: isBooked && open_ore >= 0n && hasPayments,
    remind: isBooked && open_ore > 0n && due_date < today,
    dispute: isBooked && open_ore > 0n,
    pause: isBooked && open_ore > 0n,
    recur:
      kind === 'invoice' &&
      source !== 'opening' &&
      !invoice.prices_include_vat &&
      invoice.currency_total === null &&
      !rows.some(hasForeignVat),
  };
}

const linkTo = (id: string | null, label: string | null) =>
  id === null ? null : { href: `/verifikat/${id}`, label: label ?? '' };

/** Why the latest booking failed, and the way out. */
function refusalOf({ id, status, booking_refusal }: InvoiceFacts) {
  if (status !== 'draft' || booking_refusal === null) return null;
  const { error, detail } = booking_refusal;
  const earliest = detail?.['earliest_allowed_date'];
  const isLock = error === 'period_locked';
  return {
    sentence: sentenceOfKept(() => said('page', ledgerRefusal(error, detail)).message),
    isLock,
    earliest: typeof earliest === 'string' && isDate(earliest) ? dayInWords(earliest) : null,
    edit: `/kundfakturor/${id}/redigera`,
  };
}

function debtorView({ debtor, debtor_filled, customer_id, customer_name }: InvoiceFacts) {
  const of = (name: string): string | null => debtor[name] ?? null;
  const name = of('name') ?? '';
  return {
    name,
    href: `/kunder/${customer_id}`,
    /** Orders from unknown buyers are booked on a customer that is somebody else than the buyer. */
    customer: customer_name === name ? null : customer_name,
    lines: addressLines({
      address: of('address'),
      postalCode: of('postalCode'),
      city: of('city'),
      countryCode: of('countryCode'),
    }),
    orgNumber: orgNumberText(of('orgNumber')) ?? '',
    vatNumber: of('vatNumber') ?? '',
    email: of('email') ?? '',
    phone: of('phone') ?? '',
    filled: debtor_filled.map((name) => factWords[name] ?? name).join(', '),
  };
}

/** What to look at before a draft is booked, without what somebody has seen to. */
async function warningsOf(
  tx: InvoiceVisit['tx'],
  { id, debtor, source }: InvoiceFacts,
  rows: readonly ListedRow[],
) {
  if (source !== 'order') return hintsOf(debtor, rows);
  const hasAddress = debtor['address'] && debtor['city'];
  return shownProblems(await findOrderWarnings(tx, id)).filter(
    ({ reason }) => !(reason === 'buyer_address_missing' && hasAddress),
  );
}

/** What is allowed and seldom meant: nobody has judged it, as an order is judged. */
function hintsOf(debtor: InvoiceFacts['debtor'], rows: readonly ListedRow[]) {
  const [countryCode, given] = [debtor['countryCode'] ?? null, debtor['vatNumber'] ?? null];
  const { vatNumber } = buyerOf({ countryCode, vatNumber: given });
  const isTaxed = rows.some(({ vatRate }) => vatRate > 0);
  return isTaxed && isOfOtherEuCountry(vatNumber)
    ? shownProblems([{ path: '', reason: 'swedish_vat_abroad', params: { vatNumber } }])
    : [];
}

const factWords: Readonly<Record<string, string>> = {
  email: 'e-postadress',
  orgNumber: 'organisationsnummer',
  vatNumber: 'momsnummer',
  countryCode: 'land',
  address: 'gatuadress',
  postalCode: 'postnummer',
  city: 'ort',
  phone: 'telefon',
};

const sources = {
  order: 'Order',
  api: 'Program, genom API:et',
  app: 'Skriven i appen',
  opening: 'Övertagen med den ingående balansen',
} as const;

/** The terms that are frozen on a booked invoice; a draft has none yet. */
function interestText({ status, agreed_rate_e2: rate, interest_from }: InvoiceFacts) {
  if (status === 'draft') return null;
  const percent =
    rate === null ? 'Enligt räntelagen' : `${decimalText(BigInt(rate) * 100n)} %, avtalad`;
  return `${percent}, från ${interest_from === 'due_date' ? 'förfallodagen' : '30 dagar efter att den sändes'}`;
}

function factsOf(invoice: InvoiceFacts) {
  const isCredit = invoice.kind === 'credit_note';
  const pairs: (readonly [string, string | null])[] = [
    ['Fakturadatum', invoice.invoice_date],
    ['Leveransdatum', invoice.delivery_date],
    ['Förfallodag', isCredit ? null : invoice.due_date],
    ['Betalningsvillkor', isCredit ? null : `${invoice.payment_terms_days} dagar`],
    ['OCR', invoice.ocr],
    ['Dröjsmålsränta', isCredit ? null : interestText(invoice)],
    ['Er referens', invoice.your_reference],
    ['Kommer från', sources[invoice.source]],
    [
      'I köparens valuta',
      invoice.currency_total === null
        ? null
        : `${amountText(invoice.currency_total)} ${invoice.currency}`,
    ],
    [
      'Kurs',
      invoice.exchange_rate_e6 === null
        ? null
        : `${exchangeRateText(invoice.exchange_rate_e6)} kr för en ${invoice.currency}`,
    ],
    [
      'Ursprungligt belopp',
      invoice.original_total_ore === null ? null : kronor(invoice.original_total_ore),
    ],
  ];
  return pairs.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

function amountsOf(invoice: InvoiceFacts, rows: readonly ListedRow[], visit: InvoiceVisit) {
  const { rows: shown, pages } = pageOfRows(rows, visit);
  const { columns, cellsOf } = rowTable(rows, {
    unitPrice: `${invoice.prices_include_vat ? 'À-pris med moms' : 'À-pris'}${invoice.currency_total === null ? '' : `, ${invoice.currency}`}`,
    amount: 'Netto, kr',
  });
  return {
    columns,
    columnsBeforeAmount: columns.length + 1,
    pages,
    rows: shown.map((row) => ({
      no: row.rowNo,
      article: row.articleNumber ?? '',
      description: row.description,
      account: row.account,
      accountName: row.accountName,
      cells: cellsOf({ ...row, amount: amountText(row.netOre) }),
    })),
    vat: byTax(rows).map((group) => ({
      rate: group[0] ? rateText(group[0]) : '',
      net: amountText(sum(group.map((row) => row.netOre))),
      vat: amountText(sum(group.map((row) => row.vatOre))),
    })),
    net: amountText(invoice.net_ore),
    vatTotal: amountText(invoice.vat_ore),
    rounding: invoice.rounding_ore === 0n ? null : amountText(invoice.rounding_ore),
    total: kronor(invoice.total_ore),
    shown: String(invoice.total_ore),
    open:
      invoice.status === 'draft' || invoice.kind === 'credit_note'
        ? null
        : remaining(invoice.open_ore, 'betala tillbaka'),
  };
}

const checkChips = {
  ok: { text: 'Klart', tone: 'good' },
  warning: { text: 'Se efter', tone: 'warn' },
  blocking: { text: 'Hindrar', tone: 'bad' },
} as const;
const cardChips = {
  ok: { text: 'Redo', tone: 'good' },
  warning: { text: 'Kan lämnas, men se efter', tone: 'warn' },
  blocking: { text: 'Går inte än', tone: 'bad' },
} as const;

const checkLabels: Readonly<Record<ReadinessCheck['name'], string>> = {
  claim: 'Fordran',
  debtor: 'Gäldenärens adress',
  debtor_identity: 'Gäldenärens nummer',
  creditor: 'Era uppgifter',
  reminders: 'Påminnelser',
  payments: 'Betalningar',
  interest: 'Ränta',
  rates: 'Räntesatser',
  disputed: 'Tvist',
};

/** Whether the claim can be handed to a collection agency, and what it then says. */
async function collectionCard(tx: InvoiceVisit['tx'], id: string, today: string, timeZone: string) {
  const facts = await getCollectionFacts(tx, id, timeZone);
  if (!facts) return null;
  const checks = collectionReadiness(facts, today);
  const state = readinessOf(checks);
  const address = `/fakturor/${id}/inkasso`;
  return {
    chip: cardChips[state],
    isOpen: state !== 'blocking',
    /** Nothing to think of before the due date has passed. */
    isFolded: facts.invoice.dueDate >= today,
    checks: checks.map((check) => ({
      label: checkLabels[check.name],
      text: sentenceFor('page', check.found),
      chip: checkChips[check.state],
    })),
    formats: (['pdf', 'json', 'csv'] as const).map((format) => ({
      href: `${address}?format=${format}`,
      label: format.toUpperCase(),
    })),
  };
}
