-- Every list has a value, or NULL, for each of 1..p_length. Given as array_dims says it, so that it costs nothing.
create or replace function restricted.require_lists(p_length integer, variadic p_dims text[]) returns void
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if p_dims <> array_fill(case when p_length > 0 then '[1:' || p_length || ']' end,
      array[cardinality(p_dims)]) then
    raise exception 'lists of a batch are of one length and count from one' using errcode = '22023';
  end if;
end $$;
