-- What somebody must be let to do that they say they did. Everybody does things about themselves, and takes books
-- out to a file; without a place of its own below, it is a matter of keeping the books. Tests of pages hold it against
-- who is let in to them (test/support/written-down.ts).
create or replace function audit.needed_right(p_action text, p_subject text) returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select case
    when p_action in ('user.renamed', 'user.language_chosen', 'user.password_changed', 'user.second_factor_on', 'user.second_factor_off',
        'user.recovery_codes_renewed', 'user.sessions_ended')
      and p_subject = app.complete_user_id()::text then 'read'
    when p_action in ('sie.exported', 'collection.exported') then 'read'
    when p_action in ('user.password_reset', 'user.invited', 'user.invitation_withdrawn') then 'administer'
    when split_part(p_action, '.', 1) = 'user' or p_action in ('books.begun_anew', 'fiscal_year.reopened', 'month.reopened') then 'own'
    when split_part(p_action, '.', 1) in ('agency', 'archive', 'backup', 'books', 'company', 'jobs', 'key',
        'reference_rate', 'secrets', 'setting', 'webhook')
      or p_action in ('lock.period', 'fiscal_year.created', 'fiscal_year.closed', 'sie.imported', 'sie.import_undone')
      -- Whoever files a VAT return locks it.
      or p_action = 'lock.vat' and p_subject = 'none' then 'administer'
    else 'keep_books'
  end
$$;
