/** The people who may log in, each with one role. */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { createTemporaryPassword, hashOfPassword } from './passwords.ts';
import { removeSecondFactor } from './second-factor-store.ts';
import {
  changeUserRow,
  insertUser,
  type NewUser,
  resetPasswordHash,
  setActive,
  type User,
} from './store.ts';

/** Refuses (422) an address that somebody has. */
export async function createUser(tx: Tx, user: NewUser, actor: string): Promise<{ id: string }> {
  const id = uuid();
  await insertUser(tx, id, user);
  const detail = { email: user.email, role: user.role };
  await recordEvent(tx, { actor, action: 'user.created', subject: id, detail });
  return { id };
}

/** What others call them, how they log in, and their role, which holds from the next statement on. */
export async function changeUser(
  tx: Tx,
  user: User,
  change: Pick<User, 'email' | 'name' | 'role'>,
  actor: string,
): Promise<void> {
  const changed = (['email', 'name', 'role'] as const).filter(
    (name) => user[name] !== change[name],
  );
  if (changed.length === 0) return;
  const detail = Object.fromEntries(changed.map((name) => [name, [user[name], change[name]]]));
  // Written down first: whoever changes their own place has another one after it, or none.
  await recordEvent(tx, { actor, action: 'user.changed', subject: user.id, detail });
  await changeUserRow(tx, user.id, change);
}

/** Shuts somebody out at once, in the middle of what they do; themselves too. */
export async function deactivateUser(tx: Tx, user: User, actor: string): Promise<void> {
  const detail = { email: user.email };
  await recordEvent(tx, { actor, action: 'user.deactivated', subject: user.id, detail });
  await setActive(tx, user.id, false);
}

export async function reactivateUser(tx: Tx, user: User, actor: string): Promise<void> {
  await setActive(tx, user.id, true);
  const detail = { email: user.email };
  await recordEvent(tx, { actor, action: 'user.reactivated', subject: user.id, detail });
}

/** A password that must be changed at the next login; it cannot be shown again. Ends their sessions. */
export async function resetPassword(
  tx: Tx,
  { id }: Pick<User, 'id'>,
  actor: string,
): Promise<{ password: string }> {
  const password = createTemporaryPassword();
  await setTemporaryPassword(tx, id, password, actor);
  return { password };
}

/** The same with a password that the operator chose. */
export async function setTemporaryPassword(
  tx: Tx,
  id: string,
  password: string,
  actor: string,
): Promise<void> {
  const isDone = await resetPasswordHash(tx, id, await hashOfPassword(password));
  if (!isDone) throw refuseWhole('not_found', 'no_user');
  await recordEvent(tx, { actor, action: 'user.password_reset', subject: id });
}

/** For whoever lost their device and codes. False when nothing was on. */
export async function turnOffSecondFactorOf(
  tx: Tx,
  { id }: Pick<User, 'id'>,
  actor: string,
): Promise<boolean> {
  const isDone = await removeSecondFactor(tx, id);
  if (isDone) await recordEvent(tx, { actor, action: 'user.second_factor_removed', subject: id });
  return isDone;
}
