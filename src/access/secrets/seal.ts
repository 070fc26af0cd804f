/**
 * Seals secrets with AES-256-GCM. A sealed secret is `version (1) | key id (8) | nonce (12) | tag (16) |
 * ciphertext`; what comes before the nonce, and the row it belongs to, are authenticated with it, so that
 * nobody can give one row another's secret.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from '../../config/keyring.ts';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID_END = 9;
const NONCE_BYTES = 12;
const NONCE_END = KEY_ID_END + NONCE_BYTES;
const TAG_END = NONCE_END + 16;

/** Where a secret belongs: the table and its row's id. */
export type Row = `${string}/${string}`;

export const rowOfUser = (id: string): Row => `restricted.users/${id}`;
export const rowOfEndpoint = (id: string): Row => `events.endpoints/${id}`;

export function seal({ sealing }: Keyring, row: Row, secret: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(VERSION), Buffer.from(sealing.id, 'hex')]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, sealing.secret, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(row)]));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
}

/** Undefined when no key of ours opens it, or it is not what was sealed for this row. */
export function open(keyring: Keyring | undefined, row: Row, sealed: Buffer): Buffer | undefined {
  const key = keyring?.keys.get(sealed.toString('hex', 1, KEY_ID_END));
  if (!key || sealed[0] !== VERSION || sealed.length < TAG_END) return undefined;
  const nonce = sealed.subarray(KEY_ID_END, NONCE_END);
  const decipher = createDecipheriv(ALGORITHM, key.secret, nonce);
  decipher.setAAD(Buffer.concat([sealed.subarray(0, KEY_ID_END), Buffer.from(row)]));
  decipher.setAuthTag(sealed.subarray(NONCE_END, TAG_END));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(TAG_END)), decipher.final()]);
  } catch {
    return undefined;
  }
}
