/** Accruals and depreciation: what people plan, and posting what falls due of it, each once. */
import { recordEvent } from '../../audit/store.ts';
import { db, inSavepoint, type Pool, type Tx, withTx } from '../../db/pool.ts';
import { type Ore, sum } from '../../domain/basics/money.ts';
import { refuseAny } from '../../domain/basics/problems.ts';
import {
  accrualFaults,
  isPrepaid,
  notBefore,
  plannedPostings,
} from '../../domain/ledger/accrual.ts';
import { signedRow } from '../../domain/ledger/voucher.ts';
import { type Fault, movingFaults, Refusal, refuse, refuseWhole } from '../../lib/errors.ts';
import { monthInWords } from '../../lib/swedish.ts';
import { uuid } from '../../lib/uuid.ts';
import { lockLedger } from '../locks/store.ts';
import { postAppVoucher } from '../vouchers/service.ts';
import {
  type Accrual,
  type AccrualFacts,
  type AccrualPart,
  type AccrualPosting,
  deleteUnposted,
  findLatestSeries,
  getOriginAmounts,
  insertAccrual,
  insertPostings,
  listAccountStates,
  listDueAccruals,
  listPostings,
  lockAccrual,
  moveUnposted,
  setCancelled,
  setPosted,
  setProblem,
} from './store.ts';

/** As a person writes it. */
export interface WrittenAccrual extends AccrualFacts {
  /** What is dated before it is posted on it: chosen by whoever sees that those days are locked. */
  readonly lateOn: string | null;
}

interface Doing {
  readonly today: string;
  readonly actor: string;
}

/** What it would post, or why it cannot be kept, at its fields. */
export async function judgeAccrual(tx: Tx, written: WrittenAccrual): Promise<void> {
  refuseAny(accrualFaults(written));
  const { resultAccount, balanceAccount, series, originVoucherId, kind, amountOre } = written;
  const states = await listAccountStates(tx, [resultAccount, balanceAccount]);
  const faults = (
    [
      ['resultAccount', resultAccount],
      ['balanceAccount', balanceAccount],
    ] as const
  ).flatMap(([path, account]): Fault[] => {
    const state = states.find(({ number }) => number === account);
    if (state?.is_active) return [];
    const reason = state ? 'inactive_account' : 'unknown_account';
    return [{ path, reason, params: { account } }];
  });
  const latest = await findLatestSeries(tx, series);
  if (latest?.isThere === false) {
    faults.push({
      path: 'series',
      reason: 'unknown_series',
      params: { series, year: latest.year },
    });
  }
  if (originVoucherId !== null) {
    const origin = await getOriginAmounts(tx, originVoucherId, resultAccount);
    if (!origin) throw refuseWhole('not_found', 'no_voucher');
    const bookedOre = kind === 'prepaid_income' ? -origin.bookedOre : origin.bookedOre;
    const leftOre = bookedOre - origin.plannedOre;
    // What is accrued or wears out is on other accounts of the voucher.
    if (isPrepaid(kind) && amountOre > leftOre) {
      const params = { account: resultAccount, leftOre, voucher: origin.voucher };
      faults.push({ path: 'amount', reason: 'more_than_origin', params });
    }
  }
  refuseAny(faults);
}

/**
 * Keeps the plan and posts what has fallen due of it, by whoever plans it. Throws 422 with what is wrong at the fields,
 * also when a lock stops a day: it is never posted on another day than the person has said.
 */
export async function createAccrual(
  tx: Tx,
  written: WrittenAccrual,
  doing: Doing,
): Promise<{ readonly id: string; readonly posted: number }> {
  // Two who spread the same invoice see each other, and a lock is set before or after.
  await lockLedger(tx);
  await judgeAccrual(tx, written);
  const id = uuid();
  await insertAccrual(tx, { ...written, id }, doing.actor);
  await insertPostings(tx, id, notBefore(plannedPostings(written), written.lateOn));
  const { kind, amountOre, months, description } = written;
  const detail = { name: description, kind, amount_ore: String(amountOre), months };
  await recordEvent(tx, { actor: doing.actor, action: 'accrual.added', subject: id, detail });
  const accrual = await lockAccrual(tx, id);
  if (!accrual) throw new Error('the accrual that was just kept is not there');
  try {
    let posted = 0;
    for (const posting of await listDue(tx, id, doing.today)) {
      await postOne(tx, accrual, posting, doing.actor);
      posted += 1;
    }
    return { id, posted };
  } catch (error) {
    throw atFields(error);
  }
}

const listDue = async (tx: Tx, id: string, today: string): Promise<AccrualPosting[]> =>
  (await listPostings(tx, id)).filter(({ voucherId, date }) => voucherId === null && date <= today);

/** What the ledger says of a voucher, said of the plan's fields. */
function atFields(error: unknown): unknown {
  if (error instanceof Refusal && error.code === 'period_locked') {
    const [fault] = error.faults;
    if (fault?.reason !== 'period_locked') return error;
    const { params } = fault as Extract<Fault, { reason: 'period_locked' }>;
    return refuse('unprocessable', [{ path: 'lateOn', reason: 'accrual_locked', params }], {
      detail: error.detail,
    });
  }
  const fields: Readonly<Record<string, string>> = {
    series: 'series',
    date: 'firstMonth',
    'rows[0].account': 'resultAccount',
    'rows[1].account': 'balanceAccount',
    'rows[0].cost_center': 'costCenter',
    'rows[0].project': 'project',
  };
  return movingFaults(error, ({ path }) => fields[path] ?? '');
}

const parts: Readonly<Record<AccrualPart, (date: string) => string>> = {
  move: () => 'förs till kommande månader',
  share: (date) => monthInWords(date),
  back: () => 'återförs',
  rest: () => 'det som återstod',
};

const descriptionMax = 500;

async function postOne(
  tx: Tx,
  accrual: Accrual,
  { place, part, date, resultOre }: Pick<AccrualPosting, 'place' | 'part' | 'date' | 'resultOre'>,
  actor: string,
): Promise<void> {
  const { id, series, description, costCenter, project, resultAccount, balanceAccount } = accrual;
  // VAT has been in its box already: these rows are in none.
  const rows = [
    { ...signedRow(resultAccount, resultOre), costCenter, project, vatCode: null },
    { ...signedRow(balanceAccount, -resultOre), vatCode: null },
  ];
  const words = `${description}, ${parts[part](date)}`;
  const voucher = await postAppVoucher(
    tx,
    {
      series,
      date,
      description: [...words].slice(0, descriptionMax).join(''),
      counterparty: null,
      source: 'accrual_posting',
      rows,
    },
    actor,
  );
  await setPosted(tx, { id, place }, voucher.id);
}

export interface PostingDue extends Doing {
  readonly signal?: AbortSignal;
  /** Told of a plan that broke in a way that nobody has foreseen: the others are posted. */
  readonly onBroken: (id: string, error: unknown) => void;
}

/**
 * Posts everything that has fallen due, each on its own day, also what fell due while nothing ran. What a lock or an
 * account in disuse stops keeps its day, says why, and is tried again. Run again, or by several at once, it posts
 * nothing twice: a plan is held while its postings are made, and each notes its voucher in the same transaction.
 */
export async function postDue(
  pool: Pool,
  posting: PostingDue,
): Promise<{ readonly posted: number; readonly stopped: number }> {
  let posted = 0;
  let stopped = 0;
  for (const id of await listDueAccruals(db(pool), posting.today)) {
    posting.signal?.throwIfAborted();
    try {
      const one = await withTx(pool, (tx) => postDueOf(tx, id, posting));
      posted += one.posted;
      stopped += one.stopped;
    } catch (error) {
      posting.onBroken(id, error);
    }
  }
  return { posted, stopped };
}

async function postDueOf(tx: Tx, id: string, { today, actor }: Doing) {
  const result = { posted: 0, stopped: 0 };
  const accrual = await lockAccrual(tx, id);
  if (!accrual) return result;
  for (const posting of await listDue(tx, id, today)) {
    try {
      await inSavepoint(tx, () => postOne(tx, accrual, posting, actor));
      result.posted += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { whole, faults } = error;
      const known = faults.filter((one): one is Fault => !('message' in one));
      const [fault] = known.length === 0 && whole ? [{ path: '', ...whole }] : known;
      if (!fault) throw error;
      await setProblem(tx, { id, place: posting.place }, fault);
      result.stopped += 1;
    }
  }
  return result;
}

async function lockOpen(tx: Tx, id: string): Promise<Accrual> {
  const accrual = await lockAccrual(tx, id);
  if (!accrual) throw refuseWhole('not_found', 'no_accrual');
  if (accrual.cancelledAt !== null) throw refuseWhole('unprocessable', 'accrual_cancelled');
  return accrual;
}

/**
 * Gives what waits and is dated before the day that day, as a person has said, and posts what has fallen due by then.
 * For what a lock has stopped.
 */
export async function moveAccrual(
  tx: Tx,
  { id, to }: { readonly id: string; readonly to: string },
  { today, actor }: Doing,
): Promise<number> {
  const accrual = await lockOpen(tx, id);
  const moved = await moveUnposted(tx, id, to);
  if (moved === 0) throw refuse('unprocessable', [{ path: 'to', reason: 'nothing_to_move' }]);
  const detail = { to, postings: moved };
  await recordEvent(tx, { actor, action: 'accrual.moved', subject: id, detail });
  try {
    for (const posting of await listDue(tx, id, today)) await postOne(tx, accrual, posting, actor);
  } catch (error) {
    throw movingFaults(error, () => 'to');
  }
  return moved;
}

/** On the balance account of what is posted and stands; debit above zero. Depreciation is to stand there. */
export const restOf = (accrual: Pick<Accrual, 'kind'>, postings: readonly AccrualPosting[]): Ore =>
  accrual.kind === 'depreciation'
    ? 0n
    : -sum(
        postings
          .filter(({ voucherId, takenBackBy }) => voucherId !== null && takenBackBy === null)
          .map(({ resultOre }) => resultOre),
      );

/**
 * What is not posted will not be. `restOn` is the day on which what stands on the balance account of it goes back to
 * the result; null leaves it there, for somebody to book otherwise.
 */
export async function cancelAccrual(
  tx: Tx,
  { id, restOn }: { readonly id: string; readonly restOn: string | null },
  { actor }: Doing,
): Promise<void> {
  const accrual = await lockOpen(tx, id);
  const postings = await listPostings(tx, id);
  const remaining = await deleteUnposted(tx, id);
  if (remaining === 0) throw refuseWhole('unprocessable', 'accrual_done');
  const restOre = restOf(accrual, postings);
  if (restOn !== null) {
    if (restOre === 0n) throw refuse('unprocessable', [{ path: 'restOn', reason: 'no_rest' }]);
    const rest = { part: 'rest' as const, date: restOn, resultOre: restOre };
    await insertPostings(tx, id, [rest]);
    const [added] = (await listPostings(tx, id)).filter(({ part }) => part === 'rest');
    if (!added) throw new Error('the rest that was just planned is not there');
    try {
      await postOne(tx, accrual, added, actor);
    } catch (error) {
      throw movingFaults(error, () => 'restOn');
    }
  }
  await setCancelled(tx, id, actor);
  const detail = { name: accrual.description, postings: remaining, rest_on: restOn };
  await recordEvent(tx, { actor, action: 'accrual.cancelled', subject: id, detail });
}
