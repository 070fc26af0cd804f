/** Passwords: argon2id with the library's defaults (19 MiB, two passes: OWASP's first choice). */
import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

export const passwordMin = 10;
/** Longer ones only cost time. */
export const passwordMax = 200;

export const hashOfPassword = (password: string): Promise<string> => hash(password);

let nobodys: Promise<string> | undefined;

/** Takes as long when there is no such account (null), so that time does not tell which exist. */
export async function isRightPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  nobodys ??= hash('nobody has this one');
  const isRight = await verify(passwordHash ?? (await nobodys), password);
  return isRight && passwordHash !== null;
}

/** Why a password is refused, null when it is not. */
export function passwordProblem(password: string): string | null {
  const length = [...password].length;
  if (length < passwordMin) return `Lösenordet ska ha minst ${passwordMin} tecken.`;
  if (length > passwordMax) return `Lösenordet får ha högst ${passwordMax} tecken.`;
  return new Set(password).size < 4 ? 'Lösenordet upprepar för få tecken; välj ett annat.' : null;
}

/** Without letters and digits that are taken for each other. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A password to be read out over the telephone: `k7mq-r2xw-9d4t-hb6c`, 79 random bits. */
export function createTemporaryPassword(): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => characters[randomInt(characters.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
