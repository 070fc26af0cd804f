-- A link and a temporary password are worth what whoever gave them may: an administrator who is shut out, or gave them
-- to somebody who has become an administrator or owner since, lets nobody in. Who gave each, null when an operator did;
-- no foreign key, since one who is gone lets nobody in either.
alter table restricted.users
  add column invitation_by uuid,
  add column password_given_by uuid;
with given as (
  select distinct on (e.subject, e.action) e.subject, e.action,
    case when e.actor ~ '^user:[0-9a-f-]{36}$' then substr(e.actor, 6)::uuid end as giver
  from audit.events e where e.action in ('user.invited', 'user.password_reset')
  order by e.subject, e.action, e.occurred_at desc, e.id desc
)
update restricted.users u set
  invitation_by = case when u.invitation_hash is not null then
    (select g.giver from given g where g.subject = u.id::text and g.action = 'user.invited') end,
  password_given_by = case when u.password_is_temporary then
    (select g.giver from given g where g.subject = u.id::text and g.action = 'user.password_reset') end
where u.invitation_hash is not null or u.password_is_temporary;
