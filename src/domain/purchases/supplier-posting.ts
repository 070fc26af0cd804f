/**
 * The rows a supplier's invoice is suggested to be booked on. The document's own amounts are the truth:
 * nothing is recomputed but the VAT that the buyer owes (ML 16 kap.), which no document carries.
 */
import { type ExchangeRate, shareInOre, toOre } from '../basics/exchange-rate.ts';
import { allocate, divideRounded, type Ore, sum } from '../basics/money.ts';
import { type AccountType, resultAccount } from '../ledger/account.ts';
import { inputVatAccount } from '../ledger/vat.ts';
import { type PostingRow, signedRow } from '../ledger/voucher.ts';
import type { Prepayment, PrepaymentSituation } from './prepayments.ts';
import { type PurchaseVatDoubt, type TaxSituation, treatmentOf } from './purchase-vat.ts';
import type { PurchaseTotals, VatShare } from './received-invoice.ts';
import {
  baseBoxes,
  contraAccount,
  type ReverseCharge,
  reverseChargeAccounts,
} from './reverse-charge.ts';

/** An account that purchases may be booked on, with what it is to the VAT return. */
export interface CostAccount {
  readonly number: number;
  readonly vatBox: string | null;
  readonly vatRate: number | null;
}

export interface PurchasePostingContext extends TaxSituation, PrepaymentSituation {
  /** The supplier's own account, or that of its history; null when there is neither. */
  readonly ownAccount: CostAccount | null;
  /** Where what was bought is booked otherwise. */
  readonly purchaseAccount: CostAccount;
}

export interface PostingSuggestion {
  /** Empty when the document's totals do not add up: then a person says what goes where. */
  readonly rows: readonly PostingRow[];
  /** What a person should look at, by stable words. */
  readonly doubts: readonly PostingDoubt[];
}

export type PostingDoubt =
  | PurchaseVatDoubt
  | 'totals_do_not_add_up'
  | 'account_of_other_box'
  | 'prepayment'
  | 'prepaid'
  | 'prepayment_deducted'
  | 'prepayment_not_deducted';

export const accounts = {
  payables: 2440,
  inputVat: inputVatAccount,
  rounding: 3740,
  prepayments: 1480,
} as const;

/** Whether what is bought may be booked there: a cost, or what is owned or owed besides the debt itself. */
export const isPurchaseAccount = (account: {
  readonly number: number;
  readonly type: AccountType;
}): boolean =>
  ['asset', 'liability', 'cost'].includes(account.type) &&
  account.number !== accounts.payables &&
  account.number !== resultAccount;

/** Every account that purchases are posted on by themselves. */
export const purchaseAccounts: readonly number[] = [
  ...Object.values(accounts),
  ...reverseChargeAccounts,
];

/**
 * A document's totals as they are booked: what is to be paid is converted once, the VAT of each share by itself. Totals
 * that do not add up do not in kronor either.
 */
export function totalsInKronor(
  { shares, roundingOre, prepaidOre, payableOre }: PurchaseTotals,
  rate: ExchangeRate,
): PurchaseTotals {
  const parts = [
    ...shares.map(({ taxableOre, vatOre }) => taxableOre + vatOre),
    roundingOre,
    -prepaidOre,
  ];
  const payable = toOre(payableOre, rate);
  const ore =
    sum(parts) === payableOre
      ? shareInOre(payable, parts, rate)
      : parts.map((part) => toOre(part, rate));
  const [rounding = 0n, prepaid = 0n] = ore.slice(shares.length);
  return {
    shares: shares.map((share, place) => {
      const vatOre = toOre(share.vatOre, rate);
      return { ...share, vatOre, taxableOre: (ore[place] ?? 0n) - vatOre };
    }),
    roundingOre: rounding,
    prepaidOre: -prepaid,
    payableOre: payable,
  };
}

/**
 * Prepayments in another currency as the final invoice takes them back, `prepaidOre` in all at its rate. VAT and bases are
 * taken back at that rate, so that what the return says is of what is left; an advance keeps the kronor that it was
 * booked on, since it is paid and is no claim on money, and what that differs by is cost.
 */
export function takenBackInKronor(
  deducted: readonly Prepayment[],
  prepaidOre: Ore,
  accountsOf: Pick<PurchasePostingContext, 'ownAccount' | 'purchaseAccount'>,
): Prepayment[] {
  if (deducted.length === 0) return [];
  const account = costAccount(accountsOf, () => undefined);
  const wholes = allocate(
    prepaidOre,
    deducted.map(({ payableOre }) => payableOre),
  );
  return deducted.map((one, place) => {
    const whole = wholes[place] ?? 0n;
    const booked = one.rows.filter(({ account }) => account !== accounts.payables);
    const weights = booked.map(({ ore }) => ore);
    if (sum(weights) === 0n) return one;
    const now = allocate(whole, weights);
    const rows = booked.map((row, index) => ({
      ...row,
      ore: row.account === accounts.prepayments ? row.ore : (now[index] ?? 0n),
    }));
    const movedOre = whole - sum(rows.map(({ ore }) => ore));
    return { ...one, rows: [...rows, { account, ore: movedOre }] };
  });
}

export function suggestRows(
  totals: PurchaseTotals,
  given: PurchasePostingContext,
): PostingSuggestion {
  const doubts = new Set<PostingDoubt>();
  const doubt = (one: PostingDoubt): void => void doubts.add(one);
  const { isPrepayment, deducted } = given;
  const context = isPrepayment
    ? { ...given, ownAccount: prepaid, purchaseAccount: prepaid }
    : given;
  if (isPrepayment) doubts.add('prepayment');
  if (given.isDeductionMissing) doubts.add('prepayment_not_deducted');
  const booked: Booked[] = [];
  // By its base account, so that the VAT is its rate of the whole of it and not of parts, rounded.
  const owed = new Map<number, { charge: ReverseCharge; ore: Ore }>();
  for (const share of totals.shares) {
    const treatment = treatmentOf(share, context, doubt);
    const isOwedOnDelivery =
      isPrepayment && treatment.kind === 'reverse_charge' && onDelivery.has(treatment.charge.box);
    if (treatment.kind === 'reverse_charge' && !isOwedOnDelivery) {
      const { charge } = treatment;
      const ore = (owed.get(charge.base)?.ore ?? 0n) + share.taxableOre;
      owed.set(charge.base, { charge, ore });
    } else {
      const kind = treatment.kind === 'input_vat' ? 'input_vat' : 'cost';
      booked.push(...bookShare(share, kind, costAccount(context, doubt)));
    }
  }
  for (const { charge, ore } of owed.values()) {
    booked.push(...bookReverseCharge(charge, ore, context, doubt));
  }
  booked.push({ account: accounts.rounding, ore: totals.roundingOre, note: null });
  booked.push(...bookDeduction(totals.prepaidOre, deducted));
  booked.push({ account: accounts.payables, ore: -totals.payableOre, note: null });
  if (totals.prepaidOre !== 0n) {
    doubts.add(deducted.length > 0 ? 'prepayment_deducted' : 'prepaid');
  }
  if (sum(booked.map(({ ore }) => ore)) !== 0n) {
    return { rows: [], doubts: ['totals_do_not_add_up', ...doubts] };
  }
  return { rows: rowsOf(booked), doubts: [...doubts] };
}

const prepaid: CostAccount = { number: accounts.prepayments, vatBox: null, vatRate: null };
/** Boxes of goods whose VAT is owed when they come, never on a prepayment (ML 7 kap.; tullagen). */
const onDelivery: ReadonlySet<string> = new Set(['20', '50']);

/** Box of goods bought to be sold on to a third EU country: the last buyer owes the VAT. */
const triangulation = '37';

/** Debit is above zero, credit below. */
interface Booked {
  readonly account: number;
  readonly ore: Ore;
  readonly note: string | null;
}

type Raise = (doubt: PostingDoubt) => void;

function bookShare(
  { taxableOre, vatOre }: VatShare,
  kind: 'input_vat' | 'cost',
  account: number,
): Booked[] {
  if (kind === 'cost') return [{ account, ore: taxableOre + vatOre, note: null }];
  return [
    { account, ore: taxableOre, note: null },
    { account: accounts.inputVat, ore: vatOre, note: null },
  ];
}

/** What the prepayments were booked on, the other way; all on 1480 when there is none in the books. */
function bookDeduction(prepaidOre: Ore, deducted: readonly Prepayment[]): Booked[] {
  if (deducted.length === 0) {
    return [{ account: accounts.prepayments, ore: -prepaidOre, note: null }];
  }
  return deducted.flatMap(({ invoiceNumber, rows }) =>
    rows
      .filter(({ account }) => account !== accounts.payables)
      .map(({ account, ore }) => ({ account, ore: -ore, note: `Förskott ${invoiceNumber}` })),
  );
}

/** An account with a box of reverse charge is no place for what bears VAT or none. */
function costAccount(
  { ownAccount, purchaseAccount }: Pick<PurchasePostingContext, 'ownAccount' | 'purchaseAccount'>,
  doubt: Raise,
): number {
  const account = ownAccount ?? purchaseAccount;
  if (!isBase(account)) return account.number;
  doubt('account_of_other_box');
  return purchaseAccount.number;
}

const isBase = ({ vatBox }: CostAccount): boolean => baseBoxes.has(vatBox ?? '');

/**
 * The cost stays on the supplier's own account when it has one: then the base account stands against the
 * contra account, so that the boxes are filled and the cost counts once.
 */
function bookReverseCharge(
  charge: ReverseCharge,
  ore: Ore,
  { ownAccount }: PurchasePostingContext,
  doubt: Raise,
): Booked[] {
  const { rate, output, input } = charge;
  const note = rate === 0 ? 'Undantaget från moms' : `Omvänd betalningsskyldighet, ${rate} %`;
  const row = (account: number, amount: Ore): Booked => ({ account, ore: amount, note });
  const vat = divideRounded(ore * BigInt(rate), 100n);
  const vatRows = output && input ? [row(input, vat), row(output, -vat)] : [];
  if (ownAccount?.vatBox === charge.box && ownAccount.vatRate === rate) {
    return [row(ownAccount.number, ore), ...vatRows];
  }
  if (ownAccount?.vatBox === triangulation && charge.box === '20') {
    doubt('account_of_other_box');
    return [{ account: ownAccount.number, ore, note: 'Trepartshandel' }];
  }
  if (ownAccount !== null && !isBase(ownAccount)) {
    return [
      { account: ownAccount.number, ore, note: null },
      row(charge.base, ore),
      row(contraAccount, -ore),
      ...vatRows,
    ];
  }
  if (ownAccount !== null) doubt('account_of_other_box');
  return [row(charge.base, ore), ...vatRows];
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
