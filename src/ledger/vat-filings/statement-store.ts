/** Who bought what counts in boxes 35, 38 and 39. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { StatementColumn } from '../../domain/ledger/recapitulative-statement.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';
import { brief, countsWithin, elsewhere, type VoucherInBrief } from './voucher-store.ts';

export interface StatementSale extends VoucherInBrief {
  readonly column: StatementColumn;
  readonly vatNumber: string | null;
  readonly ore: bigint;
}

/**
 * Voucher by voucher: the buyer is the invoice's, as frozen at booking, or else the one customer who is called as the
 * voucher's counterparty.
 */
export function listStatementSales(db: Db, { start, end }: DateSpan): Promise<StatementSale[]> {
  return db.query<StatementSale>(
    sql`with codes as (
          select c.vat_code, case b.box when '35' then 'goods' when '38' then 'triangulation' else 'services' end as column
          from (select distinct a.vat_code from ledger.accounts a where a.vat_code is not null) as c
          cross join lateral ledger.vat_box(1000, c.vat_code) as b where b.box in ('35', '38', '39')
        ), ${elsewhere}
        select ${brief}, c."column",
          coalesce(nullif(upper(regexp_replace(i.debtor ->> 'vatNumber', '[^A-Za-z0-9]', '', 'g')), ''), k.vat_number)
            as "vatNumber",
          sum(r.credit_ore - r.debit_ore)::bigint as ore
        from ledger.vouchers v
        join ledger.voucher_rows r on r.voucher_id = v.id and r.account not between 2610 and 2650
        join codes c on c.vat_code = r.vat_code
        left join sales.invoices i on i.voucher_id = v.id
        left join lateral (
          select min(k.vat_number) as vat_number from sales.customers k
          where i.id is null and lower(k.name) = lower(v.counterparty) and k.vat_number is not null
          having count(distinct k.vat_number) = 1) as k on true
        where ${countsWithin({ start, end })}
        group by v.id, v.series, v.number, v.verification_date, v.description, c."column", 7
        order by v.verification_date, v.series, v.number`,
  );
}
