-- What a voucher says, as one JSON text that anyone can write again from the books (docs/sealed-vouchers.md):
-- format 1. Null for a format that is not known. `p_rows` is the rows' contents with a comma between.
create or replace function ledger.voucher_content(
  p_format integer, p_id uuid, p_series text, p_date date, p_description text, p_counterparty text,
  p_source text, p_posted_at timestamptz, p_posted_by text, p_rows text
) returns text language sql stable as $$
  select case p_format when 1 then left(array_to_json(array['1', p_id::text, p_series,
    to_char(p_date, 'YYYY-MM-DD'), p_description, p_counterparty, p_source,
    to_char(p_posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), p_posted_by])::text, -1)
    || ',[' || p_rows || ']]' end
$$;
