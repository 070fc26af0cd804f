-- One at a time decides what becomes of a content, until commit. In one order, so that two who decide
-- about the same contents never wait for each other.
create or replace function intake.hold_contents(p_sha256 bytea[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Each is a lock, of which the server has some thousands for everybody.
  if cardinality(p_sha256) > 1000 then
    raise exception 'a batch has a thousand contents at most' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtext('intake.e_invoices'), held.content)
  from (select distinct hashtext(encode(sha256, 'hex')) as content from unnest(p_sha256) as s (sha256)
    where sha256 is not null order by content) as held;
end $$;
