import pg from 'pg';
import { expect, test } from 'vitest';
import { explainDatabaseError } from '#src/db/refusals.ts';
import { wordsOf } from '../support/words.ts';

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('said by the database', 0, 'error');
  error.code = code;
  return error;
}

test('a database that is away or too slow asks the caller to come back, with the way to', () => {
  const codes = ['57014', '57P01', '57P03', '53100', '53200', '53300', '53400', '55P03', '58030'];
  for (const code of [...codes, '25006', '08006', '08P01']) {
    const refusal = explainDatabaseError(databaseError(code));
    expect(refusal?.code).toBe('database_unavailable');
    expect(refusal?.status).toBe(503);
    expect(refusal?.headers).toHaveProperty('retry-after');
    expect(wordsOf(refusal)).not.toContain('said by the database');
  }
});

test('a call is asked to come back, and not told of a fault of ours, while the database does not get at its files', () => {
  for (const words of ['Permission denied', 'Read-only file system']) {
    const fault = databaseError('42501');
    fault.message = `could not open file "base/16385/2601": ${words}`;
    expect(explainDatabaseError(fault)).toMatchObject({
      code: 'database_unavailable',
      status: 503,
    });
  }
  // A right that a role lacks is for whoever wrote the call.
  const right = databaseError('42501');
  right.message = 'permission denied for table vouchers';
  expect(explainDatabaseError(right)).toBeUndefined();
});

test('a fault nobody foresaw is not explained away as the caller’s', () => {
  expect(explainDatabaseError(databaseError('42703'))).toBeUndefined();
  expect(explainDatabaseError(new Error('something else'))).toBeUndefined();
});

test('a full disk is told as one, the database’s and our own', () => {
  const faults = [
    databaseError('53100'),
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('write'), { code: 'EDQUOT' }),
    // PostgreSQL knows no SQLSTATE for a quota.
    Object.assign(databaseError('XX000'), {
      message: 'could not extend file "base/16384/2619": Disk quota exceeded',
    }),
    // Nor for the file that every new connection writes.
    Object.assign(databaseError('XX000'), { message: 'could not write init file' }),
  ];
  for (const fault of faults) {
    const refusal = explainDatabaseError(fault);
    expect(refusal).toMatchObject({ code: 'database_unavailable', status: 503 });
    expect(wordsOf(refusal)).toContain('ingen plats kvar');
    expect(wordsOf(refusal)).not.toContain('base/16384');
  }
  for (const code of ['EIO', 'EROFS']) {
    const fault = Object.assign(new Error('write'), { code });
    expect(explainDatabaseError(fault)?.code).toBe('database_unavailable');
  }
});
