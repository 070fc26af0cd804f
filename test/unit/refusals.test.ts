import pg from 'pg';
import { expect, test } from 'vitest';
import { explainDatabaseError } from '#src/db/refusals.ts';

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('said by the database', 0, 'error');
  error.code = code;
  return error;
}

test('a database that is away or too slow asks the caller to come back, with the way to', () => {
  for (const code of ['57014', '57P01', '53300', '08006']) {
    const refusal = explainDatabaseError(databaseError(code));
    expect(refusal?.code).toBe('database_unavailable');
    expect(refusal?.status).toBe(503);
    expect(refusal?.headers).toHaveProperty('retry-after');
    expect(refusal?.message).not.toContain('said by the database');
  }
});

test('a fault nobody foresaw is not explained away as the caller’s', () => {
  expect(explainDatabaseError(databaseError('42703'))).toBeUndefined();
  expect(explainDatabaseError(new Error('something else'))).toBeUndefined();
});
