import { type Refusal, refuseWhole } from '../../lib/errors.ts';

/** What the database found of a key in the transaction that would have used it. */
export type KeyRefusal = 'unauthorized' | 'key_revoked' | 'insufficient_scope';

/** The refusal of a key that was good when its call was let in, and is no longer. */
export function keyRefusal(outcome: KeyRefusal): Refusal {
  switch (outcome) {
    case 'key_revoked':
      return refuseWhole('key_revoked', 'key_revoked');
    case 'insufficient_scope':
      return refuseWhole('insufficient_scope', 'scope_missing');
    case 'unauthorized':
      return refuseWhole('unauthorized', 'unknown_key');
    default:
      return outcome satisfies never;
  }
}
