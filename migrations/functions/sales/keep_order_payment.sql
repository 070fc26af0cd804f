-- What the shop said of a payment comes with the draft of its order and stays; what is noted beside is the voucher that
-- books it, once, or why it could not be.
create or replace function sales.keep_order_payment() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'TRUNCATE' or tg_op = 'DELETE' and exists (
      select from sales.invoices i where i.id = old.invoice_id and i.status <> 'draft')
    or tg_op = 'INSERT' and not exists (
      select from sales.invoices i where i.id = new.invoice_id and i.status = 'draft' and i.source = 'order')
    or tg_op = 'INSERT' and (new.voucher_id is not null or new.refusal is not null)
    or tg_op = 'UPDATE' and (old.voucher_id is not null
      or to_jsonb(new) - '{voucher_id,refusal}'::text[] <> to_jsonb(old) - '{voucher_id,refusal}'::text[]) then
    raise exception 'what was said of a payment is never changed'
      using errcode = 'HB001', constraint = 'order_payments_are_kept';
  end if;
  return coalesce(new, old);
end $$;
