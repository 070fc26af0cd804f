-- Corrections that tie vouchers together both ways (BFL 5:5), templates of vouchers, and what the pages
-- about vouchers look up. New tables and functions; two small indexes, neither on the ledger's own tables.

-- A voucher that was wrong, the one that takes it back row by row, and the one that stands in its place
-- when there is such a one. A voucher is taken back once.
create table ledger.corrections (
  corrected_id uuid not null,
  reversal_id uuid not null,
  replacement_id uuid,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint corrections_pkey primary key (corrected_id),
  constraint corrections_reversal_key unique (reversal_id),
  constraint corrections_replacement_key unique (replacement_id),
  constraint corrections_corrected_fkey foreign key (corrected_id) references ledger.vouchers,
  constraint corrections_reversal_fkey foreign key (reversal_id) references ledger.vouchers,
  constraint corrections_replacement_fkey foreign key (replacement_id) references ledger.vouchers,
  constraint corrections_are_different_vouchers
    check (corrected_id <> reversal_id and replacement_id not in (corrected_id, reversal_id))
);
create trigger corrections_are_immutable before update or delete or truncate on ledger.corrections
  for each statement execute function ledger.refuse_change();

-- What takes a voucher back is its mirror: the same rows with the sides exchanged, and nothing else.
create function ledger.check_reversal() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if (select v.source from ledger.vouchers v where v.id = new.reversal_id) is distinct from 'reversal'
    or exists (
      select from (select * from ledger.voucher_rows r where r.voucher_id = new.corrected_id) as wrong
      full join (select * from ledger.voucher_rows r where r.voucher_id = new.reversal_id) as back
        using (row_no)
      where (wrong.account, wrong.debit_ore, wrong.credit_ore, wrong.cost_center_id, wrong.project_id)
        is distinct from
        (back.account, back.credit_ore, back.debit_ore, back.cost_center_id, back.project_id)) then
    raise exception 'voucher % is not taken back by %', new.corrected_id, new.reversal_id
      using errcode = 'HB002', constraint = 'corrections_take_back';
  end if;
  return null;
end $$;
create trigger corrections_take_back after insert on ledger.corrections
  for each row execute function ledger.check_reversal();

-- Rows to begin a voucher from: a list of {account, debit, credit, note, cost_center, project} with
-- amounts in öre as texts.
create table ledger.voucher_templates (
  id uuid not null,
  name text not null,
  series text not null,
  description text not null,
  counterparty text,
  rows jsonb not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint voucher_templates_pkey primary key (id),
  constraint voucher_templates_name_length check (char_length(name) between 1 and 100),
  constraint voucher_templates_series_length check (char_length(series) between 1 and 2),
  constraint voucher_templates_description_length check (char_length(description) <= 500),
  constraint voucher_templates_counterparty_length check (char_length(counterparty) <= 200),
  constraint voucher_templates_rows_are_a_list check (jsonb_typeof(rows) = 'array')
);
create unique index voucher_templates_name_key on ledger.voucher_templates (lower(name));

do $$
declare
  v_table text;
begin
  foreach v_table in array array['ledger.corrections', 'ledger.voucher_templates'] loop
    execute format('alter table %s enable row level security', v_table);
    execute format('create policy people_read on %s for select to hb_app using ((select app.may(''read'')))',
      v_table);
    execute format('create policy people_write on %s to hb_app using ((select app.may(''keep_books'')))',
      v_table);
  end loop;
end $$;

-- What has happened to something: a voucher's history, who set a lock. And which bank transaction a
-- voucher books.
create index events_by_subject on audit.events (subject, occurred_at desc, id desc);
create index transactions_by_voucher on bank.transactions (voucher_id) where voucher_id is not null;

-- Who an actor is, for everybody who may read the books: a user's name, a key's name. Keys themselves are
-- for administrators only.
create function app.actor_names(p_actors text[]) returns table (actor text, name text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.actor, coalesce(
    (select coalesce(nullif(u.name, ''), u.email) from restricted.users u
      where a.actor = 'user:' || u.id),
    (select k.name from restricted.api_keys k where a.actor = 'key:' || k.id))
  from unnest(p_actors) as a (actor) where app.may('read')
$$;
