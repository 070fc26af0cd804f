/** The users as lists and pages show them; passwords go through functions of schema `app`. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { refuse, refuseWhole } from '../../lib/errors.ts';
import type { Language } from '../../lib/language.ts';
import type { PasswordHash } from './passwords.ts';
import type { Role } from './roles.ts';

export interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  created_at: Date;
  last_login_at: Date | null;
  deactivated_at: Date | null;
  password_is_temporary: boolean;
  /** Until when a temporary password opens anything. */
  password_expires_at: Date | null;
  /** Too old, or of somebody who may not let them in any more. */
  password_is_over: boolean;
  /** Until when a link by which they choose a password opens anything; null when there is none. */
  invitation_expires_at: Date | null;
  invitation_is_over: boolean;
  has_second_factor: boolean;
  /** Whether there is a password to log in with, a temporary one too. */
  has_password: boolean;
}

const columns = sql`id, email, name, role, created_at, last_login_at, deactivated_at,
  password_is_temporary, password_expires_at, invitation_expires_at, has_second_factor,
  has_password,
  password_expires_at is not null and (password_expires_at <= now()
    or not app.still_lets_in(password_given_by, role)) as password_is_over,
  invitation_expires_at is not null and (invitation_expires_at <= now()
    or not app.still_lets_in(invitation_by, role)) as invitation_is_over`;

/** Those who may log in first. */
export function listUsers(db: Db): Promise<User[]> {
  return db.query(sql`select ${columns} from restricted.users
    order by deactivated_at is not null, lower(coalesce(nullif(name, ''), email)), id`);
}

/** Throws 404 when there is none. */
export async function getUser(db: Db, id: string): Promise<User> {
  const [user] = await db.query<User>(
    sql`select ${columns} from restricted.users where id = ${id}::uuid`,
  );
  if (!user) throw refuseWhole('not_found', 'no_user');
  return user;
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.query<User>(
    sql`select ${columns} from restricted.users where lower(email) = lower(${email})`,
  );
  return user;
}

/** Refuses (422) an address that somebody has, and to leave the installation without an owner. */
export async function changeUserRow(
  tx: Tx,
  id: string,
  { email, name, role }: Pick<User, 'email' | 'name' | 'role'>,
): Promise<void> {
  const changed = await explained(email, () =>
    tx.query(sql`update restricted.users set email = ${email}, name = ${name}, role = ${role}
      where id = ${id}::uuid returning id`),
  );
  if (changed.length === 0) throw refuseWhole('not_found', 'no_user');
}

/** Refuses (422) to shut the last owner out. */
export async function setActive(tx: Tx, id: string, isActive: boolean): Promise<void> {
  const changed = await explained(null, () =>
    tx.query(sql`update restricted.users
      set deactivated_at = case when ${isActive} then null else coalesce(deactivated_at, now()) end
      where id = ${id}::uuid returning id`),
  );
  if (changed.length === 0) throw refuseWhole('not_found', 'no_user');
}

/** `email` is the address that is given, if any is. */
async function explained<T>(email: string | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = databaseErrorOf(error)?.constraint;
    if (constraint === 'users_email_key' && email !== null) {
      const params = { email };
      throw refuse('unprocessable', [{ path: 'email', reason: 'user_address_taken', params }]);
    }
    if (constraint === 'users_have_an_owner') {
      throw refuse('unprocessable', [{ path: 'role', reason: 'last_owner' }]);
    }
    throw error;
  }
}

/** False when there is no such user. Ends their sessions. Refused (403) for whoever may not. */
export async function resetPasswordHash(
  tx: Tx,
  id: string,
  { salt, cost, verifier }: PasswordHash,
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.reset_password(${id}::uuid, ${salt}, ${cost}, ${verifier}) as is_done`,
  );
  return row?.is_done ?? false;
}

/** The name of the person at the browser. */
export async function renameSelf(tx: Tx, name: string): Promise<void> {
  await tx.query(sql`select app.rename_self(${name})`);
}

/** The language of the pages that there are in several, for the person at the browser. */
export async function chooseLanguage(tx: Tx, language: Language): Promise<void> {
  await tx.query(sql`select app.choose_language(${language})`);
}

/**
 * Of the person at the browser; their other sessions end. False when the try did not show the old one.
 */
export async function changeOwnPasswordHash(
  tx: Tx,
  passwordTry: string,
  { salt, cost, verifier }: PasswordHash,
): Promise<boolean> {
  const [row] = await tx.query<{ is_done: boolean }>(
    sql`select app.change_own_password(${passwordTry}::uuid, ${salt}, ${cost}, ${verifier})
      as is_done`,
  );
  return row?.is_done ?? false;
}

/** A try of a password that is counted, and how to hash what was typed. */
export type StartedTry =
  | { readonly seconds_left: 0; readonly try: string; readonly salt: Buffer; readonly cost: string }
  /** How long until the next may be made. */
  | { readonly seconds_left: number; readonly try: null };

/** Counts a try of the password of the person at the browser, as logging in does. */
export async function tryPassword(tx: Tx): Promise<StartedTry | undefined> {
  const [row] = await tx.query<StartedTry>(
    sql`select seconds_left, try, salt, cost from app.try_password()`,
  );
  return row;
}

/** Answers a try, once; whether it was right is told in a later transaction. */
export async function answerTry(db: Db, passwordTry: string, raw: Buffer): Promise<void> {
  await db.query(sql`select app.answer_try(${passwordTry}::uuid, ${raw})`);
}

/** Whether the person at the browser has just shown their password. */
export async function hasShownPassword(tx: Tx, passwordTry: string): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>(
    sql`select app.has_shown_password(${passwordTry}::uuid) as has`,
  );
  return row?.has ?? false;
}

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null for whoever chooses one by a link. */
  readonly passwordHash: PasswordHash | null;
  /** Given by somebody else, so it is to be changed at the first login. */
  readonly passwordIsTemporary: boolean;
}

/** Throws 422 when somebody has the address. */
export async function insertUser(tx: Tx, id: string, user: NewUser): Promise<void> {
  const { salt = null, cost = null, verifier = null } = user.passwordHash ?? {};
  await explained(user.email, () =>
    tx.query(sql`select app.create_user(${id}, ${user.email}, ${user.name}, ${user.role}, ${salt},
      ${cost}, ${verifier}, ${user.passwordIsTemporary})`),
  );
}

/** Of the user with the address, in whatever case; undefined when there is none. */
export async function findUserId(db: Db, email: string): Promise<string | undefined> {
  const [user] = await db.query<{ id: string }>(
    sql`select id from restricted.users where lower(email) = lower(${email})`,
  );
  return user?.id;
}
