/** What is filled in where the texts of an invoice that recurs say so in braces. Pure. */
import { addMonths } from '../../domain/basics/dates.ts';
import {
  occurrence,
  type Period,
  periodOf,
  type Recurrence,
} from '../../domain/sales/recurrence.ts';
import { monthInWords } from '../../lib/swedish.ts';

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
