-- What the bank was asked to pay stays; the owner of the tables is refused too.
create or replace function purchases.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '%.% is never changed or removed', tg_table_schema, tg_table_name
    using errcode = 'HB001', constraint = 'payment_files_are_kept';
end $$;
