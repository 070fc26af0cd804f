-- How documents stand, for the calls that wait: the key again, because it may have been revoked meanwhile.
create or replace function api.e_invoice_outcomes(p_hash bytea[], p_id uuid[])
returns table (item integer, refusal text, id uuid, status text, reason text, detail jsonb, answer jsonb)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select r.item::integer, r.refusal, e.id, e.status, e.reason, e.detail, e.answer
  from restricted.intake_refusals(p_hash) r
  join unnest(p_id) with ordinality as i (id, item) on i.item = r.item
  left join intake.e_invoices e on r.refusal is null and e.id = i.id
  order by 1
$$;
