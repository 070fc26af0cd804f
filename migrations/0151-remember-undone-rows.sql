-- When a person last took back what a row was booked as: it is not booked again without one. Instant: no default.
alter table bank.transactions add column undone_at timestamptz;
