-- The sums of months are kept by the rows' VAT code too, and apart from what stands beside the VAT return: its boxes are
-- read from them instead of the rows. Rewrites the sums from the rows (some seconds for a million vouchers), while
-- nobody posts.
-- functions: ledger.stands_beside_vat, ledger.post_vouchers

alter table ledger.month_balances drop constraint month_balances_pkey;
alter table ledger.month_balances
  -- As the rows have it; '' of those that have none.
  add column vat_code text not null default '',
  -- Of vouchers that settle VAT or open a year (ledger.stands_beside_vat).
  add column is_beside_vat boolean not null default false;
truncate ledger.month_balances;
insert into ledger.month_balances (series_id, account, month, vat_code, is_beside_vat, debit_ore, credit_ore)
select v.series_id, r.account, date_trunc('month', r.verification_date)::date, coalesce(r.vat_code, ''),
  ledger.stands_beside_vat(v.source), sum(r.debit_ore), sum(r.credit_ore)
from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id
group by 1, 2, 3, 4, 5;
alter table ledger.month_balances
  add constraint month_balances_pkey primary key (series_id, account, month, vat_code, is_beside_vat);
