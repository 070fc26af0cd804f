-- Whether rows of invoices may stand on an account of this number and type: sales on revenue, and gift cards of several
-- uses on 2421 and its parts, where they are a debt until they are redeemed (src/domain/sales/gift-card.ts).
create or replace function sales.is_sold_on(p_number integer, p_type text) returns boolean language sql immutable as $$
  select p_type = 'revenue' or left(p_number::text, 4) = '2421'
$$;
