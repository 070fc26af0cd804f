/**
 * What people do with their own account. Whoever sits at an open browser must still know the password:
 * tries are counted, so what is refused is answered and not thrown, which would uncount it.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Keyring } from '../../config/keyring.ts';
import { db, type Pool, type Tx, withTx } from '../../db/pool.ts';
import type { Problem } from '../../lib/errors.ts';
import { noKey } from '../secrets/service.ts';
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

const problem = (path: string, reason: string, message: string): Problem => ({
  path,
  reason,
  message,
});

const tooMany = (path: string, seconds: number): Problem =>
  problem(path, 'throttled', `För många försök. Vänta ${Math.ceil(seconds / 60)} min.`);

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

const passwordWrong = problem('password', 'wrong', 'Lösenordet stämmer inte.');

/** The id of a try that was right, or what is wrong with it. */
async function shownIn(
  tx: Tx,
  passwordTry: PasswordTry | undefined,
): Promise<{ id: string } | { problems: Problem[] }> {
  if (passwordTry && 'secondsLeft' in passwordTry) {
    return { problems: [tooMany('password', passwordTry.secondsLeft)] };
  }
  return passwordTry && (await hasShownPassword(tx, passwordTry.id))
    ? passwordTry
    : { problems: [passwordWrong] };
}

/** What is wrong with a new password, before the old one is tried. */
export function newPasswordProblems(typed: {
  readonly password: string;
  readonly next: string;
}): Problem[] {
  const fault = passwordProblem(typed.next);
  if (fault !== null) return [problem('next', 'weak', fault)];
  return typed.next === typed.password
    ? [problem('next', 'same', 'Välj ett annat lösenord än det gamla.')]
    : [];
}

/** Changes the password; the person's other sessions end. */
export async function changePassword(
  tx: Tx,
  { id, actor }: Self,
  passwordTry: PasswordTry | undefined,
  typed: { readonly password: string; readonly next: string },
): Promise<Problem[]> {
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
  | { readonly problems: readonly Problem[] };

const unreadableProblem = problem(
  'code',
  'unreadable',
  'Appens koder kan inte prövas, för servern har inte nyckeln till dem (SECRETS_KEY). Använd en återställningskod.',
);

const codeProblem = problem(
  'code',
  'wrong',
  'Koden stämmer inte, eller är redan använd. Vänta på nästa och försök igen.',
);

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
  if (!secret) return { problems: [problem('', 'wrong', 'Hemligheten är oläslig. Börja om.')] };
  const shown = await shownIn(tx, passwordTry);
  const problems = 'problems' in shown ? shown.problems : [];
  const step = stepOfCode(secret, typed.code, now);
  if (step === undefined) {
    const message =
      'Koden stämmer inte. Kontrollera att telefonens klocka går rätt och skriv den kod som visas nu.';
    return { problems: [...problems, problem('code', 'wrong', message)] };
  }
  if ('problems' in shown) return shown;
  if (!keyring) throw noKey();
  const codes = createRecoveryCodes();
  const factor = { secret, sealed: sealTotpSecret(keyring, id, secret), step };
  const outcome = await turnOnSecondFactor(tx, shown.id, factor, hashesOf(codes));
  if (outcome !== 'done') return { problems: [problemOf(outcome)] };
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
): Promise<readonly Problem[]> {
  const shown = await showBoth(tx, passwordTry, code, ground);
  if ('problems' in shown) return shown.problems;
  const outcome = await turnOffSecondFactor(tx, shown.id, shown.proof);
  if (outcome !== 'done') return [problemOf(outcome)];
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
  if (outcome !== 'done') return { problems: [problemOf(outcome)] };
  await recordEvent(tx, { actor, action: 'user.recovery_codes_renewed', subject: id });
  return { codes };
}

/** The password first: without it nobody gets to try codes. */
async function showBoth(
  tx: Tx,
  passwordTry: PasswordTry | undefined,
  code: string,
  ground: CodeGround,
): Promise<{ id: string; proof: Proof } | { problems: Problem[] }> {
  const shown = await shownIn(tx, passwordTry);
  if ('problems' in shown) return shown;
  const tried = await trySecondFactor(tx);
  if (!tried) return { problems: [problem('', 'off', 'Det andra steget är inte på.')] };
  if (tried.seconds_left > 0) return { problems: [tooMany('code', tried.seconds_left)] };
  const proof = proofOf(openTotpSecret(ground.keyring, tried), code, ground.now);
  if (proof === 'unreadable') return { problems: [unreadableProblem] };
  return proof ? { id: shown.id, proof } : { problems: [codeProblem] };
}

/** What a change that was not made failed on, as its form says it. */
function problemOf(outcome: Exclude<FactorChange, 'done'>): Problem {
  const problems = {
    password: passwordWrong,
    code: codeProblem,
    on: problem('', 'on', 'Det andra steget är redan på.'),
  };
  return problems[outcome];
}

const hashesOf = (codes: readonly string[]): Buffer[] =>
  codes.map(hashOfRecoveryCode).filter((hash) => hash !== undefined);
