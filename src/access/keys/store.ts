/** API keys as pages show them, with what they have called in their hour. */

import type { LegacyName } from '../../config/legacy-secrets.ts';
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuseWhole } from '../../lib/errors.ts';
import type { Scope } from './scopes.ts';

export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  scopes: Scope[];
  /** Made for trying, in the example company. */
  is_test: boolean;
  quota_per_hour: number;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** The key that takes its place. */
  successor_id: string | null;
  /** The key whose place it took. */
  predecessor_id: string | null;
  last_used_at: Date | null;
  /** Calls in the key's hour, refused for the quota too; 0 when none is open. */
  used: number;
  legacy_name: LegacyName | null;
  /** The database's own time, by which it judges keys. */
  as_of: Date;
}

const selectKeys = sql`select k.id, k.name, k.hint, k.scopes, k.is_test, k.quota_per_hour, k.created_at, k.expires_at,
    k.revoked_at, k.successor_id, p.id as predecessor_id, w.last_used_at, k.legacy_name,
    now() as as_of, case when w.opened_at > now() - interval '1 hour' then w.used else 0 end::integer as used
  from restricted.api_keys k
  left join restricted.key_windows w on w.key_id = k.id
  left join restricted.api_keys p on p.successor_id = k.id`;

/** Every key there has been, the secrets of earlier routes too, in the order they were made. */
export function listKeys(db: Db): Promise<ApiKey[]> {
  return db.query(sql`${selectKeys} order by k.created_at, k.id`);
}

/** Keys that people made, those that open something first, then the newest. */
export function listApiKeys(db: Db): Promise<ApiKey[]> {
  return db.query(sql`${selectKeys} where k.legacy_name is null
    order by k.revoked_at is not null or coalesce(k.expires_at <= now(), false),
      k.created_at desc, k.id`);
}

/** The secrets of earlier routes that have ever been set. */
export function listLegacyKeys(db: Db): Promise<ApiKey[]> {
  return db.query(sql`${selectKeys} where k.legacy_name is not null order by k.legacy_name`);
}

/** Throws 404 when there is none. */
export async function getKey(db: Db, id: string): Promise<ApiKey> {
  const [key] = await db.query<ApiKey>(sql`${selectKeys} where k.id = ${id}::uuid`);
  if (!key) throw refuseWhole('not_found', 'no_key');
  return key;
}

/** The key for the rest of the transaction; throws 404 when there is none. */
export async function lockKey(tx: Tx, id: string): Promise<ApiKey> {
  await tx.query(sql`select from restricted.api_keys where id = ${id}::uuid for update`);
  return getKey(tx, id);
}

export async function setQuota(tx: Tx, id: string, quotaPerHour: number): Promise<void> {
  await tx.query(sql`update restricted.api_keys set quota_per_hour = ${quotaPerHour}
    where id = ${id}::uuid`);
}

/** The key works `hours` more, or until it would have ended anyway, and another takes its place. */
export async function setSuccessor(
  tx: Tx,
  id: string,
  { successorId, hours }: { readonly successorId: string; readonly hours: number },
): Promise<Date> {
  const [key] = await tx.query<{ expires_at: Date }>(
    sql`update restricted.api_keys set successor_id = ${successorId}::uuid,
          expires_at = least(expires_at, now() + ${hours}::integer * interval '1 hour')
        where id = ${id}::uuid returning expires_at`,
  );
  if (!key) throw refuseWhole('not_found', 'no_key');
  return key.expires_at;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Calls per hour. */
  readonly quotaPerHour: number;
  /** A moment as PostgreSQL reads it; see `endOfDay`. */
  readonly expiresAt: string | null;
  /** For trying: opens the example company, and can be made for no other. */
  readonly isTest?: boolean;
}

/** Refuses (422) a test key where the company is not the example. */
export async function insertKey(
  tx: Tx,
  key: NewKey & { readonly id: string; readonly hash: Buffer; readonly hint: string },
  actor: string,
): Promise<void> {
  await tx
    .query(sql`insert into restricted.api_keys (id, name, hash, hint, scopes, quota_per_hour,
      expires_at, is_test, created_by)
    values (${key.id}, ${key.name}, ${key.hash}, ${key.hint}, ${key.scopes}::text[],
      ${key.quotaPerHour}, ${key.expiresAt}::timestamptz, ${key.isTest ?? false}, ${actor})`)
    .catch((error) => {
      if (databaseErrorOf(error)?.constraint !== 'test_keys_need_a_demo') throw error;
      throw refuseWhole('unprocessable', 'test_key_needs_demo', {}, { cause: error });
    });
}

/**
 * Holds the key until commit; undefined when there is no such key. Waits for what keys are posting just now
 * (milliseconds) and holds back the next.
 */
export async function lockForRevocation(
  tx: Tx,
  id: string,
): Promise<{ name: string; is_revoked: boolean } | undefined> {
  await tx.query(sql`select restricted.hold_keys()`);
  const [key] = await tx.query<{ name: string; is_revoked: boolean }>(
    sql`select name, revoked_at is not null as is_revoked from restricted.api_keys
        where id = ${id}::uuid for update`,
  );
  return key;
}

export async function setKeyRevoked(tx: Tx, id: string, actor: string): Promise<void> {
  await tx.query(sql`update restricted.api_keys set revoked_at = now(), revoked_by = ${actor}
    where id = ${id}::uuid`);
}
