/**
 * An invoice or a credit note as its reader sees it: all that ML (2023:200) 17 kap. 24 § wants, every value
 * a Swedish text. Pure.
 */

import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { formatOrganizationNumber } from '../../domain/basics/identifiers.ts';
import { sum } from '../../domain/basics/money.ts';
import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import { unitPriceWithoutVatE4 } from '../../domain/sales/invoice.ts';
import { type CodedClaim, giroCode, swishCode } from '../../domain/sales/payment-codes.ts';
import { type QrCode, qrCode } from '../../lib/qr.ts';
import { amountText, formatKronor } from '../../lib/swedish.ts';
import { byTax, rateText, rowTable } from '../../render/row-table.ts';
import {
  addressLines,
  approvedForFTax,
  countryName,
  exchangeRateText,
  type Fact,
  facts,
  orgNumberText,
  paymentAccountText,
  runningTexts,
} from '../../render/wording.ts';
import { groundOf, inOwnCurrency, isToBePaid, paymentText, termsText } from './printed.ts';
import type {
  DocumentRow,
  InvoiceDocument,
  PrintedBuyer,
  PrintedSeller,
} from './printing-store.ts';

export function invoiceView(invoice: InvoiceDocument) {
  const { seller, buyer, number, credited } = invoice;
  const isDraft = invoice.status === 'draft';
  const isCredit = invoice.kind === 'credit_note';
  const word = isCredit ? 'Kreditfaktura' : 'Faktura';
  const own = inOwnCurrency(invoice);
  // Of a draft and a credit note the sum is told, whatever is paid.
  const paidOre = isDraft || isCredit ? 0n : own.paidOre;
  const money = (amount: bigint): string => `${amountText(amount)}\u00a0${own.unit}`;
  const title = number === null ? `${word}, utkast` : `${word} ${number}`;
  return {
    title,
    heading: word,
    number: number === null ? '' : String(number),
    isDraft,
    ...runningTexts(title, seller),
    seller: sellerView(seller),
    buyer: buyerView(buyer),
    facts: facts([
      ['Fakturanummer', number === null ? null : String(number)],
      ['Fakturadatum', invoice.invoice_date],
      ['Leveransdatum', invoice.delivery_date],
      ['Avser faktura', credited && `${credited.number} av ${credited.date}`],
      [
        'Betalningsvillkor',
        !isCredit && (isDraft || isToBePaid(invoice))
          ? termsText(invoice.payment_terms_days)
          : null,
      ],
      ['Er referens', invoice.your_reference],
      ['Kundens org.nr', orgNumberText(buyer.orgNumber)],
      ['Kundens momsnr', buyer.vatNumber],
    ]),
    totalLabel: totalLabelOf(isDraft, isCredit),
    total: money(own.totalOre - paidOre),
    unit: own.unit,
    summary: isToBePaid(invoice)
      ? paymentFacts(seller, invoice.ocr, invoice.due_date, invoice.currency)
      : [],
    codes: isToBePaid(invoice) ? codesOf(invoice, own.totalOre - paidOre) : [],
    ...rowsView(invoice, own),
    vatRows: vatRows(own.rows),
    totals: facts([
      ['Summa utan moms', money(own.netOre)],
      ['Moms', money(own.vatOre)],
      [
        own.unit === 'kr' ? 'Öresutjämning' : 'Avrundning',
        own.roundingOre === 0n ? null : money(own.roundingOre),
      ],
      ['Summa med moms', paidOre === 0n ? null : money(own.totalOre)],
      ['Betalt', paidOre === 0n ? null : money(-paidOre)],
    ]),
    inKronor: inKronor(invoice),
    exemptions: exemptionsOf(invoice.rows, buyer),
    notes: invoice.notes ?? '',
    legal: isDraft
      ? 'Utkast: inte bokfört, utan fakturanummer och inget krav på betalning.'
      : paymentText(invoice),
  };
}

/** The VAT of an invoice in another currency is told in kronor too (ML 17 kap. 29 §). */
function inKronor({ currency, exchange_rate_e6: rate, vat_ore, total_ore }: InvoiceDocument) {
  if (currency === homeCurrency || rate === null) return '';
  return `I kronor: moms ${formatKronor(vat_ore)}, summa ${formatKronor(total_ore)}, till kursen ${exchangeRateText(rate)} kr för en ${currency}.`;
}

export function sellerView(seller: PrintedSeller) {
  return {
    name: seller.name,
    lines: addressLines(seller),
    columns: [
      facts([
        ['Adress', addressLines(seller).join(', ')],
        ['Telefon', seller.phone],
        ['E-post', seller.email],
      ]),
      facts([
        ['Org.nr', formatOrganizationNumber(seller.orgNumber)],
        ['Momsnr', seller.vatNumber],
        ['Säte', seller.seat],
        ['F-skatt', seller.isApprovedForFTax ? approvedForFTax : null],
      ]),
      accountFacts(seller),
    ].filter((column) => column.length > 0),
  };
}

export const buyerView = (buyer: PrintedBuyer) => ({
  name: buyer.name ?? '',
  lines: addressLines({
    address: buyer.address,
    postalCode: buyer.postalCode,
    city: buyer.city,
    countryCode: buyer.countryCode,
  }),
});

const accountFacts = (seller: PrintedSeller): Fact[] =>
  facts([
    ['Bankgiro', paymentAccountText('bankgiro', seller.bankgiro)],
    ['Plusgiro', paymentAccountText('plusgiro', seller.plusgiro)],
    ['IBAN', paymentAccountText('iban', seller.iban)],
  ]);

/** When, where and with which reference to pay: one account, the one that Swedes look for first, or takes the currency. */
export function paymentFacts(
  seller: PrintedSeller,
  ocr: string | null,
  lastDay: string,
  currency = homeCurrency,
): Fact[] {
  const terms = facts([
    ['Betala senast', lastDay],
    ['OCR-nummer', ocr],
  ]);
  const accounts = accountFacts(seller);
  return [...terms, ...(currency === homeCurrency ? accounts.slice(0, 1) : accounts.slice(-1))];
}

/** They are for kronor. */
const codesOf = ({ seller, ...invoice }: InvoiceDocument, amountOre: bigint) =>
  invoice.currency !== homeCurrency
    ? []
    : paymentCodes(seller, {
        amountOre,
        reference: invoice.ocr,
        invoiceDate: invoice.invoice_date,
        dueDate: invoice.due_date,
      });

/** What a telephone can scan to pay: in Swish, and in the bank's app; none without an OCR number to tell it by. */
export function paymentCodes(
  { name, orgNumber, bankgiro, plusgiro, swish }: PrintedSeller,
  claim: Omit<CodedClaim, 'reference'> & { readonly reference: string | null },
): ({ label: string } & QrCode)[] {
  const { reference, amountOre } = claim;
  if (reference === null || amountOre <= 0n) return [];
  const coded = { ...claim, reference };
  const codes = [];
  if (swish !== null) codes.push({ label: 'Betala med Swish', text: swishCode(swish, coded) });
  const giro = bankgiro === null ? 'plusgiro' : 'bankgiro';
  const account = bankgiro ?? plusgiro;
  if (account !== null) {
    const number = formatPaymentAccount(giro, account);
    const text = giroCode({ name, orgNumber, giro, number }, coded);
    codes.push({ label: 'Betala i bankens app', text });
  }
  return codes.map(({ label, text }) => ({ label, ...qrCode(text) }));
}

function totalLabelOf(isDraft: boolean, isCredit: boolean): string {
  if (isDraft) return 'Summa med moms';
  return isCredit ? 'Krediterat belopp' : 'Att betala';
}

function rowsView({ prices_include_vat }: InvoiceDocument, { rows, unit }: OwnCurrency) {
  const { columns, cellsOf } = rowTable(rows, {
    unitPrice: 'À-pris utan moms',
    amount: `Belopp utan moms, ${unit}`,
  });
  return {
    columns,
    rows: rows.map((row) => ({
      description: row.description,
      article: row.articleNumber ?? '',
      cells: cellsOf({
        ...row,
        unitPriceE4: unitPriceWithoutVatE4(row, prices_include_vat),
        amount: amountText(row.netOre),
      }),
    })),
  };
}

type OwnCurrency = Pick<ReturnType<typeof inOwnCurrency>, 'rows' | 'unit'>;

/** Base and VAT of each rate, and country where that is not Sweden. */
function vatRows(rows: readonly DocumentRow[]) {
  return byTax(rows).map((group) => ({
    rate: group[0] ? rateText(group[0]) : '',
    base: amountText(sum(group.map((row) => row.netOre))),
    vat: amountText(sum(group.map((row) => row.vatOre))),
  }));
}

/** Why rows bear no VAT, each ground once, and whose VAT others bear. */
function exemptionsOf(rows: readonly DocumentRow[], { vatNumber }: PrintedBuyer): string[] {
  const grounds = rows.toSorted(byBox).flatMap((row) => groundOf(row) ?? []);
  const texts = grounds.map(({ text, isOnBuyer }) =>
    isOnBuyer && vatNumber ? `${text} Köparens momsnummer: ${vatNumber}.` : text,
  );
  const abroad = [...new Set(rows.flatMap(({ ossCountry }) => ossCountry ?? []))].sort();
  const inOss = abroad.map(
    (country) => `Moms i ${countryName(country)}, som säljaren redovisar genom One Stop Shop.`,
  );
  return [...new Set([...texts, ...inOss])];
}

const byBox = (one: DocumentRow, other: DocumentRow): number =>
  (one.vatBox ?? '42').localeCompare(other.vatBox ?? '42');
