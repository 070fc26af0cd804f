/**
 * What the bank is asked to pay, of what a person has chosen: one payment of each invoice, one to each person of what
 * they laid out, and credit notes set off against as few invoices of the same supplier as they need. A payment is
 * above zero, and nothing is paid more than is open of it.
 */
import type { Fault } from '../../../lib/errors.ts';
import { latestDay } from '../../basics/dates.ts';
import { isWorkingDay, nextWorkingDay } from '../../basics/holidays.ts';
import { isOcrNumber } from '../../basics/luhn.ts';
import { absolute, type Ore, sum } from '../../basics/money.ts';
import { type Payable, type Payee, partyKey } from './payable.ts';
import { payeeFaults } from './payees.ts';

export interface PayoutChoice {
  readonly payable: Payable;
  /** So much of it now, by its own sign. */
  readonly amountOre: Ore;
  /** Null of a credit note, which is paid to nobody. */
  readonly payee: Payee | null;
}

export interface PayoutPart {
  readonly payable: Payable;
  readonly amountOre: Ore;
}

export interface PlannedPayout {
  readonly payee: Payee;
  readonly executionOn: string;
  readonly amountOre: Ore;
  /** Digits; null where a text tells what is paid. */
  readonly ocr: string | null;
  /** At most 140 characters; null where an OCR number, or the documents, tell. */
  readonly message: string | null;
  readonly parts: readonly PayoutPart[];
}

export interface PayoutTerms {
  /** The day of all payments; null pays each when it falls due. */
  readonly executionOn: string | null;
  readonly today: string;
}

/** Problems name the choice by its place: `rows[2].amount`. */
export function planPayouts(
  choices: readonly PayoutChoice[],
  terms: PayoutTerms,
): { readonly payouts: readonly PlannedPayout[] } | { readonly problems: readonly Fault[] } {
  const problems = [
    ...(choices.length === 0 ? [{ path: 'rows', reason: 'nothing_chosen' } as const] : []),
    ...dayFaults(terms),
    ...choices.flatMap((choice, place) => choiceFaults(choice, `rows[${place}]`)),
  ];
  if (problems.length > 0) return { problems };
  const placed = choices.map((choice, place) => ({ ...choice, place }));
  const bundles = [...Map.groupBy(placed, bundleKey).values()].map(bundlesOf);
  const faults = bundles.flatMap((one) => ('problems' in one ? one.problems : []));
  if (faults.length > 0) return { problems: faults };
  const whole = bundles.flatMap((one) => ('bundles' in one ? one.bundles : []));
  return { payouts: whole.map((bundle) => payoutOf(bundle, terms)) };
}

type Placed = PayoutChoice & { readonly place: number };

function dayFaults({ executionOn, today }: PayoutTerms): Fault[] {
  if (executionOn === null) return [];
  if (executionOn < today) {
    return [{ path: 'executionOn', reason: 'payment_day_passed', params: { today } }];
  }
  if (executionOn > latestDay) {
    return [{ path: 'executionOn', reason: 'day_too_late', params: { lastDay: latestDay } }];
  }
  if (isWorkingDay(executionOn)) return [];
  const next = nextWorkingDay(executionOn);
  return [{ path: 'executionOn', reason: 'not_a_bank_day', params: { date: executionOn, next } }];
}

/** What is wrong with one choice, at `path`. */
export function choiceFaults({ payable, amountOre, payee }: PayoutChoice, path: string): Fault[] {
  const { obstacle, openOre, number, kind, isOcr, reference, file } = payable;
  if (obstacle === 'in_file') {
    const params = { number, file: file?.number ?? 0 };
    return [{ path: `${path}.amount`, reason: 'in_payment_file', params }];
  }
  if (obstacle !== null) {
    return [{ path: `${path}.amount`, reason: `not_payable_${obstacle}`, params: { number } }];
  }
  const isSame = amountOre > 0n === openOre > 0n && amountOre !== 0n;
  const faults: Fault[] =
    isSame && absolute(amountOre) <= absolute(openOre)
      ? []
      : [{ path: `${path}.amount`, reason: 'exceeds_payable', params: { number, openOre } }];
  if (kind === 'credit_note' || openOre < 0n) return faults;
  if (payee === null) {
    faults.push({ path: `${path}.payee`, reason: 'payee_missing', params: { number } });
  } else faults.push(...payeeFaults(`${path}.payee`, payee));
  if (kind === 'tax' && reference === null) {
    faults.push({ path: `${path}.payee`, reason: 'tax_ocr_missing' });
  } else if (isOcr && !(reference !== null && isOcrNumber(reference))) {
    faults.push({ path: `${path}.payee`, reason: 'wrong_ocr', params: { number } });
  }
  return faults;
}

const bundleKey = ({ payable }: Placed): string =>
  payable.kind === 'tax' ? payable.key : partyKey(payable.party);

interface Bundle {
  readonly payee: Payee;
  readonly some: readonly Placed[];
}

/** Of one party's: what is paid together. */
function bundlesOf(
  choices: readonly Placed[],
): { readonly bundles: readonly Bundle[] } | { readonly problems: readonly Fault[] } {
  const debts = choices.filter(({ amountOre }) => amountOre > 0n);
  const credits = choices.filter(({ amountOre }) => amountOre < 0n);
  const byAccount = [
    ...Map.groupBy(debts, ({ payee }) => `${payee?.kind} ${payee?.number}`).values(),
  ];
  const isOfPerson = choices.some(({ payable }) => payable.kind === 'outlay');
  // The account that most is paid to can bear most of the credits.
  byAccount.sort((a, b) => (oreOf(a) > oreOf(b) ? -1 : 1));
  const [most = [], ...others] = byAccount;
  const setOff = isOfPerson ? most : needed(most, -oreOf(credits));
  if (credits.length > 0 && oreOf(setOff) + oreOf(credits) <= 0n) {
    return {
      problems: credits.map(({ place, payable: { number } }) => ({
        path: `rows[${place}].amount`,
        reason: 'credits_exceed_payment',
        params: { number, debtOre: oreOf(most), creditOre: -oreOf(credits) },
      })),
    };
  }
  const together = [setOff, ...(isOfPerson ? others : [])].filter((some) => some.length > 0);
  const inOne = new Set(together.flat());
  const bundles = together.map((some) => bundleOf(some === setOff ? [...some, ...credits] : some));
  const alone = debts.filter((one) => !inOne.has(one)).map((one) => bundleOf([one]));
  return { bundles: [...bundles, ...alone] };
}

const bundleOf = (some: readonly Placed[]): Bundle => {
  const payee = some.find((one) => one.payee !== null)?.payee ?? null;
  if (payee === null) throw new Error('a payment without a payee was let through');
  return { payee, some };
};

/** The largest of them, until they are more than the credits; none where there are none. */
function needed(debts: readonly Placed[], creditsOre: Ore): readonly Placed[] {
  if (creditsOre === 0n) return [];
  const largest = debts.toSorted((a, b) => (a.amountOre > b.amountOre ? -1 : 1));
  const enough = largest.findIndex((_, last) => oreOf(largest.slice(0, last + 1)) > creditsOre);
  return enough < 0 ? largest : largest.slice(0, enough + 1);
}

const oreOf = (some: readonly PayoutChoice[]): Ore => sum(some.map(({ amountOre }) => amountOre));

function payoutOf({ payee, some }: Bundle, { executionOn, today }: PayoutTerms): PlannedPayout {
  const debts = some.filter(({ amountOre }) => amountOre > 0n);
  const days = debts.map(({ payable }) => payable.dueOn ?? today).sort();
  const due = days[0] ?? today;
  const parts = some.map(({ payable, amountOre }) => ({ payable, amountOre }));
  return {
    payee,
    executionOn: executionOn ?? nextWorkingDay(due < today ? today : due),
    amountOre: oreOf(some),
    ...toldBy(parts),
    parts,
  };
}

/** A text that goes with a payment holds no more (ISO 20022, Max140Text). */
export const messageMax = 140;

function toldBy(parts: readonly PayoutPart[]): Pick<PlannedPayout, 'ocr' | 'message'> {
  const [first, ...others] = parts.map(({ payable }) => payable);
  if (!first) throw new Error('a payment of nothing was let through');
  if (first.kind === 'outlay') {
    const numbers = [first, ...others].map(({ number }) => number).join(', ');
    return { ocr: null, message: `Utlägg ${numbers}`.slice(0, messageMax) };
  }
  // Several documents are named each by itself.
  if (others.length > 0) return { ocr: null, message: null };
  if (first.isOcr) return { ocr: first.reference, message: null };
  return { ocr: null, message: (first.reference ?? first.number).slice(0, messageMax) };
}
