/** What of the company its VAT returns tell and follow. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { VatReporting } from '../../domain/ledger/vat-deadlines.ts';

export interface VatCompany {
  readonly organizationNumber: string;
  readonly name: string;
  readonly vatNumber: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly reporting: VatReporting;
}

/** How the company `c` reports VAT. */
export const vatReporting = sql`json_build_object('period', c.vat_period, 'largeTaxpayer', c.vat_large_taxpayer,
  'yearly', c.vat_yearly, 'digital', c.vat_digital)`;

/** Undefined before set-up. */
export async function findVatCompany(db: Db): Promise<VatCompany | undefined> {
  const [company] = await db.query<VatCompany>(
    sql`select organization_number as "organizationNumber", name, vat_number as "vatNumber", phone, email,
          ${vatReporting} as reporting
        from restricted.company c`,
  );
  return company;
}
