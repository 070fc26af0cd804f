/** What became of files of the bank, or would become of them: kept for good, and told to whoever asks. */
import type { BankStatement } from '../../domain/ledger/bank-files/statement.ts';
import type { BankFileVerdict } from '../statement-files/checking.ts';
import type { ToldProblem } from '../statement-files/telling.ts';

/**
 * - `taken`: its rows are in. `known`: all of them were there already.
 * - `doubt`: a person has to look at what is in doubt first. `rows_in_doubt`: rows that may be in already, and may be
 *   new. `contradicts`: it tells another balance than another statement of the same moment, or other rows of the same
 *   days. `account_unknown`: nobody has said which account it is of.
 * - `account_differs`: it is of another account than was said. `currency_not_supported`. `refused`: it cannot be read,
 *   or does not add up.
 */
export type StatementOutcome =
  | 'taken'
  | 'known'
  | 'doubt'
  | 'rows_in_doubt'
  | 'contradicts'
  | 'account_unknown'
  | 'account_differs'
  | 'currency_not_supported'
  | 'refused';

export interface ReportedStatement {
  readonly outcome: StatementOutcome;
  /** As the file calls it, and as we do. */
  readonly account: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
  readonly currency: string | null;
  readonly isNotice: boolean;
  readonly from: string | null;
  readonly to: string | null;
  /** Öre, as text. */
  readonly opening: string | null;
  readonly closing: string | null;
  readonly credit: string;
  readonly debit: string;
  readonly entries: number;
  readonly added: number;
  readonly known: number;
  readonly doubts: readonly ReportedDoubt[];
}

/** A day that nothing is proved of. */
export interface ReportedDoubt {
  readonly day: string;
  /** How many rows may be in already. */
  readonly rows: number;
  /** Balances that contradict each other, in öre as text, or rows. */
  readonly contradiction?:
    | { readonly at: 'opening' | 'closing'; readonly known: string; readonly told: string }
    | { readonly at: 'rows' };
}

export interface ReportedFile {
  readonly file: string;
  readonly sha256: string;
  readonly verdict: BankFileVerdict;
  readonly format: string | null;
  /** Whether it is a list of unknown form whose columns a person can tell of; not said of imports of before. */
  readonly isUntoldList?: boolean;
  readonly statements: readonly ReportedStatement[];
  readonly problems: readonly ToldProblem[];
}

export interface BankImportReport {
  readonly files: readonly ReportedFile[];
  /** Statements that are in now, rows that they added, and rows that were there already. */
  readonly taken: number;
  readonly added: number;
  readonly known: number;
}

export const shownOre = (ore: bigint | null): string | null => (ore === null ? null : String(ore));

export const factsOfStatement = (statement: BankStatement) => ({
  account: statement.account,
  currency: statement.currency,
  isNotice: statement.isNotice,
  from: statement.from,
  to: statement.to,
  opening: shownOre(statement.opening),
  closing: shownOre(statement.closing),
  credit: String(statement.credit),
  debit: String(statement.debit),
  entries: statement.entries,
});

const stopping: ReadonlySet<StatementOutcome> = new Set([
  'doubt',
  'rows_in_doubt',
  'contradicts',
  'account_unknown',
]);

/** Statements that a person can have taken in by saying something of them. */
export const waitingIn = ({ files }: BankImportReport): readonly ReportedStatement[] =>
  files.flatMap(({ statements }) => statements.filter(({ outcome }) => stopping.has(outcome)));
