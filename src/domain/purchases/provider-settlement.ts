/**
 * What a provider of payments (cards, Swish, invoices on account) says of one payout: the sales it has received for us,
 * what it took of them, and what comes to the bank. Sales were booked on the clearing account (BAS 1580, 1686) as they were
 * made; the settlement takes them off it, and leaves there only what the bank has not paid out yet, and what the provider keeps.
 */
import type { Fault } from '../../lib/errors.ts';
import { absolute, divideRounded, type Ore, sum } from '../basics/money.ts';
import { documentAccounts, isClearingAccount } from '../ledger/settlement-accounts.ts';
import { inputVatAccount } from '../ledger/vat.ts';
import { type PostingRow, signedRow } from '../ledger/voucher.ts';
import { placeOf } from '../sales/buyer.ts';
import { contraAccount, reverseChargeOf } from './reverse-charge.ts';

/** `reserve` is what the provider keeps for a time, below zero, and gives back, above zero. */
export const settlementLineKinds = [
  'sale',
  'refund',
  'fee',
  'fee_vat',
  'adjustment',
  'reserve',
] as const;
export type SettlementLineKind = (typeof settlementLineKinds)[number];

/** Amounts by the payout's sign: what makes it larger is above zero. */
export interface SettlementLine {
  readonly kind: SettlementLineKind;
  readonly amountOre: Ore;
  /** Of a fee the cost's; of an adjustment what it is, which must be said. */
  readonly account: number | null;
  /** VAT on a fee of a provider abroad, which we owe ourselves: above zero, and no part of the payout. */
  readonly reverseChargeVatOre: Ore | null;
  readonly text: string | null;
  /** The sale's own: an order's or invoice's number. */
  readonly reference: string | null;
}

export interface ProviderSettlement {
  readonly provider: string;
  /** The provider's own name of it. */
  readonly number: string;
  /** The voucher's day, ISO 8601. */
  readonly day: string;
  /** The clearing account. */
  readonly account: number;
  /** What comes to the bank; below zero when the provider takes it from there. */
  readonly payoutOre: Ore;
  /** What the bank's row says, where it is another than the number. */
  readonly payoutReference: string | null;
  /** Where the provider is established, ISO 3166. */
  readonly country: string;
  readonly lines: readonly SettlementLine[];
}

export const usualClearingAccount = 1686;
/** Bank charges (BAS), which fees of providers are. */
export const usualFeeAccount = 6570;
/** A provider and we may have rounded otherwise, in öre. */
const vatTolerance: Ore = 100n;

/** Everything that is wrong with it; paths as the API names them. */
export function settlementProblems(settlement: ProviderSettlement): Fault[] {
  const { account, lines, payoutOre } = settlement;
  const problems: Fault[] = isClearingAccount(account)
    ? []
    : [{ path: 'account', reason: 'not_a_clearing_account', params: { account } }];
  problems.push(...lines.flatMap((line, at) => lineProblems(line, settlement, `lines[${at}]`)));
  const foundOre = sum(lines.map(({ amountOre }) => amountOre));
  if (foundOre !== payoutOre) {
    const params = { foundOre, payoutOre, differenceOre: payoutOre - foundOre };
    problems.push({ path: 'payout', reason: 'settlement_sum_differs', params });
  }
  return problems;
}

const mayHaveAccount: ReadonlySet<SettlementLineKind> = new Set(['fee', 'adjustment']);

function lineProblems(
  { kind, amountOre, account, reverseChargeVatOre: vatOre }: SettlementLine,
  settlement: ProviderSettlement,
  path: string,
): Fault[] {
  const problems: Fault[] = [];
  const isSwedish = placeOfProvider(settlement) === 'sweden';
  if ((kind === 'sale' && amountOre < 0n) || (kind === 'refund' && amountOre > 0n)) {
    problems.push({ path: `${path}.amount`, reason: 'settlement_sign', params: { kind } });
  }
  if (kind === 'adjustment' && account === null) {
    problems.push({ path: `${path}.account`, reason: 'settlement_needs_account' });
  }
  if (account !== null && !mayHaveAccount.has(kind)) {
    problems.push({ path: `${path}.account`, reason: 'settlement_takes_no_account' });
  } else if (account !== null && account === settlement.account) {
    const params = { account };
    problems.push({ path: `${path}.account`, reason: 'settlement_clearing_itself', params });
  } else if (account !== null && documentAccounts.has(account)) {
    problems.push({ path: `${path}.account`, reason: 'account_of_invoices', params: { account } });
  }
  const { country } = settlement;
  if (kind === 'fee_vat' && !isSwedish) {
    problems.push({ path: `${path}.kind`, reason: 'settlement_foreign_vat', params: { country } });
  }
  if (vatOre === null) return problems;
  const vatPath = `${path}.reverseChargeVat`;
  if (kind !== 'fee' || isSwedish) {
    problems.push({ path: vatPath, reason: 'settlement_no_reverse_charge' });
  } else if (absolute(vatOre - dueOf(amountOre)) >= vatTolerance) {
    const params = { foundOre: vatOre, expectedOre: dueOf(amountOre) };
    problems.push({ path: vatPath, reason: 'settlement_vat_differs', params });
  }
  return problems;
}

/** 25 per cent of a fee; above zero of one that is paid. */
const dueOf = (feeOre: Ore): Ore => divideRounded(-feeOre * 25n, 100n);

const placeOfProvider = ({ country }: Pick<ProviderSettlement, 'country'>) =>
  placeOf({ country, vatNumber: null }, 'services');

/**
 * The voucher's rows: sales off the clearing account, refunds and what is kept back on it, costs where they belong, and
 * last what the bank is to pay out, which a row of the bank takes off it.
 */
export function settlementRows(settlement: ProviderSettlement): PostingRow[] {
  const { account: clearing, lines, payoutOre } = settlement;
  const of = (kind: SettlementLineKind) => lines.filter((line) => line.kind === kind);
  const total = (some: readonly SettlementLine[]): Ore =>
    sum(some.map(({ amountOre }) => amountOre));
  const byAccount = (some: readonly SettlementLine[], usual: number): PostingRow[] =>
    [...Map.groupBy(some, ({ account }) => account ?? usual)].map(([account, those]) =>
      signedRow(account, -total(those), onlyText(those)),
    );
  return [
    signedRow(clearing, -total(of('sale')), 'Försäljning'),
    signedRow(clearing, -total(of('refund')), 'Återbetalningar'),
    signedRow(clearing, -total(of('reserve')), 'Innehållet av leverantören'),
    ...byAccount(of('fee'), usualFeeAccount),
    signedRow(inputVatAccount, -total(of('fee_vat'))),
    ...byAccount(of('adjustment'), 0),
    ...owedVat(settlement),
    signedRow(clearing, payoutOre, 'Utbetalning'),
  ].filter(({ debitOre, creditOre }) => debitOre !== creditOre);
}

/** VAT on fees from abroad (boxes 21 and 22): its base, output and input. */
function owedVat(settlement: ProviderSettlement): PostingRow[] {
  const charged = settlement.lines.filter((line) => (line.reverseChargeVatOre ?? 0n) !== 0n);
  const charge = reverseChargeOf(placeOfProvider(settlement), 'services', 25);
  if (charged.length === 0 || charge?.output == null || charge.input === null) return [];
  const baseOre = -sum(charged.map(({ amountOre }) => amountOre));
  const vatOre = sum(charged.map((line) => line.reverseChargeVatOre ?? 0n));
  return [
    signedRow(charge.base, baseOre),
    signedRow(contraAccount, -baseOre),
    signedRow(charge.output, -vatOre),
    signedRow(charge.input, vatOre),
  ];
}

function onlyText(some: readonly SettlementLine[]): string | null {
  const [text = null, ...others] = new Set(some.map((line) => line.text));
  return others.length === 0 ? text : null;
}
