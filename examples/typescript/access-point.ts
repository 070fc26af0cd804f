/**
 * An access point hands received e-invoices on: every `.xml` in a folder, in its SBDH envelope or bare, is pushed once.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… node examples/typescript/access-point.ts <folder>
 *
 * The key needs `intake:write` alone. Put a document there whole, written under another name first and renamed. What is taken in goes to `<folder>/taken`, what never will be to `<folder>/refused`, with the
 * answer beside it. Anything else stays for the next round: run it by cron, as often as you like, several at once too.
 */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Huvudbok, HuvudbokError } from '../../clients/typescript/huvudbok.ts';

const folder = process.argv[2] ?? '.';
const books = new Huvudbok({
  url: process.env['HUVUDBOK_URL'] ?? 'http://127.0.0.1:3000',
  key: process.env['HUVUDBOK_KEY'],
  // What is left then is the next round's.
  retries: 2,
});

/** Where the document belongs after the answer; undefined leaves it where it is. */
async function push(
  document: Uint8Array<ArrayBuffer>,
): Promise<{ place: string; answer: unknown } | undefined> {
  try {
    const answer = await books.post('/api/inbound/peppol', {
      body: document,
      // The bytes as they came: SHA-256 of them is what a redelivery is known by.
      contentType: 'application/xml',
    });
    return { place: 'taken', answer };
  } catch (error) {
    // 400: unreadable, or addressed to somebody else; 413: too large. The same bytes are refused again.
    const isFinal = error instanceof HuvudbokError && [400, 413].includes(error.status);
    if (isFinal) return { place: 'refused', answer: { ...error, message: error.message } };
    console.error(error);
    return undefined;
  }
}

let waiting = 0;
for (const name of (await readdir(folder)).filter((one) => one.endsWith('.xml')).sort()) {
  const path = join(folder, name);
  const outcome = await push(Uint8Array.from(await readFile(path)));
  if (outcome === undefined) {
    waiting += 1;
    continue;
  }
  await mkdir(join(folder, outcome.place), { recursive: true });
  await writeFile(join(folder, outcome.place, `${name}.json`), JSON.stringify(outcome.answer));
  // Last: killed before this, the document is pushed again, and answered as the duplicate it is.
  await rename(path, join(folder, outcome.place, name));
  console.log(`${name}: ${outcome.place}`);
}
process.exitCode = waiting > 0 ? 1 : 0;
