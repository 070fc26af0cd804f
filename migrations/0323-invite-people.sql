-- People are let in by a link that they choose their own password at. A user has at most one, known by SHA-256 of
-- what is presented, and it ends by itself; so does a password that somebody else has given. Passwords that were
-- given before have a week from now. The table is rewritten, of a few people.
alter table restricted.users
  add column password_expires_at timestamptz,
  add column invitation_hash bytea,
  add column invitation_expires_at timestamptz,
  -- That there is one, for whoever may read no more of it.
  add column has_password boolean not null generated always as (password_verifier is not null) stored;
update restricted.users set password_expires_at = now() + interval '7 days' where password_is_temporary;
alter table restricted.users
  add constraint users_temporary_passwords_expire check (password_is_temporary = (password_expires_at is not null)),
  add constraint users_invitation_is_whole check ((invitation_hash is null) = (invitation_expires_at is null)),
  add constraint users_invitation_hash_length check (octet_length(invitation_hash) = 32);
create unique index users_invitation_hash_key on restricted.users (invitation_hash);
-- functions: app.end_invitation
create trigger users_end_invitations before update of email, password_verifier, deactivated_at on restricted.users
  for each row when (old.email is distinct from new.email
    or old.password_verifier is distinct from new.password_verifier
    or (old.deactivated_at is null and new.deactivated_at is not null))
  execute function app.end_invitation();
