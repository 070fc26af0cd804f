/** A page as PDF, for commands: asked of the render worker, which makes it if it has not. */
import { setTimeout as sleep } from 'node:timers/promises';
import { db, type Pool, withTx } from '../db/pool.ts';
import { OperatorError } from '../operator-error.ts';
import { findPdf, requestPdf } from '../render/store.ts';

/** Long enough for a browser to start and a long page to be printed. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 250;

export async function printed(pool: Pool, html: string): Promise<Buffer> {
  await withTx(pool, (tx) => requestPdf(tx, html));
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
    const pdf = await findPdf(db(pool), html);
    if (pdf) return pdf;
    await sleep(POLL_MS);
  }
  throw new OperatorError(
    'Ingen PDF kom inom en minut. Kör huvudbok start eller huvudbok worker render, och försök igen.',
  );
}
