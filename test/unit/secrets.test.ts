/** Sealing: nobody without the key reads a secret, or gives one row another's. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { open, seal } from '#src/access/secrets/seal.ts';
import { loadConfig } from '#src/config/config.ts';
import { createKey, parseKeyring } from '#src/config/keyring.ts';
import { keyringOf, OTHER_KEY, TEST_KEY } from '../support/secrets.ts';

const keyring = keyringOf(TEST_KEY);
const other = keyringOf(OTHER_KEY);
const secret = Buffer.from('whsec_hemligt');
const row = 'events.endpoints/1';

describe('a sealed secret', () => {
  it('is opened by its key, for its row, and tells which key it was', () => {
    const sealed = seal(keyring, row, secret);
    expect(open(keyring, row, sealed)).toEqual(secret);
    expect(sealed.toString('hex', 1, 9)).toBe(keyring.sealing.id);
    expect(sealed.includes(secret)).toBe(false);
    expect(seal(keyring, row, secret)).not.toEqual(sealed);
  });

  it('is opened by no other key, for no other row, nor when a bit of it was changed', () => {
    const sealed = seal(keyring, row, secret);
    expect(open(other, row, sealed)).toBeUndefined();
    expect(open(undefined, row, sealed)).toBeUndefined();
    expect(open(keyring, 'events.endpoints/2', sealed)).toBeUndefined();
    expect(open(keyring, 'restricted.users/1', sealed)).toBeUndefined();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect([at, open(keyring, row, changed)]).toEqual([at, undefined]);
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect([length, open(keyring, row, sealed.subarray(0, length))]).toEqual([length, undefined]);
    }
  });

  it('of an older key is opened by a ring that has it, which seals with the first', () => {
    const both = keyringOf(OTHER_KEY, TEST_KEY);
    expect(open(both, row, seal(keyring, row, secret))).toEqual(secret);
    expect(open(other, row, seal(both, row, secret))).toEqual(secret);
  });
});

describe('SECRETS_KEY', () => {
  it('is 32 bytes in base64, one or several', () => {
    const [one, two] = [createKey(), createKey()];
    expect(parseKeyring(one)?.keys.size).toBe(1);
    for (const between of [' ', '\n', ', ', '\r\n']) {
      expect(parseKeyring(`${one}${between}${two}\n`)?.keys.size).toBe(2);
    }
    for (const wrong of ['', 'hemligt', one.slice(1), `${one}${two}`, `${one} x`, 'ö'.repeat(44)]) {
      expect(parseKeyring(wrong)).toBeUndefined();
    }
    expect(() => loadConfig({ SECRETS_KEY: 'hemligt' })).toThrow(
      /SECRETS_KEY: ska vara 32 slumpade byte i base64/,
    );
  });

  it('is in nothing that is printed or logged', () => {
    const config = loadConfig({ SECRETS_KEY: TEST_KEY });
    const shown = inspect(config, { depth: 10, showHidden: true }) + JSON.stringify(config);
    expect(shown).not.toContain(TEST_KEY.slice(0, 20));
    expect(shown).not.toContain('07 07 07 07');
    expect(shown).not.toContain('[7,7,7');
  });
});
