-- What rows carry, for keys that read vouchers: codes and names of cost centres and projects beside their ids, where
-- somebody asks for them. api.list_dimensions tells such a key all of it already. Takes a short lock on the table.
create policy key_reads on ledger.dimensions for select to hb_api using ((select api.require_key('data:read')));
