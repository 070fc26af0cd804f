/** The VAT return of a period, box by box as it is filed: SFL 26 kap., Skatteverket's form SKV 4700. */
import { type Ore, sum } from '../basics/money.ts';

/** What counts in a box, or in none (null): credit less debit, öre. */
export interface BoxAmount {
  readonly box: string | null;
  readonly ore: Ore;
}

/** What days come to on an account with a VAT code. */
export interface VatSum extends BoxAmount {
  readonly account: number;
  readonly vatCode: string | null;
  /** Of the code, per cent; null on accounts of VAT and without a box. */
  readonly rate: number | null;
}

export interface ReturnBox {
  readonly box: string;
  readonly name: string;
  /** As the return writes it: öre dropped, purchases and input VAT above zero. */
  readonly kronor: bigint;
}

export interface VatReturn {
  /** In the form's order, those that have anything. */
  readonly boxes: readonly ReturnBox[];
  /** Box 49, of the boxes as written: below zero when it comes back. */
  readonly toPay: bigint;
}

type Kind = 'sale' | 'purchase' | 'output' | 'input';

/** In the form's order. What is bought or deducted stands in debit, and is written above zero. */
const form: readonly (readonly [box: string, name: string, kind: Kind])[] = [
  ['05', 'Momspliktig försäljning som inte ingår i ruta 06, 07 eller 08', 'sale'],
  ['06', 'Momspliktiga uttag', 'sale'],
  ['07', 'Beskattningsunderlag vid vinstmarginalbeskattning', 'sale'],
  ['08', 'Hyresinkomster vid frivillig beskattning', 'sale'],
  ['10', 'Utgående moms 25 % på ruta 05–08', 'output'],
  ['11', 'Utgående moms 12 % på ruta 05–08', 'output'],
  ['12', 'Utgående moms 6 % på ruta 05–08', 'output'],
  ['20', 'Inköp av varor från ett annat EU-land', 'purchase'],
  ['21', 'Inköp av tjänster från ett annat EU-land enligt huvudregeln', 'purchase'],
  ['22', 'Inköp av tjänster från ett land utanför EU', 'purchase'],
  ['23', 'Inköp av varor i Sverige som köparen är betalningsskyldig för', 'purchase'],
  ['24', 'Övriga inköp av tjänster i Sverige som köparen är betalningsskyldig för', 'purchase'],
  ['30', 'Utgående moms 25 % på ruta 20–24', 'output'],
  ['31', 'Utgående moms 12 % på ruta 20–24', 'output'],
  ['32', 'Utgående moms 6 % på ruta 20–24', 'output'],
  ['50', 'Beskattningsunderlag vid import', 'purchase'],
  ['60', 'Utgående moms 25 % på ruta 50', 'output'],
  ['61', 'Utgående moms 12 % på ruta 50', 'output'],
  ['62', 'Utgående moms 6 % på ruta 50', 'output'],
  ['35', 'Försäljning av varor till ett annat EU-land', 'sale'],
  ['36', 'Försäljning av varor utanför EU', 'sale'],
  ['37', 'Mellanmans inköp av varor vid trepartshandel', 'purchase'],
  ['38', 'Mellanmans försäljning av varor vid trepartshandel', 'sale'],
  ['39', 'Försäljning av tjänster till näringsidkare i ett annat EU-land', 'sale'],
  ['40', 'Övrig försäljning av tjänster omsatta utomlands', 'sale'],
  ['41', 'Försäljning när köparen är betalningsskyldig i Sverige', 'sale'],
  ['42', 'Övrig försäljning', 'sale'],
  ['48', 'Ingående moms att dra av', 'input'],
];

/** What the form says of a box; undefined of one that it does not have. */
export const boxName = (box: string): string | undefined =>
  form.find(([known]) => known === box)?.[1];

/** How a box writes what is posted as credit less debit: what is bought or deducted stands above zero. */
export const signOf = (box: string): 1n | -1n => {
  const kind = form.find(([known]) => known === box)?.[2];
  return kind === 'purchase' || kind === 'input' ? -1n : 1n;
};

/** A box as the return writes it, in whole kronor: its öre are dropped, towards zero on either side (SFL 26 kap.). */
export const inWholeKronor = (ore: Ore): bigint => ore / 100n;

/** "05" → 1000, …, "49" → …: the boxes that have anything in the form's order, and always 49, the last. */
export const boxFigures = ({ boxes, toPay }: VatReturn): ReadonlyMap<string, number> =>
  new Map([
    ...boxes.map(({ box, kronor }) => [box, Number(kronor)] as const),
    ['49', Number(toPay)],
  ]);

/** The return of what a period posted; box 49 is reckoned from the boxes as written. */
export function vatReturnOf(posted: readonly BoxAmount[]): VatReturn {
  const boxes = form.map(([box, name, kind]) => {
    const ore = sum(posted.filter((one) => one.box === box).map((one) => one.ore));
    return { box, name, kind, kronor: inWholeKronor(signOf(box) * ore) };
  });
  const all = (kind: Kind): bigint =>
    sum(boxes.filter((one) => one.kind === kind).map(({ kronor }) => kronor));
  return {
    boxes: boxes
      .filter(({ kronor }) => kronor !== 0n)
      .map(({ box, name, kronor }) => ({ box, name, kronor })),
    toPay: all('output') - all('input'),
  };
}
