/**
 * Passwords: argon2id with 19 MiB and two passes (OWASP's first choice). The database keeps salt, cost and a
 * SHA-256 of the result, and judges the result itself: what it gives out is never enough to be let in
 * (docs/decisions/0009-proving-who-logs-in.md).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import type { Reasoned } from '../../lib/errors.ts';
import { sha256Of } from '../../lib/sha256.ts';

export const passwordMin = 10;
/** Longer ones only cost time. */
export const passwordMax = 200;

/** How a password is hashed; the cost as in a PHC string: `m=19456,t=2,p=1` (KiB, passes, lanes). */
export interface Hashing {
  readonly salt: Buffer;
  readonly cost: string;
}

/** What the database keeps of a password. */
export interface PasswordHash extends Hashing {
  /** SHA-256 of argon2's result. */
  readonly verifier: Buffer;
}

/** The database knows the costs that there are (users_password_cost_known). */
const hashCost = 'm=19456,t=2,p=1';
const saltBytes = 16;
const resultBytes = 32;

export async function hashOfPassword(password: string): Promise<PasswordHash> {
  const hashing = { salt: randomBytes(saltBytes), cost: hashCost };
  return { ...hashing, verifier: sha256Of(await rawHashOf(password, hashing)) };
}

/** Argon2id's own result, which the database holds against the verifier. */
export async function rawHashOf(password: string, { salt, cost }: Hashing): Promise<Buffer> {
  const [, memory, passes, lanes] = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(cost) ?? [];
  return hashRaw(password, {
    salt,
    memoryCost: Number(memory),
    timeCost: Number(passes),
    parallelism: Number(lanes),
    outputLen: resultBytes,
  });
}

/**
 * Why a password is refused, null when it is not. `names` are what anyone tries first of whoever it is to be: their address,
 * their name, the company's.
 */
export function passwordProblem(password: string, names: readonly string[]): Reasoned | null {
  const length = [...password].length;
  if (length < passwordMin) {
    return { reason: 'password_too_short', params: { lengthMin: passwordMin } };
  }
  if (length > passwordMax) {
    return { reason: 'password_too_long', params: { lengthMax: passwordMax } };
  }
  if (new Set(password).size < 4 || isRepeated(password)) return { reason: 'password_repeats' };
  if (isRun(password)) return { reason: 'password_is_run' };
  return isGuessed(password, names) ? { reason: 'password_is_name' } : null;
}

/** `abcdeabcde`: one piece, shorter than any password, again and again. */
const isRepeated = (password: string): boolean =>
  Array.from({ length: passwordMin - 1 }, (_, index) => index + 1).some(
    (length) =>
      2 * length <= password.length && password.slice(length) === password.slice(0, -length),
  );

const runs = [
  '12345678901234567890',
  'abcdefghijklmnopqrstuvwxyzåäö',
  'qwertyuiopåasdfghjklöäzxcvbnm',
];

/** `1234567890`, `qwertyuiop`, or backwards. */
function isRun(password: string): boolean {
  const plain = password.toLowerCase();
  const backwards = [...plain].toReversed().join('');
  return runs.some((run) => run.includes(plain) || run.includes(backwards));
}

const guessedWords = ['lösenord', 'losenord', 'password', 'huvudbok', 'bokföring', 'välkommen'];
/** A shorter name is part of too many words. */
const nameMin = 4;
/** What may be left of a password without the names in it, and it is still guessed by them. */
const letterMax = 3;

const lettersIn = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replaceAll(/\P{L}/gu, '');

/** Whether nothing but names is in it, with figures and signs around them. */
function isGuessed(password: string, names: readonly string[]): boolean {
  if (names.some((name) => name.toLowerCase() === password.toLowerCase())) return true;
  const known = [...guessedWords, ...names.flatMap((name) => [name, ...name.split(/[\s@.]+/)])]
    .map(lettersIn)
    .filter(({ length }) => length >= nameMin)
    .sort((one, other) => other.length - one.length);
  const letters = lettersIn(password);
  const rest = known.reduce((left, name) => left.replaceAll(name, ''), letters);
  return rest !== letters && rest.length <= letterMax;
}

/** Without letters and digits that are taken for each other. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/** A password to be read out over the telephone: `k7mq-r2xw-9d4t-hb6c`, 79 random bits. */
export function createTemporaryPassword(): string {
  const group = () =>
    Array.from({ length: groupLength }, () => characters[randomInt(characters.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
