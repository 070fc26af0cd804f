/**
 * What pages write into the audit log, held against who is let in to them: whoever may write an entry by SQL
 * (audit.needed_right) is whoever may do at a page what it says. Looked at while tests do what they do, and compared as an
 * installation closes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import type { Right } from '#src/access/users/roles.ts';
import { db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';

export interface WrittenDown {
  /** What the page asks of whoever opens it. */
  readonly right: Right;
  /** As its route has it. */
  readonly url: string;
  readonly action: string;
  readonly subject: string;
}

/** What a form asks of those who send it in beyond what its page does, or what others do at pages of theirs. */
const others: Readonly<Record<string, Right>> = {
  'lock.period /manadsavslut': 'administer',
  'setting.changed /kundfakturor/:id/innan-bokning': 'administer',
  'user.changed /installningar/anvandare/:id': 'own',
  'user.invited /installningar/anvandare/ny': 'administer',
  // A VAT return that is filed locks too.
  'lock.vat /rakenskapsar/las/:kind': 'keep_books',
};

const pages = new AsyncLocalStorage<Partial<Pick<WrittenDown, 'right' | 'url'>>>();
tracingChannel<object, { request: FastifyRequest }>('fastify.request.handler').start.bindStore(
  pages,
  ({ request: { routeOptions } }) => {
    const { right } = routeOptions.config;
    return right && routeOptions.url ? { right, url: routeOptions.url } : {};
  },
);

/** By database. */
const writtenDown = new Map<string, WrittenDown[]>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
  const { right, url } = pages.getStore() ?? {};
  const [statement] = given;
  if (right && url && isRecording(statement)) {
    const [, actions, subjects] = statement.values;
    const entries = actions.map((action, at) => ({
      right,
      url,
      action,
      subject: `${subjects[at]}`,
    }));
    const name = this.database ?? '';
    writtenDown.set(name, [...(writtenDown.get(name) ?? []), ...entries]);
  }
  return Reflect.apply(query, this, given);
} as typeof query;

/** As `recordEvents` (src/audit/store.ts) writes it. */
const isRecording = (
  statement: unknown,
): statement is { values: readonly [string[], string[], string[]] } =>
  typeof statement === 'object' &&
  statement !== null &&
  'text' in statement &&
  String(statement.text).startsWith('select audit.record(e.actor, e.action, e.subject');

/** What pages have written down in a database since it was last asked. */
export function takeWrittenDown(databaseUrl: string): readonly WrittenDown[] {
  const name = new URL(databaseUrl).pathname.slice(1);
  const entries = writtenDown.get(name) ?? [];
  writtenDown.delete(name);
  return entries;
}

/** Entries that others may write by SQL than may open the page that wrote them, in words. */
export async function findMisjudged(
  owner: Pool,
  entries: readonly WrittenDown[],
): Promise<string[]> {
  const wrong = new Set<string>();
  for (const { right, url, action, subject } of entries) {
    const [judged] = await db(owner).query<{ needed: Right }>(
      sql`select audit.needed_right(${action}, ${subject}) as needed`,
    );
    const needed = judged?.needed;
    if (needed === right || needed === others[`${action} ${url}`]) continue;
    if (right === 'read' && (await neededOfOneself(owner, action, subject)) === 'read') continue;
    wrong.add(`${action} at ${url} (${right}) takes ${needed}`);
  }
  return [...wrong].sort();
}

/** What it takes of the person whom it is about. */
function neededOfOneself(
  owner: Pool,
  action: string,
  subject: string,
): Promise<string | undefined> {
  return withTx(owner, async (tx) => {
    await tx.query(sql`with session as (
        insert into restricted.sessions (hash, user_id, is_complete)
        select sha256(sha256(convert_to(${subject}, 'UTF8'))), u.id, true from restricted.users u
        where u.id::text = ${subject} on conflict do nothing)
      select set_config('huvudbok.session', encode(sha256(convert_to(${subject}, 'UTF8')), 'hex'), true)`);
    const [judged] = await tx.query<{ needed: string }>(
      sql`select audit.needed_right(${action}, ${subject}) as needed`,
    );
    return judged?.needed;
  });
}
