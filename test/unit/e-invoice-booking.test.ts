import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vatRates } from '#src/domain/ledger/vat.ts';
import type { PostingRow } from '#src/domain/ledger/voucher.ts';
import type { ReceivedInvoice } from '#src/domain/purchases/received-invoice.ts';
import { accounts, suggestRows } from '#src/domain/purchases/supplier-posting.ts';
import { validateEInvoice } from '#src/peppol/validate.ts';
import { readDocument } from '#src/purchases/e-invoices/reading.ts';

/** A VAT category (UNCL 5305) with its rate in per cent; outside the scope of VAT there is none. */
interface Category {
  readonly code: string;
  readonly percent: number | null;
}

/** Something with an amount, in öre, that belongs to a category. */
interface Part {
  readonly ore: number;
  readonly category: Category;
}

interface Contents {
  readonly kind: 'Invoice' | 'CreditNote';
  readonly lines: readonly Part[];
  readonly allowances: readonly Part[];
  readonly charges: readonly Part[];
  /** How far from the rate's exact share the VAT is: senders may round line by line. */
  readonly drift: number;
  readonly prepaid: number | null;
  /** In öre, or so that what is to be paid is whole kronor. */
  readonly rounding: number | 'whole kronor' | null;
  /** 100.00 or 100. */
  readonly hasAllDecimals: boolean;
}

interface Share extends Part {
  readonly vat: number;
}

/** BG-22, in öre, each under the name of its element; null is left out. */
interface Totals {
  readonly LineExtensionAmount: number;
  readonly TaxExclusiveAmount: number;
  readonly TaxInclusiveAmount: number;
  readonly AllowanceTotalAmount: number | null;
  readonly ChargeTotalAmount: number | null;
  readonly PrepaidAmount: number | null;
  readonly PayableRoundingAmount: number | null;
  readonly PayableAmount: number;
}

interface Summed extends Contents {
  readonly totals: Totals;
  readonly vat: number;
  readonly shares: readonly Share[];
}

const categories: readonly Category[] = [
  ...[25, 12, 6].map((percent) => ({ code: 'S', percent })),
  ...['Z', 'E', 'AE', 'K'].map((code) => ({ code, percent: 0 })),
];
const outsideVat: Category = { code: 'O', percent: null };

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { ore }) => sum + ore, 0);

/** The totals as EN 16931 wants them (BR-CO-10 … 17). */
function summed(contents: Contents): Summed {
  const { lines, allowances, charges, prepaid, rounding, drift } = contents;
  const signed = [...lines, ...charges, ...allowances.map((one) => ({ ...one, ore: -one.ore }))];
  const shares = [...new Set(signed.map(({ category }) => category))].map((category): Share => {
    const ore = sumOf(signed.filter((part) => part.category === category));
    const vat = category.percent ? Math.round((ore * category.percent) / 100) + drift : 0;
    return { category, ore, vat };
  });
  const vat = shares.reduce((sum, share) => sum + share.vat, 0);
  const gross = sumOf(signed) + vat;
  const due = gross - (prepaid ?? 0);
  const rounded = rounding === 'whole kronor' ? Math.round(due / 100) * 100 - due : rounding;
  const totals: Totals = {
    LineExtensionAmount: sumOf(lines),
    TaxExclusiveAmount: sumOf(signed),
    TaxInclusiveAmount: gross,
    AllowanceTotalAmount: allowances.length > 0 ? sumOf(allowances) : null,
    ChargeTotalAmount: charges.length > 0 ? sumOf(charges) : null,
    PrepaidAmount: prepaid,
    PayableRoundingAmount: rounded,
    PayableAmount: due + (rounded ?? 0),
  };
  return { ...contents, totals, vat, shares };
}

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd';
const vatScheme = '<cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme>';

function bytesOf(invoice: Summed): Buffer {
  const { kind, lines, allowances, charges, totals, vat, shares, hasAllDecimals } = invoice;
  const isOutsideVat = shares.some(({ category }) => category === outsideVat);
  const number = (ore: number): string =>
    hasAllDecimals ? (ore / 100).toFixed(2) : `${ore / 100}`;
  const money = (name: string, ore: number | null): string =>
    ore === null ? '' : `<cbc:${name} currencyID="SEK">${number(ore)}</cbc:${name}>`;
  const category = (element: string, { code, percent }: Category, reason = ''): string => {
    const rate = percent === null ? '' : `<cbc:Percent>${percent}</cbc:Percent>`;
    return `<cac:${element}><cbc:ID>${code}</cbc:ID>${rate}${reason}${vatScheme}</cac:${element}>`;
  };
  const allowance = (isCharge: boolean, { ore, category: of }: Part): string =>
    `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator>
      <cbc:AllowanceChargeReason>Skäl</cbc:AllowanceChargeReason>
      ${money('Amount', ore)}${category('TaxCategory', of)}</cac:AllowanceCharge>`;
  const share = ({ category: of, ore, vat: tax }: Share): string => {
    const isExempt = !['S', 'Z'].includes(of.code);
    const reason = '<cbc:TaxExemptionReason>Utan moms</cbc:TaxExemptionReason>';
    return `<cac:TaxSubtotal>${money('TaxableAmount', ore)}${money('TaxAmount', tax)}
      ${category('TaxCategory', of, isExempt ? reason : '')}</cac:TaxSubtotal>`;
  };
  const quantity = kind === 'Invoice' ? 'InvoicedQuantity' : 'CreditedQuantity';
  // A price is never below zero: what is taken back is so many fewer.
  const line = ({ ore, category: of }: Part, index: number): string =>
    `<cac:${kind}Line><cbc:ID>${index + 1}</cbc:ID>
      <cbc:${quantity} unitCode="EA">${ore < 0 ? -1 : 1}</cbc:${quantity}>
      ${money('LineExtensionAmount', ore)}
      <cac:Item><cbc:Name>Vara</cbc:Name>${category('ClassifiedTaxCategory', of)}</cac:Item>
      <cac:Price>${money('PriceAmount', Math.abs(ore))}</cac:Price></cac:${kind}Line>`;
  const party = (role: string, id: string): string =>
    `<cac:Accounting${role}Party><cac:Party><cbc:EndpointID schemeID="0007">${id}</cbc:EndpointID>
      <cac:PostalAddress><cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
      ${isOutsideVat ? '' : `<cac:PartyTaxScheme><cbc:CompanyID>SE${id}01</cbc:CompanyID>${vatScheme}</cac:PartyTaxScheme>`}
      <cac:PartyLegalEntity><cbc:RegistrationName>${role} AB</cbc:RegistrationName>
        <cbc:CompanyID schemeID="0007">${id}</cbc:CompanyID></cac:PartyLegalEntity></cac:Party></cac:Accounting${role}Party>`;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<${kind} xmlns="${ubl}:${kind}-2" xmlns:cac="${ubl}:CommonAggregateComponents-2" xmlns:cbc="${ubl}:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>F-1</cbc:ID><cbc:IssueDate>2026-03-31</cbc:IssueDate>
  ${kind === 'Invoice' ? '<cbc:DueDate>2026-04-30</cbc:DueDate><cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>' : '<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>'}
  <cbc:DocumentCurrencyCode>SEK</cbc:DocumentCurrencyCode><cbc:BuyerReference>Inköp</cbc:BuyerReference>
  ${party('Supplier', '5560360793')}${party('Customer', '5567026934')}
  <cac:Delivery><cbc:ActualDeliveryDate>2026-03-15</cbc:ActualDeliveryDate><cac:DeliveryLocation><cac:Address>
    <cac:Country><cbc:IdentificationCode>SE</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation></cac:Delivery>
  <cac:PaymentTerms><cbc:Note>30 dagar</cbc:Note></cac:PaymentTerms>
  ${allowances.map((one) => allowance(false, one)).join('')}${charges.map((one) => allowance(true, one)).join('')}
  <cac:TaxTotal>${money('TaxAmount', vat)}${shares.map(share).join('')}</cac:TaxTotal>
  <cac:LegalMonetaryTotal>${Object.entries(totals)
    .map(([name, ore]) => money(name, ore))
    .join('')}</cac:LegalMonetaryTotal>
  ${lines.map(line).join('')}
</${kind}>`);
}

const part = (category: fc.Arbitrary<Category>, min: number): fc.Arbitrary<Part> =>
  fc.record({
    ore: fc.oneof(fc.integer({ min, max: 5_000_000 }), fc.integer({ min: min && -99, max: 99 })),
    category,
  });

const contents = (category: fc.Arbitrary<Category>): fc.Arbitrary<Contents> =>
  fc.record({
    kind: fc.constantFrom('Invoice', 'CreditNote'),
    lines: fc.array(part(category, -1_000_000), { minLength: 1, maxLength: 8 }),
    allowances: fc.array(part(category, 0), { maxLength: 3 }),
    charges: fc.array(part(category, 0), { maxLength: 3 }),
    drift: fc.oneof(fc.constant(0), fc.integer({ min: -40, max: 40 })),
    prepaid: fc.option(fc.integer({ min: -1000, max: 6_000_000 })),
    rounding: fc.option(
      fc.oneof(fc.constant('whole kronor' as const), fc.integer({ min: -99, max: 99 })),
    ),
    hasAllDecimals: fc.boolean(),
  });

const invoices = fc
  .oneof(
    { weight: 6, arbitrary: contents(fc.constantFrom(...categories)) },
    { weight: 1, arbitrary: contents(fc.constant(outsideVat)) },
  )
  .map(summed);

/** The rules about what adds up to what. */
const isAboutSums = (rule: string): boolean => /^BR-CO-1[0-7]$/.test(rule);
const brokenRules = (bytes: Buffer): string[] =>
  validateEInvoice(bytes).findings.map(({ rule }) => rule);

function read(bytes: Buffer): ReceivedInvoice {
  const document = readDocument(bytes);
  if ('unreadable' in document) throw new Error(document.unreadable.message);
  return document.invoice;
}

const debited = (rows: readonly PostingRow[]): bigint =>
  rows.reduce((sum, { debitOre, creditOre }) => sum + debitOre - creditOre, 0n);

/** Rows that a voucher can have: in balance, and each with one amount above zero. */
function expectVoucher(rows: readonly PostingRow[]): void {
  expect(debited(rows)).toBe(0n);
  for (const { debitOre, creditOre } of rows) {
    expect([debitOre, creditOre].sort()).toEqual([0n, expect.toSatisfy((ore) => ore > 0n)]);
  }
}

/** What the rows say that we owe the supplier, in öre. */
const owed = (rows: readonly PostingRow[]): bigint =>
  -debited(rows.filter(({ account }) => account === accounts.payables));

const seller = (countryCode: string, vatNumber: string | null) => ({
  countryCode,
  vatNumber,
  organizationNumber: null,
});
const contexts = fc.record({
  seller: fc.constantFrom(seller('SE', 'SE556036079301'), seller('DE', 'DE1'), seller('US', null)),
  ownAccount: fc.constantFrom(null, { number: 5910, vatBox: null, vatRate: null }),
  purchaseAccount: fc.constant({ number: 4000, vatBox: null, vatRate: null }),
  isPrepayment: fc.boolean(),
  deducted: fc.constant([]),
  isDeductionMissing: fc.constant(false),
  mark: fc.record({
    supply: fc.constantFrom(null, 'goods' as const, 'services' as const),
    rate: fc.constantFrom(...vatRates),
  }),
});

describe('an e-invoice that adds up', () => {
  it('is not sent back to an honest supplier, whatever it sells and however it is paid', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        expect(brokenRules(bytesOf(invoice))).toEqual([]);
      }),
      { seed: 16_931, numRuns: 400 },
    );
  });

  it('becomes a voucher in balance that owes the supplier what is to be paid, to the öre', () => {
    fc.assert(
      fc.property(invoices, contexts, (invoice, context) => {
        const { totals, seller } = read(bytesOf(invoice));
        const payable = BigInt(invoice.totals.PayableAmount);
        const { rows, doubts } = suggestRows(totals, context);
        expect(seller.organizationNumber).toBe('5560360793');
        expect(doubts).not.toContain('totals_do_not_add_up');
        expectVoucher(rows);
        expect(owed(rows)).toBe(invoice.kind === 'Invoice' ? payable : -payable);
      }),
      { seed: 16_931, numRuns: 400 },
    );
  });
});

/** The invoice with one of its sums an öre off; which one is counted among those that it has. */
function spoilt(invoice: Summed, which: number, ore: 1 | -1): Summed {
  const { totals, shares, vat } = invoice;
  const written = Object.entries(totals).filter(([, total]) => total !== null);
  const variants: readonly Summed[] = [
    { ...invoice, vat: vat + ore },
    ...shares.map((share) => ({
      ...invoice,
      shares: shares.map((one) => (one === share ? { ...one, vat: one.vat + ore } : one)),
    })),
    ...written.map(([name, total]) => ({ ...invoice, totals: { ...totals, [name]: total + ore } })),
  ];
  return variants[which % variants.length] ?? invoice;
}

describe('an e-invoice with a sum that is an öre wrong', () => {
  it('is noticed, and never becomes a voucher that is out of balance', () => {
    fc.assert(
      fc.property(
        invoices,
        contexts,
        fc.nat(100),
        fc.constantFrom(1, -1),
        (right, context, which, ore) => {
          const wrong = spoilt(right, which, ore);
          const bytes = bytesOf(wrong);
          expect(brokenRules(bytes).filter(isAboutSums)).not.toEqual([]);
          const { rows, doubts } = suggestRows(read(bytes).totals, context);
          expectVoucher(rows);
          if (doubts.includes('totals_do_not_add_up')) {
            expect(rows).toEqual([]);
            return;
          }
          const payable = BigInt(wrong.totals.PayableAmount);
          expect(owed(rows)).toBe(wrong.kind === 'Invoice' ? payable : -payable);
        },
      ),
      { seed: 16_931, numRuns: 600 },
    );
  });
});
