/** Invoices as e-invoices: what every receiver in Peppol would take, to the öre. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sum } from '#src/domain/basics/money.ts';
import { vatRates } from '#src/domain/ledger/vat.ts';
import {
  priceRowsExcludingVat,
  priceRowsIncludingVat,
  totalsOf,
} from '#src/domain/sales/invoice.ts';
import { readEInvoice, validateEInvoice } from '#src/peppol/validate.ts';
import { eInvoiceOf } from '#src/sales/invoices/e-invoice.ts';
import type { DocumentRow, InvoiceDocument } from '#src/sales/invoices/printing-store.ts';

type Priced = Pick<DocumentRow, 'quantityE4' | 'unitPriceE4' | 'discountE2' | 'vatRate'> &
  Partial<DocumentRow>;

const one: Priced = { quantityE4: 10_000n, unitPriceE4: 1_000_000n, discountE2: 0n, vatRate: 25 };

const seller = {
  name: 'Säljaren & Co AB',
  orgNumber: '5560360793',
  vatNumber: 'SE556036079301',
  isApprovedForFTax: true,
  address: 'Vägen 1',
  postalCode: '903 26',
  city: 'Umeå',
  seat: 'Umeå',
  email: 'ekonomi@saljaren.example',
  phone: '090-12 34 56',
  bankgiro: '5050-1055',
  plusgiro: null,
  iban: 'SE3550000000054910000003',
  swish: null,
};
const buyer = {
  name: 'Köparen AB',
  orgNumber: '5567026934',
  vatNumber: 'SE556702693401',
  address: 'Gatan 2',
  postalCode: '111 22',
  city: 'Stockholm',
  countryCode: 'SE',
};

/** An invoice of these rows, priced as invoices are. */
function invoiceOf(
  priced: readonly Priced[],
  more: Partial<InvoiceDocument> = {},
  pricesIncludeVat = false,
): InvoiceDocument {
  const price = pricesIncludeVat ? priceRowsIncludingVat : priceRowsExcludingVat;
  const rows = price(
    priced.map((row, index) => ({
      rowNo: index + 1,
      articleNumber: null,
      description: `Rad ${index + 1}`,
      unit: null,
      account: 3001,
      vatBox: row.vatRate === 0 ? '42' : '05',
      vatDoubt: null,
      ...row,
    })),
  );
  const totals = totalsOf(rows, more.rounding_ore ?? 0n);
  return {
    kind: 'invoice',
    status: 'booked',
    number: 1001,
    ocr: '10015',
    invoice_date: '2026-03-31',
    delivery_date: null,
    due_date: '2026-04-30',
    payment_terms_days: 30,
    prices_include_vat: pricesIncludeVat,
    your_reference: 'Anna',
    notes: null,
    net_ore: totals.netOre,
    vat_ore: totals.vatOre,
    rounding_ore: totals.roundingOre,
    total_ore: totals.totalOre,
    paid_ore: 0n,
    currency: 'SEK',
    exchange_rate_e6: null,
    currency_rounding: 0n,
    agreed_rate_e2: null,
    interest_from: 'due_date',
    interest_is_stated: true,
    seller,
    buyer,
    credited: null,
    rows,
    ...more,
  };
}

const asInvoiced = { peppolId: null, buyerReference: null };
const textOf = (invoice: InvoiceDocument): string => eInvoiceOf(invoice, asInvoiced).text;
const modelOf = (text: string) => readEInvoice(Buffer.from(text)).model;

/** What the rules say of it, warnings too. */
const findingsIn = (text: string): string[] =>
  validateEInvoice(Buffer.from(text)).findings.map(({ rule, message }) => `${rule} ${message}`);

const reasonsOf = (make: () => unknown): unknown => {
  try {
    make();
  } catch (error) {
    const { whole, faults } = error as {
      whole: { reason: string } | null;
      faults: readonly { path: string; reason: string }[];
    };
    return whole?.reason ?? faults.map(({ path, reason }) => `${path} ${reason}`);
  }
  return 'made';
};

const anyRow = fc.record({
  quantityE4: fc
    .bigInt({ min: -10_000_000n, max: 10_000_000n })
    .filter((quantity) => quantity !== 0n),
  unitPriceE4: fc.bigInt({ min: -5_000_000n, max: 100_000_000n }),
  discountE2: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10_000n })),
  vatRate: fc.constantFrom(...vatRates),
});

describe('whatever its rows are', () => {
  it('breaks no rule, and asks for exactly what the invoice does', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.bigInt({ min: -50n, max: 49n }),
        fc.constantFrom('invoice' as const, 'credit_note' as const),
        (rows, pricesIncludeVat, rounding_ore, kind) => {
          const credited = kind === 'credit_note' ? { number: 1000, date: '2026-03-01' } : null;
          const invoice = invoiceOf(rows, { rounding_ore, kind, credited }, pricesIncludeVat);
          const text = textOf(invoice);
          expect(findingsIn(text)).toEqual([]);
          const { lines } = modelOf(text);
          expect(oreOf(text, 'PayableAmount')).toBe(invoice.total_ore);
          expect(oreOf(text, 'TaxExclusiveAmount')).toBe(invoice.net_ore);
          expect(lines).toHaveLength(rows.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** An amount of the document as a whole, in öre. */
function oreOf(text: string, element: string): bigint {
  const [, sign, whole = '', part = ''] =
    new RegExp(`<cbc:${element} [^>]*>(-?)(\\d+)\\.(\\d\\d)<`).exec(text) ?? [];
  return BigInt(`${sign}${whole}${part}`);
}

describe('without VAT', () => {
  const german = {
    ...buyer,
    name: 'Käufer GmbH',
    orgNumber: null,
    vatNumber: 'DE136695976',
    countryCode: 'DE',
  };
  const untaxed = (vatBox: string, more: Partial<DocumentRow> = {}): Priced => ({
    ...one,
    vatRate: 0,
    vatBox,
    ...more,
  });
  const peppolId = '9930:DE136695976';
  const sent = (rows: readonly Priced[], to: object = german) =>
    eInvoiceOf(invoiceOf(rows, { buyer: { ...buyer, ...to } }), { peppolId, buyerReference: 'Ref' })
      .text;

  test.each([
    ['goods within the EU', '35', 'K'],
    ['goods outside the EU', '36', 'G'],
    ['triangular trade', '38', 'AE'],
    ['services to another EU country', '39', 'AE'],
    ['services outside Sweden', '40', 'O'],
    ['reverse charge in Sweden', '41', 'AE'],
    ['what is exempt', '42', 'E'],
    ['second-hand goods', '07', 'E'],
  ])('%s has its category and its ground', (_, box, category) => {
    const text = sent([untaxed(box), untaxed(box)]);
    expect(findingsIn(text)).toEqual([]);
    expect(text).toContain(`<cbc:ID>${category}</cbc:ID>`);
    expect(text).toMatch(/<cbc:TaxExemptionReason>[^<]+</);
  });

  it('stands beside what bears VAT, and what is not subject to VAT is exempt there', () => {
    const text = sent([one, untaxed('40'), untaxed('42'), untaxed('42', { account: 2421 })]);
    expect(findingsIn(text)).toEqual([]);
    expect(text).not.toContain('<cbc:ID>O</cbc:ID>');
    expect(text).toContain('Presentkort: momsen redovisas när de löses in.');
  });

  it('is in euro with its VAT in kronor too', () => {
    const rows = [{ ...one, currencyNet: 900n, currencyVat: 225n, unitPriceE4: 90_000n }];
    const text = textOf(invoiceOf(rows, { currency: 'EUR', exchange_rate_e6: 11_111_111n }));
    expect(findingsIn(text)).toEqual([]);
    expect(text).toContain('<cbc:PayableAmount currencyID="EUR">11.25</cbc:PayableAmount>');
    expect(text).toContain('<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>');
    expect(text).toContain('<cbc:ID>SE3550000000054910000003</cbc:ID>');
    expect(text).not.toContain('SE:BANKGIRO');
  });

  it('is in euro to the giro, as on paper, of a seller that has no IBAN', () => {
    const rows = [{ ...one, currencyNet: 900n, currencyVat: 225n, unitPriceE4: 90_000n }];
    const more = {
      currency: 'EUR',
      exchange_rate_e6: 11_111_111n,
      seller: { ...seller, iban: null },
    };
    expect(textOf(invoiceOf(rows, more))).toContain('<cbc:ID>50501055</cbc:ID>');
  });
});

describe('what stands in it', () => {
  it('says where to pay, when, and by which reference', () => {
    const text = textOf(invoiceOf([one]));
    expect(modelOf(text)).toMatchObject({
      number: '1001',
      due_date: '2026-04-30',
      buyer_reference: 'Anna',
    });
    expect(text).toContain('<cbc:PaymentID>10015</cbc:PaymentID>');
    expect(text).toContain('<cbc:ID>50501055</cbc:ID>');
    expect(text).toContain('SE:BANKGIRO');
  });

  it.each([
    ['kronor', {}, '125.00', 'SEK'],
    ['euro', { currency: 'EUR', exchange_rate_e6: 11_111_111n }, '11.25', 'EUR'],
  ])('asks for nothing of what its order paid in %s', (_, more, paid, currency) => {
    const rows = [{ ...one, currencyNet: 900n, currencyVat: 225n }];
    const text = textOf(invoiceOf(rows, { paid_ore: 12_500n, ...more }));
    expect(findingsIn(text)).toEqual([]);
    expect(text).toContain(
      `<cbc:PrepaidAmount currencyID="${currency}">${paid}</cbc:PrepaidAmount>`,
    );
    expect(oreOf(text, 'PayableAmount')).toBe(0n);
    expect(text).toContain('<cbc:Note>Fakturan är betald.</cbc:Note>');
    expect(text).not.toContain('PaymentMeans');
  });

  it('asks for the rest where its order paid less, and says of a credit note what was paid back', () => {
    const rest = textOf(invoiceOf([one], { paid_ore: 10_000n }));
    expect(oreOf(rest, 'PayableAmount')).toBe(2_500n);
    expect(rest).toContain('PaymentMeans');
    const credited = { number: 1000, date: '2026-03-01' };
    const back = textOf(invoiceOf([one], { kind: 'credit_note', credited, paid_ore: 12_500n }));
    expect(findingsIn(back)).toEqual([]);
    expect(oreOf(back, 'PayableAmount')).toBe(0n);
  });

  it('on zero kronor says that there is nothing to pay', () => {
    const text = textOf(invoiceOf([{ ...one, unitPriceE4: 0n }]));
    expect(text).toContain('<cbc:Note>Det finns inget att betala på fakturan.</cbc:Note>');
  });

  it('cannot be broken out of by anything that somebody has written', () => {
    const written = '</cbc:Name><x a="1">&amp; \u0001 ]]> <!-- ';
    const text = textOf(
      invoiceOf([{ ...one, description: written, articleNumber: '"<&>' }], {
        notes: `${written}\r\nnästa`,
        buyer: { ...buyer, name: written },
      }),
    );
    expect(findingsIn(text)).toEqual([]);
    expect(modelOf(text).lines[0]?.name).toBe('</cbc:Name><x a="1">&amp;   ]]> <!--');
  });

  // Receivers take three characters between a note's first two # for the code of its subject, and refuse one that there is none of.
  it.each([
    ['Gäller er order #123# av den 3', '#AAI#Gäller er order #123# av den 3'],
    ['Gäller er order #1234# av den 3', 'Gäller er order #1234# av den 3'],
    ['#PMT#Betala i tid', '#PMT#Betala i tid'],
    ['Rum #1😀#', 'Rum #1😀#'],
  ])('has the note %j, which a receiver would not take for its subject', (notes, written) => {
    const text = textOf(invoiceOf([one], { notes }));
    expect(findingsIn(text)).toEqual([]);
    expect(modelOf(text).notes).toEqual([written]);
  });

  it('counts in the units that receivers know, and says others in words', () => {
    const text = textOf(
      invoiceOf([
        { ...one, unit: 'Tim' },
        { ...one, unit: 'm²' },
        { ...one, unit: 'st.' },
        { ...one, unit: 'mm' },
        { ...one, unit: 'hink' },
      ]),
    );
    expect(findingsIn(text)).toEqual([]);
    expect([...text.matchAll(/unitCode="(\w+)"/g)].map(([, code]) => code)).toEqual([
      'HUR',
      'MTK',
      'H87',
      'MMT',
      'C62',
    ]);
    expect(text).toContain('<cbc:Note>Enhet: hink</cbc:Note>');
  });
});

describe('is refused, with the way out,', () => {
  test.each<[string, Partial<InvoiceDocument>, unknown]>([
    ['a draft', { number: null, status: 'draft' }, 'not_booked'],
    ['one that was taken over without rows', { rows: [] }, 'e_invoice_without_rows'],
    [
      'one without the receiver’s reference',
      { your_reference: null },
      ['buyerReference e_invoice_reference_missing'],
    ],
    [
      'one to a person',
      { buyer: { ...buyer, orgNumber: '8112189876' } },
      ['peppolId e_invoice_peppol_id_missing'],
    ],
    [
      'one to a company elsewhere',
      { buyer: { ...buyer, countryCode: 'DE' } },
      ['peppolId e_invoice_peppol_id_missing'],
    ],
  ])('%s', (_, more, reasons) => {
    expect(reasonsOf(() => eInvoiceOf(invoiceOf([one], more), asInvoiced))).toEqual(reasons);
  });

  it('one with another country’s VAT', () => {
    const row = { ...one, vatRate: 0, ossCountry: 'DE', ossRateE2: 1900 } as const;
    expect(reasonsOf(() => textOf(invoiceOf([row])))).toBe('e_invoice_foreign_vat');
  });

  test.each([
    ['5567026934', 'peppolId e_invoice_peppol_id_form'],
    ['0007:5567026935', 'peppolId e_invoice_breaks_rule'],
    ['1234:5567026934', 'peppolId e_invoice_breaks_rule'],
  ])('one to the address %s', (peppolId, reason) => {
    const choices = { peppolId, buyerReference: 'Ref' };
    const reasons = reasonsOf(() => eInvoiceOf(invoiceOf([one]), choices));
    expect(new Set(reasons as string[])).toEqual(new Set([reason]));
  });
});

it('has amounts of rows that come to those of the whole', () => {
  const rows = [one, { ...one, vatRate: 12 as const, quantityE4: 33_333n }];
  const text = textOf(invoiceOf(rows));
  const nets = [...text.matchAll(/<cbc:LineExtensionAmount [^>]*>(\d+)\.(\d\d)</g)]
    .map(([, whole, part]) => BigInt(`${whole}${part}`))
    .slice(1);
  expect(sum(nets)).toBe(oreOf(text, 'LineExtensionAmount'));
});
