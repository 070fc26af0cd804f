/** Secrets as they are handed out: a prefix that says what they are, and 256 random bits. */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

/** `prefix` and 43 characters of base64url. */
export const createSecret = (prefix: string): string =>
  prefix + randomBytes(SECRET_BYTES).toString('base64url');

/** SHA-256: what the database knows a secret by. */
export const hashOfSecret = (secret: string): Buffer =>
  createHash('sha256').update(secret).digest();

/** The beginning of a secret, enough for a person to know it again: `svc_live_ab12`. */
export const hintOf = (prefix: string, secret: string): string =>
  secret.slice(0, prefix.length + HINT_CHARACTERS);
