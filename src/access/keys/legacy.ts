/**
 * The secrets that earlier routes were called with (contract section 5). They are set in the
 * environment; in the database each is a key of its own, so that quota, audit and every look-up of
 * permission are the same as for other keys.
 */
import { timingSafeEqual } from 'node:crypto';
import { recordEvent } from '../../audit/store.ts';
import { type LegacyName, type LegacySecret, legacyNames } from '../../config/legacy-secrets.ts';
import type { Tx } from '../../db/pool.ts';
import { revokeLegacyKey, upsertLegacyKey } from './legacy-store.ts';
import type { Scope } from './scopes.ts';

/** The scope of each; the routes it opens name it themselves. */
export const legacyScopes = {
  STATS_API_KEY: 'data:read',
  ORDER_INBOUND_SECRET: 'intake:write',
  PEPPOL_INBOUND_SECRET: 'intake:write',
} as const satisfies Record<LegacyName, Scope>;

/** Which of the configured secrets this is the hash of, in constant time. */
export function findLegacy(
  secrets: readonly LegacySecret[],
  hash: Buffer,
): LegacySecret | undefined {
  return secrets.filter((secret) => timingSafeEqual(secret.hash, hash))[0];
}

/**
 * Brings the keys to what the environment says: a secret that is new or changed becomes the key's, one
 * that is gone revokes it. A key that a person revoked stays so until its secret is changed.
 */
export async function syncLegacySecrets(tx: Tx, secrets: readonly LegacySecret[]): Promise<void> {
  for (const name of legacyNames) {
    const secret = secrets.find((configured) => configured.name === name);
    const change = secret ? await present(tx, secret) : await withdraw(tx, name);
    if (change) {
      const { id, action } = change;
      await recordEvent(tx, { actor: 'environment', action, subject: id, detail: { name } });
    }
  }
}

async function present(tx: Tx, { name, hash }: LegacySecret) {
  const id = await upsertLegacyKey(tx, { name, hash, scope: legacyScopes[name] });
  return id && { id, action: 'key.legacy_set' };
}

async function withdraw(tx: Tx, name: LegacyName) {
  const id = await revokeLegacyKey(tx, name);
  return id && { id, action: 'key.revoked' };
}
