-- What can settle an invoice, and on what terms it bears interest and fees.
--   Payments come through accounts of money; rounding, bank fees and losses are rows of their own kind,
--   and receivables are set off against payables by an act of its own. No payment or credit note is
--   dated before its invoice, reminders are on different days, a fee has an agreed right and can be
--   withdrawn.
--   The terms of interest are frozen on the invoice when it is booked. Those already booked get the rate
--   their customer has now, interest from the due date as it has been counted, and credit notes that
--   take effect from their own date, as they have done.
-- Columns with constant defaults (no rewrite), new checks that older rows are not held against, and
-- updates of the few invoices with an agreed rate and of the credit notes. Writes to sales.invoices wait
-- meanwhile, some seconds for a million.

alter table restricted.company
  -- `due_date`: the due date was agreed in advance (räntelagen 3 §); `demand`: it was not (4 §).
  add column interest_from text not null default 'due_date',
  -- The invoices say that interest is charged on delay (räntelagen 4 § 1 st.).
  add column interest_is_stated boolean not null default true,
  -- The terms of sale have a reminder fee (lag 1981:739, 2 §).
  add column reminder_fee_is_agreed boolean not null default false,
  add constraint company_interest_from_known check (interest_from in ('due_date', 'demand'));

alter table sales.invoices
  add column agreed_rate_e2 integer,
  add column interest_from text not null default 'due_date',
  add column interest_is_stated boolean not null default true,
  add column reminder_fee_is_agreed boolean not null default false,
  -- From when a credit note lessens the debt, as interest sees it: its own date, or the invoice's when
  -- the claim was never right. Null on invoices.
  add column effective_date date,
  add constraint invoices_interest_from_known check (interest_from in ('due_date', 'demand'));

alter table sales.invoices disable trigger user;
update sales.invoices i set agreed_rate_e2 = c.agreed_rate_e2 from sales.customers c
where c.id = i.customer_id and c.agreed_rate_e2 is not null and i.status <> 'draft';
update sales.invoices set effective_date = invoice_date where kind = 'credit_note';
alter table sales.invoices enable trigger user;

alter table sales.invoices add constraint invoices_credit_note_takes_effect
  check ((kind = 'credit_note') = (effective_date is not null));

create function sales.judge_credit_note() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_invoice_date date := (select i.invoice_date from sales.invoices i
    where i.id = new.credited_invoice_id);
begin
  if new.invoice_date < v_invoice_date then
    raise exception 'a credit note is not dated before its invoice'
      using errcode = 'HB002', constraint = 'credit_notes_follow_their_invoice';
  end if;
  if new.effective_date not in (new.invoice_date, v_invoice_date) then
    raise exception 'a credit note takes effect from its own date or its invoice''s'
      using errcode = 'HB002', constraint = 'invoices_credit_note_takes_effect';
  end if;
  return new;
end $$;
create trigger credit_notes_are_judged before insert or update of invoice_date, effective_date,
  credited_invoice_id on sales.invoices
  for each row when (new.credited_invoice_id is not null) execute function sales.judge_credit_note();

-- What an account settles an invoice as; null when nothing can come through it. Accounts of more than
-- four digits are parts of the BAS account that they begin with. The same list as
-- src/domain/settlement-accounts.ts.
create function sales.settlement_kind(p_account integer) returns text
language sql immutable strict parallel safe as $$
  select case
    when bas between 1900 and 1999 or bas = 1630 or bas between 1680 and 1689
      or bas in (2018, 2421, 2893) then 'money'
    when bas = 3740 then 'rounding'
    when bas = 6570 then 'bank_fee'
    when bas between 6350 and 6359 then 'loss' end
  from (select left(p_account::text, 4)::integer as bas) as account
$$;

alter table sales.payments
  add column kind text not null default 'money',
  add constraint payments_kind_is_of_account check (kind = coalesce(
    case kind when 'set_off' then case account when 2440 then 'set_off' end
      else sales.settlement_kind(account) end, '')) not valid,
  add constraint payments_rounding_is_small
    check (kind <> 'rounding' or amount_ore between -99 and 99);
alter table purchases.payments
  drop constraint payments_voucher_key,
  add column kind text not null default 'money',
  add constraint payments_kind_is_of_account check (kind <> 'loss' and kind = coalesce(
    case kind when 'set_off' then case account when 1510 then 'set_off' end
      else sales.settlement_kind(account) end, '')) not valid,
  add constraint payments_rounding_is_small
    check (kind <> 'rounding' or amount_ore between -99 and 99);
create index payments_by_voucher on purchases.payments (voucher_id);

create function sales.judge_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where a.payment_date < i.invoice_date) then
    raise exception 'an invoice is not paid before its date'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  return null;
end $$;
create trigger payments_are_judged after insert on sales.payments
  referencing new table as added for each statement execute function sales.judge_payments();

create function sales.judge_purchase_payments() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join purchases.invoices i on i.id = a.invoice_id
      where a.paid_on < i.issue_date) then
    raise exception 'an invoice is not paid before its date'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  return null;
end $$;
create trigger payments_are_judged after insert on purchases.payments
  referencing new table as added for each statement execute function sales.judge_purchase_payments();

-- A fee is agreed by the invoice's own terms, or somebody vouches that it was.
alter table sales.reminders add column fee_is_vouched_for boolean not null default false;
create function sales.judge_reminders() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join sales.reminders r on r.invoice_id = a.invoice_id
      where r.reminder_no < a.reminder_no and r.sent_date >= a.sent_date) then
    raise exception 'a reminder is sent on a later day than the one before'
      using errcode = 'HB002', constraint = 'reminders_are_on_different_days';
  end if;
  if exists (select from added a join sales.invoices i on i.id = a.invoice_id
      where a.fee_ore > 0 and not (i.reminder_fee_is_agreed or a.fee_is_vouched_for)) then
    raise exception 'there is no fee without an agreed right'
      using errcode = 'HB002', constraint = 'reminders_fee_is_agreed';
  end if;
  return null;
end $$;
create trigger reminders_are_judged after insert on sales.reminders
  referencing new table as added for each statement execute function sales.judge_reminders();

-- Fees that were taken back, each with its own voucher.
create table sales.withdrawn_fees (
  invoice_id uuid not null,
  reminder_no integer not null,
  withdrawn_on date not null,
  reason text,
  voucher_id uuid not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint withdrawn_fees_pkey primary key (invoice_id, reminder_no),
  constraint withdrawn_fees_reminder_fkey foreign key (invoice_id, reminder_no)
    references sales.reminders (invoice_id, reminder_no),
  constraint withdrawn_fees_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint withdrawn_fees_reason_length check (char_length(reason) between 1 and 500)
);
create index withdrawn_fees_by_voucher on sales.withdrawn_fees (voucher_id);
create function sales.judge_withdrawn_fees() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a
      join sales.reminders r on r.invoice_id = a.invoice_id and r.reminder_no = a.reminder_no
      where r.fee_ore = 0 or a.withdrawn_on < r.sent_date) then
    raise exception 'only a fee that was charged is withdrawn, and not before it was'
      using errcode = 'HB002', constraint = 'withdrawn_fees_follow_their_reminder';
  end if;
  return null;
end $$;
create trigger withdrawn_fees_are_judged after insert on sales.withdrawn_fees
  referencing new table as added for each statement execute function sales.judge_withdrawn_fees();
create trigger withdrawn_fees_are_immutable before update or delete or truncate
  on sales.withdrawn_fees for each statement execute function sales.refuse_change();
create trigger withdrawn_fees_settle after insert on sales.withdrawn_fees
  referencing new table as added for each statement execute function sales.settle_added();
alter table sales.withdrawn_fees enable row level security;
create policy people_read on sales.withdrawn_fees for select to hb_app
  using ((select app.may('read')));
create policy people_write on sales.withdrawn_fees to hb_app
  using ((select app.may('keep_books')));
create policy workers_work on sales.withdrawn_fees to hb_worker using (true);

-- What remains of booked invoices and what that makes them, from what has happened to each:
--   credited  all of it was credited
--   paid      nothing remains: by payments or part credits, or because it is on zero kronor
--   booked    something remains
create or replace function sales.settle(p_invoice_ids uuid[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
begin
  -- Whoever settles holds the invoice, so that two of them do not each overlook the other's.
  perform from sales.invoices where id = any (p_invoice_ids) order by id for update;
  with fact as (
    select i.id, i.total_ore, f.fees, p.paid, c.credited, c.credits
    from sales.invoices i
    cross join lateral (select coalesce(sum(r.fee_ore), 0)::bigint as fees
      from sales.reminders r where r.invoice_id = i.id and not exists (
        select from sales.withdrawn_fees w
        where w.invoice_id = r.invoice_id and w.reminder_no = r.reminder_no)) as f
    cross join lateral (select coalesce(sum(p.amount_ore), 0)::bigint as paid
      from sales.payments p where p.invoice_id = i.id) as p
    cross join lateral (select coalesce(sum(c.total_ore), 0)::bigint as credited, count(*) as credits
      from sales.invoices c where c.credited_invoice_id = i.id and c.status <> 'draft') as c
    where i.id = any (p_invoice_ids) and i.status <> 'draft' and i.kind = 'invoice'
  )
  update sales.invoices i set
    open_ore = fact.total_ore + fact.fees - fact.paid - fact.credited,
    status = case
      when fact.credits > 0 and fact.credited >= fact.total_ore then 'credited'
      when fact.total_ore + fact.fees - fact.paid - fact.credited <= 0 then 'paid'
      else 'booked' end
  from fact where i.id = fact.id;

  select i.id into v_faulty from sales.invoices i
  where i.id = any (p_invoice_ids) and i.total_ore < (
    select sum(c.total_ore) from sales.invoices c
    where c.credited_invoice_id = i.id and c.status <> 'draft')
  limit 1;
  if found then
    raise exception 'invoice % is credited by more than it is', v_faulty
      using errcode = 'HB002', constraint = 'invoices_credited_within_total';
  end if;
end $$;

-- Books drafts, the one way an invoice comes to be: number, OCR, voucher, the frozen debtor and terms
-- in the caller's transaction. The caller gives each draft's voucher rows, ordered by item and row. One that a
-- lock or a missing account stops stays a draft with the reason; its neighbours are booked, and no
-- number is lost. An item that is no draft is left as it is, so booking twice books once.
--   An invoice of which nothing remains on any account comes with rows of zero. It is judged by them as
--   any other, gets number and OCR, and is `paid` without a voucher: nothing happened in kronor.
-- Answers as ledger.post_vouchers does, but the number is the invoice's, and its status is told.
create or replace function sales.book_invoices(
  p_invoice_id uuid[], p_voucher_id uuid[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[]
) returns table (item integer, number integer, ocr text, status text, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  c_items constant integer := cardinality(p_invoice_id);
  c_rows constant integer := cardinality(p_row_item);
  c_receivables constant integer := 1510;
  v_invoice record;
  v_judged record;
  v_posted integer := 0;
  v_last integer;
  v_number integer[] := array_fill(null::integer, array[c_items]);
  v_status text[] := array_fill(null::text, array[c_items]);
  v_error text[] := array_fill(null::text, array[c_items]);
  v_detail jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_skip boolean[] := array_fill(true, array[c_items]);
  v_refused boolean[] := array_fill(true, array[c_items]);
  v_date date[] := array_fill(null::date, array[c_items]);
  v_kind text[] := array_fill('invoice'::text, array[c_items]);
  v_name text[] := array_fill(null::text, array[c_items]);
  v_due bigint[] := array_fill(null::bigint, array[c_items]);
  v_receivable bigint[] := array_fill(0::bigint, array[c_items]);
  v_has_rows boolean[] := array_fill(false, array[c_items]);
  v_moves_money boolean[] := array_fill(false, array[c_items]);
  v_credited uuid[] := '{}';
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[c_rows]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[c_rows]);
begin
  for r in 1..c_rows loop
    v_has_rows[p_row_item[r]] := true;
    if p_row_debit[r] <> p_row_credit[r] then v_moves_money[p_row_item[r]] := true; end if;
    if p_row_account[r] = c_receivables then
      v_receivable[p_row_item[r]] := v_receivable[p_row_item[r]] + p_row_debit[r] - p_row_credit[r];
    end if;
  end loop;
  for v_invoice in
    select u.item, i.status, i.kind, i.number, i.invoice_date, i.total_ore, i.credited_invoice_id,
      left(i.debtor ->> 'name', 200) as name
    from unnest(p_invoice_id) with ordinality as u (id, item)
    cross join lateral (select * from sales.invoices where id = u.id limit 1) as i
    order by i.id for update of i
  loop
    item := v_invoice.item;
    v_number[item] := v_invoice.number;
    continue when v_invoice.status <> 'draft';
    v_refused[item] := false;
    v_date[item] := v_invoice.invoice_date;
    v_kind[item] := v_invoice.kind;
    v_name[item] := v_invoice.name;
    v_due[item] := case v_invoice.kind when 'invoice' then v_invoice.total_ore
      else -v_invoice.total_ore end;
    v_skip[item] := false;
    if not v_has_rows[item] then
      raise exception 'invoice % comes without the rows that it is judged by', p_invoice_id[item]
        using errcode = 'HB002', constraint = 'invoices_are_judged_by_rows';
    end if;
    if v_receivable[item] <> v_due[item] then
      raise exception 'the voucher of invoice % claims % öre, not %', p_invoice_id[item],
        v_receivable[item], v_due[item]
        using errcode = 'HB002', constraint = 'invoices_voucher_claims_total';
    end if;
    if v_invoice.credited_invoice_id is not null then
      v_credited := v_credited || v_invoice.credited_invoice_id;
    end if;
  end loop;

  -- Judged before any number is taken, so that a refused invoice costs none. The judging keeps the
  -- series locked: what passes here is posted below.
  if false = any (v_skip) then
    for v_judged in
      select * from ledger.post_vouchers(p_voucher_id, v_series, v_date, v_source, v_name, v_source,
        p_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit, p_row_credit,
        v_nothing, v_no_dimension, v_no_dimension, v_skip, true) as j
      where j.error is not null
    loop
      v_error[v_judged.item] := v_judged.error;
      v_detail[v_judged.item] := v_judged.detail;
      v_skip[v_judged.item] := true;
      v_refused[v_judged.item] := true;
    end loop;
  end if;
  update sales.invoices i
  set booking_refusal = jsonb_build_object('error', r.error, 'detail', r.detail)
  from unnest(p_invoice_id, v_error, v_detail) as r (id, error, detail)
  where i.id = r.id and r.error is not null;

  if false = any (v_refused) then
    update sales.invoice_numbers n
    set last_number = n.last_number + cardinality(array_positions(v_refused, false))
    returning n.last_number - cardinality(array_positions(v_refused, false)) into v_last;
    for i in 1..c_items loop
      continue when v_refused[i];
      v_last := v_last + 1;
      v_number[i] := v_last;
      v_skip[i] := not v_moves_money[i];
      v_status[i] := case when v_due[i] = 0 and v_kind[i] = 'invoice' then 'paid' else 'booked' end;
    end loop;

    if false = any (v_skip) then
      select count(*) into v_posted
      from ledger.post_vouchers(p_voucher_id, v_series, v_date,
        array(select case u.kind when 'invoice' then 'Kundfaktura ' else 'Kreditfaktura ' end
            || coalesce(u.number, 0)
          from unnest(v_kind, v_number) with ordinality as u (kind, number, item) order by u.item),
        v_name, v_source, p_actor, p_request_id, p_row_item, p_row_no, p_row_account, p_row_debit,
        p_row_credit, v_nothing, v_no_dimension, v_no_dimension, v_skip) as p
      where p.number is not null;
    end if;
    if v_posted <> cardinality(array_positions(v_skip, false)) then
      raise exception 'an accepted invoice was refused by the ledger';
    end if;

    -- What was agreed is what holds for this claim, whatever is agreed later (räntelagen 1, 3 and 4 §§).
    -- An order's buyer is who ordered and a credit note's whom the invoice was to; otherwise the
    -- register says, as it stands today.
    update sales.invoices i set status = b.status, number = b.number, ocr = sales.ocr_for(b.number),
      voucher_id = case when not b.skip then b.voucher_id end, booked_at = now(),
      booking_refusal = null,
      open_ore = case i.kind when 'invoice' then i.total_ore else 0 end,
      debtor = case when i.source = 'order' or i.kind = 'credit_note' then i.debtor
        else sales.debtor_of(c) end,
      agreed_rate_e2 = c.agreed_rate_e2, interest_from = terms.interest_from,
      interest_is_stated = terms.interest_is_stated,
      reminder_fee_is_agreed = terms.reminder_fee_is_agreed
    from unnest(p_invoice_id, v_number, v_status, p_voucher_id, v_skip, v_refused)
      as b (id, number, status, voucher_id, skip, refused)
    cross join lateral (select customer_id from sales.invoices where id = b.id limit 1) as own
    cross join lateral (select * from sales.customers where id = own.customer_id limit 1) as c
    cross join (select interest_from, interest_is_stated, reminder_fee_is_agreed
      from restricted.company limit 1) as terms
    where not b.refused and i.id = b.id;
    if v_credited <> '{}' then
      perform sales.settle(v_credited);
    end if;
  end if;

  return query select u.item::integer, u.number, sales.ocr_for(u.number), u.status, u.error, u.detail
    from unnest(v_number, v_status, v_error, v_detail) with ordinality
      as u (number, status, error, detail, item);
end $$;
