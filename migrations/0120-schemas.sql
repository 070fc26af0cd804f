-- The rooms of the database. Each has a migration of its own below, with its tables; what can be found of
-- functions is in functions/, a file each, and every right of every role in grants.sql.
--
-- A line `-- functions: …` in a migration stands for those functions' files at that place: what a default,
-- a check, an index, a trigger or a policy asks must be there before it.

-- Company, people, keys and what guards the installation: nothing of it for key traffic.
create schema restricted;
-- Who did what.
create schema audit;
-- Files as they came, and what has been printed.
create schema archive;
-- The books.
create schema ledger;
-- Customers, articles, invoices to them, and what they pay.
create schema sales;
-- Orders and e-invoices as they were received.
create schema intake;
-- Suppliers, their invoices, and what is paid of them.
create schema purchases;
-- What the bank says.
create schema bank;
-- What has happened, for those who follow it.
create schema events;
-- Functions that the logins of keys, people and agencies may call.
create schema api;
create schema app;
create schema agency;

-- A job's row is updated and soon deleted, so a table of jobs is mostly dead rows unless it is vacuumed
-- often. pg-boss leaves that to autovacuum and warns when it falls behind; the usual settings wait for a
-- fifth of the table and then go slowly.
do $$
declare
  v_table regclass;
begin
  for v_table in select inhrelid::regclass from pg_inherits where inhparent = 'pgboss.job'::regclass loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.01,
      autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0,
      autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05)', v_table);
  end loop;
end $$;
