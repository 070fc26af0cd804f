-- What stands before the first seal of a series.
create or replace function ledger.first_hash(p_series_id uuid) returns bytea language sql immutable as $$
  select sha256(convert_to('huvudbok series ' || p_series_id, 'UTF8'))
$$;
