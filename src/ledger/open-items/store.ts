/** Rows of an account, what people have paired of them, and what documents know. */
import type { Db, Tx } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Ore } from '../../domain/basics/money.ts';
import { customersCredit } from '../../domain/ledger/bank-matching/posting.ts';
import type {
  ItemPairing,
  ItemRow,
  KnownGroup,
  KnownPart,
  PairedRow,
} from '../../domain/ledger/open-items.ts';

export interface AccountItem extends ItemRow {
  readonly day: string;
  readonly label: string;
  readonly text: string;
}

export interface ItemQuery {
  readonly account: number;
  readonly day: string;
  readonly limit: number;
  /** Vouchers of which documents know without more ado that nothing is left are not asked for. */
  readonly withoutSettled?: boolean;
}

/** The rows that are asked for, in no order; what they leave out is told first, in a `with`. */
function rowsOf({ account, day, withoutSettled = false }: Omit<ItemQuery, 'limit'>) {
  const rows = sql`select r.* from ledger.voucher_rows r
    where r.account = ${account} and r.verification_date <= ${day}::date`;
  if (!withoutSettled) return { settled: sql`select null::uuid as voucher_id`, rows };
  return {
    settled: settledVouchers(account, day),
    rows: sql`${rows} and not exists (select from settled s where s.voucher_id = r.voucher_id)`,
  };
}

/** To the end of a day, in the order of the ledger; one more than `limit` where there are more. */
export function listItemRows(db: Db, { limit, ...which }: ItemQuery): Promise<AccountItem[]> {
  const { settled, rows } = rowsOf(which);
  return db.query(sql`
    with settled as materialized (${settled})
    select r.voucher_id as "voucherId", r.row_no as "rowNo",
      r.debit_ore - r.credit_ore as "amountOre", r.verification_date as day, r.series || r.number as label,
      concat_ws(' ', case when strpos(v.description, v.counterparty) = 0 then v.counterparty end, v.description, r.note) as text
    from (${rows} order by r.verification_date, r.series, r.number, r.row_no limit ${limit + 1}) as r
    join ledger.vouchers v on v.id = r.voucher_id
    order by r.verification_date, r.series, r.number, r.row_no`);
}

/** Whether there are more than `limit`, without reading all of them, or handing any over. */
export async function hasMoreRows(db: Db, { limit, ...which }: ItemQuery): Promise<boolean> {
  const { settled, rows } = rowsOf(which);
  const [found] = await db.query<{ rows: bigint }>(sql`
    with settled as materialized (${settled})
    select count(*) as rows from (${rows} limit ${limit + 1}) as r`);
  return (found?.rows ?? 0n) > BigInt(limit);
}

export async function balanceAt(db: Db, account: number, day: string): Promise<Ore> {
  const [found] = await db.query<{ ore: Ore }>(
    sql`select ledger.balance_at(${account}, ${day}::date) as ore`,
  );
  return found?.ore ?? 0n;
}

export interface KeptPairing extends ItemPairing {
  readonly at: Date;
  readonly by: string;
  readonly labels: string;
  readonly ore: Ore;
}

/** The latest first. */
export async function listPairings(db: Db, account: number): Promise<KeptPairing[]> {
  type Stored = Omit<KeptPairing, 'rows'> & {
    rows: { voucherId: string; rowNo: number; amountOre: string }[];
  };
  const found = await db.query<Stored>(sql`select p.id, p.created_at as at, p.created_by as by,
      sum(r.amount_ore) filter (where r.amount_ore > 0)::bigint as ore,
      string_agg(distinct v.series || v.number, ', ') as labels,
      json_agg(json_build_object('voucherId', r.voucher_id, 'rowNo', r.row_no, 'amountOre', r.amount_ore::text)) as rows
    from ledger.pairings p join ledger.paired_rows r on r.pairing_id = p.id
    join ledger.vouchers v on v.id = r.voucher_id
    where p.account = ${account} group by p.id order by p.created_at desc, p.id desc`);
  return found.map((one) => ({
    ...one,
    rows: one.rows.map((row) => ({ ...row, amountOre: BigInt(row.amountOre) })),
  }));
}

export async function insertPairing(
  tx: Tx,
  { id, account, rows }: { id: string; account: number; rows: readonly PairedRow[] },
  actor: string,
): Promise<void> {
  await tx.query(
    sql`insert into ledger.pairings (id, account, created_by) values (${id}, ${account}, ${actor})`,
  );
  await tx.query(sql`insert into ledger.paired_rows (pairing_id, voucher_id, row_no, amount_ore)
    select ${id}::uuid, * from unnest(${rows.map(({ voucherId }) => voucherId)}::uuid[],
      ${rows.map(({ rowNo }) => rowNo)}::integer[], ${rows.map(({ amountOre }) => amountOre)}::bigint[])`);
}

/** False when it is gone. */
export async function deletePairing(tx: Tx, account: number, id: string): Promise<boolean> {
  const gone = await tx.query(sql`delete from ledger.pairings
    where id = ${id}::uuid and account = ${account} returning id`);
  return gone.length > 0;
}

/** What of which vouchers documents know to settle each other; `ore` is null where all of the voucher is meant, or of the row. */
const partsOf = (account: number): Sql => sql`
  select 1 as place, 'correction ' || c.corrected_id || ' ' || r.row_no as "group", r.voucher_id, r.row_no, null::bigint as ore
  from ledger.corrections c join ledger.voucher_rows r on r.voucher_id in (c.corrected_id, c.reversal_id)
  where r.account = ${account}
  union all
  select 2, 'undone ' || u.voucher_id || ' ' || r.row_no, r.voucher_id, r.row_no, null
  from bank.undone_bookings u join ledger.voucher_rows r on r.voucher_id in (u.voucher_id, u.taken_back_by)
  where r.account = ${account}
  union all
  select 3, 'invoice ' || coalesce(i.credited_invoice_id, i.id), i.voucher_id, null, null
  from sales.invoices i where i.voucher_id is not null and ${account} = 1510
  union all
  -- Taken over as the books began: a part of what was opened with.
  select 3, 'invoice ' || i.id, o.id, null, i.total_ore
  from sales.invoices i cross join lateral (select v.id from ledger.vouchers v
    where v.source = 'opening' and exists (select from ledger.voucher_rows r
      where r.voucher_id = v.id and r.account = 1510) order by v.verification_date, v.id limit 1) as o
  where i.source = 'opening' and ${account} = 1510
  union all
  select 3, 'invoice ' || r.invoice_id, r.voucher_id, null, r.fee_ore
  from sales.reminders r where r.voucher_id is not null and ${account} = 1510
  union all
  select 3, 'invoice ' || w.invoice_id, w.voucher_id, null, null from sales.withdrawn_fees w where ${account} = 1510
  union all
  select 3, 'invoice ' || p.invoice_id, p.voucher_id, null, -sum(p.amount_ore)::bigint
  from sales.payments p where ${account} = 1510 group by p.invoice_id, p.voucher_id
  union all
  select 3, 'purchase ' || i.id, i.voucher_id, null, null
  from purchases.invoices i where i.voucher_id is not null and i.debt_account = ${account}
  union all
  select 3, 'purchase ' || i.id, o.id, null, -i.payable_ore
  from purchases.invoices i cross join lateral (select v.id from ledger.vouchers v
    where v.source = 'opening' and exists (select from ledger.voucher_rows r
      where r.voucher_id = v.id and r.account = ${account}) order by v.verification_date, v.id limit 1) as o
  where i.status = 'booked' and i.voucher_id is null and i.debt_account = ${account}
  union all
  select 3, 'purchase ' || p.invoice_id, p.voucher_id, null, sum(p.amount_ore)::bigint
  from purchases.payments p join purchases.invoices i on i.id = p.invoice_id
  where i.debt_account = ${account} group by p.invoice_id, p.voucher_id
  union all
  select 4, 'settlement ' || s.id, u.voucher_id, null, u.ore
  from bank.provider_settlements s
  cross join lateral (values (s.voucher_id, s.payout_ore), (s.payout_voucher_id, -s.payout_ore)) as u (voucher_id, ore)
  where s.account = ${account} and s.payout_voucher_id is not null
  union all
  -- A sale that the settlement names was paid by a customer through the clearing account.
  select 5, 'sale ' || l.settlement_id || ' ' || l.place, u.voucher_id, null, u.ore
  from bank.provider_settlements s join bank.provider_settlement_lines l on l.settlement_id = s.id
  join sales.invoices i on l.reference in (i.ocr, i.number::text)
  join sales.payments p on p.invoice_id = i.id and p.account = s.account and p.amount_ore > 0
  cross join lateral (values (p.voucher_id, p.amount_ore), (s.voucher_id, -l.amount_ore)) as u (voucher_id, ore)
  where s.account = ${account} and l.kind = 'sale' and s.taken_back_by is null
  union all
  -- What a customer has paid too much, and has got back: by whose it is, which the voucher says, or the row where it is of several.
  select 6, 'credit ' || coalesce(v.counterparty, r.note), r.voucher_id, r.row_no, null
  from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
  where r.account = ${account} and ${account} = ${customersCredit} and coalesce(v.counterparty, r.note) is not null`;

/**
 * Vouchers of documents that come to nothing to the end of a day, and that nothing else has a part in: of those nothing is
 * open, whichever way it is looked at.
 */
const settledVouchers = (account: number, day: string): Sql => sql`
  with part as (${partsOf(account)}
  ), held as materialized (
    select r.voucher_id, sum(r.debit_ore - r.credit_ore) as ore,
      bool_and(r.debit_ore > 0) or bool_and(r.credit_ore > 0) as is_one_way from ledger.voucher_rows r
    where r.account = ${account} and r.verification_date <= ${day}::date and exists (select from part) group by r.voucher_id
  ), claim as (
    select p.whole, p.voucher_id, h.ore, h.is_one_way, count(*) over (partition by p.voucher_id) as groups,
      case when bool_or(p.ore is null) then h.ore else sum(p.ore) end as claimed
    from (select *, case when place < 3 then regexp_replace("group", ' [0-9]+$', '') else "group" end as whole from part) as p
    join held h using (voucher_id) group by p.whole, p.voucher_id, h.ore, h.is_one_way
  )
  select voucher_id from (select c.voucher_id, sum(c.ore) over whole as left_ore,
      bool_and(c.is_one_way and c.ore = c.claimed and c.groups = 1 and c.voucher_id not in (
        select r.voucher_id from ledger.pairings p join ledger.paired_rows r on r.pairing_id = p.id
        where p.account = ${account})) over whole as is_plain
    from claim c window whole as (partition by c.whole)) as judged
  where judged.left_ore = 0 and judged.is_plain`;

/** What documents know, of vouchers to the end of a day: what was taken back first, since nothing else settles that. */
export async function listKnownGroups(
  db: Db,
  { account, day, withoutSettled = false }: Omit<ItemQuery, 'limit'>,
): Promise<KnownGroup[]> {
  const settled = withoutSettled
    ? sql`where not exists (select from settled s where s.voucher_id = part.voucher_id)`
    : sql``;
  const found = await db.query<KnownPart & { group: string }>(sql`
    with part as (${partsOf(account)}
    ), settled as materialized (${withoutSettled ? settledVouchers(account, day) : sql`select null::uuid as voucher_id`})
    select part."group", part.voucher_id as "voucherId", part.row_no as "rowNo", part.ore
    from part join ledger.vouchers v on v.id = part.voucher_id and v.verification_date <= ${day}::date
    ${settled}
    order by part.place, v.verification_date, part."group", v.posted_at, v.id`);
  return [...Map.groupBy(found, ({ group }) => group).values()];
}

/** What the rows of an account come to, month by month, to the end of a day: where they are too many to be held against each other. */
export function sumMonths(
  db: Db,
  account: number,
  day: string,
): Promise<{ month: string; debit_ore: Ore; credit_ore: Ore }[]> {
  return db.query(sql`select to_char(m.month, 'YYYY-MM') as month, sum(m.debit)::bigint as debit_ore, sum(m.credit)::bigint as credit_ore
    from (select b.month, b.debit_ore as debit, b.credit_ore as credit from ledger.month_balances b
        where b.account = ${account} and b.month < date_trunc('month', ${day}::date)
      union all
      select date_trunc('month', r.verification_date)::date, r.debit_ore, r.credit_ore from ledger.voucher_rows r
        where r.account = ${account} and r.verification_date between date_trunc('month', ${day}::date)::date and ${day}::date
    ) as m group by m.month order by m.month desc`);
}
