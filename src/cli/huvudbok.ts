/** The command line as a process: what was typed, and how it ends. */
import { writeSync } from 'node:fs';
import { exitCodes, runToEnd } from './ending.ts';
import { runWords } from './run.ts';

// Who reads what is written has read enough (`| head`): there is nothing to say of it, of the database least of all.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.unread);
  if (error.syscall === undefined) throw error;
  // Written at once, since it may be the last thing that this process does: a key that was made, say, and never shown.
  try {
    writeSync(2, `${unwritten(error.code)}\n`);
  } finally {
    process.exit(exitCodes.refused);
  }
});
// What it says of its work may get lost, on a full disk say: a backup that is half made is worse.
process.stderr.on('error', () => undefined);

function unwritten(code = ''): string {
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'disken är full' : code;
  return `Det som kommandot skulle skriva på standard ut kom inte fram helt (${reason}). Vad det har ändrat är ändrat: se efter innan du kör det igen.`;
}

runToEnd(() => runWords(process.argv.slice(2)));
