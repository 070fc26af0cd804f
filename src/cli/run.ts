/** A command, from the words typed to what the shell is told of it. */
import { endingOf } from './ending.ts';

/** Runs what was typed after `huvudbok`; answers as `endingOf`. */
export const runWords = (words: readonly string[]): Promise<number | undefined> =>
  endingOf(async () => {
    if (isStart(words)) await (await import('./start.ts')).runStart(words.includes('--demo'));
    else await (await import('./program.ts')).runProgram(words);
  });

/** What stays for months, and begins without the command line (start.ts); with other words that one tells what is wrong. */
const isStart = ([command, ...flags]: readonly string[]): boolean =>
  command === 'start' && flags.every((flag) => flag === '--demo');
