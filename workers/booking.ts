/** Books invoice drafts. Running twice books once: a booked invoice is left as it is. */

import { invoiceBooking } from '#src/db/jobs.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import type { Worker } from './run.ts';

export const booking: Worker<{ invoiceId: string }> = {
  queue: invoiceBooking,
  // Number series are held until commit: a second batch would only wait for the first.
  concurrency: 1,
  handle: async (tx, payloads) => {
    await bookInvoices(
      tx,
      payloads.map(({ invoiceId }) => invoiceId),
      'job:invoice-booking',
    );
  },
};
