-- What people say was imported was posted with its import, in this very transaction: what a company has booked
-- itself never becomes an import's, and so goes when the books are begun anew (ledger.begin_anew). One that was undone
-- gets no more of them: its file may be taken in again.
create or replace function ledger.judge_imported() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from added a
      join ledger.vouchers v on v.id = a.voucher_id join ledger.imports i on i.id = a.import_id
      where v.source not in ('import', 'opening') or v.posted_at <> now() or i.created_at < now()
        or i.undone_at is not null) then
    raise exception 'a voucher is imported by the import that posted it'
      using errcode = 'HB002', constraint = 'imported_vouchers_are_their_imports';
  end if;
  return null;
end $$;
