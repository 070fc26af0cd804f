/** What the catalogue says of the tables a backup holds, and the record of backups taken. */
import type pg from 'pg';
import { backup, mail, purge, queues, verification } from '../../db/jobs.ts';
import { restoreMark } from '../../db/migrations.ts';
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { faultOf, jsonOf } from '../../lib/errors.ts';
import { jobsTable, type Manifest } from './contents.ts';

/** Logins, counters of the hour and signs of life: true of a running service and not of its books. */
const passing = [
  'restricted.sessions',
  'restricted.setup_tokens',
  'restricted.agency_tokens',
  'restricted.processes',
  'restricted.form_posts',
  'restricted.address_windows',
  'restricted.login_windows',
  'restricted.key_windows',
  'intake.trials',
];

export interface TableToCopy {
  readonly name: string;
  readonly columns: string[];
  /** Which rows; all when it does not say. */
  readonly condition?: string;
}

/** The schemas that hold the books: neither PostgreSQL's own, nor the job queue's, nor the migrations'. */
export const inBooks = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'public', 'migration', 'pgboss')`;

/** What a job says, whatever state it was in: it is begun anew. */
const jobColumns = [
  'id',
  'name',
  'priority',
  'data',
  'start_after',
  'created_on',
  'source_name',
  'source_id',
  'source_created_on',
  'source_retry_count',
  'source_output',
];

/** Those that the clock puts there anew, and letters, which `holdOutgoing` leaves to a person. */
const notBrought: readonly string[] = [purge.name, verification.name, backup.name, mail.name];

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** The tables of the books and their columns, but for those PostgreSQL computes; and the jobs not yet done. */
export async function listTables(client: pg.Client): Promise<TableToCopy[]> {
  const { rows } = await client.query<TableToCopy>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and ${inBooks}
     group by 1 order by 1`,
  );
  const names = queues.map(({ name }) => name).filter((name) => !notBrought.includes(name));
  const waiting = `state in ('created', 'retry', 'active')
    and (name in (${quoted(names)}) or name like '%-dead')`;
  return [
    ...rows.filter(({ name }) => !passing.includes(name)),
    { name: jobsTable, columns: jobColumns, condition: waiting },
  ];
}

/** The tables in which there is or has been anything, ours and the job queue's: of some two hundred a few before a load. */
export async function listFilled(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and pg_relation_size(c.oid) > 0
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Read after the rows: a number once given is never given again. */
export async function listSequences(client: pg.Client): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and ${inBooks} order by 1`,
  );
  const sequences: Manifest['sequences'] = [];
  for (const { name } of rows) {
    const state = await client.query(`select last_value::text, is_called from ${name}`);
    sequences.push({ name, ...state.rows[0] });
  }
  return sequences;
}

export async function listHeads(client: pg.Client): Promise<Manifest['heads']> {
  const { rows } = await client.query(
    `select s.code as series, y.year, s.last_number, encode(s.last_hash, 'hex') as last_hash
     from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
     order by y.year, s.code`,
  );
  return rows;
}

/** The database is no books until `unmarkRestore`. */
export async function markRestore(client: pg.Client): Promise<void> {
  await client.query(`create schema if not exists migration; create table ${restoreMark} ()`);
}

export async function unmarkRestore(client: pg.Client): Promise<void> {
  await client.query(`drop table ${restoreMark}`);
}

/** Of a database where nothing but the mark has been made: as it was before. */
export async function forgetRestore(client: pg.Client): Promise<void> {
  await client.query('drop schema migration cascade');
}

/** Whether anything but the mark has been made in the database, by us or by others. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and c.oid is distinct from to_regclass($1)
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as empty`,
    [restoreMark],
  );
  return rows[0].empty;
}

/** Takes away what a restore that was cut off had made; there was nothing else. All but the mark, at once. */
export async function clearDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace
     where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') order by 1`,
  );
  await client.query('begin');
  for (const { name } of rows) await client.query(`drop schema ${name} cascade`);
  await markRestore(client);
  await client.query('commit');
}

/** What was to go out by itself and now waits for a person. */
export interface Held {
  readonly mails: number;
  readonly webhooks: number;
  readonly recurring: number;
}

/**
 * What books of an earlier moment must not do by themselves, since it may have been done since, or the original may still
 * be running: send mail, by invoices that recur too, and tell others by webhooks. A person begins them again. Links that
 * people were invited by have perhaps been used or withdrawn since, and sessions been ended.
 */
export async function holdOutgoing(tx: Tx): Promise<Held> {
  // As an attempt that nobody knows the answer of: whoever has the letter sent again asks its receiver first.
  const mails = await tx.query(sql`update sales.mails set state = 'failed',
      attempts = attempts + 1, unanswered = unanswered + 1,
      last_error = 'Böckerna är återställda ur en säkerhetskopia, och brevet kan redan ha skickats.'
    where state = 'queued' returning id`);
  const webhooks = await tx.query(sql`update events.endpoints set disabled_at = now(),
      disabled_reason = 'Böckerna är återställda ur en säkerhetskopia.'
    where disabled_at is null returning id`);
  const recurring = await tx.query(sql`update sales.recurring_invoices
    set problems = ${jsonOf([faultOf('', 'recurring_restored')])}::jsonb
    where becomes = 'mailed' and next_date is not null returning id`);
  await tx.query(sql`update restricted.users set invitation_hash = null, invitation_expires_at = null
    where invitation_hash is not null`);
  await tx.query(sql`delete from restricted.sessions`);
  return { mails: mails.length, webhooks: webhooks.length, recurring: recurring.length };
}

/** The latest moment that the books know of: what came later is not in them. Null of books in which nothing has happened. */
export async function findEnd(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(sql`select greatest(
      (select max(occurred_at) from audit.events where action <> 'books.held'),
      (select max(posted_at) from ledger.vouchers),
      (select max(received_at) from intake.order_attempts),
      (select max(received_at) from intake.till_reports),
      (select max(received_at) from intake.e_invoices),
      (select max(created_at) from ledger.documents)) as at`);
  return row?.at ?? null;
}

/**
 * The key of secrets is in no backup: the copy starts with the one it is given, or without. What another has sealed asks
 * for new secrets then (src/access/secrets/service.ts).
 */
export async function forgetSecretsKey(tx: Tx): Promise<void> {
  await tx.query(sql`delete from restricted.secrets_key`);
}
