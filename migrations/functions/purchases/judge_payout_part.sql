-- A part is of what is open, and never more than that; afterwards only whether the bank may still pay it changes, which
-- purchases.keep_live_parts says.
create or replace function purchases.judge_payout_part() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_open bigint;
begin
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and to_jsonb(new) - 'is_live' is distinct from to_jsonb(old) - 'is_live' then
    raise exception 'a payout is kept' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  end if;
  if tg_op = 'UPDATE' then
    if pg_trigger_depth() < 2 then
      raise exception 'a payout is kept' using errcode = 'HB001', constraint = 'payment_files_are_kept';
    end if;
    if not new.is_live then return new; end if;
  end if;
  if not new.is_live or tg_op = 'INSERT' and not exists (select from purchases.payouts p
      where p.id = new.payout_id and p.xmin = pg_current_xact_id()::xid
        and num_nonnulls(p.accepted_at, p.refused_at, p.voucher_id) = 0) then
    raise exception 'a file is made whole' using errcode = 'HB001', constraint = 'payment_files_are_kept';
  end if;
  if new.invoice_id is null then return new; end if;
  select i.open_ore into v_open from purchases.invoices i where i.id = new.invoice_id for update;
  if v_open is null or sign(v_open) <> sign(new.amount_ore) or abs(new.amount_ore) > abs(v_open) then
    raise exception 'no more is paid of an invoice than is open'
      using errcode = 'HB002', constraint = 'payout_parts_are_open';
  end if;
  return new;
end $$;
