-- People may ask for what they may read, and for no more of it in a day than anybody reads: pages are kept a while.
create or replace function archive.bound_pages() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.asked_by := audit.actor(null);
  -- What somebody asks for at the same time counts too: one transaction of each person's after the other.
  perform pg_advisory_xact_lock(hashtextextended('archive.pages of ' || new.asked_by, 0));
  if octet_length(new.html) + (select coalesce(sum(octet_length(p.html)), 0) from archive.pages p
      where p.asked_by = new.asked_by and p.created_at > now() - interval '1 day') > archive.page_budget() then
    raise exception 'no more pages today' using errcode = 'HB429';
  end if;
  return new;
end $$;
