-- Whether vouchers of the origin stand in no box of the VAT return: they settle VAT, carry it over from before the books,
-- or move what has been in its box already to other months.
create or replace function ledger.stands_beside_vat(p_source text) returns boolean language sql immutable as $$
  select p_source in ('vat', 'opening', 'accrual_posting')
$$;
