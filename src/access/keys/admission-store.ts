import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Scope } from './scopes.ts';

export interface Admission {
  outcome:
    | 'admitted'
    | 'unauthorized'
    | 'key_expired'
    | 'key_revoked'
    | 'insufficient_scope'
    | 'server_misconfigured'
    | 'rate_limited';
  /** Null when no key has the secret. */
  key_id: string;
  name: string;
  scopes: Scope[];
  quota: number;
  used: bigint;
  seconds_left: number;
}

/** Judges calls, in their order, and counts each against its key's quota. */
export function admit(
  db: Db,
  calls: readonly { readonly hash: Buffer; readonly scopes: readonly Scope[] }[],
): Promise<Admission[]> {
  return db.query<Admission>(
    prepared(
      'admit',
      sql`select outcome, key_id, name, scopes, quota, used, seconds_left
          from api.admit(${calls.map(({ hash }) => hash)}::bytea[],
            ${calls.map(({ scopes }) => scopes.join(' '))}::text[])
          order by item`,
    ),
  );
}

/**
 * The key with this hash reads, until the transaction ends. It goes as a parameter, because every login may
 * read the text of its other connections' statements.
 */
export async function presentKey(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query(
    prepared(
      'credential',
      sql`select set_config('huvudbok.credential', ${hash.toString('hex')}, true)`,
    ),
  );
}
