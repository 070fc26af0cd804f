/**
 * Taxes that fall due, out of the books. Everything is paid to the tax account, where what is paid goes to what fell due
 * first (skatteförfarandelagen 62 kap.); so what is owed is of what falls due last.
 */
import { addMonths, join, split } from '../../basics/dates.ts';
import { nextWorkingDay } from '../../basics/holidays.ts';
import { least, type Ore } from '../../basics/money.ts';

/** Skatteverket's bankgiro. */
export const taxBankgiro = '50501055';
/** The tax account in the books (BAS). */
export const taxAccount = 1630;
/** What VAT is settled to (BAS). */
export const vatDebtAccount = 2650;

export interface TaxClaim {
  /** `vat 2026-09-30`, `payroll 2026-10`. */
  readonly key: string;
  readonly dueOn: string;
  readonly ore: Ore;
}

/** When withheld tax and contributions of a month (`2026-10`) are due: the 12th of the next, the 17th in January and August (26 kap.). */
export function payrollDueDate(month: string): string {
  const { year, month: next } = split(addMonths(`${month}-01`, 1));
  return nextWorkingDay(join({ year, month: next, day: next === 1 || next === 8 ? 17 : 12 }));
}

/** What is left of each, when so much is owed of them together; the rest is paid. */
export function openTaxClaims(claims: readonly TaxClaim[], owedOre: Ore): TaxClaim[] {
  let left = owedOre > 0n ? owedOre : 0n;
  const open: TaxClaim[] = [];
  for (const claim of claims.toSorted((a, b) => (orderOf(a) > orderOf(b) ? -1 : 1))) {
    if (claim.ore <= 0n || left === 0n) continue;
    const ore = least(claim.ore, left);
    left -= ore;
    open.push({ ...claim, ore });
  }
  return open.reverse();
}

const orderOf = ({ dueOn, key }: TaxClaim): string => `${dueOn} ${key}`;
