/** What becomes of orders, for the calls that wait: many read at once. */

import { keyRefusal } from '../../access/keys/refusal.ts';
import { createBatcher, outcomeWaitMs, type Submit } from '../../db/batching/batcher.ts';
import { db, type Pool } from '../../db/pool.ts';
import { holderOfCall } from '../../http/shedding.ts';
import { listOutcomes, type OrderOutcome } from '../../intake/orders/store.ts';

/** An attempt, and the SHA-256 of the key that asks about it. */
export interface WaitingSender {
  readonly keyHash: Buffer;
  readonly orderId: string;
  readonly attemptId: string | null;
}

export function createOutcomeReader(pool: Pool): Submit<WaitingSender, OrderOutcome> {
  return createBatcher<WaitingSender, OrderOutcome>({
    name: 'order outcomes',
    maxItems: 500,
    maxInFlight: 2,
    holderOf: holderOfCall,
    waitMs: outcomeWaitMs,
    run: async (orders) => {
      const outcomes = await listOutcomes(db(pool), orders);
      return outcomes.map((outcome) => (outcome.refusal ? keyRefusal(outcome.refusal) : outcome));
    },
  });
}
