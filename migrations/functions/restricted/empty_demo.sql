-- Empties the books of the example company, all of them, for the transaction that fills them anew; refuses those of any
-- other. Nobody may call it but the owner of the tables, and first of all in the transaction: others wait for it, or are
-- waited for, and a transaction that is cut off leaves the books as they were. Whoever has access keeps it (people, keys,
-- agencies, webhooks), and what is true of the running installation stays. Places of events go on, since
-- those of transactions do.
create or replace function restricted.empty_demo() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  c_kept constant text[] := array['restricted.users', 'restricted.recovery_codes', 'restricted.sessions',
    'restricted.password_tries', 'restricted.login_windows', 'restricted.address_windows', 'restricted.login_salt',
    'restricted.setup_tokens', 'restricted.api_keys', 'restricted.key_windows', 'restricted.key_calls',
    'restricted.key_call_counts', 'restricted.agency_keys', 'restricted.agency_tokens', 'restricted.secrets_key',
    'restricted.clear_secrets', 'restricted.processes', 'restricted.backups', 'restricted.write_proofs',
    'events.endpoints', 'events.epochs'];
  c_schemas constant text[] := array['archive', 'audit', 'bank', 'events', 'intake', 'ledger', 'proposals',
    'purchases', 'restricted', 'sales'];
  v_tables text;
  v_change text;
  -- Of each trigger that rests, what rests it and wakes it.
  v_changes text[];
begin
  select string_agg(format('%I.%I', n.nspname, c.relname), ', ' order by n.nspname, c.relname) into v_tables
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname = any (c_schemas) and n.nspname || '.' || c.relname <> all (c_kept);
  -- Asked before anybody has to wait, and again when nobody can change the answer.
  for i in 1..2 loop
    if not exists (select from restricted.company c where c.is_demo) then
      raise exception 'only the books of the example company are ever emptied'
        using errcode = 'HB002', constraint = 'only_the_example_is_emptied';
    end if;
    if i = 1 then execute 'lock table ' || v_tables || ' in access exclusive mode'; end if;
  end loop;

  -- The triggers that refuse to empty a table rest while it is, and nobody else can reach it.
  select array_agg(format('alter table %s %%s trigger %I', t.tgrelid::regclass, t.tgname)) into v_changes
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where t.tgtype & 32 <> 0 and not t.tgisinternal and t.tgenabled = 'O' and n.nspname = any (c_schemas);
  foreach v_change in array v_changes loop
    execute format(v_change, 'disable');
  end loop;
  execute 'truncate ' || v_tables || ' restart identity';
  foreach v_change in array v_changes loop
    execute format(v_change, 'enable');
  end loop;

  -- As the migrations left them.
  insert into ledger.locks default values;
  insert into sales.invoice_numbers default values;
  insert into sales.receivables (open_ore) values (0);
  -- What was to be done was to be done with what is gone; what comes with the clock comes again.
  delete from pgboss.job;
end $$;
