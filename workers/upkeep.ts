/** What keeps the installation well while nobody looks. Safe to run at any moment and any number of times. */

import { purge, verification } from '#src/db/jobs.ts';
import { db, withTx } from '#src/db/pool.ts';
import { purgeExpired } from '#src/installation/operations/store.ts';
import { purgePreviews } from '#src/render/preview-store.ts';
import { purgePages } from '#src/render/store.ts';
import type { Task } from './run.ts';

/** Clears away what has served its time. */
export const purging: Task<Record<string, never>> = {
  queue: purge,
  schedule: 'hourly',
  run: async (pool, log) => {
    const purged = await withTx(pool, purgeExpired);
    const { purgeSieFiles } = await import('#src/ledger/sie/begun-store.ts');
    const sieFiles = await withTx(pool, purgeSieFiles);
    const { purgeBankFiles } = await import('#src/bank/statements/import-store.ts');
    const bankFiles = await withTx(pool, purgeBankFiles);
    const pages = await withTx(pool, purgePages);
    const previews = await withTx(pool, purgePreviews);
    log.info({ purged: { ...purged, sieFiles, bankFiles, pages, previews } }, 'purged');
  },
};

/** Proves the books whole every night; what it found is shown in /readyz and the audit trail. */
export const verifying: Task<Record<string, never>> = {
  queue: verification,
  schedule: 'nightly',
  run: async (pool, log) => {
    const { verifyBooks } = await import('#src/ledger/verification/service.ts');
    const { insertVerification } = await import('#src/ledger/verification/store.ts');
    const result = await verifyBooks(db(pool), () => undefined);
    await withTx(pool, (tx) => insertVerification(tx, result, 'job:verification'));
    if (result.problems.length > 0) log.error({ result }, 'the books do not hold');
    else log.info({ vouchers: result.vouchers }, 'the books hold');
  },
};
