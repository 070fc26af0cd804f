-- What has changed of that a proposal relies on: the names of its grounds, in the order of the alphabet.
create or replace function proposals.moved_of(p_proposal proposals.proposals) returns text[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(coalesce(b.key, n.key) order by coalesce(b.key, n.key)), '{}')
  from jsonb_each(p_proposal.grounds) b
  full join jsonb_each(proposals.grounds_of(p_proposal.kind, p_proposal.payload)) n using (key)
  where b.value is distinct from n.value
$$;
