/**
 * Files of the bank taken in: each statement whole or not at all, every row of the bank once, whatever order files come
 * in. The same plan is shown beforehand and carried out.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { presetOfMapping } from '../../domain/ledger/bank-files/mapping.ts';
import { bankProblemLevels } from '../../domain/ledger/bank-files/problems.ts';
import type { BankStatement } from '../../domain/ledger/bank-files/statement.ts';
import {
  findByIdentity,
  identityOf,
  ownNumber,
} from '../../domain/ledger/bank-statements/identity.ts';
import {
  closingBalances,
  contradictionsOf,
  type PlanDoubt,
  planStatement,
  type ReadStatement,
  readDays,
  type StatementPlan,
} from '../../domain/ledger/bank-statements/planning.ts';
import type { SourceFile } from '../../lib/source-file.ts';
import { uuid } from '../../lib/uuid.ts';
import { toldProblems } from '../statement-files/telling.ts';
import type { BankImportChoices } from './import-store.ts';
import { KnownStatements } from './known.ts';
import { listMappings } from './mapping-store.ts';
import { announcementsOf } from './notices.ts';
import { type ReadFile, readBankFile, type StatementInFile } from './reading.ts';
import {
  type BankImportReport,
  factsOfStatement,
  type ReportedDoubt,
  type ReportedStatement,
  type StatementOutcome,
} from './report.ts';
import {
  type Announcement,
  findNewAnnouncements,
  type IdentifiedAccount,
  insertAnnouncements,
  insertRows,
  insertStatement,
  isKnownStatement,
  listIdentifiedAccounts,
  type NewRow,
  setIdentity,
  spanOf,
  tieAnnouncements,
  toldSpan,
  upsertBalances,
  upsertDays,
} from './statement-store.ts';

/** Problems that a person is told of, but need not look at first: taking the rows in settles them. */
export const settled: ReadonlySet<string> = new Set([
  'account_missing',
  'statement_gap',
  'rows_contradict',
  'statements_contradict',
  'statements_overlap',
  'statement_repeated',
]);

/** A statement of a file on its way in, with what is to become of it. */
interface Coming {
  readonly file: ReadFile;
  readonly inFile: StatementInFile;
  readonly account: IdentifiedAccount | undefined;
  outcome: StatementOutcome;
  read: ReadStatement | null;
  /** Whether it has been here before, by the bank's own name of it. */
  isRepeated: boolean;
  plan: StatementPlan | null;
  doubts: readonly PlanDoubt[];
  /** What it adds: rows of a statement, entries of a notice. */
  rows: readonly Omit<NewRow, 'id'>[];
  announcements: readonly Announcement[];
}

export interface BankImportPlan {
  readonly files: readonly ReadFile[];
  readonly coming: readonly Coming[];
}

/** Lists also in the forms that people have told of. */
export async function readFiles(
  db: Db,
  sources: readonly SourceFile[],
  today: string,
  progress: (bytes: number) => void = () => undefined,
): Promise<ReadFile[]> {
  const own = (await listMappings(db)).map(presetOfMapping);
  const read: ReadFile[] = [];
  let before = 0;
  for (const source of sources) {
    const started = before;
    read.push(await readBankFile(source, { today, own }, (bytes) => progress(started + bytes)));
    before += source.size;
  }
  return read;
}

/** What would become of each statement; nothing is changed. */
export async function planImport(
  db: Db,
  files: readonly ReadFile[],
  choices: BankImportChoices,
): Promise<BankImportPlan> {
  const accounts = await listIdentifiedAccounts(db);
  const coming = files
    .flatMap((file) => file.statements.map((inFile) => comingOf(file, inFile, accounts, choices)))
    .sort(inOrder);
  for (const one of coming) await readComing(db, one);
  if (choices.equalRows === null) holdContested(coming);
  const known = new KnownStatements(db);
  for (const one of coming) {
    if (one.outcome !== 'taken' || !one.account) continue;
    if (one.inFile.statement.isNotice) await planNotice(db, one, one.account, known);
    else if (one.read) await planRows(one, one.read, one.account, { known, choices });
  }
  return { files, coming };
}

function comingOf(
  file: ReadFile,
  inFile: StatementInFile,
  accounts: readonly IdentifiedAccount[],
  choices: BankImportChoices,
): Coming {
  const { statement } = inFile;
  const chosen = accounts.find(({ id }) => id === choices.accountId);
  const named = findByIdentity(accounts, statement.account);
  const account = named ?? chosen;
  return {
    file,
    inFile,
    account,
    outcome: outcomeBefore(file, statement, { account, chosen, named, choices }),
    read: null,
    isRepeated: false,
    plan: null,
    doubts: [],
    rows: [],
    announcements: [],
  };
}

/** What can be said before anything is looked up; `taken` when nothing is in the way yet. */
function outcomeBefore(
  { judgement }: ReadFile,
  statement: BankStatement,
  found: {
    readonly account: IdentifiedAccount | undefined;
    readonly chosen: IdentifiedAccount | undefined;
    readonly named: IdentifiedAccount | undefined;
    readonly choices: BankImportChoices;
  },
): StatementOutcome {
  const levels = judgement.problems
    .filter(({ path, reason }) => isOf(path, reason, statement))
    .map(({ reason }) => (settled.has(reason) ? 'note' : bankProblemLevels[reason]));
  const hasMore = judgement.more.some(({ reason }) => bankProblemLevels[reason] === 'refused');
  if (hasMore || levels.includes('refused')) return 'refused';
  if (statement.currency !== null && statement.currency !== 'SEK') return 'currency_not_supported';
  const { account, chosen, named, choices } = found;
  if (!account) return 'account_unknown';
  if (!named && chosen && isOther(chosen, statement.account)) return 'account_differs';
  return levels.includes('doubt') && !choices.isAccepted ? 'doubt' : 'taken';
}

/** What stands within a statement is its own; what stands elsewhere, or ends the file, is every statement's. */
function isOf(path: string | null, reason: string, { place }: BankStatement): boolean {
  const [, within] = /^(?:Stmt|Ntfctn)\[(\d+)\]/.exec(path ?? '') ?? [];
  return within === undefined || reason.startsWith('xml_') || Number(within) === place;
}

/** Whether the account has another number of the kind that the file names. */
function isOther(account: IdentifiedAccount, said: string | null): boolean {
  const identity = identityOf(said);
  // Several bankgiro numbers may lead to one account.
  if (identity === null || 'bankgiro' in identity) return false;
  return ownNumber(account, identity) !== null;
}

/** By account and day, then by the bank's own number; ones of the same days in their order. */
function inOrder(a: Coming, b: Coming): number {
  const [one, other] = [a.inFile.statement, b.inFile.statement];
  return (
    compare(a.account?.id ?? '', b.account?.id ?? '') ||
    compare(one.from ?? '', other.from ?? '') ||
    compare(one.to ?? '', other.to ?? '') ||
    (one.sequence ?? 0) - (other.sequence ?? 0)
  );
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** By its days; one that gives an entry none stays out. */
async function readComing(db: Db, one: Coming): Promise<void> {
  const { statement, entries } = one.inFile;
  if (one.outcome !== 'taken' || !one.account || statement.isNotice) return;
  const { sha256 } = one.file.source;
  one.read = readDays(statement, entries, one.file.judgement.format ?? '');
  if (one.read === null) one.outcome = 'refused';
  else one.isRepeated = await isKnownStatement(db, one.account.id, { sha256, statement });
}

/** Of so many statements of the same days each is held against the latest. */
const contestedMax = 100;

/** Of two that come at once and contradict each other neither is right because of its place: both are in doubt. */
function holdContested(coming: readonly Coming[]): void {
  const earlier: Coming[] = [];
  for (const one of coming) {
    const { read, account, isRepeated } = one;
    if (!read || isRepeated || one.outcome === 'refused') continue;
    const [first] = spanOf(read.statement);
    for (const other of earlier.slice(-contestedMax)) {
      if (other.account !== account || !other.read) continue;
      const [, last] = spanOf(other.read.statement);
      if (first === null || last === null || last < first) continue;
      setContested(one, read, other.read);
      setContested(other, other.read, read);
    }
    earlier.push(one);
  }
}

function setContested(one: Coming, read: ReadStatement, other: ReadStatement): void {
  if (one.outcome === 'contradicts') return;
  const span = toldSpan(other.statement);
  const found = contradictionsOf(read, {
    days: other.days,
    told: new Map(),
    spans: span ? [span] : [],
  });
  if (found.length === 0) return;
  one.outcome = 'contradicts';
  one.doubts = found.map((contradiction) => ({ day: contradiction.day, rows: 0, contradiction }));
}

async function planRows(
  one: Coming,
  read: ReadStatement,
  account: IdentifiedAccount,
  { known, choices }: { readonly known: KnownStatements; readonly choices: BankImportChoices },
): Promise<void> {
  const { isRepeated } = one;
  const around = await known.around(account.id, read);
  const plan = planStatement(read, around, { isRepeated, equalRows: choices.equalRows });
  one.plan = plan;
  one.doubts = plan.doubts;
  if (plan.doubts.length > 0) {
    const contradicts = plan.doubts.some(({ contradiction }) => contradiction !== null);
    one.outcome = contradicts ? 'contradicts' : 'rows_in_doubt';
    return;
  }
  if (isRepeated && plan.added.length === 0) one.outcome = 'known';
  one.rows = known.add(account.id, read, plan);
}

async function planNotice(
  db: Db,
  one: Coming,
  account: IdentifiedAccount,
  known: KnownStatements,
): Promise<void> {
  const all = announcementsOf(one.inFile);
  if (all === null) {
    one.outcome = 'refused';
    return;
  }
  const fresh = await findNewAnnouncements(db, account.id, all);
  const coming = all.filter((_, place) => fresh.has(place));
  one.announcements = known.announce(account.id, coming);
  if (one.announcements.length === 0 && all.length > 0) one.outcome = 'known';
}

export interface CarryingOut {
  readonly importId: string;
  readonly actor: string;
  /** Told of statements that are in, of all. */
  readonly progress?: (done: number, all: number) => void;
}

/**
 * Takes in what is planned, in the caller's transaction. The accounts must be held since before it was planned
 * (`lockBankAccounts`), so that two who bring the same rows bring them once.
 */
export async function carryOut(
  tx: Tx,
  { coming }: BankImportPlan,
  { importId, actor, progress = () => undefined }: CarryingOut,
): Promise<void> {
  const touched = new Set<string>();
  for (const [index, one] of coming.entries()) {
    progress(index, coming.length);
    const { account, plan, read, inFile, announcements } = one;
    if (one.outcome !== 'taken' || !account) continue;
    touched.add(account.id);
    await learnIdentity(tx, account, inFile.statement.account, actor);
    const of = { accountId: account.id, statementId: uuid() };
    await insertStatement(tx, {
      id: of.statementId,
      importId,
      accountId: account.id,
      sha256: one.file.source.sha256,
      format: read?.format ?? one.file.judgement.format?.slice(0, 8) ?? '',
      statement: inFile.statement,
      added: plan?.added.length ?? 0,
    });
    if (plan && read) {
      await takeRows(tx, of, one.rows);
      await upsertDays(tx, account.id, plan.days);
      await upsertBalances(tx, account.id, closingBalances(read, plan.days));
    } else await insertAnnouncements(tx, of, announcements);
  }
  for (const accountId of touched) await tieAnnouncements(tx, accountId);
}

const rowsAtOnce = 1_000;

async function takeRows(
  tx: Tx,
  of: { readonly accountId: string; readonly statementId: string },
  added: readonly Omit<NewRow, 'id'>[],
): Promise<void> {
  for (let from = 0; from < added.length; from += rowsAtOnce) {
    const rows = added.slice(from, from + rowsAtOnce).map((row) => ({ ...row, id: uuid() }));
    await insertRows(tx, of, rows);
  }
}

/** What the file calls the account that somebody chose for it: asked once. */
async function learnIdentity(
  tx: Tx,
  account: IdentifiedAccount,
  said: string | null,
  actor: string,
): Promise<void> {
  const identity = identityOf(said);
  if (identity === null || findByIdentity([account], said)) return;
  if (ownNumber(account, identity) !== null) return;
  Object.assign(account, identity);
  await setIdentity(tx, account.id, account);
  const detail = { name: account.name, ...identity };
  await recordEvent(tx, { actor, action: 'bank_account.identified', subject: account.id, detail });
}

export function reportOf({ files, coming }: BankImportPlan): BankImportReport {
  const reported = files.map((file) => ({
    file: file.source.fileName,
    sha256: file.source.sha256,
    verdict: file.judgement.verdict,
    format: file.judgement.format,
    isUntoldList: file.isUntoldList,
    statements: coming
      .filter((one) => one.file === file)
      .sort((a, b) => a.inFile.statement.place - b.inFile.statement.place)
      .map(reportedStatement),
    problems: toldProblems(file.judgement),
  }));
  const taken = reported
    .flatMap(({ statements }) => statements)
    .filter(({ outcome }) => outcome === 'taken' || outcome === 'known');
  const total = (name: 'added' | 'known'): number =>
    taken.reduce((sum, statement) => sum + statement[name], 0);
  return {
    files: reported,
    taken: taken.filter(({ outcome }) => outcome === 'taken').length,
    added: total('added'),
    known: total('known'),
  };
}

function reportedStatement({
  inFile,
  account,
  outcome,
  plan,
  doubts,
  announcements,
}: Coming): ReportedStatement {
  const { statement } = inFile;
  return {
    outcome,
    ...factsOfStatement(statement),
    accountId: account?.id ?? null,
    accountName: account?.name ?? null,
    added: plan?.added.length ?? announcements.length,
    known: plan?.known ?? (statement.isNotice ? statement.entries - announcements.length : 0),
    doubts: doubts.map(reportedDoubt),
  };
}

const reportedDoubt = ({ day, rows, contradiction }: PlanDoubt): ReportedDoubt => {
  if (!contradiction) return { day, rows };
  if (contradiction.at === 'rows') return { day, rows, contradiction: { at: 'rows' } };
  const { at, known, told } = contradiction;
  return { day, rows, contradiction: { at, known: String(known), told: String(told) } };
};
