-- Rows of the bank that were booked in one act say so themselves: one undo takes them all back. What was booked before
-- is known row by row.
alter table bank.transactions add column act_id uuid;
create index transactions_by_act on bank.transactions (act_id) where act_id is not null;
