import type { Tx } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../uuid.ts';

export interface NewCustomer {
  readonly name: string;
  readonly email?: string | null;
  /** Ten digits. */
  readonly organizationNumber?: string | null;
  /** Upper case without spaces, with country prefix. */
  readonly vatNumber?: string | null;
  readonly countryCode?: string;
  readonly paymentTermsDays?: number | null;
}

export async function insertCustomer(
  tx: Tx,
  customer: NewCustomer,
): Promise<{ id: string; name: string }> {
  const id = uuid();
  await tx.query(sql`insert into sales.customers (id, name, email, organization_number, vat_number,
      country_code, payment_terms_days)
    values (${id}, ${customer.name}, ${customer.email ?? null}, ${customer.organizationNumber ?? null},
      ${customer.vatNumber ?? null}, ${customer.countryCode ?? 'SE'},
      ${customer.paymentTermsDays ?? null})`);
  return { id, name: customer.name };
}
