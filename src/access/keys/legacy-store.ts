import type { LegacyName } from '../../config/legacy-secrets.ts';
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../lib/uuid.ts';
import type { Scope } from './scopes.ts';

/** The id of the key that has the secret from now on; undefined when it had it, or a person revoked it. */
export async function upsertLegacyKey(
  tx: Tx,
  {
    name,
    hash,
    scope,
  }: { readonly name: LegacyName; readonly hash: Buffer; readonly scope: Scope },
): Promise<string | undefined> {
  const [key] = await tx.query<{ id: string }>(
    sql`insert into restricted.api_keys as k (id, name, hash, hint, scopes, created_by, legacy_name)
        values (${uuid()}, ${`legacy:${name}`}, ${hash}, ${name}, ${[scope]}::text[],
          'environment', ${name})
        on conflict (legacy_name) do update set hash = excluded.hash, revoked_at = null,
          revoked_by = null
        where k.hash <> excluded.hash or k.revoked_by = 'environment'
        returning id`,
  );
  return key?.id;
}

/** The id of the key that worked until now; undefined when none did. */
export async function revokeLegacyKey(tx: Tx, name: LegacyName): Promise<string | undefined> {
  const [key] = await tx.query<{ id: string }>(
    sql`update restricted.api_keys set revoked_at = now(), revoked_by = 'environment'
        where legacy_name = ${name} and revoked_at is null returning id`,
  );
  return key?.id;
}
