-- What providers of payments say of their payouts: lines that come to what reaches the bank, booked by one voucher each.
-- New tables, and a trigger on corrections: takes a short lock on those.
-- functions: audit.stamp_created, bank.refuse_change, bank.guard_provider_settlement, bank.follow_corrections
create table bank.provider_settlements (
  id uuid not null,
  provider text not null,
  -- The provider's own name of it.
  number text not null,
  day date not null,
  -- The clearing account.
  account integer not null,
  -- What comes to the bank; below zero when the provider takes it from there.
  payout_ore bigint not null,
  -- What the bank's row says, where it is another than the number.
  payout_reference text,
  -- Where the provider is established.
  country text not null,
  -- Of what was said, so that the same is known again.
  content_hash bytea not null,
  voucher_id uuid not null,
  -- What books the payout, and what has taken the settlement back.
  payout_voucher_id uuid,
  taken_back_by uuid,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint provider_settlements_pkey primary key (id),
  constraint provider_settlements_voucher_key unique (voucher_id),
  constraint provider_settlements_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint provider_settlements_payout_voucher_fkey foreign key (payout_voucher_id) references ledger.vouchers,
  constraint provider_settlements_taken_back_by_fkey foreign key (taken_back_by) references ledger.vouchers,
  constraint provider_settlements_account_fkey foreign key (account) references ledger.accounts (number),
  constraint provider_settlements_provider_length check (char_length(provider) between 1 and 100),
  constraint provider_settlements_number_length check (char_length(number) between 1 and 100),
  constraint provider_settlements_reference_length check (char_length(payout_reference) between 1 and 100),
  constraint provider_settlements_country_form check (country ~ '^[A-Z]{2}$'),
  constraint provider_settlements_hash_length check (octet_length(content_hash) = 32)
);
-- The same payout is booked once, by whatever way it comes; one that was taken back may come again.
create unique index provider_settlements_once on bank.provider_settlements (lower(provider), lower(number))
  where taken_back_by is null;
create index provider_settlements_in_order on bank.provider_settlements (day, id);
create index provider_settlements_waiting on bank.provider_settlements (payout_ore)
  where payout_voucher_id is null and taken_back_by is null;
create index provider_settlements_by_payout on bank.provider_settlements (payout_voucher_id)
  where payout_voucher_id is not null;

create table bank.provider_settlement_lines (
  settlement_id uuid not null,
  place integer not null,
  kind text not null,
  -- By the payout's sign.
  amount_ore bigint not null,
  account integer,
  reverse_charge_vat_ore bigint,
  text text,
  -- The sale's own: an order's or invoice's number.
  reference text,
  constraint provider_settlement_lines_pkey primary key (settlement_id, place),
  constraint provider_settlement_lines_settlement_fkey foreign key (settlement_id) references bank.provider_settlements,
  constraint provider_settlement_lines_kind_known check (kind in ('sale', 'refund', 'fee', 'fee_vat', 'adjustment', 'reserve')),
  constraint provider_settlement_lines_amount_not_zero check (amount_ore <> 0),
  constraint provider_settlement_lines_text_length check (char_length(text) <= 500),
  constraint provider_settlement_lines_reference_length check (char_length(reference) between 1 and 100)
);

create trigger people_are_named before insert on bank.provider_settlements for each row
  when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_created();
create trigger settlements_are_guarded before update or delete on bank.provider_settlements
  for each row execute function bank.guard_provider_settlement();
create trigger settlements_are_never_emptied before truncate on bank.provider_settlements
  for each statement execute function bank.refuse_change();
create trigger lines_are_immutable before update or delete or truncate on bank.provider_settlement_lines
  for each statement execute function bank.refuse_change();
create trigger settlements_are_followed after insert on ledger.corrections
  for each row execute function bank.follow_corrections();

alter table bank.provider_settlements enable row level security;
create policy people_read on bank.provider_settlements for select to hb_app using ((select app.may('read')));
create policy people_write on bank.provider_settlements to hb_app using ((select app.may('keep_books')));
alter table bank.provider_settlement_lines enable row level security;
create policy people_read on bank.provider_settlement_lines for select to hb_app using ((select app.may('read')));
