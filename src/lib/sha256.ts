import { createHash } from 'node:crypto';

/** The SHA-256 of the parts one after another; text as UTF-8. */
export const sha256Of = (...parts: readonly (Buffer | string)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
