/** Sessions through the functions of schema `app`: nothing here needs to know the tables. */
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { Language } from '../../lib/language.ts';
import type { Right, Role } from '../users/roles.ts';
import type { StartedTry } from '../users/store.ts';

/** Whose session it is, as the database says in this very transaction. */
export interface SessionRow {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  /** False while the second factor is waited for: the session opens nothing yet. */
  is_complete: boolean;
  password_is_temporary: boolean;
  has_second_factor: boolean;
  /** The company's name, null before the first visit. */
  company: string | null;
  language: Language;
}

/**
 * Presents the session for the rest of the transaction; undefined when it opens nothing. What the
 * transaction writes to the audit log is marked with the request's id.
 */
export async function enterSession(
  tx: Tx,
  hash: Buffer,
  requestId: string,
): Promise<SessionRow | undefined> {
  const [row] = await tx.query<SessionRow>(
    prepared(
      'enter session',
      sql`select user_id, email, name, role, is_complete, password_is_temporary, has_second_factor,
            company, app.own_language() as language
          from (select set_config('huvudbok.request_id', ${requestId}, true)) as request,
            app.enter(${hash})`,
    ),
  );
  return row;
}

/**
 * Whether the person at the browser has the right when they are done. Without it, what they changed since it went
 * has met no row.
 */
export async function mayStill(tx: Tx, right: Right): Promise<boolean> {
  const [row] = await tx.query<{ may: boolean }>(sql`select app.may(${right}) as may`);
  return row?.may ?? false;
}

/** Marks what the transaction writes to the audit log with the request's id, before anybody is there. */
export async function nameRequest(tx: Tx, requestId: string): Promise<void> {
  await tx.query(sql`select set_config('huvudbok.request_id', ${requestId}, true)`);
}

/** Counts an attempt to log in, with an account or without; the two cannot be told apart. */
export async function findLogin(db: Db, email: string, address: string): Promise<StartedTry> {
  const [row] = await db.query<StartedTry>(
    sql`select seconds_left, try, salt, cost from app.find_login(${email}, ${address}::inet)`,
  );
  if (!row) throw new Error('the attempt was not counted');
  return row;
}

export interface NewSession {
  /** What presents it from now on. */
  readonly hash: Buffer;
  readonly address: string;
  readonly agent: string;
}

/** Begins a session if the try, answered in an earlier transaction, was of the right password. */
export async function beginSession(
  tx: Tx,
  passwordTry: string,
  { hash, address, agent }: NewSession,
  /** The session the browser had, which goes. */
  previous: Buffer | null,
): Promise<'refused' | 'second_factor' | 'logged_in'> {
  const [row] = await tx.query<{ outcome: 'refused' | 'second_factor' | 'logged_in' }>(
    sql`select app.begin_session(${passwordTry}::uuid, ${hash}, ${previous}::bytea,
      ${address}::inet, ${agent}) as outcome`,
  );
  return row?.outcome ?? 'refused';
}

/** The session of the first owner, in the transaction that made them. */
export async function beginFirstSession(
  tx: Tx,
  userId: string,
  { hash, address, agent }: NewSession,
): Promise<void> {
  await tx.query(sql`select app.begin_first_session(${userId}::uuid, ${hash}, ${address}::inet,
    ${agent})`);
}

export async function deleteSession(tx: Tx, hash: Buffer): Promise<void> {
  await tx.query(sql`select app.end_session(${hash})`);
}

/**
 * Claims a form in the transaction of its effect: null the first time, else where that one went, which is
 * empty when it is not this person's to know. Waits for whoever is answering the same form.
 */
export async function claimForm(tx: Tx, id: string): Promise<string | null> {
  const [claim] = await tx.query<{ location: string | null }>(
    sql`select app.claim_form(${id}::uuid) as location`,
  );
  return claim?.location ?? null;
}

/** Whoever else sends the form at this address waits until the transaction is over. */
export async function lockForm(tx: Tx, path: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('form'), hashtext(${path}))`);
}

/** Where whoever sends the claimed form again is led. */
export async function noteFormWent(tx: Tx, id: string, location: string): Promise<void> {
  await tx.query(sql`select app.form_went_to(${id}::uuid, ${location})`);
}

export async function hasUsers(db: Db): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(sql`select app.has_users() as has`);
  return row?.has ?? false;
}

export interface ListedSession {
  /** Names it on pages: a hash of what presents it, so that it opens nothing. */
  id: string;
  is_current: boolean;
  is_complete: boolean;
  created_at: Date;
  last_seen_at: Date;
  address: string | null;
  agent: string;
}

/** Those that still open something, the latest used first. */
export function listSessions(db: Db, userId: string): Promise<ListedSession[]> {
  return db.query(sql`select encode(hash, 'hex') as id, is_complete, created_at, last_seen_at,
      host(address) as address, agent,
      hash = app.presented_session() as is_current
    from restricted.sessions
    where user_id = ${userId}::uuid and last_seen_at > now() - interval '2 hours'
      and created_at > now() - interval '12 hours'
    order by last_seen_at desc, id`);
}

/** Ends a user's sessions: all, all but the presented one, or the one of an id. How many ended. */
export async function endSessions(
  tx: Tx,
  userId: string,
  which: { readonly but?: 'current'; readonly id?: string } = {},
): Promise<number> {
  const ended = await tx.query(sql`delete from restricted.sessions
    where user_id = ${userId}::uuid
      and (${which.id ?? null}::text is null or encode(hash, 'hex') = ${which.id ?? null})
      and (${which.but ?? null}::text is null
        or hash is distinct from app.presented_session())
    returning user_id`);
  return ended.length;
}
