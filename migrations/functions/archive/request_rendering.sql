-- The PDF of a page, or null after having asked for one. However many ask at the same time, it is printed
-- once; a page that has waited for minutes is asked for again, since its job may have failed for good. Pages
-- are kept a while, so who asks is somebody who may read. To the end of the transaction the page is not cleared
-- away, so that a mail may come to refer to it.
create or replace function archive.request_rendering(p_html text) returns bytea language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_patience constant interval := '2 minutes';
  v_page bytea := sha256(convert_to(p_html, 'UTF8'));
  v_pdf bytea;
begin
  if session_user = 'hb_app' and not app.may('read') then
    perform audit.refuse_nobody();
  end if;
  perform from archive.pages p where p.sha256 = v_page for key share;
  v_pdf := archive.find_rendering(v_page);
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
