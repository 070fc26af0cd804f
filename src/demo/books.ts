/** What the parts of the example company have in common while it is being made. */
import type { Tx } from '../db/pool.ts';
import type { Ore } from '../domain/basics/money.ts';
import { type LedgerVoucher, postToLedger } from '../ledger/vouchers/posting-store.ts';
import { uuid } from '../lib/uuid.ts';
import type { Calendar } from './calendar.ts';

export interface Books {
  readonly tx: Tx;
  readonly calendar: Calendar;
  /** Who did it, as vouchers and the audit trail say. */
  readonly actors: Readonly<Record<'owner' | 'administrator' | 'bookkeeper', string>>;
  /** Ids of customers and dimensions, by key and code. */
  readonly customerIds: ReadonlyMap<string, string>;
  readonly dimensionIds: ReadonlyMap<string, string>;
}

/** One account of a planned voucher: above zero in debit, below in credit. */
export interface PlannedRow {
  readonly account: number;
  readonly ore: Ore;
  readonly costCenter?: string;
  readonly project?: string;
  readonly note?: string;
}

export interface PlannedVoucher {
  readonly series: 'A' | 'M' | 'P';
  readonly date: string;
  readonly description: string;
  readonly counterparty?: string;
  readonly source: 'app' | 'vat' | 'opening' | 'closing' | 'reversal';
  readonly rows: readonly PlannedRow[];
  /** The receipt or the like that comes with it; none when the bank's list documents it. */
  readonly document?: 'receipt' | 'photo' | 'note';
}

export interface PostedVoucher extends PlannedVoucher {
  readonly id: string;
  readonly number: number;
}

/** Whole kronor as öre. */
export const kronor = (amount: number): Ore => BigInt(amount) * 100n;

/** As the ledger takes them. A row of nothing is left out. */
export const ledgerRowsOf = (
  { dimensionIds }: Books,
  rows: readonly PlannedRow[],
): LedgerVoucher['rows'] =>
  rows
    .filter(({ ore }) => ore !== 0n)
    .map(({ account, ore, costCenter, project, note = null }) => ({
      account,
      debitOre: ore > 0n ? ore : 0n,
      creditOre: ore < 0n ? -ore : 0n,
      note,
      costCenter: (costCenter && dimensionIds.get(costCenter)) ?? null,
      project: (project && dimensionIds.get(project)) ?? null,
    }));

/** Posts them in this order; the story is wrong when one of them is refused. */
export async function post(
  books: Books,
  planned: readonly PlannedVoucher[],
): Promise<PostedVoucher[]> {
  if (planned.length === 0) return [];
  const vouchers = planned.map((voucher): LedgerVoucher => {
    const { series, date, description, counterparty = null, source } = voucher;
    const rows = ledgerRowsOf(books, voucher.rows);
    const actor = books.actors.bookkeeper;
    return { id: uuid(), series, date, description, counterparty, source, actor, rows };
  });
  const outcomes = await postToLedger(books.tx, vouchers);
  return planned.map((voucher, index) => {
    const { number = null, ...refusal } = outcomes[index] ?? {};
    const id = vouchers[index]?.id;
    if (number === null || id === undefined) {
      throw new Error(
        `a demo voucher was refused: ${voucher.description} ${voucher.date} ${JSON.stringify(refusal)}`,
      );
    }
    return { ...voucher, id, number };
  });
}
