/** Judges received e-invoices: read, validate, match the supplier, suggest rows, make the draft. */

import { eInvoiceIntake } from '#src/db/jobs.ts';
import { judgeDocuments } from '#src/purchases/e-invoices/service.ts';
import type { Worker } from './run.ts';

export const eInvoices: Worker<{ documentId: string }> = {
  queue: eInvoiceIntake,
  concurrency: 2,
  handle: async (tx, payloads) => {
    await judgeDocuments(
      tx,
      payloads.map(({ documentId }) => documentId),
    );
  },
};
