-- Invoices that were taken over are held against the balance at the end of that day (sales.judge_opening_items).
create or replace function sales.keep_move_day() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from sales.invoices i where i.source = 'opening')
    or exists (select from purchases.invoices i where i.document_id is null and not i.is_by_hand) then
    raise exception 'invoices have been taken over at the end of %', old.moved_on
      using errcode = 'HB002', constraint = 'company_keeps_move_day';
  end if;
  return new;
end $$;
