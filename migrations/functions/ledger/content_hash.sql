-- Of one voucher by itself, whatever its number became.
create or replace function ledger.content_hash(p_content text) returns bytea language sql stable as $$
  select sha256(convert_to(p_content, 'UTF8'))
$$;
