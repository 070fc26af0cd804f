/**
 * What people do with their own account. Whoever sits at an open browser must still know the password:
 * tries are counted, so what is refused is answered and not thrown, which would uncount it.
 */
import { recordEvent } from '../audit/store.ts';
import type { Tx } from '../db/pool.ts';
import type { Problem } from '../errors.ts';
import { hashOfPassword, isRightPassword, passwordProblem } from './passwords.ts';
import {
  createRecoveryCodes,
  hashOfRecoveryCode,
  type Proof,
  proofOf,
  readTotpSecret,
  stepOfCode,
} from './second-factor.ts';
import {
  renewRecoveryCodes,
  trySecondFactor,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor-store.ts';
import { changeOwnPasswordHash, tryPassword } from './store.ts';

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

/** What is wrong with the password that somebody typed to show that they are themselves. */
async function checkPassword(tx: Tx, password: string): Promise<Problem[]> {
  const tried = await tryPassword(tx);
  if (tried && tried.seconds_left > 0) return [tooMany('password', tried.seconds_left)];
  const isRight = await isRightPassword(password, tried?.password_hash ?? null);
  return isRight ? [] : [problem('password', 'wrong', 'Lösenordet stämmer inte.')];
}

/** Changes the password; the person's other sessions end. */
export async function changePassword(
  tx: Tx,
  { id, actor }: Self,
  { password, next }: { readonly password: string; readonly next: string },
): Promise<Problem[]> {
  const fault = passwordProblem(next);
  if (fault !== null) return [problem('next', 'weak', fault)];
  if (next === password) return [problem('next', 'same', 'Välj ett annat lösenord än det gamla.')];
  const problems = await checkPassword(tx, password);
  if (problems.length > 0) return problems;
  await recordEvent(tx, { actor, action: 'user.password_changed', subject: id });
  await changeOwnPasswordHash(tx, await hashOfPassword(next));
  return [];
}

export type CodesOrProblems =
  | { readonly codes: readonly string[] }
  | { readonly problems: readonly Problem[] };

const codeProblem = problem(
  'code',
  'wrong',
  'Koden stämmer inte, eller är redan använd. Vänta på nästa och försök igen.',
);

/** Turns on the second factor, once a code shows that the device has the secret. */
export async function addSecondFactor(
  tx: Tx,
  { id, actor }: Self,
  typed: { readonly secret: string; readonly code: string; readonly password: string },
  now: Date,
): Promise<CodesOrProblems> {
  const secret = readTotpSecret(typed.secret);
  if (!secret) return { problems: [problem('', 'wrong', 'Hemligheten är oläslig. Börja om.')] };
  const problems = await checkPassword(tx, typed.password);
  const step = stepOfCode(secret, typed.code, now);
  if (step === undefined) {
    const message =
      'Koden stämmer inte. Kontrollera att telefonens klocka går rätt och skriv den kod som visas nu.';
    return { problems: [...problems, problem('code', 'wrong', message)] };
  }
  if (problems.length > 0) return { problems };
  const codes = createRecoveryCodes();
  if (!(await turnOnSecondFactor(tx, secret, step, hashesOf(codes)))) {
    return { problems: [problem('', 'on', 'Det andra steget är redan på.')] };
  }
  await recordEvent(tx, { actor, action: 'user.second_factor_on', subject: id });
  return { codes };
}

/** Turns the second factor off; password and code are both asked for. */
export async function dropSecondFactor(
  tx: Tx,
  { id, actor }: Self,
  typed: { readonly code: string; readonly password: string },
  now: Date,
): Promise<readonly Problem[]> {
  const { problems, proof } = await checkBoth(tx, typed, now);
  if (!proof) return problems;
  if (!(await turnOffSecondFactor(tx, proof))) return [codeProblem];
  await recordEvent(tx, { actor, action: 'user.second_factor_off', subject: id });
  return [];
}

/** New recovery codes; the old ones open nothing any more. */
export async function replaceRecoveryCodes(
  tx: Tx,
  { id, actor }: Self,
  typed: { readonly code: string; readonly password: string },
  now: Date,
): Promise<CodesOrProblems> {
  const { problems, proof } = await checkBoth(tx, typed, now);
  if (!proof) return { problems };
  const codes = createRecoveryCodes();
  if (!(await renewRecoveryCodes(tx, proof, hashesOf(codes)))) return { problems: [codeProblem] };
  await recordEvent(tx, { actor, action: 'user.recovery_codes_renewed', subject: id });
  return { codes };
}

/** The password first: without it nobody gets to try codes. */
async function checkBoth(
  tx: Tx,
  { code, password }: { readonly code: string; readonly password: string },
  now: Date,
): Promise<{ problems: readonly Problem[]; proof?: Proof }> {
  const problems = await checkPassword(tx, password);
  if (problems.length > 0) return { problems };
  const tried = await trySecondFactor(tx);
  if (!tried) return { problems: [problem('', 'off', 'Det andra steget är inte på.')] };
  if (tried.secret === null) return { problems: [tooMany('code', tried.seconds_left)] };
  const proof = proofOf(tried.secret, code, now);
  return proof ? { problems: [], proof } : { problems: [codeProblem] };
}

const hashesOf = (codes: readonly string[]): Buffer[] =>
  codes.map(hashOfRecoveryCode).filter((hash) => hash !== undefined);
