-- The secrets of earlier routes (contract section 5) as keys of their own, for quota, scope and audit.
-- One row each, whatever the secret is changed to. A nullable column: no rewrite.

alter table restricted.api_keys
  add column legacy_name text,
  add constraint api_keys_legacy_name_key unique (legacy_name),
  add constraint api_keys_legacy_name_known check (
    legacy_name in ('STATS_API_KEY', 'ORDER_INBOUND_SECRET', 'PEPPOL_INBOUND_SECRET'));
