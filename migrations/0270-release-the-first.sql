-- What stood beside its successor for programs of before the first release, of which there are none.

drop function if exists api.post_received_vouchers(bytea[], text[], bytea[], text[], uuid[], text[], date[], text[], text[], text[],
  uuid[], integer[], integer[], integer[], bigint[], bigint[], text[], uuid[], uuid[], text[], boolean, text[]);
drop function if exists api.post_vouchers(bytea[], text[], bytea[], text[], uuid[], text[], date[], text[], text[], text[],
  uuid[], integer[], integer[], integer[], bigint[], bigint[], text[], uuid[], uuid[], boolean, text[]);
drop function if exists api.store_orders(bytea[], text[], text[], bytea[], bytea[], uuid[], uuid[], uuid[]);
drop function if exists api.list_bank_rows(integer, text, date, date, boolean, date, uuid, integer, integer);
