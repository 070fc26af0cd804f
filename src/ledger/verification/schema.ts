/**
 * Whether the database still guards the books as this program's schema does: every table, function, trigger,
 * policy and right of `rights.ts`, and nothing beside them. A copy that was restored without its roles has
 * none of the policies and reads as empty; somebody who was owner for a moment leaves a trigger off or a
 * right too many.
 */
import { readFile } from 'node:fs/promises';
import { migrationsDirectory, restoreMark } from '../../db/migrations.ts';
import type { Db } from '../../db/pool.ts';
import { settingsOf } from '../../db/role-limits.ts';
import { type DatabaseRole, roles } from '../../db/roles.ts';
import { sha256Of } from '../../lib/sha256.ts';
import {
  areTriggersOff,
  listDefinitions,
  listForeign,
  listPolicies,
  listPrivileges,
  listRoleNames,
  listRoleSettings,
  listRoutines,
  listTables,
  listTriggers,
} from './catalogue-store.ts';
import type { VerificationFinding } from './finding.ts';
import { definers, helpers, policies, privileges, schemas, tables, triggers } from './rights.ts';

/** What every login of an installation uses, whatever the installation calls it. */
const home: Readonly<Record<DatabaseRole, string>> = {
  hb_api: 'api',
  hb_app: 'app',
  hb_agency: 'agency',
  hb_worker: 'pgboss',
};

/** The roles as the server calls them: each kind has the use of a schema that the others have not all. */
async function findRoles(db: Db): Promise<Map<DatabaseRole, string>> {
  const found = await listRoleNames(db, home);
  return new Map(found.map(({ role, name }) => [role, name]));
}

export async function findSchemaProblems(db: Db): Promise<VerificationFinding[]> {
  const names = await findRoles(db);
  const plain = (line: string): string =>
    [...names].reduce((text, [role, name]) => text.replaceAll(` ${name}:`, ` ${role}:`), line);
  const routines = await listRoutines(db);
  const functionsWhere = (isDefiner: boolean) =>
    routines.filter((routine) => routine.isDefiner === isDefiner).map(({ name }) => name);
  const rightsOf = async (role: DatabaseRole): Promise<string[]> => {
    const name = names.get(role);
    return name === undefined ? [] : listPrivileges(db, name);
  };
  const problems = [
    ...differences('Tabellen', tables, await listTables(db)),
    ...differences('Funktionen', helpers, functionsWhere(false)),
    ...differences('Funktionen med ägarens rättigheter', definers, functionsWhere(true)),
    ...differences('Spärren', triggers, await listTriggers(db)),
    ...differences('Skyddet', policies, (await listPolicies(db)).map(plain)),
    ...(await listForeign(db)).filter(isOurs).map((line) => unknown('Ägaren', line)),
    ...routines
      .filter(({ isDefiner, searchPath }) => isDefiner && searchPath !== 'pg_catalog, pg_temp')
      .map(({ name }) => unknown('Sökvägen', `${name}: ${routinesPath}`)),
  ];
  for (const role of roles) {
    const right = `Rättigheten för ${role}`;
    problems.push(...differences(right, privileges[role], await rightsOf(role)));
  }
  problems.push(...differences('Rättigheten för alla', [], await listPrivileges(db, 'public')));
  problems.push(...(await findSettingProblems(db, names)));
  const expected = await readFile(schemaFile, 'utf8');
  problems.push(...changes(expected, await describeSchema(db, names)));
  return problems;
}

/** What a new database has, by the name of each table and function; a test holds it true. */
const schemaFile = new URL('schema.sql', migrationsDirectory);

const heading = `-- What a new database holds, for whoever reviews a change of it: written by
-- npx vitest run --project database test/database/privileges.test.ts -u
-- which compares it, as huvudbok verify does with the books that it checks. Nothing runs it. The functions
-- themselves are in functions/; here is who they are, and the beginning of the SHA-256 of what they do.`;

/** The whole of `schema.sql`: alike for every installation, whatever its roles are called. */
export async function describeSchema(
  db: Db,
  names: ReadonlyMap<DatabaseRole, string> = new Map(),
): Promise<string> {
  const plain = (text: string): string =>
    [...names].reduce(
      (renamed, [role, name]) => renamed.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), role),
      text,
    );
  const blocks = (await listDefinitions(db)).map(({ text, body }) =>
    body === null ? plain(text) : `${text}: ${digestOf(plain(body))}`,
  );
  return `${[heading, ...blocks].join('\n\n')}\n`;
}

const digestOf = (body: string): string => sha256Of(body).toString('hex').slice(0, 16);

/** What a description says, by the name of each table and function. */
function readDescription(description: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const block of description.trimEnd().split('\n\n').slice(1)) {
    const [, table, routine] =
      /^(?:create (?:table|view) (\S+)|-- function ([\w.]+)\()/.exec(block) ?? [];
    const name = table ?? `${routine}()`;
    found.set(name, `${found.get(name) ?? ''}${comparable(block)}`);
  }
  return found;
}

/**
 * An operator may add an index, or take one away; but what is unique must stay so. Row level security that is
 * off is told by name already.
 */
const comparable = (block: string): string =>
  block.replaceAll(/\n(?:CREATE INDEX|alter table) .*/g, '');

/** What is there, but not as it was made. What is missing or too many is told by name already. */
function changes(expected: string, actual: string): VerificationFinding[] {
  const wanted = readDescription(expected);
  return [...readDescription(actual)].flatMap(([name, text]) => {
    if (!isOurs(name) || !wanted.has(name) || wanted.get(name) === text) return [];
    return [
      finding(
        'schema_changed',
        name.endsWith('()')
          ? `Funktionen ${name} gör något annat än programmets egen.`
          : `Tabellen ${name} har andra kolumner, villkor, spärrar eller skydd än programmets egen.`,
      ),
    ];
  });
}

/** A login may choose what its own sessions begin with: whoever ran SQL as it may have left something. */
async function findSettingProblems(
  db: Db,
  names: ReadonlyMap<DatabaseRole, string>,
): Promise<VerificationFinding[]> {
  const own = [...names].flatMap(([role, name]) =>
    Object.entries(settingsOf(role)).map(([setting, value]) => `${name} ${setting}=${value}`),
  );
  const found = (await listRoleSettings(db, [...names.values()])).filter(
    (line) => !own.includes(line),
  );
  return [
    ...((await areTriggersOff(db))
      ? [
          'Alla sessioner börjar utan spärrar. Ta bort det som databasens superanvändare: alter database … reset session_replication_role.',
        ]
      : []),
    ...found.map(
      (line) =>
        `Rollen börjar sina sessioner med något som inte är programmets: ${line}. Kör huvudbok migrate, som tar bort det.`,
    ),
  ].map((message) => finding('role_setting', message));
}

const routinesPath = 'inte pg_catalog, pg_temp';

/** What else an operator has put into the database is none of ours, and a restore keeps notes of its own. */
const isOurs = (line: string): boolean =>
  schemas.some((schema) => line.startsWith(`${schema}.`) || line.startsWith(`${schema}: `)) &&
  line !== restoreMark;

function differences(
  what: string,
  expected: readonly string[],
  actual: readonly string[],
): VerificationFinding[] {
  const ours = actual.filter(isOurs);
  const [there, wanted] = [new Set(ours), new Set(expected)];
  return [
    ...expected.filter((line) => !there.has(line)).map((line) => missing(what, line)),
    ...ours.filter((line) => !wanted.has(line)).map((line) => unknown(what, line)),
  ];
}

const finding = (kind: string, message: string): VerificationFinding => ({
  kind,
  series: null,
  year: null,
  number: null,
  message,
});

const missing = (what: string, line: string): VerificationFinding =>
  finding('schema_missing', `${what} saknas i databasen: ${line}.`);

const unknown = (what: string, line: string): VerificationFinding =>
  finding('schema_unknown', `${what} hör inte till det här programmets databas: ${line}.`);
