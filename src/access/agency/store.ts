/** What the login hb_agency may ask: four functions and nothing else. */
import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { VatReporting } from '../../domain/ledger/vat-deadlines.ts';

/** Calls an address has made to a route in its hour. */
export interface Calls {
  used: bigint;
  seconds_left: number;
}

export async function countCall(db: Db, address: string, route: string): Promise<Calls> {
  const [calls] = await db.query<Calls>(
    prepared(
      'count call',
      sql`select used, seconds_left from agency.count_call(${address}::inet, ${route})`,
    ),
  );
  if (!calls) throw new Error('the call was not counted');
  return calls;
}

export interface FoundKey {
  outcome: 'unauthorized' | 'key_revoked' | 'valid';
  agency: string;
}

export async function findKey(db: Db, hash: Buffer): Promise<FoundKey> {
  const [key] = await db.query<FoundKey>(
    prepared('find agency key', sql`select outcome, agency from agency.find_key(${hash})`),
  );
  if (!key) throw new Error('the key was not judged');
  return key;
}

/** When the new token expires, in seconds since 1970; null when the key was revoked just now. */
export async function createToken(
  db: Db,
  token: { readonly keyHash: Buffer; readonly hash: Buffer; readonly seconds: number },
): Promise<number | null> {
  const { keyHash, hash, seconds } = token;
  const [row] = await db.query<{ expires_at: bigint | null }>(
    prepared(
      'create token',
      sql`select agency.create_token(${keyHash}, ${hash}, ${seconds}::integer) as expires_at`,
    ),
  );
  return row?.expires_at ? Number(row.expires_at) : null;
}

export interface RawAggregate {
  installation_schema_version: number;
  unbooked_count: number;
  attachments_missing: number;
  unmatched_bank: number;
  last_verification: string | null;
  period_locked_to: string | null;
  /** Null before `huvudbok setup`. */
  fiscal_years: { start: string; end: string; status: string }[] | null;
  vat: VatReporting;
  /** Months by their first day. */
  last_closed_month: string | null;
  open_month: string | null;
  open_month_failing: string[];
  months_behind: number;
}

export type JudgedToken =
  | { outcome: 'unauthorized' | 'no_access'; answer: null }
  | { outcome: 'granted'; answer: RawAggregate };

export async function getAggregate(
  db: Db,
  tokenHash: Buffer,
  day: { readonly today: string; readonly timeZone: string },
): Promise<JudgedToken> {
  const [judged] = await db.query<JudgedToken>(
    prepared(
      'aggregate',
      sql`select outcome, answer
          from agency.aggregate(${tokenHash}, ${day.today}::date, ${day.timeZone})`,
    ),
  );
  if (!judged) throw new Error('the token was not judged');
  return judged;
}
