import type { Db, Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type Row, rowOfEndpoint, rowOfUser } from './seal.ts';

/** Where the database keeps sealed secrets: what is moved when keys change, and useless without them. */
export interface SecretPlace {
  readonly table: Sql;
  readonly column: Sql;
  readonly rowOf: (id: string) => Row;
}

const users = { table: sql`restricted.users`, rowOf: rowOfUser };
const endpoints = { table: sql`events.endpoints`, rowOf: rowOfEndpoint };

export const places: readonly SecretPlace[] = [
  { ...users, column: sql`sealed_totp_secret` },
  { ...endpoints, column: sql`sealed_secret` },
  { ...endpoints, column: sql`previous_sealed_secret` },
];

/** The id of the key that the installation's secrets are sealed with; null before there is one. */
export async function findKeyId(db: Db): Promise<string | null> {
  const [row] = await db.query<{ key_id: string }>(sql`select key_id from restricted.secrets_key`);
  return row?.key_id ?? null;
}

/** Nobody else decides about the key until this transaction ends. */
export async function lockKey(tx: Tx): Promise<void> {
  await tx.query(sql`lock table restricted.secrets_key in share row exclusive mode`);
}

/** Null: none, as before there was one. */
export async function setKeyId(tx: Tx, id: string | null): Promise<void> {
  await tx.query(sql`delete from restricted.secrets_key`);
  if (id === null) return;
  await tx.query(sql`insert into restricted.secrets_key (key_id) values (${id})`);
}

export interface SealedSecret {
  id: string;
  sealed: Buffer;
}

/** Those that no key in the list opens. */
export function listSealedByOthers(
  db: Db,
  { table, column }: SecretPlace,
  keyIds: readonly string[],
): Promise<SealedSecret[]> {
  return db.query(sql`select id, ${column} as sealed from ${table}
    where ${column} is not null and encode(substr(${column}, 2, 8), 'hex') <> all (${keyIds}::text[])
    order by id`);
}

/** False when somebody changed it meanwhile. */
export async function replaceSealed(
  tx: Tx,
  { table, column }: SecretPlace,
  { id, sealed }: SealedSecret,
  next: Buffer,
): Promise<boolean> {
  const done = await tx.query(sql`update ${table} set ${column} = ${next}
    where id = ${id}::uuid and ${column} is not distinct from ${sealed} returning id`);
  return done.length > 0;
}

/** What one key alone opens. */
export interface SealedSecrets {
  readonly key_id: string;
  readonly webhooks: number;
  /** Those with a second factor. */
  readonly people: number;
  /** The key has been let go of, and no webhook that is on needs it. */
  readonly is_forgotten: boolean;
}

/** By the key that they are sealed with: all secrets that are in use. Which were let go of, the audit log knows. */
export function listSealed(db: Db): Promise<SealedSecrets[]> {
  return db.query(sql`
    select key_id, count(*) filter (where is_webhook)::integer as webhooks,
      count(*) filter (where not is_webhook)::integer as people,
      not bool_or(is_on) and exists (select from audit.events e
        where e.action = 'secrets.key_lost' and e.detail->'keys' ? key_id) as is_forgotten
    from (select secret_key_id as key_id, true as is_webhook, disabled_at is null as is_on from events.endpoints
      union all
      select encode(substr(sealed_totp_secret, 2, 8), 'hex'), false, false from restricted.users) as secrets
    where key_id is not null group by key_id order by key_id`);
}

/** Pauses the webhooks whose secret none of the keys opens, and says so on those that were paused already. */
export async function pauseUnreadable(
  tx: Tx,
  keyIds: readonly string[],
  reason: string,
): Promise<void> {
  await tx.query(sql`update events.endpoints
    set disabled_at = coalesce(disabled_at, now()), disabled_reason = ${reason}
    where secret_key_id <> all (${keyIds}::text[])`);
}
