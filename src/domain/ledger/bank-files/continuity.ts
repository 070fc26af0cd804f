/** Whether an account's statements, of one file or several, follow on each other without a gap. */
import type { Ore } from '../../basics/money.ts';
import type { BankFileProblems } from './problems.ts';
import type { BankStatement } from './statement.ts';

export interface StatementsOfFile {
  readonly statements: readonly BankStatement[];
  readonly problems: BankFileProblems;
}

interface Placed {
  readonly statement: BankStatement;
  readonly file: StatementsOfFile;
}

/**
 * Tells of gaps, overlaps and repetitions, each at the later statement. Of one file, within it; of several, between
 * them only. Notices have no balances, and do not count.
 */
export function checkContinuity(files: readonly StatementsOfFile[]): void {
  const all = files.flatMap((file) => file.statements.map((statement) => ({ statement, file })));
  const accounts = Map.groupBy(
    all.filter(({ statement }) => !statement.isNotice && statement.account !== null),
    ({ statement: { account, currency } }) => JSON.stringify([account, currency]),
  );
  for (const placed of accounts.values()) {
    const ordered = placed.toSorted((a, b) => order(a.statement, b.statement));
    for (const [index, next] of ordered.entries()) {
      const before = ordered[index - 1];
      const isWithin = before?.file === next.file;
      if (before && isWithin === (files.length === 1)) checkPair(before, next, isWithin);
    }
  }
}

/** By day, then by the bank's own number where both have one; else as they came. */
function order(a: BankStatement, b: BankStatement): number {
  const byDay = compare(a.from ?? '', b.from ?? '') || compare(a.to ?? '', b.to ?? '');
  if (byDay !== 0 || a.sequence === null || b.sequence === null) return byDay;
  return a.sequence - b.sequence;
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function checkPair({ statement: before }: Placed, { statement, file }: Placed, isWithin: boolean) {
  const { problems } = file;
  const { line, opening } = statement;
  const at = { line, path: null };
  const [account, from] = [statement.account ?? '', statement.from ?? ''];
  if (isSame(before, statement)) {
    problems.add(isWithin ? 'statement_repeated' : 'file_repeated', at, { account });
    return;
  }
  const differing = contradictionOf(before, statement);
  if (differing !== null) {
    const reason = isWithin ? 'statements_contradict' : 'files_contradict';
    problems.add(reason, at, { account, from, ...differing });
    return;
  }
  if (
    areOfSameDays(before, statement) &&
    !mayHold(before, statement) &&
    !mayHold(statement, before)
  ) {
    problems.add('rows_contradict', at, { account, from });
    return;
  }
  if (before.closing === null || opening === null || before.closing === opening) return;
  const params = { account, from, found: opening, expected: before.closing };
  if ((before.to ?? '') < from) problems.add(isWithin ? 'statement_gap' : 'files_gap', at, params);
  else problems.add(isWithin ? 'statements_overlap' : 'files_overlap', at, params);
}

/** Of two that say they are of the same days: the balance at either end that is not the same in both. */
function contradictionOf(
  before: BankStatement,
  next: BankStatement,
): { readonly found: Ore; readonly expected: Ore } | null {
  if (!areOfSameDays(before, next)) return null;
  for (const end of ['opening', 'closing'] as const) {
    const [found, expected] = [next[end], before[end]];
    if (found !== null && expected !== null && found !== expected) return { found, expected };
  }
  return null;
}

/** Whether both say that they are of the same days; of one day they may be halves. */
const areOfSameDays = (a: BankStatement, b: BankStatement): boolean =>
  a.saidFrom !== null &&
  a.saidTo !== null &&
  a.saidFrom === b.saidFrom &&
  a.saidTo === b.saidTo &&
  a.saidFrom !== a.saidTo;

/** Whether all rows of the other may be among those of one, by what they come to: banks book late. */
function mayHold(one: BankStatement, other: BankStatement): boolean {
  const more = one.entries - other.entries;
  const [credit, debit] = [one.credit - other.credit, one.debit - other.debit];
  if (credit < 0n || debit < 0n) return false;
  return credit + debit === 0n ? more === 0 : more > 0;
}

const told = [
  'id',
  'from',
  'to',
  'sequence',
  'opening',
  'closing',
  'entries',
  'credit',
  'debit',
] as const;
const isSame = (a: BankStatement, b: BankStatement): boolean =>
  told.every((name) => a[name] === b[name]);
