/** A person at a browser, without the browser: cookies are kept, and forms are sent as pages make them. */
import type { Response } from 'light-my-request';
import { hashOfPassword, type PasswordHash } from '#src/access/users/passwords.ts';
import type { Role } from '#src/access/users/roles.ts';
import { createUser } from '#src/access/users/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { Installation } from './installation.ts';

export const PASSWORD = 'rätt häst batteri';

let hashed: Promise<PasswordHash> | undefined;

/** What the database keeps of `PASSWORD`: hashed once, which is made to cost the processor much. */
export const hashOfTestPassword = (): Promise<PasswordHash> =>
  (hashed ??= hashOfPassword(PASSWORD));

export interface Visitor {
  /** As the browser asks for pages. */
  get(url: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends a form as the page at `from` (the same address unless said) made it, tokens included. */
  submit(
    url: string,
    fields?: Record<string, string | readonly string[]>,
    from?: string,
  ): Promise<Response>;
  /** Exactly these fields, no tokens of its own. */
  post(url: string, fields: Record<string, string | readonly string[]>): Promise<Response>;
  /** Exactly this body of a form. */
  send(url: string, body: string): Promise<Response>;
  readonly cookies: Map<string, string>;
}

export interface LoggedIn extends Visitor {
  readonly id: string;
  readonly email: string;
}

/** Somebody who has not logged in. */
export function visit({ app }: Pick<Installation, 'app'>): Visitor {
  const cookies = new Map<string, string>();
  const keep = (response: Response): Response => {
    for (const { name, value, expires } of response.cookies) {
      if (expires && expires.getTime() <= Date.now()) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const headers = () => ({
    accept: 'text/html',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const visitor: Visitor = {
    cookies,
    get: async (url, more = {}) =>
      keep(await app.inject({ url, headers: { ...headers(), ...more } })),
    post: (url, fields) => visitor.send(url, encode(fields)),
    send: async (url, body) =>
      keep(
        await app.inject({
          method: 'POST',
          url,
          headers: { ...headers(), 'content-type': 'application/x-www-form-urlencoded' },
          payload: body,
        }),
      ),
    submit: async (url, fields = {}, from = url) => {
      const page = await visitor.get(from);
      return visitor.post(url, { ...tokensOf(page.body), ...fields });
    },
  };
  return visitor;
}

/** A new user of the role, logged in the way a person is. */
export async function logIn(installation: Installation, role: Role): Promise<LoggedIn> {
  const email = `${role}-${Math.random().toString(36).slice(2)}@exempel.se`;
  const passwordHash = await hashOfTestPassword();
  const { id } = await withTx(installation.owner, (tx) =>
    createUser(
      tx,
      { email, name: `Test ${role}`, role, passwordHash, passwordIsTemporary: false },
      'test',
    ),
  );
  // All come from one address, more than an address may be.
  await db(installation.owner).query(sql`delete from restricted.login_windows`);
  const visitor = visit(installation);
  const answer = await visitor.submit('/logga-in', { email, password: PASSWORD });
  if (answer.statusCode !== 303) throw new Error(`could not log in: ${answer.body}`);
  return { ...visitor, id, email };
}

/** The hidden fields of a page's first form. */
export function tokensOf(html: string): Record<string, string> {
  const found = [...html.matchAll(/name="(_csrf|_once|_seen)" value="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
}

function encode(fields: Record<string, string | readonly string[]>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of typeof value === 'string' ? [value] : value) pairs.append(name, one);
  }
  return pairs.toString();
}
