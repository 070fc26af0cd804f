/**
 * An invoice or a credit note as Peppol BIS Billing 3.0 (UBL 2.1), the form in which every receiver in Peppol takes it. Pure: who
 * calls says what stands in it, and holds what comes out against the rules (`validateEInvoice`).
 */
import {
  absolute,
  divideRounded,
  lineAmount,
  type Ore,
  sum,
  wholeE2,
} from '../../domain/basics/money.ts';
import { decimal, node, type XmlNode, xmlLines } from '../../domain/basics/xml.ts';
import { hasNoWrongSubject } from '../rules/document.ts';

/** A number and the register that it is of: EAS of an address in Peppol, ICD of a legal number. */
export interface SchemedId {
  readonly scheme: string;
  readonly id: string;
}

export interface OutgoingParty {
  readonly name: string;
  readonly endpoint: SchemedId;
  readonly legalId: SchemedId | null;
  readonly vatNumber: string | null;
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly countryCode: string;
}

export interface OutgoingSeller extends OutgoingParty {
  /** Said of those who are approved for F-tax (SE-R-005). */
  readonly fTax: string | null;
  /** Where the board has its seat (BT-33). */
  readonly legalNote: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** EN 16931's category of VAT with its rate, hundredths of a per cent, and why there is none where there is none. */
export interface OutgoingCategory {
  readonly code: 'S' | 'AE' | 'K' | 'G' | 'O' | 'E';
  readonly rateE2: bigint;
  readonly reason: string | null;
  readonly reasonCode: string | null;
}

/** Amounts in hundredths of the document's currency. */
export interface OutgoingLine {
  readonly name: string;
  readonly articleNumber: string | null;
  readonly quantityE4: bigint;
  /** UN/ECE Recommendation 20. */
  readonly unitCode: string;
  readonly note: string | null;
  /** Without VAT and before the discount, ten-thousandths. */
  readonly unitPriceE4: bigint;
  readonly discountE2: bigint;
  readonly net: Ore;
  readonly vat: Ore;
  readonly category: OutgoingCategory;
}

export interface OutgoingEInvoice {
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly issueDate: string;
  /** Null on a credit note. */
  readonly dueDate: string | null;
  readonly note: string | null;
  readonly currency: string;
  /** The VAT in kronor of a document in another currency (BT-111); null in kronor. */
  readonly vatInKronor: Ore | null;
  readonly buyerReference: string;
  /** The invoice that a credit note takes back. */
  readonly credited: { readonly number: string; readonly date: string } | null;
  readonly seller: OutgoingSeller;
  readonly buyer: OutgoingParty;
  readonly delivery: { readonly date: string; readonly countryCode: string | null } | null;
  /** Where to pay, with `branch` of Sweden's giros; null when there is nothing to pay or nowhere. */
  readonly payment: {
    readonly reference: string | null;
    readonly account: string;
    readonly branch: string | null;
  } | null;
  readonly terms: string;
  readonly rounding: Ore;
  /** Paid before it was sent (BT-113); of a credit note, paid back. */
  readonly prepaid: Ore;
  readonly lines: readonly OutgoingLine[];
}

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const customization =
  'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0' as const;

export function eInvoiceText(invoice: OutgoingEInvoice): string {
  const name = invoice.kind === 'invoice' ? 'Invoice' : 'CreditNote';
  const root = node(name, contentOf(invoice), [
    ['xmlns', `${ubl}:${name}-2`],
    ['xmlns:cac', `${ubl}:CommonAggregateComponents-2`],
    ['xmlns:cbc', `${ubl}:CommonBasicComponents-2`],
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlLines(root, 0).join('\n')}\n`;
}

function contentOf(invoice: OutgoingEInvoice): XmlNode[] {
  const { kind, currency, credited, delivery } = invoice;
  const isInvoice = kind === 'invoice';
  return [
    basic('CustomizationID', customization),
    basic('ProfileID', 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'),
    basic('ID', invoice.number),
    basic('IssueDate', invoice.issueDate),
    ...said('DueDate', isInvoice ? invoice.dueDate : null),
    isInvoice ? basic('InvoiceTypeCode', '380') : basic('CreditNoteTypeCode', '381'),
    ...said('Note', invoice.note === null ? null : noteOf(invoice.note)),
    basic('DocumentCurrencyCode', currency),
    ...said('TaxCurrencyCode', invoice.vatInKronor === null ? null : 'SEK'),
    basic('BuyerReference', invoice.buyerReference),
    ...(credited
      ? [
          group('BillingReference', [
            group('InvoiceDocumentReference', [
              basic('ID', credited.number),
              basic('IssueDate', credited.date),
            ]),
          ]),
        ]
      : []),
    group('AccountingSupplierParty', [sellerOf(invoice)]),
    group('AccountingCustomerParty', [group('Party', partyOf(invoice.buyer, isOutside(invoice)))]),
    ...(delivery
      ? [
          group('Delivery', [
            basic('ActualDeliveryDate', delivery.date),
            ...(delivery.countryCode
              ? [group('DeliveryLocation', [group('Address', [countryOf(delivery.countryCode)])])]
              : []),
          ]),
        ]
      : []),
    ...paymentOf(invoice),
    group('PaymentTerms', [basic('Note', invoice.terms)]),
    ...taxOf(invoice),
    totalsOf(invoice),
    ...invoice.lines.map((line, index) => lineOf(line, index + 1, invoice)),
  ];
}

/** A note that happens to look as if it said a subject (`#…#`, BR-CL-08) says the one of any note: general information. */
const noteOf = (note: string): string => (hasNoWrongSubject(note) ? note : `#AAI#${note.trim()}`);

/** Nothing in it is subject to VAT: then neither party is told with a VAT number (BR-O-02, BR-O-03, BR-O-04). */
const isOutside = ({ lines }: OutgoingEInvoice): boolean =>
  lines.some(({ category }) => category.code === 'O');

function partyOf(
  party: OutgoingParty,
  isOutside: boolean,
  more: Partial<OutgoingSeller> = {},
): XmlNode[] {
  const { endpoint, legalId, vatNumber } = party;
  return [
    basic('EndpointID', endpoint.id, [['schemeID', endpoint.scheme]]),
    group('PartyName', [basic('Name', party.name)]),
    group('PostalAddress', [
      ...said('StreetName', party.address),
      ...said('CityName', party.city),
      ...said('PostalZone', party.postalCode),
      countryOf(party.countryCode),
    ]),
    ...(vatNumber && !isOutside ? [taxed(vatNumber, 'VAT')] : []),
    ...(more.fTax ? [taxed(more.fTax, 'TAX')] : []),
    group('PartyLegalEntity', [
      basic('RegistrationName', party.name),
      ...(legalId ? [basic('CompanyID', legalId.id, [['schemeID', legalId.scheme]])] : []),
      ...said('CompanyLegalForm', more.legalNote ?? null),
    ]),
  ];
}

function sellerOf(invoice: OutgoingEInvoice): XmlNode {
  const { seller } = invoice;
  const contact = [
    ...said('Name', seller.phone || seller.email ? seller.name : null),
    ...said('Telephone', seller.phone),
    ...said('ElectronicMail', seller.email),
  ];
  return group('Party', [
    ...partyOf(seller, isOutside(invoice), seller),
    ...(contact.length > 0 ? [group('Contact', contact)] : []),
  ]);
}

const taxed = (number: string, scheme: 'VAT' | 'TAX'): XmlNode =>
  group('PartyTaxScheme', [basic('CompanyID', number), group('TaxScheme', [basic('ID', scheme)])]);

function paymentOf({ payment }: OutgoingEInvoice): XmlNode[] {
  if (!payment) return [];
  const { reference, account, branch } = payment;
  return [
    group('PaymentMeans', [
      basic('PaymentMeansCode', '30'),
      ...said('PaymentID', reference),
      group('PayeeFinancialAccount', [
        basic('ID', account),
        ...(branch ? [group('FinancialInstitutionBranch', [basic('ID', branch)])] : []),
      ]),
    ]),
  ];
}

function taxOf({ lines, currency, vatInKronor }: OutgoingEInvoice): XmlNode[] {
  const vat = sum(lines.map((line) => line.vat));
  const subtotals = [...Map.groupBy(lines, ({ category }) => keyOf(category)).values()];
  return [
    group('TaxTotal', [
      money('TaxAmount', vat, currency),
      ...subtotals.map((some) =>
        group('TaxSubtotal', [
          money('TaxableAmount', sum(some.map((line) => line.net)), currency),
          money('TaxAmount', sum(some.map((line) => line.vat)), currency),
          group('TaxCategory', categoryOf(joined(some.map(({ category }) => category)))),
        ]),
      ),
    ]),
    ...(vatInKronor === null ? [] : [group('TaxTotal', [money('TaxAmount', vatInKronor, 'SEK')])]),
  ];
}

const keyOf = ({ code, rateE2 }: OutgoingCategory): string => `${code} ${rateE2}`;

/** Of those that are taxed alike: each ground is said once, and its code when there is but one. */
function joined(categories: readonly OutgoingCategory[]): OutgoingCategory {
  const [first] = categories;
  if (!first) throw new TypeError('no category');
  const reasons = [...new Set(categories.flatMap(({ reason }) => reason ?? []))];
  const codes = new Set(categories.map(({ reasonCode }) => reasonCode));
  return {
    ...first,
    reason: reasons.length === 0 ? null : reasons.join(' '),
    reasonCode: codes.size === 1 ? first.reasonCode : null,
  };
}

function categoryOf({ code, rateE2, reason, reasonCode }: OutgoingCategory): XmlNode[] {
  return [
    basic('ID', code),
    ...said('Percent', code === 'O' ? null : decimal(rateE2, 2)),
    ...said('TaxExemptionReasonCode', reasonCode),
    ...said('TaxExemptionReason', reason),
    group('TaxScheme', [basic('ID', 'VAT')]),
  ];
}

function totalsOf({ lines, currency, rounding, prepaid }: OutgoingEInvoice): XmlNode {
  const net = sum(lines.map((line) => line.net));
  const withVat = net + sum(lines.map((line) => line.vat));
  return group('LegalMonetaryTotal', [
    money('LineExtensionAmount', net, currency),
    money('TaxExclusiveAmount', net, currency),
    money('TaxInclusiveAmount', withVat, currency),
    ...(prepaid === 0n ? [] : [money('PrepaidAmount', prepaid, currency)]),
    ...(rounding === 0n ? [] : [money('PayableRoundingAmount', rounding, currency)]),
    money('PayableAmount', withVat - prepaid + rounding, currency),
  ]);
}

function lineOf(line: OutgoingLine, no: number, { kind, currency }: OutgoingEInvoice): XmlNode {
  const isInvoice = kind === 'invoice';
  const { quantityE4, price, base, discount } = pricedLine(line);
  const unit = [['unitCode', line.unitCode]] as const;
  return group(isInvoice ? 'InvoiceLine' : 'CreditNoteLine', [
    basic('ID', String(no)),
    ...said('Note', line.note),
    basic(isInvoice ? 'InvoicedQuantity' : 'CreditedQuantity', decimal(quantityE4, 4), unit),
    money('LineExtensionAmount', line.net, currency),
    ...(discount
      ? [
          group('AllowanceCharge', [
            basic('ChargeIndicator', 'false'),
            basic('AllowanceChargeReasonCode', '95'),
            basic('AllowanceChargeReason', 'Rabatt'),
            basic('MultiplierFactorNumeric', decimal(line.discountE2, 2)),
            money('Amount', discount.amount, currency),
            money('BaseAmount', discount.of, currency),
          ]),
        ]
      : []),
    group('Item', [
      basic('Name', line.name),
      ...(line.articleNumber
        ? [group('SellersItemIdentification', [basic('ID', line.articleNumber)])]
        : []),
      group(
        'ClassifiedTaxCategory',
        // Why there is no VAT stands once, in the sum of those rows.
        categoryOf({ ...line.category, reason: null, reasonCode: null }),
      ),
    ]),
    group('Price', [
      basic('PriceAmount', price, [['currencyID', currency]]),
      ...(base === null ? [] : [basic('BaseQuantity', decimal(base, 4), unit)]),
    ]),
  ]);
}

/**
 * What of a line a receiver recomputes: quantity × price − discount must come to its net (PEPPOL-EN16931-R120). A price is never
 * below zero (BR-27), so what is taken off has its sign on the quantity. Where no price of four decimals comes to the net, the net
 * itself is the price, of the whole quantity.
 */
function pricedLine({ quantityE4, unitPriceE4, discountE2, net }: OutgoingLine) {
  const sign = unitPriceE4 < 0n ? -1n : 1n;
  const [quantity, unitPrice] = [sign * quantityE4, sign * unitPriceE4];
  const full = lineAmount(quantity, unitPrice, 0n);
  const isExact = absolute(lineAmount(quantity, unitPrice, discountE2) - net) <= 1n;
  if (quantity === 0n || (isExact && full >= 0n) || (isExact && discountE2 === 0n)) {
    const discount = discountE2 === 0n ? null : { amount: full - net, of: full };
    return { quantityE4: quantity, price: decimal(unitPrice, 4, 2), base: null, discount };
  }
  const isPlain = net <= 0n || discountE2 === 0n;
  const of = isPlain ? absolute(net) : divideRounded(net * wholeE2, wholeE2 - discountE2);
  return {
    quantityE4: net < 0n ? -absolute(quantity) : absolute(quantity),
    price: decimal(of, 2, 2),
    base: absolute(quantity),
    discount: isPlain ? null : { amount: of - net, of },
  };
}

const basic = (name: string, text: string, attributes: XmlNode['attributes'] = []): XmlNode =>
  node(`cbc:${name}`, text, attributes);

/** Nothing of what is not said: Peppol takes no empty element. */
const said = (name: string, text: string | null): XmlNode[] =>
  text === null || text.trim() === '' ? [] : [basic(name, text.trim())];

const group = (name: string, content: readonly XmlNode[]): XmlNode => node(`cac:${name}`, content);

const money = (name: string, amount: Ore, currency: string): XmlNode =>
  basic(name, decimal(amount, 2, 2), [['currencyID', currency]]);

const countryOf = (code: string): XmlNode => group('Country', [basic('IdentificationCode', code)]);
