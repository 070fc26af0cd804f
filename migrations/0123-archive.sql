-- Files and printed pages, stored by their content, once, and as immutable as the vouchers they document.

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

-- functions: archive.refuse_change, audit.stamp_time

create trigger contents_are_immutable before update or delete or truncate on archive.contents
  for each statement execute function archive.refuse_change();
create trigger times_are_real before insert or update of created_at on archive.contents
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_time();
create trigger pages_are_immutable before update or delete or truncate on archive.pages
  for each statement execute function archive.refuse_change();
create trigger renderings_are_immutable before update or delete or truncate on archive.renderings
  for each statement execute function archive.refuse_change();
create trigger times_are_real before insert or update of created_at on archive.renderings
  for each row when (session_user in ('hb_app', 'hb_worker')) execute function audit.stamp_time();

alter table archive.contents enable row level security;
create policy people_read on archive.contents for select to hb_app using ((select app.may('read')));
create policy people_write on archive.contents to hb_app using ((select app.may('keep_books')));
create policy workers_work on archive.contents to hb_worker using (true);
alter table archive.pages enable row level security;
create policy people_read on archive.pages for select to hb_app using ((select app.may('read')));
create policy people_write on archive.pages to hb_app using ((select app.may('read')));
create policy workers_work on archive.pages to hb_worker using (true);
alter table archive.renderings enable row level security;
create policy people_read on archive.renderings for select to hb_app using ((select app.may('read')));
create policy workers_work on archive.renderings to hb_worker using (true);
