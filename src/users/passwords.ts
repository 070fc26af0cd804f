/** Passwords: argon2id with the library's defaults (19 MiB, two passes: OWASP's first choice). */
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
