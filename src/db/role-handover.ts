/**
 * Moves a database from the roles it names to others: policies, functions and triggers name the new ones, and
 * the old ones lose every right in this database. What the new ones may is said by grants.sql afterwards.
 */
import type pg from 'pg';
import { renameRoles, roleNames } from './roles.ts';

/** Statements that define what may name a role, as PostgreSQL itself writes them. */
const definitions = `
  with named (pattern) as (select '\\m(' || array_to_string($1::text[], '|') || ')\\M'),
  ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  found (place, statement) as (
    select 1, pg_get_functiondef(p.oid) from pg_proc p
      where p.pronamespace in (select oid from ours) and p.prokind in ('f', 'p')
        and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
    union all
    select 2, regexp_replace(pg_get_triggerdef(t.oid), '^CREATE TRIGGER', 'create or replace trigger')
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not t.tgisinternal and c.relnamespace in (select oid from ours)
    union all
    select 3, format('alter policy %I on %s to %s', p.polname, p.polrelid::regclass,
        (select string_agg(case r when 0 then 'public' else r::regrole::text end, ', ')
          from unnest(p.polroles) as r))
      || coalesce(' using (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
      || coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')
    from pg_policy p)
  select statement from found, named where statement ~ pattern order by place`;

/** Takes from the old roles what they were given here; their rights in other databases are theirs. */
const revocations = `
  select format('revoke all on %s from %s',
    case when d.classid = 'pg_database'::regclass then format('database %I', current_database())
      when d.classid = 'pg_namespace'::regclass then format('schema %s', d.objid::regnamespace)
      when d.classid = 'pg_proc'::regclass then format('routine %s', d.objid::regprocedure)
      when d.classid = 'pg_type'::regclass then format('type %s', d.objid::regtype)
      when c.relkind = 'S' then format('sequence %s', d.objid::regclass)
      when c.oid is not null then format('table %s', d.objid::regclass)
      else pg_describe_object(d.classid, d.objid, 0) end,
    d.refobjid::regrole) as statement
  from pg_shdepend d left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid
  where d.refclassid = 'pg_authid'::regclass and d.deptype = 'a'
    and d.refobjid in (select oid from pg_roles where rolname = any ($1))
    and (d.dbid = (select oid from pg_database where datname = current_database())
      or d.classid = 'pg_database'::regclass
        and d.objid = (select oid from pg_database where datname = current_database()))
  group by d.classid, d.objid, d.refobjid, c.relkind, c.oid`;

/** What this database still says of them. */
const remains = `
  select pg_describe_object(d.classid, d.objid, d.objsubid) as what from pg_shdepend d
  where d.refclassid = 'pg_authid'::regclass
    and d.refobjid in (select oid from pg_roles where rolname = any ($1))
    and d.dbid = (select oid from pg_database where datname = current_database())`;

/** In the caller's transaction. */
export async function handOver(client: pg.ClientBase, from: string, to: string): Promise<void> {
  const old = roleNames(from);
  // Names are then written with their schema, and bodies were looked through when they were made.
  await client.query('set local search_path = pg_catalog; set local check_function_bodies = off');
  const { rows: named } = await client.query(definitions, [old]);
  for (const { statement } of named) await client.query(renameRoles(statement, from, to));
  const { rows: granted } = await client.query(revocations, [old]);
  for (const { statement } of granted) await client.query(statement);
  const { rows: left } = await client.query(remains, [old]);
  if (left.length > 0) {
    throw new Error(
      `${old.join(', ')} still have a part in: ${left.map(({ what }) => what).join('; ')}`,
    );
  }
}
