import { AppError } from '../../lib/errors.ts';

/** What the database found of a key in the transaction that would have used it. */
export type KeyRefusal = 'unauthorized' | 'key_revoked' | 'insufficient_scope';

/** The refusal of a key that was good when its call was let in, and is no longer. */
export function keyRefusal(outcome: KeyRefusal): AppError {
  switch (outcome) {
    case 'key_revoked':
      return new AppError('key_revoked', 'API-nyckeln är återkallad av ägaren.');
    case 'insufficient_scope':
      return new AppError('insufficient_scope', 'API-nyckeln saknar den behörighet som krävs.');
    case 'unauthorized':
      return new AppError('unauthorized', 'API-nyckeln är okänd eller har gått ut.');
    default:
      return outcome satisfies never;
  }
}
