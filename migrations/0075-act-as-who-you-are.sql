-- Who did what, and when, is what the database knows: the person whose session is presented, the key (which
-- api.* looks up itself), or the worker. What a login says of it is believed of the owner alone, who runs the
-- commands. Functions and triggers; nothing is rewritten, each table is locked for a moment.

-- The actor behind the transaction. `p_said` is what the caller says: the owner's word is taken; a worker
-- may say which queue it works for, but never that it is a person or a key, for all workers share a login.
create function audit.actor(p_said text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  case session_user
    when 'hb_app' then
      -- Whoever holds the first visit's token is nobody yet.
      return coalesce('user:' || app.complete_user_id(),
        case when app.current_role_name() is not null then 'setup' end,
        audit.refuse_nobody());
    when 'hb_worker' then
      if p_said = 'job:webhooks'
        or p_said like 'job:%' and exists (select from pgboss.queue q where q.name = substr(p_said, 5)) then
        return p_said;
      end if;
      return audit.refuse_nobody();
    when 'hb_api', 'hb_agency' then
      -- Keys act through api.*, which names them.
      return audit.refuse_nobody();
    else
      return p_said;
  end case;
end $$;

create function audit.refuse_nobody() returns text
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'nobody is there to do this' using errcode = 'HB405';
end $$;

-- The one way to write down what was done.
create function audit.record(p_actor text, p_action text, p_subject text, p_detail jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into audit.events (id, occurred_at, actor, action, subject, detail)
  values (gen_random_uuid(), clock_timestamp(), audit.actor(p_actor), p_action, p_subject, p_detail)
$$;

drop policy people_write on audit.events;
drop policy workers_work on audit.events;

-- Who and when of rows that people and workers write themselves, whatever the statement says of it.
create function audit.stamp_created() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := audit.actor(new.created_by);
    new.created_at := clock_timestamp();
  else
    new.created_by := old.created_by;
    new.created_at := old.created_at;
  end if;
  return new;
end $$;

create function audit.stamp_time() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.created_at := case tg_op when 'INSERT' then clock_timestamp() else old.created_at end;
  return new;
end $$;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['ledger.attachments', 'ledger.corrections', 'ledger.voucher_templates',
      'purchases.payments', 'purchases.supplier_accounts', 'purchases.suppliers', 'sales.disputes',
      'sales.mails', 'sales.payments', 'sales.reminders', 'sales.withdrawn_fees', 'events.endpoints'] loop
    execute format('create trigger people_are_named before insert or update on %s for each row
      when (session_user in (''hb_app'', ''hb_worker'')) execute function audit.stamp_created()', v_table);
  end loop;
  -- Invoices change often, and never in who made them.
  create trigger people_are_named before insert or update of created_by, created_at on sales.invoices
    for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
  foreach v_table in array array['archive.contents', 'archive.renderings', 'bank.transactions',
      'sales.customers', 'purchases.invoices'] loop
    execute format('create trigger times_are_real before insert or update of created_at on %s for each row
      when (session_user in (''hb_app'', ''hb_worker'')) execute function audit.stamp_time()', v_table);
  end loop;
end $$;

-- Whoever vouches for a sale without VAT.
create function sales.stamp_confirmation() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.vat_confirmed_by := audit.actor(new.vat_confirmed_by);
  return new;
end $$;
create trigger people_confirm before insert or update of vat_confirmed_by on sales.invoices for each row
  when (session_user in ('hb_app', 'hb_worker') and new.vat_confirmed_by is not null)
  execute function sales.stamp_confirmation();

create function audit.stamp_verification() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.actor := audit.actor(new.actor);
  new.finished_at := clock_timestamp();
  return new;
end $$;
create trigger people_are_named before insert on audit.verifications for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_verification();

create function ledger.stamp_acknowledgement() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.acknowledged_by := audit.actor(new.acknowledged_by);
  new.acknowledged_at := clock_timestamp();
  return new;
end $$;
create trigger people_are_named before insert on ledger.month_ends for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function ledger.stamp_acknowledgement();

create function ledger.stamp_filing() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.filed_by := audit.actor(new.filed_by);
  new.filed_at := clock_timestamp();
  return new;
end $$;
create trigger people_are_named before insert on ledger.vat_filings for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function ledger.stamp_filing();

create function intake.stamp_decision() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.decided_by := audit.actor(new.decided_by);
  new.decided_at := clock_timestamp();
  return new;
end $$;
create trigger people_are_named before insert on intake.order_decisions for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function intake.stamp_decision();

-- Who matched a bank row with the voucher that it has now.
create function bank.stamp_match() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.voucher_id is null then
    return new;
  end if;
  if tg_op = 'UPDATE' and new.voucher_id is not distinct from old.voucher_id then
    new.matched_by := old.matched_by;
    new.matched_at := old.matched_at;
  else
    new.matched_by := audit.actor(new.matched_by);
    new.matched_at := clock_timestamp();
  end if;
  return new;
end $$;
create trigger people_are_named before insert or update of voucher_id, matched_by, matched_at
  on bank.transactions for each row when (session_user in ('hb_app', 'hb_worker'))
  execute function bank.stamp_match();

-- A key that is revoked stays so, by whoever did it.
create function restricted.stamp_key() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := audit.actor(new.created_by);
    new.created_at := clock_timestamp();
  else
    new.created_by := old.created_by;
    new.created_at := old.created_at;
    if old.revoked_at is not null then
      new.revoked_by := old.revoked_by;
      new.revoked_at := old.revoked_at;
    elsif new.revoked_at is not null then
      new.revoked_by := audit.actor(new.revoked_by);
      new.revoked_at := clock_timestamp();
    end if;
  end if;
  return new;
end $$;
create trigger people_are_named before insert or update on restricted.api_keys for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function restricted.stamp_key();
create trigger people_are_named before insert or update on restricted.agency_keys for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function restricted.stamp_key();

-- Vouchers of people, workers and commands: ledger.post_vouchers in the name of who is there. What an
-- invoice or an order becomes is the invoice's to post, and workers post what suppliers have sent alone.
create function ledger.post(
  p_id uuid[], p_series text[], p_date date[], p_description text[], p_counterparty text[],
  p_source text[], p_actor text, p_row_item integer[], p_row_no integer[], p_row_account integer[],
  p_row_debit bigint[], p_row_credit bigint[], p_row_note text[], p_row_cost_center uuid[],
  p_row_project uuid[], p_dry_run boolean default false
) returns table (item integer, number integer, error text, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
begin
  if session_user = 'hb_app' and p_source && array['invoice', 'order', 'api', 'import']
    or session_user = 'hb_worker' and p_source <> array_fill('supplier_invoice'::text,
      array[cardinality(p_source)]) then
    raise exception 'this origin is not its to give' using errcode = 'HB405';
  end if;
  return query select j.item, j.number, j.error, j.detail
    from ledger.post_vouchers(p_id, p_series, p_date, p_description, p_counterparty, p_source,
      array_fill(audit.actor(p_actor), array[cardinality(p_id)]),
      array_fill(null::uuid, array[cardinality(p_id)]), p_row_item, p_row_no, p_row_account,
      p_row_debit, p_row_credit, p_row_note, p_row_cost_center, p_row_project,
      p_dry_run => p_dry_run) as j;
end $$;

-- The same for invoices (sales.book_invoices).
create function sales.book(
  p_invoice_id uuid[], p_voucher_id uuid[], p_actor text, p_row_item integer[], p_row_no integer[],
  p_row_account integer[], p_row_debit bigint[], p_row_credit bigint[]
) returns table (item integer, number integer, ocr text, status text, error text, detail jsonb)
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select b.item, b.number, b.ocr, b.status, b.error, b.detail
  from sales.book_invoices(p_invoice_id, p_voucher_id,
    array_fill(audit.actor(p_actor), array[cardinality(p_invoice_id)]),
    array_fill(null::uuid, array[cardinality(p_invoice_id)]), p_row_item, p_row_no, p_row_account,
    p_row_debit, p_row_credit) as b
$$;
