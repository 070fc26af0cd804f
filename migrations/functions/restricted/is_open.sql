-- Whether a window that calls or tries are counted in is still open. One from when the clock was ahead is not, or whoever used
-- it up would wait until that moment; a minute is what transactions that began earlier may be behind.
create or replace function restricted.is_open(p_opened_at timestamptz, p_length interval) returns boolean
language sql stable as $$
  select p_opened_at > now() - p_length and p_opened_at < now() + interval '1 minute'
$$;
