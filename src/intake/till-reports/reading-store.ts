/** Tills' reports as a key reads them. */
import type { Tx } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { TillRejection } from '../../domain/sales/till-rejections.ts';
import type { TillReportStatus } from './store.ts';

/** What is not said is not asked for. */
export interface TillReportsAsked {
  readonly ids?: readonly string[] | undefined;
  readonly statuses?: readonly TillReportStatus[] | undefined;
  /** As `tillKeyOf` has them. */
  readonly tillKeys?: readonly string[] | undefined;
  readonly zNumbers?: readonly number[] | undefined;
  /** Days of sales, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Changed then or later: an ISO 8601 time. */
  readonly updatedSince?: string | undefined;
  /** The last of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface TillReportForKey {
  id: string;
  till: string | null;
  z_number: bigint | null;
  day: string | null;
  status: TillReportStatus;
  /** Why it stopped; of one that is put aside why it had stopped, or `replaced`. */
  reason: TillRejection | 'replaced' | null;
  raw: Buffer;
  voucher_id: string | null;
  received_at: Date;
  updated_at: Date;
  is_followed: boolean;
}

/** In the order they came; fewer than `limit` when they are large. */
export function listTillReportsForKey(
  tx: Tx,
  { ids, statuses, tillKeys, zNumbers, from, to, updatedSince, after, limit }: TillReportsAsked,
): Promise<TillReportForKey[]> {
  return tx.query(sql`select * from api.list_till_reports(${ids ?? null}::uuid[], ${statuses ?? null}::text[],
    ${tillKeys ?? null}::text[], ${zNumbers ?? null}::bigint[], ${from ?? null}::date, ${to ?? null}::date,
    ${updatedSince ?? null}::timestamptz, ${after ?? null}::uuid, ${limit}::integer)`);
}
