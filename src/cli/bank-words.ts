/** What commands say of files of the bank. */
import type { BankFileVerdict } from '../bank/statement-files/checking.ts';
import type { ToldProblem } from '../bank/statement-files/telling.ts';
import { coloured, levelsInWords } from './words.ts';

export const verdictsInWords = {
  ok: coloured('green', 'går att ta in'),
  doubt: coloured('yellow', 'går att läsa, men något behöver ses över först'),
  refused: coloured('red', 'går inte att ta in'),
} as const satisfies Record<BankFileVerdict, string>;

export function problemInWords({ line, path, level, reason, message }: ToldProblem): string {
  const place = [line === null ? null : `rad ${line}`, path].filter((part) => part !== null);
  return `${[levelsInWords[level], ...place].join(' ')} (${reason}): ${message}`;
}
