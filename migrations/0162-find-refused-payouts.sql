-- What the bank has refused is asked for at every overview, and whom a person was last paid on at every file.
-- New indexes of small parts; short locks on the table.
create index payouts_refused on purchases.payouts (id) where refused_at is not null;
create index payouts_by_person on purchases.payouts (laid_out_by, id) where laid_out_by is not null;
