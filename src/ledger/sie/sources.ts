/** SIE files as they are kept: compressed, and known by their hash. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, createGzip } from 'node:zlib';
import type { Db } from '../../db/pool.ts';
import { getSieFile } from './import-store.ts';
import type { KeptSource } from './importing.ts';

const fileNameMax = 200;

/** Reads the file once to know it by its hash. */
export async function sourceOf(
  open: () => AsyncIterable<Uint8Array>,
  fileName: string,
): Promise<KeptSource> {
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
    gzip: () => buffer(Readable.from(open()).pipe(createGzip())),
  };
}

/** A file that somebody has sent. Throws 404 when there is none. */
export async function keptSource(db: Db, sha256: string): Promise<KeptSource> {
  const { file_name: fileName, size, gzip } = await getSieFile(db, sha256);
  return {
    open: () => Readable.from([gzip]).pipe(createGunzip()),
    fileName,
    sha256,
    size: Number(size),
    gzip: async () => gzip,
  };
}
