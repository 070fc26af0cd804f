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
  readonly address?: string | null;
  readonly postalCode?: string | null;
  readonly city?: string | null;
  readonly phone?: string | null;
  /** Interest that was agreed on, in hundredths of a percentage point; null means the statutory one. */
  readonly agreedRateE2?: number | null;
}

export async function insertCustomer(
  tx: Tx,
  customer: NewCustomer,
): Promise<{ id: string; name: string }> {
  const id = uuid();
  await tx.query(sql`insert into sales.customers (id, name, email, organization_number, vat_number,
      country_code, payment_terms_days, address, postal_code, city, phone, agreed_rate_e2)
    values (${id}, ${customer.name}, ${customer.email ?? null}, ${customer.organizationNumber ?? null},
      ${customer.vatNumber ?? null}, ${customer.countryCode ?? 'SE'},
      ${customer.paymentTermsDays ?? null}, ${customer.address ?? null},
      ${customer.postalCode ?? null}, ${customer.city ?? null}, ${customer.phone ?? null},
      ${customer.agreedRateE2 ?? null})`);
  return { id, name: customer.name };
}

/** Orders no longer find it and nothing more is invoiced to it; what was stays as it was. */
export async function deactivateCustomer(tx: Tx, id: string): Promise<void> {
  await tx.query(sql`update sales.customers set is_active = false where id = ${id}::uuid`);
}
