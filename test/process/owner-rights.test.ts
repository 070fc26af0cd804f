/** The rights that docs/operating.md says the owner's login needs are enough, and each that lacks is named. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { superuserSql } from '#src/db/embedded/create-cluster.ts';
import { entry } from '../support/program.ts';
import { query } from './embedded.ts';
import { startServer, type TestServer } from './replicas.ts';
import { Running } from './running.ts';

async function migrate(server: TestServer) {
  const { PATH, HOME } = process.env;
  const migration = new Running(entry, ['migrate'], { PATH, HOME, DATABASE_URL: server.ownerUrl });
  return { exitCode: await migration.exitCode(), output: migration.output };
}

it.each([
  ['createrole', 'alter role hb_owner nocreaterole', /ägaren får inte skapa den: .*roles --sql/],
  [
    'the database',
    'alter database huvudbok owner to postgres',
    /hb_owner, eller en av programmets roller, saknar en behörighet .* får skapa roller/s,
  ],
])(
  'is refused in a sentence without %s, and goes on when it is given',
  async (_, take, sentence) => {
    const server = await startServer();
    await query(server.adminUrl, take);
    const refused = await migrate(server);
    expect(refused.output).toMatch(sentence);
    expect(refused.output).not.toMatch(/ {4}at /);
    expect(refused.exitCode).toBe(1);
    await query(server.adminUrl, 'alter role hb_owner createrole');
    await query(server.adminUrl, 'alter database huvudbok owner to hb_owner');
    expect(await migrate(server)).toMatchObject({ exitCode: 0 });
  },
);

it('has enough with what the manual gives it', async () => {
  const server = await startServer();
  const asNew = server.ownerUrl.replace('hb_owner', 'new_owner').replace('/huvudbok', '/other');
  const { owner } = server.cluster.secrets;
  await query(server.adminUrl, `create role new_owner login createrole password '${owner}'`);
  await query(server.adminUrl, `alter role new_owner set createrole_self_grant = 'set, inherit'`);
  await query(server.adminUrl, 'create database other owner new_owner');
  const { PATH, HOME } = process.env;
  const migration = new Running(entry, ['migrate'], { PATH, HOME, DATABASE_URL: asNew });
  expect(await migration.exitCode()).toBe(0);
});

it('workers go on when superuser.sql is run, as migrate asks, where everything serves already', async () => {
  const server = await startServer();
  // A database as anybody makes one, where the superuser has taken nothing away.
  const elsewhere = new URL(server.adminUrl);
  elsewhere.pathname = '/postgres';
  await query(elsewhere.href, 'drop database huvudbok with (force)');
  await query(elsewhere.href, 'create database huvudbok owner hb_owner');
  expect((await migrate(server)).output).toMatch(/superuser\.sql/);
  // What an earlier form of it gave: the owner read the server's files.
  await query(server.adminUrl, 'grant execute on function lo_import(text) to hb_owner');
  await query(server.adminUrl, readFileSync(superuserSql, 'utf8'));
  await expect(query(server.ownerUrl, `select lo_import('/etc/hostname')`)).rejects.toThrow(
    'permission denied for function lo_import',
  );
  const locks = `select r.rolname, p.oid::regprocedure::text from pg_roles r, pg_proc p
    where r.rolname ~ '^hb_' and p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ 'advisory'
      and has_function_privilege(r.oid, p.oid, 'execute') order by 1, 2`;
  const left = await query(server.adminUrl, locks);
  expect((await migrate(server)).exitCode).toBe(0);
  expect(await query(server.adminUrl, locks)).toEqual(left);
});
