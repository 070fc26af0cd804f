-- What has been printed of the page with this hash; null when nothing has.
create or replace function archive.find_rendering(p_page bytea) returns bytea language sql stable
security definer set search_path = pg_catalog, pg_temp as $$
  select c.bytes from archive.renderings r join archive.contents c using (sha256)
  where r.page_sha256 = p_page
$$;
