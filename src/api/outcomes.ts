/** What becomes of what was sent in, for the calls that wait for it: they are asked about together, and their keys again. */
import { type KeyRefusal, keyRefusal } from '../access/keys/refusal.ts';
import { createBatcher, outcomeWaitMs, type Submit } from '../db/batching/batcher.ts';
import { holderOfCall } from '../http/shedding.ts';

/** Reads many at once, in their order; one whose key has been revoked meanwhile is refused as such. */
export function createOutcomeReader<
  Waiting extends { readonly keyHash: Buffer },
  Outcome extends { refusal: KeyRefusal | null },
>(
  name: string,
  read: (waiting: readonly Waiting[]) => Promise<Outcome[]>,
  maxItems = 500,
): Submit<Waiting, Outcome> {
  return createBatcher<Waiting, Outcome>({
    name,
    maxItems,
    maxInFlight: 2,
    holderOf: holderOfCall,
    waitMs: outcomeWaitMs,
    run: async (waiting) =>
      (await read(waiting)).map((outcome) =>
        outcome.refusal ? keyRefusal(outcome.refusal) : outcome,
      ),
  });
}
