-- What only PostgreSQL's superuser may take away, in the installation's own database: by nature every role may
-- fill the disk with large objects and messages, hold the locks that a migration waits for, end the
-- connections of its own kind, and see under which names a connection has prepared its statements. Run once
-- (docs/operating.md); the embedded server is made with it. Two newlines end each statement, as single-user
-- mode reads them. Run where parts of the program are at work already, it leaves them what they use of it.

do $$
declare
  v_owner text := (select pg_get_userbyid(datdba) from pg_database where datname = current_database());
  v_function regprocedure;
  v_prefix text;
begin
  for v_function in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open', 'lo_put',
          'lo_truncate', 'lo_truncate64', 'lo_unlink', 'lowrite', 'pg_logical_emit_message',
          'pg_cancel_backend', 'pg_terminate_backend', 'pg_export_snapshot', 'pg_sleep', 'pg_sleep_for',
          'pg_sleep_until', 'pg_prepared_statement')
        or p.proname ~ '^pg_(try_)?advisory_')
  loop
    execute format('revoke execute on function %s from public', v_function);
    -- The owner hands on what a role's work needs (grants.sql).
    execute format('grant execute on function %s to %I with grant option', v_function, v_owner);
  end loop;
  -- By nature nobody's but a superuser's, since it reads the server's files: an earlier form of this gave it.
  execute format('revoke execute on function lo_import(text), lo_import(text, oid) from %I', v_owner);
  -- What one statement may write to temporary files; the roles are given it when they are made.
  execute format('grant set on parameter temp_file_limit to %I', v_owner);
  -- Roles that were made before had only what is everybody's: no owner could give it to them (grants.sql).
  if to_regclass('migration.installation') is not null then
    execute 'select role_prefix from migration.installation' into v_prefix;
    if to_regrole(quote_ident(v_prefix || '_worker')) is not null
        and to_regrole(quote_ident(v_prefix || '_app')) is not null then
      execute format('set local role %I', v_owner);
      execute format('grant execute on function pg_advisory_lock(bigint), pg_advisory_lock_shared(bigint),
        pg_advisory_unlock_all(), pg_advisory_xact_lock(bigint), pg_try_advisory_xact_lock(bigint),
        pg_advisory_xact_lock(integer, integer) to %I', v_prefix || '_worker');
      execute format('grant execute on function pg_advisory_xact_lock(integer, integer) to %I', v_prefix || '_app');
      reset role;
    end if;
  end if;
end $$;

