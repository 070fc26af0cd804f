/** What is done with a key that is in use: another quota, or another secret. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { type CreatedKey, createKey } from './service.ts';
import { keyState } from './state.ts';
import { lockKey, setQuota, setSuccessor } from './store.ts';

/** How long a rotated key may go on beside its successor. */
export const overlapHoursMax = 30 * 24;

export interface Rotated {
  readonly created: CreatedKey;
  /** When the old key ends. */
  readonly oldEndsAt: Date;
}

/**
 * A new secret with the same name, scopes, quota and last day, for trying if the old was; the old one works for `overlapHours` more, 0–720.
 * What was sent with the old one is known with the new: Idempotency-Keys hold, orders can be asked about.
 * Refuses (422) a key that opens nothing, has a successor, or is a secret of the environment.
 */
export async function rotateKey(
  tx: Tx,
  id: string,
  overlapHours: number,
  actor: string,
): Promise<Rotated> {
  if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
    throw new RangeError(`an overlap of ${overlapHours} hours`);
  }
  const key = await lockKey(tx, id);
  const state = keyState(key);
  if (state === 'revoked' || state === 'expired') {
    throw refuseWhole('unprocessable', 'key_ended');
  }
  if (key.successor_id !== null) {
    throw refuseWhole('unprocessable', 'key_replaced');
  }
  if (key.legacy_name !== null) {
    throw refuseWhole('unprocessable', 'key_of_environment');
  }
  const { name, scopes, quota_per_hour: quotaPerHour, is_test: isTest, expires_at } = key;
  const expiresAt = expires_at?.toISOString() ?? null;
  const created = await createKey(tx, { name, scopes, quotaPerHour, expiresAt, isTest }, actor);
  const oldEndsAt = await setSuccessor(tx, id, { successorId: created.id, hours: overlapHours });
  await recordEvent(tx, {
    actor,
    action: 'key.rotated',
    subject: id,
    detail: { name, successor_id: created.id, old_ends_at: oldEndsAt.toISOString() },
  });
  return { created, oldEndsAt };
}

/** Calls per hour, from the next call on. */
export async function changeQuota(
  tx: Tx,
  id: string,
  quotaPerHour: number,
  actor: string,
): Promise<void> {
  const { name, quota_per_hour: before } = await lockKey(tx, id);
  if (before === quotaPerHour) return;
  await setQuota(tx, id, quotaPerHour);
  const detail = { name, quota_per_hour: [before, quotaPerHour] };
  await recordEvent(tx, { actor, action: 'key.quota_changed', subject: id, detail });
}
