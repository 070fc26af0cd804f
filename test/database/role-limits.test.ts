/** What a role may take of the server, whoever logs in with it: connections, time, disk, others' locks. */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { connect, databaseErrorOf } from '#src/db/pool.ts';
import { type DatabaseRole, roles } from '#src/db/roles.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

describe.each(roles)('%s', (role: DatabaseRole) => {
  let client: pg.Client;
  beforeEach(async () => {
    client = await connect(await roleUrl(database.url, role), 'test');
  });
  afterEach(() => client.end());

  const show = async (name: string): Promise<string> =>
    (await client.query(`select current_setting('${name}') as value`)).rows[0].value;
  const refusalOf = (statement: string): Promise<string> =>
    client.query(statement).then(
      () => 'done',
      (error) => databaseErrorOf(error)?.code ?? String(error),
    );

  test('leaves connections for the others, however many it opens', async () => {
    const { rows } = await client.query(`select rolconnlimit as own,
      current_setting('max_connections')::integer as all from pg_roles where rolname = current_user`);
    expect(rows[0].own).toBeGreaterThan(0);
    expect(rows[0].own).toBeLessThan(rows[0].all * 0.7);
  });

  test('has its times and memory from the server, without asking for them', async () => {
    expect(await show('statement_timeout')).toBe(role === 'hb_worker' ? '1h' : '30s');
    expect(await show('idle_in_transaction_session_timeout')).toBe('1min');
    expect(await show('work_mem')).toBe(role === 'hb_worker' ? '32MB' : '8MB');
    const version = Number(await show('server_version_num'));
    if (version >= 170_000) expect(await show('transaction_timeout')).not.toBe('0');
  });

  test('fills no disk: neither with temporary files nor with large objects', async () => {
    expect(await show('temp_file_limit')).toBe(role === 'hb_worker' ? '20GB' : '512MB');
    for (const statement of [
      'set temp_file_limit = -1',
      'select lo_create(0)',
      'select lo_creat(-1)',
      `select lo_from_bytea(0, 'x')`,
      `select lo_import('/etc/passwd')`,
      `select pg_logical_emit_message(false, 'x', 'y')`,
    ]) {
      expect([statement, await refusalOf(statement)]).toEqual([statement, '42501']);
    }
  });

  test('holds up nobody by a transaction that it never ends: it is ended when none of ours would be so old', async () => {
    client.on('error', () => undefined);
    await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
      begin; select pg_current_xact_id()`);
    const owner = await connect(database.url, 'test');
    const endOverdue = async (after: string): Promise<number> => {
      const { rows } = await owner.query(
        'select restricted.end_overdue(clock_timestamp() + $1::interval) as ended',
        [after],
      );
      return rows[0].ended;
    };
    const minutes = { hb_api: 5, hb_app: 15, hb_agency: 5, hb_worker: 180 }[role];
    expect(await endOverdue(`${minutes - 1} minutes`)).toBe(0);
    expect(await endOverdue(`${minutes + 1} minutes`)).toBe(1);
    await expect(client.query('commit')).rejects.toThrow();
    await owner.end();
  });

  test('ends nobody’s connection and sleeps on none', async () => {
    for (const statement of [
      'select pg_terminate_backend(pg_backend_pid())',
      'select pg_cancel_backend(pg_backend_pid())',
      'select pg_sleep(0)',
      'select pg_export_snapshot()',
    ]) {
      expect([statement, await refusalOf(statement)]).toEqual([statement, '42501']);
    }
  });

  test('holds no lock that a migration or a backup waits for, but a worker, whose mails and queues need locks', async () => {
    const expected = role === 'hb_worker' ? 'done' : '42501';
    expect(await refusalOf('select pg_advisory_lock(7203517)')).toBe(expected);
    expect(await refusalOf('select pg_advisory_xact_lock(7203517)')).toBe(expected);
    expect(await refusalOf('select pg_advisory_lock_shared(7203517)')).toBe(expected);
    expect(await refusalOf('do $$ begin lock table migration.applied; end $$')).toBe('42501');
    const ofBackups = 'lock table restricted.backups in share update exclusive mode';
    expect(await refusalOf(`do $$ begin ${ofBackups}; end $$`)).toBe('42501');
  });
});
