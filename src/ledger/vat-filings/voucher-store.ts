/** Vouchers as VAT returns see them: in few words, and where they count. */
import { type Sql, sql } from '../../db/sql.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';

/** A voucher in few words. */
export interface VoucherInBrief {
  readonly id: string;
  readonly series: string;
  readonly number: number;
  readonly date: string;
  readonly description: string;
}

/** Of the voucher `v`. */
export const brief = sql`v.id, v.series, v.number, v.verification_date as date, v.description`;

/** Asked once for what `countsWithin` asks of each voucher. */
export const elsewhere = sql`elsewhere as materialized (
  select e.voucher_id, e.counts_on from ledger.counted_elsewhere() e
)`;

/** Whether the voucher `v` counts in the VAT return of the days: stands in them, or is assigned there. */
export const countsWithin = ({ start, end }: DateSpan): Sql =>
  sql`(v.verification_date between ${start}::date and ${end}::date
      and not exists (select from elsewhere e where e.voucher_id = v.id)
    or v.id in (select e.voucher_id from elsewhere e
      where e.counts_on between ${start}::date and ${end}::date))`;
