-- The last day that a company's bookkeeping was done in another program; null when it began here.
alter table restricted.company add column moved_on date;
