-- What shops and access points want to have tried (?dryRun=true): bytes that a worker judges as if they had come, and
-- that nothing becomes of. Each goes when its answer has been given, and those that nobody waits for within the hour.
create table intake.trials (
  id uuid not null,
  kind text not null,
  raw bytea not null,
  key_id uuid not null,
  created_at timestamptz not null default now(),
  -- What the worker says of it; null until then.
  outcome jsonb,
  constraint trials_pkey primary key (id),
  constraint trials_key_fkey foreign key (key_id) references restricted.api_keys,
  constraint trials_kind_known check (kind in ('order', 'e_invoice')),
  constraint trials_raw_size check (octet_length(raw) <= 4194304)
);
create index trials_created_at on intake.trials (created_at);
