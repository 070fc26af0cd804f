/** Refusals come in one order, 409 before 422: also where a rule of ours refuses before the database has judged the call. */
import type { Db } from '../../db/pool.ts';
import { AppError } from '../../lib/errors.ts';
import { lookAtCall, type WriteRoute } from './write-call-store.ts';
import { callRefusal, type WriteCall } from './write-calls.ts';

/**
 * What a rule makes of a call. Throws the rule's refusal, or instead of 422 the one that comes before it: that the
 * Idempotency-Key has been used with another body, or that the key has been revoked since.
 */
export async function ruleOnCall<T>(
  db: Db,
  { route, call }: { readonly route: WriteRoute; readonly call: WriteCall },
  rule: () => T,
): Promise<T> {
  try {
    return rule();
  } catch (error) {
    if (error instanceof AppError && error.status === 422) {
      const before = await lookAtCall(db, route, call);
      if (before) throw callRefusal(before, call.request);
    }
    throw error;
  }
}
