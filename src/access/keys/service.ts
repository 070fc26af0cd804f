/** API keys: made once shown once, revoked at once. Only a hash of the secret is ever stored. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { uuid } from '../../lib/uuid.ts';
import type { Scope } from './scopes.ts';
import { createSecret, hashOfSecret, hintOf } from './secrets.ts';
import { insertKey, lockForRevocation, type NewKey, setKeyRevoked } from './store.ts';

export interface CreatedKey {
  readonly id: string;
  /** The secret: `svc_live_` or `svc_test_` and 43 characters (256 random bits). Cannot be shown again. */
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly quota_per_hour: number;
}

/** Of keys, as the contract has it, and of those that are for trying: whoever sees one sees which it is. */
const prefixes = { live: 'svc_live_', test: 'svc_test_' } as const;

/** The first moment that is no longer that day, as PostgreSQL reads it with its time zone. */
export const endOfDay = (date: string, timeZone: string): string =>
  `${addDays(date, 1)} 00:00:00 ${timeZone}`;

/** Refuses (422) a test key where the company is not the example. */
export async function createKey(tx: Tx, key: NewKey, actor: string): Promise<CreatedKey> {
  const id = uuid();
  const prefix = key.isTest ? prefixes.test : prefixes.live;
  const secret = createSecret(prefix);
  await insertKey(
    tx,
    { ...key, id, hash: hashOfSecret(secret), hint: hintOf(prefix, secret) },
    actor,
  );
  const { name, scopes, quotaPerHour } = key;
  await recordEvent(tx, { actor, action: 'key.created', subject: id, detail: { name, scopes } });
  return { id, key: secret, name, scopes, quota_per_hour: quotaPerHour };
}

/**
 * False when there is no such key. Revoking twice keeps the first time. Waits for what keys are posting
 * just now (milliseconds) and holds back the next, so that nothing is posted with the key afterwards.
 */
export async function revokeKey(tx: Tx, id: string, actor: string): Promise<boolean> {
  const key = await lockForRevocation(tx, id);
  if (key && !key.is_revoked) {
    await setKeyRevoked(tx, id, actor);
    await recordEvent(tx, {
      actor,
      action: 'key.revoked',
      subject: id,
      detail: { name: key.name },
    });
  }
  return key !== undefined;
}
