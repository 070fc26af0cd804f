/** What opens an installation that has no user: made by the operator, used in the browser. */
import { createSecret, hashOfSecret } from '../../access/keys/secrets.ts';
import { hasUsers } from '../../access/sessions/store.ts';
import { db, type Pool, withTx } from '../../db/pool.ts';
import { insertSetupToken } from './store.ts';

/**
 * A fresh token for the first visit, good for a day; undefined when somebody is a user already.
 * Needs the owner's login.
 */
export async function createSetupToken(pool: Pool): Promise<string | undefined> {
  if (await hasUsers(db(pool))) return undefined;
  const token = createSecret('');
  await withTx(pool, (tx) => insertSetupToken(tx, hashOfSecret(token)));
  return token;
}

/** The address that the operator opens. */
export const firstVisitAddress = (baseUrl: string, token: string): string =>
  `${baseUrl}/kom-igang?nyckel=${token}`;
