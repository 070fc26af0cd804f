-- Readiness asks whether the database can write, not only whether it answers: a full disk goes on answering
-- every question. What is written must need new room, since PostgreSQL finds room for a changed row in a
-- page that it has: so the table begins anew in a file of its own each time. Locks nothing that is in use.
create table restricted.write_proofs (
  proved_at timestamptz not null
);

create function api.prove_writing() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  begin
    lock table restricted.write_proofs in access exclusive mode nowait;
    truncate restricted.write_proofs;
  exception when lock_not_available then
    -- Another process proves it now, or a backup reads the table.
    null;
  end;
  insert into restricted.write_proofs (proved_at) values (clock_timestamp());
end $$;
