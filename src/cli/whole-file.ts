/** A file that is there when it is whole: half a file looks like one. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../lib/operator-error.ts';

export async function writeWhole(
  content: AsyncIterable<Uint8Array> | Readable,
  path: string,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await pipeline(Readable.from(content), createWriteStream(unfinished, { flags: 'wx' }));
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    if (syscall === undefined) throw cause;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new OperatorError(
      isFull
        ? `Filen ${path} är inte skriven, för disken är full: frigör plats, eller ange en annan mapp.`
        : `Filen ${path} kan inte skrivas (${code}); kontrollera mappen.`,
      { cause },
    );
  }
}

/** The same of what is in memory. */
export const writeBytes = (bytes: string | Uint8Array, path: string): Promise<void> =>
  writeWhole(Readable.from([Buffer.from(bytes)]), path);
