import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { SecretPlace } from './places.ts';

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

export interface ClearSecret {
  row_id: string;
  secret: Buffer;
}

export function listClearSecrets(db: Db, { name }: SecretPlace): Promise<ClearSecret[]> {
  return db.query(
    sql`select row_id, secret from restricted.clear_secrets where place = ${name} order by row_id`,
  );
}

export async function countClearSecrets(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from restricted.clear_secrets`,
  );
  return row?.count ?? 0;
}

export async function deleteClearSecrets(tx: Tx, { name }: SecretPlace): Promise<void> {
  await tx.query(sql`delete from restricted.clear_secrets where place = ${name}`);
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

export async function insertSealed(
  tx: Tx,
  { table, column }: SecretPlace,
  id: string,
  sealed: Buffer,
): Promise<void> {
  await tx.query(
    sql`update ${table} set ${column} = ${sealed} where id = ${id}::uuid and ${column} is null`,
  );
}

/** Pauses the webhooks whose secret none of the keys opens. How many were on. */
export async function pauseUnreadable(
  tx: Tx,
  keyIds: readonly string[],
  reason: string,
): Promise<number> {
  const paused = await tx.query(sql`update events.endpoints
    set disabled_at = now(), disabled_reason = ${reason}
    where disabled_at is null and secret_key_id <> all (${keyIds}::text[]) returning id`);
  return paused.length;
}
