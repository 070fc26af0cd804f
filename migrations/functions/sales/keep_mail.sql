-- What was sent is evidence: it stays, as it was. Until then only how it goes may change.
create or replace function sales.keep_mail() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  c_moving constant text[] := array['state', 'attempts', 'unanswered', 'attempted_at', 'delivered_to', 'last_error',
    'sent_at'];
begin
  if old.state = 'sent' or to_jsonb(new) - c_moving is distinct from to_jsonb(old) - c_moving then
    raise exception 'a mail is never changed'
      using errcode = 'HB001', constraint = 'mails_are_kept';
  end if;
  return new;
end $$;
