-- That the database can write, and not only answer: a full disk goes on answering every question. What is
-- written must need new room, since PostgreSQL finds room for a changed row in a page that it has: so the
-- table begins anew in a file of its own each time. Not at all while another proves it, nor while a
-- migration hands out rights: whoever asks waits for nobody.
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
