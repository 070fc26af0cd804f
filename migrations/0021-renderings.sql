-- Pages to print, and the PDFs made of them. The same page is never printed twice. New tables.

create table archive.pages (
  sha256 bytea not null,
  html text not null,
  created_at timestamptz not null default now(),
  constraint pages_pkey primary key (sha256),
  constraint pages_hash_is_true check (sha256 = pg_catalog.sha256(convert_to(html, 'UTF8')))
);

create table archive.renderings (
  page_sha256 bytea not null,
  sha256 bytea not null,
  created_at timestamptz not null default now(),
  constraint renderings_pkey primary key (page_sha256),
  constraint renderings_page_fkey foreign key (page_sha256) references archive.pages,
  constraint renderings_content_fkey foreign key (sha256) references archive.contents
);
create trigger pages_are_immutable before update or delete or truncate on archive.pages
  for each statement execute function archive.refuse_change();
create trigger renderings_are_immutable before update or delete or truncate on archive.renderings
  for each statement execute function archive.refuse_change();
