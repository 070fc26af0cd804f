/**
 * Loads a backup into a database that has its schema and no books: all or nothing, in one transaction, as
 * the owner and no superuser. What keeps the books from being changed is set aside meanwhile and put back
 * before the commit; foreign keys are made anew, and so prove every reference.
 */
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { BackupKey } from '../../config/backup-key.ts';
import { OperatorError } from '../../lib/operator-error.ts';
import { damaged, readContainer } from './container.ts';
import { type Contents, jobsTable, tableOf } from './contents.ts';
import { inBooks, listFilled, listHeads, listTables } from './store.ts';

/** What of a table is put aside while rows are loaded, and put back. */
interface TableAside {
  readonly table_name: string;
  readonly triggers: readonly { name: string; enabled: string }[];
  readonly keys: readonly { name: string; definition: string }[];
}

export async function load(
  client: pg.Client,
  path: string,
  key: BackupKey | undefined,
  contents: Contents,
): Promise<void> {
  await client.query('begin');
  const tables = (await listTables(client))
    .map(({ name }) => name)
    .filter((name) => name !== jobsTable);
  const known = new Set([...tables, jobsTable]);
  const unknown = contents.opening.tables.find(({ name }) => !known.has(name));
  if (unknown) throw damaged(path);
  const aside = await setAside(client);
  // What the migrations put there is in the backup too, as it had become.
  // Those that get rows too: into a table emptied in the same transaction they are copied at its end, in order.
  const touched = new Set(await listFilled(client));
  for (const { name, rows } of contents.manifest.tables) if (rows > 0) touched.add(name);
  await client.query(`truncate ${tables.filter((name) => touched.has(name)).join(', ')}`);
  await prepareJobs(client, contents);
  await copyIn(client, path, key, contents);
  await takeJobs(client, contents);
  for (const { name, last_value, is_called } of contents.manifest.sequences) {
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      name,
      last_value,
      is_called,
    ]);
  }
  await putBack(client, aside);
  if (JSON.stringify(await listHeads(client)) !== JSON.stringify(contents.manifest.heads)) {
    throw damaged(path);
  }
  await client.query('commit');
  // Without statistics the first checks and jobs would be planned blindly.
  await client.query(`analyze ${(await listFilled(client)).join(', ')}`);
}

async function setAside(client: pg.Client): Promise<readonly TableAside[]> {
  const { rows } = await client.query<TableAside>(
    `select format('%I.%I', n.nspname, c.relname) as table_name,
       coalesce((select json_agg(json_build_object('name', quote_ident(t.tgname), 'enabled', t.tgenabled)
           order by t.tgname)
         from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D'), '[]') as triggers,
       coalesce((select json_agg(json_build_object('name', quote_ident(k.conname),
           'definition', pg_get_constraintdef(k.oid)) order by k.conname)
         from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), '[]') as keys
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and ${inBooks} order by 1`,
  );
  for (const { table_name, triggers, keys } of rows) {
    await alter(client, table_name, [
      ...triggers.map(({ name }) => `disable trigger ${name}`),
      ...keys.map(({ name }) => `drop constraint ${name}`),
    ]);
  }
  return rows;
}

const firing: Readonly<Record<string, string>> = {
  O: 'enable',
  R: 'enable replica',
  A: 'enable always',
};

async function putBack(client: pg.Client, aside: readonly TableAside[]): Promise<void> {
  for (const { table_name, triggers, keys } of aside) {
    await alter(client, table_name, [
      ...keys.map(({ name, definition }) => `add constraint ${name} ${definition}`),
      ...triggers.map(({ name, enabled }) => `${firing[enabled]} trigger ${name}`),
    ]);
  }
}

/** All at once: PostgreSQL reads a table's description anew after each statement that changes it. */
async function alter(client: pg.Client, table: string, changes: readonly string[]): Promise<void> {
  if (changes.length > 0) await client.query(`alter table ${table} ${changes.join(', ')}`);
}

/** Jobs are read as text first: the queue's own table may have changed with the program. */
const jobsRead = 'migration.restored_jobs';

async function prepareJobs(client: pg.Client, { opening }: Contents): Promise<void> {
  const columns = opening.tables.find(({ name }) => name === jobsTable)?.columns ?? [];
  const list = columns.map((column) => `${column} text`).join(', ');
  await client.query(`create table ${jobsRead} (${list})`);
}

/** Puts the jobs on their queues, to be begun anew under the queues' present rules. */
async function takeJobs(client: pg.Client, { opening }: Contents): Promise<void> {
  const given = opening.tables.find(({ name }) => name === jobsTable)?.columns ?? [];
  const { rows } = await client.query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attname = any ($2)`,
    [jobsTable, given],
  );
  const names = rows.map(({ name }) => name);
  const values = rows.map(({ name, type }) => `j.${name}::${type}`);
  await client.query(
    `insert into ${jobsTable} (${names.join(', ')}, expire_seconds, deletion_seconds, keep_until,
       retry_limit, retry_delay, retry_backoff, retry_delay_max, policy, dead_letter, heartbeat_seconds)
     select ${values.join(', ')}, q.expire_seconds, q.deletion_seconds,
       now() + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay,
       coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds
     from ${jobsRead} j join pgboss.queue q on q.name = j.name`,
  );
  await client.query(`drop table ${jobsRead}`);
}

async function copyIn(
  client: pg.Client,
  path: string,
  key: BackupKey | undefined,
  { opening, manifest }: Contents,
): Promise<void> {
  const columnsOf = new Map(opening.tables.map(({ name, columns }) => [name, columns]));
  const rowsOf = new Map(manifest.tables.map(({ name, rows }) => [name, rows]));
  let current:
    | { name: string; write(chunk: Uint8Array): Promise<void>; end(): Promise<number> }
    | undefined;
  const endTable = async () => {
    if (!current) return;
    const { name } = current;
    const rows = await current.end();
    current = undefined;
    if (rows !== rowsOf.get(name)) throw damaged(path);
  };
  await readContainer(path, key, async ({ name: entry, body }) => {
    const name = tableOf(entry);
    if (name !== current?.name) await endTable();
    if (name === undefined) {
      for await (const _ of body);
      return;
    }
    const columns = columnsOf.get(name);
    if (!columns) throw damaged(path);
    current ??= beginTable(client, name, columns);
    for await (const chunk of body) await current.write(chunk);
  });
  await endTable();
}

function beginTable(client: pg.Client, name: string, columns: readonly string[]) {
  const target = name === jobsTable ? jobsRead : name;
  const stream = client.query(copyFrom(`copy ${target} (${columns.join(', ')}) from stdin`));
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  stream.on('error', (error) =>
    reject(
      new OperatorError(`Tabellen ${name} kunde inte läsas in: ${error.message}`, { cause: error }),
    ),
  );
  return {
    name,
    async write(chunk: Uint8Array): Promise<void> {
      if (stream.write(chunk)) return;
      await Promise.race([new Promise((resolve) => stream.once('drain', resolve)), failed]);
    },
    async end(): Promise<number> {
      await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]);
      return stream.rowCount;
    },
  };
}
