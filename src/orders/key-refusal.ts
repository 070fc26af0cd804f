/** The key is judged again in every statement; this is what its caller hears when it no longer may. */
import { AppError } from '../errors.ts';

export type KeyRefusal = 'unauthorized' | 'key_revoked' | 'insufficient_scope';

const sentences: Record<KeyRefusal, string> = {
  unauthorized: 'API-nyckeln är okänd eller har gått ut.',
  key_revoked: 'API-nyckeln är återkallad av ägaren.',
  insufficient_scope: 'Nyckeln saknar intake:write.',
};

export const keyRefusal = (refusal: KeyRefusal): AppError =>
  new AppError(refusal, sentences[refusal]);
