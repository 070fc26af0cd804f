/**
 * A SIE file taken into the books, whole or not at all: one transaction, in which every voucher goes through
 * the ledger's own door.
 */
import { recordEvent } from '../../audit/store.ts';
import type { Tx } from '../../db/pool.ts';
import {
  cut,
  type IdOfObject,
  isBooked,
  openingRows,
  postingRows,
} from '../../domain/ledger/sie/importing.ts';
import type { SieVoucher } from '../../domain/ledger/sie/posts.ts';
import { ruleLevel, SieProblems } from '../../domain/ledger/sie/problems.ts';
import { type SieEntry, SieReader } from '../../domain/ledger/sie/reading.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import { type Fault, refuse, refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { activateAccounts, insertMissingAccounts } from '../accounts/store.ts';
import { listDimensions } from '../dimensions/store.ts';
import { createYear } from '../fiscal-years/service.ts';
import { insertSeries } from '../fiscal-years/store.ts';
import { type LedgerVoucher, postToLedger } from '../vouchers/posting-store.ts';
import { ledgerRefusal } from '../vouchers/refusals.ts';
import {
  beginImport,
  type ImportedVoucher,
  insertImport,
  insertImportedVouchers,
  insertObjects,
  insertSieFile,
  listBooksSeries,
  listBooksYears,
  setSruCodes,
} from './import-store.ts';
import { type ImportChoices, type ImportPlan, planImport, type SieSource } from './planning.ts';
import { moreText, problemText, ruleName } from './wordings.ts';

export interface ImportOptions extends ImportChoices {
  /** The import's, when somebody has been told of it already. */
  readonly id?: string;
  /** Whether somebody has looked at what is in doubt; a file in doubt is not taken in before. */
  readonly isAccepted: boolean;
  /** Told of bytes read, now and then. */
  readonly progress?: (done: number, all: number) => void;
}

/** A file to take in, with its bytes compressed, to be kept. */
export interface KeptSource extends SieSource {
  readonly gzip: () => Promise<Buffer>;
}

export interface ImportOutcome {
  /** Null when nothing was taken in: the plan says why. */
  readonly id: string | null;
  readonly plan: ImportPlan;
}

/** So many are posted in one call of the ledger. */
const vouchersAtOnce = 1_000;
const rowsAtOnce = 8_000;
const retryAfterSeconds = '15';

/**
 * Takes the file in, in the caller's transaction. A file that is refused, or in doubt that nobody has accepted,
 * changes nothing. Throws `overloaded` while somebody else fills the books.
 */
export async function importSie(
  tx: Tx,
  source: KeptSource,
  options: ImportOptions,
  actor: string,
): Promise<ImportOutcome> {
  await requireTurn(tx);
  const plan = await planImport(tx, source, options);
  if (isStopped(plan, options.isAccepted)) return { id: null, plan };
  const id = options.id ?? uuid();
  await prepareBooks(tx, plan, actor);
  const { sha256, fileName, size } = source;
  await insertSieFile(tx, { sha256, fileName, size, gzip: await source.gzip() }, actor);
  await insertImport(tx, { id, sha256, fileName, report: reportOf(plan) }, actor);
  const posting = new Posting(tx, { id, plan, actor, idOf: await objectIds(tx) });
  await posting.open();
  if (plan.vouchers > 0) await posting.takeFile(source, options.progress);
  const { vouchers, year } = plan;
  const detail = { file_name: fileName, sha256, vouchers, year: year?.year ?? null };
  await recordEvent(tx, { actor, action: 'sie.imported', subject: id, detail });
  return { id, plan };
}

/** Whether the file does not come in, or not before somebody has looked. */
export const isStopped = ({ verdict }: Pick<ImportPlan, 'verdict'>, isAccepted: boolean): boolean =>
  verdict === 'refused' || (verdict === 'doubt' && !isAccepted);

/** From here on nobody else fills the books or empties them. */
export async function requireTurn(tx: Tx): Promise<void> {
  if (await beginImport(tx)) return;
  const headers = { 'retry-after': retryAfterSeconds };
  throw refuseWhole('overloaded', 'import_running', {}, { headers });
}

/** Years, accounts, objects and series that the vouchers need. */
async function prepareBooks(tx: Tx, plan: ImportPlan, actor: string): Promise<void> {
  for (const span of plan.newYears) await createYear(tx, span, actor);
  await insertMissingAccounts(tx, plan.newAccounts);
  await setSruCodes(
    tx,
    plan.newAccounts.flatMap(({ account, sru }) => (sru === null ? [] : { account, sru })),
  );
  await activateAccounts(tx, plan.accountsInUse);
  await insertObjects(tx, plan.objects);
  const needed = new Map<string, Set<string>>();
  const need = (year: string | null, code: string) => {
    if (year !== null) needed.set(year, (needed.get(year) ?? new Set()).add(code));
  };
  for (const { year, to } of plan.series) need(year, to);
  if (plan.opening.way === 'posted') need(plan.year?.start ?? null, plan.opening.series);
  const years = await listBooksYears(tx);
  const existing = await listBooksSeries(tx);
  for (const { id, start, year } of years) {
    const missing = [...(needed.get(start) ?? [])].filter(
      (code) => !existing.some((one) => one.year_start === start && one.code === code),
    );
    if (missing.length === 0) continue;
    await insertSeries(
      tx,
      id,
      missing.map((code) => ({ code, name: 'Ur SIE-fil' })),
    );
    for (const code of missing) {
      const detail = { year, name: 'Ur SIE-fil' };
      await recordEvent(tx, { actor, action: 'series.created', subject: code, detail });
    }
  }
}

const kindOf = new Map([
  ['1', 'cost_center'],
  ['6', 'project'],
]);

async function objectIds(tx: Tx): Promise<IdOfObject> {
  const ids = new Map(
    (await listDimensions(tx)).map(({ id, kind, code }) => [`${kind} ${code}`, id]),
  );
  return ({ dimension, code }) => ids.get(`${kindOf.get(dimension)} ${code}`) ?? null;
}

interface PostingPlan {
  readonly id: string;
  readonly plan: ImportPlan;
  readonly actor: string;
  readonly idOf: IdOfObject;
}

/** A voucher on its way, with what it was called in the file. */
interface Coming extends ImportedVoucher {
  readonly voucher: LedgerVoucher;
  /** The number it must get, when its series keeps them. */
  readonly kept: number | null;
}

class Posting {
  readonly #tx: Tx;
  readonly #plan: PostingPlan;
  readonly #destinations: ReadonlyMap<string, { readonly to: string; readonly isKept: boolean }>;
  #batch: Coming[] = [];
  #batchRows = 0;
  /** The batch before, being posted while this one is read. */
  #posted: Promise<void> = Promise.resolve();

  constructor(tx: Tx, plan: PostingPlan) {
    this.#tx = tx;
    this.#plan = plan;
    this.#destinations = new Map(
      plan.plan.series.map(({ code, year, to, isKept }) => [keyOf(code, year), { to, isKept }]),
    );
  }

  /** What the year began with, before anything else of it. */
  async open(): Promise<void> {
    const { opening, year } = this.#plan.plan;
    if (opening.way !== 'posted' || !year) return;
    const id = uuid();
    this.#add({
      voucherId: id,
      series: '',
      number: '',
      line: null,
      registered: null,
      signature: null,
      kept: null,
      voucher: {
        id,
        series: opening.series,
        date: year.start,
        description: 'Ingående balans',
        counterparty: null,
        source: 'opening',
        actor: this.#plan.actor,
        rows: openingRows(opening.balances, opening.objects, this.#plan.idOf),
      },
    });
    await this.#flush();
  }

  async takeFile(
    { open, size }: SieSource,
    progress: (done: number, all: number) => void = () => undefined,
  ): Promise<void> {
    const reader = new SieReader(this.#plan.plan.letters, new SieProblems());
    let done = 0;
    for await (const chunk of open()) {
      for (const entry of reader.read(chunk)) await this.#take(entry);
      done += chunk.length;
      progress(done, size);
    }
    for (const entry of reader.end()) await this.#take(entry);
    await this.#flush();
  }

  async #take({ post, line }: SieEntry): Promise<void> {
    if (post.label !== 'VER' || !isBooked(post)) return;
    this.#add(this.#coming(post, line));
    if (this.#batch.length >= vouchersAtOnce || this.#batchRows >= rowsAtOnce) await this.#send();
  }

  #coming(post: SieVoucher, line: number): Coming {
    const { plan, actor, idOf } = this.#plan;
    const series = plan.seriesOf(post);
    const { to, isKept } = this.#destinations.get(keyOf(series?.code, series?.year)) ?? {};
    if (to === undefined) throw new Error(`the plan knows no series for line ${line}`);
    const id = uuid();
    return {
      voucherId: id,
      series: cut(post.series, labelMax),
      number: cut(post.number, labelMax),
      line,
      registered: post.registered,
      signature: cut(post.signature.trim(), labelMax) || null,
      kept: isKept ? Number(post.number) : null,
      voucher: {
        id,
        series: to,
        date: post.date,
        description: cut(post.text),
        counterparty: null,
        source: 'import',
        actor,
        rows: postingRows(post, idOf),
      },
    };
  }

  #add(coming: Coming): void {
    this.#batch.push(coming);
    this.#batchRows += coming.voucher.rows.length;
  }

  /** Begins to post what has gathered, once what was sent before is posted. */
  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchRows = 0;
    await this.#posted;
    if (batch.length === 0) return;
    this.#posted = this.#post(batch);
    // It is waited for with the next batch; until then nobody listens.
    this.#posted.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    await this.#send();
    await this.#posted;
  }

  async #post(batch: readonly Coming[]): Promise<void> {
    for (const one of batch) {
      const [fault] = checkVoucher(one.voucher.rows);
      if (fault) throw ofVoucher(one, refuse('unprocessable', [fault]));
    }
    const outcomes = await postToLedger(
      this.#tx,
      batch.map(({ voucher }) => voucher),
    );
    batch.forEach((one, nth) => {
      const outcome = outcomes[nth];
      if (outcome?.error) {
        throw ofVoucher(one, ledgerRefusal(outcome.error, outcome.detail ?? {}));
      }
      if (outcome?.number == null || (one.kept !== null && one.kept !== outcome.number)) {
        throw new Error(`line ${one.line}: number ${outcome?.number} instead of ${one.kept}`);
      }
    });
    await insertImportedVouchers(this.#tx, this.#plan.id, batch);
  }
}

const labelMax = 100;
const keyOf = (code: string | undefined, year: string | null | undefined): string =>
  `${code}\n${year}`;

/** What the plan did not foresee, told of the voucher that it is about. */
const ofVoucher = ({ series, number, line }: Coming, cause: ReturnType<typeof refuse>): Error => {
  const because = cause.faults[0] ?? cause.whole;
  if (because === null) return cause;
  // What the year began with stands on no line of its own.
  const params = { voucher: `${series} ${number}`.trim(), line: line ?? 0, because };
  const fault: Fault = { path: 'file', reason: 'sie_voucher_refused', params };
  return refuse('unprocessable', [fault], { cause });
};

/** What is kept of an import for good, and told of one that is only looked at. */
export function reportOf(plan: ImportPlan) {
  const { judgement, year, newYears, opening, series, problems, more } = plan;
  const { type, encoding, program, company } = judgement;
  const shown = (ore: bigint | null) => (ore === null ? null : String(ore));
  return {
    type,
    encoding,
    program,
    company,
    verdict: plan.verdict,
    year: year?.year ?? null,
    vouchers: plan.vouchers,
    rows: plan.rows,
    new_years: newYears.map(({ start, end }) => ({ start, end })),
    opening: {
      way: opening.way,
      series: opening.way === 'posted' ? opening.series : null,
      // What a person laid on an account because the file's did not come to nothing; öre, as text.
      difference: opening.difference && {
        account: String(opening.difference.account),
        ore: String(opening.difference.balanceOre),
      },
    },
    series: series.map(({ code, year: start, count, first, highest, to, isKept }) => ({
      code,
      year: start,
      count,
      first,
      last: highest,
      to,
      is_kept: isKept,
    })),
    new_accounts: plan.newAccounts.map(({ account, name, type: of }) => ({
      account,
      name,
      type: of,
    })),
    accounts_in_use: plan.accountsInUse,
    objects: plan.objects,
    // Öre, as text.
    accounts: plan.accounts.map(({ account, name, rows, opening: ib, moved, closing, booked }) => ({
      account,
      name,
      rows,
      opening: shown(ib),
      moved: String(moved),
      closing: shown(closing),
      booked: shown(booked),
    })),
    problems: [
      ...problems.map((problem) => ({
        line: problem.line,
        level: ruleLevel(problem.rule),
        rule: ruleName(problem.rule),
        message: problemText(problem),
      })),
      ...more.map((rest) => ({
        line: null,
        level: ruleLevel(rest.rule),
        rule: ruleName(rest.rule),
        message: moreText(rest),
      })),
    ],
  };
}
export type ImportReport = ReturnType<typeof reportOf>;
