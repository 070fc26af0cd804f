/**
 * What people do with their own account. Whoever sits at an open browser must still know the password:
 * tries are counted, so what is refused is answered and not thrown, which would uncount it.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Keyring } from '../../config/keyring.ts';
import { db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import { type Fault, refuseWhole } from '../../lib/errors.ts';
import { enterSession } from '../sessions/store.ts';
import { hashOfPassword, passwordProblem, rawHashOf } from './passwords.ts';
import {
  createRecoveryCodes,
  hashOfRecoveryCode,
  openTotpSecret,
  type Proof,
  proofOf,
  readTotpSecret,
  sealTotpSecret,
  stepOfCode,
} from './second-factor.ts';
import {
  type FactorChange,
  renewRecoveryCodes,
  trySecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor-store.ts';
import { answerTry, changeOwnPasswordHash, hasShownPassword, tryPassword } from './store.ts';

/** Whose account it is. */
export interface Self {
  readonly id: string;
  readonly actor: string;
}

const tooMany = (path: string, seconds: number): Fault => ({
  path,
  reason: 'too_many_tries',
  params: { minutes: Math.ceil(seconds / 60) },
});

/** A try of the person's own password, committed before what it is tried for begins. */
export type PasswordTry =
  | { readonly id: string }
  /** Not tried: how long until it may be. */
  | { readonly secondsLeft: number };

/**
 * Tries the password that somebody types to show that they are still themselves. Undefined when nobody is
 * logged in. In transactions of its own: what is counted stays counted, whatever the rest comes to.
 */
export async function tryOwnPassword(
  pool: Pool,
  session: Buffer,
  password: string,
  requestId: string,
): Promise<PasswordTry | undefined> {
  const started = await withTx(pool, async (tx) =>
    (await enterSession(tx, session, requestId)) ? tryPassword(tx) : undefined,
  );
  if (!started) return undefined;
  if (started.try === null) return { secondsLeft: started.seconds_left };
  await answerTry(db(pool), started.try, await rawHashOf(password, started));
  return { id: started.try };
}

const passwordWrong: Fault = { path: 'password', reason: 'password_wrong' };

/** The id of a try that was right, or what is wrong with it. */
async function shownIn(
  tx: Tx,
  passwordTry: PasswordTry | undefined,
): Promise<{ id: string } | { problems: Fault[] }> {
  if (passwordTry && 'secondsLeft' in passwordTry) {
    return { problems: [tooMany('password', passwordTry.secondsLeft)] };
  }
  return passwordTry && (await hasShownPassword(tx, passwordTry.id))
    ? passwordTry
    : { problems: [passwordWrong] };
}

export interface NewPassword {
  readonly password: string;
  readonly next: string;
  /** What anyone tries first of whoever it is to be (`passwordProblem`); none where it is not yet known who that is. */
  readonly names?: readonly string[];
}

/** What is wrong with a new password, before the old one is tried. */
export function newPasswordProblems(typed: NewPassword): Fault[] {
  const fault = passwordProblem(typed.next, typed.names ?? []);
  if (fault !== null) return [{ path: 'next', ...fault }];
  return typed.next === typed.password ? [{ path: 'next', reason: 'password_same' }] : [];
}

/** Changes the password; the person's other sessions end. */
export async function changePassword(
  tx: Tx,
  { id, actor }: Self,
  passwordTry: PasswordTry | undefined,
  typed: NewPassword,
): Promise<Fault[]> {
  const problems = newPasswordProblems(typed);
  if (problems.length > 0) return problems;
  const shown = await shownIn(tx, passwordTry);
  if ('problems' in shown) return shown.problems;
  if (!(await changeOwnPasswordHash(tx, shown.id, await hashOfPassword(typed.next)))) {
    return [passwordWrong];
  }
  await recordEvent(tx, { actor, action: 'user.password_changed', subject: id });
  return [];
}

export type CodesOrProblems =
  | { readonly codes: readonly string[] }
  | { readonly problems: readonly Fault[] };

const codesUnreadable: Fault = { path: 'code', reason: 'codes_unreadable' };
const codeWrong: Fault = { path: 'code', reason: 'code_wrong' };

/** What codes are held against. */
export interface CodeGround {
  readonly keyring: Keyring | undefined;
  readonly now: Date;
}

/** Turns on the second factor, once a code shows that the device has the secret. */
export async function addSecondFactor(
  tx: Tx,
  { id, actor }: Self,
  passwordTry: PasswordTry | undefined,
  typed: { readonly secret: string; readonly code: string },
  { keyring, now }: CodeGround,
): Promise<CodesOrProblems> {
  const secret = readTotpSecret(typed.secret);
  if (!secret) return { problems: [{ path: '', reason: 'secret_unreadable' }] };
  const shown = await shownIn(tx, passwordTry);
  const problems = 'problems' in shown ? shown.problems : [];
  const step = stepOfCode(secret, typed.code, now);
  if (step === undefined) {
    return { problems: [...problems, { path: 'code', reason: 'first_code_wrong' }] };
  }
  if ('problems' in shown) return shown;
  if (!keyring) throw refuseWhole('unprocessable', 'no_secrets_key');
  const codes = createRecoveryCodes();
  const factor = { secret, sealed: sealTotpSecret(keyring, id, secret), step };
  const outcome = await turnOnSecondFactor(tx, shown.id, factor, hashesOf(codes));
  if (outcome !== 'done') return { problems: [faultFor(outcome)] };
  await recordEvent(tx, { actor, action: 'user.second_factor_on', subject: id });
  return { codes };
}

/** Turns the second factor off; password and code are both asked for. */
export async function dropSecondFactor(
  tx: Tx,
  { id, actor }: Self,
  passwordTry: PasswordTry | undefined,
  code: string,
  ground: CodeGround,
): Promise<readonly Fault[]> {
  const shown = await showBoth(tx, passwordTry, code, ground);
  if ('problems' in shown) return shown.problems;
  const outcome = await turnOffSecondFactor(tx, shown.id, shown.proof);
  if (outcome !== 'done') return [faultFor(outcome)];
  await recordEvent(tx, { actor, action: 'user.second_factor_off', subject: id });
  return [];
}

/** New recovery codes; the old ones open nothing any more. */
export async function replaceRecoveryCodes(
  tx: Tx,
  { id, actor }: Self,
  passwordTry: PasswordTry | undefined,
  code: string,
  ground: CodeGround,
): Promise<CodesOrProblems> {
  const shown = await showBoth(tx, passwordTry, code, ground);
  if ('problems' in shown) return shown;
  const codes = createRecoveryCodes();
  const outcome = await renewRecoveryCodes(tx, shown.id, shown.proof, hashesOf(codes));
  if (outcome !== 'done') return { problems: [faultFor(outcome)] };
  await recordEvent(tx, { actor, action: 'user.recovery_codes_renewed', subject: id });
  return { codes };
}

/** The password first: without it nobody gets to try codes. */
async function showBoth(
  tx: Tx,
  passwordTry: PasswordTry | undefined,
  code: string,
  ground: CodeGround,
): Promise<{ id: string; proof: Proof } | { problems: Fault[] }> {
  const shown = await shownIn(tx, passwordTry);
  if ('problems' in shown) return shown;
  const tried = await trySecondFactor(tx);
  if (!tried) return { problems: [{ path: '', reason: 'second_factor_off' }] };
  if (tried.seconds_left > 0) return { problems: [tooMany('code', tried.seconds_left)] };
  const proof = proofOf(openTotpSecret(ground.keyring, tried), code, ground.now);
  if (proof === 'unreadable') return { problems: [codesUnreadable] };
  return proof ? { id: shown.id, proof } : { problems: [codeWrong] };
}

/** What a change that was not made failed on, for its form. */
function faultFor(outcome: Exclude<FactorChange, 'done'>): Fault {
  const faults: Record<typeof outcome, Fault> = {
    password: passwordWrong,
    code: codeWrong,
    on: { path: '', reason: 'second_factor_on' },
  };
  return faults[outcome];
}

const hashesOf = (codes: readonly string[]): Buffer[] =>
  codes.map(hashOfRecoveryCode).filter((hash) => hash !== undefined);
