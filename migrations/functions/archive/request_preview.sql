-- How far a kept picture has come to be shown: `made`, `failed`, `waiting` (asked for now, if nobody had), or `late`, of
-- one that has waited for minutes and is asked for again, since its job may have gone. Null of what is not kept.
create or replace function archive.request_preview(p_source bytea) returns text language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_patience constant interval := '2 minutes';
  v_state text;
begin
  if session_user = 'hb_app' and not app.may('read') then
    perform audit.refuse_nobody();
  end if;
  insert into archive.previews (source_sha256)
  select c.sha256 from archive.contents c where c.sha256 = p_source
  on conflict do nothing;
  v_state := case when found then 'new' else (
    select case when p.has_failed then 'failed' when p.sha256 is not null then 'made'
      when p.created_at < now() - c_patience then 'late' else 'waiting' end
    from archive.previews p where p.source_sha256 = p_source) end;
  if v_state in ('new', 'late') then
    perform intake.enqueue('preview', array[jsonb_build_object('content', encode(p_source, 'hex'))]);
  end if;
  return replace(v_state, 'new', 'waiting');
end $$;
