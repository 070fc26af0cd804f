-- Customer invoices over the API, and what follows a booked one: payments, credit notes, reminders.
-- Adds columns with constant defaults (no rewrite) and small tables; brief exclusive locks only.

alter table sales.customers
  add column address text,
  add column postal_code text,
  add column city text,
  add column phone text,
  add constraint customers_address_length check (char_length(address) <= 200),
  add constraint customers_postal_code_length check (char_length(postal_code) <= 20),
  add constraint customers_city_length check (char_length(city) <= 100),
  add constraint customers_phone_length check (char_length(phone) <= 50);

-- A credit note is an invoice that takes back another one, with positive amounts. `open_ore` is what
-- the customer owes on an invoice, fees included: below zero when we owe the customer. Of all invoices
-- together it is the balance of account 1510.
alter table sales.invoices
  add column kind text not null default 'invoice',
  add column credited_invoice_id uuid,
  add column open_ore bigint not null default 0,
  add constraint invoices_kind_known check (kind in ('invoice', 'credit_note')),
  add constraint invoices_credit_note_names_its_invoice
    check ((kind = 'credit_note') = (credited_invoice_id is not null)),
  add constraint invoices_credited_invoice_fkey
    foreign key (credited_invoice_id) references sales.invoices,
  add constraint invoices_only_booked_are_open check (open_ore = 0 or
    (status <> 'draft' and kind = 'invoice'));
create index invoices_open on sales.invoices (due_date) include (open_ore) where open_ore <> 0;
create index invoices_credits on sales.invoices (credited_invoice_id)
  where credited_invoice_id is not null;

-- Frozen is everything but what payments and credits move: a column that is added later is frozen
-- until somebody decides otherwise.
create or replace function sales.freeze_booked_invoice() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or (old.status <> 'draft' and (tg_op = 'DELETE' or new.status = 'draft'
      or to_jsonb(new) - '{status,open_ore}'::text[]
        is distinct from to_jsonb(old) - '{status,open_ore}'::text[])) then
    raise exception 'a booked invoice is never changed; credit it'
      using errcode = 'HB001', constraint = 'invoices_are_frozen';
  end if;
  return coalesce(new, old);
end $$;
update sales.invoices set open_ore = total_ore where status = 'booked';

-- Money that came in on an invoice, or went back (below zero). Written once: a payment registered by
-- mistake is taken back with one of the opposite amount.
create table sales.payments (
  id uuid not null,
  invoice_id uuid not null,
  payment_date date not null,
  amount_ore bigint not null,
  account integer not null,
  voucher_id uuid not null,
  reference text,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint payments_pkey primary key (id),
  constraint payments_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint payments_account_fkey foreign key (account) references ledger.accounts,
  constraint payments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint payments_amount_range
    check (amount_ore <> 0 and amount_ore between -999999999999 and 999999999999),
  constraint payments_reference_length check (char_length(reference) <= 200)
);
create index payments_by_invoice on sales.payments (invoice_id);
create index payments_by_voucher on sales.payments (voucher_id);

create table sales.reminders (
  id uuid not null,
  invoice_id uuid not null,
  -- 1 for the first.
  reminder_no integer not null,
  sent_date date not null,
  fee_ore bigint not null,
  -- Null when there is no fee to post.
  voucher_id uuid,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint reminders_pkey primary key (id),
  constraint reminders_number_key unique (invoice_id, reminder_no),
  constraint reminders_invoice_fkey foreign key (invoice_id) references sales.invoices,
  constraint reminders_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint reminders_number_positive check (reminder_no > 0),
  -- Lag 1981:739, 2 and 4 §§ with förordning 1981:1057: 60 kr at most.
  constraint reminders_fee_range check (fee_ore between 0 and 6000),
  constraint reminders_fee_is_posted check ((fee_ore > 0) = (voucher_id is not null))
);
create index reminders_by_voucher on sales.reminders (voucher_id) where voucher_id is not null;

create function sales.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what happened to an invoice is never changed; register what takes it back'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
create trigger payments_are_immutable before update or delete or truncate on sales.payments
  for each statement execute function sales.refuse_change();
create trigger reminders_are_immutable before update or delete or truncate on sales.reminders
  for each statement execute function sales.refuse_change();

-- What remains of booked invoices and what that makes them, from what has happened to each:
--   credited  all of it was credited
--   paid      nothing remains, by payments or part credits
--   booked    something remains, or nothing has happened yet
create function sales.settle(p_invoice_ids uuid[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_faulty uuid;
begin
  -- Whoever settles holds the invoice, so that two of them do not each overlook the other's.
  perform from sales.invoices where id = any (p_invoice_ids) order by id for update;
  with fact as (
    select i.id, i.total_ore, f.fees, p.paid, p.payments, c.credited, c.credits
    from sales.invoices i
    cross join lateral (select coalesce(sum(r.fee_ore), 0)::bigint as fees
      from sales.reminders r where r.invoice_id = i.id) as f
    cross join lateral (select coalesce(sum(p.amount_ore), 0)::bigint as paid, count(*) as payments
      from sales.payments p where p.invoice_id = i.id) as p
    cross join lateral (select coalesce(sum(c.total_ore), 0)::bigint as credited, count(*) as credits
      from sales.invoices c where c.credited_invoice_id = i.id and c.status <> 'draft') as c
    where i.id = any (p_invoice_ids) and i.status <> 'draft' and i.kind = 'invoice'
  )
  update sales.invoices i set
    open_ore = fact.total_ore + fact.fees - fact.paid - fact.credited,
    status = case
      when fact.credits > 0 and fact.credited >= fact.total_ore then 'credited'
      when fact.payments + fact.credits > 0
        and fact.total_ore + fact.fees - fact.paid - fact.credited <= 0 then 'paid'
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

create function sales.settle_added() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform sales.settle(array(select distinct invoice_id from added));
  return null;
end $$;
create trigger payments_settle after insert on sales.payments
  referencing new table as added for each statement execute function sales.settle_added();
create trigger reminders_settle after insert on sales.reminders
  referencing new table as added for each statement execute function sales.settle_added();

-- The OCR reference of an invoice: its number, a length digit (whole length modulo 10, both control
-- digits counted) and a Luhn digit. This form passes every check level Bankgirot offers, soft, hard
-- and with variable length, so the owner need not say which one the bank agreement has.
create function sales.ocr_for(p_number integer) returns text language plpgsql immutable strict
set search_path = pg_catalog, pg_temp as $$
declare
  v_digits text := p_number || ((length(p_number::text) + 2) % 10)::text;
  v_sum integer := 0;
  v_double integer;
begin
  for i in 1..length(v_digits) loop
    -- The digit beside the control digit is doubled, and every second one from there.
    v_double := substr(v_digits, length(v_digits) + 1 - i, 1)::integer * (1 + i % 2);
    v_sum := v_sum + v_double / 10 + v_double % 10;
  end loop;
  return v_digits || (10 - v_sum % 10) % 10;
end $$;

-- Whom an invoice is sent to, as it stands on the invoice: the customer register's own facts.
create function sales.debtor_of(p_customer sales.customers) returns jsonb language sql stable as $$
  select jsonb_build_object('name', p_customer.name, 'email', p_customer.email,
    'orgNumber', p_customer.organization_number, 'vatNumber', p_customer.vat_number,
    'countryCode', p_customer.country_code, 'address', p_customer.address,
    'postalCode', p_customer.postal_code, 'city', p_customer.city, 'phone', p_customer.phone)
$$;

-- Books drafts, the one way an invoice comes to be: number, OCR, voucher and the frozen debtor in the
-- caller's transaction. The caller gives each draft's voucher rows (none for an invoice of nothing),
-- ordered by item and row. One that a lock or a missing account stops stays a draft with the reason;
-- its neighbours are booked, and no number is lost. An item that is no draft is left as it is, so
-- booking twice books once.
-- Answers as ledger.post_vouchers does, but the number is the invoice's.
create function sales.book_invoices(
  p_invoice_id uuid[], p_voucher_id uuid[], p_actor text[], p_request_id uuid[],
  p_row_item integer[], p_row_no integer[], p_row_account integer[], p_row_debit bigint[],
  p_row_credit bigint[]
) returns table (item integer, number integer, ocr text, error text, detail jsonb)
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
  v_error text[] := array_fill(null::text, array[c_items]);
  v_detail jsonb[] := array_fill(null::jsonb, array[c_items]);
  v_skip boolean[] := array_fill(true, array[c_items]);
  v_refused boolean[] := array_fill(true, array[c_items]);
  v_date date[] := array_fill(current_date, array[c_items]);
  v_kind text[] := array_fill('invoice'::text, array[c_items]);
  v_name text[] := array_fill(null::text, array[c_items]);
  v_due bigint[] := array_fill(null::bigint, array[c_items]);
  v_receivable bigint[] := array_fill(0::bigint, array[c_items]);
  v_has_rows boolean[] := array_fill(false, array[c_items]);
  v_credited uuid[] := '{}';
  v_series text[] := array_fill('B'::text, array[c_items]);
  v_source text[] := array_fill('invoice'::text, array[c_items]);
  v_nothing text[] := array_fill(null::text, array[c_rows]);
  v_no_dimension uuid[] := array_fill(null::uuid, array[c_rows]);
begin
  for r in 1..c_rows loop
    v_has_rows[p_row_item[r]] := true;
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
    v_skip[item] := not v_has_rows[item];
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

    -- An order's buyer is who ordered and a credit note's whom the invoice was to; otherwise the
    -- register says, as it stands today.
    update sales.invoices i set status = 'booked', number = b.number, ocr = sales.ocr_for(b.number),
      voucher_id = case when not b.skip then b.voucher_id end, booked_at = now(),
      booking_refusal = null,
      open_ore = case i.kind when 'invoice' then i.total_ore else 0 end,
      debtor = case when i.source = 'order' or i.kind = 'credit_note' then i.debtor
        else sales.debtor_of(c) end
    from unnest(p_invoice_id, v_number, p_voucher_id, v_skip, v_refused)
      as b (id, number, voucher_id, skip, refused)
    cross join lateral (select customer_id from sales.invoices where id = b.id limit 1) as own
    cross join lateral (select * from sales.customers where id = own.customer_id limit 1) as c
    where not b.refused and i.id = b.id;
    if v_credited <> '{}' then
      perform sales.settle(v_credited);
    end if;
  end if;

  return query select u.item::integer, u.number, sales.ocr_for(u.number), u.error, u.detail
    from unnest(v_number, v_error, v_detail) with ordinality as u (number, error, detail, item);
end $$;
