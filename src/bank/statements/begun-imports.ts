/**
 * Files that people have sent: looked at, asked for, and taken in by a worker while the page says how far it has come.
 * Killed in the middle it leaves nothing behind, and whoever takes over the job begins from the beginning.
 */
import { recordEvent } from '../../audit/store.ts';
import { bankImport, enqueue } from '../../db/jobs.ts';
import { type Db, db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import { systemClock } from '../../lib/clock.ts';
import { AppError, jsonOf, Refusal, refuseWhole } from '../../lib/errors.ts';
import { nowAndThen } from '../../lib/now-and-then.ts';
import { type SourceFile, storedSource } from '../../lib/source-file.ts';
import { uuid } from '../../lib/uuid.ts';
import { lockBankAccounts } from '../transaction-store.ts';
import {
  type BankImport,
  type BankImportChoices,
  findBankImport,
  getBankFile,
  getBankImport,
  insertBankFile,
  insertBankImport,
  setAsked,
  setFailed,
  setFinished,
  setProgress,
} from './import-store.ts';
import { carryOut, planImport, readFiles, reportOf } from './importing.ts';
import type { BankImportReport } from './report.ts';

/** Keeps the files, to be looked at. */
export async function keepFiles(
  tx: Tx,
  sources: readonly SourceFile[],
  accountId: string | null,
  actor: string,
): Promise<string> {
  for (const { sha256, fileName, size, gzip } of sources) {
    await insertBankFile(tx, { sha256, fileName, size, gzip: await gzip() }, actor);
  }
  const id = uuid();
  await insertBankImport(tx, { id, accountId, files: sources }, actor);
  return id;
}

export async function sourcesOf(database: Db, { files }: BankImport): Promise<SourceFile[]> {
  const sources: SourceFile[] = [];
  for (const { sha256, fileName } of files) {
    const stored = await getBankFile(database, sha256);
    sources.push({ ...storedSource(sha256, stored), fileName });
  }
  return sources;
}

/** Has a worker take them in, in the name of whoever asks. Throws 422 when they are on their way already. */
export async function askForImport(
  tx: Tx,
  id: string,
  choices: BankImportChoices,
  actor: string,
): Promise<void> {
  if (!(await setAsked(tx, id, choices, actor)))
    throw refuseWhole('unprocessable', 'bank_import_taken');
  await enqueue(tx, bankImport, [{ importId: id }]);
}

export const choicesOf = ({
  account_id,
  is_accepted,
  equal_rows,
}: BankImport): BankImportChoices => ({
  accountId: account_id,
  isAccepted: is_accepted,
  equalRows: equal_rows,
});

/** Takes in files that are kept, in the caller's transaction. */
export async function takeIn(
  tx: Tx,
  one: {
    readonly id: string;
    readonly sources: readonly SourceFile[];
    readonly choices: BankImportChoices;
    readonly today: string;
  },
  actor: string,
  progress: (bytes: number) => void = () => undefined,
): Promise<BankImportReport> {
  const { id, sources, choices, today } = one;
  const size = sources.reduce((sum, source) => sum + source.size, 0);
  const files = await readFiles(tx, sources, today, (bytes) => progress(bytes / 2));
  await lockBankAccounts(tx);
  // Somebody else may have been given the same job.
  const { report: before } = await getBankImport(tx, id);
  if (before !== null) return before;
  const plan = await planImport(tx, files, choices);
  const rest = (done: number, all: number) => progress(size / 2 + ((size / 2) * done) / all);
  await carryOut(tx, plan, { importId: id, actor, progress: rest });
  const report = reportOf(plan);
  await setFinished(tx, id, report, actor);
  const { taken, added } = report;
  const detail = { files: files.length, statements: taken, rows: added };
  if (taken > 0) await recordEvent(tx, { actor, action: 'bank.imported', subject: id, detail });
  return report;
}

export interface TakeFilesIn {
  /** As whom it is taken in: the owner of the database. */
  readonly owner: Pool;
  /** As whom it is told how far it has come, meanwhile. */
  readonly teller: Pool;
  /** Where the company is. */
  readonly timeZone: string;
  /** Aborted when the process is to stop: nothing is taken in, and the next one begins anew. */
  readonly signal: AbortSignal;
}

/**
 * As whoever asked for it; what nobody has asked for stays as it is, whatever job there is of it. May run twice. What may
 * pass, or is our own fault, is thrown.
 */
export async function takeBegunImport(
  id: string,
  { owner, teller, timeZone, signal }: TakeFilesIn,
): Promise<void> {
  const begun = await findBankImport(db(owner), id);
  if (!begun || begun.finished_at !== null) return;
  const { asked_by: actor } = begun;
  if (actor === null) return;
  await setProgress(db(teller), id, 0);
  const tell = nowAndThen((bytes) => setProgress(db(teller), id, Math.round(bytes)));
  try {
    await withTx(owner, async (tx) => {
      const today = systemClock(timeZone).today();
      const one = { id, sources: await sourcesOf(tx, begun), choices: choicesOf(begun), today };
      await takeIn(tx, one, actor, (bytes) => {
        signal.throwIfAborted();
        tell(bytes);
      });
    });
  } catch (error) {
    const isPassing = signal.aborted || (error instanceof AppError && error.status >= 500);
    if (isPassing) throw error;
    const told = error instanceof Refusal ? (error.whole ?? error.faults[0]) : null;
    await setFailed(db(teller), id, jsonOf(told ?? { reason: 'bank_import_broke' }));
    if (!(error instanceof AppError)) throw error;
  }
}
