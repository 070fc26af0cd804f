/** The people who may log in, each with one role. */
import { recordEvent } from '../audit/store.ts';
import { databaseErrorOf, type Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { refuse } from '../errors.ts';
import { uuid } from '../uuid.ts';
import type { Role } from './roles.ts';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** Given by somebody else, so it is to be changed at the first login. */
  readonly passwordIsTemporary: boolean;
}

/** Refuses (422) an address that somebody has. */
export async function createUser(tx: Tx, user: NewUser, actor: string): Promise<{ id: string }> {
  const id = uuid();
  try {
    await tx.query(sql`insert into restricted.users (id, email, name, role, password_hash,
        password_is_temporary)
      values (${id}, ${user.email}, ${user.name}, ${user.role}, ${user.passwordHash},
        ${user.passwordIsTemporary})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'users_email_key') throw error;
    const message = `${user.email} har redan en användare.`;
    throw refuse('unprocessable', [{ path: 'email', reason: 'taken', message }]);
  }
  const detail = { email: user.email, role: user.role };
  await recordEvent(tx, { actor, action: 'user.created', subject: id, detail });
  return { id };
}
