/** Logging in and out. The browser holds a random secret; the database knows its SHA-256. */

import type { Keyring } from '../../config/keyring.ts';
import { db, type Pool, withTx } from '../../db/pool.ts';
import { createSecret, hashOfSecret } from '../keys/secrets.ts';
import { rawHashOf } from '../users/passwords.ts';
import { openTotpSecret, proofOf } from '../users/second-factor.ts';
import { completeSession, trySecondFactor } from '../users/second-factor-store.ts';
import { answerTry } from '../users/store.ts';
import { beginSession, enterSession, findLogin, nameRequest, type SessionRow } from './store.ts';

export interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  /** The sender's, as PostgreSQL can keep it. */
  readonly address: string;
  /** The browser's name for itself. */
  readonly agent: string;
  readonly requestId: string;
  /** The session the browser already had. */
  readonly previous: string | undefined;
}

export type LoginOutcome =
  | { readonly outcome: 'throttled'; readonly secondsLeft: number }
  /** Never says which of the two was wrong. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'logged_in' | 'second_factor'; readonly token: string };

/**
 * Every attempt costs the same time, whether the account exists or not. Three transactions: counted,
 * answered, told of; the database judges, and only what has been counted for good.
 */
export async function logIn(pool: Pool, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { email, password, address, agent, requestId } = attempt;
  const started = await findLogin(db(pool), email, address);
  if (started.try === null) return { outcome: 'throttled', secondsLeft: started.seconds_left };
  await answerTry(db(pool), started.try, await rawHashOf(password, started));
  const token = createSecret('');
  const outcome = await withTx(pool, async (tx) => {
    await nameRequest(tx, requestId);
    const previous = attempt.previous === undefined ? null : hashOfSecret(attempt.previous);
    return beginSession(tx, started.try, { hash: hashOfSecret(token), address, agent }, previous);
  });
  return outcome === 'refused' ? { outcome } : { outcome, token };
}

export interface CodeAttempt {
  readonly session: Buffer;
  /** What opens the secret of the second factor. */
  readonly keyring: Keyring | undefined;
  /** Six digits, or a recovery code. */
  readonly code: string;
  readonly now: Date;
  readonly address: string;
  readonly agent: string;
  readonly requestId: string;
}

export type CodeOutcome =
  | { readonly outcome: 'throttled'; readonly secondsLeft: number }
  /** The session no longer waits for a code, or has waited too long. */
  | { readonly outcome: 'not_waiting' }
  | { readonly outcome: 'refused' }
  /** The secret cannot be read here, so only recovery codes can be tried. */
  | { readonly outcome: 'unreadable' }
  | { readonly outcome: 'logged_in'; readonly token: string; readonly usedRecoveryCode: boolean };

/** Whether a session waits for its second factor; undefined when it opens nothing at all. */
export async function findWaiting(
  pool: Pool,
  session: Buffer,
  requestId: string,
): Promise<SessionRow | undefined> {
  return withTx(pool, (tx) => enterSession(tx, session, requestId));
}

/** The second step. The try is committed before the code is looked at, so that no fault uncounts it. */
export async function logInWithCode(pool: Pool, attempt: CodeAttempt): Promise<CodeOutcome> {
  const { session, keyring, code, now, address, agent, requestId } = attempt;
  const tried = await withTx(pool, async (tx) => {
    const row = await enterSession(tx, session, requestId);
    return row && !row.is_complete ? trySecondFactor(tx) : undefined;
  });
  if (!tried) return { outcome: 'not_waiting' };
  const { seconds_left: secondsLeft } = tried;
  if (secondsLeft > 0) return { outcome: 'throttled', secondsLeft };
  const proof = proofOf(openTotpSecret(keyring, tried), code, now);
  if (proof === 'unreadable') return { outcome: 'unreadable' };
  const token = createSecret('');
  const isDone = await withTx(pool, async (tx) => {
    await enterSession(tx, session, requestId);
    return completeSession(tx, proof, { hash: hashOfSecret(token), address, agent });
  });
  return isDone
    ? { outcome: 'logged_in', token, usedRecoveryCode: proof?.recoveryHash != null }
    : { outcome: 'refused' };
}
