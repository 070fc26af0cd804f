/**
 * The keys that secrets are sealed with: 32 random bytes each, in base64. The first seals and the others
 * only open what was sealed before, so that a key can be changed while the service runs.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';

const keyBytes = 32;
const idBytes = 8;

export interface SealingKey {
  /** Sixteen hexadecimal digits that name the key and tell nothing of it. */
  readonly id: string;
  /** Nothing that is logged or printed shows what it holds. */
  readonly secret: KeyObject;
}

export interface Keyring {
  /** What new secrets are sealed with. */
  readonly sealing: SealingKey;
  readonly keys: ReadonlyMap<string, SealingKey>;
}

/** Where an installation with the embedded database has its keys: beside it and not in it. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'secrets.key');

/** A new key, as it is written in `SECRETS_KEY`. */
export const createKey = (): string => randomBytes(keyBytes).toString('base64');

const keyForm = /^[A-Za-z0-9+/]{43}=$/;

/** The keys of a text, one after another; undefined when one of them is none. */
export function parseKeyring(text: string): Keyring | undefined {
  const words = text.trim().split(/[\s,]+/);
  if (!words.every((word) => keyForm.test(word))) return undefined;
  const keys = words.map((word): SealingKey => {
    const secret = createSecretKey(word, 'base64');
    return { id: idOf(secret), secret };
  });
  const [sealing] = keys;
  return sealing && { sealing, keys: new Map(keys.map((key) => [key.id, key])) };
}

/** As it is written in `SECRETS_KEY`. */
export const writtenKey = ({ secret }: SealingKey): string => secret.export().toString('base64');

const idOf = (secret: KeyObject): string =>
  createHmac('sha256', secret).update('huvudbok key id').digest().toString('hex', 0, idBytes);
