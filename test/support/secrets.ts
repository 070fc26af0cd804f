/** A key to seal secrets with, as it is written in SECRETS_KEY. */
import { type Keyring, parseKeyring } from '#src/config/keyring.ts';

export const TEST_KEY = Buffer.alloc(32, 7).toString('base64');
export const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');

export function keyringOf(...keys: readonly string[]): Keyring {
  const keyring = parseKeyring(keys.join(' '));
  if (!keyring) throw new Error('no keys');
  return keyring;
}

export const testKeyring = keyringOf(TEST_KEY);
