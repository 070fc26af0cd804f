/** What an invoice must say of whoever sends it. */

import { isLimitedCompany } from '../basics/identifiers.ts';
import { missingOf } from './collection-readiness.ts';

interface SellerFacts {
  readonly orgNumber: string;
  readonly seat: string | null;
  readonly address: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly bankgiro: string | null;
  readonly plusgiro: string | null;
  readonly iban: string | null;
}

/**
 * The names of what the company has not said of itself, and its invoices therefore lack: the address that
 * mervärdesskattelagen (2023:200) 17 kap. 24 § asks for, a limited company's seat (aktiebolagslagen 2005:551,
 * 28 kap. 5 §) and where the money is to go. Empty when nothing.
 */
export function missingOnInvoices(seller: SellerFacts): string[] {
  const { address: street, postalCode, city, seat } = seller;
  const account = [seller.bankgiro, seller.plusgiro, seller.iban].find((one) => one) ?? null;
  const missing = missingOf({ street, postalCode, city, seat, account });
  return isLimitedCompany(seller.orgNumber) ? missing : missing.filter((name) => name !== 'seat');
}
