/** What the PDFs are measured with. */

import { type Pool, withTx } from '#src/db/pool.ts';
import { type CollectionCase, collectionCase } from '#src/domain/sales/collection-case.ts';
import { priceRowsExcludingVat, totalsOf } from '#src/domain/sales/invoice.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { insertDrafts } from '#src/sales/invoices/create-store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';

const nothing = {
  address: 'Storgatan 1',
  postalCode: '903 26',
  city: 'Umeå',
  email: null,
  phone: null,
};

/** An invoice of so many rows, three months late, with a part payment and a reminder. */
export function exampleCase(lines: number): CollectionCase {
  return collectionCase(
    {
      creditor: {
        ...nothing,
        name: 'Mätbolaget AB',
        orgNumber: '5599990008',
        bankgiro: '5050-1055',
        plusgiro: null,
        iban: null,
        partnerAccount: null,
      },
      debtor: {
        ...nothing,
        name: 'Gäldenären i Örnsköldsvik AB',
        orgNumber: '5560360793',
        vatNumber: null,
        country: 'SE',
        yourReference: 'Åsa Öberg',
      },
      invoice: {
        status: 'booked',
        kind: 'invoice',
        number: 1001,
        ocr: '100164',
        invoiceDate: '2026-03-01',
        dueDate: '2026-03-31',
        netOre: BigInt(lines) * 100_000n,
        vatOre: BigInt(lines) * 25_000n,
        roundingOre: 0n,
        totalOre: BigInt(lines) * 125_000n,
        notes: null,
        pricesIncludeVat: false,
        lines: Array.from({ length: lines }, (_, index) => ({
          rowNo: index + 1,
          articleNumber: null,
          description: `Kaffebryggare ${index + 1}`,
          quantityE4: 10_000n,
          unit: null,
          unitPriceE4: 10_000_000n,
          discountE2: 0n,
          vatRate: 25,
          account: 3001,
          netOre: 100_000n,
          vatOre: 25_000n,
        })),
      },
      payments: [{ date: '2026-04-30', amountOre: 25_000n }],
      reminders: [{ reminderNo: 1, sentDate: '2026-04-15', feeOre: 6_000n, withdrawnDate: null }],
      interestTerms: { from: 'due_date', isStated: true, agreedRateE2: null },
      sentDate: null,
      referenceRates: [{ validFrom: '2026-01-01', validTo: '2026-12-31', percentE2: 200n }],
      isDisputed: false,
    },
    '2026-06-30',
    '2026-06-30T12:00:00.000Z',
  );
}

/** Invoices of five rows in the books; answers their ids. */
export function bookedInvoices(owner: Pool, count: number): Promise<string[]> {
  return withTx(owner, async (tx) => {
    const customer = await insertCustomer(tx, { name: 'Kunden med fakturorna AB' });
    const rows = priceRowsExcludingVat(
      Array.from({ length: 5 }, (_, index) => ({
        rowNo: index + 1,
        articleNumber: null,
        description: `Kaffebryggare ${index + 1}`,
        quantityE4: 20_000n,
        unit: null,
        unitPriceE4: 4_990_000n,
        discountE2: 0n,
        vatRate: 25 as const,
        account: 3001,
      })),
    );
    const drafts = Array.from({ length: count }, () => ({
      id: uuid(),
      source: 'api' as const,
      createdBy: 'bench',
      customerId: customer.id,
      invoiceDate: '2026-03-31',
      dueDate: '2026-04-30',
      paymentTermsDays: 30,
      pricesIncludeVat: false,
      yourReference: null,
      notes: null,
      debtor: { name: 'Kunden med fakturorna AB' },
      rows,
      totals: totalsOf(rows, 0n),
    }));
    const ids = drafts.map(({ id }) => id);
    await insertDrafts(tx, drafts);
    await bookInvoices(tx, ids, 'bench');
    return ids;
  });
}
