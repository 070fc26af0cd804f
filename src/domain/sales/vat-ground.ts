/**
 * Why rows bear no VAT: the ground that their reader is told, as words and as EN 16931's category. The law takes a reference to itself, to
 * the VAT directive (2006/112/EC) or other words that say so (ML 2023:200, 17 kap. 24 §).
 */
import { isGiftCardAccount } from './gift-card.ts';
import { chargedRate, type Taxed } from './invoice.ts';

/** UNCL5305 of rows without VAT: the buyer owes it, goods within the EU, export, not subject to it, or exempt. */
export type UntaxedCategory = 'AE' | 'K' | 'G' | 'O' | 'E';

export interface VatGround {
  readonly text: string;
  /** Whether it is the buyer's VAT number that makes it hold. */
  readonly isOnBuyer: boolean;
  readonly category: UntaxedCategory;
  /** VATEX of the category, where it has one of its own. */
  readonly code: string | null;
}

const exempt: VatGround = {
  text: 'Omsättningen är undantagen från moms.',
  isOnBuyer: false,
  category: 'E',
  code: null,
};

const reverseCharge = (text: string): VatGround => ({
  text: `Omvänd betalningsskyldighet${text}`,
  isOnBuyer: true,
  category: 'AE',
  code: 'VATEX-EU-AE',
});

/** By the box of the VAT return that their account belongs to (SKV 4700). */
const grounds: Readonly<Record<string, VatGround>> = {
  '07': {
    ...exempt,
    text: 'Vinstmarginalbeskattning för begagnade varor, konstverk, samlarföremål eller antikviteter.',
  },
  '35': {
    text: 'Momsfri leverans av varor till annat EU-land, artikel 138 i mervärdesskattedirektivet.',
    isOnBuyer: true,
    category: 'K',
    code: 'VATEX-EU-IC',
  },
  '36': {
    text: 'Momsfri export, artikel 146 i mervärdesskattedirektivet.',
    isOnBuyer: false,
    category: 'G',
    code: 'VATEX-EU-G',
  },
  '38': reverseCharge(': trepartshandel, artikel 141 och 197 i mervärdesskattedirektivet.'),
  '39': reverseCharge(' (reverse charge), artikel 44 och 196 i mervärdesskattedirektivet.'),
  '40': {
    text: 'Tjänsten är omsatt utanför Sverige och är utan svensk moms.',
    isOnBuyer: false,
    category: 'O',
    code: 'VATEX-EU-O',
  },
  '41': reverseCharge(': köparen redovisar momsen.'),
  '42': exempt,
};

/** No sale yet (directive 2006/112/EC article 30b). */
const giftCard: VatGround = { ...exempt, text: 'Presentkort: momsen redovisas när de löses in.' };

/** What is not the buyer's to be sold without VAT gets no ground that the buyer could rely on. */
const withoutGround: VatGround = { ...exempt, text: 'Raderna är fakturerade utan moms.' };

export interface GroundedRow extends Taxed {
  readonly account: number;
  readonly vatBox: string | null;
}

/** Null of a row that bears VAT. `isUnlawful`: the buyer's own facts forbid that it bears none. */
export function vatGroundOf(row: GroundedRow, isUnlawful: boolean): VatGround | null {
  if (chargedRate(row) !== 0) return null;
  if (isGiftCardAccount(row.account)) return giftCard;
  if (isUnlawful) return withoutGround;
  return grounds[row.vatBox ?? '42'] ?? exempt;
}
