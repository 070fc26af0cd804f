/**
 * Moving in from another program: the day, and the books held against the old program's report. The cash method
 * (BFL 5:2; ML 7:16) is not built, so a company that uses it is told to stay where it is.
 */
import type { Ore } from '../basics/money.ts';
import type { Balance } from './opening-balances.ts';

/** Accounts of VAT that waits for payment: only the cash method has them (BAS 2618, 2628, 2638, 2648). */
export const cashMethodAccounts: readonly string[] = ['2618', '2628', '2638', '2648'];

/** An account at the move's day, here and in the old program; öre, debit above zero. */
export interface ComparedAccount {
  readonly account: number;
  readonly name: string;
  readonly booksOre: Ore;
  /** Null when the report says nothing of it, which is nothing. */
  readonly reportOre: Ore | null;
  readonly differenceOre: Ore;
}

/** The report with what the opening balances lacked, on the accounts where they differ by just that: nothing else is wrong there. */
export function withWhatLacked(
  compared: readonly ComparedAccount[],
  lacked: readonly Balance[],
): { readonly accounts: ComparedAccount[]; readonly explained: Balance[] } {
  const said = new Map(lacked.map(({ account, balanceOre }) => [account, balanceOre]));
  const isExplained = ({ account, differenceOre }: ComparedAccount): boolean =>
    differenceOre !== 0n && said.get(account) === differenceOre;
  return {
    accounts: compared.map((one) =>
      isExplained(one) ? { ...one, reportOre: one.booksOre, differenceOre: 0n } : one,
    ),
    explained: compared
      .filter(isExplained)
      .map(({ account, differenceOre: balanceOre }) => ({ account, balanceOre })),
  };
}

/** Every account that either knows, by number. An account that a report leaves out stands at nothing there. */
export function compareWithReport(
  books: readonly { readonly account: number; readonly name: string; readonly balanceOre: Ore }[],
  report: ReadonlyMap<number, Ore>,
): ComparedAccount[] {
  const known = new Map(books.map((one) => [one.account, one]));
  const numbers = new Set([...known.keys(), ...report.keys()]);
  return [...numbers]
    .sort((one, other) => one - other)
    .map((account) => {
      const { name = '', balanceOre: booksOre = 0n } = known.get(account) ?? {};
      const reportOre = report.get(account) ?? null;
      return { account, name, booksOre, reportOre, differenceOre: booksOre - (reportOre ?? 0n) };
    })
    .filter(({ booksOre, reportOre }) => booksOre !== 0n || (reportOre ?? 0n) !== 0n);
}
