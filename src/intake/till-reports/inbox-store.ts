/** Tills' reports as people see them: lists, one of them, and what they decide. */
import type { Db, Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Fault } from '../../lib/errors.ts';
import type { TillReportStatus } from './store.ts';

const tillTabs = ['stopped', 'all'] as const;
export type TillTab = (typeof tillTabs)[number];

/** Larger bodies are not read for a list. */
const listedBytesMax = 64 * 1024;

export interface ListedTillReport {
  id: string;
  till: string | null;
  z_number: bigint | null;
  day: string | null;
  received_at: Date;
  status: TillReportStatus;
  /** Should have been judged long ago: its job is lost. */
  is_stuck: boolean;
  reason: string | null;
  dismissal: string | null;
  voucher_id: string | null;
  voucher: string | null;
  /** Null when it is large. */
  raw: Buffer | null;
}

const isStuck = sql`(t.status = 'received' and t.asked_at < now() - interval '5 minutes')`;

const columns = sql`t.id, t.till, t.z_number, t.day, t.received_at, t.status, ${isStuck} as is_stuck, t.reason,
  t.dismissal, t.voucher_id, v.series || v.number as voucher`;

const inTab: Record<TillTab, ReturnType<typeof sql>> = {
  stopped: sql`t.status in ('stopped', 'received') and (t.status = 'stopped' or ${isStuck})`,
  all: sql`true`,
};

/** The latest received first; one more than `limit` when there is another page. */
export function listTillReports(
  db: Db,
  { tab, before, limit }: { tab: TillTab; before: string | null; limit: number },
): Promise<ListedTillReport[]> {
  return db.query(sql`select ${columns},
      case when octet_length(t.raw) <= ${listedBytesMax}::integer then t.raw end as raw
    from intake.till_reports t left join ledger.vouchers v on v.id = t.voucher_id
    where ${inTab[tab]} and (${before}::uuid is null or t.id < ${before}::uuid)
    order by t.id desc limit ${limit + 1}::integer`);
}

export interface ShownTillReport extends Omit<ListedTillReport, 'raw'> {
  raw: Buffer;
  detail: { readonly problems?: readonly Fault[] } | null;
  /** Hexadecimal. */
  sha256: string;
  decided_at: Date | null;
  /** The key's name; null when a command took it in. */
  sender: string | null;
  /** The other body of that till and number that is booked. */
  booked_id: string | null;
}

export async function findTillReport(db: Db, id: string): Promise<ShownTillReport | undefined> {
  const [found] = await db.query<ShownTillReport>(sql`select ${columns}, t.raw, t.detail,
      encode(t.sha256, 'hex') as sha256, t.decided_at, app.key_name(t.key_id) as sender,
      (select b.id from intake.till_reports b where b.identity = t.identity and b.id <> t.id
        and b.status in ('posted', 'empty')) as booked_id
    from intake.till_reports t left join ledger.vouchers v on v.id = t.voucher_id
    where t.id = ${id}::uuid`);
  return found;
}

/** Numbers that a till has gone past without their reports having come. */
export interface MissingNumbers {
  till: string;
  first: bigint;
  last: bigint;
}

/** The latest gaps of each till, its highest numbers first. */
export function listMissingNumbers(db: Db, limit: number): Promise<MissingNumbers[]> {
  return db.query(sql`select g.till, g.before + 1 as first, g.z_number - 1 as last
    from (select t.till, t.till_key, t.z_number,
        lag(t.z_number) over (partition by t.till_key order by t.z_number) as before
      from intake.till_reports t where t.z_number is not null and t.till_key is not null) as g
    where g.z_number > g.before + 1
    order by g.till_key, g.z_number desc limit ${limit}::integer`);
}

export interface LockedTillReport {
  id: string;
  status: TillReportStatus;
  is_stuck: boolean;
  reason: string | null;
}

/** Held until commit, in id order. */
export function lockTillReports(tx: Tx, ids: readonly string[]): Promise<LockedTillReport[]> {
  return tx.query(sql`select t.id, t.status, ${isStuck} as is_stuck, t.reason
    from intake.till_reports t where t.id = any (${ids}::uuid[]) order by t.id for update`);
}

/** Those that have stopped, oldest first. */
export async function listStopped(db: Db, limit: number): Promise<string[]> {
  const found = await db.query<{ id: string }>(sql`select t.id from intake.till_reports t
    where t.status in ('received', 'stopped') and t.status = 'stopped' order by t.id limit ${limit}::integer`);
  return found.map(({ id }) => id);
}

/** Puts them back as they came. */
export async function openAgain(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(sql`update intake.till_reports
    set status = 'received', reason = null, detail = null, dismissal = null, decided_at = null, asked_at = now()
    where id = any (${ids}::uuid[])`);
}

export async function setDismissed(tx: Tx, ids: readonly string[], why: string): Promise<void> {
  await tx.query(sql`update intake.till_reports set status = 'dismissed', dismissal = ${why}, decided_at = now()
    where id = any (${ids}::uuid[])`);
}

/** Those of the ids that are still to be judged. */
export async function listUnjudged(db: Db, ids: readonly string[]): Promise<string[]> {
  const found = await db.query<{ id: string }>(sql`select id from intake.till_reports
    where id = any (${ids}::uuid[]) and status = 'received'`);
  return found.map(({ id }) => id);
}
