/** Who is at the browser, and their browser's session. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createSecret, hashOfSecret } from '../access/keys/secrets.ts';
import { enterSession, mayStill, type SessionRow } from '../access/sessions/store.ts';
import { mayDo, type Right, type Role, roleNames } from '../access/users/roles.ts';
import type { Pool, Tx } from '../db/pool.ts';
import { withTx } from '../db/pool.ts';
import { isReading } from '../http/head.ts';
import { cookieAt, sessionCookie } from '../http/headers.ts';
import { AppError } from '../lib/errors.ts';
import { type Language, say, speaking, translated, worded } from '../lib/language.ts';
import type { Inboxes } from '../reports/overview/store.ts';
import type { KeptForm } from './form-fields.ts';
import { pageLanguage } from './language.ts';

export { sessionCookie };

/** Before anybody is logged in, what the login form's token is bound to. */
const visitorCookie = '__Host-huvudbok-visitor';

/** Of every cookie we set: ours alone, over TLS, out of reach for scripts and other sites' forms. */
export const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

export interface Person {
  readonly id: string;
  readonly email: string;
  /** Their name, or the address when they gave none. */
  readonly name: string;
  readonly role: Role;
  readonly roleName: string;
  readonly company: string;
  /** What they have chosen for the pages that there are in it. */
  readonly language: Language;
  readonly passwordIsTemporary: boolean;
  readonly hasSecondFactor: boolean;
  /** As written down with what they do: `user:<id>`. */
  readonly actor: string;
  /** SHA-256 of the session's secret. */
  readonly session: Buffer;
  may(right: Right): boolean;
}

/** What a form may hold beside its files. */
const carriedMaxBytes = 1024 * 1024;
const tokenForm = /^[\w-]{43}$/;

/** The secret of the browser's session; undefined when it has none. */
export function sessionOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[cookieAt(request, sessionCookie)];
  return token !== undefined && tokenForm.test(token) ? token : undefined;
}

/** From here on, in what this request still answers too. */
export function keepSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  request.cookies[cookieAt(request, sessionCookie)] = token;
  reply.setCookie(cookieAt(request, sessionCookie), token, cookieOptions);
  reply.clearCookie(cookieAt(request, visitorCookie), cookieOptions);
}

export function forgetSession(request: FastifyRequest, reply: FastifyReply): void {
  delete request.cookies[cookieAt(request, sessionCookie)];
  reply.clearCookie(cookieAt(request, sessionCookie), cookieOptions);
}

/** What a form's token is bound to: the session, or a visitor's cookie that is made when missing. */
function bindingOf(request: FastifyRequest, reply: FastifyReply): string {
  const token = sessionOf(request);
  if (token !== undefined) return token;
  const given = request.cookies[cookieAt(request, visitorCookie)];
  if (given !== undefined && tokenForm.test(given)) return given;
  const made = createSecret('');
  request.cookies[cookieAt(request, visitorCookie)] = made;
  reply.setCookie(cookieAt(request, visitorCookie), made, cookieOptions);
  return made;
}

const formTokenFor = (binding: string): string =>
  createHmac('sha256', binding).update('form').digest('base64url');

/** The hidden `_csrf` of every form: nobody can make it without the browser's cookie. */
export function formToken(request: FastifyRequest, reply: FastifyReply): string {
  return formTokenFor(bindingOf(request, reply));
}

/** A page of ours sent it, as the browser says; no page of another site can say so. */
const isFromOurPage = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'same-origin';

/** Before a byte of a form has come: refuses what its headers alone show to be no form of this browser's. */
export function requireOwnBrowser(request: FastifyRequest): void {
  const hasBinding =
    (sessionOf(request) ?? request.cookies[cookieAt(request, visitorCookie)]) !== undefined;
  const isOurs = hasBinding || isFromOurPage(request);
  if (!isOurs || request.headers['sec-fetch-site'] === 'cross-site') throw wrongToken();
}

/**
 * Whether the form of somebody who is not logged in any more is read, so that what they had typed comes back
 * after the log-in: from a page of ours, or so short that it can all be carried there. Its files never are.
 */
export const isCarried = (request: FastifyRequest): boolean =>
  isFromOurPage(request) || Number(request.headers['content-length']) <= carriedMaxBytes;

/** Refuses a form that another site sent, or that was made for another session. */
export function requireFormToken(request: FastifyRequest, given: string): void {
  const site = request.headers['sec-fetch-site'];
  const binding = sessionOf(request) ?? request.cookies[cookieAt(request, visitorCookie)];
  const expected = binding === undefined ? '' : formTokenFor(binding);
  const isOurs = expected !== '' && isSame(given, expected) && site !== 'cross-site';
  if (!isOurs) throw wrongToken();
}

/**
 * Whether a form is of this login. One that a page of ours sent in an earlier login (the browser says so,
 * and no page of another site can) may be shown again, but never done; anything else is refused.
 */
export function isOfThisLogin(request: FastifyRequest, given: string): boolean {
  try {
    requireFormToken(request, given);
    return true;
  } catch (error) {
    if (isFromOurPage(request) && tokenForm.test(given)) return false;
    throw error;
  }
}

export function wrongToken(): AppError {
  return new AppError(
    'forbidden',
    'Formuläret hör till en annan inloggning, eller kom från en annan webbplats. Gå tillbaka, ladda om sidan och skicka det igen.',
    { detail: { reason: 'form_token' } },
  );
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** What a request runs when nobody is logged in any more. */
export class NotLoggedIn extends AppError {
  readonly step: 'log_in' | 'second_factor' | 'new_password';
  /** Who is to choose a new password. */
  readonly person: Person | undefined;
  /** What they had typed, when it was a form they sent. */
  readonly kept: KeptForm | undefined;

  constructor(
    step: NotLoggedIn['step'] = 'log_in',
    {
      person,
      kept,
    }: { readonly person?: Person | undefined; readonly kept?: KeptForm | undefined } = {},
  ) {
    super('unauthorized', 'Logga in för att fortsätta.');
    this.step = step;
    this.person = person;
    this.kept = kept;
  }
}

export interface EnterOptions {
  readonly right: Right;
  /** The pages where a temporary password is changed let its owner in before they have done so. */
  readonly allowsTemporaryPassword?: boolean;
}

/**
 * Runs `work` in a transaction that speaks for the person at the browser: the database looks their
 * session and role up again in every statement. Whatever `work` says is in the language of the page, as they have
 * chosen. Rejects with NotLoggedIn, or 403 `forbidden`.
 */
export async function asPerson<T>(
  pool: Pool,
  request: FastifyRequest,
  { right, allowsTemporaryPassword = false }: EnterOptions,
  work: (tx: Tx, person: Person) => Promise<T>,
): Promise<T> {
  const token = sessionOf(request);
  if (token === undefined) throw new NotLoggedIn();
  const session = hashOfSecret(token);
  const whole = withTx(pool, async (tx) => {
    const row = await enterSession(tx, session, request.id);
    if (!row) throw new NotLoggedIn();
    if (!row.is_complete) throw new NotLoggedIn('second_factor');
    const person = personOf(row, session);
    if (person.passwordIsTemporary && !allowsTemporaryPassword) {
      throw new NotLoggedIn('new_password', { person });
    }
    request.person = person;
    request.server.load.remember(session);
    return speaking(pageLanguage(request), () => {
      if (!person.may(right)) throw forbidden(person, right);
      return work(tx, person);
    });
  });
  if (isReading(request)) return whole;
  return whole.catch(async (error) => {
    throw mayBeLost(error) && (await hasLost(pool, session, request.id, right))
      ? speaking(pageLanguage(request), () => lostMeanwhile(right))
      : error;
  });
}

/** Whose right goes while they are at it finds rows gone, and writes where the database lets nobody. */
const mayBeLost = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'not_found';

/** False when the database does not answer either. */
const hasLost = (pool: Pool, session: Buffer, requestId: string, right: Right): Promise<boolean> =>
  withTx(
    pool,
    async (tx) => !(await enterSession(tx, session, requestId)) || !(await mayStill(tx, right)),
  ).catch(() => false);

/**
 * Refuses (403) what somebody did while their right or their session was taken from them: the database then let
 * them change nothing more, without a word.
 */
export async function requireStill(tx: Tx, right: Right): Promise<void> {
  if (!(await mayStill(tx, right))) throw lostMeanwhile(right);
}

const lostMeanwhile = (right: Right): AppError =>
  new AppError(
    'forbidden',
    say`Medan du skickade ändrades din roll, eller så blev du utloggad. Ingenting är gjort; be ${neededRole()[right]}.`,
    { detail: { required: right } },
  );

/** Whether the browser is somebody's who may go on to the pages: nothing of the log-in is left to do. */
export async function isLoggedIn(pool: Pool, request: FastifyRequest): Promise<boolean> {
  try {
    await asPerson(pool, request, { right: 'read' }, async () => undefined);
    return true;
  } catch (error) {
    if (error instanceof NotLoggedIn) return false;
    throw error;
  }
}

function personOf(row: SessionRow, session: Buffer): Person {
  return {
    id: row.user_id,
    email: row.email,
    name: row.name || row.email,
    role: row.role,
    roleName: roleNames[row.role],
    company: row.company ?? '',
    language: row.language,
    passwordIsTemporary: row.password_is_temporary,
    hasSecondFactor: row.has_second_factor,
    actor: `user:${row.user_id}`,
    session,
    may: (right) => mayDo(row.role, right),
  };
}

const neededRole = worded(
  (): Readonly<Record<Right, string>> => ({
    read: say`en användare`,
    keep_books: say`en medarbetare`,
    administer: say`en administratör`,
    own: say`en ägare`,
  }),
);

function forbidden({ roleName }: Person, right: Right): AppError {
  return new AppError(
    'forbidden',
    say`Din roll (${translated(roleName)}) räcker inte till det här; be ${neededRole()[right]}.`,
    { detail: { required: right } },
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever the request turned out to come from, once it has been looked up. */
    person: Person | null;
    /** What waits in the inboxes, for the navigation; null when nobody asked. */
    inboxes: Inboxes | null;
  }
}
