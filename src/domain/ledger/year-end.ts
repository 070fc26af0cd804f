/**
 * What a limited company usually books as its year ends: special payroll tax on pension costs, an allocation to a tax
 * allocation reserve, and the year's income tax. Proposals out of the ledger alone: what tax law adds or takes away
 * beyond it (costs that are not deducted, deficits of years before) a person knows, and writes another amount.
 * A sole trader's are in the owner's own return: there is no 8910 or 2512. Of a partnership the partners are taxed, and
 * what it bears itself is the payroll tax (inkomstskattelagen 5 kap. 1 §).
 */
import { isPartnership, isPersonalNumber } from '../basics/identifiers.ts';
import { type Ore, sum } from '../basics/money.ts';
import type { Balance } from './opening-balances.ts';

/** In the order they are booked: each lessens what the next is reckoned on. */
export const adjustments = ['pension_tax', 'tax_allocation', 'income_tax'] as const;
export type Adjustment = (typeof adjustments)[number];

/** Those that the books of whom has the organisation number bear. */
export function adjustmentsOf(organizationNumber: string): readonly Adjustment[] {
  if (isPersonalNumber(organizationNumber)) return [];
  return isPartnership(organizationNumber) ? ['pension_tax'] : adjustments;
}

interface Rate {
  /** Of fiscal years that begin on these days. The last is as far as a source has been seen to go, never further: another year's is not used. */
  readonly from: string;
  readonly to: string;
  /** In hundredths of a per cent. */
  readonly percentE2: bigint;
  /** The law, and where and as of which day it was read. */
  readonly source: string;
}

interface Kind {
  readonly debit: number;
  /** Where it is owed or kept; a range where the company has an account of each year. */
  readonly credit: { readonly from: number; readonly to: number };
  /** Of other years whoever books it states the rate. */
  readonly rates: readonly Rate[];
}

/** As far as the rates were seen to go: a year that is seen to has a new line here, or this day moves. */
const seenTo = '2026-12-31';

export const kinds: Readonly<Record<Adjustment, Kind>> = {
  pension_tax: {
    debit: 7533,
    credit: { from: 2514, to: 2514 },
    rates: [
      {
        from: '2021-01-01',
        to: seenTo,
        percentE2: 2_426n,
        source:
          'lag (1991:687) om särskild löneskatt på pensionskostnader 1 §, läst i lydelsen 2025-09-01',
      },
    ],
  },
  tax_allocation: {
    debit: 8811,
    credit: { from: 2110, to: 2149 },
    rates: [
      {
        from: '2021-01-01',
        to: seenTo,
        percentE2: 2_500n,
        source: 'inkomstskattelagen (1999:1229) 30 kap. 5 §, läst i lydelsen 2025-09-01',
      },
    ],
  },
  income_tax: {
    debit: 8910,
    credit: { from: 2512, to: 2512 },
    rates: [
      {
        from: '2021-01-01',
        to: seenTo,
        percentE2: 2_060n,
        source:
          'inkomstskattelagen (1999:1229) 65 kap. 10 § (lag 2018:1206), läst i lydelsen 2025-09-01',
      },
    ],
  },
};

const taxableStepOre = 1000n;

/** Tax on the result and what is owed of it (BAS): of a company alone, never of a sole trader. */
export const personalTaxes: readonly number[] = [2512, 8910];

export interface Proposal {
  readonly adjustment: Adjustment;
  /** Null where no rate of the year is known here and nobody has stated one. */
  readonly percentE2: bigint | null;
  /** The known rate's; null where none is known, also when one is stated. */
  readonly source: string | null;
  readonly baseOre: Ore;
  /** On the debit account already, of the year. */
  readonly bookedOre: Ore;
  /** Whole kronor still to be booked; for an allocation, at most. Zero when there is nothing. */
  readonly proposedOre: Ore;
  /** By how much more is booked than is reckoned, as when the result has become less since; a krona at least, else zero. */
  readonly excessOre: Ore;
}

/**
 * What the year's result accounts say of one of them; `balances` are the year's, 3000–8999, debit above zero.
 * A rate that is stated, in hundredths of a per cent, counts where none of the year is known.
 */
export function propose(
  adjustment: Adjustment,
  yearStart: string,
  balances: readonly Balance[],
  statedE2: bigint | null = null,
): Proposal {
  const { debit, rates } = kinds[adjustment];
  const on = (from: number, to: number): Ore =>
    sum(
      balances
        .filter(({ account }) => account >= from && account <= to)
        .map(({ balanceOre }) => balanceOre),
    );
  const known = rates.find(({ from, to }) => from <= yearStart && yearStart <= to);
  const percentE2 = known?.percentE2 ?? statedE2;
  const bookedOre = on(debit, debit);
  // 7410–7499 are what pensions cost, with 7533 outside of them. A reserve is reckoned before itself is allocated.
  const baseOre =
    adjustment === 'pension_tax'
      ? on(7410, 7499)
      : adjustment === 'tax_allocation'
        ? -on(3000, 8899) + bookedOre
        : taxable(-on(3000, 8899));
  const wholeOre =
    percentE2 === null || baseOre <= 0n ? 0n : ((baseOre * percentE2) / 1_000_000n) * 100n;
  const left = wholeOre - bookedOre;
  return {
    adjustment,
    percentE2,
    source: known?.source ?? null,
    baseOre,
    bookedOre,
    proposedOre: left > 0n ? left : 0n,
    // Öre that somebody has booked beside the whole kronor are no excess.
    excessOre: percentE2 !== null && left <= -100n ? -left : 0n,
  };
}

/** What a company is taxed on is a surplus in whole tens of kronor, rounded down (inkomstskattelagen 1 kap. 7 §). */
const taxable = (surplusOre: Ore): Ore =>
  surplusOre > 0n ? surplusOre - (surplusOre % taxableStepOre) : surplusOre;
