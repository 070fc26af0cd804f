/** The fiscal years of a file, and what days lie in them. */
import { addDays, addMonths } from '../../basics/dates.ts';
import type { SieProblems } from './problems.ts';

export interface SieYear {
  readonly start: string;
  readonly end: string;
}

/** A year is twelve months, or up to this when it is the first or is changed (BFL 3:3). */
const monthsMax = 18;

const isIn = (date: string, { start, end }: SieYear): boolean => start <= date && date <= end;

export class FileYears {
  /** The day that the file's balances reach (#OMFATTN), when it is not the year's last. */
  until: string | null = null;
  readonly #years = new Map<number, SieYear & { readonly line: number }>();
  /** Days of vouchers that came before their year, the outermost. */
  #early: { first: string; last: string; readonly line: number } | null = null;

  set(year: number, span: SieYear, line: number): void {
    this.#years.set(year, { ...span, line });
  }

  get hasOwn(): boolean {
    return this.#years.has(0);
  }

  /** The file's own first, then those before it. */
  get all(): SieYear[] {
    return [...this.#years].sort(([a], [b]) => b - a).map(([, { start, end }]) => ({ start, end }));
  }

  /** Whether the file's balances tell of the day. A day before the year is no reach that says anything. */
  isReached(date: string): boolean {
    const start = this.#years.get(0)?.start ?? '';
    return this.until === null || this.until < start || date <= this.until;
  }

  /** What is wrong with the day of a voucher, if anything. */
  judgeDay(date: string, line: number): 'date_in_other_year' | 'date_outside_years' | null {
    const own = this.#years.get(0);
    if (own && isIn(date, own)) return null;
    if (!own) {
      const { first, last } = this.#early ?? { first: date, last: date };
      this.#early = {
        first: date < first ? date : first,
        last: date > last ? date : last,
        line: this.#early?.line ?? line,
      };
      return null;
    }
    const isInOther = [...this.#years.values()].some((year) => isIn(date, year));
    return isInOther ? 'date_in_other_year' : 'date_outside_years';
  }

  /** Of an export: a transfer goes into the receiver's years. */
  judge(problems: SieProblems): void {
    const own = this.#years.get(0);
    if (!own) {
      problems.add('year_missing', null, {});
      return;
    }
    const { start, end, line } = own;
    const isWhole = start.endsWith('-01') && addDays(end, 1).endsWith('-01');
    if (!isWhole || end <= start || end >= addMonths(start, monthsMax)) {
      problems.add('year_span', line, { start, end });
    }
    const before = this.#years.get(-1);
    if (before && addDays(before.end, 1) !== start) {
      problems.add('years_apart', before.line, { end: before.end, start });
    }
    const { first = start, last = start, line: early = null } = this.#early ?? {};
    for (const date of new Set([first, last])) {
      if (!isIn(date, own)) problems.add('date_outside_years', early, { voucher: '', date });
    }
  }
}
