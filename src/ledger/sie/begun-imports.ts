/**
 * Imports that people ask for at a page: a worker takes them in, while the page says how far it has come. Killed
 * in the middle it leaves nothing behind, and whoever takes over the job begins from the beginning.
 */
import { enqueue, sieImport } from '../../db/jobs.ts';
import { db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import { AppError, jsonOf, Refusal } from '../../lib/errors.ts';
import { nowAndThen } from '../../lib/now-and-then.ts';
import { uuid } from '../../lib/uuid.ts';
import {
  type BegunImport,
  deleteBegunImport,
  findBegunImport,
  insertBegunImport,
  setFailed,
  setProgress,
} from './begun-store.ts';
import { importSie } from './importing.ts';
import { keptSource } from './sources.ts';

/** The id that the import gets once it is in the books. */
export async function askForImport(
  tx: Tx,
  asked: Pick<BegunImport, 'sha256' | 'difference_account' | 'is_accepted'>,
  actor: string,
): Promise<string> {
  const id = uuid();
  await insertBegunImport(tx, { id, ...asked }, actor);
  await enqueue(tx, sieImport, [{ importId: id }]);
  return id;
}

export interface TakeIn {
  /** As whom it is posted: the owner of the database. */
  readonly owner: Pool;
  /** As whom it is told how far it has come, meanwhile. */
  readonly teller: Pool;
  readonly timeZone: string;
  /** Aborted when the process is to stop: nothing is taken in, and the next one begins anew. */
  readonly signal: AbortSignal;
}

/**
 * Takes it in, whole or not at all, as whoever asked for it. What is in the way is kept for the page to say; what
 * may pass (somebody else imports, the database is away) or is our own fault is thrown. May run twice.
 */
export async function takeBegunImport(
  id: string,
  { owner, teller, timeZone, signal }: TakeIn,
): Promise<void> {
  const begun = await findBegunImport(db(owner), id);
  if (!begun) return;
  await setProgress(db(teller), id, 0);
  const tell = nowAndThen((bytes) => setProgress(db(teller), id, bytes));
  try {
    const isIn = await withTx(owner, async (tx) => {
      const options = {
        id,
        isAccepted: begun.is_accepted,
        differenceAccount: begun.difference_account,
        timeZone,
        progress: (bytes: number) => {
          signal.throwIfAborted();
          tell(bytes);
        },
      };
      const source = await keptSource(tx, begun.sha256);
      const outcome = await importSie(tx, source, options, begun.created_by);
      if (outcome.id !== null) await deleteBegunImport(tx, id);
      return outcome.id !== null;
    });
    if (!isIn) await setFailed(db(teller), id, jsonOf({ reason: 'sie_not_taken' }));
  } catch (error) {
    const isPassing = signal.aborted || (error instanceof AppError && error.status >= 500);
    if (isPassing) throw error;
    await setFailed(db(teller), id, jsonOf(reasonIn(error)));
    if (!(error instanceof AppError)) throw error;
  }
}

/** As it is kept: a fault, whose sentence is the page's to say. */
function reasonIn(error: unknown): object {
  const told = error instanceof Refusal ? (error.whole ?? error.faults[0]) : null;
  return told ?? { reason: 'sie_import_broke' };
}
