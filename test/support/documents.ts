/** What documents are made of, for tests that need no database. */

import type { VatRate } from '#src/domain/ledger/vat.ts';
import type { CollectionFacts } from '#src/domain/sales/collection-case.ts';
import { type InvoiceRow, priceRowsExcludingVat, totalsOf } from '#src/domain/sales/invoice.ts';
import type { InvoiceDocument, PrintedSeller } from '#src/sales/invoices/printing-store.ts';

export const seller: PrintedSeller = {
  name: 'Fjällrävens Bokföring & Ljus AB',
  orgNumber: '5567026934',
  vatNumber: 'SE556702693401',
  isApprovedForFTax: true,
  address: 'Storgatan 12',
  postalCode: '903 26',
  city: 'Umeå',
  seat: 'Umeå',
  email: 'ekonomi@fjall.example',
  phone: '090-12 34 56',
  bankgiro: '50501055',
  plusgiro: '1234566',
  iban: 'SE4550000000058398257466',
  swish: '123 456 78 90',
};

export interface RowParts {
  readonly description?: string;
  readonly vatRate?: VatRate;
  readonly vatBox?: string | null;
  readonly unit?: string | null;
  readonly discountE2?: bigint;
}

/** One piece for 100 kr without VAT. */
export const invoiceRow = {
  rowNo: 1,
  articleNumber: null,
  description: 'Vara 1',
  quantityE4: 10_000n,
  unit: null,
  unitPriceE4: 1_000_000n,
  discountE2: 0n,
  vatRate: 25,
  account: 3001,
  netOre: 10_000n,
  vatOre: 2_500n,
} satisfies InvoiceRow;

/** Rows of 2 × 100,50 kr; anything else about the invoice can be overridden. */
export function invoiceDocument(
  rows: readonly RowParts[] = [{}],
  overrides: Partial<InvoiceDocument> = {},
): InvoiceDocument {
  const priced = priceRowsExcludingVat(
    rows.map((row, index) => ({
      ...invoiceRow,
      rowNo: index + 1,
      description: `Vara ${index + 1}`,
      quantityE4: 20_000n,
      unitPriceE4: 1_005_000n,
      ...row,
    })),
  );
  const totals = totalsOf(priced, 0n);
  return {
    kind: 'invoice',
    status: 'booked',
    number: 1001,
    ocr: '100164',
    invoice_date: '2026-03-31',
    delivery_date: null,
    due_date: '2026-04-30',
    payment_terms_days: 30,
    prices_include_vat: false,
    your_reference: 'Åsa Öberg',
    notes: null,
    net_ore: totals.netOre,
    vat_ore: totals.vatOre,
    rounding_ore: 0n,
    total_ore: totals.totalOre,
    paid_ore: 0n,
    currency: 'SEK',
    exchange_rate_e6: null,
    currency_rounding: 0n,
    agreed_rate_e2: null,
    interest_from: 'due_date',
    interest_is_stated: true,
    seller,
    buyer: {
      name: 'Kaffekoppen i Örnsköldsvik AB',
      orgNumber: '5560360793',
      vatNumber: 'SE556036079301',
      address: 'Åkergatan 3',
      postalCode: '891 33',
      city: 'Örnsköldsvik',
      countryCode: 'SE',
    },
    credited: null,
    rows: priced.map((row, index) => ({
      ...row,
      accountName: 'Försäljning',
      vatDoubt: null,
      vatBox: rows[index]?.vatBox ?? (row.vatRate === 0 ? '42' : '05'),
    })),
    ...overrides,
  };
}

/** The same invoice of 1 000 kr and VAT, late, with a part payment and two reminders. */
export function collectionFacts(
  lineCount = 1,
  overrides: Partial<CollectionFacts> = {},
): CollectionFacts {
  return {
    creditor: { ...seller, partnerAccount: null },
    debtor: {
      name: 'Kaffekoppen i Örnsköldsvik AB',
      orgNumber: '5560360793',
      vatNumber: null,
      address: 'Åkergatan 3',
      postalCode: '891 33',
      city: 'Örnsköldsvik',
      country: 'SE',
      email: null,
      phone: null,
      yourReference: 'Åsa Öberg',
    },
    invoice: {
      status: 'booked',
      kind: 'invoice',
      number: 1001,
      ocr: '100164',
      invoiceDate: '2026-03-01',
      dueDate: '2026-03-31',
      netOre: 100_000n,
      vatOre: 25_000n,
      roundingOre: 0n,
      totalOre: 125_000n,
      notes: null,
      pricesIncludeVat: false,
      lines: Array.from({ length: lineCount }, (_, index) => ({
        ...invoiceRow,
        rowNo: index + 1,
        description: `Vara ${index + 1}`,
      })),
    },
    payments: [{ date: '2026-04-30', amountOre: 25_000n }],
    reminders: [
      { reminderNo: 1, sentDate: '2026-04-15', feeOre: 6_000n, withdrawnDate: null },
      { reminderNo: 2, sentDate: '2026-05-15', feeOre: 0n, withdrawnDate: null },
    ],
    interestTerms: { from: 'due_date', isStated: true, agreedRateE2: null },
    sentDate: null,
    referenceRates: [{ validFrom: '2026-01-01', validTo: '2026-12-31', percentE2: 200n }],
    isDisputed: false,
    ...overrides,
  };
}
