/**
 * The numbered migrations of this program, how a database stands to them, and running those it lacks.
 * Each is a transaction of its own, which takes the locks on all tables that the file touches before it
 * changes anything, all of them within a time so short that a service at work is held up and not refused.
 * Then the functions, each a file of its own, of which those that have changed are defined anew together.
 */
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { OperatorError } from '../lib/operator-error.ts';
import { sha256Of } from '../lib/sha256.ts';
import { explainDatabaseFault } from './faults.ts';
import { lockMsMax, patiently } from './patience.ts';
import { databaseErrorOf } from './pool.ts';
import { plainPrefix, renameRoles } from './roles.ts';

export const migrationsDirectory = new URL('../../migrations/', import.meta.url);

export interface Migration {
  /** As in `0002-create-ledger`. */
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** Every migration of the program, in the order they run. Read one at a time: all at once are more than a process may have open where few are allowed. */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort();
  return names.map((file) => {
    const text = readFileSync(new URL(file, directory), 'utf8');
    return { name: file.replace(/\.sql$/, ''), text, sha256: digestOf(text) };
  });
}

const digestOf = (text: string): string => sha256Of(text).toString('hex');

/** The definitions of the functions called `schema.name`, all of them that differ in their arguments. */
export type FunctionFile = Migration;

/** Every function of the program, by name, from `functions/<schema>/<name>.sql`. */
export async function readFunctions(directory = migrationsDirectory): Promise<FunctionFile[]> {
  const folder = new URL('functions/', directory);
  const files = globSync('*/*.sql', { cwd: folder }).sort();
  return files.map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return {
      name: file.replace('/', '.').replace(/\.sql$/, ''),
      text,
      sha256: digestOf(text),
    };
  });
}

/** What the program's files make of a database. */
export interface Schema {
  readonly migrations: readonly Migration[];
  readonly functions: readonly FunctionFile[];
}

export const readSchema = async (directory = migrationsDirectory): Promise<Schema> => ({
  migrations: await readMigrations(directory),
  functions: await readFunctions(directory),
});

/** What the schema is called when these have run: the number of the last. It never falls. */
export const versionOf = (migrations: readonly Migration[]): number =>
  Number(migrations.at(-1)?.name.slice(0, 4) ?? 0);

/** The names of the migrations that a database has run; none when it has never been migrated. */
export async function readApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query(
    `select to_regclass('migration.applied') is not null as is_there`,
  );
  if (!found[0].is_there) return [];
  const { rows } = await client.query('select name from migration.applied order by name');
  return rows.map((row) => row.name);
}

/**
 * What was made before the baseline was never released and cannot go on from it; what a newer program has
 * made is not this one's to touch.
 */
export function refuseForeignSchema(
  applied: readonly string[],
  migrations: readonly Migration[],
): void {
  const early = applied.findLast((name) => isBeforeBaseline(name, migrations));
  if (early !== undefined) {
    throw new OperatorError(
      `Böckerna i databasen är gjorda av en förhandsversion av Huvudbok (${early}) och kan inte föras vidare: behåll den versionen för dem, och börja här i en tom databas (DATABASE_URL) eller mapp (DATA_DIR).`,
    );
  }
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.findLast((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new OperatorError(
    `Databasen har förts till ett nyare schema (${unknown}) än det här programmets: kör den nyare versionen av Huvudbok, eller återställ en säkerhetskopia från före uppgraderingen.`,
  );
}

/** Whether a migration called so is older than all that the program has. */
export function isBeforeBaseline(name: string, migrations: readonly Migration[]): boolean {
  const [baseline] = migrations;
  return baseline !== undefined && name < baseline.name;
}

/** Stands in a database from when a restore begins until it is done; until then there are no books. */
export const restoreMark = 'migration.unfinished_restore';

export async function isHalfRestored(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as found', [restoreMark]);
  return rows[0].found;
}

export async function refuseHalfRestored(client: pg.ClientBase): Promise<void> {
  if (!(await isHalfRestored(client))) return;
  throw new OperatorError(
    'Databasen återställs ur en säkerhetskopia, eller så blev återställningen avbruten: vänta, eller kör huvudbok restore igen.',
  );
}

/** Refuses a database where reading gives nothing: it was restored by others' means without its roles. */
export async function refuseUnreadable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select to_regprocedure('api.unreadable_tables()') is not null as is_known`,
  );
  if (!rows[0].is_known) return; // A schema that tests stop at.
  const { rows: found } = await client.query('select api.unreadable_tables() as tables');
  if (found[0].tables === 0) return;
  throw new OperatorError(
    `Regler för vem som får läsa saknas i ${found[0].tables} tabeller, så allt där ser tomt ut: databasen är återställd utan sina roller. ` +
      'Gör om återställningen med rollerna först (docs/operating.md), eller ur en kopia från huvudbok backup.',
  );
}

/**
 * What a database has run and what it has defined, as one short text: two that say the same have the same schema.
 * Undefined where nothing is whole.
 */
export async function readSchemaStamp(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query(
    `select to_regclass('migration.functions') is not null and to_regclass($1) is null as is_whole`,
    [restoreMark],
  );
  if (!rows[0].is_whole) return undefined;
  const { rows: found } = await client.query(
    `select encode(sha256(convert_to(string_agg(line, ' ' order by line collate "C"), 'UTF8')), 'hex') as stamp
     from (select name || ' ran' from migration.applied
       union all select name || ' ' || sha256 from migration.hashes
       union all select name || ' ' || sha256 from migration.functions) as said (line)`,
  );
  return found[0].stamp ?? undefined;
}

/**
 * Refuses a database whose schema is not the one that this program is written for. `stamp` is what a migration with the
 * program's files left, for whoever knows it: five hundred files need not be read then.
 */
export async function refuseOtherSchema(client: pg.ClientBase, stamp?: string): Promise<void> {
  if (stamp !== undefined && stamp === (await readSchemaStamp(client))) {
    return refuseUnreadable(client);
  }
  const migrations = await readMigrations();
  const applied = await readApplied(client);
  refuseForeignSchema(applied, migrations);
  await refuseHalfRestored(client);
  if (applied.length === 0) {
    throw new OperatorError(
      'Databasen är inte förberedd för Huvudbok: kör huvudbok migrate, eller rätta DATABASE_URL.',
    );
  }
  const missing = migrations.length - applied.length;
  if (missing > 0) {
    throw new OperatorError(
      `Databasen har ett äldre schema än programmet (${missing === 1 ? 'en migrering' : `${missing} migreringar`} saknas): kör huvudbok migrate, eller starta om Huvudbok.`,
    );
  }
  await refuseUnreadable(client);
  // Those come after the last migration, in a transaction of their own.
  const undefinedYet = (await listChanged(client, await readFunctions())).length;
  if (undefinedYet === 0) return;
  throw new OperatorError(
    `Databasen har andra funktioner än programmet (${undefinedYet} skiljer sig): kör huvudbok migrate, eller starta om Huvudbok.`,
  );
}

/** The functions whose files are others than the database got. */
async function listChanged(
  client: pg.ClientBase,
  functions: readonly FunctionFile[],
): Promise<FunctionFile[]> {
  const { rows } = await client.query('select name, sha256 from migration.functions');
  const kept = new Map(rows.map((row) => [row.name, row.sha256]));
  return functions.filter(({ name, sha256 }) => kept.get(name) !== sha256);
}

/**
 * Every right of every role of the installation with `prefix`, all of them anew: whoever changes a file need not think of
 * what was. Nothing is done where everybody has just what they were given by the same text; a thousand rows of the
 * server's own tables were else written at each start.
 */
export async function grantRights(
  client: pg.ClientBase,
  prefix: string,
  log: (line: string) => void,
  directory = migrationsDirectory,
): Promise<void> {
  const grants = await readFile(new URL('grants.sql', directory), 'utf8');
  const text = renameRoles(grants, plainPrefix, prefix);
  const { rows } = await client.query('select text_sha256, given from migration.rights');
  const sha256 = digestOf(text);
  if (rows[0]?.text_sha256 === sha256 && rows[0].given === (await readGiven(client))) return;
  const grant = async () => {
    await client.query(text);
    await client.query(
      `insert into migration.rights (text_sha256, given) values ($1, $2)
       on conflict (singleton) do update set text_sha256 = excluded.text_sha256, given = excluded.given`,
      [sha256, await readGiven(client)],
    );
  };
  await patiently(client, grant, log).catch((error) => {
    throw explainFailure(error, 'grants.sql');
  });
}

/**
 * What anybody may do with anything here, as one short text. What nobody has been given a right to is told where it is
 * ours, for everybody may run a new function.
 */
async function readGiven(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query(
    `select encode(sha256(convert_to(string_agg(line, ' ' order by line collate "C"), 'UTF8')), 'hex') as given
     from (select format('class %s %s', oid, relacl) from pg_class
         where relacl is not null or oid >= ${oursFrom}
       union all select format('column %s %s %s', attrelid, attnum, attacl) from pg_attribute
         where attacl is not null
       union all select format('function %s %s', oid, proacl) from pg_proc
         where proacl is not null or oid >= ${oursFrom}
       union all select format('schema %s %s', oid, nspacl) from pg_namespace
       union all select format('default %s %s', oid, defaclacl) from pg_default_acl
       union all select format('database %s %s', oid, datacl) from pg_database
         where datname = current_database()) as found (line)`,
  );
  return rows[0].given;
}

/** From here PostgreSQL numbers what it did not bring itself. */
const oursFrom = 16_384;

/**
 * Runs what the database lacks, which names its roles with `prefix`. A migration that has run is never edited:
 * its hash is kept and compared. Where it says `-- functions: …`, those are defined.
 */
export async function runMigrations(
  client: pg.ClientBase,
  migrations: readonly Migration[],
  functions: readonly FunctionFile[],
  prefix: string,
  log: (line: string) => void,
): Promise<void> {
  await prepareLog(client);
  const applied = new Set(await readApplied(client));
  await refuseEdited(client, migrations);
  const pending = migrations.filter(({ name }) => !applied.has(name));
  if (pending.length > 0) log(`Databasen förs till schema ${versionOf(migrations)}.`);
  for (const migration of pending) {
    const text = withFunctions(migration, functions);
    await patiently(client, () => runOne(client, migration, text, prefix), log).catch((error) => {
      throw explainFailure(error, migration.name);
    });
  }
}

/** The migration's text with the definitions that it asks for in their place. */
function withFunctions({ name, text }: Migration, functions: readonly FunctionFile[]): string {
  return text.replace(/^-- functions: (.+)$/gm, (_, names: string) =>
    names
      .split(', ')
      .map((wanted) => {
        const found = functions.find((one) => one.name === wanted);
        if (!found) throw new Error(`${name} asks for ${wanted}, which has no file`);
        return found.text;
      })
      .join('\n'),
  );
}

/** Defines anew, in one transaction, the functions whose files have changed since the database got them. */
export async function defineFunctions(
  client: pg.ClientBase,
  functions: readonly FunctionFile[],
  prefix: string,
  log: (line: string) => void,
): Promise<void> {
  const changed = await listChanged(client, functions);
  if (changed.length === 0) return;
  const define = async () => {
    await client.query(loosely(changed.map(({ text }) => text).join('\n'), prefix));
    await client.query(
      `insert into migration.functions (name, sha256) select * from unnest($1::text[], $2::text[])
       on conflict (name) do update set sha256 = excluded.sha256`,
      [changed.map(({ name }) => name), changed.map(({ sha256 }) => sha256)],
    );
  };
  await patiently(client, define, log).catch((error) => {
    throw explainFailure(error, 'functions');
  });
}

/** A function may name tables and functions that come after it, so bodies are first looked into when they run. */
const loosely = (text: string, prefix: string): string =>
  `set local check_function_bodies = off;\n${renameRoles(text, plainPrefix, prefix)}`;

async function prepareLog(client: pg.ClientBase): Promise<void> {
  await client.query(`
    create schema if not exists migration;
    create table if not exists migration.applied (
      id serial primary key, name varchar(255) not null, run_on timestamp not null);
    create table if not exists migration.hashes (
      name text not null, sha256 text not null, constraint hashes_pkey primary key (name));
    create table if not exists migration.functions (
      name text not null, sha256 text not null, constraint functions_pkey primary key (name));
    create table if not exists migration.rights (
      singleton boolean not null default true, text_sha256 text not null, given text not null,
      constraint rights_pkey primary key (singleton), constraint rights_is_single check (singleton))`);
}

async function refuseEdited(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<void> {
  const { rows } = await client.query('select name, sha256 from migration.hashes');
  const kept = new Map(rows.map((row) => [row.name, row.sha256]));
  for (const { name, sha256 } of migrations) {
    if ((kept.get(`${name}.sql`) ?? sha256) === sha256) continue;
    throw new OperatorError(
      `Migreringen ${name}.sql har ändrats efter att den kördes: återställ filen.`,
    );
  }
}

async function runOne(
  client: pg.ClientBase,
  { name, sha256 }: Migration,
  text: string,
  prefix: string,
): Promise<void> {
  await lockTables(client, text);
  await client.query(loosely(text, prefix));
  await client.query('insert into migration.applied (name, run_on) values ($1, now())', [name]);
  await client.query('insert into migration.hashes values ($1, $2)', [`${name}.sql`, sha256]);
}

const table = String.raw`([a-z_]+\.[a-z_]+)`;
/** Statements that keep even readers out, and those that only keep writers out. */
const exclusive = [
  `alter table (?:if exists )?(?:only )?${table}`,
  `drop table (?:if exists )?${table}`,
  `policy (?:if exists )?[a-z_]+ on ${table}`,
  `drop trigger (?:if exists )?[a-z_]+ on ${table}`,
];
const shared = [
  `lock table ${table}`,
  `trigger [^;]*? on ${table}`,
  `references ${table}`,
  `insert into ${table}`,
  `update (?:only )?${table}`,
  `delete from ${table}`,
  `index (?:if not exists )?(?:[a-z_]+ )?on (?:only )?${table}`,
];

/** The existing tables that a migration's statements name, outside the functions that it defines. */
export function tablesOf(text: string): { exclusive: string[]; shared: string[] } {
  const statements = text
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  const found = (patterns: readonly string[]) =>
    new Set(
      patterns.flatMap((pattern) =>
        [...statements.matchAll(new RegExp(pattern, 'g'))].map(([, name = '']) => name),
      ),
    );
  const alone = found(exclusive);
  return {
    exclusive: [...alone].sort(),
    shared: [...found(shared).difference(alone)].sort(),
  };
}

async function lockTables(client: pg.ClientBase, text: string): Promise<void> {
  const { exclusive, shared } = tablesOf(text);
  const { rows } = await client.query(
    `select name from unnest($1::text[]) as t (name)
     join pg_class c on c.oid = to_regclass(name) and c.relkind in ('r', 'p')`,
    [[...exclusive, ...shared]],
  );
  const existing = new Set(rows.map((row) => row.name));
  const lock = (names: readonly string[], mode: string) => {
    const there = names.filter((name) => existing.has(name));
    return there.length === 0 ? '' : `lock table ${there.join(', ')} in ${mode} mode;`;
  };
  const locks = lock(exclusive, 'access exclusive') + lock(shared, 'share row exclusive');
  if (locks === '') return;
  // One statement, so that the time is for all the locks together.
  await client.query(`set local statement_timeout = ${lockMsMax}`);
  await client.query(`do $$ begin ${locks} end $$`);
  await client.query('set local statement_timeout = 0');
}

/** A migration that the database refuses leaves nothing behind, and the rest is for whoever wrote it. */
function explainFailure(error: unknown, name: string): unknown {
  const refused = databaseErrorOf(error);
  if (!refused || explainDatabaseFault(error)?.passes) return error;
  return new OperatorError(
    `Migreringen ${name} gick inte att köra (${refused.message}), och databasen är kvar i schemat före den: rätta orsaken och kör om, eller gå tillbaka till den tidigare versionen av Huvudbok.`,
    { cause: error },
  );
}
