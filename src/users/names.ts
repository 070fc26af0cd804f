import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';

/**
 * What to call those who have done something (`user:<id>`, `job:…`, `cli`), by how they are written
 * down. Somebody without a name is called by their address.
 */
export async function listActorNames(
  db: Db,
  actors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = actors.flatMap((actor) => /^user:([0-9a-f-]{36})$/.exec(actor)?.[1] ?? []);
  const users =
    ids.length === 0
      ? []
      : await db.query<{ id: string; name: string }>(
          sql`select id, coalesce(nullif(name, ''), email) as name from restricted.users
              where id = any (${ids}::uuid[])`,
        );
  const names = new Map(users.map(({ id, name }) => [`user:${id}`, name]));
  return new Map(actors.map((actor) => [actor, names.get(actor) ?? otherName(actor)]));
}

function otherName(actor: string): string {
  if (actor.startsWith('job:')) return 'Automatiken';
  return actor === 'cli' ? 'Kommandoraden' : actor;
}
