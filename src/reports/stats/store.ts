import type { Db } from '../../db/pool.ts';
import { prepared, sql } from '../../db/sql.ts';
import type { MonthResult } from '../../domain/ledger/statistics.ts';

/** How many services, customers and suppliers an overview names. */
const namedMax = 50;

/** As PostgreSQL writes them: öre, exact to 2^53. */
interface RawMonth {
  month: string;
  revenue_ore: number;
  costs_ore: number;
}

interface RawMonthly {
  first_day: string | null;
  months: RawMonth[];
}

export interface RawOverview extends RawMonthly {
  months: (RawMonth & { goods_ore: number })[];
  attachments_missing: number;
  services: { article: string | null; account: number | null; name: string; ore: number }[];
  customers: { id: string; name: string; ore: number }[];
  suppliers: { name: string; ore: number }[];
  liquidity: { account: number; name: string; ore: number }[];
  receivables: number;
  payables: number;
  ledger_head: { vouchers: number; hash: string };
}

export const monthResults = (months: readonly RawMonth[]): MonthResult[] =>
  months.map(({ month, revenue_ore, costs_ore }) => ({
    month,
    revenueOre: BigInt(revenue_ore),
    costsOre: BigInt(costs_ore),
  }));

export async function getMonthly(db: Db): Promise<RawMonthly> {
  const [row] = await db.query<{ answer: RawMonthly }>(
    prepared('monthly', sql`select api.monthly_statistics() as answer`),
  );
  if (!row) throw new Error('the statistics gave no answer');
  return row.answer;
}

export async function getOverview(db: Db, today: string): Promise<RawOverview> {
  const [row] = await db.query<{ answer: RawOverview }>(
    prepared(
      'overview',
      sql`select api.overview_statistics(${namedMax}::integer, ${today}::date) as answer`,
    ),
  );
  if (!row) throw new Error('the statistics gave no answer');
  return row.answer;
}

/** The same figures for a person, who reads through their own rights. */
export async function getOverviewFigures(
  db: Db,
  named: number,
  today: string,
): Promise<RawOverview> {
  const [row] = await db.query<{ answer: RawOverview }>(
    prepared(
      'overview figures',
      sql`select ledger.overview_figures(${named}::integer, ${today}::date) as answer`,
    ),
  );
  if (!row) throw new Error('the statistics gave no answer');
  return row.answer;
}

export interface DayRecord {
  day: string;
  revenue_ore: bigint;
  invoices: bigint;
  unpaid_ore: bigint;
}

export function listDays(db: Db, from: string, to: string): Promise<DayRecord[]> {
  return db.query<DayRecord>(
    prepared('daily', sql`select * from api.daily_statistics(${from}::date, ${to}::date)`),
  );
}
