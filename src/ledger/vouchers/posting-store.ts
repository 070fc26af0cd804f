/** The door to `ledger.post`, and behind it `ledger.post_vouchers`: the one way a voucher comes to be. */
import type { Tx } from '../../db/pool.ts';
import {
  numberArray,
  prepared,
  type Sql,
  sql,
  textArrayIfAny,
  wordArrayIfAny,
} from '../../db/sql.ts';

export interface LedgerRow {
  readonly account: number;
  readonly debitOre: bigint;
  readonly creditOre: bigint;
  readonly note?: string | null;
  readonly costCenter?: string | null;
  readonly project?: string | null;
  /** Left out, it is the account's of the moment when it is posted; null, the row has none. */
  readonly vatCode?: string | null | undefined;
}

/** A voucher of the application's own. */
export interface LedgerVoucher {
  readonly id: string;
  readonly series: string;
  readonly date: string;
  readonly description: string;
  readonly counterparty: string | null;
  readonly source: string;
  /** Who, where the database does not know it better (`audit.actor`); one for all that are posted together. */
  readonly actor: string;
  readonly rows: readonly LedgerRow[];
}

export interface LedgerOutcome {
  /** The voucher's number; null when refused, and on a dry run. */
  number: number | null;
  error: 'unprocessable' | 'period_locked' | null;
  detail: Record<string, unknown> | null;
}

type HasRows = { readonly rows: readonly LedgerRow[] };

/** What `of` says of each row, one voucher after the other; `item` points at the voucher and `no` at the row, from 1. */
function ofRows<T>(
  vouchers: readonly HasRows[],
  of: (row: LedgerRow, item: number, no: number) => T,
): T[] {
  const all: T[] = [];
  let item = 0;
  for (const { rows } of vouchers) {
    item += 1;
    for (let no = 1; no <= rows.length; no += 1) all.push(of(rows[no - 1] as LedgerRow, item, no));
  }
  return all;
}

/** The rows of many vouchers as parallel arrays: item, number, account, debit, credit. */
export const plainRowArrays = (vouchers: readonly HasRows[]): Sql =>
  sql`${numberArray(ofRows(vouchers, (_, item) => item))}::integer[],
    ${numberArray(ofRows(vouchers, (_, __, no) => no))}::integer[],
    ${numberArray(ofRows(vouchers, ({ account }) => account))}::integer[],
    ${numberArray(ofRows(vouchers, ({ debitOre }) => debitOre))}::bigint[],
    ${numberArray(ofRows(vouchers, ({ creditOre }) => creditOre))}::bigint[]`;

/** The same with what else a row may carry: note and dimensions, each list null when no row has any. */
export const rowArrays = (vouchers: readonly HasRows[]): Sql =>
  sql`${plainRowArrays(vouchers)},
    ${textArrayIfAny(ofRows(vouchers, ({ note }) => note ?? null))}::text[],
    ${wordArrayIfAny(ofRows(vouchers, ({ costCenter }) => costCenter ?? null))}::uuid[],
    ${wordArrayIfAny(ofRows(vouchers, ({ project }) => project ?? null))}::uuid[]`;

/** What rows say of their VAT codes, in the same order: nothing, a code, or '' for none. Null when none says anything. */
export function vatCodeArray(vouchers: readonly HasRows[]): Sql {
  const codes = ofRows(vouchers, ({ vatCode }) => (vatCode === undefined ? null : (vatCode ?? '')));
  return sql`${textArrayIfAny(codes)}::text[]`;
}

/**
 * Posts vouchers in the caller's transaction; one that is refused never harms the others. A dry run
 * judges them, and keeps their series locked until commit, so that what passes it can be posted.
 */
export function postToLedger(
  tx: Tx,
  vouchers: readonly LedgerVoucher[],
  options: { readonly dryRun: boolean } = { dryRun: false },
): Promise<LedgerOutcome[]> {
  return tx.query<LedgerOutcome>(
    prepared(
      'post to ledger',
      sql`select number, error, detail
          from ledger.post(
            ${vouchers.map((voucher) => voucher.id)}::uuid[],
            ${vouchers.map((voucher) => voucher.series)}::text[],
            ${vouchers.map((voucher) => voucher.date)}::date[],
            ${vouchers.map((voucher) => voucher.description)}::text[],
            ${vouchers.map((voucher) => voucher.counterparty)}::text[],
            ${vouchers.map((voucher) => voucher.source)}::text[],
            ${vouchers[0]?.actor ?? null}::text,
            ${rowArrays(vouchers)},
            p_dry_run => ${options.dryRun},
            p_row_vat_code => ${vatCodeArray(vouchers)})
          order by item`,
    ),
  );
}
