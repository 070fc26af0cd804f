/** What the archive of a fiscal year is made of, read a page at a time. */
import type { Db } from '../../db/pool.ts';
import { prepared, type Sql, sql } from '../../db/sql.ts';

/** A series and how far it had come when the archive was begun: what comes later belongs to the next one. */
export interface ArchivedSeries {
  id: string;
  code: string;
  name: string;
  last: number;
}

export function listArchivedSeries(db: Db, year: number): Promise<ArchivedSeries[]> {
  return db.query(sql`select s.id, s.code, s.name, s.last_number as last
    from ledger.series s join ledger.fiscal_years y on y.id = s.fiscal_year_id
    where y.year = ${year} order by s.code`);
}

export interface ArchivedVoucher {
  id: string;
  series: string;
  number: number;
  date: string;
  description: string;
  counterparty: string | null;
  source: string;
  posted_at: Date;
  posted_by: string;
  posted_by_name: string | null;
  request_id: string | null;
  /** Hexadecimal. */
  hash: string;
  /** Labels: of what it corrects, and of what corrects it. */
  corrects: string | null;
  corrected_by: string | null;
}

/** Where a page ended. */
export type ArchivedPlace = Pick<ArchivedVoucher, 'date' | 'series' | 'number'>;

/** Vouchers of some days in the order of date, series and number, after a place, up to each series' last. */
export function listArchivedVouchers(
  db: Db,
  series: readonly ArchivedSeries[],
  { from, to }: { readonly from: string; readonly to: string },
  after: ArchivedPlace | null,
  limit: number,
): Promise<ArchivedVoucher[]> {
  const place = after ?? { date: from, series: '', number: 0 };
  return db.query(
    prepared(
      'archived vouchers',
      sql`select v.id, v.series, v.number, v.verification_date as date, v.description, v.counterparty,
            v.source, v.posted_at, v.posted_by, n.name as posted_by_name, v.request_id,
            encode(v.hash, 'hex') as hash,
            (select w.series || w.number from ledger.corrections c join ledger.vouchers w
              on w.id = c.corrected_id where v.id in (c.reversal_id, c.replacement_id) limit 1) as corrects,
            (select w.series || w.number from ledger.corrections c join ledger.vouchers w
              on w.id = c.reversal_id where c.corrected_id = v.id limit 1) as corrected_by
          from (select v.* from ledger.vouchers v
            join unnest(${series.map(({ id }) => id)}::uuid[], ${series.map(({ last }) => last)}::integer[])
              as s (id, last) on s.id = v.series_id and v.number <= s.last
            where v.verification_date between ${from}::date and ${to}::date
              and (v.verification_date, v.series, v.number)
                > (${place.date}::date, ${place.series}, ${place.number}::integer)
            order by v.verification_date, v.series, v.number limit ${limit}::integer) as v
          left join lateral app.actor_names(array[v.posted_by]) as n on true
          order by v.verification_date, v.series, v.number`,
    ),
  );
}

export interface ArchivedRow {
  voucher_id: string;
  account: number;
  account_name: string;
  debit_ore: bigint;
  credit_ore: bigint;
  vat_code: string | null;
  note: string | null;
  /** Codes of cost centre and project. */
  dimensions: string | null;
}

export function listArchivedRows(db: Db, vouchers: readonly string[]): Promise<ArchivedRow[]> {
  return db.query(
    prepared(
      'archived rows',
      sql`select r.voucher_id, r.account, a.name as account_name, r.debit_ore, r.credit_ore, r.vat_code,
            r.note, nullif(concat_ws(', ', c.code, p.code), '') as dimensions
          from ledger.voucher_rows r join ledger.accounts a on a.number = r.account
          left join ledger.dimensions c on c.id = r.cost_center_id
          left join ledger.dimensions p on p.id = r.project_id
          where r.voucher_id = any (${vouchers}::uuid[]) order by r.voucher_id, r.row_no`,
    ),
  );
}

/** A file of a voucher: one laid on it, or an e-invoice that it books with what lay in that. */
export interface ArchivedFile {
  voucher_id: string;
  file_name: string;
  media_type: string;
  /** Hexadecimal. */
  sha256: string;
  /** Of an e-invoice, which is kept by itself; otherwise by content. */
  e_invoice_id: string | null;
}

export function listArchivedFiles(db: Db, vouchers: readonly string[]): Promise<ArchivedFile[]> {
  return db.query(
    prepared(
      'archived files',
      sql`select a.voucher_id, a.file_name, a.media_type, encode(a.sha256, 'hex') as sha256,
            null::uuid as e_invoice_id
          from ledger.attachments a where a.voucher_id = any (${vouchers}::uuid[])
          union
          select i.voucher_id, a.file_name, a.media_type, encode(a.sha256, 'hex'), null
          from purchases.invoices i join purchases.attachments a on a.invoice_id = i.id
          where i.voucher_id = any (${vouchers}::uuid[])
          union all
          select i.voucher_id, 'e-faktura.xml', 'application/xml', encode(e.sha256, 'hex'), e.id
          from purchases.invoices i join intake.e_invoices e on e.id = i.document_id
          where i.voucher_id = any (${vouchers}::uuid[]) and e.raw is not null
          order by 1, 2, 4`,
    ),
  );
}

/** Documents of these days that are on no voucher, whether they wait or were set aside. */
export function listUnfiled(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ file_name: string; media_type: string; sha256: string; set_aside: string | null }[]> {
  return db.query(sql`select d.file_name, d.media_type, encode(d.sha256, 'hex') as sha256, d.set_aside
    from ledger.documents d where d.filed_at is null
      and coalesce(d.document_date, d.created_at::date) between ${from}::date and ${to}::date order by d.id`);
}

export async function readArchivedFile(
  db: Db,
  { sha256, e_invoice_id: eInvoiceId }: Pick<ArchivedFile, 'sha256' | 'e_invoice_id'>,
): Promise<Buffer> {
  const [found] = await db.query<{ bytes: Buffer }>(
    eInvoiceId === null
      ? sql`select bytes from archive.contents where sha256 = decode(${sha256}, 'hex')`
      : sql`select raw as bytes from intake.e_invoices where id = ${eInvoiceId}::uuid`,
  );
  if (!found) throw new Error(`the content ${sha256} is not there`);
  return found.bytes;
}

/** Customers' invoices that the vouchers book. */
export function listArchivedInvoices(
  db: Db,
  vouchers: readonly string[],
): Promise<{ id: string; number: number; kind: 'invoice' | 'credit_note' }[]> {
  return db.query(
    prepared(
      'archived invoices',
      sql`select i.id, i.number, i.kind from sales.invoices i
          where i.voucher_id = any (${vouchers}::uuid[]) and i.number is not null order by i.number`,
    ),
  );
}

/** Reminders that were sent these days, of invoices of whichever year. */
export function listArchivedReminders(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<{ invoice_id: string; number: number; reminder_no: number }[]> {
  return db.query(sql`select r.invoice_id, i.number, r.reminder_no
    from sales.reminders r join sales.invoices i on i.id = r.invoice_id
    where r.sent_date between ${from}::date and ${to}::date order by i.number, r.reminder_no`);
}

/** A file that went to the bank or came from it. */
export interface ArchivedBankFile {
  kind: 'statement' | 'payments' | 'answer';
  /** Of a statement's file its hash, of the others the payment file's id. */
  id: string;
  /** Its name; of payments and answers the payment file's number. */
  name: string;
  sha256: string;
}

/** Statements of these days, payment files that were sent on them, and the bank's answers to those. */
export function listArchivedBankFiles(
  db: Db,
  { from, to, timeZone }: { readonly from: string; readonly to: string; readonly timeZone: string },
): Promise<ArchivedBankFile[]> {
  return db.query(sql`
    with sent as (select f.id, f.number, f.sha256 from purchases.payment_files f
      where (f.sent_at at time zone ${timeZone})::date between ${from}::date and ${to}::date)
    select 'statement' as kind, encode(f.sha256, 'hex') as id, f.file_name as name, encode(f.sha256, 'hex') as sha256
    from bank.files f where exists (select from bank.imported_statements s where s.sha256 = f.sha256
      and s.last_day >= ${from}::date and s.first_day <= ${to}::date)
    union all
    select 'payments', s.id::text, s.number::text, encode(s.sha256, 'hex') from sent s
    union all
    select 'answer', a.file_id::text, s.number::text, encode(a.sha256, 'hex')
    from sent s join purchases.bank_answers a on a.file_id = s.id
    order by 1 desc, 3, 4`);
}

/** What was sent, as it was sent. */
export async function readSentFile(db: Db, id: string): Promise<Buffer> {
  const [found] = await db.query<{ content: Buffer | null }>(
    sql`select purchases.sent_file_content(${id}::uuid) as content`,
  );
  if (!found?.content) throw new Error(`the payment file ${id} was not sent`);
  return found.content;
}

/** How a year's books stand in the register of archives. */
export interface ArchiveYear {
  year: number;
  start: string;
  end: string;
  status: 'open' | 'closed';
  vouchers: bigint;
}

export function listArchiveYears(db: Db): Promise<ArchiveYear[]> {
  return db.query(sql`select y.year, y.start_date as start, y.end_date as "end", y.status,
      (select coalesce(sum(s.last_number), 0)::bigint from ledger.series s
        where s.fiscal_year_id = y.id) as vouchers
    from ledger.fiscal_years y order by y.start_date desc`);
}

export interface InstallationFacts {
  company: {
    name: string;
    organization_number: string;
    purchase_account: number;
    vat_period: string;
  };
  accounts: {
    number: number;
    name: string;
    type: string;
    vat_code: string | null;
    is_active: boolean;
  }[];
  users: {
    name: string;
    email: string;
    role: string;
    created: string;
    deactivated: string | null;
  }[];
  keys: { name: string; hint: string; scopes: string[]; created: string; ended: string | null }[];
  agencies: { agency: string; hint: string; created: string; ended: string | null }[];
  webhooks: { url: string; description: string; types: string[]; created: string }[];
  rates: { valid_from: string; valid_to: string; percent: string; sfs: string | null }[];
  locks: { period_locked_to: string | null; vat_locked_to: string | null };
  database: string;
}

/** The running installation as it is described: nothing of it is a secret. */
export async function readInstallation(db: Db, timeZone: string): Promise<InstallationFacts> {
  const day = (column: Sql): Sql => sql`to_char(${column} at time zone ${timeZone}, 'YYYY-MM-DD')`;
  const list = (select: Sql): Sql =>
    sql`(select coalesce(json_agg(x), '[]') from (${select}) as x)`;
  const [facts] = await db.query<InstallationFacts>(sql`select
      (select to_json(x) from (select name, organization_number, purchase_account, vat_period
        from restricted.company) as x) as company,
      ${list(sql`select number, name, type, vat_code, is_active from ledger.accounts order by number`)}
        as accounts,
      ${list(sql`select coalesce(nullif(name, ''), email) as name, email, role,
        ${day(sql`created_at`)} as created, ${day(sql`deactivated_at`)} as deactivated
        from restricted.users order by created_at`)} as users,
      ${list(sql`select name, hint, scopes, ${day(sql`created_at`)} as created,
        ${day(sql`least(revoked_at, expires_at)`)} as ended
        from restricted.api_keys order by created_at`)} as keys,
      ${list(sql`select agency, hint, ${day(sql`created_at`)} as created,
        ${day(sql`revoked_at`)} as ended from restricted.agency_keys order by created_at`)} as agencies,
      ${list(sql`select url, description, types, ${day(sql`created_at`)} as created
        from events.endpoints order by created_at`)} as webhooks,
      ${list(sql`select valid_from, valid_to, to_char(percent_e2 / 100.0, 'FM990D00') as percent, sfs
        from sales.reference_rates order by valid_from`)} as rates,
      (select to_json(x) from (select period_locked_to, vat_locked_to from ledger.locks) as x) as locks,
      current_setting('server_version') as database`);
  if (!facts?.company) throw new Error('there is a fiscal year, and so a company');
  return facts;
}
