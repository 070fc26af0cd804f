/**
 * Several installations on one server, and what holds of them on every server: each has roles of its own, and
 * whatever one of them does, or a copy of one, the others go on as if they were alone.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey } from '#src/access/keys/service.ts';
import { findLogins } from '#src/db/logins.ts';
import { migrate } from '#src/db/migrate.ts';
import { connect, createPool, db, withTx } from '#src/db/pool.ts';
import { loginsOf, renameRoles, roleNames, roles } from '#src/db/roles.ts';
import { setUp } from '#src/installation/company/service.ts';
import { listPolicies, listPrivileges } from '#src/ledger/verification/catalogue-store.ts';
import { findSchemaProblems } from '#src/ledger/verification/schema.ts';
import { allScopes, testCompany, voucherBody } from '../support/installation.ts';
import { startApp, times } from '../support/processes.ts';
import { compiled, entry } from '../support/program.ts';
import { asAdmin, at, type OwnServer } from '../support/servers.ts';

export const quiet = () => undefined;

let server: OwnServer;

/** The server that the installations of the block are on. */
export function onServer(start: () => Promise<OwnServer>): void {
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
}

export const ownerUrlOf = (database: string): string => at(server.ownerUrl, database);
export const admin = <Row extends object>(statement: string) =>
  asAdmin<Row>(server.adminUrl, statement);

/** A database, empty or a copy; gone with its roles when the test is. */
export async function createDatabase(name: string, template = 'template0'): Promise<string> {
  await admin(`create database ${name} owner hb_owner template ${template}`);
  onTestFinished(() => removeInstallation(name));
  return at(server.ownerUrl, name);
}

/** As docs/operating.md says it. */
export async function removeInstallation(name: string): Promise<void> {
  const own = await rolesOf(name);
  await admin(`drop database if exists ${name} with (force)`);
  if (own.length > 0) await admin(`drop role ${own.join(', ')}`);
}

export async function createInstallation(name: string): Promise<string> {
  const url = await createDatabase(name);
  await migrate({ url, log: quiet });
  return url;
}

/** The roles that say that they are made for the database. */
async function rolesOf(database: string): Promise<string[]> {
  const found = await admin<{ name: string }>(
    `select rolname as name from pg_roles r join pg_database d
       on shobj_description(r.oid, 'pg_authid') like '%(oid ' || d.oid || ')'
     where datname = '${database}' order by 1`,
  );
  return found.map(({ name }) => name);
}

/** What is called by each role when it has logged in; it fails unless the role has its rights. */
export async function logIns(url: string): Promise<string[]> {
  const login = await findLogins(url);
  const calls = {
    hb_api: 'select api.last_verification()',
    hb_app: 'select app.has_users()',
    hb_agency: `select agency.count_call('127.0.0.1', 'agency_token')`,
    hb_worker: 'select count(*) from pgboss.job',
  };
  const names: string[] = [];
  for (const role of roles) {
    const client = await connect(login(role), 'test');
    try {
      const { rows } = await client.query('select current_user::text as name');
      names.push(rows[0].name);
      await client.query(calls[role]);
    } finally {
      await client.end();
    }
  }
  return names;
}

/** Everything that names a role. */
async function describeRights(url: string, prefix: string): Promise<string> {
  const pool = createPool({ url, max: 2, applicationName: 'test' });
  const rows = async (statement: string) => (await pool.query(statement)).rows;
  const isOurs = `nspname !~ '^pg_' and nspname <> 'information_schema'`;
  try {
    const description = {
      routines: await rows(
        `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid), proacl::text from pg_proc p
         join pg_namespace n on n.oid = p.pronamespace where ${isOurs} order by 1`,
      ),
      triggers: await rows(
        `select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
      ),
      expressions: await rows(
        `select conrelid::regclass::text, pg_get_constraintdef(oid) as text from pg_constraint
         where contype = 'c' union all select adrelid::regclass::text, pg_get_expr(adbin, adrelid)
         from pg_attrdef order by 1, 2`,
      ),
      views: await rows(`select viewname, definition from pg_views where schemaname <> 'pg_catalog'
        and schemaname <> 'information_schema' order by 1`),
      relations: await rows(
        `select c.oid::regclass::text as name, relacl::text from pg_class c
         join pg_namespace n on n.oid = c.relnamespace where ${isOurs} order by 1`,
      ),
      columns: await rows(
        `select attrelid::regclass::text as name, attname, attacl::text from pg_attribute
         where attacl is not null order by 1, 2`,
      ),
      schemas: await rows(
        `select nspname, nspacl::text from pg_namespace where ${isOurs} order by 1`,
      ),
      policies: (await listPolicies(db(pool))).sort(),
      privileges: await Promise.all(
        roleNames(prefix).map((role) => listPrivileges(db(pool), role)),
      ),
    };
    return JSON.stringify(description, null, 1);
  } finally {
    await pool.end();
  }
}

/** The same as a lone installation has it. */
export const rightsOf = async (url: string, prefix: string): Promise<object> =>
  JSON.parse(renameRoles(await describeRights(url, prefix), prefix, 'hb'));

/** What `verify` says of how the books are guarded. */
async function schemaProblemsOf(url: string): Promise<string[]> {
  const pool = createPool({ url, max: 1, applicationName: 'test' });
  const problems = await findSchemaProblems(db(pool)).finally(() => pool.end());
  return problems.map(({ message }) => message);
}

const aRoleOf = (prefix: string) => new RegExp(`\\b${prefix}_(api|app|agency|worker)\\b`);

/** Roles as the server keeps them, with what their passwords are checked against. */
export const rolesOnServer = (prefix: string) =>
  admin(
    `select a.oid, rolname, rolpassword, rolconnlimit, shobj_description(a.oid, 'pg_authid'),
       (select array_agg(setconfig::text order by setdatabase) from pg_db_role_setting where setrole = a.oid)
     from pg_authid a where rolname = any ('{${roleNames(prefix)}}') order by rolname`,
  );

interface Books {
  /** Posts from now on until it is called, which gives the status of every answer. */
  stop(): Promise<Set<number>>;
}

/** A company whose vouchers are posted by two at once, over connections that stay open. */
export async function startPosting(url: string): Promise<Books> {
  const owner = createPool({ url, max: 1, applicationName: 'test' });
  const { key } = await withTx(owner, async (tx) => {
    await setUp(tx, testCompany, 'test');
    return createKey(
      tx,
      { name: 'Test', scopes: allScopes, quotaPerHour: 1_000_000, expiresAt: null },
      'test',
    );
  });
  await owner.end();
  const call = await startApp(url);
  const answers: number[] = [];
  let goesOn = true;
  const payload = voucherBody();
  const post = async () => {
    while (goesOn) {
      const { statusCode } = await call(key, { method: 'POST', url: '/api/v1/verifikat', payload });
      answers.push(statusCode);
      // Somebody's at all times, and not the whole processor.
      await sleep(50);
    }
  };
  const running = Promise.all(times(2).map(post));
  await expect.poll(() => answers.length).toBeGreaterThan(5);
  return {
    async stop() {
      const soFar = answers.length;
      await expect.poll(() => answers.length).toBeGreaterThan(soFar + 5);
      goesOn = false;
      await running;
      return new Set(answers);
    },
  };
}

const connectionsOf = (database: string) =>
  admin(`select pid, usename from pg_stat_activity
    where datname = '${database}' and application_name like 'test http%' order by pid`);

async function runCommand(url: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...args], {
    env: { ...compiled, DATABASE_URL: url },
  });
  return stdout;
}

export function testInstallations(): void {
  test('each of three has roles of its own with the same rights, and no key to the others', async () => {
    const first = await createInstallation('first');
    const others = await Promise.all(['second', 'Third-år'].map((name) => createOdd(name)));
    const [second = '', third = ''] = others;
    expect(await logIns(first)).toEqual(roleNames('hb'));
    expect(await logIns(second)).toEqual(roleNames('hb_second'));
    expect(await logIns(third)).toEqual(roleNames('hb_third_r'));
    const expected = await rightsOf(first, 'hb');
    expect(await rightsOf(second, 'hb_second')).toEqual(expected);
    expect(await rightsOf(third, 'hb_third_r')).toEqual(expected);
    const passwords = [first, second, third].map(async (url) => {
      const login = await findLogins(url);
      return new URL(login('hb_api')).password;
    });
    expect(new Set(await Promise.all(passwords)).size).toBe(3);
  });

  /** A name that has to be quoted. */
  async function createOdd(name: string): Promise<string> {
    await admin(`create database "${name}" owner hb_owner template template0`);
    onTestFinished(async () => {
      const own = await rolesOf(name);
      await admin(`drop database "${name}" with (force)`);
      await admin(`drop role ${own.join(', ')}`);
    });
    const url = at(server.ownerUrl, encodeURIComponent(name));
    await migrate({ url, log: quiet });
    return url;
  }

  test('a copy gets roles of its own, and its original posts on without noticing', async () => {
    const original = await createInstallation('original');
    const rights = await rightsOf(original, 'hb');
    const copy = await createDatabase('copy', 'original');
    const posting = await startPosting(original);
    const passwords = await rolesOnServer('hb');
    const connections = await connectionsOf('original');
    await expect(findLogins(copy)).rejects.toThrow(/copy .*Kör huvudbok migrate/);
    await migrate({ url: copy, log: quiet });
    expect(await connectionsOf('original')).toEqual(expect.arrayContaining(connections));
    expect(await posting.stop()).toEqual(new Set([200]));
    expect(await rolesOnServer('hb')).toEqual(passwords);
    expect(await logIns(copy)).toEqual(roleNames('hb_copy'));
    expect(await logIns(original)).toEqual(roleNames('hb'));
    expect(await rightsOf(original, 'hb')).toEqual(rights);
    expect(await rightsOf(copy, 'hb_copy')).toEqual(rights);
    expect(await schemaProblemsOf(copy)).toEqual([]);
    expect(await schemaProblemsOf(original)).toEqual([]);
    expect(await describeRights(copy, 'hb_copy')).not.toMatch(aRoleOf('hb'));
    // Nor does the original, the next time it is migrated itself.
    await migrate({ url: original, log: quiet });
    expect(await logIns(original)).toEqual(roleNames('hb'));
    // A copy of the copy is its own too.
    const second = await createDatabase('second_copy', 'copy');
    await migrate({ url: second, log: quiet });
    expect(await logIns(second)).toEqual(roleNames('hb_second_copy'));
    expect(await rightsOf(second, 'hb_second_copy')).toEqual(rights);
    expect(await logIns(copy)).toEqual(roleNames('hb_copy'));
  });

  test('another login with books of its own cannot take over anybody’s roles', async () => {
    const first = await createInstallation('mine');
    await admin(`create role stranger login createrole password 'annan'`);
    await admin('create database theirs owner stranger template template0');
    onTestFinished(async () => {
      await removeInstallation('theirs');
      await admin('drop role stranger');
    });
    const passwords = await rolesOnServer('hb');
    const theirs = new URL(at(server.ownerUrl, 'theirs'));
    theirs.username = 'stranger';
    theirs.password = 'annan';
    await migrate({ url: theirs.href, log: quiet });
    expect(await logIns(theirs.href)).toEqual(roleNames('hb_theirs'));
    expect(await rolesOnServer('hb')).toEqual(passwords);
    expect(await logIns(first)).toEqual(roleNames('hb'));
  });

  test('an owner who may make no roles is told what an administrator runs, and then goes on', async () => {
    await admin(`create role plain login password 'enkel'`);
    await admin('create database modest owner plain template template0');
    onTestFinished(async () => {
      await removeInstallation('modest');
      await admin('drop role plain');
    });
    const url = new URL(at(server.ownerUrl, 'modest'));
    url.username = 'plain';
    url.password = 'enkel';
    await expect(migrate({ url: url.href, log: quiet })).rejects.toThrow(
      /^Rollen hb_api finns inte för databasen.*huvudbok roles --sql/,
    );
    const sql = await runCommand(url.href, ['roles', '--sql']);
    // A password is in no log of the server.
    const login = new URL(loginsOf(url.href, 'hb')('hb_api'));
    expect(sql).not.toContain(login.password);
    await asAdmin(at(server.adminUrl, 'modest'), sql);
    await migrate({ url: url.href, log: quiet });
    await migrate({ url: url.href, log: quiet });
    expect(await logIns(url.href)).toEqual(roleNames('hb'));
    expect(await runCommand(url.href, ['roles'])).toMatch(
      /hb_worker: finns och är databasens egen/,
    );
    await admin(`alter role hb_app password 'annat'`);
    await expect(migrate({ url: url.href, log: quiet })).rejects.toThrow(
      /^Rollen hb_app släpper inte in med sitt lösenord/,
    );
  });
}

/** The same with more beside each other, and of books as they once were: in test/slow on every server. */
export function testMoreInstallations(): void {
  test('two that post do not notice that a third is made and migrated', async () => {
    const urls = [await createInstallation('one'), await createInstallation('two')];
    const posting = await Promise.all(urls.map(startPosting));
    const before = [await rolesOnServer('hb'), await rolesOnServer('hb_two')];
    const third = await createInstallation('three');
    await migrate({ url: third, log: quiet });
    const answers = await Promise.all(posting.map(({ stop }) => stop()));
    expect(answers).toEqual([new Set([200]), new Set([200])]);
    expect([await rolesOnServer('hb'), await rolesOnServer('hb_two')]).toEqual(before);
    expect(await logIns(third)).toEqual(roleNames('hb_three'));
  });

  test('books of before roles said whose they are keep them; a copy of such books does not get them', async () => {
    const original = await createInstallation('old');
    const forget = async (url: string) => {
      await asAdmin(url, 'drop table migration.installation');
      for (const name of roleNames('hb')) await admin(`comment on role ${name} is null`);
    };
    await forget(original);
    const copy = await createDatabase('old_copy', 'old');
    const passwords = await rolesOnServer('hb');
    await migrate({ url: copy, log: quiet });
    expect(await rolesOnServer('hb')).toEqual(passwords);
    expect(await logIns(original)).toEqual(roleNames('hb'));
    expect(await logIns(copy)).toEqual(roleNames('hb_old_copy'));
    await migrate({ url: original, log: quiet });
    expect(await logIns(original)).toEqual(roleNames('hb'));
  });
}
