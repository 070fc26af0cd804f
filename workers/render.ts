/** Prints pages as PDF. Running twice prints once: what has been made of a page is left as it is. */

import { rendering } from '#src/db/jobs.ts';
import { db, withTx } from '#src/db/pool.ts';
import { pdfSeconds, timed } from '#src/lib/metrics/metrics.ts';
import { PdfPrinter } from '#src/render/printer.ts';
import { findUnprinted, insertPdf } from '#src/render/store.ts';
import type { Task } from './run.ts';

/** One more than is printed at the same time: it is fetched while they are, and the browser never waits. */
const concurrency = 3;

/** The browser starts with the first job. */
export function createRenderer(chromiumPath: string | undefined): Task<{ page: string }> {
  const printer = new PdfPrinter(chromiumPath);
  return {
    queue: rendering,
    concurrency: concurrency,
    run: async (pool, _log, { page }) => {
      const html = await findUnprinted(db(pool), page);
      if (html === undefined) return;
      const pdf = await timed(pdfSeconds, () => printer.print(html));
      await withTx(pool, (tx) => insertPdf(tx, html, pdf));
    },
    close: () => printer.close(),
  };
}
