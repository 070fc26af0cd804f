-- Marks an invoice of a supplier as booked by a voucher with its very rows; one of zero kronor that has no
-- rows is booked without (p_voucher_id null), on a day that is open.
create or replace function purchases.book(p_id uuid, p_voucher_id uuid, p_date date, p_actor text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_invoice purchases.invoices;
  v_document record;
begin
  if session_user = 'hb_app' and not app.may('keep_books') then
    raise exception 'this role may not write here' using errcode = 'HB405';
  end if;
  select * into v_invoice from purchases.invoices i where i.id = p_id for update;
  if v_invoice.status is null or v_invoice.status not in ('new', 'review') then
    raise exception 'a supplier invoice that is booked or rejected is never changed'
      using errcode = 'HB001', constraint = 'supplier_invoices_are_frozen';
  end if;
  if p_voucher_id is null then
    if (v_invoice.net_ore, v_invoice.vat_ore, v_invoice.rounding_ore, v_invoice.prepaid_ore,
        v_invoice.payable_ore) <> (0, 0, 0, 0, 0)
      or exists (select from purchases.invoice_rows r where r.invoice_id = p_id) then
      raise exception 'supplier invoice % has something to post', p_id
        using errcode = 'HB002', constraint = 'supplier_invoices_amount_is_posted';
    end if;
    if not exists (select from ledger.fiscal_years y where p_date between y.start_date and y.end_date)
      or ledger.find_lock(p_date, false) is not null then
      raise exception 'supplier invoice % is booked in no open fiscal year', p_id
        using errcode = 'HB002', constraint = 'supplier_invoices_are_in_open_years';
    end if;
  elsif not exists (select from ledger.vouchers v
      where v.id = p_voucher_id and v.verification_date = p_date
        and v.source = case when v_invoice.is_by_hand then 'purchase_by_hand' else 'supplier_invoice' end)
    or exists (
      select from (
        (select r.account, r.debit_ore, r.credit_ore from purchases.invoice_rows r
          where r.invoice_id = p_id
        except all select r.account, r.debit_ore, r.credit_ore from ledger.voucher_rows r
          where r.voucher_id = p_voucher_id)
        union all
        (select r.account, r.debit_ore, r.credit_ore from ledger.voucher_rows r
          where r.voucher_id = p_voucher_id
        except all select r.account, r.debit_ore, r.credit_ore from purchases.invoice_rows r
          where r.invoice_id = p_id)) as different) then
    raise exception 'voucher % does not book supplier invoice %', p_voucher_id, p_id
      using errcode = 'HB002', constraint = 'supplier_invoices_voucher_is_theirs';
  end if;
  v_invoice.status := 'booked';
  v_invoice.voucher_id := p_voucher_id;
  update purchases.invoices i set status = 'booked', voucher_id = p_voucher_id, booking_date = p_date,
    booking_refusal = null, open_ore = purchases.owed_ore(v_invoice), decided_at = clock_timestamp(),
    decided_by = audit.actor(p_actor)
  where i.id = p_id;

  -- Documents that people have laid on the draft follow to its voucher.
  for v_document in
    insert into ledger.attachments (id, voucher_id, sha256, file_name, media_type, created_by)
    select gen_random_uuid(), p_voucher_id, d.sha256, a.file_name, a.media_type, p_actor
    from purchases.attachments a join ledger.documents d using (sha256)
    where a.invoice_id = p_id and p_voucher_id is not null
    on conflict do nothing
    returning id, sha256
  loop
    perform audit.record(p_actor, 'attachment.added', p_voucher_id::text,
      jsonb_build_object('attachment_id', v_document.id, 'sha256', encode(v_document.sha256, 'hex')));
  end loop;
end $$;
