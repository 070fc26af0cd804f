/** Judges what is only tried, as what is sent would be, and says so to whoever waits: nothing becomes of it. */
import { decisionChannel } from '#src/db/decisions.ts';
import { intakeTrial } from '#src/db/jobs.ts';
import { tryOrder } from '#src/intake/orders/service.ts';
import { listTrials, lockTrials, writeOutcome } from '#src/intake/trials/store.ts';
import { jsonOf } from '#src/lib/errors.ts';
import { portionsOf } from '#src/lib/portions.ts';
import type { Worker } from './run.ts';

/** Of bytes in memory at the same time, which read take several times as much. */
const portionBytes = 4_000_000;

export const trials: Worker<{ trialId: string }> = {
  queue: intakeTrial,
  concurrency: 1,
  handle: async (tx, payloads) => {
    const locked = await lockTrials(
      tx,
      payloads.map(({ trialId }) => trialId),
    );
    for (const portion of portionsOf(locked, ({ bytes }) => bytes, portionBytes)) {
      for (const { id, kind, raw } of await listTrials(
        tx,
        portion.map((trial) => trial.id),
      )) {
        const outcome = kind === 'order' ? await tryOrder(tx, raw) : await tryDocument(raw);
        await writeOutcome(tx, { id, outcome: jsonOf(outcome), channel: decisionChannel });
      }
    }

    /** Their many rules are loaded with the first: most installations get none. */
    async function tryDocument(raw: Buffer) {
      const { tryEInvoice } = await import('#src/purchases/e-invoices/service.ts');
      return tryEInvoice(tx, raw);
    }
  },
};
