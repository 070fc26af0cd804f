-- Takes away what was made to be looked at, unless the same has come as a document, or is shown as something else too.
create or replace function archive.forget_contents(p_contents bytea[]) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from archive.contents c where c.sha256 = any (p_contents)
    and not exists (select from archive.renderings r where r.sha256 = c.sha256)
    and not exists (select from archive.previews p where p.sha256 = c.sha256 or p.source_sha256 = c.sha256)
    and not exists (select from ledger.attachments a where a.sha256 = c.sha256)
    and not exists (select from purchases.attachments a where a.sha256 = c.sha256)
    and not exists (select from ledger.documents d where d.sha256 = c.sha256)
$$;
