-- A supplier's latest booked invoice tells where its next one goes (purchases.usual_accounts): found by itself,
-- not among all that the supplier has sent.
create index invoices_booked_by_supplier on purchases.invoices (supplier_id, decided_at desc, id desc)
where status = 'booked';
