-- Whether a posted voucher wants a document to be attached: not when the system holds its document by where it comes from
-- (ledger.has_own_document), nor when what has become of it since holds it, as the bank's statement that tells of a
-- payment does (ledger.held_documents). Everything that counts or lists vouchers without a document asks this.
create or replace function ledger.wants_document(p_source text, p_voucher uuid) returns boolean language sql stable as $$
  select not ledger.has_own_document(p_source) and not exists (select from ledger.held_documents h where h.voucher_id = p_voucher)
$$;
