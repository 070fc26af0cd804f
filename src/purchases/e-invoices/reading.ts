/** From a document's bytes to what the supplier inbox keeps of it, and what the rules say of it. */

import { isDate } from '../../domain/basics/dates.ts';
import {
  normalizeOrganizationNumber,
  normalizeVatNumber,
} from '../../domain/basics/identifiers.ts';
import { isOcrNumber } from '../../domain/basics/luhn.ts';
import { absolute, maxAmountOre, type Ore } from '../../domain/basics/money.ts';
import { mediaTypeOf } from '../../domain/ledger/attachment.ts';
import type {
  EmbeddedFile,
  InvoiceSeller,
  PayeeAccount,
  PaymentInstruction,
  ReceivedInvoice,
  VatShare,
} from '../../domain/purchases/received-invoice.ts';
import type { InboxWarning } from '../../domain/purchases/supplier-inbox.ts';
import type { PartyId } from '../../domain/sales/receiver.ts';
import { codeLists } from '../../peppol/data/code-lists.ts';
import { round } from '../../peppol/decimal.ts';
import type { Envelope, Participant } from '../../peppol/envelope.ts';
import type { Finding } from '../../peppol/finding.ts';
import type {
  CurrencyAmount,
  EInvoice,
  Party,
  PaymentMeans,
  SupportingDocument,
} from '../../peppol/model.ts';
import { validateEInvoice } from '../../peppol/validate.ts';

export type ReadDocument =
  | { readonly invoice: ReceivedInvoice; readonly findings: readonly InboxWarning[] }
  | {
      readonly unreadable: Unreadable;
      /** What the rules say where the XML at least could be read. */
      readonly findings: readonly InboxWarning[];
    };

export interface Unreadable {
  readonly message: string;
  /** Where in the document, counted from 1; null when it is about the whole of it. */
  readonly line: number | null;
  readonly column: number | null;
}

const numberMax = 200;
const nameMax = 500;
const addressMax = 100;
const bis = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const prepayment = '386';
/** Invoices that the buyer makes (UNCL 1001). */
const selfBilled = new Set(['261', '389', '527']);
/** Cards and direct debits (UNCL 4461). */
const paidOtherwise = new Set(['10', '48', '49', '54', '55', '59', '97']);

export function readDocument(raw: Buffer): ReadDocument {
  const judged = validateEInvoice(raw);
  if (judged.document === null) {
    const [{ message, line, column }] = judged.findings;
    return { unreadable: { message, line, column }, findings: [] };
  }
  const { model } = judged;
  const missing = whatIsMissing(model);
  if (missing) {
    const unreadable = { message: missing, line: null, column: null };
    return { unreadable, findings: judged.findings.map(warningOf) };
  }
  const files: EmbeddedFile[] = [];
  const findings: InboxWarning[] = [];
  for (const document of model.documents) {
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
  const { number, issue_date: issued, seller, currency, totals, vat } = model;
  if (number === null) return 'Fakturanumret (ID) saknas.';
  if (issued === null || !isDate(issued)) {
    return 'Fakturadatumet (IssueDate) saknas eller finns inte i kalendern.';
  }
  if (!seller?.name) return 'Säljarens namn saknas.';
  if (!/^[A-Z]{3}$/.test(currency ?? '')) return 'Valutan (DocumentCurrencyCode) saknas.';
  if (totals.payable === null) {
    return 'Beloppet att betala (PayableAmount) saknas eller är inget tal med decimalpunkt.';
  }
  const amounts = [...Object.values(totals), ...vat.flatMap(({ taxable, tax }) => [taxable, tax])];
  const isTooLarge = amounts.some((amount) => absolute(oreOf(amount)) > maxAmountOre);
  return isTooLarge ? 'Beloppen är större än vad bokföringen rymmer.' : null;
}

function invoiceOf(
  model: EInvoice,
  envelope: Envelope | null,
  files: readonly EmbeddedFile[],
): ReceivedInvoice {
  const { totals, due_date: due, specification } = model;
  const isSelfBilling =
    selfBilled.has(model.type_code ?? '') || (specification ?? '').includes(':selfbilling:');
  const [sender, receiver] = isSelfBilling
    ? [model.buyer, model.seller]
    : [model.seller, model.buyer];
  const isCreditNote = model.kind === 'credit_note';
  const owed = owedIn(model);
  const payableOre = owed(totals.payable);
  const isCredit = payableOre === 0n ? isCreditNote : payableOre < 0n;
  return {
    kind: isCredit ? 'credit_note' : 'invoice',
    isCreditNote: isCreditNote || codeLists['UNCL1001-creditnote'].has(model.type_code ?? ''),
    isPrepayment: model.type_code === prepayment,
    preceding: model.preceding.flatMap(({ number }) => number ?? []),
    invoiceNumber: (model.number ?? '').slice(0, numberMax),
    issueDate: model.issue_date ?? '',
    dueDate: due !== null && isDate(due) ? due : null,
    currency: model.currency ?? '',
    seller: sellerOf(sender),
    buyerIds: [...idsOf(receiver), ...participant(envelope?.receiver ?? null)],
    totals: {
      shares: sharesOf(model),
      netOre: owed(totals.without_vat),
      vatOre: owed(totals.vat),
      roundingOre: owed(totals.rounding),
      prepaidOre: owed(totals.prepaid),
      payableOre,
    },
    payment: paymentOf(model),
    files,
    isSelfBilling,
    isPeppolBis: (specification ?? '').startsWith(bis),
  };
}

/** The document's VAT breakdown (BG-23) as what we owe. */
export function sharesOf(model: EInvoice): VatShare[] {
  const owed = owedIn(model);
  return model.vat.map(({ category, taxable, tax }) => ({
    category: category.code ?? '',
    taxableOre: owed(taxable),
    vatOre: owed(tax),
  }));
}

/** Amounts of a document as what we owe: those of a credit note the other way. */
const owedIn =
  ({ kind }: EInvoice) =>
  (amount: CurrencyAmount | null): Ore =>
    kind === 'credit_note' ? -oreOf(amount) : oreOf(amount);

/** Hundredths of the amount's currency; what is not said is nothing. */
function oreOf(amount: CurrencyAmount | null): Ore {
  if (amount === null) return 0n;
  const { units, scale } = round(amount.value, 2);
  return units * 10n ** BigInt(2 - scale);
}

function sellerOf(party: Party | null): InvoiceSeller {
  const swedish = [party?.legal_id, party?.endpoint, ...(party?.ids ?? [])]
    .filter((id) => id != null)
    .filter(({ scheme }) => scheme === null || scheme === '0007')
    .map(({ value }) => normalizeOrganizationNumber(value));
  const vatNumber = normalizeVatNumber(party?.vat_number ?? '');
  const fromVat = /^SE(\d{10})\d\d$/.exec(vatNumber ?? '')?.[1];
  const { endpoint = null } = party ?? {};
  return {
    name: (party?.name ?? '').slice(0, nameMax),
    organizationNumber: swedish.find((number) => number !== null) ?? fromVat ?? null,
    vatNumber,
    endpoint: endpoint && `${endpoint.scheme ?? ''}:${endpoint.value}`.slice(0, addressMax),
    countryCode: party?.address?.country?.slice(0, 2).toUpperCase() ?? '',
  };
}

function idsOf(party: Party | null): PartyId[] {
  if (party === null) return [];
  const { endpoint, legal_id: legalId, vat_number: vatNumber, ids } = party;
  return [
    ...[endpoint, legalId, ...ids]
      .filter((id) => id !== null)
      .map(({ value, scheme }) => ({ scheme, number: value })),
    ...(vatNumber === null ? [] : [{ scheme: null, number: vatNumber }]),
  ];
}

function participant(party: Participant | null): PartyId[] {
  return party === null ? [] : [{ scheme: party.scheme, number: party.identifier }];
}

function paymentOf({ payment_means: means, payee, seller }: EInvoice): PaymentInstruction {
  const reference = means.find((one) => one.payment_id !== null)?.payment_id ?? null;
  const payeeName = payee?.name ?? null;
  return {
    accounts: means.flatMap((one) => accountOf(one) ?? []),
    reference: reference === null ? null : reference.slice(0, numberMax),
    isOcr: reference !== null && isOcrNumber(reference),
    payee: payeeName === seller?.name ? null : (payeeName?.slice(0, nameMax) ?? null),
    isPaidOtherwise: means.some(
      ({ code, card_number, mandate }) =>
        paidOtherwise.has(code ?? '') || card_number !== null || mandate !== null,
    ),
  };
}

function accountOf({ account, branch, code }: PaymentMeans): PayeeAccount | null {
  if (account === null) return null;
  const number = account.replace(/[\s-]/g, '').toUpperCase().slice(0, addressMax);
  if (branch === 'SE:BANKGIRO' || code === '56') return { kind: 'bankgiro', number, bic: null };
  if (branch === 'SE:PLUSGIRO' || code === '50') return { kind: 'plusgiro', number, bic: null };
  const kind = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(number) ? 'iban' : 'other';
  return { kind, number, bic: branch?.slice(0, addressMax) ?? null };
}

const archives = new Set([
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
]);
const allowed = new Set(['application/pdf', 'image/png', 'image/jpeg', 'text/csv', ...archives]);

/** The embedded file, or why it is not kept; undefined when there is none. */
function fileOf({ id, file }: SupportingDocument): EmbeddedFile | string | undefined {
  if (!file) return undefined;
  const { base64 } = file;
  const mediaType = file.mime_type ?? '';
  const fileName = file.name ?? id?.value ?? 'bilaga';
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
function envelopeFindings({ seller, buyer }: EInvoice, envelope: Envelope | null): InboxWarning[] {
  const pairs = [
    ['avsändare', envelope?.sender ?? null, seller?.endpoint],
    ['mottagare', envelope?.receiver ?? null, buyer?.endpoint],
  ] as const;
  return pairs.flatMap(([word, stated, endpoint]) => {
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
