import { recordEvent } from '../../audit/store.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { uuid } from '../../lib/uuid.ts';
import type { Verification, VerificationFinding } from './finding.ts';

export interface SeriesHead {
  id: string;
  code: string;
  year: number;
  last_number: number;
}

export function listSeries(db: Db): Promise<SeriesHead[]> {
  return db.query(sql`select s.id, s.code, y.year, s.last_number
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    order by y.year, s.code`);
}

/**
 * What is wrong in one series: numbers missing, vouchers outside their year, rows that do not balance
 * or repeat their voucher wrongly, and links of the hash chain that do not hold. Each link is checked
 * against the stored hash before it, so one changed voucher is found where it is.
 */
export function findSeriesProblems(db: Db, seriesId: string): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    with voucher as materialized (
      select v.*, r.count, r.debit, r.credit, r.in_place, r.rows,
        lag(v.number, 1, 0) over (order by v.number) as number_before,
        lag(v.hash, 1, ledger.first_hash(v.series_id)) over (order by v.number) as hash_before
      from ledger.vouchers v
      left join lateral (
        select count(*) as count, sum(r.debit_ore) as debit, sum(r.credit_ore) as credit,
          bool_and(r.verification_date = v.verification_date and r.series = v.series
            and r.number = v.number) as in_place,
          string_agg(ledger.row_content(r.account, r.debit_ore, r.credit_ore, r.vat_code, r.note,
            r.cost_center_id, r.project_id), ',' order by r.row_no) as rows
        from ledger.voucher_rows r where r.voucher_id = v.id) r on true
      where v.series_id = ${seriesId}
    ), found as (
      select 'gap' as kind, number, format('Nummer %s–%s saknas.', number_before + 1, number - 1) as message
      from voucher where number <> number_before + 1
      union all
      select 'unbalanced', number, 'Raderna balanserar inte eller är inte de som bokfördes.'
      from voucher where count <> row_count or debit is distinct from total_ore
        or credit is distinct from total_ore or not in_place
      union all
      select 'broken_chain', number, 'Innehållet stämmer inte med hashkedjan: verifikatet har ändrats.'
      from voucher where hash <> ledger.seal(hash_before, number, content_hash)
        or content_hash is distinct from ledger.content_hash(ledger.voucher_content(format, id, series,
          verification_date, description, counterparty, source, posted_at, posted_by, rows))
      union all
      select 'outside_year', v.number, 'Datumet ligger utanför seriens räkenskapsår.'
      from voucher v join ledger.series s on s.id = v.series_id
      join ledger.fiscal_years y on y.id = s.fiscal_year_id
      where v.verification_date not between y.start_date and y.end_date or v.series <> s.code
      union all
      select 'wrong_head', s.last_number, 'Seriens huvud stämmer inte med dess sista verifikat.'
      from ledger.series s
      left join ledger.vouchers last on last.series_id = s.id and last.number = s.last_number
      where s.id = ${seriesId} and (
        s.last_number <> (select coalesce(max(number), 0) from voucher)
        or s.last_hash <> coalesce(last.hash, ledger.first_hash(s.id)))
    )
    select f.kind, s.code as series, y.year, f.number, f.message
    from found f, ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where s.id = ${seriesId} order by f.number, f.kind limit 1000`);
}

/**
 * Vouchers that events of the last ninety days say were posted, and that are not there: the last ones of a series can be cut
 * off with its head moved back, and what remains is a whole chain.
 */
export function findRemovedVouchers(db: Db): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    select 'removed_voucher' as kind, null as series, null::integer as year, null::integer as number,
      format('Ett verifikat som bokfördes %s finns inte längre (id %s).', to_char(o.occurred_at, 'YYYY-MM-DD'), o.subject)
        as message
    from events.outbox o
    where o.type = 'voucher.posted' and not exists (select from ledger.vouchers v where v.id = o.subject)
    order by o.occurred_at, o.subject limit 1000`);
}

/** Month balances that differ from the rows they sum up. */
export function findBalanceProblems(db: Db): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    with summed as (
      select v.series_id, r.account, date_trunc('month', r.verification_date)::date as month,
        coalesce(r.vat_code, '') as vat_code, ledger.stands_beside_vat(v.source) as is_beside_vat,
        sum(r.debit_ore) as debit, sum(r.credit_ore) as credit
      from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id group by 1, 2, 3, 4, 5
    ), kept as (
      select series_id, account, month, vat_code, is_beside_vat, sum(debit_ore) as debit_ore, sum(credit_ore) as credit_ore
      from ledger.month_balances group by 1, 2, 3, 4, 5
    )
    select 'wrong_month_balance' as kind, s.code as series, y.year, null::integer as number,
      format('Månadssaldot för konto %s i %s%s stämmer inte med raderna.', account,
        to_char(month, 'YYYY-MM'), ' med momskod ' || nullif(vat_code, '')) as message
    from summed full join kept b using (series_id, account, month, vat_code, is_beside_vat)
    join ledger.series s on s.id = series_id
    join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where b.debit_ore is distinct from summed.debit or b.credit_ore is distinct from summed.credit
    order by s.code, account, month, vat_code limit 1000`);
}

/** Invoices: numbers without gaps; each booked one's voucher, of its amounts account by account, and remainder. */
export function findInvoiceProblems(db: Db): Promise<VerificationFinding[]> {
  return db.query<VerificationFinding>(sql`
    select kind, 'B' as series, null::integer as year, number, message from (
      select 'invoice_gap' as kind, number, format('Fakturanummer %s–%s saknas.', before + 1, number - 1)
        as message
      from (select number, source, lag(number) over w as before,
          count(*) filter (where source <> 'opening') over (w rows between unbounded preceding
            and 1 preceding) > 0 as follows_own
        from sales.invoices where number is not null window w as (order by number)) n
      -- Of those taken over with the opening balance there are only some; our own go on from them.
      where follows_own and source <> 'opening' and number <> before + 1
      union all
      select 'invoice_wrong_head', n.last_number, 'Sista fakturanumret är inte den sista fakturans.'
      from sales.invoice_numbers n, (select max(number) as number,
          max(number) filter (where source <> 'opening') as own from sales.invoices) as last
      where last.number > n.last_number or (last.own is not null and last.number <> n.last_number)
      union all
      select 'voucher_without_invoice', v.number, format('Verifikatet %s%s saknar sin faktura.',
        v.series, v.number)
      from ledger.vouchers v
      where v.source = 'invoice' and not exists (
        select from sales.invoices i where i.voucher_id = v.id)
      union all
      select 'invoice_without_voucher', i.number, 'Fakturan är bokförd men saknar sitt verifikat.'
      from sales.invoices i
      where i.status <> 'draft' and i.voucher_id is null and i.source <> 'opening' and (i.total_ore <> 0 or i.rounding_ore <> 0
        or exists (select from sales.invoice_rows r where r.invoice_id = i.id
          group by r.account having sum(r.net_ore) <> 0)
        or exists (select from sales.invoice_rows r where r.invoice_id = i.id
          group by r.vat_rate having sum(r.vat_ore) <> 0))
      union all
      select 'invoice_wrong_voucher', i.number,
        format('Fakturans verifikat bokför annat än fakturan på konto %s.', wrong.accounts)
      from sales.invoices i
      cross join lateral (
        select string_agg(coalesce(account::text, 'för momsen'), ', ' order by account) as accounts
        from (
          select m.account from (
            select account, credit_ore from sales.voucher_amounts(i.id)
            union all
            select r.account, r.debit_ore - r.credit_ore from ledger.voucher_rows r
            where r.voucher_id = i.voucher_id) as m
          group by m.account having sum(m.credit_ore) <> 0) as account) as wrong
      where i.voucher_id is not null and wrong.accounts is not null
      union all
      select 'wrong_receivables', null, 'Kundfordringarnas summa stämmer inte med fakturorna.'
      from sales.receivables r
      where r.open_ore <> (select coalesce(sum(i.open_ore), 0) from sales.invoices i)
      union all
      select 'invoice_wrong_remainder', i.number,
        'Det som återstår på fakturan är inte beloppet med avgifter minus betalt och krediterat.'
      from sales.invoices i
      where i.status <> 'draft' and i.kind = 'invoice' and i.open_ore <> i.total_ore
        + (select coalesce(sum(r.fee_ore), 0) from sales.reminders r where r.invoice_id = i.id
          and not exists (select from sales.withdrawn_fees w
            where w.invoice_id = r.invoice_id and w.reminder_no = r.reminder_no))
        - (select coalesce(sum(p.amount_ore), 0) from sales.payments p where p.invoice_id = i.id)
        - (select coalesce(sum(c.total_ore), 0) from sales.invoices c
          where c.credited_invoice_id = i.id and c.status <> 'draft')
    ) f order by number limit 1000`);
}

/** Keeps what a check of all books found. */
export async function insertVerification(
  tx: Tx,
  { vouchers, problems }: Verification,
  actor: string,
): Promise<void> {
  const id = uuid();
  await tx.query(sql`insert into audit.verifications (id, actor, vouchers, problems)
    values (${id}, ${actor}, ${vouchers}, ${JSON.stringify(problems)}::jsonb)`);
  const detail = { vouchers, problems: problems.length };
  await recordEvent(tx, { actor, action: 'books.verified', subject: id, detail });
}

/** For whoever watches over the process; undefined before the first. */
export async function findLastVerification(
  db: Db,
): Promise<{ finished_at: Date; problems: number } | undefined> {
  const [last] = await db.query<{ finished_at: Date; problems: number }>(
    sql`select finished_at, problems from api.last_verification()`,
  );
  return last;
}
