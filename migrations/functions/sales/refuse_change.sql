-- What has been paid, reminded of or sent stays written.
create or replace function sales.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what happened to an invoice is never changed; register what takes it back'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
