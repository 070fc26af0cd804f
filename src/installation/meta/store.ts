import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { VatReporting } from '../../domain/ledger/vat-deadlines.ts';

export interface MetaFiscalYear {
  year: number;
  start: string;
  end: string;
  status: string;
}

export interface Installation {
  schema_version: number;
  vat_period: VatReporting['period'];
  vat_large_taxpayer: boolean;
  vat_yearly: VatReporting['yearly'];
  vat_digital: boolean;
  vouchers: bigint;
  head_hash: Buffer;
  period_locked_to: string | null;
  vat_locked_to: string | null;
}

export function listFiscalYears(db: Db): Promise<MetaFiscalYear[]> {
  return db.query(
    prepared(
      'fiscal years',
      sql`select year, start_date as start, end_date as end, status
          from ledger.fiscal_years order by start_date`,
    ),
  );
}

export async function getInstallation(db: Db): Promise<Installation> {
  const [installation] = await db.query<Installation>(
    prepared(
      'installation',
      sql`select i.*, l.period_locked_to, l.vat_locked_to
          from api.installation() i cross join ledger.locks l`,
    ),
  );
  if (!installation) throw new Error('the installation has no company');
  return installation;
}

/** Throws when the database cannot write. */
export async function proveWriting(db: Db): Promise<void> {
  await db.query(sql`select api.prove_writing()`);
}
