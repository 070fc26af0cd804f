/** The command line as a process: what was typed, and how it ends. */
import { loseOutput, runToEnd } from './ending.ts';
import { runWords } from './run.ts';

/** What a command may take to leave nothing behind, a server that it started say, once nobody reads what it writes. */
const leavingMsMax = 5_000;

process.stdout.on('error', (error) => {
  const code = loseOutput(error);
  // Also of what was done already when it is known.
  process.exitCode = code;
  setTimeout(() => process.exit(code), leavingMsMax).unref();
});
// What it says of its work may get lost, on a full disk say: a backup that is half made is worse.
process.stderr.on('error', () => undefined);

runToEnd(() => runWords(process.argv.slice(2)));
