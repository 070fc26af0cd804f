/** What the database's own catalogue says of its schemas, tables and functions, and who may do what. */
import type { Db } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Schemas that are not PostgreSQL's own, under the alias n. */
const ours = sql`n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
/** pg-boss makes a partition of its statistics for each day. */
const table = sql`n.nspname || '.' || regexp_replace(c.relname, '_\\d{8}$', '_<day>')`;

export interface Routine {
  readonly name: string;
  readonly isDefiner: boolean;
  readonly searchPath: string | null;
}

export async function listSchemas(db: Db): Promise<string[]> {
  return linesOf(db, sql`select nspname as line from pg_namespace n where ${ours}`);
}

/** Triggers that fire, as `schema.table trigger: function`; what is switched off is not there. */
export async function listTriggers(db: Db): Promise<string[]> {
  return linesOf(
    db,
    sql`select distinct format('%s %s: %s.%s', ${table}, t.tgname, f.nspname, p.proname) as line
        from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        join pg_proc p on p.oid = t.tgfoid join pg_namespace f on f.oid = p.pronamespace
        where not t.tgisinternal and t.tgenabled in ('O', 'A') and ${ours}`,
  );
}

/** What belongs to another than who migrates: a function would run with that one's rights. */
export async function listForeign(db: Db): Promise<string[]> {
  return linesOf(
    db,
    sql`select format('%s: %s', thing.name, pg_get_userbyid(thing.owner)) as line from (
          select n.nspname || '.' || p.proname || '()' as name, p.proowner as owner, n.oid as schema
          from pg_proc p join pg_namespace n on n.oid = p.pronamespace
          union all
          select n.nspname || '.' || c.relname, c.relowner, n.oid
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
          union all
          select n.nspname::text, n.nspowner, n.oid from pg_namespace n) as thing
        join pg_namespace n on n.oid = thing.schema
        where ${ours} and n.nspname <> 'public'
          and thing.owner <> (select nspowner from pg_namespace where nspname = 'migration')`,
  );
}

export interface Definition {
  /** `ledger.post()`, or of a table `ledger.vouchers`. */
  readonly name: string;
  readonly text: string;
}

/** What functions do, and what tables hold to: columns, constraints, unique indexes, triggers, policies. */
export async function listDefinitions(db: Db): Promise<Definition[]> {
  return db.query(
    sql`select n.nspname || '.' || p.proname || '()' as name, string_agg(concat_ws('|',
          oidvectortypes(p.proargtypes), p.prorettype::regtype, p.prosecdef, p.provolatile, p.proisstrict,
          p.proconfig, p.prosrc), E'\n' order by oidvectortypes(p.proargtypes)) as text
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where ${ours} and n.nspname <> 'public' group by 1
        union all
        select n.nspname || '.' || c.relname, (
          -- A table may have nothing: the mark of a restore under way has not even a column.
          select coalesce(string_agg(part, E'\n' order by part), '') from (
            select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
              a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) as part
            from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
            union all
            select concat_ws(' ', k.conname, k.convalidated, pg_get_constraintdef(k.oid))
            from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
            union all
            select pg_get_indexdef(i.indexrelid) from pg_index i
            where i.indrelid = c.oid and i.indisunique and i.indisvalid
            union all
            select pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
            union all
            select concat_ws(' ', p.polname, p.polcmd, p.polpermissive, pg_get_expr(p.polqual, c.oid),
              pg_get_expr(p.polwithcheck, c.oid)) from pg_policy p where p.polrelid = c.oid) as parts)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and ${ours} and n.nspname not in ('public', 'pgboss')
        order by 1`,
  );
}

/** What logins of `names` begin with, as `role setting=value`, for this database alone last. */
export async function listRoleSettings(db: Db, names: readonly string[]): Promise<string[]> {
  return linesOf(
    db,
    sql`select r.rolname || ' ' || setting || case when s.setdatabase <> 0 then ' (här)' else '' end as line
        from pg_db_role_setting s join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) as setting
        where r.rolname = any (${names}::text[])
          and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))`,
  );
}

/** Tables, views, sequences, as `schema.name`. */
export async function listTables(db: Db): Promise<string[]> {
  return linesOf(
    db,
    sql`select distinct ${table} as line from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${ours}`,
  );
}

export async function listRoutines(db: Db): Promise<Routine[]> {
  return db.query(
    sql`select n.nspname || '.' || p.proname as name, p.prosecdef as "isDefiner",
          (select substr(c, length('search_path=') + 1) from unnest(p.proconfig) as c
            where c like 'search_path=%') as "searchPath"
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${ours} order by 1`,
  );
}

/** Row level security: `table policy command role: condition`, and each table that has it on. */
export async function listPolicies(db: Db): Promise<string[]> {
  return linesOf(
    db,
    sql`select format('%s.%s %s %s %s: %s', schemaname, tablename, policyname, lower(cmd),
          array_to_string(roles, ','), coalesce(qual, with_check)) as line from pg_policies
        union all
        select format('%s.%s on', n.nspname, c.relname) from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where c.relrowsecurity`,
  );
}

/**
 * Everything `role` may do, what PUBLIC may included, as `schema: usage`, `schema.table: select`,
 * `schema.table (column, …): update` and `schema.function(): execute`.
 */
export async function listPrivileges(db: Db, role: string): Promise<string[]> {
  const lines: string[] = [];
  for (const rights of [schemaRights, tableRights, columnRights, sequenceRights, functionRights]) {
    // One after the other: `db` may be a transaction, which has one connection.
    lines.push(...(await linesOf(db, rights(role))));
  }
  return lines;
}

const schemaRights = (role: string): Sql =>
  sql`select n.nspname || ': ' || string_agg(p, ', ' order by p desc) as line
      from pg_namespace n, unnest(array['usage', 'create']) as p
      where ${ours} and has_schema_privilege(${role}, n.oid, p) group by n.nspname`;

const tableRights = (role: string): Sql =>
  sql`select distinct ${table} || ': ' || (select string_agg(p.name, ', ' order by p.place)
        from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references',
          'trigger']) with ordinality as p (name, place)
        where has_table_privilege(${role}, c.oid, p.name)) as line
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ours}`;

/** Of columns, only what the table as a whole does not give. */
const columnRights = (role: string): Sql =>
  sql`select format('%s.%s (%s): %s', n.nspname, c.relname,
        string_agg(a.attname, ', ' order by a.attnum), p) as line
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped,
        unnest(array['select', 'insert', 'update', 'references']) as p
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${ours}
        and has_column_privilege(${role}, c.oid, a.attnum, p)
        and not has_table_privilege(${role}, c.oid, p)
      group by n.nspname, c.relname, p`;

const sequenceRights = (role: string): Sql =>
  sql`select n.nspname || '.' || c.relname || ': ' || string_agg(p, ', ' order by p) as line
      from pg_class c join pg_namespace n on n.oid = c.relnamespace,
        unnest(array['usage', 'select', 'update']) as p
      where c.relkind = 'S' and ${ours} and has_sequence_privilege(${role}, c.oid, p)
      group by n.nspname, c.relname`;

const functionRights = (role: string): Sql =>
  sql`select n.nspname || '.' || p.proname || '(): execute' as line
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${ours} and has_function_privilege(${role}, p.oid, 'execute')`;

async function linesOf(db: Db, lines: Sql): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    sql`select line from (${lines}) as l where line is not null order by line`,
  );
  return rows.map(({ line }) => line);
}
