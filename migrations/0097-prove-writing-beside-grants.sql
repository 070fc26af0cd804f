-- Readiness was a fault while a migration handed out rights. One function.

-- As before (0091), or not anew.
create or replace function api.prove_writing() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  begin
    lock table restricted.write_proofs in access exclusive mode nowait;
    truncate restricted.write_proofs;
  -- Rights handed out on the table at this moment change its row in the catalogue without a lock ("tuple
  -- concurrently updated"): no sign of a full disk.
  exception when lock_not_available or internal_error then
    begin
      -- A backup that reads the table hinders nobody who adds to it.
      lock table restricted.write_proofs in row exclusive mode nowait;
    exception when lock_not_available then
      return;
    end;
  end;
  insert into restricted.write_proofs (proved_at) values (clock_timestamp());
end $$;
