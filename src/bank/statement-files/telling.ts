/** Problems of a bank's file as people and programs are told of them. */
import {
  type BankProblemLevel,
  type BankProblemReason,
  bankProblemLevels,
} from '../../domain/ledger/bank-files/problems.ts';
import type { BankFileJudgement } from './checking.ts';
import { bankProblemText, moreBankProblemsText } from './wordings.ts';

export interface ToldProblem {
  readonly line: number | null;
  readonly path: string | null;
  readonly level: BankProblemLevel;
  readonly reason: BankProblemReason | 'file_unreadable';
  readonly message: string;
}

export function toldProblems({
  problems,
  more,
}: Pick<BankFileJudgement, 'problems' | 'more'>): ToldProblem[] {
  return [
    ...problems.map((problem) => ({
      line: problem.line,
      path: problem.path,
      level: bankProblemLevels[problem.reason],
      reason: problem.reason,
      message: bankProblemText(problem),
    })),
    ...more.map((rest) => ({
      line: null,
      path: null,
      level: bankProblemLevels[rest.reason],
      reason: rest.reason,
      message: moreBankProblemsText(rest),
    })),
  ];
}
