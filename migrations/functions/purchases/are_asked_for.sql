-- Whether the orders ask for each of the payouts: by what it is called, its amount, and the account it goes to, each said
-- once.
create or replace function purchases.are_asked_for(p_payouts purchases.payouts[], p_orders text[]) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  with asked as materialized (
    select o.text, substring(o.text from '^<PmtId><EndToEndId>([^<]*)<') as end_to_end_id,
      substring(o.text from '<MmbId>([^<]*)<') as member
    from unnest(p_orders) as o (text)
    where cardinality(string_to_array(o.text, 'InstdAmt')) + cardinality(string_to_array(o.text, 'CdtrAcct')) = 6
  )
  select not exists (
    select from unnest(p_payouts) as p
    cross join lateral (select
      case p.payee_kind when 'iban' then null when 'bankgiro' then '9900' when 'plusgiro' then '9960' else left(p.payee_number, 4) end
        as member,
      case p.payee_kind when 'iban' then '<IBAN>' || p.payee_number || '</IBAN>'
        else '<Othr><Id>' || case p.payee_kind when 'other' then substr(p.payee_number, 5) else p.payee_number end || '</Id><SchmeNm>'
          || case p.payee_kind when 'bankgiro' then '<Prtry>BGNR</Prtry>' else '<Cd>BBAN</Cd>' end || '</SchmeNm></Othr>' end
        as account) as payee
    where not exists (
      select from asked a
      where a.end_to_end_id = p.end_to_end_id
        and starts_with(a.text, '<PmtId><EndToEndId>' || p.end_to_end_id || '</EndToEndId></PmtId><Amt><InstdAmt Ccy="SEK">'
          || p.amount_ore / 100 || '.' || lpad((p.amount_ore % 100)::text, 2, '0') || '</InstdAmt></Amt>')
        and position('<CdtrAcct><Id>' || payee.account || '</Id></CdtrAcct>' in a.text) > 0
        and a.member is not distinct from payee.member))
$$;
