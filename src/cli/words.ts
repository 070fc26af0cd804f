/** Small words of the command line. */
import { styleText } from 'node:util';
import { loadProcessConfig } from '../config/config.ts';
import { momentOf } from '../lib/clock.ts';

/** `1 fil`, `2 filer`. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** When something happened, on the company's own clock. */
export const when = (at: Date): string => momentOf(at, loadProcessConfig().timeZone);

/** On a terminal whose user has not said NO_COLOR; elsewhere the text as it is. */
export const coloured = (colour: 'red' | 'yellow' | 'green', text: string): string =>
  styleText(colour, text, { stream: process.stdout });
