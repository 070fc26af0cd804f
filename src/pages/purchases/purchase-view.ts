/** A supplier invoice's page: the work to do beside the document. */

import { listActorNames } from '../../audit/actors.ts';
import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { absolute, least, sum } from '../../domain/basics/money.ts';
import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import { amountOpen, purchaseInCurrency } from '../../domain/ledger/part-in-currency.ts';
import { settlementKindOf } from '../../domain/ledger/settlement-accounts.ts';
import { isMarkNeeded } from '../../domain/purchases/purchase-vat.ts';
import { ownMoneyPutIn } from '../../domain/purchases/written-purchase.ts';
import { listAccrualsOf } from '../../ledger/accruals/store.ts';
import { AppError } from '../../lib/errors.ts';
import { say, sayOf, translated, worded } from '../../lib/language.ts';
import { sentenceFor, sentenceOfKept } from '../../lib/sentences/say.ts';
import { readEInvoice } from '../../peppol/validate.ts';
import { sharesOf } from '../../purchases/e-invoices/reading.ts';
import { viewOf } from '../../purchases/e-invoices/view.ts';
import {
  bytesOf,
  findPurchase,
  findUsualAccount,
  listNamesakes,
  listPaired,
  listPostingAccounts,
  listPurchaseFiles,
  listPurchasePayments,
  listSupplierChoices,
  type PurchaseFile,
  type PurchasePage,
} from '../../purchases/inbox/inbox-store.ts';
import { listSetOffChoices, type SetOffChoice } from '../../purchases/inbox/payment-store.ts';
import { findSupplierCoding } from '../../purchases/inbox/store.ts';
import { findPayables } from '../../purchases/payment-files/register.ts';
import { exchangeRateText } from '../../render/wording.ts';
import { field } from '../fields.ts';
import { textOf } from '../form-fields.ts';
import { amountText, count, kronor, moment, remaining } from '../format.ts';
import { paymentKinds } from '../invoices/invoice-words.ts';
import { shownAccrual } from '../ledger/accruals/accruals.ts';
import { isShowable, previewOf } from '../ledger/vouchers/pictures.ts';
import { markForm } from '../registers/supply-mark.ts';
import { firstRows, pageOfRows } from '../row-pages.ts';
import { type FormInput, nothingTyped, type View, type Visit } from '../visit.ts';
import { codingView } from './purchase-coding.ts';
import { purchaseChip } from './purchase-words.ts';

/** How many suppliers a list to choose from has; beyond that one searches. */
const choicesMax = 200;

/** Which of the page's forms was sent, when one was refused. */
export interface PurchaseInputs {
  readonly suggestion?: FormInput;
  readonly coding?: FormInput;
  readonly matching?: FormInput;
  readonly rejection?: FormInput;
  readonly payment?: FormInput;
  readonly setOff?: FormInput;
}

type PurchaseVisit = Visit<{ id: string }>;

export async function showPurchase(visit: PurchaseVisit, inputs: PurchaseInputs): Promise<View> {
  const { tx, params, deps } = visit;
  const purchase = await findPurchase(tx, params.id);
  if (!purchase) throw new AppError('not_found', say`Leverantörsfakturan finns inte.`);
  const { timeZone } = deps.config;
  const isOpen = purchase.status === 'new' || purchase.status === 'review';
  const isBooked = purchase.status === 'booked';
  const accounts = await listPostingAccounts(tx);
  const usual =
    isOpen && purchase.supplier_id !== null
      ? await findUsualAccount(tx, purchase.supplier_id)
      : undefined;
  const word = wordOf(purchase);
  const isReceived = isOpen && !purchase.is_by_hand;
  const files = await listPurchaseFiles(tx, purchase.id);
  const chip = purchaseChip({ ...purchase, is_refused: purchase.booking_refusal !== null });
  const sent = Object.values(inputs).flatMap((input: FormInput) => input.problems);
  return {
    template: 'purchase',
    title: `${word} ${purchase.invoice_number}`,
    scripts: ['purchase'],
    ...(isReceived ? { begunAt: `/leverantorsinkorg/${purchase.id}` } : {}),
    values: {
      id: purchase.id,
      word,
      number: purchase.invoice_number,
      supplier: supplierOf(purchase),
      chip,
      isOpen,
      above: sent.filter(({ path }) => path === '').map(({ message }) => message),
      faults: sent.length,
      refusal: isOpen ? refusalView(purchase) : null,
      rejection: purchase.rejection,
      voucher: purchase.voucher_id && { id: purchase.voucher_id, label: purchase.voucher ?? '' },
      accruals: purchase.voucher_id
        ? (await listAccrualsOf(tx, purchase.voucher_id)).map(shownAccrual)
        : [],
      isEmpty: purchase.rows.length === 0 && purchase.is_empty,
      paired: (await listPaired(tx, purchase.id)).map((one) => ({
        href: `/leverantorsinkorg/${one.id}`,
        label: `${one.is_prepayment ? say`Förskottsfaktura` : say`Slutfaktura`} ${one.invoice_number}`,
      })),
      summary: summaryOf(purchase),
      findings: findingsOf(purchase),
      namesakes: await namesakesOf(visit, purchase),
      matching: isReceived
        ? await matchingView(visit, purchase, inputs.matching ?? nothingTyped)
        : null,
      coding: codingView({ purchase, accounts, usual, input: inputs.coding ?? nothingTyped }),
      mark: isReceived ? await markView(visit, purchase, inputs.suggestion ?? nothingTyped) : null,
      rate: isReceived ? rateField(purchase, inputs.suggestion ?? nothingTyped) : null,
      reject: field(inputs.rejection ?? nothingTyped, 'reason', say`Varför avvisas fakturan?`, {
        isRequired: true,
        maxLength: 500,
        help: say`T.ex. felaktig, eller redan bokförd från papper. En avvisad faktura kan inte bokföras sedan.`,
      }),
      // What a sole trader has laid out is owed to nobody.
      payment:
        isBooked && purchase.debt_account !== ownMoneyPutIn
          ? await paymentView(visit, purchase, accounts, inputs.payment ?? nothingTyped)
          : null,
      setOff: isBooked ? await setOffView(visit, purchase, inputs.setOff ?? nothingTyped) : null,
      isByHand: purchase.is_by_hand,
      preview: purchase.is_by_hand ? await firstShown(visit, purchase, files) : null,
      files: files.map((file) => ({
        href: `/leverantorsinkorg/${purchase.id}/bilaga/${file.sha256}`,
        name: file.file_name,
        kind: file.media_type,
        size: say`${count(file.size)} byte`,
      })),
      history: await historyOf(visit, purchase, timeZone),
      document: purchase.raw && documentView(purchase.raw, visit),
      isOpening: purchase.raw === null && !purchase.is_by_hand,
      sha256: purchase.sha256,
      requestId: purchase.request_id,
    },
  };
}

function wordOf({ kind, laid_out_by }: PurchasePage): string {
  if (laid_out_by !== null)
    return kind === 'credit_note' ? say`Återfört utlägg` : sayOf('purchase')`Utlägg`;
  return kind === 'credit_note' ? say`Kreditfaktura` : say`Faktura`;
}

/** The first of the files that can be shown. */
async function firstShown(
  visit: PurchaseVisit,
  { id }: PurchasePage,
  files: readonly PurchaseFile[],
) {
  const first = files.find((file) => isShowable(file, visit.deps));
  const address = `/leverantorsinkorg/${id}/bilaga/${first?.sha256}?visa=1`;
  return first ? previewOf(visit, first, address) : null;
}

/** Asked where it decides how the document is booked, and kept on the supplier. */
async function markView({ tx }: PurchaseVisit, purchase: PurchasePage, input: FormInput) {
  const { supplier_id: supplierId, seller } = purchase;
  const shares = sharesOf(readEInvoice(bytesOf(purchase)).model);
  const coding = supplierId === null ? undefined : await findSupplierCoding(tx, supplierId);
  if (!coding || !isMarkNeeded(shares, { seller, mark: coding.mark })) return null;
  return markForm(input, coding.mark);
}

function rateField({ currency, exchange_rate_e6: rate }: PurchasePage, input: FormInput) {
  if (currency === homeCurrency) return null;
  return field(input, 'rate', say`Kurs`, {
    isRequired: true,
    maxLength: 30,
    size: 12,
    value: rate === null ? '' : exchangeRateText(rate),
    help: say`Kronor för en ${currency} på fakturadagen.`,
  });
}

/** The document's own words. Files inside it are listed apart, where they can be fetched. */
function documentView(raw: Buffer, visit: PurchaseVisit) {
  const { model } = readEInvoice(raw);
  const view = viewOf(model, []);
  const { rows: lines, pages } = pageOfRows(view.lines, visit);
  const named = view.documents.filter((_, index) => !model.documents[index]?.file);
  return {
    ...view,
    lines,
    pages,
    // Of these a real invoice has a handful; the file itself has them all.
    adjustments: firstRows(view.adjustments).rows,
    vatRows: firstRows(view.vatRows).rows,
    notes: firstRows(view.notes).rows,
    documents: firstRows(named).rows,
  };
}

const supplierOf = ({ supplier_id, supplier_name, seller }: PurchasePage) => ({
  id: supplier_id,
  name: supplier_name ?? seller.name,
});

function summaryOf(purchase: PurchasePage) {
  const isSwedish = purchase.currency === homeCurrency;
  const { payment } = purchase;
  const payable = isSwedish
    ? kronor(purchase.payable_ore)
    : `${amountText(purchase.payable_ore)} ${purchase.currency}`;
  const open = remaining(purchase.open_ore, 'få tillbaka');
  const facts: (readonly [string, string | null])[] = [
    [say`Fakturadatum`, purchase.issue_date],
    [say`Förfallodag`, purchase.due_date ?? '–'],
    [say`Att betala`, payable],
    [
      say`Kurs`,
      purchase.exchange_rate_e6 === null
        ? null
        : say`${exchangeRateText(purchase.exchange_rate_e6)} kr för en ${purchase.currency}`,
    ],
    [open.label, purchase.status === 'booked' ? open.amount : null],
    [
      say`Betalas till`,
      payment.accounts
        .map(({ kind, number }) => `${payeeNames()[kind]} ${formatPaymentAccount(kind, number)}`)
        .join(', ') || null,
    ],
    [payment.isOcr ? 'OCR-nummer' : say`Meddelande`, payment.reference],
    [say`Mottagare av pengarna`, payment.payee],
    [say`Utlagt av`, purchase.laid_out_by],
    [say`Skulden bokförs på`, purchase.laid_out_by && String(purchase.debt_account)],
  ];
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]));
}

const payeeNames = worded(() => ({
  bankgiro: say`Bankgiro`,
  plusgiro: say`Plusgiro`,
  iban: 'IBAN',
  other: say`Konto`,
}));

function refusalView({ booking_refusal: refusal }: PurchasePage) {
  if (refusal === null) return null;
  const problems = [refusal.problems].flat();
  return {
    messages: problems.map((fault) => sentenceOfKept(() => sentenceFor('page', fault))),
  };
}

const findingsOf = ({ warnings }: PurchasePage) =>
  warnings.map(({ rule, level, path, message }) => ({
    rule,
    path: path === '' ? null : path,
    message,
    tone: level === 'fatal' ? 'bad' : 'warn',
    word: level === 'fatal' ? say`Fel` : say`Varning`,
  }));

async function namesakesOf({ tx }: PurchaseVisit, purchase: PurchasePage) {
  const namesakes = await listNamesakes(tx, purchase);
  return namesakes.map((one) => ({
    href: `/leverantorsinkorg/${one.id}`,
    date: one.issue_date,
    total: `${amountText(one.payable_ore)} ${one.currency}`,
    chip: purchaseChip({ status: one.status, open_ore: 1n, is_refused: false }),
  }));
}

async function matchingView(
  { tx, query }: PurchaseVisit,
  purchase: PurchasePage,
  input: FormInput,
) {
  const search = textOf(query, 'leverantor').trim().slice(0, 200).replaceAll('\0', '');
  const found = await listSupplierChoices(tx, search, choicesMax + 1);
  const { supplier_id: current, seller } = purchase;
  const choices = found.slice(0, choicesMax).map((supplier) => ({
    value: supplier.id,
    label: [supplier.name, supplier.organization_number ?? supplier.vat_number]
      .filter(Boolean)
      .join(', '),
  }));
  // The one it has stays chosen, also when the search does not find it.
  if (current !== null && !choices.some(({ value }) => value === current)) {
    choices.unshift({ value: current, label: purchase.supplier_name ?? seller.name });
  }
  return {
    hasSupplier: current !== null,
    search,
    isLong: found.length > choicesMax || search !== '',
    hasChoices: choices.length > 0,
    supplier: field(input, 'supplier', say`Leverantör`, {
      type: 'select',
      isRequired: true,
      value: current ?? '',
      options: [{ value: '', label: say`Välj leverantör` }, ...choices],
    }),
    sellerName: seller.name,
    sellerNumber: seller.organizationNumber ?? seller.vatNumber ?? seller.endpoint ?? '',
  };
}

async function paymentView(
  { tx, today }: PurchaseVisit,
  purchase: PurchasePage,
  accounts: readonly { readonly number: number; readonly name: string }[],
  input: FormInput,
) {
  const payments = await listPurchasePayments(tx, purchase.id);
  const money = accounts.filter(({ number }) => settlementKindOf(number) === 'money');
  const payable = (await findPayables(tx, [purchase.id], today)).get(purchase.id);
  const mayPay = payable !== undefined && payable.obstacle === null && payable.openOre > 0n;
  return {
    file: payable?.file ?? null,
    payHref: mayPay ? `/betalningar/ny?item=${purchase.id}` : null,
    payments: payments.map((payment) => ({
      date: payment.paid_on,
      amount: amountText(payment.amount_ore),
      account: payment.account,
      kind: translated(paymentKinds[payment.kind]),
      voucherId: payment.voucher_id,
      voucher: payment.voucher,
    })),
    seenOpen: String(purchase.open_ore),
    // What was refused is seen, also of what is paid.
    isOpen: purchase.open_ore !== 0n || input.isSent,
    date: field(input, 'date', say`Betalningsdag`, {
      type: 'date',
      isRequired: true,
      value: today,
    }),
    amount: field(input, 'amount', say`Belopp`, {
      type: 'amount',
      isRequired: true,
      value: amountText(purchase.open_ore),
      help: say`Minus när leverantören betalar tillbaka.`,
    }),
    account: field(input, 'account', say`Från konto`, {
      type: 'select',
      isRequired: true,
      value: '1930',
      options: money.map(({ number, name }) => ({
        value: String(number),
        label: `${number} ${name}`,
      })),
    }),
    rounding: field(input, 'rounding', say`Öresutjämning`, {
      type: 'amount',
      help: say`Under en krona, på 3740.`,
    }),
    bankFee: field(input, 'bank_fee', say`Bankavgift`, {
      type: 'amount',
      help: say`Den del av beloppet som banken tog, på 6570.`,
    }),
    currencyPart: partField(purchase, payments, input),
    isWhole:
      purchase.currency === homeCurrency
        ? null
        : field(
            input,
            'isWhole',
            say`Hela fakturan: skillnaden mot det bokförda är kursdifferens`,
            {
              type: 'checkbox',
              // An outlay is owed in kronor: what is given back of it is that.
              value: purchase.laid_out_by === null ? 'on' : null,
              help: say`På 7960 när det kostade mer, på 3960 när det kostade mindre. Med beloppet 0 stängs det som är kvar efter en kvittning.`,
            },
          ),
  };
}

/** Only of what is owed in another currency; an outlay is owed in kronor. */
function partField(
  { currency, payable_ore, open_ore, laid_out_by }: PurchasePage,
  payments: Awaited<ReturnType<typeof listPurchasePayments>>,
  input: FormInput,
) {
  if (currency === homeCurrency || laid_out_by !== null) return null;
  const paidOre = sum(payments.map(({ amount_ore }) => amount_ore));
  const purchase = purchaseInCurrency(payable_ore, open_ore, paidOre);
  const left = purchase.wholeOre === 0n ? 0n : amountOpen(purchase);
  const open = `${amountText(left)} ${currency}`;
  return field(input, 'currencyPart', say`Del av fakturan, i ${currency}`, {
    type: 'amount',
    help: say`Vid en delbetalning: så mycket av fakturan som beloppet betalar, och då gäller inte krysset. Skillnaden mot det bokförda är delens kursdifferens. Öppet är ${open}.`,
  });
}

/** Only where there is something to set off, or to take back. */
async function setOffView({ tx, today }: PurchaseVisit, purchase: PurchasePage, input: FormInput) {
  const choices = await listSetOffChoices(tx, purchase.id);
  const first = choices.find(({ open_ore }) => open_ore !== 0n) ?? choices[0];
  if (!first) return null;
  const most = least(absolute(purchase.open_ore), absolute(first.open_ore));
  return {
    isOpen: input.isSent,
    word: purchase.open_ore < 0n ? say`en faktura` : say`en kreditfaktura`,
    other: field(input, 'other', say`Mot`, {
      type: 'select',
      isRequired: true,
      value: first.id,
      options: choices.map((choice) => ({ value: choice.id, label: choiceLabel(choice) })),
    }),
    amount: field(input, 'setOffAmount', say`Belopp i kronor`, {
      type: 'amount',
      isRequired: true,
      value: most > 0n ? amountText(most) : '',
      help: say`Högst det som återstår på båda. Med minus tas en kvittning tillbaka.`,
    }),
    date: field(input, 'setOffDate', say`Dag`, { type: 'date', isRequired: true, value: today }),
  };
}

function choiceLabel({ kind, invoice_number, issue_date, open_ore, set_off_ore }: SetOffChoice) {
  const word = kind === 'credit_note' ? say`Kreditfaktura` : say`Faktura`;
  const before = set_off_ore === 0n ? '' : say`, kvittat ${kronor(set_off_ore)}`;
  return say`${word} ${invoice_number}, ${issue_date}: kvar ${kronor(absolute(open_ore))}${before}`;
}

async function historyOf({ tx }: PurchaseVisit, purchase: PurchasePage, timeZone: string) {
  const { decided_by: actor, decided_at: decidedAt, status } = purchase;
  const nameOf = await listActorNames(tx, actor === null ? [] : [actor]);
  if (purchase.is_by_hand) return historyByHand({ tx }, purchase, timeZone);
  if (purchase.received_at === null) {
    const at = decidedAt === null ? '' : moment(decidedAt, timeZone);
    const who = actor === null ? '' : say` av ${nameOf(actor)}`;
    return [{ at, what: say`Övertagen med den ingående balansen${who}` }];
  }
  const came = {
    at: moment(purchase.received_at, timeZone),
    what: say`Mottagen med nyckeln ${purchase.sender ?? '–'}`,
  };
  if (actor === null || decidedAt === null) return [came];
  const word = status === 'booked' ? say`Bokförd` : say`Avvisad`;
  return [came, { at: moment(decidedAt, timeZone), what: say`${word} av ${nameOf(actor)}` }];
}

async function historyByHand(
  { tx }: Pick<PurchaseVisit, 'tx'>,
  { written_by, created_at, decided_by, decided_at, status }: PurchasePage,
  timeZone: string,
) {
  const actors = [written_by, decided_by].filter((actor) => actor !== null);
  const nameOf = await listActorNames(tx, actors);
  const written = {
    at: moment(created_at, timeZone),
    what: say`Skriven för hand, senast av ${nameOf(written_by ?? '')}`,
  };
  if (decided_by === null || decided_at === null) return [written];
  const word = status === 'booked' ? say`Bokförd` : say`Avvisad`;
  return [
    written,
    { at: moment(decided_at, timeZone), what: say`${word} av ${nameOf(decided_by)}` },
  ];
}
