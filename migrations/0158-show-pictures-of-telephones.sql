-- Pictures that browsers do not show, as JPEG: made when somebody looks, and cleared away after a week.
create table archive.previews (
  -- The picture as it came.
  source_sha256 bytea not null,
  -- The JPEG; null while it is being made, and of what cannot be shown.
  sha256 bytea,
  -- How often a worker has begun with it: one that ends in the middle is not begun with for ever.
  attempts smallint not null default 0,
  has_failed boolean not null default false,
  created_at timestamptz not null default now(),
  constraint previews_pkey primary key (source_sha256),
  constraint previews_source_fkey foreign key (source_sha256) references archive.contents,
  constraint previews_content_fkey foreign key (sha256) references archive.contents,
  constraint previews_failed_have_none check (not has_failed or sha256 is null),
  constraint previews_attempts_range check (attempts between 0 and 3)
);
create index previews_by_content on archive.previews (sha256);
create index previews_by_age on archive.previews (created_at);

alter table archive.previews enable row level security;
create policy people_read on archive.previews for select to hb_app using ((select app.may('read')));
