/** Losses on invoices: what they are made up of, and what stands of them. */
import type { Db } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { LostRow, StandingLoss, TaxedShare } from '../../domain/sales/bad-debt.ts';

/**
 * What of a booked invoice was sold with VAT, by rate and VAT code as posted, less what booked credit notes have
 * taken; the account's code where the sale was posted in other books.
 */
export function listTaxedShares(db: Db, invoiceId: string): Promise<TaxedShare[]> {
  return db.query<TaxedShare>(
    sql`select r.vat_rate as rate, coalesce(sold.vat_code, a.vat_code) as "vatCode",
          sum(r.net_ore * sign.of)::bigint as "netOre", sum(r.vat_ore * sign.of)::bigint as "vatOre"
        from sales.invoices i
        join sales.invoices part on part.id = i.id
          or part.credited_invoice_id = i.id and part.status <> 'draft'
        cross join lateral (select case part.kind when 'invoice' then 1 else -1 end as of) as sign
        join sales.invoice_rows r on r.invoice_id = part.id
        join ledger.accounts a on a.number = r.account
        left join lateral (select v.vat_code from ledger.voucher_rows v
          where v.voucher_id = i.voucher_id and v.account = r.account limit 1) as sold on true
        where i.id = ${invoiceId}::uuid and r.vat_rate <> 0
        group by 1, 2 order by 1 desc, 2`,
  );
}

/** What losses on the invoice have posted so far, beside receivables. */
export function listLostRows(db: Db, invoiceId: string): Promise<LostRow[]> {
  return db.query<LostRow>(
    sql`select r.account, r.vat_code as "vatCode", sum(r.debit_ore - r.credit_ore)::bigint as ore
        from ledger.voucher_rows r
        where r.voucher_id in (select p.voucher_id from sales.payments p
            where p.invoice_id = ${invoiceId}::uuid and p.kind = 'loss')
          and (sales.settlement_kind(r.account) = 'loss' or ledger.is_vat_account(r.account))
        group by r.account, r.vat_code having sum(r.debit_ore - r.credit_ore) <> 0
        order by r.account, r.vat_code`,
  );
}

/** What stands as lost of the invoice, by account. */
export function listLosses(db: Db, invoiceId: string): Promise<StandingLoss[]> {
  return db.query<StandingLoss>(
    sql`select account, sum(amount_ore)::bigint as ore from sales.payments
        where invoice_id = ${invoiceId}::uuid and kind = 'loss'
        group by account having sum(amount_ore) > 0 order by account`,
  );
}

/** What an invoice claims, and what has settled it beside losses. */
export async function getClaim(
  db: Db,
  invoiceId: string,
): Promise<{ readonly claimOre: bigint; readonly feesOre: bigint; readonly paidOre: bigint }> {
  const [claim] = await db.query<{ claimOre: bigint; feesOre: bigint; paidOre: bigint }>(
    sql`select i.open_ore + paid.ore + lost.ore as "claimOre", paid.ore as "paidOre",
          i.open_ore + paid.ore + lost.ore - i.total_ore
            + (select coalesce(sum(c.total_ore), 0)::bigint from sales.invoices c
              where c.credited_invoice_id = i.id and c.status <> 'draft') as "feesOre"
        from sales.invoices i
        cross join lateral (select coalesce(sum(p.amount_ore) filter (where p.kind <> 'loss'), 0)::bigint as ore
          from sales.payments p where p.invoice_id = i.id) as paid
        cross join lateral (select coalesce(sum(p.amount_ore) filter (where p.kind = 'loss'), 0)::bigint as ore
          from sales.payments p where p.invoice_id = i.id) as lost
        where i.id = ${invoiceId}::uuid`,
  );
  if (!claim) throw new Error('the invoice vanished');
  return claim;
}
