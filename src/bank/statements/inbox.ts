/**
 * A file of the bank that was laid in an account's folder: taken in for that account, or left to a person. Nobody is
 * there to be asked, so what is in doubt waits; and what was killed on its way is begun anew, where all that is in
 * already is known.
 */
import { db, type Pool, withTx } from '../../db/pool.ts';
import type { SourceFile } from '../../lib/source-file.ts';
import { keepFiles, takeIn } from './begun-imports.ts';
import { findWaitingImport } from './import-store.ts';
import { planImport, readFiles, reportOf } from './importing.ts';
import { type BankImportReport, waitingIn } from './report.ts';
import { listIdentifiedAccounts } from './statement-store.ts';

/** As whom files are taken in: the queue that does the same when people ask. */
const actor = 'job:bank-import';

/** `waits` says why, by a report of its statements or in a word. */
export type InboxVerdict =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'no_account' | 'broke' | 'too_large' | 'unreadable' | 'no_file' }
  /** It names another account of ours than the folder does. */
  | { readonly outcome: 'other_account'; readonly name: string }
  | {
      readonly outcome: 'waits';
      readonly report: BankImportReport;
      /** Where a person can say what is asked; null when there is nothing to say. */
      readonly importId: string | null;
    };

/** May run twice, also of a file that is in: it is taken then, and nothing is written. */
export async function takeFromInbox(
  owner: Pool,
  ledgerAccount: number,
  source: SourceFile,
  { today, signal }: { readonly today: string; readonly signal: AbortSignal },
): Promise<InboxVerdict> {
  const accounts = await listIdentifiedAccounts(db(owner));
  const account = accounts.find((one) => one.ledger_account === ledgerAccount);
  if (!account) return { outcome: 'no_account' };
  const choices = { accountId: account.id, isAccepted: false, equalRows: null };
  const stop = () => signal.throwIfAborted();
  const files = await readFiles(db(owner), [source], today, stop);
  const plan = await planImport(db(owner), files, choices);
  let report = reportOf(plan);
  const named = statementsOf(report).find(
    ({ accountId }) => accountId !== null && accountId !== account.id,
  );
  if (named) return { outcome: 'other_account', name: named.accountName ?? '' };
  if (report.taken > 0) {
    report = await withTx(owner, async (tx) => {
      const id = await keepFiles(tx, [source], account.id, actor);
      return takeIn(tx, { id, sources: [source], choices, today }, actor, stop);
    });
  }
  const statements = statementsOf(report);
  const isIn = statements.every(({ outcome }) => outcome === 'taken' || outcome === 'known');
  if (statements.length > 0 && isIn) return { outcome: 'taken' };
  return { outcome: 'waits', report, importId: await askedOf(owner, report, source, account.id) };
}

const statementsOf = ({ files }: BankImportReport) => files.flatMap((file) => file.statements);

/** The page where somebody can say what is asked of the file: one, however often it comes. */
async function askedOf(
  owner: Pool,
  report: BankImportReport,
  source: SourceFile,
  accountId: string,
): Promise<string | null> {
  if (waitingIn(report).length === 0) return null;
  return withTx(owner, async (tx) => {
    const waiting = await findWaitingImport(tx, source.sha256, accountId);
    return waiting ?? keepFiles(tx, [source], accountId, actor);
  });
}
