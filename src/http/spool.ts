/**
 * Where files that are being sent wait until their form has been dealt with: on disk, in files without a
 * name, so that nothing is left of them when the process ends, however it ends. So much at once, shared
 * fairly between those who send.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseFolder } from '../lib/folders.ts';
import { Budget, type BudgetShare, type LoadAmount } from './budget.ts';

const mebibyte = 1024 * 1024;
/** Whoever is first may fill half of it, so two forms of ten of the largest files have room. */
const inFlightMax = { calls: 200, bytes: 256 * mebibyte } as const;
/** Files that are read into memory at once, to be stored: ten mebibytes each, and their copies. */
const readAtOnce = 2;

export interface SpooledFile {
  readonly size: number;
  /** Reads the file for as long as `work` takes; few are at a time, the others wait. */
  use<T>(work: (bytes: Buffer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export class Spool {
  readonly #budget: Budget;
  #free = readAtOnce;
  readonly #waiting: (() => void)[] = [];

  constructor(max: LoadAmount = inFlightMax) {
    this.#budget = new Budget(max);
  }

  /** Bytes and forms that are in flight. */
  get used(): LoadAmount {
    return this.#budget.used;
  }

  /** A form that is about to come; throws `overloaded` when there are too many. */
  enter(holder: string): BudgetShare {
    return this.#budget.enter(holder);
  }

  /** Writes what comes to disk as it comes; throws `overloaded` when it no longer has room. */
  async keep(source: AsyncIterable<Buffer>, place: BudgetShare): Promise<SpooledFile> {
    const file = await openNameless();
    let size = 0;
    try {
      for await (const chunk of source) {
        place.grow(chunk.length);
        await file.appendFile(chunk);
        size += chunk.length;
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    return {
      size,
      use: (work) => this.#inTurn(async () => work(await readWhole(file, size))),
      close: () => file.close(),
    };
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

/** Refuses a temporary folder where no file can be made; one that is only full is waited for, form by form. */
export async function checkSpool(folder = tmpdir()): Promise<void> {
  try {
    const file = await openNameless(folder);
    await file.close();
  } catch (error) {
    if (isFull(error)) return;
    refuseFolder(error, folder, `TMPDIR (${folder})`, 'rätta det, eller ange en annan mapp.');
    throw error;
  }
}

/** Whether there is no room now, on disk or among open files. */
export const isFull = (error: unknown): boolean =>
  isDiskFull(error) || hasCode(error, ['EMFILE', 'ENFILE']);

/** Whether it is the disk: to wait helps nobody then, and whoever looks after it is to be told. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT']);

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '');

/** Open, and already gone from its folder: the system takes it back when nobody has it open. */
async function openNameless(folder = tmpdir()): Promise<FileHandle> {
  const path = join(folder, `huvudbok-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

async function readWhole(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let from = 0;
  while (from < size) {
    const { bytesRead } = await file.read(bytes, from, size - from, from);
    if (bytesRead === 0) throw new Error('a spooled file is shorter than it was');
    from += bytesRead;
  }
  return bytes;
}
