/**
 * Watches `BANK_INBOX_DIR/<account>/` for files of the bank. One that lies still is taken in and moved to `taken`, or
 * to `waiting` with a note beside it that says why. Killed at any moment nothing is lost or taken twice: the file lies
 * there until its rows are in, and then its rows are known. Several may watch the same folder.
 */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { Logger } from 'pino';
import { letGoOfInbox, tryHoldInbox } from '#src/bank/statements/import-store.ts';
import { type InboxVerdict, takeFromInbox } from '#src/bank/statements/inbox.ts';
import { noteBegins, noteOf } from '#src/bank/statements/inbox-words.ts';
import { listIdentifiedAccounts } from '#src/bank/statements/statement-store.ts';
import { createPool, db, type Pool } from '#src/db/pool.ts';
import { isUnavailable } from '#src/db/refusals.ts';
import { systemClock } from '#src/lib/clock.ts';
import { makeFolder, refuseFolder } from '#src/lib/folders.ts';
import { type SourceFile, storedSource } from '#src/lib/source-file.ts';
import { inTurn } from './import.ts';

export interface BankInboxOptions {
  readonly folder: string;
  readonly baseUrl: string;
  /** The owner's login: rows of the bank are not for workers. */
  readonly databaseUrl: string;
  readonly timeZone: string;
  readonly log: Logger;
}

const lookMs = 2_000;
/** A file that nobody has written to for so long is whole. */
const stillMs = 10_000;
/** One that is empty may not have been begun. */
const stillEmptyMs = 60_000;
/** What could not be done now is tried again so much later. */
const againMs = 60_000;
/** A worker has 192 MB of heap; what is larger is taken in by command. */
export const inboxBytesMax = 32 * 1024 * 1024;
/** So often a file may end the process, or meet a fault of ours. */
const triesMax = 3;
const accountForm = /^\d{4}$/;
/** Names of files that somebody is still writing. */
const unfinished = /^[.~]|\.(?:part|partial|filepart|tmp|temp|crdownload|download|swp)$/i;

interface Watched {
  readonly marks: string;
  /** When it was first seen so, and from when it may be tried. */
  readonly since: number;
  readonly from: number;
}

/** Looks as often as it is told to; the clock is the caller's. */
export class BankInbox {
  readonly #options: BankInboxOptions;
  readonly #stopping = new AbortController();
  #watched = new Map<string, Watched>();

  constructor(options: BankInboxOptions) {
    this.#options = options;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Makes a folder for each account that there is. */
  async prepare(): Promise<void> {
    const { folder } = this.#options;
    await makeFolder(folder);
    await this.#withOwner(async (owner) => {
      for (const { ledger_account: account } of await listIdentifiedAccounts(db(owner))) {
        await makeFolder(join(folder, String(account)));
      }
    });
  }

  /** Takes in what has lain still. `now` is in milliseconds, of any clock that goes forward. */
  async look(now: number): Promise<void> {
    const still: string[] = [];
    const watched = new Map<string, Watched>();
    for (const path of await this.#list()) {
      const found = await lstat(path).catch(() => undefined);
      if (!found || found.isDirectory()) continue;
      const marks = marksOf(found);
      const before = this.#watched.get(path);
      const one = before?.marks === marks ? before : { marks, since: now, from: now };
      watched.set(path, one);
      const wait = found.isFile() && found.size === 0 ? stillEmptyMs : stillMs;
      if (now - one.since >= wait && now >= one.from) still.push(path);
    }
    this.#watched = watched;
    if (still.length === 0) return;
    await this.#withOwner(async (owner) => {
      // One at a time, whoever watches: it is let go of with the connection. Who is not let in looks again.
      if (!(await tryHoldInbox(db(owner)))) return;
      for (const path of still) {
        if (this.#stopping.signal.aborted) return;
        if (!(await this.#take(owner, path))) this.#later(path, now + againMs);
      }
      await letGoOfInbox(db(owner));
    });
  }

  #later(path: string, from: number): void {
    const one = this.#watched.get(path);
    if (one) this.#watched.set(path, { ...one, from });
  }

  async #list(): Promise<string[]> {
    const { folder } = this.#options;
    const accounts = await readdir(folder, { withFileTypes: true });
    const lists = accounts
      // A link to a folder is none.
      .filter((entry) => entry.isDirectory() && accountForm.test(entry.name))
      .map(async ({ name }) =>
        (await readdir(join(folder, name), { withFileTypes: true }))
          .filter((entry) => !entry.isDirectory() && !unfinished.test(entry.name))
          .map((entry) => join(folder, name, entry.name)),
      );
    return (await Promise.all(lists)).flat().sort();
  }

  /** False when it is to be tried again later. */
  async #take(owner: Pool, path: string): Promise<boolean> {
    const { log } = this.#options;
    const account = basename(dirname(path));
    const tries = join(dirname(path), `.tries-${nameHash(basename(path))}`);
    try {
      const verdict = await this.#judge(owner, path, tries);
      if (verdict === undefined) return true;
      // Somebody may have written on meanwhile: then it is another file, which is looked at anew.
      const marks = await lstat(path).then(marksOf, () => undefined);
      if (marks !== this.#watched.get(path)?.marks) return true;
      await this.#put(path, account, verdict);
      await rm(tries, { force: true });
      log.info({ file: path, outcome: verdict.outcome }, 'file of the bank seen to');
      return true;
    } catch (error) {
      const isPassing = this.#stopping.signal.aborted || isUnavailable(error) || isOfFolder(error);
      if (isPassing) await rm(tries, { force: true }).catch(() => undefined);
      log[isPassing ? 'warn' : 'error']({ err: error, file: path }, 'file of the bank not seen to');
      return false;
    }
  }

  /** Undefined when the file is gone. */
  async #judge(owner: Pool, path: string, tries: string): Promise<InboxVerdict | undefined> {
    const found = await lstat(path).catch(() => undefined);
    if (!found) return undefined;
    if (!found.isFile()) return { outcome: 'no_file' };
    if (found.size > inboxBytesMax) return { outcome: 'too_large' };
    const tried = await triesOf(tries);
    if (tried >= triesMax) return { outcome: 'broke' };
    const source = await readSource(path);
    if (typeof source === 'string') return { outcome: source };
    await rm(tries, { force: true });
    await writeFile(tries, String(tried + 1), { flag: 'wx', flush: true });
    const account = Number(basename(dirname(path)));
    return takeFromInbox(owner, account, source, {
      today: systemClock(this.#options.timeZone).today(),
      signal: this.#stopping.signal,
    });
  }

  async #put(path: string, account: string, verdict: InboxVerdict): Promise<void> {
    const { baseUrl } = this.#options;
    const isTaken = verdict.outcome === 'taken';
    const folder = join(dirname(path), isTaken ? 'taken' : 'waiting');
    await makeFolder(folder);
    // Of a link nobody knows where it leads.
    if (!(await lstat(folder)).isDirectory()) throw new LinkedFolder(folder);
    const name = await freeName(folder, basename(path));
    if (!isTaken) {
      const about = { name, account, baseUrl, max: inboxBytesMax };
      const note = join(folder, noteNameOf(name));
      await rm(note, { force: true });
      await writeFile(note, noteOf(verdict, about), { flag: 'wx', flush: true });
    }
    await rename(path, join(folder, name));
    if (isTaken) await forgetNote(join(dirname(path), 'waiting'), basename(path));
  }

  async #withOwner(work: (owner: Pool) => Promise<void>): Promise<void> {
    const { databaseUrl: url } = this.#options;
    await inTurn(async () => {
      // One connection, so that what holds the lock is what takes in.
      const owner = createPool({ url, max: 1, applicationName: 'huvudbok bank-inbox' });
      try {
        await work(owner);
      } finally {
        await owner.end();
      }
    });
  }
}

class LinkedFolder extends Error {
  constructor(folder: string) {
    super(`${folder} is a link or a file; it must be a folder`);
  }
}

/** What whoever owns the folder must put right; the file stays where it is. */
const isOfFolder = (error: unknown): boolean =>
  error instanceof LinkedFolder ||
  ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'ENOTEMPTY', 'EXDEV', 'EMFILE'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );

const marksOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`;

const nameHash = (name: string): string =>
  createHash('sha256').update(name).digest('hex').slice(0, 16);

const triesOf = async (path: string): Promise<number> => {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() && found.size < 10 ? Number(await readFile(path, 'utf8')) || 0 : 0;
};

/** The file in memory, compressed; in a word why there is none. */
async function readSource(
  path: string,
): Promise<SourceFile | 'unreadable' | 'no_file' | 'too_large'> {
  // Not through a link that came there since, and never waiting for whoever writes into a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) {
    if (file.code === 'EACCES' || file.code === 'EPERM') return 'unreadable';
    if (file.code === 'ELOOP') return 'no_file';
    throw file;
  }
  try {
    if (!(await file.stat()).isFile()) return 'no_file';
    const hash = createHash('sha256');
    let size = 0;
    async function* bytes() {
      for await (const chunk of file instanceof Error
        ? []
        : file.createReadStream({ autoClose: false })) {
        size += (chunk as Buffer).length;
        if (size > inboxBytesMax) return;
        hash.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    }
    const gzip = await buffer(Readable.from(bytes()).pipe(createGzip()));
    if (size > inboxBytesMax) return 'too_large';
    const name = [...basename(path)].slice(-200).join('');
    return storedSource(hash.digest('hex'), { file_name: name, size: BigInt(size), gzip });
  } finally {
    await file.close();
  }
}

const noteNameOf = (name: string): string => `${name}.txt`;
const nameBytesMax = 200;

/** A name that nothing in the folder has, nor its note; a note of ours may be written anew. */
async function freeName(folder: string, wanted: string): Promise<string> {
  const end = extname(wanted).slice(0, 20);
  const isLong = Buffer.byteLength(wanted) > nameBytesMax;
  const start = isLong
    ? `${[...wanted].slice(0, 40).join('')} ${nameHash(wanted)}`
    : wanted.slice(0, wanted.length - end.length);
  for (let nth = 1; ; nth += 1) {
    const name = nth === 1 ? `${start}${end}` : `${start} (${nth})${end}`;
    const isTaken = await lstat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!isTaken && (await isFreeForNote(join(folder, noteNameOf(name))))) return name;
  }
}

async function isFreeForNote(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return !found || (found.isFile() && (await isNote(path)));
}

const isNote = async (path: string): Promise<boolean> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer: begun, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return begun.subarray(0, bytesRead).toString().startsWith(noteBegins);
  } finally {
    await file.close();
  }
};

/** The note of a file that waited, and has been taken out of there since. */
async function forgetNote(folder: string, name: string): Promise<void> {
  const note = join(folder, noteNameOf(name));
  const waits = await lstat(join(folder, name)).catch(() => undefined);
  if (!waits && (await isNote(note))) await rm(note, { force: true });
}

export async function runBankInbox(options: BankInboxOptions): Promise<{ stop(): Promise<void> }> {
  const { log, folder } = options;
  const inbox = new BankInbox(options);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let wasWell = true;
  // Once, and not every other second.
  const warnOf = (error: unknown): void => {
    const isSaid = !wasWell || isStopped;
    wasWell = false;
    if (isSaid) return;
    const wayOut = 'rätta det, eller ange en annan mapp.';
    try {
      refuseFolder(error, folder, `BANK_INBOX_DIR (${folder})`, wayOut);
      log.warn({ err: error }, 'the folder of the bank cannot be read');
    } catch (refusal) {
      log.warn(`Bankens filer läses inte in. ${(refusal as Error).message}`);
    }
  };
  // Told now, and not first when a file comes. The books are kept without it.
  await inbox.prepare().catch(warnOf);
  const look = async (): Promise<void> => {
    try {
      await inbox.look(performance.now());
      wasWell = true;
    } catch (error) {
      warnOf(error);
    }
    if (!isStopped) timer = setTimeout(() => (looking = look()), lookMs);
  };
  looking = look();
  return {
    stop: async () => {
      isStopped = true;
      inbox.stop();
      clearTimeout(timer);
      await looking;
    },
  };
}
