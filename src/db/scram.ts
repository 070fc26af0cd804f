/**
 * What PostgreSQL stores of a password (RFC 5802, RFC 7677). Said instead of the password, the password is in
 * no statement and so in no server log.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As PostgreSQL's own `scram_iterations`. */
const iterations = 4096;

/** `password` must be ASCII: what is not would have to be normalised (SASLprep). */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
