/**
 * The file a backup is: tar, compressed by Zstandard, and encrypted as age does when there is a key. Each of
 * them is opened by programs that everybody has (docs/operating.md), also on a day when this one does not run.
 */
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { createTarDecoder, packTar } from 'modern-tar';
import type { BackupKey } from '../../config/backup-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { processMark } from '../../lib/process-mark.ts';
import { whyUnreadable } from '../../lib/unreadable-file.ts';

export interface Entry {
  readonly name: string;
  readonly body: Uint8Array;
}

export interface EntryRead {
  readonly name: string;
  readonly body: AsyncIterable<Uint8Array>;
}

type Bytes = AsyncIterable<Uint8Array>;

const ageMagic = 'age-encryption.org/';
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const tarBlock = 512;
const tarEnd = 2 * tarBlock;

/**
 * Writes the file whole or not at all: under another name, to the disk, and then in its place. Only its
 * owner may read it. Gives its size in bytes.
 */
export async function writeContainer(
  path: string,
  entries: AsyncIterable<Entry>,
  key: BackupKey | undefined,
): Promise<number> {
  const unfinished = `${path}.unfinished-${processMark}`;
  try {
    await rm(unfinished, { force: true });
    const file = await open(unfinished, 'wx', 0o600);
    try {
      const compress = createZstdCompress({
        params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
      });
      await pipeline(
        tarOf(entries),
        compress,
        (bytes: Bytes) => encrypted(bytes, key),
        async (bytes: Bytes) => {
          for await (const chunk of bytes) await file.writeFile(chunk);
        },
      );
      await file.sync();
      const { size } = await file.stat();
      await rename(unfinished, path);
      await syncFolder(dirname(path));
      return size;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw explainWriting(error, path);
  }
}

async function* tarOf(entries: AsyncIterable<Entry>): Bytes {
  for await (const { name, body } of entries) {
    const header = { name, size: body.length, mode: 0o600 };
    // One entry at a time is all that is held in memory; each comes as an archive with an end of its own.
    const archive = await packTar([{ header, body }]);
    yield archive.subarray(0, tarBlock * (1 + Math.ceil(body.length / tarBlock)));
  }
  yield new Uint8Array(tarEnd);
}

/** Loaded where it is needed: every command would wait for its ciphers. */
const age = () => import('age-encryption');

async function* encrypted(bytes: Bytes, key: BackupKey | undefined): Bytes {
  if (!key) {
    yield* bytes;
    return;
  }
  const { Encrypter, identityToRecipient } = await age();
  const encrypter = new Encrypter();
  if ('passphrase' in key) encrypter.setPassphrase(key.passphrase);
  else encrypter.addRecipient(await identityToRecipient(key.identity));
  yield* iterate(await encrypter.encrypt(streamOf(bytes)));
}

async function* decrypted(bytes: Bytes, key: BackupKey): Bytes {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  if ('passphrase' in key) decrypter.addPassphrase(key.passphrase);
  else decrypter.addIdentity(key.identity);
  yield* iterate(await decrypter.decrypt(streamOf(bytes)));
}

const streamOf = (bytes: Bytes) => ReadableStream.from(bytes) as ReadableStream<Uint8Array>;
const iterate = (stream: ReadableStream<Uint8Array>) => stream as unknown as Bytes;

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Reads the entries in order, each handed to `visit` before the next is read. */
export async function readContainer(
  path: string,
  key: BackupKey | undefined,
  visit: (entry: EntryRead) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const isEncrypted = await looksEncrypted(path);
  if (isEncrypted && !key) {
    throw new OperatorError(
      `Säkerhetskopian ${path} är krypterad. Ange BACKUP_KEY_FILE eller BACKUP_PASSPHRASE_FILE.`,
    );
  }
  const readTar = async (bytes: Bytes) => {
    const decoder = createTarDecoder({ strict: true });
    for await (const { header, body } of iterateEntries(streamOf(bytes).pipeThrough(decoder))) {
      await visit({ name: header.name, body: iterate(body) });
    }
  };
  try {
    await pipeline(
      createReadStream(path),
      (bytes: Bytes) => (isEncrypted && key ? decrypted(bytes, key) : bytes),
      createZstdDecompress(),
      readTar,
      { ...(signal && { signal }) },
    );
  } catch (error) {
    if (error instanceof OperatorError || signal?.aborted) throw error;
    throw explainReading(error, path, isEncrypted);
  }
}

const iterateEntries = (stream: ReturnType<typeof createTarDecoder>['readable']) =>
  stream as unknown as AsyncIterable<{
    header: { name: string };
    body: ReadableStream<Uint8Array>;
  }>;

async function looksEncrypted(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((cause) => {
    throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
  });
  try {
    const head = Buffer.alloc(ageMagic.length);
    await file.read(head).catch(() => undefined);
    if (head.toString('latin1') === ageMagic) return true;
    if (head.subarray(0, zstdMagic.length).equals(zstdMagic)) return false;
    throw new OperatorError(`${path} är ingen säkerhetskopia från huvudbok backup.`);
  } finally {
    await file.close();
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function explainWriting(cause: unknown, path: string): unknown {
  const folder = dirname(path);
  switch (codeOf(cause)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new OperatorError(
        `Disken är full, så ingen säkerhetskopia blev skriven i ${folder}. Frigör plats, eller ange en annan mapp.`,
        { cause },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return new OperatorError(
        `Det går inte att skriva i ${folder}. Ge rätt att skriva där, eller ange en annan mapp.`,
        { cause },
      );
    default:
      return cause;
  }
}

function explainReading(cause: unknown, path: string, isEncrypted: boolean): unknown {
  const code = codeOf(cause);
  // The database's own words are about the database, and the system's about the disk.
  if (/^([0-9A-Z]{5}|E[A-Z]+)$/.test(code) && !code.startsWith('ERR')) return cause;
  const message = cause instanceof Error ? cause.message : '';
  if (isEncrypted && /no identity matched|incorrect passphrase|mac/i.test(message)) {
    return new OperatorError(`Nyckeln öppnar inte säkerhetskopian ${path}.`, { cause });
  }
  return damaged(path, cause);
}

export const damaged = (path: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `Säkerhetskopian ${path} är skadad eller avkortad. Ta en annan, eller hämta filen på nytt.`,
    { cause },
  );
