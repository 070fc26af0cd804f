/** Tills' reports as keys and commands leave them, and as the worker judges and books them. */
import type { KeyRefusal } from '../../access/keys/refusal.ts';
import type { Db, Tx } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { PostingRow } from '../../domain/ledger/voucher.ts';
import type { TillRejection } from '../../domain/sales/till-rejections.ts';
import type { LedgerRefusal } from '../../ledger/vouchers/refusals.ts';
import { type Fault, jsonOf, type Problem } from '../../lib/errors.ts';
import type { ReceivedTillReport } from './received.ts';

/** One of a call. */
export interface SentTillReport extends ReceivedTillReport {
  readonly keyHash: Buffer;
  readonly requestId: string;
}

export interface StoredTillReport {
  outcome: 'stored' | KeyRefusal;
  /** One of that till and number had come before, whatever it said. */
  is_known: boolean | null;
}

/** Bytes, hash and job of many reports in one commit. */
export function storeTillReports(
  db: Db,
  reports: readonly SentTillReport[],
): Promise<StoredTillReport[]> {
  return db.query<StoredTillReport>(
    prepared(
      'store till reports',
      sql`select outcome, is_known
          from api.store_till_reports(
            ${reports.map(({ keyHash }) => keyHash)}::bytea[],
            ${reports.map(({ identity }) => identity)}::text[],
            ${reports.map(({ till }) => till)}::text[],
            ${reports.map(({ tillKey }) => tillKey)}::text[],
            ${reports.map(({ zNumber }) => zNumber)}::bigint[],
            ${reports.map(({ day }) => day)}::date[],
            ${reports.map(({ raw }) => raw)}::bytea[],
            ${reports.map(({ sha256 }) => sha256)}::bytea[],
            ${reports.map(({ id }) => id)}::uuid[],
            ${reports.map(({ requestId }) => requestId)}::uuid[])
          order by item`,
    ),
  );
}

export type TillReportStatus = 'received' | 'posted' | 'empty' | 'stopped' | 'dismissed';

/**
 * Keeps one as the owner of the database. Answers the id of those bytes, and whether that report, by till and number,
 * was there before.
 */
export async function keepTillReport(
  tx: Tx,
  { id, identity, till, tillKey, zNumber, day, raw, sha256 }: ReceivedTillReport,
): Promise<{ id: string; isKnown: boolean }> {
  const known = await tx.query(
    sql`select from intake.till_reports where identity = ${identity} limit 1`,
  );
  await tx.query(sql`insert into intake.till_reports (id, identity, till, till_key, z_number, day, raw, sha256)
    values (${id}::uuid, ${identity}, ${till}, ${tillKey}, ${zNumber}::bigint, ${day}::date, ${raw}, ${sha256})
    on conflict (identity, sha256) do nothing`);
  const [kept] = await tx.query<{ id: string }>(
    sql`select id from intake.till_reports where identity = ${identity} and sha256 = ${sha256}`,
  );
  if (!kept) throw new Error('a kept report is not there');
  return { id: kept.id, isKnown: known.length > 0 };
}

/** Those that wait to be judged, in an order that all hold them in; held until commit. */
export function lockReceived(tx: Tx, ids: readonly string[]): Promise<{ id: string }[]> {
  return tx.query(
    prepared(
      'lock till reports',
      sql`select id from intake.till_reports
          where id = any (${ids}::uuid[]) and status = 'received' order by identity, id for update`,
    ),
  );
}

export async function readBytes(db: Db, id: string): Promise<Buffer | undefined> {
  const [found] = await db.query<{ raw: Buffer }>(
    prepared('till report bytes', sql`select raw from intake.till_reports where id = ${id}::uuid`),
  );
  return found?.raw;
}

export interface TillRules {
  /** `card 1686`, by the company's names. */
  tillAccounts: string[];
  fiscalYears: { start: string; end: string }[];
  /** Those of sales, and those that the company has named. */
  accounts: { number: number; isActive: boolean; vatRate: number | null }[];
}

export async function getTillRules(db: Db): Promise<TillRules> {
  const [rules] = await db.query<TillRules>(
    prepared(
      'till rules',
      sql`select c.till_accounts as "tillAccounts",
            (select coalesce(json_agg(json_build_object('start', y.start_date, 'end', y.end_date)), '[]')
              from ledger.fiscal_years y) as "fiscalYears",
            (select coalesce(json_agg(json_build_object('number', a.number, 'isActive', a.is_active,
                'vatRate', a.vat_rate)), '[]')
              from ledger.accounts a
              where a.number between 3000 and 3999 or a.number in (
                select split_part(m, ' ', 2)::integer from unnest(c.till_accounts) as m)) as accounts
          from restricted.company c`,
    ),
  );
  if (!rules) throw new Error('the installation has no company');
  return rules;
}

export type TillBooking =
  | { readonly outcome: 'posted' | 'empty' | 'judged' | 'differs' }
  | { readonly outcome: LedgerRefusal; readonly detail: Record<string, unknown> };

/** Posts the voucher, with the report's bytes as its document. */
export async function bookTillReport(
  tx: Tx,
  booking: {
    readonly id: string;
    readonly voucherId: string;
    readonly rows: readonly PostingRow[];
  },
  actor: string,
): Promise<TillBooking> {
  const rows = booking.rows.map(({ account, debitOre, creditOre, note = null }) => ({
    account,
    debit_ore: debitOre,
    credit_ore: creditOre,
    note,
  }));
  const [booked] = await tx.query<{
    outcome: TillBooking['outcome'];
    detail: Record<string, unknown> | null;
  }>(
    prepared(
      'book till report',
      sql`select outcome, detail from intake.book_till_report(${booking.id}::uuid, ${booking.voucherId}::uuid,
        ${actor}, ${jsonOf(rows)}::jsonb)`,
    ),
  );
  if (!booked) throw new Error('the booking of a till report gave no answer');
  const { outcome, detail } = booked;
  return outcome === 'unprocessable' || outcome === 'period_locked'
    ? { outcome, detail: detail ?? {} }
    : { outcome };
}

export async function stopTillReport(
  tx: Tx,
  id: string,
  reason: TillRejection,
  problems: readonly (Fault | Problem)[],
): Promise<void> {
  await tx.query(
    prepared(
      'stop till report',
      sql`update intake.till_reports set status = 'stopped', reason = ${reason}, detail = ${jsonOf({ problems })}::jsonb,
            decided_at = now()
          where id = ${id}::uuid and status = 'received'`,
    ),
  );
}

/** Tells those who wait for it, when this commits. */
export async function tellJudged(tx: Tx, ids: readonly string[], channel: string): Promise<void> {
  await tx.query(sql`select pg_notify(${channel}, ${ids.join(',')})`);
}

export interface ReconciledTillReport {
  identity: string;
  status: TillReportStatus;
  reason: string | null;
  received_at: Date;
}

/** Of those that the key of this transaction has sent; what is booked speaks for other bodies of it. */
export function reconcileTillReports(
  db: Db,
  identities: readonly string[],
): Promise<ReconciledTillReport[]> {
  return db.query<ReconciledTillReport>(
    prepared(
      'reconcile till reports',
      sql`select * from api.reconcile_till_reports(${identities}::text[])`,
    ),
  );
}
