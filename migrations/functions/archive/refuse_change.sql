-- What has been stored by its content is never another content.
create or replace function archive.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what documents a voucher is kept as it came'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
