/** Secrets as they are handed out: a prefix that says what they are, and 256 random bits. */
import { randomBytes } from 'node:crypto';
import { sha256Of } from '../../lib/sha256.ts';

const secretBytes = 32;
const hintCharacters = 4;

/** `prefix` and 43 characters of base64url. */
export const createSecret = (prefix: string): string =>
  prefix + randomBytes(secretBytes).toString('base64url');

/** SHA-256: what the database knows a secret by. */
export const hashOfSecret = (secret: string): Buffer => sha256Of(secret);

/** The beginning of a secret, enough for a person to know it again: `svc_live_ab12`. */
export const hintOf = (prefix: string, secret: string): string =>
  secret.slice(0, prefix.length + hintCharacters);
