/**
 * Sees to it that this database's roles exist and are its own: made when they are missing, never those of
 * another installation. A copy that still names its original's gets roles of its own, and the original's lose
 * every right in it, in one transaction; nothing is done to the original or to its roles.
 */
import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { patiently } from './patience.ts';
import { connect, databaseErrorOf } from './pool.ts';
import {
  choosePrefix,
  claimOf,
  readPrefix,
  readSurroundings,
  type ServerSurroundings,
} from './role-claims.ts';
import { handOver } from './role-handover.ts';
import { limitStatements, readRoom } from './role-limits.ts';
import {
  type DatabaseRole,
  loginsOf,
  plainPrefix,
  roleName,
  roleNames,
  rolePassword,
  roles,
} from './roles.ts';
import { scramVerifier } from './scram.ts';

const missingRight = '42501';

/** Makes what is missing and gives the prefix of this database's roles. Repeatable. */
export async function ensureOwnRoles(
  client: pg.ClientBase,
  url: string,
  log: (line: string) => void,
): Promise<string> {
  let prefix = plainPrefix;
  await patiently(
    client,
    async () => {
      prefix = await makeRoles(client, url);
      await recordPrefix(client, prefix);
    },
    log,
  );
  return prefix;
}

async function makeRoles(client: pg.ClientBase, url: string): Promise<string> {
  await client.query('savepoint roles');
  try {
    await holdServer(client);
    const where = await readSurroundings(client);
    const prefix = choosePrefix(where);
    await client.query((await roleStatements(client, url, prefix, where)).join(';\n'));
    return prefix;
  } catch (error) {
    if (databaseErrorOf(error)?.code !== missingRight) throw error;
    await client.query('rollback to savepoint roles');
    return requireRoles(client, url, error);
  }
}

/**
 * Waits for other installations that make roles right now. No lock but a name spans a server's databases:
 * another's `create role` waits until this transaction ends, and then finds nothing.
 */
const holdServer = (client: pg.ClientBase) =>
  client.query('create role hb_migrating; drop role hb_migrating');

/** What makes this database's roles what they are to be, for whoever may run it. */
async function roleStatements(
  client: pg.ClientBase,
  url: string,
  prefix: string,
  where: ServerSurroundings,
): Promise<string[]> {
  const database = client.escapeIdentifier(where.database.name);
  const owner = client.escapeIdentifier(where.owner.name);
  const room = await readRoom(client);
  const statementsOf = async (role: DatabaseRole): Promise<string[]> => {
    const name = roleName(prefix, role);
    const password = rolePassword(url, name);
    const login =
      password === null
        ? 'login'
        : `login password ${client.escapeLiteral(await scramVerifier(password))}`;
    return [
      `${where.roles.has(name) ? 'alter' : 'create'} role ${name} ${login}`,
      `comment on role ${name} is ${client.escapeLiteral(claimOf(where.database))}`,
      `grant connect on database ${database} to ${name}`,
      // Who inherits from a role may end its connections (restricted.end_overdue). PostgreSQL 15 gives it to no maker of
      // roles, later ones by createrole_self_grant.
      ...(where.owner.isSuperuser || where.roles.get(name)?.isOwners
        ? []
        : [`grant ${name} to ${owner}`]),
      // Everybody may choose what their own logins begin with, and whoever ran SQL as the role may have.
      `alter role ${name} reset all`,
      `alter role ${name} in database ${database} reset all`,
      ...limitStatements(role, name, room),
    ];
  };
  return (await Promise.all(roles.map(statementsOf))).flat();
}

/** For an owner who may make none: those that an administrator made, if they are as they should be. */
async function requireRoles(client: pg.ClientBase, url: string, cause: unknown): Promise<string> {
  const where = await readSurroundings(client);
  const prefix = choosePrefix(where);
  const logins = loginsOf(url, prefix);
  for (const role of roles) {
    const name = roleName(prefix, role);
    const isOurs = where.roles.get(name)?.madeFor === where.database.oid;
    if (isOurs && (await letsIn(logins(role)))) continue;
    throw new OperatorError(
      `Rollen ${name} ${isOurs ? 'släpper inte in med sitt lösenord' : 'finns inte för databasen'} och ägaren får inte skapa den: låt serverns administratör köra det som huvudbok roles --sql skriver ut.`,
      { cause },
    );
  }
  return prefix;
}

/** Wrong password, no such role, or refused by pg_hba.conf or the database. */
const shut = new Set(['28P01', '28000', missingRight]);

async function letsIn(url: string): Promise<boolean> {
  try {
    await (await connect(url, 'huvudbok roles')).end();
    return true;
  } catch (error) {
    if (shut.has(databaseErrorOf(error)?.code ?? '')) return false;
    throw error;
  }
}

async function recordPrefix(client: pg.ClientBase, prefix: string): Promise<void> {
  const named = await readPrefix(client);
  await client.query(`
    create schema if not exists migration;
    create table if not exists migration.installation (
      singleton boolean not null default true,
      role_prefix text not null,
      constraint installation_pkey primary key (singleton),
      constraint installation_is_single check (singleton))`);
  await client.query(
    `insert into migration.installation (role_prefix) values ($1)
     on conflict (singleton) do update set role_prefix = excluded.role_prefix`,
    [prefix],
  );
  if (named !== undefined && named !== prefix) await handOver(client, named, prefix);
}

export interface RolesDescription {
  readonly database: ServerSurroundings['database'];
  /** `missing` ones are made, and `unclaimed` ones taken over, by the next migration. */
  readonly roles: readonly { name: string; state: 'ready' | 'missing' | 'unclaimed' }[];
  /** The SQL that makes them what they are to be. */
  readonly statements: readonly string[];
}

/** What this database's roles are or will be. Changes nothing. */
export async function describeRoles(client: pg.ClientBase, url: string): Promise<RolesDescription> {
  const where = await readSurroundings(client);
  const { database } = where;
  const prefix = choosePrefix(where);
  const stateOf = (name: string) => {
    const role = where.roles.get(name);
    if (!role) return 'missing';
    return role.madeFor === database.oid ? 'ready' : 'unclaimed';
  };
  return {
    database,
    roles: roleNames(prefix).map((name) => ({ name, state: stateOf(name) })),
    statements: await roleStatements(client, url, prefix, where),
  };
}
