/** Which supplier a document's seller is: the surest sign decides. */
import type { InvoiceSeller, PayeeAccount } from './received-invoice.ts';

export interface SupplierIdentity {
  readonly organizationNumber: string | null;
  readonly vatNumber: string | null;
  readonly endpoint: string | null;
  readonly accounts: readonly PayeeAccount[];
}

/**
 * By legal number, then VAT number, electronic address, and last where the money goes. A sign that
 * several suppliers share says nothing, and a supplier with another legal number, or where either has none
 * with another VAT number, is another supplier: offices and factors share addresses and accounts.
 */
export function matchSupplier<Candidate extends SupplierIdentity>(
  seller: InvoiceSeller,
  accounts: readonly PayeeAccount[],
  candidates: readonly Candidate[],
): Candidate | null {
  const { organizationNumber, vatNumber, endpoint } = seller;
  const signs: ((candidate: Candidate) => boolean)[] = [
    (one) => organizationNumber !== null && one.organizationNumber === organizationNumber,
    (one) => vatNumber !== null && one.vatNumber === vatNumber,
    (one) => endpoint !== null && one.endpoint === endpoint,
    (one) =>
      accounts.some(({ kind, number }) =>
        one.accounts.some((known) => known.kind === kind && known.number === number),
      ),
  ];
  const mayBe = candidates.filter((one) => {
    const isSame = agree(organizationNumber, one.organizationNumber);
    return isSame ?? agree(vatNumber, one.vatNumber) ?? true;
  });
  for (const sign of signs) {
    const [found, ...others] = mayBe.filter(sign);
    if (found && others.length === 0) return found;
  }
  return null;
}

/** Null when either is not known. */
const agree = (one: string | null, other: string | null): boolean | null =>
  one === null || other === null ? null : one === other;
