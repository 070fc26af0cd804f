/** A page as PDF while somebody waits: the same for the application and the command line. */

import type { Decisions } from '../db/decisions.ts';
import { type Db, db, type Pool } from '../db/pool.ts';
import { refuseWhole } from '../lib/errors.ts';
import { sha256Of } from '../lib/sha256.ts';
import { findPdf, requestPdf } from './store.ts';

export interface Printing {
  /** Of any role that may execute `archive.request_rendering` and `archive.find_rendering`. */
  readonly pool: Pool;
  /** Speaks for the person who asks, where the pool's login alone is nobody. */
  readonly ask?: (work: (db: Db) => Promise<Buffer | undefined>) => Promise<Buffer | undefined>;
  /** Started: it hears of every page that has been printed. */
  readonly decisions: Decisions;
}

/** Long enough for a browser to start and a long page to be printed. */
const waitMs = 20_000;
const retrySeconds = 5;

/**
 * The PDF of a page, at once when it has been printed before, else as soon as a worker has printed it.
 * Throws 503 `processing_delayed` when that takes too long; it goes on being made meanwhile.
 */
export async function printPdf(
  { pool, ask = (work) => work(db(pool)), decisions }: Printing,
  html: string,
  timeoutMs = waitMs,
): Promise<Buffer> {
  let isAsked = false;
  const read = (): Promise<Buffer | undefined> => {
    if (isAsked) return findPdf(db(pool), html);
    isAsked = true;
    return ask((asker) => requestPdf(asker, html));
  };
  const pdf = await decisions.wait(
    sha256Of(html).toString('hex'),
    { timeoutMs },
    read,
    (found) => found !== undefined,
  );
  if (pdf) return pdf;
  const headers = { 'retry-after': String(retrySeconds) };
  throw refuseWhole('processing_delayed', 'pdf_not_ready', {}, { headers });
}
