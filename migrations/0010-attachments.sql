-- Supporting documents (underlag) of vouchers. Stored by their content, once, and as immutable as the
-- vouchers they document. New tables only.

create schema archive;

-- Files by what they hold. Not compressed: PDF and pictures are already.
create table archive.contents (
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  constraint contents_pkey primary key (sha256),
  constraint contents_hash_is_true check (sha256 = pg_catalog.sha256(bytes)),
  constraint contents_size check (octet_length(bytes) between 1 and 10485760)
);
alter table archive.contents alter column bytes set storage external;

create table ledger.attachments (
  id uuid not null,
  voucher_id uuid not null,
  sha256 bytea not null,
  file_name text not null,
  media_type text not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  constraint attachments_pkey primary key (id),
  constraint attachments_content_key unique (voucher_id, sha256),
  constraint attachments_voucher_fkey foreign key (voucher_id) references ledger.vouchers,
  constraint attachments_content_fkey foreign key (sha256) references archive.contents,
  constraint attachments_file_name_length check (char_length(file_name) between 1 and 200),
  constraint attachments_file_name_is_plain check (file_name !~ '[/\\[:cntrl:]]'),
  constraint attachments_media_type_known check (media_type in ('application/pdf', 'image/png',
    'image/jpeg', 'text/csv', 'text/plain', 'application/xml'))
);

create function archive.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what documents a voucher is kept as it came'
    using errcode = 'HB001', constraint = tg_table_name || '_are_immutable';
end $$;
create trigger contents_are_immutable before update or delete or truncate on archive.contents
  for each statement execute function archive.refuse_change();
create trigger attachments_are_immutable before update or delete or truncate on ledger.attachments
  for each statement execute function archive.refuse_change();

-- Vouchers whose document the system itself holds need no other: issued invoices and reminders, received
-- e-invoices, reversals, VAT settlement, opening and closing.
create function ledger.has_own_document(p_source text) returns boolean language sql immutable as $$
  select p_source in ('invoice', 'reminder', 'supplier_invoice', 'reversal', 'vat', 'opening', 'closing')
$$;

-- How many vouchers of a series and month are documented, so that nobody has to walk them: all vouchers
-- there are, less these, lack theirs. By series, as month balances are, so that two series never wait
-- for each other.
create table ledger.documented_vouchers (
  series_id uuid not null,
  month date not null,
  own bigint not null default 0,
  attached bigint not null default 0,
  constraint documented_vouchers_pkey primary key (series_id, month),
  constraint documented_vouchers_series_fkey foreign key (series_id) references ledger.series
);

-- Holding the voucher makes its first attachment be counted once, however many come at the same time.
create function ledger.count_attached() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from ledger.vouchers v where v.id = new.voucher_id for no key update;
  if (select count(*) from ledger.attachments a where a.voucher_id = new.voucher_id) = 1 then
    insert into ledger.documented_vouchers as d (series_id, month, attached)
    select v.series_id, date_trunc('month', v.verification_date)::date, 1
    from ledger.vouchers v where v.id = new.voucher_id and not ledger.has_own_document(v.source)
    on conflict (series_id, month) do update set attached = d.attached + 1;
  end if;
  return null;
end $$;
create trigger attachments_count after insert on ledger.attachments
  for each row execute function ledger.count_attached();

create function ledger.count_attachments_missing() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select (select coalesce(sum(s.last_number), 0)::bigint from ledger.series s)
    - (select coalesce(sum(d.own + d.attached), 0)::bigint from ledger.documented_vouchers d)
$$;
