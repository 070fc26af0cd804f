-- A settlement that a person writes out of what the provider has sent them, or that a command reads: booked as one that comes
-- by the API, and once with it (bank.take_provider_settlement, which tells of the arguments and of what it answers). What a
-- person writes from is filed on the voucher by themselves.
create or replace function bank.write_settlement(
  p_settlement jsonb, p_lines jsonb, p_rows jsonb, p_actor text
) returns table (outcome text, id uuid, voucher_id uuid, detail jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  return query select t.outcome, t.id, t.voucher_id, t.detail
    from bank.take_provider_settlement(audit.actor(p_actor), null, p_settlement, p_lines, p_rows) as t;
end $$;
