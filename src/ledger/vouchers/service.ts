/** Vouchers that the application posts by itself or for a person, one at a time. */
import type { Tx } from '../../db/pool.ts';
import { absolute, type Ore } from '../../domain/basics/money.ts';
import { checkVoucher } from '../../domain/ledger/voucher.ts';
import { refuse } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';
import { type LedgerRow, type LedgerVoucher, postToLedger } from './posting-store.ts';
import { ledgerRefusal, lockAtDate } from './refusals.ts';

export interface AppVoucher extends Pick<LedgerVoucher, 'series' | 'date' | 'description'> {
  readonly counterparty: string | null;
  /** One of the application's own (`reservedSources`); `app` unless said. */
  readonly source?: string;
  readonly rows: readonly LedgerRow[];
}

export interface PostedAppVoucher {
  readonly id: string;
  readonly series: string;
  readonly number: number;
}

const counterpartyMax = 200;

/**
 * Posts a voucher in the caller's transaction. Throws 400 when it breaks the rules of vouchers, and 422
 * `unprocessable` or `period_locked` when the ledger refuses it; each names the field, a lock the date.
 */
export async function postAppVoucher(
  tx: Tx,
  voucher: AppVoucher,
  actor: string,
): Promise<PostedAppVoucher> {
  const problems = checkVoucher(voucher.rows);
  if (problems.length > 0) throw refuse('invalid_request', problems);
  const id = uuid();
  const { series, source = 'app' } = voucher;
  const counterparty =
    voucher.counterparty && [...voucher.counterparty].slice(0, counterpartyMax).join('');
  const [outcome] = await postToLedger(tx, [{ ...voucher, id, source, counterparty, actor }]);
  if (outcome?.error) throw lockAtDate(ledgerRefusal(outcome.error, outcome.detail ?? {}));
  if (outcome?.number == null) throw new Error('the ledger gave the voucher no number');
  return { id, series, number: outcome.number };
}

export interface Transfer
  extends Pick<LedgerVoucher, 'series' | 'date' | 'description' | 'source' | 'counterparty'> {
  readonly debit: number;
  readonly credit: number;
  /** Not 0. Below zero it goes the other way. */
  readonly amountOre: Ore;
}

/** Posts one amount from one account to another; as `postAppVoucher`. Answers the voucher's id. */
export async function postTransfer(
  tx: Tx,
  { debit, credit, amountOre, ...voucher }: Transfer,
  actor: string,
): Promise<string> {
  const [to, from] = amountOre > 0n ? [debit, credit] : [credit, debit];
  const ore = absolute(amountOre);
  const rows = [
    { account: to, debitOre: ore, creditOre: 0n },
    { account: from, debitOre: 0n, creditOre: ore },
  ];
  return (await postAppVoucher(tx, { ...voucher, rows }, actor)).id;
}
