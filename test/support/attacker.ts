/** A login of the database that an attacker has: any SQL, answered with its rows or with the word for why not. */
import type pg from 'pg';
import { beforeAll } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { connect, databaseErrorOf } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';

type Word = 'constraint' | 'code';

/** Open from before the first test to after the last; the first of `words` that the refusal has is answered. */
export function attackerAs(role: DatabaseRole, url: () => string, ...words: readonly Word[]) {
  const session = {
    run: (_text: string, _values?: unknown[]): Promise<unknown[] | string> => Promise.reject(),
  };
  let client: pg.Client;
  beforeAll(async () => {
    client = await connect(await roleUrl(url(), role), 'attacker');
    session.run = (text, values) =>
      client.query(text, values).then(
        ({ rows }) => rows ?? [],
        (error) => words.map((word) => databaseErrorOf(error)?.[word]).find(Boolean) ?? `${error}`,
      );
    return () => client.end();
  });
  return session;
}
