/** Small words of the command line. */
import { styleText } from 'node:util';
import { loadProcessConfig } from '../config/config.ts';
import type { BankProblemLevel } from '../domain/ledger/bank-files/problems.ts';
import type { SieLevel } from '../domain/ledger/sie/problems.ts';
import { momentOf } from '../lib/clock.ts';

/** `1 fil`, `2 filer`. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** When something happened, on the company's own clock. */
export const when = (at: Date): string => momentOf(at, loadProcessConfig().timeZone);

/** On a terminal whose user has not said NO_COLOR; elsewhere the text as it is. */
export const coloured = (colour: 'red' | 'yellow' | 'green', text: string): string =>
  styleText(colour, text, { stream: process.stdout });

/** How much a problem of a file weighs, of the bank's and of SIE files. */
export const levelsInWords = {
  refused: coloured('red', 'FEL'),
  doubt: coloured('yellow', 'tveksamt'),
  note: 'not',
} as const satisfies Record<BankProblemLevel | SieLevel, string>;
