/** A file that somebody gives, as it is kept: compressed, and known by its hash. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError, refuseWhole } from './errors.ts';

export interface SourceFile {
  /** From the beginning, as often as it is asked for. */
  readonly open: () => AsyncIterable<Uint8Array>;
  readonly fileName: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Bytes, of the file itself. */
  readonly size: number;
  readonly gzip: () => Promise<Buffer>;
}

/** As it is stored. */
export interface StoredSource {
  file_name: string;
  size: bigint;
  gzip: Buffer;
}

const fileNameMax = 200;

/** Reads the file once to know it by its hash. */
export async function sourceOf(
  open: () => AsyncIterable<Uint8Array>,
  fileName: string,
): Promise<SourceFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of open()) {
    hash.update(chunk);
    size += chunk.length;
  }
  return {
    open,
    // Of a path its end tells more.
    fileName: [...fileName].slice(-fileNameMax).join(''),
    sha256: hash.digest('hex'),
    size,
    gzip: () => pipeline(open, createGzip(), (packed) => buffer(packed)),
  };
}

/**
 * Inflated anew each time it is opened. Whoever keeps a file says what its hash and size are: what turns out to be
 * another file, or a larger one, throws 422 in the middle.
 */
export const storedSource = (
  sha256: string,
  { file_name: fileName, size, gzip }: StoredSource,
): SourceFile => ({
  open: async function* () {
    const hash = createHash('sha256');
    let left = Number(size);
    const inflated: AsyncIterable<Buffer> = Readable.from([gzip]).pipe(createGunzip());
    try {
      for await (const chunk of inflated) {
        left -= chunk.length;
        if (left < 0) throw refuseWhole('unprocessable', 'kept_file_differs');
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      throw error instanceof AppError ? error : refuseWhole('unprocessable', 'kept_file_differs');
    }
    if (left > 0 || hash.digest('hex') !== sha256)
      throw refuseWhole('unprocessable', 'kept_file_differs');
  },
  fileName,
  sha256,
  size: Number(size),
  gzip: async () => gzip,
});
