/**
 * What can be wrong with a SIE file, by rule: what it means for taking the file in, where the format says
 * so, and the facts a sentence about it needs.
 *
 * - `refused`: it cannot be taken in without loss, or does not balance.
 * - `doubt`: all of it can be taken in, but it says two things at once or lacks something that a person
 *   should decide on or look at first.
 * - `note`: nothing is lost; worth knowing.
 */
import type { Ore } from '../../basics/money.ts';
import type { Balance } from '../opening-balances.ts';

/** What moves within equity as a year begins; debit above zero. */
export interface EquityMoved {
  readonly date: string;
  readonly moves: readonly Balance[];
}

export type SieLevel = 'refused' | 'doubt' | 'note';

interface Named {
  readonly name: string;
}
interface Field {
  readonly label: string;
  readonly field: string;
  readonly value: string;
}
interface OnVoucher {
  /** Series and number, as `A 12`. */
  readonly voucher: string;
}
interface Counted extends Named {
  readonly count: number;
}
interface Compared {
  readonly account: string;
  readonly found: Ore;
  readonly expected: Ore;
}
interface Limited {
  readonly max: number;
}
type Nothing = Readonly<Record<never, never>>;

/** What each rule's sentence is made of. */
export interface SieFacts {
  // The file and its lines
  not_sie: { readonly found: string };
  utf16: Nothing;
  line_too_long: Limited;
  file_cut: OnVoucher;
  too_many: Limited & Named;
  flag_late: Nothing;
  already_read: Nothing;
  already_imported: Nothing;
  not_a_post: { readonly found: string };
  brace: { readonly found: string };
  unclosed: { readonly label: string };
  unknown_post: { readonly label: string };
  control_characters: { readonly label: string };
  mixed_encodings: { readonly encoding: string; readonly line: string };
  other_encoding: { readonly encoding: string; readonly format: string };
  lost_characters: { readonly label: string };
  type_unknown: { readonly type: string };
  post_missing: { readonly labels: string };
  checksum_wrong: { readonly given: string; readonly computed: string };
  checksum_missing: Nothing;
  // Fields
  account_missing: { readonly label: string };
  amount_unreadable: Field;
  amount_decimals: Field;
  amount_form: Field;
  date_unreadable: Field;
  year_unreadable: Field;
  objects_unreadable: { readonly label: string };
  detail_unreadable: Field;
  text_too_long: Limited & { readonly label: string };
  // The years and the currency
  year_missing: Nothing;
  year_span: { readonly start: string; readonly end: string };
  years_apart: { readonly end: string; readonly start: string };
  currency: { readonly currency: string };
  // Vouchers
  vouchers_with_balances: { readonly type: string };
  row_outside_voucher: { readonly label: string };
  voucher_open: OnVoucher;
  voucher_empty: OnVoucher;
  unbalanced_voucher: OnVoucher & { readonly debit: Ore; readonly credit: Ore };
  amount_too_large: OnVoucher & { readonly amount: Ore };
  date_outside_years: OnVoucher & { readonly date: string };
  date_outside_transfer: OnVoucher & { readonly date: string };
  date_in_other_year: OnVoucher & { readonly date: string };
  row_date_other_month: OnVoucher & { readonly date: string; readonly rowDate: string };
  number_repeated: OnVoucher;
  number_not_numeric: OnVoucher;
  number_missing: OnVoucher;
  numbers_unordered: OnVoucher;
  numbers_left_out: { readonly series: string; readonly from: number; readonly to: number };
  zero_row: OnVoucher;
  rows_changed: { readonly count: number };
  added_row_alone: OnVoucher;
  // Accounts and objects
  account_not_numeric: { readonly account: string };
  account_outside: { readonly account: string };
  account_left_out: { readonly account: string };
  account_internal: { readonly account: string };
  account_repeated: { readonly account: string; readonly name: string; readonly other: string };
  account_unknown: { readonly account: string };
  object_unknown: { readonly dimension: string; readonly object: string };
  object_repeated: OnVoucher & { readonly dimension: string };
  object_too_long: Limited & { readonly dimension: string; readonly object: string };
  dimension_left_out: Counted;
  posts_left_out: { readonly label: string; readonly count: number };
  quantities_left_out: { readonly count: number };
  // Balances
  balance_repeated: { readonly label: string; readonly year: number; readonly account: string };
  balances_missing: Nothing;
  vouchers_missing: Nothing;
  closing_differs: Compared;
  result_differs: Compared;
  opening_differs: Compared;
  opening_lacks_result: { readonly difference: Ore };
  opening_unbalanced: { readonly difference: Ore };
  balances_apart: {
    readonly year: number;
    readonly ib: Ore;
    readonly ub: Ore;
    readonly res: Ore;
  };
  // Beside the books
  nothing_to_import: Nothing;
  imported_before: { readonly day: string; readonly fileName: string };
  voucher_imported_before: OnVoucher & { readonly label: string };
  other_company: { readonly number: string; readonly own: string };
  cash_method: { readonly account: string; readonly count: number };
  day_in_no_year: OnVoucher & { readonly date: string };
  year_overlaps_books: { readonly start: string; readonly end: string };
  year_apart_from_books: { readonly start: string; readonly end: string };
  year_before_opened: { readonly end: string };
  year_before_closed: { readonly end: string };
  year_closed_in_books: { readonly year: number };
  days_locked: { readonly date: string; readonly lockedTo: string };
  vat_days_locked: { readonly date: string; readonly lockedTo: string };
  opening_needs_account: { readonly difference: Ore };
  opening_account_unknown: { readonly account: string };
  opening_account_unneeded: { readonly account: string };
  opening_differs_from_books: Compared;
  equity_moved: EquityMoved;
  series_moved: { readonly series: string; readonly count: number };
  account_made: { readonly account: string; readonly name: string };
  account_named_otherwise: {
    readonly account: string;
    readonly name: string;
    readonly own: string;
  };
  account_vat_unsure: { readonly account: string; readonly name: string };
  account_put_in_use: { readonly account: string };
}

export type SieRule = keyof SieFacts;

interface RuleKind {
  readonly level: SieLevel;
  /** Chapter, point or post of SIE 4B; null where the rule is Huvudbok's own. */
  readonly source: string | null;
}
const refused = (source: string | null): RuleKind => ({ level: 'refused', source });
const doubt = (source: string | null): RuleKind => ({ level: 'doubt', source });
const note = (source: string | null): RuleKind => ({ level: 'note', source });

export const sieRules: Readonly<Record<SieRule, RuleKind>> = {
  not_sie: refused('5.12'),
  utf16: refused('5.8'),
  line_too_long: refused('7.6'),
  file_cut: refused('5.4'),
  too_many: refused('7.6'),
  flag_late: note('5.12'),
  already_read: note('7.4'),
  already_imported: doubt('7.4'),
  not_a_post: doubt('5.3'),
  brace: doubt('5.4'),
  unclosed: doubt('5.7'),
  unknown_post: note('7.1'),
  control_characters: note('5.7'),
  mixed_encodings: doubt('5.8'),
  other_encoding: note('5.8'),
  lost_characters: doubt('5.8'),
  type_unknown: doubt('#SIETYP'),
  post_missing: note('6'),
  checksum_wrong: refused('10.3'),
  checksum_missing: refused('10.6'),
  account_missing: refused('12'),
  amount_unreadable: refused('5.9'),
  amount_decimals: refused('5.9'),
  amount_form: doubt('5.9'),
  date_unreadable: refused('5.10'),
  year_unreadable: refused('#RAR'),
  objects_unreadable: doubt('8.21'),
  detail_unreadable: note('12'),
  text_too_long: doubt(null),
  year_missing: refused('6'),
  year_span: refused(null),
  years_apart: doubt('#RAR'),
  currency: refused('#VALUTA'),
  vouchers_with_balances: doubt('6'),
  row_outside_voucher: refused('#TRANS 3'),
  voucher_open: doubt('5.4'),
  voucher_empty: note('#VER 1'),
  unbalanced_voucher: refused('#TRANS 4'),
  amount_too_large: refused('7.6'),
  date_outside_years: refused('#RAR'),
  date_outside_transfer: note('#RAR'),
  date_in_other_year: doubt('#RAR'),
  row_date_other_month: doubt('#TRANS 2'),
  number_repeated: doubt('#VER 7'),
  number_not_numeric: note('#VER 7'),
  number_missing: note('#VER 6'),
  numbers_unordered: note('#VER 7'),
  numbers_left_out: note('#VER 7'),
  zero_row: note(null),
  rows_changed: note('#BTRANS 4'),
  added_row_alone: doubt('#RTRANS 4'),
  account_not_numeric: refused('#KONTO 2'),
  account_outside: refused(null),
  account_left_out: note(null),
  account_internal: doubt(null),
  account_repeated: doubt('#KONTO 1'),
  account_unknown: doubt('#KONTO 3'),
  object_unknown: note('#OBJEKT 2'),
  object_repeated: doubt('8.21'),
  object_too_long: doubt(null),
  dimension_left_out: doubt('8.20'),
  posts_left_out: note('7.1'),
  quantities_left_out: note('9.3'),
  balance_repeated: doubt('5.16'),
  balances_missing: doubt('5.16'),
  vouchers_missing: doubt('6'),
  closing_differs: doubt('#UB'),
  result_differs: doubt('#RES'),
  opening_differs: doubt('5.16'),
  opening_lacks_result: doubt('5.16'),
  opening_unbalanced: doubt('5.16'),
  balances_apart: doubt('5.16'),
  nothing_to_import: refused(null),
  imported_before: refused(null),
  voucher_imported_before: refused(null),
  other_company: doubt('#ORGNR'),
  cash_method: refused(null),
  day_in_no_year: refused('#RAR'),
  year_overlaps_books: refused('#RAR'),
  year_apart_from_books: refused('#RAR'),
  year_before_opened: refused('#RAR'),
  year_before_closed: refused('#RAR'),
  year_closed_in_books: refused(null),
  days_locked: refused(null),
  vat_days_locked: refused(null),
  opening_needs_account: refused('5.16'),
  opening_account_unknown: refused(null),
  opening_account_unneeded: refused(null),
  opening_differs_from_books: doubt('5.16'),
  equity_moved: note('5.16'),
  series_moved: note('#VER 7'),
  account_made: note('#KONTO 3'),
  account_named_otherwise: note('#KONTO 3'),
  account_vat_unsure: note(null),
  account_put_in_use: note(null),
};

export const ruleLevel = (rule: SieRule): SieLevel => sieRules[rule].level;

export type SieProblem = {
  [Rule in SieRule]: {
    /** Counted from 1; null when it is about the file as a whole. */
    readonly line: number | null;
    readonly rule: Rule;
    readonly params: SieFacts[Rule];
  };
}[SieRule];

/** More of the same rule than are kept. */
export interface MoreOfRule {
  readonly rule: SieRule;
  readonly count: number;
}

/** So many of each rule are kept: a file of a million faults is as well told by its first. */
export const keptOfRule = 20;

/** The problems of one file, bounded in number whatever the file holds. */
export class SieProblems {
  /** Those of a check, to which more may be added. */
  static of(found: {
    readonly problems: readonly SieProblem[];
    readonly more: readonly MoreOfRule[];
  }): SieProblems {
    const { problems, more } = found;
    const all = new SieProblems();
    for (const { rule, line, params } of problems) all.add(rule, line, params);
    for (const { rule, count } of more) all.#counts.set(rule, count + keptOfRule);
    return all;
  }

  readonly #kept = new Map<SieRule, SieProblem[]>();
  readonly #counts = new Map<SieRule, number>();

  add<Rule extends SieRule>(rule: Rule, line: number | null, params: SieFacts[Rule]): void {
    const count = this.#counts.get(rule) ?? 0;
    this.#counts.set(rule, count + 1);
    if (count >= keptOfRule) return;
    // The compiler does not see that the three belong together.
    const problem = { line, rule, params } as unknown as SieProblem;
    const kept = this.#kept.get(rule);
    if (kept) kept.push(problem);
    else this.#kept.set(rule, [problem]);
  }

  /** What was found under one rule falls under another, once more is known of the file. */
  turn<From extends SieRule, To extends SieRule>(
    from: From,
    to: SieFacts[From] extends SieFacts[To] ? To : never,
  ): void {
    const found = this.#kept.get(from) ?? [];
    const more = (this.#counts.get(from) ?? 0) - found.length;
    this.drop(from);
    for (const { line, params } of found) this.add(to, line, params as SieFacts[To]);
    if (more > 0) this.#counts.set(to, (this.#counts.get(to) ?? 0) + more);
  }

  /** What was found under the rule is none, once more is known of the file. */
  drop(rule: SieRule): void {
    this.#kept.delete(rule);
    this.#counts.delete(rule);
  }

  has(rule: SieRule): boolean {
    return this.#counts.has(rule);
  }

  /** The gravest level of all; null without problems. */
  get level(): SieLevel | null {
    const levels = new Set([...this.#counts.keys()].map((rule) => sieRules[rule].level));
    return (['refused', 'doubt', 'note'] as const).find((level) => levels.has(level)) ?? null;
  }

  /** By line, those of the whole file first. */
  get all(): SieProblem[] {
    return [...this.#kept.values()].flat().sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }

  /** How many more there are of rules with more than are kept. */
  get more(): MoreOfRule[] {
    return [...this.#counts]
      .map(([rule, count]) => ({ rule, count: count - keptOfRule }))
      .filter(({ count }) => count > 0);
  }
}
