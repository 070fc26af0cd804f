/**
 * Inviting people: a link by which its user chooses a password of their own. It opens once, within a week, and the
 * secret in it is nowhere but in the link: the database knows a hash of it, as of a session.
 */
import { recordEvent } from '../../audit/store.ts';
import { type Pool, type Tx, withTx } from '../../db/pool.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { createSecret, hashOfSecret } from '../keys/secrets.ts';
import { nameRequest } from '../sessions/store.ts';
import { putInvitation, spendInvitation } from './invitation-store.ts';
import { hashOfPassword } from './passwords.ts';
import type { User } from './store.ts';

export interface Invitation {
  /** The whole link, which is shown once. */
  readonly link: string;
  readonly expiresAt: Date;
  /** Whether it leads to the machine that it is opened on, as where BASE_URL is not set: elsewhere it opens nothing. */
  readonly isLocal: boolean;
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);

/** A new link for a user; the one before it opens nothing more, and a password they have goes on until it is used. */
export async function inviteUser(
  tx: Tx,
  { id, email }: Pick<User, 'id' | 'email'>,
  actor: string,
  baseUrl: string,
): Promise<Invitation> {
  const secret = createSecret('');
  const expiresAt = await putInvitation(tx, id, hashOfSecret(secret));
  if (!expiresAt) throw refuseWhole('unprocessable', 'shut_out_not_invited');
  await recordEvent(tx, { actor, action: 'user.invited', subject: id, detail: { email } });
  const isLocal = localHosts.has(new URL(baseUrl).hostname);
  return { link: `${baseUrl}/inbjudan?nyckel=${secret}`, expiresAt, isLocal };
}

/** The link that a user has not used yet opens nothing more. */
export async function withdrawInvitation(
  tx: Tx,
  { id, email }: Pick<User, 'id' | 'email'>,
  actor: string,
): Promise<void> {
  await putInvitation(tx, id, null);
  const detail = { email };
  await recordEvent(tx, { actor, action: 'user.invitation_withdrawn', subject: id, detail });
}

export interface Acceptance {
  /** SHA-256 of the link's secret. */
  readonly invitation: Buffer;
  /** One that `passwordProblem` has nothing against. */
  readonly password: string;
  /** The sender's, as PostgreSQL can keep it. */
  readonly address: string;
  readonly agent: string;
  readonly requestId: string;
  /** The session the browser already had. */
  readonly previous: string | undefined;
}

export type AcceptanceOutcome =
  /** Used meanwhile, withdrawn or too old. */
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'logged_in' | 'second_factor'; readonly token: string };

/** Chooses the password and logs in with it; of two at once one does. */
export async function acceptInvitation(
  pool: Pool,
  { invitation, password, address, agent, requestId, previous }: Acceptance,
): Promise<AcceptanceOutcome> {
  const passwordHash = await hashOfPassword(password);
  const token = createSecret('');
  const outcome = await withTx(pool, async (tx) => {
    await nameRequest(tx, requestId);
    const session = { hash: hashOfSecret(token), address, agent };
    const had = previous === undefined ? null : hashOfSecret(previous);
    return spendInvitation(tx, invitation, passwordHash, session, had);
  });
  return outcome === 'refused' ? { outcome } : { outcome, token };
}
