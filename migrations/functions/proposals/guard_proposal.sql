-- A proposal stays as it was made. It is decided once: approved or rejected by people, withdrawn by the program that made
-- it. Approved is what relies on what it did, before it expired, and has become what its payload says: a voucher to the
-- öre, the correction of that voucher, what books that row of the bank, that customer's draft, that supplier's invoice.
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
      or not case old.kind
        when 'voucher' then exists (select from ledger.vouchers v
          where v.id = new.result_id and v.posted_at >= old.created_at
            and v.series = old.payload ->> 'seriesCode' and v.verification_date = (old.payload ->> 'date')::date
            and (select jsonb_agg(jsonb_build_array(r.account, r.debit_ore, r.credit_ore) order by r.row_no)
                from ledger.voucher_rows r where r.voucher_id = v.id)
              = (select jsonb_agg(jsonb_build_array((r ->> 'account')::integer,
                  round((r ->> 'debit')::numeric * 100), round((r ->> 'credit')::numeric * 100)) order by n)
                from jsonb_array_elements(old.payload -> 'rows') with ordinality as p (r, n)))
        when 'correction' then exists (select from ledger.corrections c
          where c.corrected_id = (old.payload ->> 'voucherId')::uuid and c.created_at >= old.created_at
            and new.result_id = coalesce(c.replacement_id, c.reversal_id))
        when 'match' then exists (select from bank.transactions t
          where t.id = (old.payload ->> 'transactionId')::uuid and t.voucher_id = new.result_id)
        when 'invoice_draft' then exists (select from sales.invoices i
          where i.id = new.result_id and i.status = 'draft' and i.customer_id = (old.payload ->> 'customerId')::uuid)
        else exists (select from purchases.invoices i
          where i.id = new.result_id and i.supplier_id = (old.payload ->> 'supplierId')::uuid
            and lower(trim(i.invoice_number)) = lower(trim(old.payload ->> 'invoiceNumber'))) end
      or new.result_kind <> case old.kind when 'invoice_draft' then 'invoice' when 'purchase' then 'purchase'
        else 'voucher' end) then
    raise exception 'proposal % has become nothing', old.id
      using errcode = 'HB002', constraint = 'proposals_become_something';
  end if;
  return new;
end $$;
