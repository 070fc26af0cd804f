-- What a person has begun to type and not sent: each sees their own, in any browser, until it is sent, thrown
-- away, or a month old. A new, small table.
create table restricted.begun_forms (
  id uuid not null,
  user_id uuid not null references restricted.users (id) on delete cascade,
  -- The page that it goes on at, with its query.
  address text not null,
  -- The form's fields as JSON text, `[["date","2026-03-31"],…]`; null once it is sent or thrown away, so that
  -- what was on its way from the browser meanwhile does not bring it back.
  pairs text,
  -- Whether it is offered on its page; others are only gone back to.
  is_offered boolean not null,
  kept_at timestamptz not null default now(),
  constraint begun_forms_pkey primary key (user_id, id),
  constraint begun_forms_address_length check (char_length(address) <= 1000),
  constraint begun_forms_pairs_size check (octet_length(pairs) <= 300000)
);
create index begun_forms_kept_at on restricted.begun_forms (kept_at);
alter table restricted.begun_forms enable row level security;
create policy people_see_their_own on restricted.begun_forms to hb_app
  using (user_id = (select app.current_user_id()) and (select app.may('read')));

-- Called with restricted.purge_expired by the worker that keeps the installation well.
create function restricted.purge_begun_forms() returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_count bigint;
begin
  delete from restricted.begun_forms
  where kept_at < now() - case when pairs is null then interval '3 days' else interval '30 days' end;
  get diagnostics v_count = row_count;
  return v_count;
end $$;
