/** Every combination of the filters, with common and rare values, and pages at several depths. */
import { db } from '#src/db/pool.ts';
import { join, type Sql, sql } from '#src/db/sql.ts';
import { addDays, daysBetween } from '#src/domain/basics/dates.ts';
import type { VoucherQuery } from '#src/ledger/vouchers/cursor.ts';
import { encodeCursor, type VoucherPlace } from '#src/ledger/vouchers/cursor.ts';
import { accounts, series } from './seed.ts';
import { type System, years } from './system.ts';

export const page_size = 50;
const depths = [0.25, 0.6, 0.95] as const;
const [first_day, last_day] = [`${years[0]}-01-01`, `${years.at(-1)}-12-31`];

type Range = Pick<VoucherQuery, 'from' | 'to'>;
const ranges: Readonly<Record<string, readonly Range[]>> = {
  '': [{}],
  from: [{ from: first_day }, { from: '2025-06-15' }, { from: '2026-10-01' }],
  to: [{ to: '2024-02-01' }, { to: '2025-06-15' }, { to: last_day }],
  'from to': [
    { from: first_day, to: last_day },
    { from: '2024-07-01', to: '2026-06-30' },
    { from: '2025-03-01', to: '2025-03-31' },
    { from: '2025-06-15', to: '2025-06-15' },
  ],
};

/** Queries of one kind: the same filters, equally common values, the same depth. */
export interface Group {
  /** Which filters are given. */
  readonly filters: string;
  readonly depth: 'first' | 'deep';
  /** How common the given values are. */
  readonly kind: string;
  readonly pages: readonly Page[];
}

export interface Page {
  readonly query: VoucherQuery;
  readonly place: VoucherPlace | undefined;
}

export async function listGroups(system: System): Promise<Group[]> {
  const groups: Group[] = [];
  for (const [range, spans] of Object.entries(ranges)) {
    for (const serie of [undefined, 'common', 'rare'] as const) {
      for (const konto of [undefined, 'common', 'rare'] as const) {
        const queries = spans.map((span) => ({
          ...span,
          ...(serie ? { serie: series[serie] } : {}),
          ...(konto ? { konto: accounts[konto] } : {}),
          limit: page_size,
        }));
        const filters = [range, serie && 'serie', konto && 'konto'].filter(Boolean).join(' ');
        const kind = [serie && `${serie} series`, konto && `${konto} account`];
        const group = { filters, kind: kind.filter(Boolean).join(', ') };
        const first = queries.map((query) => ({ query, place: undefined }));
        groups.push({ ...group, depth: 'first', pages: first });
        const deep = await listDeepPages(system, queries);
        if (deep.length > 0) groups.push({ ...group, depth: 'deep', pages: deep });
      }
    }
  }
  return groups;
}

async function listDeepPages(system: System, queries: readonly VoucherQuery[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const query of queries) {
    const [start, end] = [query.from ?? first_day, query.to ?? last_day];
    for (const depth of depths) {
      const place = await findPlace(
        system,
        query,
        addDays(start, Math.floor(daysBetween(start, end) * depth)),
      );
      if (place) pages.push({ query: { ...query, cursor: encodeCursor(query, place) }, place });
    }
  }
  return pages;
}

/** The first voucher of the list on or after a day. */
async function findPlace(
  { owner }: System,
  { to, serie, konto }: VoucherQuery,
  day: string,
): Promise<VoucherPlace | undefined> {
  const conditions: Sql[] = [sql`p.verification_date >= ${day}::date`];
  if (to !== undefined) conditions.push(sql`p.verification_date <= ${to}::date`);
  if (serie !== undefined) conditions.push(sql`p.series = ${serie}`);
  if (konto !== undefined) conditions.push(sql`p.account = ${konto}`);
  const table = konto === undefined ? sql`ledger.vouchers` : sql`ledger.voucher_rows`;
  const [place] = await db(owner).query<VoucherPlace>(
    sql`select p.verification_date as date, p.series, p.number from ${table} p
        where ${join(conditions, sql` and `)}
        order by p.verification_date, p.series, p.number limit 1`,
  );
  return place;
}
