-- What follows from the books is kept by the database alone: the heads of series, what suppliers' invoices
-- were booked on and what is left to pay, which vouchers settle VAT. And what is written down in the audit log
-- cannot be done without its entry. Functions and triggers; nothing is rewritten, each table is locked for a
-- moment.

-- A series begins at nothing.
create function ledger.begin_series() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.last_hash := ledger.first_hash(new.id);
  return new;
end $$;
create trigger series_begin before insert on ledger.series for each row
  when (new.last_hash is null) execute function ledger.begin_series();

-- What an invoice of a supplier was booked on: what its voucher left on 2440, or for one that was taken over
-- with the opening balance what it said.
create function purchases.owed_ore(p_invoice purchases.invoices) returns bigint
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_invoice.status <> 'booked' then 0
    when p_invoice.document_id is null then p_invoice.payable_ore
    else coalesce((select sum(r.credit_ore - r.debit_ore) from ledger.voucher_rows r
      where r.voucher_id = p_invoice.voucher_id and r.account = 2440), 0)::bigint end
$$;

-- A payment lessens what is left of the invoice that it says, which is a booked one, and its voucher is one
-- of a payment.
create function purchases.settle_added() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from purchases.invoices i where i.id in (select a.invoice_id from added a)
    order by i.id for update;
  if exists (select from added a join purchases.invoices i on i.id = a.invoice_id
      where i.status <> 'booked') then
    raise exception 'only what is booked is paid'
      using errcode = 'HB002', constraint = 'payments_follow_their_invoice';
  end if;
  if exists (select from added a join ledger.vouchers v on v.id = a.voucher_id
      where v.source not in ('supplier_payment', 'payment')) then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  update purchases.invoices i set open_ore = purchases.owed_ore(i)
    - (select coalesce(sum(p.amount_ore), 0) from purchases.payments p where p.invoice_id = i.id)
  where i.id in (select a.invoice_id from added a);
  return null;
end $$;
create trigger payments_settle after insert on purchases.payments
  referencing new table as added for each statement execute function purchases.settle_added();

-- The same of our own invoices, which are settled already (0009).
create function sales.judge_payment_vouchers() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a join ledger.vouchers v on v.id = a.voucher_id
      where v.source <> 'payment') then
    raise exception 'a payment is what its voucher books'
      using errcode = 'HB002', constraint = 'payments_are_booked';
  end if;
  return null;
end $$;
create trigger payments_have_a_payments_voucher after insert on sales.payments
  referencing new table as added for each statement execute function sales.judge_payment_vouchers();

-- Marks an invoice of a supplier as booked by a voucher with its very rows; one of zero kronor that has no
-- rows is booked without (p_voucher_id null), on a day that is open.
create function purchases.book(p_id uuid, p_voucher_id uuid, p_date date, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_invoice purchases.invoices;
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  select * into v_invoice from purchases.invoices i where i.id = p_id for update;
  if v_invoice.status is null or v_invoice.status not in ('new', 'review') then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  if p_voucher_id is null then
    if (v_invoice.net_ore, v_invoice.vat_ore, v_invoice.rounding_ore, v_invoice.prepaid_ore,
        v_invoice.payable_ore) <> (0, 0, 0, 0, 0)
      or exists (select from purchases.invoice_rows r where r.invoice_id = p_id) then
      raise exception 'supplier invoice % has something to post', p_id
        using errcode = 'HB002', constraint = 'supplier_invoices_amount_is_posted';
    end if;
    if not exists (select from ledger.fiscal_years y where p_date between y.start_date and y.end_date)
      or ledger.find_lock(p_date, false) is not null then
      raise exception 'supplier invoice % is booked in no open fiscal year', p_id
        using errcode = 'HB002', constraint = 'supplier_invoices_are_in_open_years';
    end if;
  elsif not exists (select from ledger.vouchers v
      where v.id = p_voucher_id and v.source = 'supplier_invoice' and v.verification_date = p_date)
    or exists (
      select from (
        (select r.account, r.debit_ore, r.credit_ore from purchases.invoice_rows r
          where r.invoice_id = p_id
        except all select r.account, r.debit_ore, r.credit_ore from ledger.voucher_rows r
          where r.voucher_id = p_voucher_id)
        union all
        (select r.account, r.debit_ore, r.credit_ore from ledger.voucher_rows r
          where r.voucher_id = p_voucher_id
        except all select r.account, r.debit_ore, r.credit_ore from purchases.invoice_rows r
          where r.invoice_id = p_id)) as different) then
    raise exception 'voucher % does not book supplier invoice %', p_voucher_id, p_id
      using errcode = 'HB002', constraint = 'supplier_invoices_voucher_is_theirs';
  end if;
  v_invoice.status := 'booked';
  v_invoice.voucher_id := p_voucher_id;
  update purchases.invoices i set status = 'booked', voucher_id = p_voucher_id, booking_date = p_date,
    booking_refusal = null, open_ore = purchases.owed_ore(v_invoice), decided_at = clock_timestamp(),
    decided_by = audit.actor(p_actor)
  where i.id = p_id;
end $$;

create function purchases.reject(p_id uuid, p_reason text, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  update purchases.invoices i set status = 'rejected', rejection = p_reason,
    decided_at = clock_timestamp(), decided_by = audit.actor(p_actor)
  where i.id = p_id;
end $$;

-- What has been taken over with the opening balance is part of it: the items, on whichever side, never come
-- to more than stands on the account when the books begin.
create function sales.judge_opening_items(p_account integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  v_balance bigint;
  v_items bigint;
begin
  select coalesce(sum(r.debit_ore - r.credit_ore), 0) into v_balance
  from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
  where v.source = 'opening' and r.account = p_account
    and v.verification_date = (select min(y.start_date) from ledger.fiscal_years y);
  if p_account = 1510 then
    select coalesce(sum(i.total_ore), 0) into v_items from sales.invoices i where i.source = 'opening';
  else
    v_balance := -v_balance;
    select coalesce(sum(i.payable_ore), 0) into v_items from purchases.invoices i
    where i.document_id is null;
  end if;
  if v_items > v_balance then
    raise exception 'the items come to %, the opening balance of % to %', v_items, p_account, v_balance
      using errcode = 'HB002', constraint = 'opening_items_are_within_the_balance';
  end if;
end $$;

-- Takes over suppliers' invoices. Each of `p_items`: id, supplier_id, number, reference, invoice_date, due_date,
-- payable_ore, original_payable_ore, booking_date. One that is there already raises invoices_opening_key.
create function purchases.add_opening_invoices(p_items jsonb, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  insert into purchases.invoices (id, status, kind, supplier_id, seller, invoice_number, issue_date,
    due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore, original_payable_ore,
    payment, booking_date, open_ore, decided_at, decided_by)
  select i.id, 'booked', case when i.payable_ore > 0 then 'invoice' else 'credit_note' end, s.id,
    jsonb_build_object('name', s.name, 'organizationNumber', s.organization_number,
      'vatNumber', s.vat_number, 'endpoint', s.endpoint, 'countryCode', s.country_code),
    i.number, i.invoice_date, i.due_date, 'SEK', i.payable_ore, 0, 0, 0, i.payable_ore,
    i.original_payable_ore,
    jsonb_build_object('accounts', (select coalesce(jsonb_agg(jsonb_build_object('kind', a.kind,
        'number', a.number, 'bic', null)), '[]')
        from purchases.supplier_accounts a where a.supplier_id = s.id),
      'reference', i.reference, 'isOcr', false, 'payee', null, 'isPaidOtherwise', false),
    i.booking_date, i.payable_ore, clock_timestamp(), audit.actor(p_actor)
  from jsonb_to_recordset(p_items) as i (id uuid, supplier_id uuid, number text, reference text,
    invoice_date date, due_date date, payable_ore bigint, original_payable_ore bigint,
    booking_date date)
  join purchases.suppliers s on s.id = i.supplier_id;
  perform sales.judge_opening_items(2440);
end $$;

-- As before (0044), within the opening balance.
create or replace function sales.add_opening_invoices(p_items jsonb, p_actor text) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  -- The terms of interest and fees are those of today, as when an invoice is booked (0034).
  -- Held as booking holds it, so that nobody is given one of the numbers meanwhile.
  update sales.invoice_numbers n set last_number = greatest(n.last_number,
    (select max((i ->> 'number')::integer) from jsonb_array_elements(p_items) as i));
  insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
    payment_terms_days, notes, debtor, net_ore, vat_ore, total_ore, original_total_ore, number, ocr,
    status, booked_at, agreed_rate_e2, interest_from, interest_is_stated, reminder_fee_is_agreed)
  select i.id, 'opening', audit.actor(p_actor), i.customer_id, i.invoice_date, i.due_date,
    least(greatest(i.due_date - i.invoice_date, 0), 90), i.notes, sales.debtor_of(c), amounts.net,
    i.total_ore - amounts.net, i.total_ore, i.original_total_ore, i.number,
    coalesce(i.ocr, sales.ocr_for(i.number)), 'booked', now(), c.agreed_rate_e2, terms.interest_from,
    terms.interest_is_stated, terms.reminder_fee_is_agreed
  from jsonb_to_recordset(p_items) as i (id uuid, customer_id uuid, number integer, ocr text,
    invoice_date date, due_date date, total_ore bigint, original_total_ore bigint, notes text, rows jsonb)
  join sales.customers c on c.id = i.customer_id
  cross join restricted.company as terms
  cross join lateral (select sum((r ->> 'net_ore')::bigint)::bigint as net
    from jsonb_array_elements(i.rows) as r) as amounts;
  insert into sales.invoice_rows (invoice_id, row_no, description, quantity_e4, unit_price_e4,
    vat_rate, account, net_ore, vat_ore)
  select i.id, r.row_no, r.description, 10000, r.net_ore * 100, r.vat_rate, r.account, r.net_ore,
    r.vat_ore
  from jsonb_to_recordset(p_items) as i (id uuid, rows jsonb)
  cross join lateral jsonb_to_recordset(i.rows) as r (row_no integer, description text,
    account integer, vat_rate integer, net_ore bigint, vat_ore bigint);
  -- What remains of each is what it is on; the sum of receivables follows.
  perform sales.settle(array(select (i ->> 'id')::uuid from jsonb_array_elements(p_items) as i));
  perform sales.judge_opening_items(1510);
end $$;

-- A voucher settles the VAT of a period only if it empties the accounts of what the period brought.
create function ledger.judge_vat_settlement() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_start date := ledger.vat_period_start(new.period_end);
begin
  if v_start is null
    or not exists (select from ledger.vouchers v where v.id = new.voucher_id and v.source = 'vat')
    or exists (select from ledger.vat_of_period(v_start, new.period_end) p
      where p.account <> 2650 and p.brought_ore + p.settled_ore <> 0) then
    raise exception 'voucher % does not settle the VAT to %', new.voucher_id, new.period_end
      using errcode = 'HB002', constraint = 'vat_settlements_settle';
  end if;
  return null;
end $$;
create trigger vat_settlements_settle after insert on ledger.vat_settlements
  for each row execute function ledger.judge_vat_settlement();

-- An order that has become an invoice is that one's; only a draft that a person wrote for it may go again.
create function intake.freeze_order() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.invoice_id is null and exists (select from sales.invoices i
      where i.id = old.invoice_id and i.status = 'draft' and i.source = 'app') then
    return new;
  end if;
  raise exception 'what an order has become is never changed'
    using errcode = 'HB001', constraint = 'orders_keep_their_invoice';
end $$;
create trigger orders_keep_their_invoice before update of invoice_id on intake.orders for each row
  when (old.invoice_id is not null and new.invoice_id is distinct from old.invoice_id)
  execute function intake.freeze_order();

-- At the commit: people who have changed this have said so in the audit log, in this very transaction. The
-- argument is what the action is called.
create function audit.require_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user <> 'hb_app' then return null; end if;
  if not exists (select from audit.events e
      where e.occurred_at >= now() and e.xmin = pg_current_xact_id()::xid
        and e.action ~ tg_argv[0]) then
    raise exception '%.% is not changed without an entry in the audit log', tg_table_schema, tg_table_name
      using errcode = 'HB002', constraint = 'changes_are_written_down';
  end if;
  return null;
end $$;
do $$
declare
  v_table text;
  v_event text;
  v_actions text;
begin
  for v_table, v_event, v_actions in
    select * from (values
      ('ledger.locks', 'update', '^lock\.'),
      ('ledger.fiscal_years', 'insert or update or delete', '^fiscal_year\.'),
      ('ledger.vat_filings', 'insert or update or delete', '^vat\.'),
      ('ledger.vat_settlements', 'insert', '^vat\.'),
      ('ledger.month_ends', 'insert or update or delete', '^month\.'),
      ('ledger.corrections', 'insert', '^voucher\.'),
      ('sales.reference_rates', 'insert or update or delete', '^(reference_rate|company)\.'),
      ('restricted.company', 'insert or update', '^(company|setting)\.'),
      ('restricted.api_keys', 'insert or update or delete', '^key\.'),
      ('restricted.agency_keys', 'insert or update of agency, hash, revoked_at or delete', '^agency\.'),
      ('restricted.users', 'insert or update of email, role, deactivated_at or delete', '^user\.'),
      ('events.endpoints', 'insert or update of url, types, secret, disabled_at or delete', '^webhook\.')
    ) as t (name, event, actions)
  loop
    execute format('create constraint trigger changes_are_written_down after %s on %s
      deferrable initially deferred for each row execute function audit.require_event(%L)', v_event, v_table, v_actions);
  end loop;
end $$;

-- Jobs that people may ask for, and those who may.
create or replace function intake.enqueue(p_queue text, p_data jsonb[]) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not (case
      -- Printed by whoever has the page (archive.request_rendering); what it shows they have seen.
      when p_queue = 'rendering' then true
      when p_queue in ('purge', 'verification') then app.may('administer')
      else app.may('keep_books') end) then
    raise exception 'this role may not ask for that' using errcode = 'HB405';
  end if;
  insert into pgboss.job (id, name, data, priority, start_after, created_on, expire_seconds,
    deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, policy,
    dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
  select gen_random_uuid(), q.name, d.data, 0, pgboss.job_now(), pgboss.job_now(), q.expire_seconds,
    q.deletion_seconds, pgboss.job_now() + q.retention_seconds * interval '1 second', q.retry_limit,
    q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter,
    q.heartbeat_seconds, false, false, 0
  from unnest(p_data) as d (data) join pgboss.queue q on q.name = p_queue;
  if not found then
    raise exception 'queue % does not exist', p_queue;
  end if;
  perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), p_queue);
end $$;
