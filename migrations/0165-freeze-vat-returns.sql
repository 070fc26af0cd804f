-- VAT returns as they were filed, frozen; vouchers that mend a filed period; and what people say of imported vouchers that
-- look like settlements. New tables, and a trigger on filings. Returns that were filed before this are not frozen.
-- functions: audit.stamp_created, audit.require_event, ledger.refuse_change, ledger.freeze_vat_return
-- functions: ledger.guard_vat_return, ledger.mark_vat_assignments, ledger.withdraw_vat_returns, ledger.judge_vat_assignment, ledger.judge_settlement_judgement

-- A return of a period as it was filed; a later one stands in place of those before it.
create table ledger.vat_returns (
  period_end date not null,
  number integer not null,
  period_start date not null,
  filed_on date not null,
  -- As Huvudbok's file, or by other means, known by their reference.
  way text not null,
  reference text,
  -- What it tells Skatteverket in words (TextUpplysningMoms).
  note text,
  organization_number text not null,
  -- What counted: [{account, vat_code, box, ore}], credit less debit. The boxes and the file follow from it.
  parts jsonb not null,
  filed_at timestamptz not null,
  filed_by text not null,
  withdrawn_at timestamptz,
  withdrawn_by text,
  constraint vat_returns_pkey primary key (period_end, number),
  constraint vat_returns_period check (period_start < period_end),
  constraint vat_returns_has_ended check (period_end < filed_on),
  constraint vat_returns_way_known check (way in ('file', 'other')),
  constraint vat_returns_other_has_reference check ((way = 'other') = (reference is not null)),
  constraint vat_returns_reference_length check (char_length(reference) between 1 and 100),
  constraint vat_returns_note_length check (char_length(note) between 1 and 300),
  constraint vat_returns_parts_are_a_list check (jsonb_typeof(parts) = 'array'),
  constraint vat_returns_withdrawn check ((withdrawn_at is null) = (withdrawn_by is null))
);

-- Vouchers that mend the return of a period that is filed: they count in that, and not where they stand.
create table ledger.vat_assignments (
  voucher_id uuid not null,
  period_end date not null,
  -- Of the return that has it; null until it is filed.
  return_number integer,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint vat_assignments_pkey primary key (voucher_id),
  constraint vat_assignments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint vat_assignments_return_fkey foreign key (period_end, return_number) references ledger.vat_returns
);
create index vat_assignments_by_period on ledger.vat_assignments (period_end);

-- Whether an imported voucher settles a VAT period: of which, or null where it is none.
create table ledger.settlement_judgements (
  voucher_id uuid not null,
  period_end date,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint settlement_judgements_pkey primary key (voucher_id),
  constraint settlement_judgements_voucher_fkey foreign key (voucher_id) references ledger.vouchers
);
create index settlement_judgements_by_period on ledger.settlement_judgements (period_end) where period_end is not null;

create trigger vat_returns_are_frozen before insert on ledger.vat_returns
  for each row execute function ledger.freeze_vat_return();
create trigger vat_returns_take_what_mends after insert on ledger.vat_returns
  for each row execute function ledger.mark_vat_assignments();
create trigger vat_returns_stay before update or delete on ledger.vat_returns
  for each row execute function ledger.guard_vat_return();
create trigger vat_returns_are_never_emptied before truncate on ledger.vat_returns
  for each statement execute function ledger.refuse_change();
create constraint trigger changes_are_written_down after insert or update on ledger.vat_returns
  deferrable initially deferred for each row execute function audit.require_event('^vat\.');
create trigger vat_filings_take_their_returns after delete on ledger.vat_filings
  for each row execute function ledger.withdraw_vat_returns();
create trigger people_are_named before insert on ledger.vat_assignments for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger vat_assignments_are_judged before insert or delete on ledger.vat_assignments
  for each row execute function ledger.judge_vat_assignment();
create constraint trigger changes_are_written_down after insert or delete on ledger.vat_assignments
  deferrable initially deferred for each row execute function audit.require_event('^vat\.');
create trigger people_are_named before insert on ledger.settlement_judgements for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger settlement_judgements_are_judged before insert or update on ledger.settlement_judgements
  for each row execute function ledger.judge_settlement_judgement();
create constraint trigger changes_are_written_down after insert or delete on ledger.settlement_judgements
  deferrable initially deferred for each row execute function audit.require_event('^vat\.');

alter table ledger.vat_returns enable row level security;
create policy people_read on ledger.vat_returns for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.vat_returns to hb_app using ((select app.may('keep_books')));
alter table ledger.vat_assignments enable row level security;
create policy people_read on ledger.vat_assignments for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.vat_assignments to hb_app using ((select app.may('keep_books')));
alter table ledger.settlement_judgements enable row level security;
create policy people_read on ledger.settlement_judgements for select to hb_app using ((select app.may('read')));
create policy people_write on ledger.settlement_judgements to hb_app using ((select app.may('keep_books')));
