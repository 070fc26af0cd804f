/** SIE files that came in, what each became, and what stood in the books before. */
import { type Db, databaseErrorOf, type Tx } from '../../db/pool.ts';
import { numberArray, prepared, sql } from '../../db/sql.ts';
import type { SieYear } from '../../domain/ledger/sie/file-years.ts';
import { refuseWhole } from '../../lib/errors.ts';
import { uuid } from '../../lib/uuid.ts';

/** False when somebody else fills the books now. Until commit nobody else does. */
export async function beginImport(tx: Tx): Promise<boolean> {
  const [answer] = await tx.query<{ begun: boolean }>(sql`select ledger.begin_import() as begun`);
  return answer?.begun === true;
}

export interface BooksAccount {
  number: number;
  name: string;
  vat_code: string | null;
  is_active: boolean;
}

export function listBooksAccounts(db: Db): Promise<BooksAccount[]> {
  return db.query(
    sql`select number, name, vat_code, is_active from ledger.accounts order by number`,
  );
}

export interface BooksSeries {
  year_start: string;
  code: string;
  last_number: number;
}

export function listBooksSeries(db: Db): Promise<BooksSeries[]> {
  return db.query(sql`select y.start_date as year_start, s.code, s.last_number
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id order by 1, 2`);
}

export interface BooksYear {
  id: string;
  year: number;
  start: string;
  end: string;
  status: 'open' | 'closed';
}

export function listBooksYears(db: Db): Promise<BooksYear[]> {
  return db.query(sql`select id, year, start_date as start, end_date as "end", status
    from ledger.fiscal_years order by start_date`);
}

/** Of a balance account what stands on it when the year ends, of a result account what the year brought. */
export async function listBalancesOfYear(
  db: Db,
  { start, end }: SieYear,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ account: number; ore: bigint }>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as ore from ledger.month_balances
        where month <= ${end}::date and (account < 3000 or month >= ${start}::date) group by account`,
  );
  return new Map(rows.map(({ account, ore }) => [String(account), ore]));
}

/** The file's import that holds, with the day it was made; undefined when it is in the books no more, or never was. */
export async function findImportOf(
  db: Db,
  sha256: string,
): Promise<{ id: string; file_name: string; created_at: Date } | undefined> {
  const [found] = await db.query<{ id: string; file_name: string; created_at: Date }>(
    sql`select id, file_name, created_at from ledger.imports
        where sha256 = decode(${sha256}, 'hex') and undone_at is null`,
  );
  return found;
}

/** A voucher of the year that came from the same series and a number in the span, in an import that holds. */
export async function findImportedBetween(
  db: Db,
  span: {
    readonly year: string;
    readonly code: string;
    readonly lowest: number;
    readonly highest: number;
  },
): Promise<{ number: string; label: string } | undefined> {
  const [found] = await db.query<{ number: string; label: string }>(
    sql`select i.number, v.series || v.number as label
        from ledger.imported_vouchers i
        join ledger.imports m on m.id = i.import_id and m.undone_at is null
        join ledger.vouchers v on v.id = i.voucher_id
        join ledger.fiscal_years y on v.verification_date between y.start_date and y.end_date
        where i.series = ${span.code} and y.start_date = ${span.year}::date
          and case when i.number ~ '^[1-9][0-9]{0,8}$'
            then i.number::integer between ${span.lowest} and ${span.highest} end
        order by i.number::integer limit 1`,
  );
  return found;
}

export interface NewSieFile {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly fileName: string;
  /** Of the file itself, bytes. */
  readonly size: number;
  /** The file, compressed. */
  readonly gzip: Buffer;
}

/** A file that is kept already is kept once, under its first name. */
export async function insertSieFile(tx: Tx, file: NewSieFile, actor: string): Promise<void> {
  const { sha256, fileName, size, gzip } = file;
  await tx.query(sql`insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
    values (decode(${sha256}, 'hex'), ${fileName}, ${size}, ${gzip}, ${actor})
    on conflict do nothing`);
}

export interface StoredSieFile {
  file_name: string;
  size: bigint;
  gzip: Buffer;
}

/** Throws 404 when there is none. */
export async function getSieFile(db: Db, sha256: string): Promise<StoredSieFile> {
  const [file] = await db.query<StoredSieFile>(
    sql`select file_name, size, gzip from ledger.sie_files where sha256 = decode(${sha256}, 'hex')`,
  );
  if (!file) throw refuseWhole('not_found', 'no_sie_file');
  return file;
}

export async function insertImport(
  tx: Tx,
  one: {
    readonly id: string;
    readonly sha256: string;
    readonly fileName: string;
    readonly report: object;
  },
  actor: string,
): Promise<void> {
  const { id, sha256, fileName, report } = one;
  try {
    await tx.query(sql`insert into ledger.imports (id, sha256, file_name, report, created_by)
      values (${id}, decode(${sha256}, 'hex'), ${fileName}, ${JSON.stringify(report)}::jsonb, ${actor})`);
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== 'imports_once') throw error;
    throw refuseWhole('unprocessable', 'sie_imported_before', {}, { cause: error });
  }
}

export interface ImportedVoucher {
  readonly voucherId: string;
  readonly series: string;
  readonly number: string;
  readonly line: number | null;
  readonly registered: string | null;
  readonly signature: string | null;
}

/** What vouchers that have just been posted were called where they came from. */
export async function insertImportedVouchers(
  tx: Tx,
  importId: string,
  vouchers: readonly ImportedVoucher[],
): Promise<void> {
  await tx.query(
    prepared(
      'imported vouchers',
      sql`insert into ledger.imported_vouchers (voucher_id, import_id, series, number, line,
            registered_on, signature)
          select v.id, ${importId}::uuid, v.series, v.number, v.line, v.registered, v.signature
          from unnest(${vouchers.map(({ voucherId }) => voucherId)}::uuid[],
            ${vouchers.map(({ series }) => series)}::text[],
            ${vouchers.map(({ number }) => number)}::text[],
            ${vouchers.map(({ line }) => line)}::integer[],
            ${vouchers.map(({ registered }) => registered)}::date[],
            ${vouchers.map(({ signature }) => signature)}::text[])
            as v (id, series, number, line, registered, signature)`,
    ),
  );
}

export interface ObjectOfBooks {
  readonly kind: 'cost_center' | 'project';
  readonly code: string;
  readonly name: string;
}

/** Makes those that are missing and takes the inactive ones in use again. */
export async function insertObjects(tx: Tx, objects: readonly ObjectOfBooks[]): Promise<void> {
  await tx.query(sql`insert into ledger.dimensions (id, kind, code, name)
    select * from unnest(${objects.map(() => uuid())}::uuid[],
      ${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ code }) => code)}::text[],
      ${objects.map(({ name }) => name)}::text[]) as o (id, kind, code, name)
    on conflict (kind, code) do update set is_active = true`);
}

/** SRU codes out of a file, for accounts that have just been made. */
export async function setSruCodes(
  tx: Tx,
  codes: readonly { readonly account: number; readonly sru: string }[],
): Promise<void> {
  await tx.query(sql`update ledger.accounts a set sru = c.sru
    from unnest(${numberArray(codes.map(({ account }) => account))}::integer[],
      ${codes.map(({ sru }) => sru)}::text[]) as c (account, sru)
    where a.number = c.account`);
}
