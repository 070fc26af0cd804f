/**
 * What can be wrong with a file of a bank, by reason, and what it means for taking the file in.
 *
 * - `refused`: it cannot be read, or does not add up: taken in, the books would not agree with the bank.
 * - `doubt`: it can be read, but lacks something that a person must say, or is not what Huvudbok keeps.
 * - `note`: nothing is lost; worth knowing.
 */
import type { Ore } from '../../basics/money.ts';

export type BankProblemLevel = 'refused' | 'doubt' | 'note';

interface Found {
  readonly found: string;
}
interface AtMost {
  readonly max: number;
}
interface Differing {
  readonly found: Ore;
  readonly expected: Ore;
}
interface OfCount {
  readonly count: number;
}
type None = Readonly<Record<never, never>>;

/** What the sentence of each reason is made of. */
export interface BankProblemFacts {
  // The file
  file_empty: None;
  file_too_large: AtMost;
  too_many_entries: AtMost;
  too_many_statements: AtMost;
  text_too_long: AtMost;
  not_a_statement: { readonly kind: 'xls' | 'zip' | 'pdf' | 'mt940' };
  bgmax_damaged: Found;
  bgmax_alone: None;
  workbook_damaged: None;
  workbook_too_large: AtMost;
  /** Whether it is a list whose columns a person can tell of. */
  unknown_form: Found & { readonly isList: boolean; readonly isWorkbook: boolean };
  encoding_unknown: Found;
  bytes_unreadable: { readonly encoding: string };
  lost_characters: None;
  // XML
  xml_doctype: None;
  xml_malformed: Found;
  xml_too_deep: AtMost;
  xml_too_many_attributes: AtMost;
  not_camt: Found;
  version_unknown: Found;
  no_statements: None;
  // Rows of CSV
  row_too_long: AtMost;
  cells_missing: Found;
  balance_broken: Differing;
  decimal_marks_mixed: Found;
  pending_rows: OfCount;
  summary_row: None;
  // Entries
  amount_missing: None;
  amount_unreadable: Found;
  sign_missing: Found;
  date_unreadable: Found;
  date_missing: None;
  date_ahead: Found & { readonly latest: string };
  status_unknown: Found;
  details_differ: Differing;
  details_count_differs: { readonly found: number; readonly expected: number };
  // Statements
  account_missing: None;
  balances_missing: None;
  end_ahead: Found & { readonly latest: string };
  currency_missing: None;
  currency_mixed: { readonly found: string; readonly expected: string };
  currency_not_supported: { readonly currency: string };
  sums_differ: Differing;
  count_differs: { readonly found: number; readonly expected: number };
  previous_closing_differs: Differing;
  reversals_turned: OfCount;
  statement_gap: Differing & { readonly account: string; readonly from: string };
  statements_overlap: Differing & { readonly account: string; readonly from: string };
  statements_contradict: Differing & { readonly account: string; readonly from: string };
  rows_contradict: { readonly account: string; readonly from: string };
  statement_repeated: { readonly account: string };
  // Between files, each of which may be right
  files_gap: Differing & { readonly account: string; readonly from: string };
  files_overlap: Differing & { readonly account: string; readonly from: string };
  files_contradict: Differing & { readonly account: string; readonly from: string };
  file_repeated: { readonly account: string };
}

export type BankProblemReason = keyof BankProblemFacts;

export const bankProblemLevels: Readonly<Record<BankProblemReason, BankProblemLevel>> = {
  file_empty: 'refused',
  file_too_large: 'refused',
  too_many_entries: 'refused',
  too_many_statements: 'refused',
  text_too_long: 'refused',
  not_a_statement: 'refused',
  bgmax_damaged: 'refused',
  bgmax_alone: 'doubt',
  workbook_damaged: 'refused',
  workbook_too_large: 'refused',
  unknown_form: 'refused',
  encoding_unknown: 'refused',
  bytes_unreadable: 'refused',
  lost_characters: 'doubt',
  xml_doctype: 'refused',
  xml_malformed: 'refused',
  xml_too_deep: 'refused',
  xml_too_many_attributes: 'refused',
  not_camt: 'refused',
  version_unknown: 'doubt',
  no_statements: 'refused',
  row_too_long: 'refused',
  cells_missing: 'refused',
  balance_broken: 'refused',
  decimal_marks_mixed: 'refused',
  pending_rows: 'note',
  summary_row: 'note',
  amount_missing: 'refused',
  amount_unreadable: 'refused',
  sign_missing: 'refused',
  date_unreadable: 'refused',
  date_missing: 'doubt',
  date_ahead: 'refused',
  status_unknown: 'doubt',
  details_differ: 'doubt',
  details_count_differs: 'doubt',
  account_missing: 'doubt',
  balances_missing: 'doubt',
  end_ahead: 'refused',
  currency_missing: 'doubt',
  currency_mixed: 'refused',
  currency_not_supported: 'doubt',
  sums_differ: 'refused',
  count_differs: 'doubt',
  previous_closing_differs: 'doubt',
  reversals_turned: 'note',
  statement_gap: 'doubt',
  statements_overlap: 'doubt',
  statements_contradict: 'doubt',
  rows_contradict: 'doubt',
  statement_repeated: 'doubt',
  files_gap: 'note',
  files_overlap: 'note',
  files_contradict: 'doubt',
  file_repeated: 'note',
};

export type BankFileProblem = {
  [Reason in BankProblemReason]: {
    /** Counted from 1; null when it is about the file as a whole. */
    readonly line: number | null;
    /** `Stmt[2]/Ntry[5]/Amt`, or the heading of a column; null when it is about no one place. */
    readonly path: string | null;
    readonly reason: Reason;
    readonly params: BankProblemFacts[Reason];
  };
}[BankProblemReason];

/** More of one reason than are kept. */
export interface MoreOfReason {
  readonly reason: BankProblemReason;
  readonly count: number;
}

/** So many of each reason are kept. */
export const keptOfReason = 20;

/** The problems of one file, bounded in number whatever the file holds. */
export class BankFileProblems {
  readonly #kept = new Map<BankProblemReason, BankFileProblem[]>();
  readonly #counts = new Map<BankProblemReason, number>();

  add<Reason extends BankProblemReason>(
    reason: Reason,
    at: { readonly line: number | null; readonly path?: string | null },
    params: BankProblemFacts[Reason],
  ): void {
    const count = this.#counts.get(reason) ?? 0;
    this.#counts.set(reason, count + 1);
    if (count >= keptOfReason) return;
    const { line, path = null } = at;
    // The compiler does not see that a reason and its facts belong together.
    const problem = { line, path, reason, params } as unknown as BankFileProblem;
    const kept = this.#kept.get(reason);
    if (kept) kept.push(problem);
    else this.#kept.set(reason, [problem]);
  }

  has(reason: BankProblemReason): boolean {
    return this.#counts.has(reason);
  }

  /** The gravest level of all; null without problems. */
  get level(): BankProblemLevel | null {
    const levels = new Set([...this.#counts.keys()].map((reason) => bankProblemLevels[reason]));
    return (['refused', 'doubt', 'note'] as const).find((level) => levels.has(level)) ?? null;
  }

  /** By line, those of the whole file first. */
  get all(): BankFileProblem[] {
    return [...this.#kept.values()].flat().sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }

  /** How many more there are of reasons with more than are kept. */
  get more(): MoreOfReason[] {
    return [...this.#counts]
      .map(([reason, count]) => ({ reason, count: count - keptOfReason }))
      .filter(({ count }) => count > 0);
  }
}

/** So much of what stands in a file as a sentence about it has room for. */
export const shownText = (text: string): string => {
  const plain = text
    .slice(0, 200)
    .replace(/\p{Cc}/gu, ' ')
    .trim();
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
};
