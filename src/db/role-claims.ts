/**
 * Whose a role is. A role says in its comment which database it was made for, and the server's own record of
 * dependencies says which databases it has rights in; both can be read from any database of the server. A
 * copy of a database (restored, or made from it as a template) has another oid, so what it names is its
 * original's. A database that is renamed keeps its oid, and one that came with all its server its roles.
 */
import type pg from 'pg';
import { anyRoleName, plainPrefix, roleNames } from './roles.ts';

export interface ServerRole {
  readonly name: string;
  /** The oid of the database it says that it was made for; null for a stranger's, and those of before 0083. */
  readonly madeFor: number | null;
  /** The databases it has rights in. */
  readonly usedBy: readonly number[];
  /** Whether the owner may alter it. */
  readonly isAlterable: boolean;
  /** Whether the owner may end its connections. */
  readonly isOwners: boolean;
}

/** What the choice of names hangs on. */
export interface ServerSurroundings {
  readonly database: { readonly oid: number; readonly name: string };
  /** Who asks. */
  readonly owner: { readonly name: string; readonly isSuperuser: boolean };
  /** What this database's rights and functions name; undefined in an empty one. */
  readonly recorded: string | undefined;
  readonly roles: ReadonlyMap<string, ServerRole>;
  /** The databases of the owner of this one. */
  readonly siblings: ReadonlySet<number>;
}

const commentForm = /^Huvudbok: databasen .* \(oid (\d+)\)$/s;

/** The comment of a role that is made for a database. */
export const claimOf = ({ oid, name }: ServerSurroundings['database']): string =>
  `Huvudbok: databasen ${name} (oid ${oid})`;

export async function readSurroundings(client: pg.ClientBase): Promise<ServerSurroundings> {
  const { rows } = await client.query(
    `select r.rolname as name, shobj_description(r.oid, 'pg_authid') as comment,
       array(select distinct case when d.dbid = 0 then d.objid else d.dbid end
         from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid
           and (d.dbid <> 0 or d.classid = 'pg_database'::regclass)) as used_by,
       not r.rolsuper and (me.rolsuper or pg_has_role(r.oid, 'member with admin option')
         or me.rolcreaterole and current_setting('server_version_num')::integer < 160000) as is_alterable,
       pg_has_role(r.oid, 'usage') as is_owners
     from pg_roles r, pg_roles me where r.rolname ~ $1 and me.rolname = current_user`,
    [anyRoleName],
  );
  const databases = await client.query(
    `select oid, datname as name, datname = current_database() as is_this from pg_database
     where datdba = (select datdba from pg_database where datname = current_database())`,
  );
  const { oid, name } = databases.rows.find(({ is_this }) => is_this);
  const asking = await client.query(
    'select rolname as name, rolsuper as "isSuperuser" from pg_roles where rolname = current_user',
  );
  return {
    database: { oid, name },
    owner: asking.rows[0],
    recorded: await readPrefix(client),
    roles: new Map(
      rows.map((row): [string, ServerRole] => [
        row.name,
        {
          name: row.name,
          madeFor: Number(commentForm.exec(row.comment ?? '')?.[1]) || null,
          usedBy: row.used_by,
          isAlterable: row.is_alterable,
          isOwners: row.is_owners,
        },
      ]),
    ),
    siblings: new Set(databases.rows.map((row) => row.oid)),
  };
}

/** What this database names; databases of before 0083 do not say, and name those without anything between. */
export async function readPrefix(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query(
    `select to_regclass('migration.hashes') is not null as has_schema,
       to_regclass('migration.installation') is not null as says_prefix`,
  );
  const { has_schema, says_prefix } = rows[0];
  if (!says_prefix) return has_schema ? plainPrefix : undefined;
  const said = await client.query('select role_prefix from migration.installation');
  return said.rows[0]?.role_prefix;
}

/** `own`: made for this database. `free`: may be made, or taken over. `taken`: somebody else's. */
type Standing = 'own' | 'free' | 'taken';

function standingOf(role: ServerRole | undefined, where: ServerSurroundings): Standing {
  if (!role) return 'free';
  const { oid } = where.database;
  const others = role.usedBy.filter((user) => user !== oid);
  // On a server that was rebuilt from a dump oids are others': only use tells then.
  if (role.madeFor === oid) {
    return role.usedBy.includes(oid) || others.length === 0 ? 'own' : 'taken';
  }
  if (!role.isAlterable) return 'taken';
  if (role.madeFor !== null) return others.length === 0 ? 'free' : 'taken';
  // Made before roles said whose they are: the oldest of the databases that use it made it.
  const isOldest = others.every((other) => other > oid && where.siblings.has(other));
  return role.usedBy.includes(oid) && isOldest ? 'free' : 'taken';
}

export function standingOfPrefix(prefix: string, where: ServerSurroundings): Standing {
  const standings = roleNames(prefix).map((name) => standingOf(where.roles.get(name), where));
  if (standings.includes('taken')) return 'taken';
  return standings.includes('own') ? 'own' : 'free';
}

/** What this database's roles are to be called: as today where they are its own, else what nobody has. */
export function choosePrefix(where: ServerSurroundings): string {
  const recorded = where.recorded === undefined ? [] : [where.recorded];
  const existing = [...where.roles.keys()].map((name) => name.replace(/_[a-z]+$/, ''));
  const own = [...recorded, ...existing].find(
    (prefix) => standingOfPrefix(prefix, where) === 'own',
  );
  if (own) return own;
  const isFree = (prefix: string) => standingOfPrefix(prefix, where) === 'free';
  const named = `${plainPrefix}_${slugOf(where.database.name)}`;
  const free = [...recorded, plainPrefix, named].find(isFree);
  if (free) return free;
  let nth = 2;
  while (!isFree(`${named}_${nth}`)) nth += 1;
  return `${named}_${nth}`;
}

/** Identifiers are 63 bytes long. */
const slugLengthMax = 40;

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, slugLengthMax) || 'books';
