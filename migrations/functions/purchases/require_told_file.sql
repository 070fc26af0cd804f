-- At the commit, and again of what comes after that was asked early: the bytes of a file ask the bank for its payouts and
-- for nothing else, since people say yes to payouts and the bank does what the bytes say. Of each, what it is called, its
-- amount, and the account it goes to, as src/domain/purchases/payables/pain001.ts writes them; nothing that could be read
-- otherwise: no comments, entities or prefixes of names.
create or replace function purchases.require_told_file() returns trigger language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id constant uuid := coalesce(to_jsonb(new) ->> 'file_id', to_jsonb(new) ->> 'id');
  v_file purchases.payment_files;
  v_text text;
  v_orders text[];
begin
  select f.* into strict v_file from purchases.payment_files f where f.id = v_id;
  v_text := regexp_replace(convert_from(v_file.content, 'UTF8'), '>\s+<', '><', 'g');
  v_orders := (string_to_array(v_text, '<CdtTrfTxInf>'))[2:];
  if v_file.sha256 <> sha256(v_file.content)
    or substr(v_text, 2) ~ '<[!?]|&(?!(amp|lt|gt);)|</?[^\s>/]*:'
    or cardinality(regexp_split_to_array(v_text, 'CdtTrfTxInf')) <> 2 * cardinality(v_orders) + 1
    or cardinality(v_orders) = 0 or cardinality(v_orders) <> (select count(*) from purchases.payouts p where p.file_id = v_id)
    or exists (
      select from purchases.payouts p
      cross join lateral (select
        case p.payee_kind when 'iban' then null when 'bankgiro' then '9900' when 'plusgiro' then '9960' else left(p.payee_number, 4) end
          as member,
        case p.payee_kind when 'iban' then '<IBAN>' || p.payee_number || '</IBAN>'
          else '<Othr><Id>' || case p.payee_kind when 'other' then substr(p.payee_number, 5) else p.payee_number end || '</Id><SchmeNm>'
            || case p.payee_kind when 'bankgiro' then '<Prtry>BGNR</Prtry>' else '<Cd>BBAN</Cd>' end || '</SchmeNm></Othr>' end
          as account) as payee
      where p.file_id = v_id and not exists (
        select from unnest(v_orders) as o
        where starts_with(o, '<PmtId><EndToEndId>' || p.end_to_end_id || '</EndToEndId></PmtId><Amt><InstdAmt Ccy="SEK">'
            || p.amount_ore / 100 || '.' || lpad((p.amount_ore % 100)::text, 2, '0') || '</InstdAmt></Amt>')
          and position('<CdtrAcct><Id>' || payee.account || '</Id></CdtrAcct>' in o) > 0
          and cardinality(regexp_split_to_array(o, 'InstdAmt|CdtrAcct')) = 5
          and (regexp_match(o, '<MmbId>([^<]*)<'))[1] is not distinct from payee.member)) then
    raise exception 'the bytes of file % are not what it pays', v_file.number
      using errcode = 'HB002', constraint = 'payment_files_are_told';
  end if;
  return null;
end $$;
