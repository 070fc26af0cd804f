-- What programs propose, and what becomes of it.
create or replace function events.note_proposals() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into events.outbox (type, subject) values ('proposal.created', new.id);
  elsif new.status is distinct from old.status then
    insert into events.outbox (type, subject)
    values (case new.status when 'withdrawn' then 'proposal.withdrawn' else 'proposal.decided' end, new.id);
  end if;
  return null;
end $$;
