/** What a process of the service logs in as: asked of the database once, as its owner. */

import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { connect } from './pool.ts';
import { readSurroundings } from './role-claims.ts';
import { type DatabaseRole, type Logins, loginsOf, roleNames } from './roles.ts';

/** Throws an OperatorError when the database has no roles of its own (it is empty, or a copy). */
export async function findLogins(ownerUrl: string): Promise<Logins> {
  const client = await connect(ownerUrl, 'huvudbok roles');
  try {
    return await readLogins(client, ownerUrl);
  } finally {
    await client.end();
  }
}

/** As `findLogins`, over a connection of the owner's. */
export async function readLogins(client: pg.ClientBase, ownerUrl: string): Promise<Logins> {
  const { recorded, database, roles } = await readSurroundings(client);
  const isOwn = (name: string): boolean => {
    const role = roles.get(name);
    return role !== undefined && (role.madeFor ?? database.oid) === database.oid;
  };
  if (recorded !== undefined && roleNames(recorded).every(isOwn)) {
    return loginsOf(ownerUrl, recorded);
  }
  throw new OperatorError(
    `Databasen ${database.name} har inga egna inloggningar: den är tom, återställd eller en kopia. Kör huvudbok migrate.`,
  );
}

/** The address that one role logs in with; as `findLogins`. */
export async function roleUrl(ownerUrl: string, role: DatabaseRole): Promise<string> {
  const login = await findLogins(ownerUrl);
  return login(role);
}
