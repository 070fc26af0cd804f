/** An e-invoice as a person reads it: every value a Swedish text, ready for a template. */
import { formatPaymentAccount } from '../../domain/basics/payment-accounts.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import { groupDigits, minus, nbsp, withoutTrailing } from '../../lib/digits.ts';
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
    title: `${isCredit ? 'Kreditfaktura' : 'Faktura'} ${invoice.number ?? ''}`.trim(),
    sellerName: seller?.name ?? '',
    parties: [partyView('Säljare', seller), partyView('Köpare', buyer)],
    payable: money(totals.payable),
    currency: currency ?? '',
    payableLabel: isCredit ? 'Att få tillbaka' : 'Att betala',
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
      ['Summa rader', money(totals.lines)],
      ['Avdrag', totals.allowances && `${minus}${money(totals.allowances)}`],
      ['Tillägg', money(totals.charges)],
      ['Summa utan moms', money(totals.without_vat)],
      ['Moms', money(totals.vat)],
      ['Moms i redovisningsvalutan', withCurrency(totals.vat_in_tax_currency)],
      ['Summa med moms', money(totals.with_vat)],
      ['Redan betalt', money(totals.prepaid)],
      ['Öresutjämning', money(totals.rounding)],
    ]),
    notes: invoice.notes,
    documents: invoice.documents.map(({ id, description, url, file }) => ({
      name: file?.name ?? id?.value ?? '',
      description: description ?? '',
      kind: file ? (file.mime_type ?? '') : (url ?? 'hänvisning'),
    })),
    warnings: warnings.map(({ rule, level, path, message }) => ({
      rule,
      level,
      word: level === 'fatal' ? 'Fel' : 'Varning',
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
    ['Betalningssätt', first && meansText(first)],
    ...means.map((one) => accountFact(one)),
    ['OCR eller meddelande', means.find((one) => one.payment_id)?.payment_id],
    ['Betalas till', payee?.name],
    ['Villkor', terms],
  ]);
}

const meansNames: Record<string, string> = {
  '30': 'Betalning till konto',
  '31': 'Betalning till konto',
  '48': 'Kort',
  '49': 'Autogiro',
  '50': 'Plusgiro',
  '54': 'Kreditkort',
  '55': 'Betalkort',
  '56': 'Bankgiro',
  '57': 'Stående överföring',
  '58': 'SEPA-överföring',
  '59': 'SEPA-autogiro',
};

const meansText = ({ code, name }: PaymentMeans): string =>
  name ?? meansNames[code ?? ''] ?? (code ? `Kod ${code}` : '');

function accountFact({ account, branch, code }: PaymentMeans): [string, string | null] {
  const given = account ?? '';
  if (branch === 'SE:BANKGIRO' || code === '56') {
    return ['Bankgiro', formatPaymentAccount('bankgiro', given)];
  }
  if (branch === 'SE:PLUSGIRO' || code === '50') {
    return ['Plusgiro', formatPaymentAccount('plusgiro', given)];
  }
  const isIban = /^[A-Z]{2}\d{2}/.test(given);
  const number = isIban ? formatPaymentAccount('iban', given) : account;
  return [isIban ? 'IBAN' : 'Konto', number && `${number}${branch ? ` (${branch})` : ''}`];
}

function referenceFacts(invoice: EInvoice): Fact[] {
  const { period, delivery } = invoice;
  return facts([
    ['Fakturadatum', invoice.issue_date],
    ['Förfallodag', invoice.due_date],
    ['Er referens', invoice.buyer_reference],
    ['Ordernummer', invoice.order_number],
    ['Säljarens order', invoice.sales_order_number],
    ['Avtal', invoice.contract],
    ['Projekt', invoice.project],
    ['Er kontering', invoice.accounting_cost],
    ['Period', period && [period.start, period.end].filter(Boolean).join(' – ')],
    ...invoice.preceding.map(({ number, issue_date }): [string, string] => [
      'Gäller faktura',
      [number, issue_date].filter(Boolean).join(', '),
    ]),
    ['Leveransdag', delivery?.date],
    [
      'Levererat till',
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
      ['Organisationsnummer', party?.legal_id?.value],
      ['Momsnummer', party?.vat_number],
      ['Skatt', party?.tax_registration],
      [
        'Elektronisk adress',
        party?.endpoint && [party.endpoint.scheme, party.endpoint.value].filter(Boolean).join(':'),
      ],
      [
        'Kontakt',
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
const units: Record<string, string> = {
  C62: 'st',
  DAY: 'dagar',
  EA: 'st',
  GRM: 'g',
  H87: 'st',
  HUR: 'tim',
  KGM: 'kg',
  KMT: 'km',
  KWH: 'kWh',
  LTR: 'l',
  MIN: 'min',
  MON: 'mån',
  MTK: 'm²',
  MTQ: 'm³',
  MTR: 'm',
  PR: 'par',
  SET: 'set',
  TNE: 'ton',
  XBX: 'lådor',
  XPK: 'förp.',
};

function lineView(line: Line) {
  const { price, price_quantity: per } = line;
  return {
    id: line.id ?? '',
    name: line.name ?? '',
    details: [
      line.description,
      line.seller_item_id && `Artikel ${line.seller_item_id}`,
      line.note,
      line.period && [line.period.start, line.period.end].filter(Boolean).join(' – '),
      ...line.properties.map(({ name, value }) => `${name ?? ''}: ${value ?? ''}`),
      ...line.allowances_and_charges.map(
        (one) => `${adjustmentView(one).label}: ${adjustmentView(one).amount}`,
      ),
    ].filter((text) => text !== null && text !== ''),
    quantity: line.quantity ? number(line.quantity) : '',
    unit: units[line.unit ?? ''] ?? line.unit ?? '',
    price: price
      ? number(price.value, 2) + (per && format(per) !== '1' ? ` / ${number(per)}` : '')
      : '',
    vat: line.category ? categoryText(line.category) : '',
    net: money(line.net),
  };
}

function adjustmentView({ is_charge, reason, percent, amount }: AllowanceCharge) {
  const word = is_charge ? 'Tillägg' : 'Avdrag';
  const share = percent ? ` (${number(percent)} %)` : '';
  return {
    label: `${reason ? `${word}: ${reason}` : word}${share}`,
    amount: `${is_charge || !amount ? '' : minus}${money(amount)}`,
  };
}

const categories: Record<string, string> = {
  S: '',
  Z: 'nollskattesats',
  E: 'undantaget',
  AE: 'omvänd betalningsskyldighet',
  K: 'EU-handel',
  G: 'export',
  O: 'utanför moms',
};

function categoryText({ code, rate }: TaxCategory): string {
  const percent = rate ? `${number(rate)} %` : '';
  const word = categories[code ?? ''] ?? code ?? '';
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
  return `${sign}${grouped}${kept === '' ? '' : `,${kept}`}`;
}
