/** Logging in and out. The browser holds a random secret; the database knows its SHA-256. */
import { db, type Pool, withTx } from '../db/pool.ts';
import { createSecret, hashOfSecret } from '../keys/secrets.ts';
import { isRightPassword } from '../users/passwords.ts';
import { proofOf } from '../users/second-factor.ts';
import { completeSession, trySecondFactor } from '../users/second-factor-store.ts';
import {
  countLogin,
  enterSession,
  findLogin,
  insertSession,
  nameRequest,
  recordRefusedLogin,
  type SessionRow,
} from './store.ts';

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

/** Every attempt costs the same time, whether the account exists or not. */
export async function logIn(pool: Pool, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { email, password, address, agent, requestId } = attempt;
  const secondsLeft = await countLogin(db(pool), email, address);
  if (secondsLeft > 0) return { outcome: 'throttled', secondsLeft };
  const login = await findLogin(db(pool), email);
  const isRight = await isRightPassword(password, login?.password_hash ?? null);
  if (!login || !isRight) {
    await noteRefusal(pool, login?.user_id ?? null, attempt);
    return { outcome: 'refused' };
  }
  const token = createSecret('');
  const isComplete = !login.has_second_factor;
  await withTx(pool, async (tx) => {
    await nameRequest(tx, requestId);
    await insertSession(tx, {
      userId: login.user_id,
      hash: hashOfSecret(token),
      previous: attempt.previous === undefined ? null : hashOfSecret(attempt.previous),
      isComplete,
      address,
      agent,
    });
  });
  return { outcome: isComplete ? 'logged_in' : 'second_factor', token };
}

export interface CodeAttempt {
  readonly session: Buffer;
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
  const { session, code, now, address, agent, requestId } = attempt;
  const tried = await withTx(pool, async (tx) => {
    const row = await enterSession(tx, session, requestId);
    return row && !row.is_complete
      ? { userId: row.user_id, factor: await trySecondFactor(tx) }
      : undefined;
  });
  if (!tried?.factor) return { outcome: 'not_waiting' };
  const { seconds_left: secondsLeft, secret } = tried.factor;
  if (secret === null) return { outcome: 'throttled', secondsLeft };
  const proof = proofOf(secret, code, now);
  const token = createSecret('');
  const isDone =
    proof !== undefined &&
    (await withTx(pool, async (tx) => {
      await enterSession(tx, session, requestId);
      return completeSession(tx, proof, { hash: hashOfSecret(token), address, agent });
    }));
  if (isDone) {
    return { outcome: 'logged_in', token, usedRecoveryCode: proof.recoveryHash !== null };
  }
  await noteRefusal(pool, tried.userId, attempt);
  return { outcome: 'refused' };
}

/** For nobody (null) nothing is kept, but it takes as long. */
async function noteRefusal(
  pool: Pool,
  userId: string | null,
  { address, requestId }: Pick<LoginAttempt, 'address' | 'requestId'>,
): Promise<void> {
  await withTx(pool, async (tx) => {
    await nameRequest(tx, requestId);
    await recordRefusedLogin(tx, userId, address);
  });
}
