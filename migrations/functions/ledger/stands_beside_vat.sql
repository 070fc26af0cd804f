-- Whether vouchers of the origin stand in no box of the VAT return: they settle VAT, or carry it over from before the books.
create or replace function ledger.stands_beside_vat(p_source text) returns boolean language sql immutable as $$
  select p_source in ('vat', 'opening')
$$;
