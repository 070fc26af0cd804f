/** Prints PDFs. Running twice prints once: what has been made of the same page is left as it is. */
import { db, withTx } from '#src/db/pool.ts';
import { purchaseHtml } from '#src/e-invoices/html.ts';
import { rendering } from '#src/jobs.ts';
import { PdfPrinter } from '#src/render/printer.ts';
import { hasRendering, insertRendering } from '#src/render/store.ts';
import type { Task } from './run.ts';

const CONCURRENCY = 2;

/** The browser starts with the first job. */
export function createRenderer(chromiumPath: string | undefined): Task<{
  kind: 'e_invoice';
  subject: string;
}> {
  const printer = new PdfPrinter(chromiumPath);
  return {
    queue: rendering,
    concurrency: CONCURRENCY,
    run: async (pool, _log, { kind, subject }) => {
      const html = await purchaseHtml(db(pool), subject);
      if (html === undefined || (await hasRendering(db(pool), kind, subject, html))) return;
      const pdf = await printer.print(html);
      await withTx(pool, (tx) => insertRendering(tx, { kind, subject, html, pdf }));
    },
    close: () => printer.close(),
  };
}
