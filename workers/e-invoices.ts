/** Judges received e-invoices: read, validate, match the supplier, suggest rows, make the draft. */

import { eInvoiceIntake } from '#src/db/jobs.ts';
import type { Worker } from './run.ts';

export const eInvoices: Worker<{ documentId: string }> = {
  queue: eInvoiceIntake,
  // All that wait at once, as orders: two beside each other made batches of half the size.
  concurrency: 1,
  handle: async (tx, payloads) => {
    // Their many rules are loaded with the first: most installations get none.
    const { judgeDocuments } = await import('#src/purchases/e-invoices/service.ts');
    await judgeDocuments(
      tx,
      payloads.map(({ documentId }) => documentId),
    );
  },
};
