-- Keys bring rows of the bank and read them, by scopes that no key made before has; and all rows are read by day,
-- whatever account they are on. Locks the table of keys for a moment, and writing of bank rows while their index is built.
alter table restricted.api_keys drop constraint api_keys_scopes_known,
  add constraint api_keys_scopes_known check (
    scopes <@ array['data:read', 'intake:write', 'ledger:write', 'documents:write', 'bank:read', 'bank:write']
    and cardinality(scopes) > 0);

create index transactions_in_order on bank.transactions (booked_on, id);
