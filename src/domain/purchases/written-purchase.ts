/**
 * A supplier's invoice, or an outlay, that a person writes from paper: its rows as they are typed become the rows
 * it is booked on. To the öre, whatever is typed: what is charged, deducted and left as cost add up. What is written in
 * another currency is typed in it (hundredths where it says öre) and booked in kronor at one rate.
 */
import type { Fault } from '../../lib/errors.ts';
import { type ExchangeRate, shareInOre, toOre } from '../basics/exchange-rate.ts';
import {
  absolute,
  allocate,
  divideRounded,
  greatest,
  maxAmountOre,
  type Ore,
  sum,
} from '../basics/money.ts';
import { vatFromGross, vatFromNet } from '../ledger/vat.ts';
import { type PostingRow, signedRow } from '../ledger/voucher.ts';
import { baseBoxes, contraAccount, type ReverseCharge } from './reverse-charge.ts';
import { accounts, type CostAccount } from './supplier-posting.ts';
import { type PurchaseVat, purchaseVatCodes } from './vat-codes.ts';

/** How much of a row's VAT may be deducted (ML 13 kap.). */
export type Deduction =
  /** Per cent, 0–100: all of it; half, as for a leased car that is not only for the trade; none. */
  | { readonly kind: 'share'; readonly percent: number }
  /** Meals at which guests are entertained: the VAT on at most 300 kr a person. */
  | { readonly kind: 'meals'; readonly people: number };

export const wholeDeduction: Deduction = { kind: 'share', percent: 100 };

/** Without VAT, a person and occasion (ML 13 kap., since 2017). */
export const mealLimitOre: Ore = 30_000n;

export interface WrittenLine {
  readonly account: CostAccount;
  /** Null on one row at most: what the others leave of the total. */
  readonly ore: Ore | null;
  /** One of `purchaseVatCodes`. */
  readonly vatCode: string;
  readonly deduction: Deduction;
  readonly note: string | null;
  /** Ids. */
  readonly costCenter: string | null;
  readonly project: string | null;
}

export interface WrittenPurchase {
  readonly kind: 'invoice' | 'credit_note';
  /** What is to be paid, or had back; above zero. */
  readonly totalOre: Ore;
  /** As printed; null when nobody has said. */
  readonly vatOre: Ore | null;
  /** Whether the rows' amounts have the VAT in them. */
  readonly isVatIncluded: boolean;
  /** Of the day of the invoice; none of what is in kronor. */
  readonly rate?: ExchangeRate | null;
  /** Where what is owed stands: 2440, or the account of who laid the money out. */
  readonly debtAccount: number;
  readonly lines: readonly WrittenLine[];
}

export interface WrittenRow extends PostingRow {
  readonly costCenter: string | null;
  readonly project: string | null;
}

/** Amounts are what we owe, in the invoice's own currency: a credit is below zero. Rows are in kronor. */
export interface WrittenPosting {
  readonly rows: readonly WrittenRow[];
  readonly netOre: Ore;
  /** What the seller has charged. */
  readonly vatOre: Ore;
  readonly roundingOre: Ore;
  readonly payableOre: Ore;
}

/**
 * Where an outlay is owed to who made it: an employee's, an owner's of a company. What a sole trader lays out is
 * put into the firm, and owed to nobody.
 */
export const outlayAccounts = [2893, 2820, 2018] as const;
export const ownMoneyPutIn = 2018;

/** Whole kronor are dropped or added by nobody: a lesser difference is rounding (lag 1970:1029). */
const roundingOreMax: Ore = 99n;

/** The rows of what is typed, or what is wrong with it, at the names of the form: `rows[2].amount`. */
export function postWritten(
  written: WrittenPurchase,
): { readonly posting: WrittenPosting } | { readonly problems: Fault[] } {
  const problems = problemsOf(written);
  if (problems.length > 0) return { problems };
  const taxed = taxedLines(written);
  if ('problems' in taxed) return taxed;
  const { lines, roundingOre } = taxed;
  const own = { lines, roundingOre, totalOre: written.totalOre };
  const kronor = written.rate ? inKronor(own, written.rate) : own;
  const sign = written.kind === 'credit_note' ? -1n : 1n;
  const booked = [
    ...kronor.lines.map(costOf),
    ...inputVatOf(kronor.lines),
    ...reverseChargesOf(kronor.lines),
    plain(accounts.rounding, kronor.roundingOre),
    plain(written.debtAccount, -kronor.totalOre),
  ];
  const largest = booked.reduce((most, { ore }) => greatest(most, absolute(ore)), 0n);
  if (kronor.totalOre === 0n || largest > maxAmountOre) {
    const path = written.rate ? 'rate' : 'total';
    return { problems: [{ path, reason: 'written_amounts_out_of_range' }] };
  }
  return {
    posting: {
      rows: rowsOf(booked.map((row) => ({ ...row, ore: sign * row.ore }))),
      netOre: sign * sum(lines.map(({ netOre }) => netOre)),
      vatOre: sign * sum(lines.map(({ chargedOre }) => chargedOre)),
      roundingOre: sign * roundingOre,
      payableOre: sign * written.totalOre,
    },
  };
}

export interface Reckoned {
  /** What the rows come to with VAT, without the one that takes the rest. */
  readonly grossOre: Ore;
  readonly vatOre: Ore;
  /** How many rows leave their amount out. */
  readonly rests: number;
}

/** What rows come to while they are typed, whatever is still missing. */
export function reckonRows(
  lines: readonly Pick<WrittenLine, 'ore' | 'vatCode'>[],
  isVatIncluded: boolean,
): Reckoned {
  const groups = [...Map.groupBy(lines, ({ vatCode }) => vatCode)].map(([vatCode, ofCode]) => {
    const vat = vatOf({ vatCode });
    const ore = sum(ofCode.map((line) => line.ore ?? 0n));
    if (vat.kind !== 'charged') return { grossOre: ore, vatOre: 0n };
    const vatOre = isVatIncluded ? vatFromGross(ore, vat.rate) : vatFromNet(ore, vat.rate);
    return { grossOre: isVatIncluded ? ore : ore + vatOre, vatOre };
  });
  return {
    grossOre: sum(groups.map(({ grossOre }) => grossOre)),
    vatOre: sum(groups.map(({ vatOre }) => vatOre)),
    rests: lines.filter(({ ore }) => ore === null).length,
  };
}

const vatOf = ({ vatCode }: Pick<WrittenLine, 'vatCode'>): PurchaseVat =>
  purchaseVatCodes.get(vatCode) ?? { kind: 'none' };

function problemsOf({ lines, totalOre }: WrittenPurchase): Fault[] {
  const problems: Fault[] = [];
  if (totalOre <= 0n) problems.push({ path: 'total', reason: 'written_total_not_positive' });
  if (lines.length === 0) problems.push({ path: 'rows', reason: 'purchase_without_lines' });
  let isRestSaid = false;
  for (const [index, line] of lines.entries()) {
    const path = `rows[${index}]`;
    if (!purchaseVatCodes.has(line.vatCode)) {
      problems.push({ path: `${path}.vatCode`, reason: 'no_purchase_vat_code' });
    }
    if (line.ore === null && isRestSaid) {
      problems.push({ path: `${path}.amount`, reason: 'two_rests' });
    }
    isRestSaid ||= line.ore === null;
    problems.push(...placeProblems(line, path), ...deductionProblems(line, path));
  }
  return problems;
}

/** Goods sold on to a third EU country: the last buyer owes the VAT. */
const triangulation = '37';
const isVatAccount = (number: number): boolean => number >= 2610 && number <= 2659;

/** A base account takes nothing but its own kind: all that stands there is in its box. VAT follows the code. */
function placeProblems(line: WrittenLine, path: string): Fault[] {
  const { account } = line;
  const params = { account: account.number };
  if (isVatAccount(account.number)) {
    return [{ path: `${path}.account`, reason: 'vat_account_in_row', params }];
  }
  const vat = vatOf(line);
  if (!baseBoxes.has(account.vatBox ?? '')) return [];
  if (account.vatBox === triangulation && vat.kind === 'none') return [];
  if (vat.kind !== 'reverse_charge' || !isBaseOf(vat.charge, account)) {
    return [{ path: `${path}.account`, reason: 'account_of_another_box', params }];
  }
  const { deduction } = line;
  const isWhole = deduction.kind === 'share' && deduction.percent === 100;
  return isWhole
    ? []
    : [{ path: `${path}.account`, reason: 'deduction_needs_cost_account', params }];
}

const isBaseOf = (charge: ReverseCharge, { vatBox, vatRate }: CostAccount): boolean =>
  vatBox === charge.box && vatRate === charge.rate;

function deductionProblems({ deduction }: WrittenLine, path: string): Fault[] {
  const at = `${path}.deductionNumber`;
  if (deduction.kind === 'meals') {
    const { people } = deduction;
    const isCount = Number.isInteger(people) && people >= 1 && people <= 10_000;
    return isCount ? [] : [{ path: at, reason: 'people_out_of_range' }];
  }
  const { percent } = deduction;
  const isShare = Number.isInteger(percent) && percent >= 0 && percent <= 100;
  return isShare ? [] : [{ path: at, reason: 'percent_out_of_range' }];
}

const inWhich = ({ rate }: Pick<WrittenPurchase, 'rate'>) =>
  rate ? { currency: rate.currency } : {};

interface TaxedLine {
  readonly line: WrittenLine;
  readonly netOre: Ore;
  /** VAT that the seller has charged. */
  readonly chargedOre: Ore;
  /** VAT that we owe. */
  readonly owedOre: Ore;
}

interface TaxedPurchase {
  readonly lines: readonly TaxedLine[];
  readonly roundingOre: Ore;
  readonly totalOre: Ore;
}

/**
 * The total and the VAT of each code are converted once, and the rows share them; VAT that we owe is reckoned anew of
 * what its rows are in kronor, since that is the base that the return says.
 */
function inKronor(
  { lines, roundingOre, totalOre }: TaxedPurchase,
  rate: ExchangeRate,
): TaxedPurchase {
  const total = toOre(totalOre, rate);
  const amounts = [...lines.map(({ netOre, chargedOre }) => netOre + chargedOre), roundingOre];
  const gross = shareInOre(total, amounts, rate);
  const converted: TaxedLine[] = [];
  for (const group of Map.groupBy(lines.entries(), ([, { line }]) => line.vatCode).values()) {
    const charged = group.map(([, { chargedOre }]) => chargedOre);
    const chargedOre = shareInOre(toOre(sum(charged), rate), charged, rate);
    const net = group.map(([place], index) => (gross[place] ?? 0n) - (chargedOre[index] ?? 0n));
    const [first] = group;
    const owed = first ? owedOn(vatOf(first[1].line), net) : [];
    for (const [index, [place, { line }]] of group.entries()) {
      converted[place] = {
        line,
        netOre: net[index] ?? 0n,
        chargedOre: chargedOre[index] ?? 0n,
        owedOre: owed[index] ?? 0n,
      };
    }
  }
  return { lines: converted, roundingOre: gross.at(-1) ?? 0n, totalOre: total };
}

/** Of one VAT code; `rest` is the row that takes what the others leave. */
interface Group {
  readonly vat: PurchaseVat;
  readonly lines: readonly { readonly line: WrittenLine; readonly place: number }[];
  readonly hasRest: boolean;
}

/** Each row with its net and VAT. VAT is of the sum of a code's rows, rounded once (Skatteverket). */
function taxedLines(
  written: WrittenPurchase,
): { lines: TaxedLine[]; roundingOre: Ore } | { problems: Fault[] } {
  const placed = written.lines.map((line, place) => ({ line, place }));
  const groups: Group[] = [...Map.groupBy(placed, ({ line }) => line.vatCode).values()].map(
    (lines) => ({
      vat: purchaseVatCodes.get(lines[0]?.line.vatCode ?? '') ?? { kind: 'none' },
      lines,
      hasRest: lines.some(({ line }) => line.ore === null),
    }),
  );
  const charged = chargedVat(written, groups);
  if ('problems' in charged) return charged;
  const known = (group: Group): Ore => sum(group.lines.map(({ line }) => line.ore ?? 0n));
  const vatIn = (group: Group): Ore => charged.vat.get(group) ?? 0n;
  const grossOf = (group: Group): Ore =>
    written.isVatIncluded ? known(group) : known(group) + vatIn(group);
  const restOre = written.totalOre - sum(groups.map(grossOf));
  const lines: (TaxedLine & { readonly place: number })[] = [];
  for (const group of groups) {
    const oreOf = ({ ore }: WrittenLine): Ore => ore ?? restOre;
    const amounts = group.lines.map(({ line }) => oreOf(line));
    const shares = allocate(vatIn(group), amounts);
    const owed = owedOn(group.vat, amounts);
    for (const [index, { line, place }] of group.lines.entries()) {
      const chargedOre = shares[index] ?? 0n;
      const ore = amounts[index] ?? 0n;
      const netOre = written.isVatIncluded ? ore - chargedOre : ore;
      lines.push({ line, place, netOre, chargedOre, owedOre: owed[index] ?? 0n });
    }
  }
  const rest = lines.find(({ line }) => line.ore === null);
  if (rest && restOre === 0n) {
    return { problems: [{ path: `rows[${rest.place}].amount`, reason: 'nothing_left' }] };
  }
  const roundingOre = rest ? 0n : restOre;
  if (absolute(roundingOre) > roundingOreMax) {
    const sumOre = written.totalOre - roundingOre;
    const params = { sumOre, totalOre: written.totalOre, ...inWhich(written) };
    return { problems: [{ path: 'total', reason: 'written_total_differs', params }] };
  }
  lines.sort((a, b) => a.place - b.place);
  return { lines, roundingOre };
}

function owedOn(vat: PurchaseVat, amounts: readonly Ore[]): Ore[] {
  if (vat.kind !== 'reverse_charge') return amounts.map(() => 0n);
  return allocate(vatFromNet(sum(amounts), vat.charge.rate), amounts);
}

/**
 * The VAT that the seller has charged, by code: computed, and moved to what the document prints where that is
 * less than a krona away, since sellers round each row in ways of their own.
 */
function chargedVat(
  written: WrittenPurchase,
  groups: readonly Group[],
): { vat: Map<Group, Ore> } | { problems: Fault[] } {
  const { lines, totalOre, vatOre, isVatIncluded } = written;
  const vat = new Map<Group, Ore>();
  const amountOf = (group: Group): Ore => sum(group.lines.map(({ line }) => line.ore ?? 0n));
  const others = groups.filter(({ hasRest }) => !hasRest);
  for (const group of others) {
    if (group.vat.kind !== 'charged') continue;
    const { rate } = group.vat;
    const ore = amountOf(group);
    vat.set(group, isVatIncluded ? vatFromGross(ore, rate) : vatFromNet(ore, rate));
  }
  const resting = groups.find(({ hasRest }) => hasRest);
  if (resting?.vat.kind === 'charged') {
    const paid = (group: Group): Ore =>
      amountOf(group) + (isVatIncluded ? 0n : (vat.get(group) ?? 0n));
    vat.set(resting, vatFromGross(totalOre - sum(others.map(paid)), resting.vat.rate));
  }
  const computedOre = sum(vat.values());
  const difference = (vatOre ?? computedOre) - computedOre;
  if (difference === 0n) return { vat };
  const [largest] = [...vat].sort(([, a], [, b]) => (absolute(b) > absolute(a) ? 1 : -1));
  const target = resting && vat.has(resting) ? resting : largest?.[0];
  const isNear = absolute(difference) <= roundingOreMax;
  if (target === undefined || !isNear || lines.length === 0) {
    const params = { vatOre: vatOre ?? 0n, computedOre, ...inWhich(written) };
    return { problems: [{ path: 'vat', reason: 'written_vat_differs', params }] };
  }
  vat.set(target, (vat.get(target) ?? 0n) + difference);
  return { vat };
}

/** So much of a row's VAT as may be deducted; the rest is cost. Never more than all of it. */
export function deductibleOf(vatOre: Ore, netOre: Ore, deduction: Deduction): Ore {
  if (deduction.kind === 'share') return divideRounded(vatOre * BigInt(deduction.percent), 100n);
  const limit = mealLimitOre * BigInt(deduction.people);
  const base = absolute(netOre);
  return base <= limit ? vatOre : divideRounded(vatOre * limit, base);
}

const deductible = ({ line, netOre, chargedOre, owedOre }: TaxedLine): Ore =>
  deductibleOf(chargedOre + owedOre, netOre, line.deduction);

/** Debit is above zero, credit below. */
interface Booked {
  readonly account: number;
  readonly ore: Ore;
  readonly note: string | null;
  readonly costCenter: string | null;
  readonly project: string | null;
}

const plain = (account: number, ore: Ore, note: string | null = null): Booked => ({
  account,
  ore,
  note,
  costCenter: null,
  project: null,
});

/** What was bought, with the VAT on it that may not be deducted. */
function costOf(taxed: TaxedLine): Booked {
  const { line, netOre, chargedOre, owedOre } = taxed;
  const { note, costCenter, project } = line;
  const ore = netOre + chargedOre + owedOre - deductible(taxed);
  return { account: line.account.number, ore, note, costCenter, project };
}

function inputVatOf(lines: readonly TaxedLine[]): Booked[] {
  const charged = lines.filter(({ line }) => vatOf(line).kind === 'charged');
  return [plain(accounts.inputVat, sum(charged.map(deductible)))];
}

/**
 * The base on its account against the contra account, where the cost stands on one of its own; what we owe, and
 * so much of it as we may deduct.
 */
function reverseChargesOf(lines: readonly TaxedLine[]): Booked[] {
  return lines.flatMap((taxed) => {
    const vat = vatOf(taxed.line);
    if (vat.kind !== 'reverse_charge') return [];
    const { charge } = vat;
    const { rate, base, output, input } = charge;
    const note = rate === 0 ? 'Undantaget från moms' : `Omvänd betalningsskyldighet, ${rate} %`;
    const isDirect = isBaseOf(charge, taxed.line.account);
    return [
      ...(isDirect
        ? []
        : [plain(base, taxed.netOre, note), plain(contraAccount, -taxed.netOre, note)]),
      ...(input === null ? [] : [plain(input, deductible(taxed), note)]),
      ...(output === null ? [] : [plain(output, -taxed.owedOre, note)]),
    ];
  });
}

/** One row an account, note and dimensions, in the order they came; what came to nothing is left out. */
function rowsOf(booked: readonly Booked[]): WrittenRow[] {
  const same = Map.groupBy(booked, ({ account, note, costCenter, project }) =>
    [account, note ?? '', costCenter ?? '', project ?? ''].join('\n'),
  );
  return [...same.values()].flatMap((parts) => {
    const ore = sum(parts.map((part) => part.ore));
    const [first] = parts;
    if (first === undefined || ore === 0n) return [];
    const { account, note, costCenter, project } = first;
    return [{ ...signedRow(account, ore, note), costCenter, project }];
  });
}
