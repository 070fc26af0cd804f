/** What speaks for or against a VAT return before it is filed: reckoned from the same sums as its boxes. */
import { absolute, type Ore, sum } from '../basics/money.ts';
import { oneStopShopAccount, type TaxedRate, vatFromNet } from './vat.ts';
import type { VatSum } from './vat-return.ts';

/** The base of a rate, and the VAT that stands on it. */
export interface RateControl {
  /** Of the bases together, as in `05–08`. */
  readonly bases: string;
  /** Of the VAT. */
  readonly box: string;
  readonly rate: TaxedRate;
  readonly baseOre: Ore;
  /** Base × rate. */
  readonly expectedOre: Ore;
  readonly vatOre: Ore;
  /** What roundings may come to. */
  readonly toleranceOre: Ore;
  readonly holds: boolean;
}

/** VAT that we owe on purchases, and what of it we deduct. */
export interface DeductionControl {
  readonly owedOre: Ore;
  readonly deductedOre: Ore;
  readonly holds: boolean;
}

/** An account with an amount. */
export interface AccountAmount {
  readonly account: number;
  readonly ore: Ore;
}

export interface VatControls {
  /** Of rates that have anything. */
  readonly rates: readonly RateControl[];
  readonly deduction: DeductionControl;
  /** Accounts of sales with turnover on rows without a VAT code: it is in no box. */
  readonly uncoded: readonly AccountAmount[];
  /** Accounts of output and input VAT that the chart gives no box. */
  readonly unboxed: readonly AccountAmount[];
  /** VAT of sales to consumers in other EU countries (2670): it is filed by itself, in the one stop shop. */
  readonly oneStopShopOre: Ore;
}

/** Each row's VAT is rounded by itself, at most an öre away; less than a krona in all is never worth a look. */
const leastTolerance = 100n;

const groups = [
  { bases: '05–08', boxes: ['05', '06', '07', '08'], vat: { 25: '10', 12: '11', 6: '12' } },
  { bases: '20–24', boxes: ['20', '21', '22', '23', '24'], vat: { 25: '30', 12: '31', 6: '32' } },
  { bases: '50', boxes: ['50'], vat: { 25: '60', 12: '61', 6: '62' } },
] as const;
const taxedRates = [25, 12, 6] as const satisfies readonly TaxedRate[];

/** Calculated input VAT: on purchases from abroad, and where the buyer owes it in Sweden (BAS). */
const deductingAccounts: readonly number[] = [2645, 2647];
const owedBoxes: readonly string[] = ['30', '31', '32', '60', '61', '62'];

/** `rowsOf` is how many rows stand on the accounts of a box of VAT. */
export function vatControls(
  sums: readonly VatSum[],
  rowsOf: ReadonlyMap<string, number>,
): VatControls {
  const oreOf = (isMeant: (one: VatSum) => boolean): Ore =>
    sum(sums.filter(isMeant).map(({ ore }) => ore));
  const rates = groups.flatMap(({ bases, boxes, vat }) =>
    taxedRates.map((rate): RateControl => {
      const box = vat[rate];
      const inBases = oreOf((one) => one.rate === rate && boxes.some((base) => base === one.box));
      const baseOre = bases === '05–08' ? inBases : -inBases;
      const expectedOre = vatFromNet(baseOre, rate);
      const vatOre = oreOf((one) => one.box === box);
      const rows = BigInt(rowsOf.get(box) ?? 0);
      const toleranceOre = rows > leastTolerance ? rows : leastTolerance;
      const holds = absolute(expectedOre - vatOre) <= toleranceOre;
      return { bases, box, rate, baseOre, expectedOre, vatOre, toleranceOre, holds };
    }),
  );
  const owedOre = oreOf(({ box }) => box !== null && owedBoxes.includes(box));
  const deductedOre = -oreOf(({ account }) => deductingAccounts.includes(account));
  return {
    rates: rates.filter(({ baseOre, vatOre }) => baseOre !== 0n || vatOre !== 0n),
    deduction: {
      owedOre,
      deductedOre,
      holds: absolute(owedOre - deductedOre) <= leastTolerance,
    },
    uncoded: byAccount(
      sums.filter(({ account, vatCode }) => vatCode === null && isOfSales(account)),
    ),
    unboxed: byAccount(sums.filter(({ account, box }) => box === null && isOfVat(account))),
    oneStopShopOre: oreOf(({ account }) => account === oneStopShopAccount),
  };
}

/** Where VAT is due that stands there; not what waits for payment (26x8). */
const isOfVat = (account: number): boolean =>
  account >= 2610 && account <= 2649 && account % 10 !== 8;

/** BAS 30–37 but rounding (3740), and 391–393: rents and commissions. Grants, gains and the like are no sales. */
const isOfSales = (account: number): boolean =>
  (account >= 3000 && account <= 3799 && account !== 3740) || (account >= 3910 && account <= 3939);

function byAccount(sums: readonly VatSum[]): AccountAmount[] {
  const accounts = new Map<number, Ore>();
  for (const { account, ore } of sums) accounts.set(account, (accounts.get(account) ?? 0n) + ore);
  return [...accounts]
    .filter(([, ore]) => ore !== 0n)
    .map(([account, ore]) => ({ account, ore }))
    .sort((one, other) => one.account - other.account);
}
