/**
 * Purchases on which the buyer owes the VAT: in Sweden (ML 16 kap.), from other EU countries and from
 * outside the EU. The seller's document carries no VAT, so the buyer's books do, in threes: the base
 * account (boxes 20–24 and 50), output VAT (30–32 and 60–62) and input VAT (48).
 */

import { countryOf } from '../basics/countries.ts';
import { absolute, divideRounded, type Ore, sum } from '../basics/money.ts';
import type { TaxedRate, VatRate } from '../ledger/vat.ts';
import { placeOf, type Supply, type VatTerritory } from '../sales/buyer.ts';
import type { InvoiceSeller } from './received-invoice.ts';

/** What a person has said that a supplier sells, and the Swedish rate of it; 0 when it is exempt here too. */
export interface SupplyMark {
  /** Null when nobody has said. */
  readonly supply: Supply | null;
  readonly rate: VatRate;
}

export const unmarked: SupplyMark = { supply: null, rate: 25 };

/** The accounts of one kind of purchase. Without VAT, output and input are null. */
export interface ReverseCharge {
  readonly base: number;
  /** Of the VAT return: where the base account counts. */
  readonly box: string;
  readonly rate: VatRate;
  readonly output: number | null;
  readonly input: number | null;
}

/**
 * Against the base account when the cost stays on an account of its own: it has no box, so that the base
 * counts once and the cost too. Not in BAS; programs of old call it so.
 */
export const contraAccount = 4598;

interface Kind {
  readonly box: string;
  readonly bases: Readonly<Record<TaxedRate, number>>;
  readonly outputs: Readonly<Record<TaxedRate, number>>;
  readonly input: number;
}

const outputs = { 25: 2614, 12: 2624, 6: 2634 } as const;
const ofImport = { 25: 2615, 12: 2625, 6: 2635 } as const;
const fromAbroad = 2645;
const inSweden = 2647;

const kinds: Readonly<Record<VatTerritory, Readonly<Record<Supply, Kind>>>> = {
  sweden: {
    goods: { box: '23', bases: { 25: 4415, 12: 4416, 6: 4417 }, outputs, input: inSweden },
    services: { box: '24', bases: { 25: 4425, 12: 4426, 6: 4427 }, outputs, input: inSweden },
  },
  eu: {
    goods: { box: '20', bases: { 25: 4515, 12: 4516, 6: 4517 }, outputs, input: fromAbroad },
    services: { box: '21', bases: { 25: 4535, 12: 4536, 6: 4537 }, outputs, input: fromAbroad },
  },
  outside_eu: {
    goods: {
      box: '50',
      bases: { 25: 4545, 12: 4546, 6: 4547 },
      outputs: ofImport,
      input: fromAbroad,
    },
    services: { box: '22', bases: { 25: 4531, 12: 4532, 6: 4533 }, outputs, input: fromAbroad },
  },
};

/** Exempt goods from the EU count in box 20 without VAT; other exempt purchases count nowhere. */
const exemptEuGoods = 4518;

/** Every account that a purchase with reverse charge is posted on by itself. */
export const reverseChargeAccounts: readonly number[] = [
  ...new Set(
    Object.values(kinds)
      .flatMap(({ goods, services }) => [goods, services])
      .flatMap((kind) => [
        ...Object.values(kind.bases),
        ...Object.values(kind.outputs),
        kind.input,
      ]),
  ),
  exemptEuGoods,
  contraAccount,
].sort((a, b) => a - b);

/** How a purchase is reported; null when it counts in no box. */
export function reverseChargeOf(
  place: VatTerritory,
  supply: Supply,
  rate: VatRate,
): ReverseCharge | null {
  const { box, bases, outputs: outputOf, input } = kinds[place][supply];
  if (rate !== 0) return { base: bases[rate], box, rate, output: outputOf[rate], input };
  if (place !== 'eu' || supply !== 'goods') return null;
  return { base: exemptEuGoods, box, rate, output: null, input: null };
}

/** Where a seller is, as VAT sees it; null when its document says nothing that settles it. */
export function placeOfSeller(
  { vatNumber, countryCode, organizationNumber }: SellerSigns,
  supply: Supply,
): VatTerritory | null {
  const prefix = vatNumber?.slice(0, 2);
  const registered = prefix === undefined ? null : countryOf(prefix);
  const address = countryOf(countryCode) ?? (organizationNumber === null ? null : 'SE');
  const places = [registered, address]
    .filter((country) => country !== null)
    .map((country) => placeOf({ country, vatNumber }, supply));
  const [place = null, ...others] = new Set(places);
  return others.length === 0 ? place : null;
}

type SellerSigns = Pick<InvoiceSeller, 'vatNumber' | 'countryCode' | 'organizationNumber'>;

/** A row of a voucher with what its account is to the VAT return. */
export interface BoxedRow {
  readonly account: number;
  /** Debit above zero. */
  readonly ore: Ore;
  readonly vatBox: string | null;
  /** Per cent. */
  readonly vatRate: number | null;
}

const outputBoxes: readonly (readonly [bases: readonly string[], outputs: Rates])[] = [
  [['20', '21', '22', '23', '24'], { '30': 25, '31': 12, '32': 6 }],
  [['50'], { '60': 25, '61': 12, '62': 6 }],
];
type Rates = Readonly<Record<string, TaxedRate>>;

/** Boxes whose accounts are bases of reverse charge, and no place for other costs. */
export const baseBoxes: ReadonlySet<string> = new Set(['20', '21', '22', '23', '24', '37', '50']);

/** Whole kronor are near enough: people and Tullverket round to them. */
const toleranceOre: Ore = 100n;

export interface VatGap {
  /** Of the VAT return. */
  readonly outputBox: string;
  readonly rate: number;
  readonly baseOre: Ore;
  readonly dueOre: Ore;
  readonly bookedOre: Ore;
}

/**
 * Where output VAT is not its rate of the base, as boxes 30–32 must be of 20–24 and 60–62 of 50
 * (Skatteverket sends back a return in which they are not). Off by less than a krona is no gap.
 */
export function vatGaps(rows: readonly BoxedRow[]): VatGap[] {
  const total = (isCounted: (row: BoxedRow) => boolean): Ore =>
    sum(rows.filter(isCounted).map(({ ore }) => ore));
  return outputBoxes.flatMap(([bases, rates]) =>
    Object.entries(rates).flatMap(([outputBox, rate]) => {
      const baseOre = total(
        ({ vatBox, vatRate }) => bases.includes(vatBox ?? '') && vatRate === rate,
      );
      const bookedOre = -total(({ vatBox }) => vatBox === outputBox);
      const dueOre = divideRounded(baseOre * BigInt(rate), 100n);
      const isGap = absolute(dueOre - bookedOre) >= toleranceOre;
      return isGap ? [{ outputBox, rate, baseOre, dueOre, bookedOre }] : [];
    }),
  );
}
