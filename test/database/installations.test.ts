/**
 * Several installations on one server: each has roles of its own, and whatever one of them does, or a copy of
 * one, the others go on as if they were alone.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedServer, startEmbedded } from '#src/db/embedded.ts';
import { findLogins } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool, db } from '#src/db/pool.ts';
import { renameRoles, roleNames, roles } from '#src/db/roles.ts';
import { listPolicies, listPrivileges, listRoutines } from '#src/verification/catalogue.ts';
import { findSchemaProblems } from '#src/verification/schema.ts';

const quiet = () => undefined;

let server: EmbeddedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'huvudbok-test-'));
  server = await startEmbedded({ dataDir: join(folder, 'data'), durable: false, log: quiet });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

async function asAdmin<Row extends object>(
  statement: string,
  url = server.adminUrl,
): Promise<Row[]> {
  const admin = await connect(url, 'test admin');
  const result = await admin.query(statement).finally(() => admin.end());
  return result.rows;
}

const at = (url: string, name: string): string => {
  const there = new URL(url);
  there.pathname = `/${name}`;
  return there.href;
};

/** A database of hb_owner's, empty or a copy; gone with its roles when the test is. */
async function createDatabase(name: string, template = 'template1'): Promise<string> {
  await asAdmin(`create database ${name} owner hb_owner template ${template} strategy file_copy`);
  onTestFinished(() => removeInstallation(name));
  return at(server.url, name);
}

async function removeInstallation(name: string): Promise<void> {
  const own = await rolesOf(name);
  await asAdmin(`drop database if exists ${name} with (force)`);
  for (const role of own) await asAdmin(`drop role ${role}`);
}

async function createInstallation(name: string): Promise<string> {
  const url = await createDatabase(name);
  await migrate({ url, log: quiet });
  return url;
}

/** The roles that say that they are made for the database. */
async function rolesOf(database: string): Promise<string[]> {
  const found = await asAdmin<{ name: string }>(
    `select rolname as name from pg_roles r join pg_database d
       on shobj_description(r.oid, 'pg_authid') like '%(oid ' || d.oid || ')'
     where datname = '${database}' order by 1`,
  );
  return found.map(({ name }) => name);
}

/** Logs in as each role and calls a function that it alone may. */
async function works(url: string): Promise<Record<string, string>> {
  const login = await findLogins(url);
  const calls = {
    hb_api: 'select api.last_verification()',
    hb_app: 'select app.has_users()',
    hb_agency: `select agency.count_call('127.0.0.1', 'agency_token')`,
    hb_worker: 'select count(*) from pgboss.job',
  };
  const answers: Record<string, string> = {};
  for (const role of roles) {
    const client = await connect(login(role), 'test');
    const { rows } = await client.query('select current_user::text as name');
    answers[role] = rows[0].name;
    await client.query(calls[role]).finally(() => client.end());
  }
  return answers;
}

const called = (prefix: string) =>
  Object.fromEntries(roles.map((role, index) => [role, roleNames(prefix)[index]]));

/** Everything that names a role. */
async function describeRights(url: string, prefix: string): Promise<string> {
  const pool = createPool({ url, max: 2, applicationName: 'test' });
  const { rows: routines } = await pool.query(
    `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as text from pg_proc p
     join pg_namespace n on n.oid = p.pronamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  );
  const { rows: triggers } = await pool.query(
    `select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal order by 1`,
  );
  const { rows: acls } = await pool.query(
    `select oid::regclass::text as name, relacl::text from pg_class where relnamespace >= 16384
       and relacl is not null order by 1`,
  );
  const description = {
    routines,
    triggers,
    acls,
    policies: await listPolicies(db(pool)),
    searchPaths: await listRoutines(db(pool)),
    privileges: await Promise.all(roleNames(prefix).map((role) => listPrivileges(db(pool), role))),
  };
  await pool.end();
  return JSON.stringify(description, null, 1);
}

/** The same as a lone installation has it. */
const rightsOf = async (url: string, prefix: string): Promise<object> =>
  JSON.parse(renameRoles(await describeRights(url, prefix), prefix, 'hb'));

/** What `verify` says of how the books are guarded. */
async function schemaProblemsOf(url: string): Promise<string[]> {
  const pool = createPool({ url, max: 1, applicationName: 'test' });
  const problems = await findSchemaProblems(db(pool)).finally(() => pool.end());
  return problems.map(({ message }) => message);
}

describe('two installations on one server', () => {
  test('have roles of their own, and both work', async () => {
    const first = await createInstallation('first');
    const second = await createInstallation('second');
    expect(await works(first)).toEqual(called('hb'));
    expect(await works(second)).toEqual(called('hb_second'));
    expect(await rightsOf(second, 'hb_second')).toEqual(await rightsOf(first, 'hb'));
    expect(await schemaProblemsOf(first)).toEqual([]);
    expect(await schemaProblemsOf(second)).toEqual([]);
  });
});

test('a copy gets roles of its own, with the same rights, and its original keeps all it had', async () => {
  const original = await createInstallation('original');
  const before = await rightsOf(original, 'hb');
  const copy = await createDatabase('copy', 'original');
  await expect(findLogins(copy)).rejects.toThrow(/kör huvudbok migrate/i);
  const verifiers = () =>
    asAdmin(
      `select rolname, rolpassword, oid from pg_authid where rolname = any ('{${roleNames('hb')}}') order by 1`,
    );
  const passwords = await verifiers();
  await migrate({ url: copy, log: quiet });
  expect(await works(copy)).toEqual(called('hb_copy'));
  expect(await works(original)).toEqual(called('hb'));
  expect(await verifiers()).toEqual(passwords);
  expect(await rightsOf(original, 'hb')).toEqual(before);
  expect(await rightsOf(copy, 'hb_copy')).toEqual(before);
  expect(await schemaProblemsOf(copy)).toEqual([]);
  expect(await describeRights(copy, 'hb_copy')).not.toMatch(/\bhb_(api|app|agency|worker)\b/);
});
