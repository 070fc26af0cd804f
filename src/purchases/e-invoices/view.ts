/** An e-invoice as a person reads it: every value a text, ready for a template. */

import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import { groupDigits, minus, nbsp, withoutTrailing } from '../../lib/digits.ts';
import { say, worded } from '../../lib/language.ts';
import { numberText } from '../../lib/numbers.ts';
import { type Decimal, format, round } from '../../peppol/decimal.ts';
import type {
  Address,
  AllowanceCharge,
  CurrencyAmount,
  EInvoice,
  Line,
  Party,
  PaymentMeans,
  TaxCategory,
} from '../../peppol/model.ts';

/** A label and what stands beside it. */
interface Fact {
  readonly label: string;
  readonly value: string;
}

export function viewOf(invoice: EInvoice, warnings: readonly InboxWarning[]) {
  const { currency, seller, buyer, totals } = invoice;
  const isCredit = invoice.kind === 'credit_note';
  return {
    title: `${isCredit ? say`Kreditfaktura` : say`Faktura`} ${invoice.number ?? ''}`.trim(),
    sellerName: seller?.name ?? '',
    parties: [partyView(say`Säljare`, seller), partyView(say`Köpare`, buyer)],
    payable: money(totals.payable),
    currency: currency ?? '',
    payableLabel: isCredit ? say`Att få tillbaka` : say`Att betala`,
    dueDate: invoice.due_date ?? '',
    payment: paymentFacts(invoice),
    references: referenceFacts(invoice),
    lines: invoice.lines.map(lineView),
    adjustments: invoice.allowances_and_charges.map(adjustmentView),
    vatRows: invoice.vat.map(({ taxable, tax, category }) => ({
      category: categoryText(category),
      taxable: money(taxable),
      tax: money(tax),
      reason: category.exemption_reason ?? category.exemption_code ?? '',
    })),
    totals: facts([
      [say`Summa rader`, money(totals.lines)],
      [say`Avdrag`, totals.allowances && `${minus}${money(totals.allowances)}`],
      [say`Tillägg`, money(totals.charges)],
      [say`Summa utan moms`, money(totals.without_vat)],
      [say`Moms`, money(totals.vat)],
      [say`Moms i redovisningsvalutan`, withCurrency(totals.vat_in_tax_currency)],
      [say`Summa med moms`, money(totals.with_vat)],
      [say`Redan betalt`, money(totals.prepaid)],
      [say`Öresutjämning`, money(totals.rounding)],
    ]),
    notes: invoice.notes,
    documents: invoice.documents.map(({ id, description, url, file }) => ({
      name: file?.name ?? id?.value ?? '',
      description: description ?? '',
      kind: file ? (file.mime_type ?? '') : (url ?? say`hänvisning`),
    })),
    warnings: warnings.map(({ rule, level, path, message }) => ({
      rule,
      level,
      word: level === 'fatal' ? say`Fel` : say`Varning`,
      path,
      message,
    })),
  };
}

function facts(pairs: readonly (readonly [string, string | null | undefined])[]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

function paymentFacts({ payment_means: means, payment_terms: terms, payee }: EInvoice): Fact[] {
  const [first] = means;
  return facts([
    [say`Betalningssätt`, first && meansText(first)],
    ...means.map((one) => accountFact(one)),
    [say`OCR eller meddelande`, means.find((one) => one.payment_id)?.payment_id],
    [say`Betalas till`, payee?.name],
    [say`Villkor`, terms],
  ]);
}

const meansNames = worded(
  (): Record<string, string> => ({
    '30': say`Betalning till konto`,
    '31': say`Betalning till konto`,
    '48': say`Kort`,
    '49': say`Autogiro`,
    '50': say`Plusgiro`,
    '54': say`Kreditkort`,
    '55': say`Betalkort`,
    '56': say`Bankgiro`,
    '57': say`Stående överföring`,
    '58': say`SEPA-överföring`,
    '59': say`SEPA-autogiro`,
  }),
);

const meansText = ({ code, name }: PaymentMeans): string =>
  name ?? meansNames()[code ?? ''] ?? (code ? say`Kod ${code}` : '');

function accountFact({ account, branch, code }: PaymentMeans): [string, string | null] {
  const given = account ?? '';
  if (branch === 'SE:BANKGIRO' || code === '56') {
    return [say`Bankgiro`, formatPaymentAccount('bankgiro', given)];
  }
  if (branch === 'SE:PLUSGIRO' || code === '50') {
    return [say`Plusgiro`, formatPaymentAccount('plusgiro', given)];
  }
  const isIban = /^[A-Z]{2}\d{2}/.test(given);
  const number = isIban ? formatPaymentAccount('iban', given) : account;
  return [isIban ? 'IBAN' : say`Konto`, number && `${number}${branch ? ` (${branch})` : ''}`];
}

function referenceFacts(invoice: EInvoice): Fact[] {
  const { period, delivery } = invoice;
  return facts([
    [say`Fakturadatum`, invoice.issue_date],
    [say`Förfallodag`, invoice.due_date],
    [say`Er referens`, invoice.buyer_reference],
    [say`Ordernummer`, invoice.order_number],
    [say`Säljarens order`, invoice.sales_order_number],
    [say`Avtal`, invoice.contract],
    [say`Projekt`, invoice.project],
    [say`Er kontering`, invoice.accounting_cost],
    [say`Period`, period && [period.start, period.end].filter(Boolean).join(' – ')],
    ...invoice.preceding.map(({ number, issue_date }): [string, string] => [
      say`Gäller faktura`,
      [number, issue_date].filter(Boolean).join(', '),
    ]),
    [say`Leveransdag`, delivery?.date],
    [
      say`Levererat till`,
      delivery && [delivery.name, ...addressLines(delivery.address)].filter(Boolean).join(', '),
    ],
  ]);
}

function partyView(label: string, party: Party | null) {
  const contact = party?.contact;
  return {
    label,
    name: party?.name ?? '–',
    lines: addressLines(party?.address ?? null),
    facts: facts([
      [say`Organisationsnummer`, party?.legal_id?.value],
      [say`Momsnummer`, party?.vat_number],
      [say`Skatt`, party?.tax_registration],
      [
        say`Elektronisk adress`,
        party?.endpoint && [party.endpoint.scheme, party.endpoint.value].filter(Boolean).join(':'),
      ],
      [
        say`Kontakt`,
        contact && [contact.name, contact.telephone, contact.email].filter(Boolean).join(', '),
      ],
    ]),
  };
}

function addressLines(address: Address | null): string[] {
  if (!address) return [];
  const town = [address.postal_code, address.city].filter(Boolean).join(' ');
  return [...address.lines, town, address.country ?? ''].filter((line) => line !== '');
}

/** The most common units (UN/ECE Recommendation 20) as Swedes write them; others stand as they are. */
const units = worded(
  (): Record<string, string> => ({
    C62: say`st`,
    DAY: say`dagar`,
    EA: say`st`,
    GRM: 'g',
    H87: say`st`,
    HUR: say`tim`,
    KGM: 'kg',
    KMT: 'km',
    KWH: 'kWh',
    LTR: 'l',
    MIN: 'min',
    MON: say`mån`,
    MTK: 'm²',
    MTQ: 'm³',
    MTR: 'm',
    PR: say`par`,
    SET: 'set',
    TNE: say`ton`,
    XBX: say`lådor`,
    XPK: say`förp.`,
  }),
);

function lineView(line: Line) {
  const { price, price_quantity: per } = line;
  return {
    id: line.id ?? '',
    name: line.name ?? '',
    details: [
      line.description,
      line.seller_item_id && say`Artikel ${line.seller_item_id}`,
      line.note,
      line.period && [line.period.start, line.period.end].filter(Boolean).join(' – '),
      ...line.properties.map(({ name, value }) => `${name ?? ''}: ${value ?? ''}`),
      ...line.allowances_and_charges.map(
        (one) => `${adjustmentView(one).label}: ${adjustmentView(one).amount}`,
      ),
    ].filter((text) => text !== null && text !== ''),
    quantity: line.quantity ? number(line.quantity) : '',
    unit: units()[line.unit ?? ''] ?? line.unit ?? '',
    price: price
      ? number(price.value, 2) + (per && format(per) !== '1' ? ` / ${number(per)}` : '')
      : '',
    vat: line.category ? categoryText(line.category) : '',
    net: money(line.net),
  };
}

function adjustmentView({ is_charge, reason, percent, amount }: AllowanceCharge) {
  const word = is_charge ? say`Tillägg` : say`Avdrag`;
  const share = percent ? ` (${number(percent)} %)` : '';
  return {
    label: `${reason ? `${word}: ${reason}` : word}${share}`,
    amount: `${is_charge || !amount ? '' : minus}${money(amount)}`,
  };
}

const categories = worded(
  (): Record<string, string> => ({
    S: '',
    Z: say`nollskattesats`,
    E: say`undantaget`,
    AE: say`omvänd betalningsskyldighet`,
    K: say`EU-handel`,
    G: 'export',
    O: say`utanför moms`,
  }),
);

function categoryText({ code, rate }: TaxCategory): string {
  const percent = rate ? `${number(rate)} %` : '';
  const word = categories()[code ?? ''] ?? code ?? '';
  return [percent, word].filter(Boolean).join(', ') || '–';
}

const money = (amount: CurrencyAmount | null): string =>
  amount ? number(round(amount.value, 2), 2) : '';
const withCurrency = (amount: CurrencyAmount | null): string =>
  amount ? `${money(amount)}${nbsp}${amount.currency ?? ''}` : '';

/** `-1234.5` → `−1 234,50`, with at least so many decimals and no zeros beyond them. */
function number(value: Decimal, decimals = 0): string {
  const [whole = '0', fraction = ''] = format(value).replace('-', '').split('.');
  const kept = withoutTrailing(fraction, '0').padEnd(decimals, '0');
  const grouped = groupDigits(whole);
  const sign = value.units < 0n ? minus : '';
  return numberText(`${sign}${grouped}${kept === '' ? '' : `,${kept}`}`);
}
