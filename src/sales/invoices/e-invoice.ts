/** An invoice or a credit note as an e-invoice that an access point can send: made of what stands on it, and held against every rule. */

import { homeCurrency } from '../../domain/basics/exchange-rate.ts';
import { isPersonalNumber, normalizeOrganizationNumber } from '../../domain/basics/identifiers.ts';
import { chargedRate, unitPriceWithoutVatE4 } from '../../domain/sales/invoice.ts';
import { type Fault, faultOf, refuse, refuseWhole } from '../../lib/errors.ts';
import { validateEInvoice } from '../../peppol/validate.ts';
import {
  eInvoiceText,
  type OutgoingCategory,
  type OutgoingEInvoice,
  type OutgoingLine,
  type OutgoingParty,
  type OutgoingSeller,
  type SchemedId,
} from '../../peppol/writing/e-invoice.ts';
import { groundOf, inOwnCurrency, isToBePaid, paymentText, termsText } from './printed.ts';
import type { DocumentRow, InvoiceDocument, PrintedBuyer } from './printing-store.ts';
import { hasForeignVat } from './row-store.ts';

/** What a receiver wants that the invoice does not say itself; null leaves it to the invoice. */
export interface EInvoiceChoices {
  /** The receiver's address in Peppol, `0007:5560360793`. */
  readonly peppolId: string | null;
  readonly buyerReference: string | null;
}

export interface EInvoiceFile {
  /** UBL 2.1 in UTF-8. */
  readonly text: string;
  readonly fileName: string;
}

/** The register of Swedish organisation numbers, as an address (EAS) and as a legal number (ICD). */
const swedishNumbers = '0007';

/** What would be sent if nobody chose otherwise; empty where the invoice does not say it. */
export const usualChoices = ({ buyer, your_reference }: InvoiceDocument) => ({
  peppolId: usualPeppolId(buyer) ?? '',
  buyerReference: your_reference ?? '',
});

/** A company's or an authority's address is its organisation number; people have none. */
function usualPeppolId(buyer: PrintedBuyer): string | null {
  const number = swedishNumberOf(buyer);
  return number === null || isPersonalNumber(number) ? null : `${swedishNumbers}:${number}`;
}

const swedishNumberOf = ({ countryCode, orgNumber }: PrintedBuyer): string | null =>
  (countryCode ?? 'SE') === 'SE' && orgNumber ? normalizeOrganizationNumber(orgNumber) : null;

/**
 * Throws 422 of a draft, of what the receiver must be told and nobody has said, and of an invoice that no e-invoice can say: each
 * rule that it would break, by its official id.
 */
export function eInvoiceOf(invoice: InvoiceDocument, choices: EInvoiceChoices): EInvoiceFile {
  if (invoice.number === null) throw refuseWhole('unprocessable', 'not_booked');
  if (invoice.rows.length === 0) throw refuseWhole('unprocessable', 'e_invoice_without_rows');
  // A Swedish seller's e-invoice has Sweden's VAT (SE-R-006); what is filed in the one stop shop is sold to people.
  if (invoice.rows.some(hasForeignVat)) throw refuseWhole('unprocessable', 'e_invoice_foreign_vat');
  const text = eInvoiceText(writtenOf(invoice, invoice.number, receiverOf(invoice, choices)));
  const broken = validateEInvoice(Buffer.from(text))
    .findings.filter(({ severity }) => severity === 'fatal')
    .map(({ rule, message, location }) =>
      faultOf(pathOf(location), 'e_invoice_breaks_rule', { rule, message }),
    );
  if (broken.length > 0) throw refuse('unprocessable', broken);
  const word = invoice.kind === 'credit_note' ? 'e-kreditfaktura' : 'e-faktura';
  return { text, fileName: `${word}-${invoice.number}.xml` };
}

/** Which choice a place in the document was written from; empty where it was none. */
const pathOf = (location: string): string =>
  location.includes('AccountingCustomerParty') && location.includes('EndpointID') ? 'peppolId' : '';

interface Receiver {
  readonly endpoint: SchemedId;
  readonly buyerReference: string;
}

function receiverOf(invoice: InvoiceDocument, choices: EInvoiceChoices): Receiver {
  const usual = usualChoices(invoice);
  const address = (choices.peppolId ?? usual.peppolId).replaceAll(/\s/g, '');
  const buyerReference = (choices.buyerReference ?? usual.buyerReference).trim();
  const [, scheme = '', given = ''] = /^(\d{4}):(.+)$/.exec(address) ?? [];
  // People write organisation numbers with a hyphen.
  const id = scheme === swedishNumbers ? given.replaceAll('-', '') : given;
  const faults: Fault[] = [];
  if (address === '') faults.push(faultOf('peppolId', 'e_invoice_peppol_id_missing'));
  else if (id === '') faults.push(faultOf('peppolId', 'e_invoice_peppol_id_form'));
  if (buyerReference === '') faults.push(faultOf('buyerReference', 'e_invoice_reference_missing'));
  if (faults.length > 0) throw refuse('unprocessable', faults);
  return { endpoint: { scheme, id }, buyerReference };
}

function writtenOf(
  invoice: InvoiceDocument,
  number: number,
  { endpoint, buyerReference }: Receiver,
): OutgoingEInvoice {
  const { credited, currency, kind } = invoice;
  const own = inOwnCurrency(invoice);
  const isCredit = kind === 'credit_note';
  // What is not subject to VAT stands alone on an e-invoice (BR-O-11); beside other rows it is exempt, on the same ground.
  const isOutside = own.rows.every((row) => groundOf(row)?.category === 'O');
  return {
    kind,
    number: String(number),
    issueDate: invoice.invoice_date,
    dueDate: isCredit ? null : invoice.due_date,
    note: invoice.notes,
    currency,
    vatInKronor: currency === homeCurrency ? null : invoice.vat_ore,
    buyerReference,
    credited: credited && { number: String(credited.number), date: credited.date },
    seller: sellerOf(invoice),
    buyer: buyerOf(invoice.buyer, endpoint),
    delivery: deliveryOf(invoice),
    payment: paymentOf(invoice),
    terms: termsOf(invoice),
    rounding: own.roundingOre,
    prepaid: own.paidOre,
    lines: own.rows.map((row) => lineOf(row, invoice.prices_include_vat, isOutside)),
  };
}

function sellerOf({ seller }: InvoiceDocument): OutgoingSeller {
  const number = { scheme: swedishNumbers, id: seller.orgNumber };
  return {
    name: seller.name,
    endpoint: number,
    legalId: number,
    vatNumber: seller.vatNumber,
    address: seller.address,
    postalCode: seller.postalCode,
    city: seller.city,
    countryCode: 'SE',
    fTax: seller.isApprovedForFTax ? 'Godkänd för F-skatt' : null,
    legalNote: seller.seat && `Säte: ${seller.seat}`,
    email: seller.email,
    phone: seller.phone,
  };
}

function buyerOf(buyer: PrintedBuyer, endpoint: SchemedId): OutgoingParty {
  const number = swedishNumberOf(buyer);
  return {
    name: buyer.name ?? '',
    endpoint,
    legalId: number === null ? null : { scheme: swedishNumbers, id: number },
    vatNumber: buyer.vatNumber ?? null,
    address: buyer.address ?? null,
    postalCode: buyer.postalCode ?? null,
    city: buyer.city ?? null,
    countryCode: buyer.countryCode ?? 'SE',
  };
}

/** Goods within the EU must say when they were delivered and where (BR-IC-11, BR-IC-12). */
function deliveryOf({ rows, buyer, delivery_date, invoice_date }: InvoiceDocument) {
  const isWithinEu = rows.some((row) => groundOf(row)?.category === 'K');
  if (isWithinEu)
    return { date: delivery_date ?? invoice_date, countryCode: buyer.countryCode ?? null };
  return delivery_date === null ? null : { date: delivery_date, countryCode: null };
}

/** As on paper: one account, the one that Swedes look for first, or of another currency the one that comes nearest to taking it. */
function paymentOf(invoice: InvoiceDocument): OutgoingEInvoice['payment'] {
  const { seller, currency, ocr: reference } = invoice;
  if (!isToBePaid(invoice)) return null;
  const accounts = [
    { number: seller.bankgiro, branch: 'SE:BANKGIRO' },
    { number: seller.plusgiro, branch: 'SE:PLUSGIRO' },
    { number: seller.iban, branch: null },
  ].flatMap(({ number, branch }) =>
    // Without the hyphens and blanks that people write (SE-R-007, SE-R-008).
    number ? { reference, account: number.replaceAll(/[\s-]/g, ''), branch } : [],
  );
  return accounts.at(currency === homeCurrency ? 0 : -1) ?? null;
}

function termsOf(invoice: InvoiceDocument): string {
  const said = paymentText(invoice);
  return isToBePaid(invoice) ? [`${termsText(invoice.payment_terms_days)}.`, said].join(' ') : said;
}

function lineOf(row: DocumentRow, pricesIncludeVat: boolean, isOutside: boolean): OutgoingLine {
  const { code, note } = unitOf(row.unit);
  return {
    name: row.description,
    articleNumber: row.articleNumber,
    quantityE4: row.quantityE4,
    unitCode: code,
    note,
    unitPriceE4: unitPriceWithoutVatE4(row, pricesIncludeVat),
    discountE2: row.discountE2,
    net: row.netOre,
    vat: row.vatOre,
    category: categoryOf(row, isOutside),
  };
}

function categoryOf(row: DocumentRow, isOutside: boolean): OutgoingCategory {
  const ground = groundOf(row);
  if (ground === null) {
    const rateE2 = BigInt(Math.round(chargedRate(row) * 100));
    return { code: 'S', rateE2, reason: null, reasonCode: null };
  }
  const { category, text: reason, code: reasonCode } = ground;
  if (category === 'O' && !isOutside) return { code: 'E', rateE2: 0n, reason, reasonCode: null };
  return { code: category, rateE2: 0n, reason, reasonCode };
}

/** UN/ECE Recommendation 20 of what Swedes write. What has no code there is counted in pieces and said in words. */
const unitCodes = new Map(
  Object.entries({
    H87: ['st', 'styck', 'stycken', 'pcs', 'ex'],
    HUR: ['tim', 'timme', 'timmar', 'h'],
    MIN: ['min', 'minut', 'minuter'],
    DAY: ['dag', 'dagar', 'dygn'],
    WEE: ['vecka', 'veckor', 'v'],
    MON: ['mån', 'månad', 'månader'],
    ANN: ['år'],
    MGM: ['mg'],
    GRM: ['g', 'gram'],
    HGM: ['hg', 'hekto'],
    KGM: ['kg', 'kilo'],
    TNE: ['ton'],
    MMT: ['mm'],
    CMT: ['cm'],
    DMT: ['dm'],
    MTR: ['m', 'meter'],
    KMT: ['km'],
    MTK: ['m2', 'm²', 'kvm'],
    HAR: ['ha', 'hektar'],
    MTQ: ['m3', 'm³', 'kbm'],
    MLT: ['ml'],
    CLT: ['cl'],
    DLT: ['dl'],
    LTR: ['l', 'liter'],
    KWH: ['kwh'],
    PR: ['par'],
    SET: ['set', 'sats'],
    XBX: ['låda', 'lådor', 'kartong', 'kartonger'],
    XPK: ['förp', 'paket', 'pkt'],
  }).flatMap(([code, words]) => words.map((word) => [word, code] as const)),
);

function unitOf(unit: string | null): { code: string; note: string | null } {
  const word = unit?.trim().toLowerCase().replace(/\.$/, '') ?? '';
  const code = unitCodes.get(word);
  if (code !== undefined) return { code, note: null };
  return { code: 'C62', note: word === '' ? null : `Enhet: ${unit}` };
}
