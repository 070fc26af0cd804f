/** Vouchers straight into the ledger, and ways past its triggers. */
import type pg from 'pg';
import { inject } from 'vitest';
import { connect, databaseErrorOf, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import {
  type LedgerOutcome,
  type LedgerRow,
  type LedgerVoucher,
  postToLedger,
} from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';

export const row = (account: number, ore: number): LedgerRow => ({
  account,
  debitOre: BigInt(Math.max(ore, 0)),
  creditOre: BigInt(Math.max(-ore, 0)),
});

/** A voucher as the ledger takes it; anything can be overridden. */
export const ledgerVoucher = (overrides: Partial<LedgerVoucher> = {}): LedgerVoucher => ({
  id: uuid(),
  series: 'A',
  date: '2026-03-31',
  description: 'Kontantförsäljning',
  counterparty: null,
  source: 'app',
  actor: 'test',
  rows: [row(1930, 12_500), row(3001, -10_000), row(2611, -2_500)],
  ...overrides,
});

export function post(owner: Pool, vouchers: readonly LedgerVoucher[]): Promise<LedgerOutcome[]> {
  return withTx(owner, (tx) => postToLedger(tx, vouchers));
}

/** The superuser in an installation's database, with every trigger off. */
export async function tamper(databaseUrl: string, statement: string): Promise<void> {
  const url = new URL(inject('adminUrl'));
  url.pathname = new URL(databaseUrl).pathname;
  const client = await connect(url.href, 'tamper');
  try {
    await client.query('set session_replication_role = replica');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The name of the constraint that refused, `SQLSTATE` when it has none, or how many rows came. */
export async function refusalOf(client: Pool | pg.Client, statement: string): Promise<string> {
  try {
    const { rowCount } = await client.query(statement);
    return `${rowCount} rows`;
  } catch (error) {
    const { constraint, code } = databaseErrorOf(error) ?? {};
    return constraint ?? code ?? String(error);
  }
}

/** The id of series A of the one year. */
export async function seriesId(owner: Pool, code = 'A'): Promise<string> {
  const [series] = await db(owner).query<{ id: string }>(
    sql`select id from ledger.series where code = ${code} limit 1`,
  );
  return series?.id ?? '';
}
