-- A proposal stays as it was made. It is decided once: approved or rejected by people, withdrawn by the program that made
-- it. Approved is what relies on what it did, before it expired, and has become something that is there.
create or replace function proposals.guard_proposal() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  c_decision constant text[] := array['status', 'decided_at', 'decided_by', 'reason', 'result_kind', 'result_id'];
begin
  if tg_op = 'DELETE' or to_jsonb(new) - c_decision <> to_jsonb(old) - c_decision
    or old.status <> 'open' and to_jsonb(new) <> to_jsonb(old) then
    raise exception 'proposal % stays as it was made and decided', old.id
      using errcode = 'HB001', constraint = 'proposals_are_kept';
  end if;
  if new.status = old.status then return new; end if;
  if session_user in ('hb_app', 'hb_worker') then
    -- Who proposed it takes it back by api.withdraw_proposal.
    if new.status = 'withdrawn' then
      raise exception 'a proposal is its program''s to withdraw' using errcode = 'HB405';
    end if;
    new.decided_by := audit.actor(new.decided_by);
    new.decided_at := clock_timestamp();
  end if;
  if new.status = 'approved' and (
      old.expires_at <= now()
      or proposals.hash_of(old.grounds) <> old.grounds_hash
      or not case new.result_kind
        when 'voucher' then exists (select from ledger.vouchers where id = new.result_id)
        when 'invoice' then exists (select from sales.invoices where id = new.result_id)
        else exists (select from purchases.invoices where id = new.result_id) end) then
    raise exception 'proposal % has become nothing', old.id
      using errcode = 'HB002', constraint = 'proposals_become_something';
  end if;
  return new;
end $$;
