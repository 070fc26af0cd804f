/** The command line: what was typed, and what became of it. */

import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { said } from '../lib/sentences/say.ts';
import { note } from './context.ts';
import { programFor } from './program.ts';
import { explainUsage, WrongUsage } from './usage.ts';

/** 0 done · 1 refused, or problems found · 2 wrongly called · 70 our own fault · 141 its reader left, as of SIGPIPE */
const exitCodes = { refused: 1, usage: 2, fault: 70, unread: 141 } as const;

// Who reads what is written has read enough (`| head`): there is nothing to say of it, of the database least of all.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.unread);
  throw error;
});

try {
  const program = await programFor(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  // Ended here and now: a connection or a timer left behind would keep what has failed for ever.
  if (error instanceof WrongUsage) {
    if (error.isFault) note(explainUsage(error));
    process.exit(error.isFault ? exitCodes.usage : 0);
  } else if (error instanceof OperatorError || error instanceof AppError) {
    note(error instanceof AppError ? said('command', error).message : error.message);
    process.exit(exitCodes.refused);
  } else {
    note(error instanceof Error && error.stack ? error.stack : String(error));
    process.exit(exitCodes.fault);
  }
}
