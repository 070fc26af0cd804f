-- Nothing that a voucher refers to disappears or changes identity. Taking every series' row first
-- keeps postings out between the look and the deed.
create or replace function ledger.refuse_if_in_use() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  v_in_use boolean;
begin
  perform ledger.give_way_to_import();
  perform from ledger.series order by id for update;
  v_in_use := case tg_table_name
    when 'accounts' then exists (
      select from ledger.voucher_rows where account = (to_jsonb(old) ->> 'number')::integer)
    when 'series' then exists (
      select from ledger.vouchers where series_id = (to_jsonb(old) ->> 'id')::uuid)
    else exists (select from ledger.voucher_rows
      where (to_jsonb(old) ->> 'id')::uuid in (cost_center_id, project_id)) end;
  if v_in_use then
    raise exception '% is in use by vouchers; deactivate it instead', tg_table_name
      using errcode = 'HB004', constraint = tg_table_name || '_in_use';
  end if;
  return coalesce(new, old);
end $$;
