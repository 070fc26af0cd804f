-- Nobody updates or deletes, the owner of the tables included.
create or replace function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a posted voucher is never changed or removed; correct it with a new voucher'
    using errcode = 'HB001', constraint = 'vouchers_are_immutable';
end $$;
