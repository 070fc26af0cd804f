/**
 * People take turns on the connections of the pages. Whoever could run SQL of their own in their turn leaves
 * nothing there that the next one's work follows.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, type Pool, withTx } from '#src/db/pool.ts';
import { prepared, type Sql, sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let owner: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  owner = await logIn(books, 'agare');
});
afterAll(() => books.close());

let pool: Pool;
beforeEach(async () => {
  const url = await roleUrl(books.url, 'hb_app');
  pool = createPool({ url, max: 1, applicationName: 'test', statementTimeoutMs: 12_345 });
  return () => pool.end();
});

const session = (): Buffer => hashOfSecret(String(owner.cookies.get(sessionCookie)));
const asOwner = <Row extends object>(statement: Sql): Promise<Row[]> =>
  withTx(pool, async (tx) => {
    await tx.query(sql`select from app.enter(${session()})`);
    return tx.query<Row>(statement);
  });
const attempt = (text: string): Promise<string> =>
  pool.query(text).then(
    () => 'done',
    (error: { code?: string }) => String(error.code),
  );
const numberOf = async (): Promise<number> => {
  const { rows } = await pool.query('select pg_backend_pid() as pid');
  return rows[0].pid;
};

const said = sql`select name, current_setting(name) as value from unnest(array['client_encoding',
  'datestyle', 'timezone', 'synchronous_commit', 'row_security', 'transform_null_equals', 'bytea_output',
  'statement_timeout', 'transaction_isolation', 'search_path', 'enable_indexscan']) as name`;

test('settings that one leaves are not the next one’s', async () => {
  const before = await asOwner(said);
  const connection = await numberOf();
  for (const setting of [
    `client_encoding = 'LATIN1'`,
    `datestyle = 'German'`,
    `timezone = 'Pacific/Kiritimati'`,
    'synchronous_commit = off',
    'row_security = off',
    'transform_null_equals = on',
    'bytea_output = escape',
    'statement_timeout = 1',
    `default_transaction_isolation = 'serializable'`,
    'search_path = pg_temp, restricted',
    'enable_indexscan = off',
  ]) {
    expect([setting, await attempt(`set ${setting}`)]).toEqual([setting, 'done']);
  }
  expect(await asOwner(said)).toEqual(before);
  const [row] = await asOwner<{ role: string; text: string }>(
    sql`select app.current_role_name() as role, ${'Åsa Öst'}::text as text`,
  );
  expect(row).toEqual({ role: 'agare', text: 'Åsa Öst' });
  expect(await numberOf()).toBe(connection);
});

const count = prepared(
  'count people',
  sql`select count(*)::integer as count from restricted.users`,
);

test('no statement of the program can be exchanged for another, since nobody learns its name', async () => {
  const [{ count: people = 0 } = {}] = await asOwner<{ count: number }>(count);
  expect(people).toBeGreaterThan(0);
  expect(await attempt('select name from pg_prepared_statements')).toBe('42501');
  expect(await attempt('select * from pg_prepared_statement()')).toBe('42501');
  expect(await attempt('deallocate "count people"')).toBe('26000');
  await attempt(`prepare "count people" as update restricted.users set role = 'agare'`);
  expect(await asOwner(count)).toEqual([{ count: people }]);
});

test('who throws all of them away is followed by a new connection, and nobody notices', async () => {
  const before = await asOwner(count);
  const connection = await numberOf();
  expect(await attempt('deallocate all')).toBe('done');
  expect(await asOwner(count)).toEqual(before);
  expect(await numberOf()).not.toBe(connection);
});

test('nobody is somebody on a connection where somebody was', async () => {
  await asOwner(count);
  expect((await pool.query('select app.current_role_name() as role')).rows).toEqual([
    { role: null },
  ]);
  await pool.query(`begin; savepoint one`);
  await pool.query(`select from app.enter($1)`, [session()]);
  await pool.query('rollback to savepoint one');
  expect((await pool.query('select app.current_role_name() as role')).rows).toEqual([
    { role: null },
  ]);
  await pool.query('rollback');
});
