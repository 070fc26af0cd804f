/**
 * The rows a supplier's invoice is suggested to be booked on. The document's own amounts are the truth:
 * nothing is recomputed but the VAT that the buyer owes on reverse charge (ML 16 kap.), which no document
 * carries.
 */
import { type Ore, sum } from './money.ts';
import { vatFromNet } from './vat.ts';

/** One line of the document's VAT breakdown (BG-23), in öre; a credit is below zero. */
export interface VatShare {
  /** BT-118: S, Z, E, AE, K, G, O, L, M or B (UNCL 5305). */
  readonly category: string;
  readonly taxableOre: Ore;
  readonly vatOre: Ore;
}

/** Amounts are what we owe, in öre: a credit is below zero. */
export interface PurchaseTotals {
  readonly shares: readonly VatShare[];
  /** BT-114. */
  readonly roundingOre: Ore;
  /** BT-113. */
  readonly prepaidOre: Ore;
  /** BT-115. */
  readonly payableOre: Ore;
}

export interface PostingRow {
  readonly account: number;
  readonly debitOre: Ore;
  readonly creditOre: Ore;
  readonly note: string | null;
}

export interface PostingContext {
  /** Where what was bought is booked. */
  readonly purchaseAccount: number;
  /** The seller is registered for VAT in Sweden, so its VAT is Swedish input VAT. */
  readonly isSwedishSeller: boolean;
}

export interface Suggestion {
  /** Empty when the document's totals do not add up: then a person says what goes where. */
  readonly rows: readonly PostingRow[];
  /** What a person should look at, by stable words. */
  readonly doubts: readonly Doubt[];
}

export type Doubt =
  | 'totals_do_not_add_up'
  | 'reverse_charge'
  | 'foreign_vat'
  | 'unusual_vat_category'
  | 'prepaid';

export const accounts = {
  payables: 2440,
  inputVat: 2641,
  reverseOutputVat: 2614,
  /** On acquisitions from abroad, and on domestic ones. */
  reverseInputVatAbroad: 2645,
  reverseInputVatDomestic: 2647,
  rounding: 3740,
  prepayments: 1480,
} as const;

/** What the buyer computes VAT with on reverse charge: the standard rate (ML 9:2), in percent. */
const REVERSE_CHARGE_RATE = 25;
const withoutVat = new Set(['Z', 'E', 'G', 'O']);
const reverseCharged = new Set(['AE', 'K']);

export function suggestRows(totals: PurchaseTotals, context: PostingContext): Suggestion {
  const doubts = new Set<Doubt>();
  const booked: Booked[] = [];
  for (const share of totals.shares) {
    booked.push(...bookShare(share, context, (doubt) => doubts.add(doubt)));
  }
  booked.push({ account: accounts.rounding, ore: totals.roundingOre, note: null });
  booked.push({ account: accounts.prepayments, ore: -totals.prepaidOre, note: null });
  booked.push({ account: accounts.payables, ore: -totals.payableOre, note: null });
  if (totals.prepaidOre !== 0n) doubts.add('prepaid');
  if (sum(booked.map(({ ore }) => ore)) !== 0n) {
    return { rows: [], doubts: ['totals_do_not_add_up', ...doubts] };
  }
  return { rows: rowsOf(booked), doubts: [...doubts] };
}

/** Debit is above zero, credit below. */
interface Booked {
  readonly account: number;
  readonly ore: Ore;
  readonly note: string | null;
}

function bookShare(
  { category, taxableOre, vatOre }: VatShare,
  { purchaseAccount, isSwedishSeller }: PostingContext,
  doubt: (doubt: Doubt) => void,
): Booked[] {
  const cost = (ore: Ore): Booked => ({ account: purchaseAccount, ore, note: null });
  if (reverseCharged.has(category)) {
    doubt('reverse_charge');
    const owed = vatFromNet(taxableOre, REVERSE_CHARGE_RATE);
    const input = isSwedishSeller
      ? accounts.reverseInputVatDomestic
      : accounts.reverseInputVatAbroad;
    const note = 'Omvänd betalningsskyldighet, 25 %';
    return [
      cost(taxableOre + vatOre),
      { account: input, ore: owed, note },
      { account: accounts.reverseOutputVat, ore: -owed, note },
    ];
  }
  if (category === 'S' && isSwedishSeller) {
    return [cost(taxableOre), { account: accounts.inputVat, ore: vatOre, note: null }];
  }
  // Another country's VAT is no input VAT here (ML 13:4): it is part of what was bought.
  if (vatOre !== 0n) doubt(category === 'S' ? 'foreign_vat' : 'unusual_vat_category');
  else if (!withoutVat.has(category) && category !== 'S') doubt('unusual_vat_category');
  return [cost(taxableOre + vatOre)];
}

/** A row by one signed amount: debit above zero, credit below. */
export function signedRow(account: number, ore: Ore, note: string | null = null): PostingRow {
  return { account, debitOre: ore > 0n ? ore : 0n, creditOre: ore < 0n ? -ore : 0n, note };
}

/** One row an account and note, in the order they came; what came to nothing is left out. */
function rowsOf(booked: readonly Booked[]): PostingRow[] {
  const sums = new Map<string, Booked>();
  for (const one of booked) {
    const key = `${one.account} ${one.note ?? ''}`;
    sums.set(key, { ...one, ore: (sums.get(key)?.ore ?? 0n) + one.ore });
  }
  return [...sums.values()]
    .filter(({ ore }) => ore !== 0n)
    .map(({ account, ore, note }) => signedRow(account, ore, note));
}
