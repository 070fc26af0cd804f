/** Names of what answers refer to, as a key may read them. */
import type { Db } from '../db/pool.ts';
import { prepared, sql } from '../db/sql.ts';

/** What has an account, and may carry dimensions. */
export interface NamedRow {
  readonly account: number;
  readonly cost_center?: string | null;
  readonly project?: string | null;
}

export const listAccountNames = (
  db: Db,
  numbers: readonly number[],
): Promise<{ number: number; name: string }[]> =>
  db.query(
    prepared(
      'names of accounts',
      sql`select number, name from ledger.accounts where number = any (${numbers}::integer[])`,
    ),
  );

export interface DimensionName {
  id: string;
  code: string;
  name: string;
}

export const listDimensionNames = (db: Db, ids: readonly string[]): Promise<DimensionName[]> =>
  db.query(
    prepared(
      'names of dimensions',
      sql`select id, code, name from ledger.dimensions where id = any (${ids}::uuid[])`,
    ),
  );
