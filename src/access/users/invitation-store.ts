/** Links by which people choose their own password. The database knows a hash of each, and judges it. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { NewSession } from '../sessions/store.ts';
import type { PasswordHash } from './passwords.ts';

/**
 * Gives a user a link, known by SHA-256 of its secret, in place of the one they had; null withdraws that. Until when it
 * opens; undefined when there is no such user or they are shut out. Refused (403) for whoever may not.
 */
export async function putInvitation(
  tx: Tx,
  userId: string,
  hash: Buffer | null,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ expires_at: Date | null }>(
    sql`select app.invite_user(${userId}::uuid, ${hash}::bytea) as expires_at`,
  );
  return row?.expires_at ?? undefined;
}

/** Whom a link lets in. */
export interface Invited {
  readonly email: string;
  readonly name: string;
}

/** Counts a look at a link, and finds whom it lets in; undefined when it opens nothing. */
export async function findInvitation(
  db: Db,
  hash: Buffer,
  address: string,
): Promise<{ readonly secondsLeft: number; readonly invited: Invited | undefined }> {
  const [row] = await db.query<{ seconds_left: number; email: string | null; name: string | null }>(
    sql`select seconds_left, email, name from app.find_invitation(${hash}, ${address}::inet)`,
  );
  if (!row) throw new Error('the look at an invitation was not counted');
  const { seconds_left: secondsLeft, email, name } = row;
  return { secondsLeft, invited: email === null ? undefined : { email, name: name ?? '' } };
}

/** Spends a link: its user has the password, and the browser their session. */
export async function spendInvitation(
  tx: Tx,
  invitation: Buffer,
  { salt, cost, verifier }: PasswordHash,
  { hash, address, agent }: NewSession,
  /** The session the browser had, which goes. */
  previous: Buffer | null,
): Promise<'refused' | 'second_factor' | 'logged_in'> {
  const [row] = await tx.query<{ outcome: 'refused' | 'second_factor' | 'logged_in' }>(
    sql`select app.accept_invitation(${invitation}, ${salt}, ${cost}, ${verifier}, ${hash},
      ${previous}::bytea, ${address}::inet, ${agent}) as outcome`,
  );
  return row?.outcome ?? 'refused';
}
