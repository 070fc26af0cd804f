-- From here to the end of the transaction this is the one that fills the books: false when somebody else is at
-- it. Postings that were under way come first; later ones give way (ledger.give_way_to_import).
create or replace function ledger.begin_import() returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('huvudbok import, the one', 0)) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('huvudbok import', 0));
  return true;
end $$;
