/** Takes in the files that people have asked for: SIE files, and those of the bank. Running twice takes them in once. */

import type { Config } from '#src/config/config.ts';
import { bankImport, type Queue, sieImport } from '#src/db/jobs.ts';
import { createPool, type Pool } from '#src/db/pool.ts';
import type { Task } from './run.ts';

let last: Promise<unknown> = Promise.resolve();

/** One import after the other in a process: each may be large, and holds a connection of the owner's. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}

interface TakeIn {
  readonly owner: Pool;
  readonly teller: Pool;
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/**
 * As the owner of the database, as the commands do: years, accounts and rows of the bank are not for workers, and
 * whoever asked was asked for their right to.
 */
const createImporter =
  (queue: Queue<{ importId: string }>, take: (importId: string, how: TakeIn) => Promise<void>) =>
  ({
    databaseUrl,
    timeZone,
  }: Pick<Config, 'databaseUrl' | 'timeZone'>): Task<{ importId: string }> => {
    const stopping = new AbortController();
    return {
      queue,
      run: async (teller, log, { importId }) => {
        if (databaseUrl === undefined) return;
        await inTurn(async () => {
          const applicationName = `huvudbok ${queue.name}`;
          const owner = createPool({ url: databaseUrl, max: 1, applicationName });
          try {
            await take(importId, { owner, teller, timeZone, signal: stopping.signal });
            log.info({ import_id: importId }, 'import seen to');
          } finally {
            await owner.end();
          }
        });
      },
      interrupt: () => stopping.abort(),
    };
  };

export const createSieImporter = createImporter(sieImport, async (id, how) => {
  const { takeBegunImport } = await import('#src/ledger/sie/begun-imports.ts');
  await takeBegunImport(id, how);
});

export const createBankImporter = createImporter(bankImport, async (id, how) => {
  const { takeBegunImport } = await import('#src/bank/statements/begun-imports.ts');
  await takeBegunImport(id, how);
});
