-- Whoever asks whether the database can write waits for nobody: one who holds the table, because it asks too or has
-- stopped in the middle, made every other process unready. And what is written down in the audit log is dated by the
-- clock, not by when its transaction began. Function and a default.

-- As before (0066), or not at all while another proves it.
create or replace function api.prove_writing() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  begin
    lock table restricted.write_proofs in access exclusive mode nowait;
    truncate restricted.write_proofs;
  exception when lock_not_available then
    begin
      -- A backup that reads the table hinders nobody who adds to it.
      lock table restricted.write_proofs in row exclusive mode nowait;
    exception when lock_not_available then
      return;
    end;
  end;
  insert into restricted.write_proofs (proved_at) values (clock_timestamp());
end $$;

alter table audit.events alter column occurred_at set default clock_timestamp();
