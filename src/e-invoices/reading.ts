/** From a document's bytes to what the supplier inbox keeps of it, and what the rules say of it. */
import { mediaTypeOf } from '../domain/attachment.ts';
import { isDate } from '../domain/dates.ts';
import { normalizeOrganizationNumber, normalizeVatNumber } from '../domain/identifiers.ts';
import { isLuhnValid } from '../domain/luhn.ts';
import { absolute, maxAmountOre, type Ore } from '../domain/money.ts';
import type {
  EmbeddedFile,
  PayeeAccount,
  Payment,
  ReceivedInvoice,
  Seller,
} from '../domain/received-invoice.ts';
import type { PartyId } from '../domain/receiver.ts';
import type { InboxWarning } from '../domain/supplier-inbox.ts';
import { type Decimal, round } from '../peppol/decimal.ts';
import type { Envelope, Participant } from '../peppol/envelope.ts';
import type { Finding } from '../peppol/finding.ts';
import {
  type EInvoice,
  type PayeeAccount as ModelAccount,
  modelOf,
  type Party,
  type SupportingDocument,
} from '../peppol/model.ts';
import { validateEInvoice } from '../peppol/validate.ts';

export type ReadDocument =
  | { readonly invoice: ReceivedInvoice; readonly findings: readonly InboxWarning[] }
  | { readonly unreadable: Unreadable };

export interface Unreadable {
  readonly message: string;
  /** Where in the document, counted from 1; null when it is about the whole of it. */
  readonly line: number | null;
  readonly column: number | null;
}

const NUMBER_MAX = 200;
const NAME_MAX = 500;
const ADDRESS_MAX = 100;
const bis = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
/** Invoices that the buyer makes (UNCL 1001). */
const selfBilled = new Set(['261', '389', '527']);
/** Cards and direct debits (UNCL 4461). */
const paidOtherwise = new Set(['10', '48', '49', '54', '55', '59', '97']);

export function readDocument(raw: Buffer): ReadDocument {
  const judged = validateEInvoice(raw);
  if (judged.document === null) {
    const [{ message, line, column }] = judged.findings;
    return { unreadable: { message, line, column } };
  }
  const model = modelOf(judged.document);
  const missing = whatIsMissing(model);
  if (missing) return { unreadable: { message: missing, line: null, column: null } };
  const files: EmbeddedFile[] = [];
  const findings: InboxWarning[] = [];
  for (const document of model.supporting_documents) {
    const file = fileOf(document);
    if (typeof file === 'object') files.push(file);
    else if (file)
      findings.push({ rule: 'HB-ATTACHMENT', level: 'warning', path: '', message: file });
  }
  findings.push(...envelopeFindings(model, judged.envelope), ...judged.findings.map(warningOf));
  return { invoice: invoiceOf(model, judged.envelope, files), findings };
}

/** What an invoice cannot be kept without (contract-wise: then it is not readable). */
function whatIsMissing(model: EInvoice): string | null {
  const { number, issue_date, seller, currency, totals, vat_shares } = model;
  if (number === '') return 'Fakturanumret (ID) saknas.';
  if (!isDate(issue_date)) return 'Fakturadatumet (IssueDate) saknas eller finns inte i kalendern.';
  if (seller.name === null) return 'Säljarens namn saknas.';
  if (!/^[A-Z]{3}$/.test(currency)) return 'Valutan (DocumentCurrencyCode) saknas.';
  if (totals.payable === null) return 'Beloppet att betala (PayableAmount) saknas.';
  const amounts = [
    ...Object.values(totals),
    ...vat_shares.flatMap(({ taxable, vat }) => [taxable, vat]),
  ];
  const isTooLarge = amounts.some(
    (amount) => amount !== null && absolute(oreOf(amount)) > maxAmountOre,
  );
  return isTooLarge ? 'Beloppen är större än vad bokföringen rymmer.' : null;
}

function invoiceOf(
  model: EInvoice,
  envelope: Envelope | null,
  files: readonly EmbeddedFile[],
): ReceivedInvoice {
  const { totals, vat_shares } = model;
  const isSelfBilling =
    selfBilled.has(model.type_code) || model.specification.includes(':selfbilling:');
  const [sender, receiver] = isSelfBilling
    ? [model.buyer, model.seller]
    : [model.seller, model.buyer];
  const owed = (amount: Decimal | null): Ore => {
    const ore = amount === null ? 0n : oreOf(amount);
    return model.is_credit_note ? -ore : ore;
  };
  const payableOre = owed(totals.payable);
  const isCredit = payableOre === 0n ? model.is_credit_note : payableOre < 0n;
  return {
    kind: isCredit ? 'credit_note' : 'invoice',
    invoiceNumber: model.number.slice(0, NUMBER_MAX),
    issueDate: model.issue_date,
    dueDate: model.due_date !== null && isDate(model.due_date) ? model.due_date : null,
    currency: model.currency,
    seller: sellerOf(sender),
    buyerIds: [...idsOf(receiver), ...participant(envelope?.receiver ?? null)],
    totals: {
      shares: vat_shares.map(({ category, taxable, vat }) => ({
        category,
        taxableOre: owed(taxable),
        vatOre: owed(vat),
      })),
      netOre: owed(totals.net),
      vatOre: owed(totals.vat),
      roundingOre: owed(totals.rounding),
      prepaidOre: owed(totals.prepaid),
      payableOre,
    },
    payment: paymentOf(model),
    files,
    isSelfBilling,
    isPeppolBis: model.specification.startsWith(bis),
  };
}

/** Hundredths of the document's currency. */
const oreOf = (amount: Decimal): Ore => {
  const { units, scale } = round(amount, 2);
  return units * 10n ** BigInt(2 - scale);
};

function sellerOf(party: Party): Seller {
  const swedish = [party.legal_id, party.endpoint, ...party.ids]
    .filter((id) => id !== null)
    .filter(({ scheme }) => scheme === null || scheme === '0007')
    .map(({ value }) => normalizeOrganizationNumber(value));
  const vatNumber = party.vat_number === null ? null : normalizeVatNumber(party.vat_number);
  const fromVat = /^SE(\d{10})\d\d$/.exec(vatNumber ?? '')?.[1];
  return {
    name: (party.name ?? '').slice(0, NAME_MAX),
    organizationNumber: swedish.find((number) => number !== null) ?? fromVat ?? null,
    vatNumber,
    endpoint: party.endpoint
      ? `${party.endpoint.scheme ?? ''}:${party.endpoint.value}`.slice(0, ADDRESS_MAX)
      : null,
    countryCode: party.address.country?.slice(0, 2).toUpperCase() ?? '',
  };
}

function idsOf({ endpoint, legal_id, vat_number, ids }: Party): PartyId[] {
  const numbered = [endpoint, legal_id, ...ids].filter((id) => id !== null);
  return [
    ...numbered.map(({ value, scheme }) => ({ scheme, number: value })),
    ...(vat_number === null ? [] : [{ scheme: null, number: vat_number }]),
  ];
}

function participant(party: Participant | null): PartyId[] {
  return party === null ? [] : [{ scheme: party.scheme, number: party.identifier }];
}

function paymentOf({ payment, payee, seller }: EInvoice): Payment {
  const { means, reference, accounts } = payment;
  return {
    accounts: accounts.map((account) => accountOf(account, means)),
    reference: reference === null ? null : reference.slice(0, NUMBER_MAX),
    isOcr: reference !== null && /^\d{2,25}$/.test(reference) && isLuhnValid(reference),
    payee: payee === null || payee === seller.name ? null : payee.slice(0, NAME_MAX),
    isPaidOtherwise: means !== null && paidOtherwise.has(means),
  };
}

function accountOf({ id, branch }: ModelAccount, means: string | null): PayeeAccount {
  const number = id.replace(/[\s-]/g, '').toUpperCase().slice(0, ADDRESS_MAX);
  if (branch === 'SE:BANKGIRO' || means === '56') return { kind: 'bankgiro', number, bic: null };
  if (branch === 'SE:PLUSGIRO' || means === '50') return { kind: 'plusgiro', number, bic: null };
  const kind = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(number) ? 'iban' : 'other';
  return { kind, number, bic: branch?.slice(0, ADDRESS_MAX) ?? null };
}

const archives = new Set([
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
]);
const allowed = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/csv', ...archives]);

/** The embedded file, or why it is not kept; undefined when there is none. */
function fileOf({ id, embedded }: SupportingDocument): EmbeddedFile | string | undefined {
  if (!embedded) return undefined;
  const { base64, media_type: mediaType, file_name: given } = embedded;
  const fileName = given || id || 'bilaga';
  const refused = (why: string): string => `Bilagan ”${fileName.slice(0, 80)}” sparas inte: ${why}`;
  if (!allowed.has(mediaType)) return refused('filtypen är inte tillåten i Peppol.');
  const text = base64.replace(/[\t\n\r ]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    return refused('innehållet är inte base64.');
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0) return refused('den är tom.');
  const isWhatItSays = archives.has(mediaType)
    ? bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))
    : mediaTypeOf(bytes, mediaType === 'text/csv' ? 'bilaga.csv' : fileName) === mediaType;
  return isWhatItSays
    ? { fileName, mediaType, bytes }
    : refused('den är inte vad den säger sig vara.');
}

/** Peppol wants the envelope's parties to be the document's. */
function envelopeFindings(model: EInvoice, envelope: Envelope | null): InboxWarning[] {
  const pairs = [
    ['avsändare', envelope?.sender ?? null, model.seller],
    ['mottagare', envelope?.receiver ?? null, model.buyer],
  ] as const;
  return pairs.flatMap(([word, stated, { endpoint }]) => {
    const isSame =
      stated === null ||
      (endpoint?.value === stated.identifier && endpoint.scheme === stated.scheme);
    if (isSame) return [];
    const message = `Kuvertets ${word} är inte dokumentets (EndpointID).`;
    return [{ rule: 'HB-ENVELOPE', level: 'warning' as const, path: '', message }];
  });
}

function warningOf({ rule, severity, location, message }: Finding): InboxWarning {
  return { rule, level: severity === 'fatal' ? 'fatal' : 'warning', path: location, message };
}
