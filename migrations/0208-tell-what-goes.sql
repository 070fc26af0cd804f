-- Others are told what goes, so that their copies lose it too; what is proposed and decided; and of which vouchers the
-- documents have changed. Rows of the bank are found by when they changed.
-- functions: events.note_removed, events.note_proposals
create table events.removals (
  id uuid not null default gen_random_uuid(),
  -- The list of the API that it was in: `kunder` of /api/v1/kunder.
  list text not null,
  -- What it is asked for by there; null when all that the list had is gone.
  key text,
  removed_at timestamptz not null default now(),
  constraint removals_pkey primary key (id)
);
create index removals_removed_at on events.removals using brin (removed_at);
alter table events.removals enable row level security;
create policy worker_reads on events.removals for select to hb_worker using (true);

alter table events.outbox drop constraint outbox_type_known;
alter table events.outbox add constraint outbox_type_known check (type in ('voucher.posted', 'invoice.drafted',
  'invoice.booked', 'invoice.paid', 'order.received', 'order.rejected', 'e_invoice.received', 'bank.imported',
  'payment_file.created', 'payment.matched', 'record.removed', 'documents.changed', 'proposal.created',
  'proposal.decided', 'proposal.withdrawn'));

create trigger removals_are_told after delete on ledger.accounts
  for each row execute function events.note_removed('konton', 'number');
create trigger removals_are_told after delete on ledger.dimensions
  for each row execute function events.note_removed('dimensioner', 'id');
create trigger removals_are_told after delete on ledger.series
  for each row execute function events.note_removed('serier', 'id');
create trigger removals_are_told after delete on ledger.fiscal_years
  for each row execute function events.note_removed('rakenskapsar', 'id');
create trigger removals_are_told after delete on sales.articles
  for each row execute function events.note_removed('artiklar', 'number');
create trigger removals_are_told after delete on sales.customers
  for each row execute function events.note_removed('kunder', 'id');
create trigger removals_are_told after delete on purchases.suppliers
  for each row execute function events.note_removed('leverantorer', 'id');
create trigger removals_are_told after delete on sales.invoices
  for each row execute function events.note_removed('kundfakturor', 'id');
create trigger removals_are_told after delete on purchases.invoices
  for each row execute function events.note_removed('inkop', 'id');
create trigger removals_are_told after delete on bank.transactions
  for each row execute function events.note_removed('banktransaktioner', 'id');
-- By another number it is another.
create trigger renumbering_is_told after update of number on ledger.accounts
  for each row when (old.number is distinct from new.number) execute function events.note_removed('konton', 'number');
create trigger renumbering_is_told after update of number on sales.articles
  for each row when (old.number is distinct from new.number) execute function events.note_removed('artiklar', 'number');

create policy worker_reads on proposals.proposals for select to hb_worker using (true);
create trigger proposals_are_told after insert or update of status on proposals.proposals
  for each row execute function events.note_proposals();

create index transactions_by_change on bank.transactions (greatest(created_at, matched_at, undone_at));
