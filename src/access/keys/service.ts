/** API keys: made once shown once, revoked at once. Only a hash of the secret is ever stored. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { addDays } from '../../domain/basics/dates.ts';
import { uuid } from '../../lib/uuid.ts';
import type { Scope } from './scopes.ts';
import { createSecret, hashOfSecret, hintOf } from './secrets.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Calls per hour. */
  readonly quotaPerHour: number;
  /** A moment as PostgreSQL reads it; see `endOfDay`. */
  readonly expiresAt: string | null;
}

export interface CreatedKey {
  readonly id: string;
  /** The secret: `svc_live_` and 43 characters (256 random bits). Cannot be shown again. */
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly quota_per_hour: number;
}

export interface ListedKey {
  id: string;
  name: string;
  hint: string;
  scopes: Scope[];
  quota_per_hour: number;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export const keyPrefix = 'svc_live_';

/** The first moment that is no longer that day, as PostgreSQL reads it with its time zone. */
export const endOfDay = (date: string, timeZone: string): string =>
  `${addDays(date, 1)} 00:00:00 ${timeZone}`;

export async function createKey(tx: Tx, key: NewKey, actor: string): Promise<CreatedKey> {
  const id = uuid();
  const secret = createSecret(keyPrefix);
  await tx.query(sql`insert into restricted.api_keys (id, name, hash, hint, scopes, quota_per_hour,
      expires_at, created_by)
    values (${id}, ${key.name}, ${hashOfSecret(secret)}, ${hintOf(keyPrefix, secret)}, ${key.scopes}::text[],
      ${key.quotaPerHour}, ${key.expiresAt}::timestamptz, ${actor})`);
  const { name, scopes, quotaPerHour } = key;
  await recordEvent(tx, { actor, action: 'key.created', subject: id, detail: { name, scopes } });
  return { id, key: secret, name, scopes, quota_per_hour: quotaPerHour };
}

export function listKeys(db: Db): Promise<ListedKey[]> {
  return db.query(sql`select k.id, k.name, k.hint, k.scopes, k.quota_per_hour, k.created_at,
      k.expires_at, k.revoked_at, w.last_used_at
    from restricted.api_keys k left join restricted.key_windows w on w.key_id = k.id
    order by k.created_at, k.id`);
}

/**
 * False when there is no such key. Revoking twice keeps the first time. Waits for what keys are posting
 * just now (milliseconds) and holds back the next, so that nothing is posted with the key afterwards.
 */
export async function revokeKey(tx: Tx, id: string, actor: string): Promise<boolean> {
  await tx.query(sql`select restricted.hold_keys()`);
  const [key] = await tx.query<{ name: string; is_revoked: boolean }>(
    sql`select name, revoked_at is not null as is_revoked from restricted.api_keys
        where id = ${id}::uuid for update`,
  );
  if (key && !key.is_revoked) {
    await tx.query(sql`update restricted.api_keys set revoked_at = now(), revoked_by = ${actor}
      where id = ${id}::uuid`);
    await recordEvent(tx, {
      actor,
      action: 'key.revoked',
      subject: id,
      detail: { name: key.name },
    });
  }
  return key !== undefined;
}
