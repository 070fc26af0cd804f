-- PDFs made of what the books hold. The same page is never printed twice. New table.

create table archive.renderings (
  kind text not null,
  subject uuid not null,
  -- Of the HTML that was printed: another page, another PDF.
  html_sha256 bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  constraint renderings_pkey primary key (kind, subject, html_sha256),
  constraint renderings_content_fkey foreign key (sha256) references archive.contents,
  constraint renderings_kind_known check (kind in ('e_invoice'))
);
create trigger renderings_are_immutable before update or delete or truncate on archive.renderings
  for each statement execute function archive.refuse_change();
