/** Files of the bank as they came, what was asked of them, and what they became. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { EqualRows } from '../../domain/ledger/bank-statements/merging.ts';
import { type Reasoned, refuseWhole } from '../../lib/errors.ts';
import type { StoredSource } from '../../lib/source-file.ts';
import type { BankImportReport } from './report.ts';

export interface NewBankFile {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  readonly size: number;
  readonly gzip: Buffer;
}

/** A file that is kept already is kept once, under its first name. */
export async function insertBankFile(tx: Tx, file: NewBankFile, actor: string): Promise<void> {
  const { sha256, fileName, size, gzip } = file;
  await tx.query(sql`insert into bank.files (sha256, file_name, size, gzip, created_by)
    values (decode(${sha256}, 'hex'), ${fileName}, ${size}, ${gzip}, ${actor})
    on conflict do nothing`);
}

export async function getBankFile(db: Db, sha256: string): Promise<StoredSource> {
  const [file] = await db.query<StoredSource>(
    sql`select file_name, size, gzip from bank.files where sha256 = decode(${sha256}, 'hex')`,
  );
  if (!file) throw refuseWhole('not_found', 'no_bank_import');
  return file;
}

export interface BankImport {
  id: string;
  account_id: string | null;
  is_accepted: boolean;
  equal_rows: EqualRows | null;
  asked_at: Date | null;
  asked_by: string | null;
  /** Of the files' bytes, by the present attempt. */
  read_bytes: bigint;
  failed_at: Date | null;
  /** Why it came to nothing, when something is known to be in the way. */
  refusal: Reasoned | null;
  finished_at: Date | null;
  report: BankImportReport | null;
  created_at: Date;
  created_by: string;
  size: bigint;
  files: { sha256: string; fileName: string }[];
}

const selected = sql`select i.id, i.account_id, i.is_accepted, i.equal_rows, i.asked_at, i.asked_by, i.read_bytes, i.failed_at,
    i.refusal, i.finished_at, i.report, i.created_at, i.created_by, f.size, f.files
  from bank.imports i cross join lateral (
    select coalesce(sum(b.size), 0)::bigint as size, coalesce(jsonb_agg(jsonb_build_object(
      'sha256', encode(f.sha256, 'hex'), 'fileName', f.file_name) order by f.place), '[]') as files
    from bank.import_files f join bank.files b on b.sha256 = f.sha256 where f.import_id = i.id) as f`;

export async function findBankImport(db: Db, id: string): Promise<BankImport | undefined> {
  const [found] = await db.query<BankImport>(sql`${selected} where i.id = ${id}::uuid`);
  return found;
}

/** Throws 404 when there is none. */
export async function getBankImport(db: Db, id: string): Promise<BankImport> {
  const found = await findBankImport(db, id);
  if (!found) throw refuseWhole('not_found', 'no_bank_import');
  return found;
}

const inboxLock = sql`hashtextextended('bank inbox', 0)`;

/** Whether the caller's connection is now the one that takes in what lies in folders; until it lets go, or ends. */
export async function tryHoldInbox(db: Db): Promise<boolean> {
  const [lock] = await db.query<{ mine: boolean }>(
    sql`select pg_try_advisory_lock(${inboxLock}) as mine`,
  );
  return lock?.mine === true;
}

/** The server may be slow to see that a connection has ended: whoever looks next is let in at once. */
export async function letGoOfInbox(db: Db): Promise<void> {
  await db.query(sql`select pg_advisory_unlock(${inboxLock})`);
}

/** Of one file for one account, sent and looked at, but not asked for yet. */
export async function findWaitingImport(
  db: Db,
  sha256: string,
  accountId: string,
): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }>(sql`select i.id from bank.imports i
    where i.account_id = ${accountId}::uuid and i.asked_at is null and i.finished_at is null
      and (select array_agg(f.sha256) from bank.import_files f where f.import_id = i.id)
        = array[decode(${sha256}, 'hex')]
    order by i.created_at desc limit 1`);
  return found?.id;
}

/** The latest first. */
export function listBankImports(db: Db, limit: number): Promise<BankImport[]> {
  return db.query(sql`${selected} order by i.created_at desc, i.id desc limit ${limit}`);
}

export async function insertBankImport(
  tx: Tx,
  one: {
    readonly id: string;
    readonly accountId: string | null;
    readonly files: readonly { readonly sha256: string; readonly fileName: string }[];
  },
  actor: string,
): Promise<void> {
  const { id, accountId, files } = one;
  await tx.query(sql`insert into bank.imports (id, account_id, created_by)
    values (${id}, ${accountId}, ${actor})`);
  await tx.query(sql`insert into bank.import_files (import_id, place, sha256, file_name)
    select ${id}::uuid, f.place, decode(f.sha256, 'hex'), f.file_name
    from unnest(${files.map(({ sha256 }) => sha256)}::text[],
      ${files.map(({ fileName }) => fileName)}::text[]) with ordinality as f (sha256, file_name, place)`);
}

export interface BankImportChoices {
  readonly accountId: string | null;
  readonly isAccepted: boolean;
  readonly equalRows: EqualRows | null;
}

/** As whom it is taken in. False when it has been asked for, or taken in, since it was looked at. */
export async function setAsked(
  tx: Tx,
  id: string,
  { accountId, isAccepted, equalRows }: BankImportChoices,
  actor: string,
): Promise<boolean> {
  const asked =
    await tx.query(sql`update bank.imports set asked_at = now(), asked_by = ${actor}, account_id = ${accountId},
      is_accepted = ${isAccepted}, equal_rows = ${equalRows}, failed_at = null, refusal = null
    where id = ${id}::uuid and finished_at is null and (asked_at is null or failed_at is not null)
    returning id`);
  return asked.length > 0;
}

export async function setProgress(db: Db, id: string, bytes: number): Promise<void> {
  await db.query(sql`update bank.imports set read_bytes = ${bytes}, failed_at = null, refusal = null
    where id = ${id}::uuid and finished_at is null`);
}

/** `refusal` is a `Reasoned`, as JSON. */
export async function setFailed(db: Db, id: string, refusal: string): Promise<void> {
  await db.query(sql`update bank.imports set failed_at = now(), refusal = ${refusal}::jsonb
    where id = ${id}::uuid and finished_at is null`);
}

/** What became of it; others are told when anything did. */
export async function setFinished(
  tx: Tx,
  id: string,
  report: BankImportReport,
  actor: string,
): Promise<void> {
  await tx.query(sql`update bank.imports set finished_at = now(), report = ${JSON.stringify(report)}::jsonb,
      asked_at = coalesce(asked_at, now()), asked_by = coalesce(asked_by, ${actor}), failed_at = null, refusal = null
    where id = ${id}::uuid`);
  if (report.taken === 0) return;
  await tx.query(sql`insert into events.outbox (type, subject) values ('bank.imported', ${id})`);
}

/** How many files were of no use to anybody. */
export async function purgeBankFiles(tx: Tx): Promise<bigint> {
  const [done] = await tx.query<{ files: bigint }>(sql`select bank.purge_files() as files`);
  return done?.files ?? 0n;
}
