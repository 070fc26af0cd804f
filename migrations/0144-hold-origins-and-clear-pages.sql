-- What people post says where it comes from, and comes from there. Pages that nobody was sent are cleared away, and
-- are no bigger and no more than somebody may read.
-- functions: ledger.require_origin, archive.bound_pages

create constraint trigger vouchers_are_what_they_say after insert on ledger.vouchers
  deferrable initially deferred for each row
  when (new.source in ('opening', 'closing', 'reversal', 'reminder', 'payment', 'bank', 'supplier_payment'))
  execute function ledger.require_origin();

-- Who asked for it; null when a worker or a command did.
alter table archive.pages add column asked_by text;
alter table archive.pages add constraint pages_size check (octet_length(html) between 1 and 8000000);
create index pages_by_asker on archive.pages (asked_by, created_at) where asked_by is not null;
create index pages_by_age on archive.pages (created_at);
create index renderings_by_content on archive.renderings (sha256);
create index mails_by_page on sales.mails (page_sha256);
create trigger pages_are_bounded before insert on archive.pages
  for each row when (session_user = 'hb_app') execute function archive.bound_pages();

-- What a voucher, a document or a mail refers to stays: their foreign keys hold it. The rest was made to be looked
-- at, and is cleared away by archive.purge_pages alone; nobody else has the right to delete.
drop trigger contents_are_immutable on archive.contents;
drop trigger pages_are_immutable on archive.pages;
drop trigger renderings_are_immutable on archive.renderings;
create trigger contents_are_immutable before update or truncate on archive.contents
  for each statement execute function archive.refuse_change();
create trigger pages_are_immutable before update or truncate on archive.pages
  for each statement execute function archive.refuse_change();
create trigger renderings_are_immutable before update or truncate on archive.renderings
  for each statement execute function archive.refuse_change();
