/** Books supplier invoices. Running twice books once: a booked invoice is left as it is. */
import { supplierInvoiceBooking } from '#src/db/jobs.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import type { Worker } from './run.ts';

export const purchaseBooking: Worker<{ purchaseId: string }> = {
  queue: supplierInvoiceBooking,
  // Number series are held until commit: a second batch would only wait for the first.
  concurrency: 1,
  handle: async (tx, payloads) => {
    await bookPurchases(
      tx,
      payloads.map(({ purchaseId }) => purchaseId),
      'job:supplier-invoice-booking',
    );
  },
};
