-- What each month did to what customers owe (1510) and what is owed to suppliers (2440), kept as it is booked: what was open as a
-- month ended is then read without walking through every voucher since. Fills the sums from the invoices (some seconds for a
-- million), while nobody books.
-- functions: sales.sum_changes, sales.sum_booked, sales.settle_added, purchases.sum_changes, purchases.sum_booked, purchases.settle_added

create table sales.receivable_changes (
  series_id uuid not null,
  month date not null,
  ore bigint not null,
  constraint receivable_changes_pkey primary key (month, series_id),
  constraint receivable_changes_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);
alter table sales.receivable_changes enable row level security;
create policy people_read on sales.receivable_changes for select to hb_app using ((select app.may('read')));
create policy workers_work on sales.receivable_changes to hb_worker using (true);

create table purchases.payable_changes (
  series_id uuid not null,
  month date not null,
  ore bigint not null,
  constraint payable_changes_pkey primary key (month, series_id),
  constraint payable_changes_series_fkey foreign key (series_id) references ledger.series
) with (fillfactor = 50);
alter table purchases.payable_changes enable row level security;
create policy people_read on purchases.payable_changes for select to hb_app using ((select app.may('read')));
create policy workers_work on purchases.payable_changes to hb_worker using (true);

create trigger invoices_sum_booked after update of status on purchases.invoices for each row
  when (new.voucher_id is not null and old.voucher_id is null) execute function purchases.sum_booked();

lock table sales.invoices in share row exclusive mode;
lock table sales.payments in share row exclusive mode;
lock table sales.reminders in share row exclusive mode;
lock table sales.withdrawn_fees in share row exclusive mode;
lock table purchases.invoices in share row exclusive mode;
lock table purchases.payments in share row exclusive mode;
insert into sales.receivable_changes (series_id, month, ore)
select v.series_id, date_trunc('month', v.verification_date)::date, sum(h.ore)
from (
  select i.voucher_id, case i.kind when 'invoice' then i.total_ore else -i.total_ore end as ore
  from sales.invoices i where i.voucher_id is not null
  union all
  select r.voucher_id, r.fee_ore from sales.reminders r where r.voucher_id is not null
  union all
  select w.voucher_id, -r.fee_ore from sales.withdrawn_fees w
  join sales.reminders r on r.invoice_id = w.invoice_id and r.reminder_no = w.reminder_no
  union all
  select p.voucher_id, -p.amount_ore from sales.payments p) as h
join ledger.vouchers v on v.id = h.voucher_id
group by 1, 2;
insert into purchases.payable_changes (series_id, month, ore)
select v.series_id, date_trunc('month', v.verification_date)::date, sum(h.ore)
from (
  select i.voucher_id, purchases.owed_ore(i) as ore from purchases.invoices i
  where i.voucher_id is not null and i.debt_account = 2440
  union all
  select p.voucher_id, -p.amount_ore from purchases.payments p
  join purchases.invoices i on i.id = p.invoice_id and i.debt_account = 2440) as h
join ledger.vouchers v on v.id = h.voucher_id
group by 1, 2;
