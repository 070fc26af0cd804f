/** The command line as a process: what was typed, and how it ends. */
import { exitCodes } from './ending.ts';
import { runWords } from './run.ts';

// Who reads what is written has read enough (`| head`): there is nothing to say of it, of the database least of all.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.unread);
  throw error;
});

const stopped = await runWords(process.argv.slice(2));
// Ended here and now: a connection or a timer left behind would keep what has failed for ever.
if (stopped !== undefined) process.exit(stopped);
