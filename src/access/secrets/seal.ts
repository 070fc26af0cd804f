/**
 * Seals secrets with AES-256-GCM. A sealed secret is `version (1) | key id (8) | nonce (12) | tag (16) |
 * ciphertext`; what comes before the nonce, and the row it belongs to, are authenticated with it, so that
 * nobody can give one row another's secret.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from '../../config/keyring.ts';

const algorithm = 'aes-256-gcm';
const version = 1;
const keyIdEnd = 9;
const nonceBytes = 12;
const nonceEnd = keyIdEnd + nonceBytes;
const tagEnd = nonceEnd + 16;

/** Where a secret belongs: the table and its row's id. */
export type Row = `${string}/${string}`;

export const rowOfUser = (id: string): Row => `restricted.users/${id}`;
export const rowOfEndpoint = (id: string): Row => `events.endpoints/${id}`;

export function seal({ sealing }: Keyring, row: Row, secret: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(version), Buffer.from(sealing.id, 'hex')]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, sealing.secret, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(row)]));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

/** Undefined when no key of ours opens it, or it is not what was sealed for this row. */
export function open(keyring: Keyring | undefined, row: Row, sealed: Buffer): Buffer | undefined {
  const key = keyring?.keys.get(sealed.toString('hex', 1, keyIdEnd));
  if (!key || sealed[0] !== version || sealed.length < tagEnd) return undefined;
  const nonce = sealed.subarray(keyIdEnd, nonceEnd);
  const decipher = createDecipheriv(algorithm, key.secret, nonce);
  decipher.setAAD(Buffer.concat([sealed.subarray(0, keyIdEnd), Buffer.from(row)]));
  decipher.setAuthTag(sealed.subarray(nonceEnd, tagEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]);
  } catch {
    return undefined;
  }
}
