-- What a bank has said, and what people have signed, stays; the owner of the tables is refused too.
create or replace function bank.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%.% is never changed or removed', tg_table_schema, tg_table_name
    using errcode = 'HB001', constraint = 'bank_is_immutable';
end $$;
