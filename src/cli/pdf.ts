/** A page as PDF, for commands: asked of the render worker, which makes it if it has not. */
import { Decisions } from '../db/decisions.ts';
import type { Pool } from '../db/pool.ts';
import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { printPdf } from '../render/print.ts';
import { writeBytes } from './whole-file.ts';

/** Nobody waits for an answer over HTTP, and the service may just be starting. */
const timeoutMs = 60_000;

/** `url` is the login that the pool has too. */
export async function printed(pool: Pool, url: string, html: string): Promise<Buffer> {
  const decisions = new Decisions();
  await decisions.start(url);
  try {
    return await printPdf({ pool, decisions }, html, timeoutMs);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'processing_delayed') throw error;
    throw new OperatorError(
      'Ingen PDF kom inom en minut. Kör huvudbok start eller huvudbok worker render, och försök igen. Går den redan står skälet under Drift och i dess logg.',
      { cause: error },
    );
  } finally {
    await decisions.stop();
  }
}

/** To the file, or to standard output when there is none. */
export async function writeOut(out: string | undefined, file: string | Buffer): Promise<void> {
  if (out === undefined) process.stdout.write(file);
  else await writeBytes(file, out);
}
