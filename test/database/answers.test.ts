/** What a connection answers, and that nothing of it is kept in memory for longer than it is used. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connect, createPool } from '#src/db/pool.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

it('gives each statement its callback as it is made, however it is asked', async () => {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const client = await connect(database.url, 'test answers');
  const pool = createPool({ url: database.url, max: 1, applicationName: 'test answers' });
  try {
    asked.mockClear();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect((await client.query('select $1::text as given', ['å'])).rows).toEqual([{ given: 'å' }]);
    const named = { text: 'select $1::integer as two', values: [2], name: 'two' };
    expect((await client.query(named)).rows).toEqual([{ two: 2 }]);
    expect((await client.query(named)).rows).toEqual([{ two: 2 }]);
    const heard = await new Promise((resolve) => {
      client.query('select 3 as three', (_, { rows }) => resolve(rows));
    });
    expect(heard).toEqual([{ three: 3 }]);
    expect((await pool.query('select 4 as four')).rows).toEqual([{ four: 4 }]);
    expect(asked.mock.calls.length).toBeGreaterThanOrEqual(6);
    for (const given of asked.mock.calls) expect(given.at(-1)).toBeTypeOf('function');
  } finally {
    asked.mockRestore();
    await client.end();
    await pool.end();
  }
});

it('tells who asked for what the server refuses', async () => {
  const client = await connect(database.url, 'test answers');
  const askForNothing = async () => await client.query('select from nowhere.at_all');
  const fault = await askForNothing().catch((error) => error);
  await client.end();
  expect(fault).toBeInstanceOf(pg.DatabaseError);
  expect(fault.code).toBe('42P01');
  expect(fault.stack).toContain('askForNothing');
});
