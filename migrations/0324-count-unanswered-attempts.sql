-- A process that dies while a mail server takes a mail leaves an attempt that nobody knows the answer of: the mail is
-- sent again, and may have come twice. People are told. Mails of before have no such attempts that anybody counted.
alter table sales.mails
  -- Attempts whose answer is not written down: the one in hand, and those that were cut off.
  add column unanswered integer not null default 0,
  add constraint mails_unanswered_are_attempts check (unanswered between 0 and attempts);
