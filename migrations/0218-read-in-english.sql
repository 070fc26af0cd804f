-- Each person chooses the language of the pages that there are in several. Swedish until they do: the default is kept
-- in the table's description, so that no row is written anew. Takes a short lock on the users.
alter table restricted.users add column language text not null default 'sv';
alter table restricted.users add constraint users_language_known check (language in ('sv', 'en'));
