/** When an invoice that recurs is made, and which stretch of time each is about. Pure. */
import { monthInWords } from '../../lib/swedish.ts';
import { addDays, addMonths } from '../basics/dates.ts';

/** Every so many weeks or months, from a day on. */
export interface Recurrence {
  /** The day of the first; later months keep its day, or end where they are shorter. */
  readonly anchor: string;
  readonly unit: 'week' | 'month';
  /** 1–24. */
  readonly count: number;
}

/** The day of the one that comes `nth` after the first (0 is the first). A shorter month moves no later day. */
export function occurrence({ anchor, unit, count }: Recurrence, nth: number): string {
  const steps = count * nth;
  return unit === 'week' ? addDays(anchor, steps * 7) : addMonths(anchor, steps);
}

/** First and last day. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** From the day of the `nth` to the day before the next. */
export const periodOf = (recurrence: Recurrence, nth: number): Period => ({
  from: occurrence(recurrence, nth),
  to: addDays(occurrence(recurrence, nth + 1), -1),
});

/** What each word in braces stands for in an invoice's texts. */
const fillings: Readonly<Record<string, (recurrence: Recurrence, nth: number) => string>> = {
  period: (recurrence, nth) => periodText(periodOf(recurrence, nth)),
  'förra perioden': (recurrence, nth) => periodText(periodOf(recurrence, nth - 1)),
  månad: (recurrence, nth) => monthInWords(occurrence(recurrence, nth)),
  'förra månaden': (recurrence, nth) => monthInWords(addMonths(occurrence(recurrence, nth), -1)),
  år: (recurrence, nth) => occurrence(recurrence, nth).slice(0, 4),
};

/** As they are written: `{period}`, `{månad}` … */
export const fillingWords: readonly string[] = Object.keys(fillings).map((word) => `{${word}}`);

const periodText = ({ from, to }: Period): string => `${from} – ${to}`;

const inBraces = /\{([^{}]*)\}/g;

/** The words in braces that stand for nothing. */
export const unknownFillings = (text: string): string[] =>
  [...text.matchAll(inBraces)].flatMap(([whole, word = '']) =>
    Object.hasOwn(fillings, word.trim().toLowerCase()) ? [] : [whole],
  );

/** The text as the `nth` invoice has it: `Hyra {månad}` is `Hyra december 2026`. */
export const fillIn = (text: string, recurrence: Recurrence, nth: number): string =>
  text.replace(inBraces, (whole, word: string) => {
    const key = word.trim().toLowerCase();
    return Object.hasOwn(fillings, key) ? (fillings[key]?.(recurrence, nth) ?? whole) : whole;
  });
