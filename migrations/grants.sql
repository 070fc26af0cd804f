-- Every right of every role, whole and in one place. Run after the migrations each time, in one
-- transaction: first nobody may anything, then each role gets just what its work needs.

revoke all on all tables in schema restricted, audit, ledger, sales, purchases, proposals, intake, archive, bank,
  events, api, app, agency, migration, pgboss
  from public, hb_api, hb_app, hb_agency, hb_worker;
revoke all on all functions in schema restricted, audit, ledger, sales, purchases, proposals, intake, archive, bank,
  events, api, app, agency, migration, pgboss
  from public, hb_api, hb_app, hb_agency, hb_worker;
revoke all on schema restricted, audit, ledger, sales, purchases, proposals, intake, archive, bank, events, api,
  app, agency, migration, pgboss
  from public, hb_api, hb_app, hb_agency, hb_worker;
revoke all on schema public from public;
-- Nor may anyone make temporary objects, which names in functions could be mistaken for.
do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Key traffic: reads the books through row level security, everything else through functions.
grant usage on schema api, ledger to hb_api;
grant select on ledger.vouchers, ledger.voucher_rows, ledger.external_ids, ledger.fiscal_years, ledger.series,
  ledger.accounts, ledger.dimensions, ledger.month_balances to hb_api;
-- By column, as every role with policies has something: PostgreSQL lets a role drop them all (`drop owned`), and refuses
-- the whole command where it has a right to columns alone.
grant select (period_locked_to, vat_locked_to) on ledger.locks to hb_api;
grant execute on function api.require_key, api.admit, api.count_further, api.count_ahead, api.uncount, api.installation,
  api.post_vouchers, api.create_invoices, api.store_received, api.store_till_reports, api.order_outcomes, api.first_bodies, api.note_changed_order, api.is_oss_on, api.list_oss_sales,
  api.reconcile_orders, api.reconcile_refunds, api.reconcile_till_reports, api.monthly_statistics, api.overview_statistics, api.daily_statistics,
  api.list_events, api.latest_event_place, api.changes_complete_until, api.last_verification, api.prove_writing, api.store_e_invoices,
  api.store_documents, api.look_at_call, api.look_at_bank_account, api.list_bank_spans, api.take_bank_rows,
  api.list_bank_rows,
  api.take_provider_settlement, api.list_provider_settlements,
  api.list_accounts, api.list_dimensions, api.list_articles, api.list_customers, api.list_suppliers,
  api.list_invoices, api.invoice_document, api.list_purchases, api.list_till_reports, api.list_documents, api.find_document, api.read_document,
  api.propose, api.list_proposals, api.withdraw_proposal,
  api.vat_return, api.month_end, api.list_stopped_orders, api.check_voucher,
  api.e_invoice_outcomes, api.store_trials, api.trial_outcomes, api.record_calls, api.last_backup,
  api.unreadable_tables to hb_api;

-- Agencies: four functions, no table.
grant usage on schema agency to hb_agency;
grant execute on function agency.count_call, agency.find_key, agency.create_token, agency.aggregate
  to hb_agency;

-- Workers: judge what was received, make drafts, book through the ledger's one function.
grant usage on schema ledger, sales, intake, audit, restricted, pgboss to hb_worker;
grant select on ledger.vouchers, ledger.voucher_rows, ledger.fiscal_years, ledger.series,
  ledger.accounts, ledger.dimensions, ledger.locks to hb_worker;
grant execute on function ledger.post, sales.book to hb_worker;
-- Who does it is what the database knows.
grant execute on function audit.record, audit.actor to hb_worker, hb_app;
grant select on sales.customers, sales.articles to hb_worker;
-- Only as a draft: numbers, vouchers, terms and what remains are for the functions that book and settle.
grant select, insert on sales.invoice_rows to hb_worker;
grant select, insert (id, kind, source, created_by, credited_invoice_id, effective_date, customer_id,
  invoice_date, delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference, notes,
  debtor, debtor_filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore, currency, exchange_rate_e6,
  currency_rounding)
  on sales.invoices to hb_worker;
-- Enough to hold a draft while it is booked; the rest is the function's.
grant update (booking_refusal, debtor, debtor_filled) on sales.invoices to hb_worker;
grant execute on function sales.debtor_of, sales.vat_doubt to hb_worker;
grant select on intake.orders, intake.order_attempts to hb_worker;
grant update (invoice_id, customer_id) on intake.orders to hb_worker;
grant update (status, reason, detail, decided_at) on intake.order_attempts to hb_worker;
grant execute on function intake.enqueue to hb_worker;
-- What stops is written by the worker; what is booked by the function that posts its voucher.
grant select, update (status, reason, detail, decided_at) on intake.till_reports to hb_worker;
grant execute on function intake.book_till_report to hb_worker;
-- What is tried is judged, and only that is said of it.
grant select (id, kind, raw, outcome), update (outcome) on intake.trials to hb_worker;
grant select, insert (invoice_id, place, method, account, amount_ore, tip_ore, tip_account, payment_date, reference)
  on sales.order_payments to hb_worker;
grant select (singleton, order_supply, order_payment_terms_days, order_booking_is_automatic,
  collective_customer_id, order_payment_accounts, till_accounts, order_oss_is_on) on restricted.company to hb_worker;
grant execute on function restricted.purge_expired, restricted.purge_begun_forms, ledger.purge_sie_files, bank.purge_files,
  archive.purge_pages, archive.purge_previews to hb_worker;
-- The nightly check reads everything that must agree, and keeps what it found.
grant select on ledger.month_balances, ledger.month_totals, ledger.day_revenues, ledger.supplier_costs,
  ledger.documented_vouchers, ledger.held_documents, ledger.attachments, ledger.vat_settlements, ledger.corrections,
  sales.payments, sales.reminders, sales.withdrawn_fees, sales.invoice_numbers, sales.receivables,
  sales.day_invoices, sales.customer_revenues, sales.article_revenues, sales.receivable_changes,
  purchases.payable_changes to hb_worker;
grant execute on function ledger.row_content, ledger.voucher_content, ledger.content_hash, ledger.seal,
  ledger.first_hash, ledger.stands_beside_vat,
  ledger.has_own_document, ledger.wants_document, sales.voucher_amounts to hb_worker;
grant insert on audit.verifications to hb_worker;
-- E-invoices become drafts of purchases, and those nobody need look at are booked.
grant usage on schema purchases, archive, bank to hb_worker;
grant select on intake.e_invoices to hb_worker;
grant update (status, reason, detail, draft_id, answer, decided_at) on intake.e_invoices to hb_worker;
grant select (organization_number, vat_number, receiver_ids, purchase_account,
  e_invoice_booking_is_automatic) on restricted.company to hb_worker;
grant select on purchases.suppliers to hb_worker;
grant select, insert on purchases.supplier_accounts, purchases.invoice_rows, purchases.attachments
  to hb_worker;
-- Only as it came: what it is booked on and what is left to pay are for the functions.
grant select, insert (id, document_id, status, kind, supplier_id, seller,
  invoice_number, issue_date, due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore,
  payment, warnings, is_prepayment, prepayment_ids),
  update (booking_refusal) on purchases.invoices to hb_worker;
grant select on purchases.payments to hb_worker;
grant execute on function purchases.usual_accounts, purchases.book to hb_worker;
grant select (sha256), insert on archive.contents to hb_worker;
grant select on archive.pages to hb_worker;
grant select, insert on archive.renderings to hb_worker;
-- E-mails: what to send, with which PDF, and how it went.
grant select, update (state, attempts, unanswered, attempted_at, delivered_to, last_error, sent_at) on sales.mails
  to hb_worker;
grant execute on function archive.request_rendering, archive.find_rendering, archive.take_preview,
  archive.keep_preview to hb_worker;
-- Webhooks: what happened, who is to be told, and how that went.
grant usage on schema events to hb_worker;
grant select on events.outbox to hb_worker;
grant select, update (after_epoch, after_xid, after_seq, failing_since, held_until, disabled_at, disabled_reason)
  on events.endpoints to hb_worker;
grant select, insert (endpoint_id, event_id, type, subject, occurred_at),
  update (state, attempts, next_attempt_at, finished_at) on events.deliveries to hb_worker;
grant select, insert, update (started_at, duration_ms, status, error) on events.attempts to hb_worker;
-- Which key secrets are sealed with, by its id.
grant select (key_id) on restricted.secrets_key to hb_worker;
grant execute on function events.current_epoch, events.keep_last_place, events.list_after, events.id_of, events.describe, events.body_of,
  events.fan_out, events.list_due, events.take to hb_worker;
-- What `payment.matched` and `payment_file.created` tell.
grant select (id, account_id, booked_on, amount_ore, voucher_id) on bank.transactions to hb_worker;
grant select (id, ledger_account) on bank.accounts to hb_worker;
grant select (id, number, sha256, needs_second_person) on purchases.payment_files to hb_worker;
grant select (file_id, amount_ore, execution_on) on purchases.payouts to hb_worker;
-- What `bank.imported` tells.
grant select (import_id, account_id, first_day, last_day, added) on bank.imported_statements to hb_worker;
-- What `record.removed` and those of proposals tell.
grant select on events.removals to hb_worker;
grant usage on schema proposals to hb_worker;
grant select (id, kind, status, expires_at, result_kind, result_id) on proposals.proposals to hb_worker;
-- When the last backup was taken, to know whether one is due.
grant select (taken_at, is_own, failure) on restricted.backups to hb_worker;
-- How far an import has come that a person has asked for, or why it came to nothing.
grant select (id), update (posted_bytes, failed_at, refusal) on ledger.begun_imports to hb_worker;
grant select (id, finished_at), update (read_bytes, failed_at, refusal) on bank.imports to hb_worker;
-- Each process says that it lives.
grant execute on function restricted.note_process, restricted.forget_process to hb_worker, hb_app;
grant execute on function restricted.queue_figures, restricted.figures to hb_worker;
grant select, insert, update, delete on all tables in schema pgboss to hb_worker;
-- Which schema the queues have is the owner's to say, since no worker starts without it; when a round was made, theirs.
revoke insert, update, delete on pgboss.version from hb_worker;
grant update (cron_on, bam_on, flow_on, reindex_on, monitor_backoff_on) on pgboss.version to hb_worker;
-- What stands there is run as SQL by whoever migrates, the owner.
revoke all on pgboss.bam from hb_worker;
grant execute on all functions in schema pgboss to hb_worker;

-- People: read through row level security, which asks for their role in every statement, and
-- write what their role may. What must be known before anybody is there goes through functions.
grant usage on schema app, ledger, sales, purchases, proposals, intake, archive, bank, audit, events, restricted
  to hb_app;
grant execute on function app.enter, app.may, app.current_role_name, app.current_user_id,
  app.find_login, app.answer_try, app.begin_session, app.begin_first_session, app.end_session,
  app.presented_session, app.complete_user_id, app.own_language,
  app.claim_form, app.form_went_to, app.has_users, app.is_setup_token, app.actor_names, app.key_name,
  app.claim_setup, app.company_name, app.find_invitation, app.accept_invitation to hb_app;
-- One's own account, and the passwords and second factors of others.
grant execute on function app.rename_self, app.choose_language, app.change_own_password, app.try_password,
  app.has_shown_password, app.create_user, app.reset_password, app.invite_user, app.still_lets_in,
  app.try_second_factor, app.complete_session, app.turn_on_second_factor, app.turn_off_second_factor,
  app.renew_recovery_codes, app.count_recovery_codes, app.remove_second_factor to hb_app;
grant select on all tables in schema ledger, sales, purchases, proposals, intake, archive, bank, audit to hb_app;
-- Which key sent what is for key traffic alone; nobody is asked for a role there.
revoke select on intake.order_senders, intake.trials from hb_app;
-- The bytes of a payment file are given out by purchases.payment_file_content alone, when nobody's yes is waited for.
revoke select on purchases.payment_files from hb_app;
grant select (id, number, account_id, message_id, sha256, needs_second_person, created_at, created_by, approved_at,
  approved_by, sent_at, sent_by, cancelled_at, cancelled_by, cancel_reason) on purchases.payment_files to hb_app;
grant execute on function ledger.post, ledger.first_hash, ledger.balance_at,
  ledger.failing_conditions, ledger.cash_shortfalls, ledger.month_results, ledger.month_ends_on, ledger.first_month, ledger.earliest_open_date,
  ledger.vat_period_start, ledger.vat_changes, ledger.vat_of_period, ledger.is_vat_account,
  ledger.stands_beside_vat, ledger.counted_elsewhere, ledger.vat_sums, ledger.vat_sums_of, ledger.vat_box, ledger.vat_return_parts,
  ledger.late_vat_vouchers, ledger.has_base_of_vat,
  ledger.find_lock, ledger.count_attachments_missing, ledger.has_own_document, ledger.wants_document, sales.book,
  sales.ocr_for, sales.debtor_of, sales.draft_problems, sales.is_sold_on, sales.vat_doubt, sales.find_invoices, sales.oss_sales, sales.settle,
  bank.told_balance, sales.open_on, purchases.open_on, purchases.owed_ore, purchases.usual_accounts, intake.enqueue, intake.count_stopped_orders
  to hb_app;
grant execute on function ledger.overview_figures, ledger.head, app.matching_events, audit.words_of
  to hb_app;
-- The books as a person keeps them.
grant insert, update on ledger.accounts, ledger.dimensions to hb_app;
-- Number and hash of a series are for the functions that post.
grant insert (id, fiscal_year_id, code, name), update (name) on ledger.series to hb_app;
grant insert on ledger.attachments, archive.contents, ledger.corrections to hb_app;
-- Which vouchers' documents no key is to read, beside those of staff.
grant insert (voucher_id, created_by), delete on ledger.withheld_vouchers to hb_app;
grant execute on function ledger.is_personnel_account to hb_app;
-- Of a document that waits, what is known of it and whether it is put aside; itself stays as it came.
grant insert (id, sha256, file_name, media_type, document_date, amount_ore, counterparty, created_by),
  update (document_date, amount_ore, counterparty, set_aside) on ledger.documents to hb_app;
grant insert, delete on ledger.voucher_templates to hb_app;
-- A period is filed by its first return; what that tells is the database's to say.
grant delete on ledger.vat_filings to hb_app;
grant insert (period_start, period_end, filed_on, way, reference, note, filed_by),
  update (withdrawn_at, withdrawn_by) on ledger.vat_returns to hb_app;
grant insert (voucher_id, period_end, created_by), delete on ledger.vat_assignments to hb_app;
grant insert (voucher_id, period_end, created_by), delete on ledger.settlement_judgements to hb_app;
grant insert (month, acknowledged_by), delete on ledger.month_ends to hb_app;
-- A plan is made whole; of its postings people say another day, or that those that remain are not to be.
grant insert (id, kind, description, series, result_account, balance_account, amount_ore, first_month, months, moved_on,
  shares_on, cost_center_id, project_id, origin_voucher_id, created_by), update (cancelled_at, cancelled_by)
  on ledger.accruals to hb_app;
grant insert (accrual_id, place, part, posting_date, result_ore), update (posting_date, voucher_id, problem), delete
  on ledger.accrual_postings to hb_app;
grant insert on ledger.vat_settlements to hb_app;
-- SIE files and what they became; of an import only that it was undone is ever added.
grant insert (sha256, file_name, size, gzip, created_by), delete on ledger.sie_files to hb_app;
grant insert (id, sha256, file_name, report, created_by), update (undone_at) on ledger.imports to hb_app;
grant insert on ledger.imported_vouchers to hb_app;
grant insert (id, sha256, difference_account, is_accepted, created_by) on ledger.begun_imports to hb_app;
grant execute on function ledger.anew_problem, ledger.begin_anew to hb_app;
grant execute on function ledger.begin_import, ledger.give_way_to_import to hb_app;
-- What programs propose stays as it is; people say what becomes of it.
grant update (status, decided_at, decided_by, reason, result_kind, result_id) on proposals.proposals to hb_app;
grant execute on function proposals.grounds_of, proposals.moved_of, proposals.hash_of, ledger.touches_vat to hb_app;
-- Bank rows stay what the bank said; a person says what books them.
grant insert on bank.accounts to hb_app;
grant update (name, iban, number, bankgiro, is_active) on bank.accounts to hb_app;
-- Files of the bank are sent, looked at and asked for; the owner of the database takes them in.
grant insert (sha256, file_name, size, gzip, created_by) on bank.files to hb_app;
grant insert (id, account_id, created_by), update (account_id, is_accepted, equal_rows, asked_at, asked_by, failed_at, refusal),
  delete on bank.imports to hb_app;
grant insert on bank.import_files to hb_app;
grant insert (id, account_id, day, summary, note, created_by) on bank.sign_offs to hb_app;
-- What a statement says of a row, and what books it, is never typed with it.
grant insert (id, account_id, reference, booked_on, amount_ore, description), delete on bank.transactions to hb_app;
grant insert (id, text, direction, account, created_by), delete on bank.rules to hb_app;
grant insert (id, headings, roles, decimal_mark, day_order, is_reversed, created_by), delete on bank.mappings to hb_app;
grant insert (voucher_id, taken_back_by, created_by) on bank.undone_bookings to hb_app;
-- What settles what is said, and taken back whole.
grant insert (id, account, created_by), delete on ledger.pairings to hb_app;
grant insert (pairing_id, voucher_id, row_no, amount_ore) on ledger.paired_rows to hb_app;
grant execute on function bank.write_settlement to hb_app;
grant update (payout_voucher_id) on bank.provider_settlements to hb_app;
grant update (voucher_id, matched_at, matched_by, act_id, undone_at) on bank.transactions to hb_app;
grant insert, update (balance_ore) on bank.statements to hb_app;
-- Invoices only as drafts, as workers do.
grant insert (id, kind, source, created_by, credited_invoice_id, effective_date, customer_id,
  invoice_date, delivery_date, due_date, payment_terms_days, prices_include_vat, your_reference, notes,
  debtor, debtor_filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore, currency, exchange_rate_e6,
  currency_rounding),
  update (customer_id, invoice_date, effective_date, delivery_date, due_date, payment_terms_days, your_reference, notes,
  debtor, debtor_filled, vat_confirmed_by, net_ore, vat_ore, rounding_ore, total_ore, booking_refusal),
  delete on sales.invoices to hb_app;
grant insert, update, delete on sales.invoice_rows to hb_app;
grant insert, update (reason), delete on sales.disputes to hb_app;
grant insert on sales.collection_cases to hb_app;
grant insert (id, invoice_id, kind, reminder_no, sender_name, sender, reply_to, recipients, subject, body,
  page_sha256, file_name, message_id, created_by), update (state) on sales.mails to hb_app;
grant insert, update on sales.customers, sales.articles to hb_app;
grant insert on sales.payments, sales.reminders to hb_app;
grant insert on sales.withdrawn_fees, sales.reminder_runs, sales.run_reminders to hb_app;
grant insert, delete on sales.reminder_pauses to hb_app;
grant insert (id, customer_id, anchor, unit, every, next_date, last_date, becomes, payment_terms_days,
  your_reference, notes, rows, vat_confirmed_by, created_by), update (customer_id, anchor, unit, every, made,
  next_date, last_date, becomes, payment_terms_days, your_reference, notes, rows, vat_confirmed_by, problems)
  on sales.recurring_invoices to hb_app;
-- The checks of payments ask it as whoever writes them.
grant execute on function sales.settlement_kind, sales.printed_seller, sales.invoice_document to hb_app;
grant insert, update, delete on purchases.invoice_rows to hb_app;
grant insert, update on purchases.suppliers to hb_app;
grant insert on purchases.supplier_accounts, purchases.attachments, purchases.payments to hb_app;
grant insert (id, document_id, status, kind, supplier_id, seller,
  invoice_number, issue_date, due_date, currency, net_ore, vat_ore, rounding_ore, prepaid_ore, payable_ore,
  payment, warnings, is_prepayment, prepayment_ids),
  update (supplier_id, prepayment_ids, exchange_rate_e6, booking_refusal) on purchases.invoices to hb_app;
grant execute on function purchases.book, purchases.reject, purchases.write_by_hand,
  purchases.add_opening_invoices to hb_app;
-- Files of payments: made whole, and then only what is said of them and what becomes of each payment.
grant insert (id, account_id, message_id, content, sha256, created_by),
  update (approved_at, approved_by, sent_at, sent_by, cancelled_at, cancelled_by, cancel_reason)
  on purchases.payment_files to hb_app;
grant insert (id, file_id, place, end_to_end_id, block_id, execution_on, amount_ore, supplier_id, laid_out_by,
  payee_name, payee_kind, payee_number, ocr, message),
  update (accepted_at, refused_at, refusal, voucher_id) on purchases.payouts to hb_app;
grant insert (payout_id, place, invoice_id, tax, amount_ore) on purchases.payout_parts to hb_app;
grant execute on function purchases.payment_file_content, purchases.sent_file_content to hb_app;
grant insert (file_id, sha256, content, created_by) on purchases.bank_answers to hb_app;
-- What came is judged by the worker; people say that it is to be judged again, or never.
grant update (is_dismissed, invoice_id, customer_id) on intake.orders to hb_app;
grant update (status, reason, detail, decided_at) on intake.order_attempts to hb_app;
grant insert on intake.order_decisions to hb_app;
grant execute on function intake.settle_changed_order to hb_app;
grant update (status, reason, detail, dismissal, asked_at, decided_at) on intake.till_reports to hb_app;
-- What was refused is taken in by a person, and judged in the same transaction.
grant update (sha256, status, reason, detail, draft_id, answer, decided_at, queued_at)
  on intake.e_invoices to hb_app;
grant execute on function intake.hold_contents to hb_app;
-- What was never used may go; foreign keys and in_use triggers keep the rest.
grant delete on ledger.series, ledger.accounts, ledger.dimensions, sales.customers, sales.articles,
  purchases.suppliers, purchases.supplier_accounts to hb_app;
-- What administrators and owners look after.
grant insert (id, year, start_date, end_date), update (status, closed_at, closed_on)
  on ledger.fiscal_years to hb_app;
grant insert, update on sales.reference_rates to hb_app;
grant update (period_locked_to, vat_locked_to) on ledger.locks to hb_app;
grant select, insert, update on restricted.company to hb_app;
-- Of a key, everything but what it is known by.
grant select (id, name, hint, scopes, is_test, quota_per_hour, created_at, created_by, expires_at, revoked_at,
    revoked_by, legacy_name, successor_id),
  insert (id, name, hash, hint, scopes, is_test, quota_per_hour, expires_at, created_by),
  update (quota_per_hour, expires_at, revoked_at, revoked_by, successor_id) on restricted.api_keys to hb_app;
grant execute on function restricted.hold_keys to hb_app;
grant select (id, agency, hint, created_at, created_by, last_exchanged_at, revoked_at, revoked_by),
  insert (id, agency, hash, hint, created_by), update (revoked_at, revoked_by)
  on restricted.agency_keys to hb_app;
grant select on restricted.key_windows, restricted.key_calls, restricted.processes,
  restricted.backups to hb_app;
grant execute on function events.latest_place, events.current_epoch to hb_app;
grant execute on function app.require_administrator, app.queue_states, app.count_dead_jobs,
  app.list_dead_jobs, app.retry_dead_jobs, app.database_facts to hb_app;
-- Who is told where stays as it was said: another address is another endpoint.
-- Their secrets are sealed, and read by those who sign with them alone.
grant select (id, url, description, types, after_epoch, after_xid, after_seq, created_at, created_by,
  failing_since, held_until, disabled_at, disabled_reason, previous_secret_until, secret_key_id),
  insert (id, url, description, types, sealed_secret, after_epoch, after_xid, after_seq, created_by),
  update (failing_since, held_until, disabled_at, disabled_reason), delete on events.endpoints to hb_app;
grant execute on function events.replace_secret to hb_app;
grant select, insert (id, endpoint_id, event_id, type, subject, occurred_at), update (next_attempt_at)
  on events.deliveries to hb_app;
grant select on events.attempts to hb_app;
grant delete on restricted.agency_tokens to hb_app;
grant select (id, email, name, role, created_at, deactivated_at, last_login_at, password_is_temporary,
    has_second_factor, password_expires_at, invitation_expires_at, has_password,
    invitation_by, password_given_by),
  update (email, name, role, deactivated_at)
  on restricted.users to hb_app;
grant select (hash, user_id, is_complete, created_at, last_seen_at, address, agent), delete
  on restricted.sessions to hb_app;
-- What was open when the books began.
grant execute on function sales.moved_balance, sales.add_opening_invoices, sales.remove_opening_invoice,
  purchases.remove_opening_invoice to hb_app;
-- What each person has begun to type.
grant select, insert, update, delete on restricted.begun_forms to hb_app;
-- Documents as PDF, asked for and fetched by what they are printed from, and pictures as JPEG.
grant execute on function archive.request_rendering, archive.find_rendering, archive.request_preview to hb_app;

-- Locks that nobody but the owner may take once the superuser has said so (superuser.sql): a mail is sent by
-- one at a time, the job queue tends itself, and two of one document wait for each other.
grant execute on function pg_advisory_lock(bigint), pg_advisory_lock_shared(bigint), pg_advisory_unlock_all(),
  pg_advisory_xact_lock(bigint), pg_try_advisory_xact_lock(bigint), pg_advisory_xact_lock(integer, integer) to hb_worker;
grant execute on function pg_advisory_xact_lock(integer, integer) to hb_app;
