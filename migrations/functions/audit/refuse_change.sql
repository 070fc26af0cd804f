-- What has been written down stays.
create or replace function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or removed'
    using errcode = 'HB001', constraint = 'events_are_immutable';
end $$;
