/** A voucher of a call: handed to the ledger, and how the ledger's answer is told. One by one and in bulk. */
import { callRefusal, type WriteCall } from '../../access/keys/write-calls.ts';
import {
  createBatcher,
  createBundleBatcher,
  oneOf,
  type Submit,
  type SubmitBundle,
} from '../../db/batching/batcher.ts';
import { linesOf, type Pool } from '../../db/pool.ts';
import { oreToNumber, sum } from '../../domain/basics/money.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import { holderOfCall } from '../../http/shedding.ts';
import type { LedgerRow } from '../../ledger/vouchers/posting-store.ts';
import { ledgerRefusal } from '../../ledger/vouchers/refusals.ts';
import {
  type PostedPlace,
  type PostItem,
  type PostOutcome,
  postVouchers,
} from '../../ledger/vouchers/store.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import type { VoucherInput } from './schemas.ts';

/** Hands vouchers to the ledger, those of all calls together. */
export interface Posters {
  readonly post: Submit<PostItem, PostOutcome>;
  /** The same for those of a bulk: never two batches beside each other, so that numbers follow its order. */
  readonly postInOrder: SubmitBundle<PostItem, PostOutcome>;
  /** Judges, and writes nothing. */
  readonly check: Submit<PostItem, PostOutcome>;
  readonly checkBundle: SubmitBundle<PostItem, PostOutcome>;
}

export function createPosters(pool: Pool): Posters {
  const batch = (name: string, maxInFlight: number, dryRun = false) => {
    const lineOf = linesOf(pool);
    return {
      name,
      maxItems: 200,
      maxInFlight,
      maxWeight: 20_000,
      weigh: (item: PostItem) => item.rows.length,
      holderOf: holderOfCall,
      run: (items: readonly PostItem[], line: number) => postVouchers(lineOf(line), items, dryRun),
    };
  };
  const tried = createBundleBatcher<PostItem, PostOutcome>(batch('vouchers tried', 1, true));
  return {
    post: createBatcher({ ...batch('vouchers', 2), follows: true }),
    postInOrder: createBundleBatcher(batch('vouchers in bulk', 1)),
    check: oneOf(tried),
    checkBundle: tried,
  };
}

/** Rows as they are posted. Throws 400 when they break the rules of vouchers, at paths that begin with `at`. */
export function balancedRows(given: VoucherInput['rows'], at = ''): LedgerRow[] {
  const rows = given.map((row) => ({
    account: row.account,
    debitOre: row.debit,
    creditOre: row.credit,
    note: row.note ?? null,
    costCenter: row.cost_center ?? null,
    project: row.project ?? null,
    vatCode: row.vat_code ?? undefined,
  }));
  const problems = checkVoucher(rows).map((fault) => ({ ...fault, path: `${at}${fault.path}` }));
  if (problems.length > 0) throw refuse('invalid_request', problems);
  return rows;
}

/** What is to be posted. Throws 400 when it breaks the rules of vouchers. */
export function itemOf(body: VoucherInput, call: WriteCall): PostItem {
  return {
    ...call,
    id: uuid(),
    series: body.seriesCode,
    date: body.date,
    description: body.description,
    counterparty: body.counterparty ?? null,
    source: body.source ?? 'api',
    externalId: body.externalId ?? null,
    rows: balancedRows(body.rows),
  };
}

/** Where the voucher was posted, or the refusal thrown. */
export function placeOf(outcome: PostOutcome, { request }: PostItem): PostedPlace {
  switch (outcome.outcome) {
    case 'posted':
    case 'replayed':
      return outcome;
    case 'unprocessable':
    case 'period_locked':
      throw ledgerRefusal(outcome.outcome, outcome.detail ?? {});
    default:
      throw callRefusal({ ...outcome, outcome: outcome.outcome }, request);
  }
}

/**
 * The same to whoever repeats the call: series and date are those of the same body, and nothing about a posted
 * voucher changes. Only its link follows the installation, should that have moved to another address meanwhile.
 */
export function postedAnswer(
  { series, date }: PostItem,
  { id, number }: PostedPlace,
  baseUrl: string,
) {
  return {
    id,
    series,
    number,
    label: `${series}${number}`,
    verification_date: date,
    url: `${baseUrl}/verifikat/${id}`,
  };
}

/** What a dry run answers when nothing is in the way. */
export const checkedAnswer = ({ series, date, rows }: PostItem) => ({
  dry_run: true as const,
  series,
  verification_date: date,
  total_amount: oreToNumber(sum(rows.map((row) => row.debitOre))),
});
