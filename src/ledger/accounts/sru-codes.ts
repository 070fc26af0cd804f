/**
 * Codes of the income tax return by account number (SRU), as BAS connects the two: Skatteverket asks for
 * sums by code. The file says which edition of the tables its codes are from.
 */
import { isPersonalNumber } from '../../domain/basics/identifiers.ts';
import { readTable } from '../../lib/csv.ts';

/** INK2R: limited companies and the like. NE: sole traders. */
type TaxForm = 'INK2R' | 'NE';

const taxFormOf = (organizationNumber: string): TaxForm =>
  isPersonalNumber(organizationNumber) ? 'NE' : 'INK2R';

const file = `${import.meta.dirname}/sru-codes.csv`;

/** The code of an account on the form of whoever has the number (ten digits); null when it has none there. */
export async function readSruCodes(
  organizationNumber: string,
): Promise<(account: number) => string | null> {
  const form = taxFormOf(organizationNumber);
  const spans: { from: number; to: number; sru: string }[] = [];
  for await (const row of readTable(file)) {
    const { from, to, sru = '' } = row;
    if (row['form'] === form) spans.push({ from: Number(from), to: Number(to), sru });
  }
  return (account) => spans.find(({ from, to }) => from <= account && account <= to)?.sru ?? null;
}
