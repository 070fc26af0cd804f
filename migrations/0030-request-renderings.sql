-- Asking for a PDF and fetching it, in one statement each and without a right to any table; and the line
-- about F-tax that a Swedish invoice carries. New functions and a column with a constant default (no
-- rewrite): a brief exclusive lock on a table of one row.

alter table restricted.company
  -- "Godkänd för F-skatt" on invoices: the buyer then need not withhold tax (SFL 10 kap. 11 §).
  add column is_approved_for_f_tax boolean not null default false;

-- What has been printed of the page with this hash; null when nothing has.
create function archive.find_rendering(p_page bytea) returns bytea language sql stable
security definer set search_path = pg_catalog, pg_temp as $$
  select c.bytes from archive.renderings r join archive.contents c using (sha256)
  where r.page_sha256 = p_page
$$;

-- The PDF of a page, or null after having asked for one. However many ask at the same time, it is printed
-- once; a page that has waited for minutes is asked for again, since its job may have failed for good.
create function archive.request_rendering(p_html text) returns bytea language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_patience constant interval := '2 minutes';
  v_page bytea := sha256(convert_to(p_html, 'UTF8'));
  v_pdf bytea := archive.find_rendering(v_page);
begin
  if v_pdf is not null then
    return v_pdf;
  end if;
  insert into archive.pages (sha256, html) values (v_page, p_html) on conflict do nothing;
  if found or exists (select from archive.pages p
      where p.sha256 = v_page and p.created_at < now() - c_patience) then
    perform intake.enqueue('rendering',
      array[jsonb_build_object('page', encode(v_page, 'hex'))]);
  end if;
  return null;
end $$;
