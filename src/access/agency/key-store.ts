import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

export interface ListedAgencyKey {
  id: string;
  name: string;
  hint: string;
  created_at: Date;
  last_exchanged_at: Date | null;
  revoked_at: Date | null;
}

export function listAgencyKeys(db: Db): Promise<ListedAgencyKey[]> {
  return db.query(sql`select id, agency as name, hint, created_at, last_exchanged_at, revoked_at
    from restricted.agency_keys order by created_at, id`);
}

export async function insertAgencyKey(
  tx: Tx,
  key: {
    readonly id: string;
    readonly agency: string;
    readonly hash: Buffer;
    readonly hint: string;
  },
  actor: string,
): Promise<void> {
  await tx.query(sql`insert into restricted.agency_keys (id, agency, hash, hint, created_by)
    values (${key.id}, ${key.agency}, ${key.hash}, ${key.hint}, ${actor})`);
}

/** Until commit; undefined when there is no such key. */
export async function lockAgencyKey(
  tx: Tx,
  id: string,
): Promise<{ agency: string; revoked_at: Date | null } | undefined> {
  const [key] = await tx.query<{ agency: string; revoked_at: Date | null }>(
    sql`select agency, revoked_at from restricted.agency_keys where id = ${id}::uuid for update`,
  );
  return key;
}

export async function setAgencyKeyRevoked(tx: Tx, id: string, actor: string): Promise<void> {
  await tx.query(sql`update restricted.agency_keys
    set revoked_at = now(), revoked_by = ${actor} where id = ${id}::uuid`);
}
