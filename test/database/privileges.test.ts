/**
 * Every right of every role, as `rights.ts` writes them out. A table or function that somebody adds
 * without deciding who may use it fails here.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, db, type Pool } from '#src/db/pool.ts';
import { anyRoleName, roles } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import {
  listPolicies,
  listPrivileges,
  listRoutines,
  listSchemas,
  listTables,
  listTriggers,
} from '#src/ledger/verification/catalogue-store.ts';
import {
  definers,
  helpers,
  policies,
  privileges,
  schemas,
  tables,
  triggers,
} from '#src/ledger/verification/rights.ts';
import { describeSchema } from '#src/ledger/verification/schema.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

const root = join(import.meta.dirname, '..', '..');

let database: TestDatabase;
let owner: Pool;
beforeAll(async () => {
  database = await cloneDatabase();
  owner = createPool({ url: database.url, max: 4, applicationName: 'test' });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('nothing is in the database that nobody has decided about', () => {
  test('schemas', async () => {
    expect(await listSchemas(db(owner))).toEqual([...schemas, 'public'].sort());
  });
  test('tables', async () => {
    expect(await listTables(db(owner))).toEqual(tables);
  });
  test('functions', async () => {
    const routines = await listRoutines(db(owner));
    expect(routines.filter(({ isDefiner }) => isDefiner).map(({ name }) => name)).toEqual(definers);
    expect(routines.filter(({ isDefiner }) => !isDefiner).map(({ name }) => name)).toEqual(helpers);
  });
  test('triggers', async () => {
    expect(await listTriggers(db(owner))).toEqual([...triggers].sort());
  });
});

/** After a migration or function that changes any: `npx vitest run --project database test/database/privileges.test.ts -u`. */
test('migrations/schema.sql is what a new database holds, and verify holds everybody’s against', async () => {
  await expect(await describeSchema(db(owner))).toMatchFileSnapshot(
    join(root, 'migrations/schema.sql'),
  );
});

/** pg_dump writes what PostgreSQL says of a condition, and restoring reads that. */
test('conditions come back from a dump as they went in, so that verify takes no restored table for changed', async () => {
  const client = await owner.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(
      `select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'c' and conrelid <> 0
         and connamespace::regnamespace::text = any($1)`,
      [schemas],
    );
    expect(rows.length).toBeGreaterThan(150);
    for (const { table_name, conname, definition } of rows) {
      await client.query(`alter table ${table_name} drop constraint ${conname}`);
      await client.query(`alter table ${table_name} add constraint ${conname} ${definition}`);
    }
    const { rows: again } = await client.query(
      `select conname || ' of ' || conrelid::regclass as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'c' and conrelid <> 0`,
    );
    const restored = new Map(again.map(({ name, definition }) => [name, definition]));
    const changed = rows.filter(
      ({ table_name, conname, definition }) =>
        restored.get(`${conname} of ${table_name}`) !== definition,
    );
    expect(changed, 'write it as the database says it').toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

describe('a role may do what is listed and nothing else', () => {
  test.each(roles)('%s', async (role) => {
    const actual = await listPrivileges(db(owner), role);
    expect(actual.sort()).toEqual([...privileges[role]].sort());
  });

  test('whoever logs in with another role may do nothing', async () => {
    expect(await listPrivileges(db(owner), 'public')).toEqual([]);
    const [rights] = await db(owner).query(
      sql`select has_database_privilege('public', current_database(), 'temporary') as temporary,
            has_database_privilege('public', current_database(), 'create') as create`,
    );
    expect(rights).toEqual({ temporary: false, create: false });
  });

  test('no role is a superuser, inherits another, goes past row level security or makes roles', async () => {
    const found = await db(owner).query(
      sql`select rolname from pg_roles r
          where (rolname = any (${roles}::text[]) or rolname = current_user and not rolsuper)
            and (rolsuper or rolbypassrls or rolreplication
              or rolname <> current_user and (rolcreaterole or rolcreatedb)
              or exists (select from pg_auth_members m where m.member = r.oid
                and not exists (select from pg_roles g where g.oid = m.roleid
                  and r.rolname = current_user and g.rolname ~ ${anyRoleName})))`,
    );
    expect(found).toEqual([]);
  });
});

test('row level security is on where keys read, and lets through just who is listed', async () => {
  expect((await listPolicies(db(owner))).sort()).toEqual([...policies].sort());
});

test('a function with its owner’s rights cannot be fooled by names of the caller’s', async () => {
  const loose = (await listRoutines(db(owner))).filter(
    ({ isDefiner, searchPath }) => isDefiner && searchPath !== 'pg_catalog, pg_temp',
  );
  expect(loose).toEqual([]);
});

test('nothing asks the database what day it is: that is said by the clock of whoever calls', async () => {
  const asksForDay = 'current_date|localtimestamp|(now\\(\\)|current_timestamp) *:: *date';
  const functions = await db(owner).query(sql`select p.oid::regprocedure::text as name
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^(pg_|information_schema|pgboss)' and p.prosrc ~* ${asksForDay}`);
  const defaults = await db(owner).query(sql`select d.adrelid::regclass::text as name
    from pg_attrdef d where pg_get_expr(d.adbin, d.adrelid) ~* ${asksForDay}`);
  expect([...functions, ...defaults]).toEqual([]);
  for (const folder of ['src', 'workers']) {
    for (const file of globSync(`${folder}/**/*.ts`, { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8');
      expect([file, text]).toEqual([file, expect.not.stringMatching(new RegExp(asksForDay, 'i'))]);
    }
  }
});
