/** Logging in and out. The browser holds a random secret; the database knows its SHA-256. */
import { db, type Pool, withTx } from '../db/pool.ts';
import { createSecret, hashOfSecret } from '../keys/secrets.ts';
import { isRightPassword } from '../users/passwords.ts';
import { countLogin, findLogin, insertSession, recordRefusedLogin } from './store.ts';

export interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  /** The sender's, as PostgreSQL can keep it. */
  readonly address: string;
  /** The browser's name for itself. */
  readonly agent: string;
  /** The session the browser already had. */
  readonly previous: string | undefined;
}

export type LoginOutcome =
  | { readonly outcome: 'throttled'; readonly secondsLeft: number }
  /** Never says which of the two was wrong. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'logged_in' | 'second_factor'; readonly token: string };

/** Every attempt costs the same time, whether the account exists or not. */
export async function logIn(pool: Pool, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { email, password, address, agent } = attempt;
  const secondsLeft = await countLogin(db(pool), email, address);
  if (secondsLeft > 0) return { outcome: 'throttled', secondsLeft };
  const login = await findLogin(db(pool), email);
  const isRight = await isRightPassword(password, login?.password_hash ?? null);
  if (!login || !isRight) {
    if (login) await withTx(pool, (tx) => recordRefusedLogin(tx, login.user_id, address));
    return { outcome: 'refused' };
  }
  const token = createSecret('');
  const isComplete = !login.has_second_factor;
  await withTx(pool, (tx) =>
    insertSession(tx, {
      userId: login.user_id,
      hash: hashOfSecret(token),
      previous: attempt.previous === undefined ? null : hashOfSecret(attempt.previous),
      isComplete,
      address,
      agent,
    }),
  );
  return { outcome: isComplete ? 'logged_in' : 'second_factor', token };
}
