-- The picture, for a worker that begins to make it shown; null when there is nothing to make, or when it has been begun
-- with three times and never finished: it is then nothing that can be shown.
create or replace function archive.take_preview(p_source bytea) returns bytea language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_attempts constant integer := 3;
begin
  update archive.previews p set has_failed = true
  where p.source_sha256 = p_source and p.sha256 is null and p.attempts >= c_attempts;
  update archive.previews p set attempts = p.attempts + 1
  where p.source_sha256 = p_source and p.sha256 is null and not p.has_failed;
  if not found then
    return null;
  end if;
  return (select c.bytes from archive.contents c where c.sha256 = p_source);
end $$;
