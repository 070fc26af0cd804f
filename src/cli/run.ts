/** Runs what was typed after `huvudbok`. */
export async function runWords(words: readonly string[]): Promise<void> {
  if (isStart(words)) await (await import('./start.ts')).runStart(words.includes('--demo'));
  else await (await import('./program.ts')).runProgram(words);
}

/** What stays for months, and begins without the command line (start.ts); with other words that one tells what is wrong. */
const isStart = ([command, ...flags]: readonly string[]): boolean =>
  command === 'start' && flags.every((flag) => flag === '--demo');
