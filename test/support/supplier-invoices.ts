/** A supplier with a bankgiro, and booked invoices of theirs. */
import type { Tx } from '#src/db/pool.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { writeInvoice } from '#src/purchases/by-hand/service.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';

const actor = 'test';

/** Answers the supplier's id. */
export async function makeSupplier(tx: Tx): Promise<string> {
  const supplier = {
    ...{ name: 'Granens Frakt AB', organizationNumber: null, vatNumber: null, endpoint: null },
    ...{ countryCode: 'SE', account: 4000, paymentDays: 10 },
    accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
  };
  return (await createSupplier(tx, supplier, actor)).id;
}

export interface TestSupplierInvoice {
  readonly supplierId: string;
  readonly invoiceNumber: string;
  readonly kind?: 'invoice' | 'credit_note';
  readonly issueDate: string;
  readonly dueDate: string | null;
  readonly totalOre: bigint;
  readonly currency?: string;
  readonly exchangeRateE6?: bigint;
}

/** Written by hand, 25 % of VAT in it; answers its id. */
export function writeSupplierInvoice(tx: Tx, given: TestSupplierInvoice): Promise<string> {
  const line = { account: 4000, ore: null, vatCode: 'I25', deduction: wholeDeduction, note: null };
  const written = {
    ...{ kind: 'invoice' as const, reference: null, payTo: null, documentIds: [], ...given },
    ...{ vatOre: null, isVatIncluded: true },
    lines: [{ ...line, costCenter: null, project: null }],
  };
  return writeInvoice(tx, null, written, actor);
}

/** As `writeSupplierInvoice`, and booked. */
export async function bookSupplierInvoice(tx: Tx, given: TestSupplierInvoice): Promise<void> {
  await bookPurchases(tx, [await writeSupplierInvoice(tx, given)], actor);
}
