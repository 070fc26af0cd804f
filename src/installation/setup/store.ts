/** Setup tokens: what opens an installation that has no user. The database knows their SHA-256. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';

/** Keeps a new token for a day; those that have expired go. */
export async function insertSetupToken(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query(
    sql`delete from restricted.setup_tokens where created_at < now() - interval '24 hours'`,
  );
  await tx.query(sql`insert into restricted.setup_tokens (hash) values (${hash})`);
}

/** Whether the token opens the first visit: made within a day, and nobody is a user yet. */
export async function isSetupToken(db: Db, hash: Buffer): Promise<boolean> {
  const [row] = await db.query<{ is: boolean }>(sql`select app.is_setup_token(${hash}) as is`);
  return row?.is ?? false;
}

/**
 * Speaks as owner for the rest of the transaction, until it has made one. Waits for another set-up under
 * way; false when the token opens nothing, as when that one won. The audit log is marked with the request.
 */
export async function claimSetup(tx: Tx, hash: Buffer, requestId: string): Promise<boolean> {
  const [row] = await tx.query<{ claimed: boolean }>(
    sql`select set_config('huvudbok.request_id', ${requestId}, true),
          app.claim_setup(${hash}) as claimed`,
  );
  return row?.claimed ?? false;
}

/** The name of the company, undefined before it is set up. */
export async function findCompanyName(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ name: string | null }>(sql`select app.company_name() as name`);
  return row?.name ?? undefined;
}
