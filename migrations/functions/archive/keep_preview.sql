-- What became of a picture that was asked for: a JPEG, or null of one that cannot be shown. Made twice, the first is kept.
create or replace function archive.keep_preview(p_source bytea, p_jpeg bytea) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_jpeg is not null and substr(p_jpeg, 1, 3) <> decode('ffd8ff', 'hex') then
    raise exception 'a preview is a JPEG';
  end if;
  perform from archive.previews p where p.source_sha256 = p_source and p.sha256 is null for update;
  if not found then
    return;
  end if;
  insert into archive.contents (sha256, bytes) select sha256(p_jpeg), p_jpeg where p_jpeg is not null
  on conflict do nothing;
  update archive.previews p set sha256 = sha256(p_jpeg), has_failed = p_jpeg is null
  where p.source_sha256 = p_source;
end $$;
