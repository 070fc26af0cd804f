/**
 * What PostgreSQL stores of a password (RFC 5802, RFC 7677). Said instead of the password, the password is in
 * no statement and so in no server log.
 */
import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

/** As PostgreSQL's own `scram_iterations`. */
const iterations = 4096;

/** `password` must be ASCII: what is not would have to be normalised (SASLprep). */
export async function scramVerifier(password: string): Promise<string> {
  const salt = randomBytes(16);
  const salted = await derive(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
}
