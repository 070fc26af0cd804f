/** What can be posted when: the calendar cut where a fiscal year or a lock begins or ends. */
import { addDays, cutDays } from '../basics/dates.ts';

export interface BookYear {
  readonly year: number;
  readonly start: string;
  readonly end: string;
  readonly status: string;
  readonly series: readonly string[];
}

export interface Locks {
  readonly period_locked_to: string | null;
  readonly vat_locked_to: string | null;
}

/** Days that are all alike; `to` is the last of them. */
export interface PostableRange {
  readonly from: string;
  readonly to: string;
  /** Null outside every fiscal year. */
  readonly fiscal_year: number | null;
  readonly series: readonly string[];
  /** `vat_locked` stops only vouchers with a row on a VAT account. */
  readonly state: 'open' | 'vat_locked' | 'locked' | 'no_fiscal_year';
  readonly lock: 'fiscal_year' | 'period' | 'vat' | null;
  readonly locked_to: string | null;
  /** The first later day that is open again; past a VAT lock only for what that lock stops here. */
  readonly earliest_allowed_date: string | null;
}

/** The days `from`–`to` in ranges without gaps, in date order. The strongest lock is told. */
export function postableRanges(
  from: string,
  to: string,
  years: readonly BookYear[],
  locks: Locks,
): PostableRange[] {
  const { period_locked_to: period, vat_locked_to: vat } = locks;
  const starts = years.flatMap(({ start, end }) => [start, addDays(end, 1)]);
  if (period !== null) starts.push(addDays(period, 1));
  if (vat !== null) starts.push(addDays(vat, 1));
  const ranges: PostableRange[] = [];
  for (const days of cutDays(from, to, starts)) {
    const range = { ...days, ...stateOf(days.from, years, locks) };
    const before = ranges.at(-1);
    if (before && isAlike(before, range)) ranges[ranges.length - 1] = { ...before, to: days.to };
    else ranges.push(range);
  }
  return ranges;
}

function isAlike(a: PostableRange, b: PostableRange): boolean {
  return a.fiscal_year === b.fiscal_year && a.state === b.state && a.lock === b.lock;
}

function stateOf(
  day: string,
  years: readonly BookYear[],
  { period_locked_to: period, vat_locked_to: vat }: Locks,
): Omit<PostableRange, 'from' | 'to'> {
  const year = years.find(({ start, end }) => start <= day && day <= end);
  if (!year) {
    return { fiscal_year: null, series: [], state: 'no_fiscal_year', ...unlocked };
  }
  const { series, year: fiscal_year } = year;
  const stopped = (
    state: 'locked' | 'vat_locked',
    lock: 'fiscal_year' | 'period' | 'vat',
    locked_to: string,
  ) => ({
    fiscal_year,
    series,
    state,
    lock,
    locked_to,
    earliest_allowed_date: earliestOpen(day, years, lock === 'vat' ? [period, vat] : [period]),
  });
  if (year.status === 'closed') return stopped('locked', 'fiscal_year', year.end);
  if (period !== null && day <= period) return stopped('locked', 'period', period);
  if (vat !== null && day <= vat) return stopped('vat_locked', 'vat', vat);
  return { fiscal_year, series, state: 'open', ...unlocked };
}

const unlocked = { lock: null, locked_to: null, earliest_allowed_date: null } as const;

/** As the ledger reckons it (`ledger.earliest_open_date`): past the locks and every closed year. */
function earliestOpen(
  from: string,
  years: readonly BookYear[],
  lockedTo: readonly (string | null)[],
): string {
  let day = lockedTo.reduce<string>(
    (latest, to) => (to !== null && to >= latest ? addDays(to, 1) : latest),
    from,
  );
  for (;;) {
    const closed = years.find(
      ({ status, start, end }) => status === 'closed' && start <= day && day <= end,
    );
    if (!closed) return day;
    day = addDays(closed.end, 1);
  }
}
