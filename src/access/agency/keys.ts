/** Agency keys: issued and withdrawn by the client's administrator. Only a hash is ever stored. */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../lib/uuid.ts';
import { createSecret, hashOfSecret, hintOf } from '../keys/secrets.ts';

export interface CreatedAgencyKey {
  readonly id: string;
  /** The secret: `svcb_` and 43 characters (256 random bits). Cannot be shown again. */
  readonly key: string;
  /** The agency's name. */
  readonly name: string;
}

export interface ListedAgencyKey {
  id: string;
  name: string;
  hint: string;
  created_at: Date;
  last_exchanged_at: Date | null;
  revoked_at: Date | null;
}

const keyPrefix = 'svcb_';
export const agencyKeyForm = /^svcb_[A-Za-z0-9_-]{43}$/;

export async function createAgencyKey(
  tx: Tx,
  name: string,
  actor: string,
): Promise<CreatedAgencyKey> {
  const id = uuid();
  const key = createSecret(keyPrefix);
  await tx.query(sql`insert into restricted.agency_keys (id, agency, hash, hint, created_by)
    values (${id}, ${name}, ${hashOfSecret(key)}, ${hintOf(keyPrefix, key)}, ${actor})`);
  await recordEvent(tx, { actor, action: 'agency.created', subject: id, detail: { name } });
  return { id, key, name };
}

export function listAgencyKeys(db: Db): Promise<ListedAgencyKey[]> {
  return db.query(sql`select id, agency as name, hint, created_at, last_exchanged_at, revoked_at
    from restricted.agency_keys order by created_at, id`);
}

/** False when there is no such key. Its tokens open nothing from commit on; the first time is kept. */
export async function revokeAgencyKey(tx: Tx, id: string, actor: string): Promise<boolean> {
  const [key] = await tx.query<{ agency: string; revoked_at: Date | null }>(
    sql`select agency, revoked_at from restricted.agency_keys where id = ${id}::uuid for update`,
  );
  if (key && key.revoked_at === null) {
    await tx.query(sql`update restricted.agency_keys
      set revoked_at = now(), revoked_by = ${actor} where id = ${id}::uuid`);
    const detail = { name: key.agency };
    await recordEvent(tx, { actor, action: 'agency.revoked', subject: id, detail });
  }
  return key !== undefined;
}
