-- Invoices name their articles by number.
create or replace function sales.refuse_article_in_use() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from sales.invoice_rows where article_number = old.number) then
    raise exception 'article % is on invoices; deactivate it instead', old.number
      using errcode = 'HB004', constraint = 'articles_in_use';
  end if;
  return coalesce(new, old);
end $$;
