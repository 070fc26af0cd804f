/** Sales with the VAT of other countries, for the return in the one stop shop. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { OssSale } from '../../domain/ledger/oss-return.ts';
import type { DateSpan } from '../../domain/ledger/vat-deadlines.ts';

export interface OssBooks {
  readonly sales: readonly OssSale[];
  /** What the days have posted on 2670: credit less debit. Payments and vouchers by hand are in it. */
  readonly postedOre: bigint;
}

export async function readOssBooks(db: Db, { start, end }: DateSpan): Promise<OssBooks> {
  const sales = await db.query<OssSale>(
    sql`select quarter, country, rate_e2 as "rateE2", supply, currency, net, vat,
          net_ore as "netOre", vat_ore as "vatOre"
        from sales.oss_sales(${start}::date, ${end}::date)`,
  );
  const [posted] = await db.query<{ ore: bigint }>(
    sql`select coalesce(sum(r.credit_ore - r.debit_ore), 0)::bigint as ore from ledger.voucher_rows r
        where r.account = 2670 and r.verification_date between ${start}::date and ${end}::date`,
  );
  return { sales, postedOre: posted?.ore ?? 0n };
}

type Told = Record<'quarter' | 'country' | 'supply' | 'currency', string> &
  Record<'rate_e2' | 'net' | 'vat' | 'net_ore' | 'vat_ore', number>;

/** The same, as a key may read it. */
export async function readOssBooksByKey(db: Db, { start, end }: DateSpan): Promise<OssBooks> {
  const [books] = await db.query<{ posted_ore: bigint; sales: Told[] }>(
    sql`select posted_ore, sales from api.list_oss_sales(${start}::date, ${end}::date)`,
  );
  return {
    postedOre: books?.posted_ore ?? 0n,
    sales: (books?.sales ?? []).map((sale) => ({
      quarter: sale.quarter,
      country: sale.country,
      rateE2: sale.rate_e2,
      supply: sale.supply === 'services' ? 'services' : 'goods',
      currency: sale.currency,
      net: BigInt(sale.net),
      vat: BigInt(sale.vat),
      netOre: BigInt(sale.net_ore),
      vatOre: BigInt(sale.vat_ore),
    })),
  };
}

/** Whether the company files in the one stop shop, or has sold so. */
export async function hasOneStopShop(db: Db): Promise<boolean> {
  const [found] = await db.query<{ has: boolean }>(
    sql`select exists (select from restricted.company c where c.order_oss_is_on)
          or exists (select from sales.invoice_rows r where r.oss_country is not null) as has`,
  );
  return found?.has ?? false;
}
