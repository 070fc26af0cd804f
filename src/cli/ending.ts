/** How a process of ours ends: what the shell is told, and in which words whoever reads it is. */
import { AppError } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { refuseFewFiles } from './open-files.ts';
import { explainUsage, WrongUsage } from './usage.ts';

/** 0 done · 1 refused, or problems found · 2 wrongly called · 70 our own fault · 141 its reader left, as of SIGPIPE */
export const exitCodes = { refused: 1, usage: 2, fault: 70, unread: 141 } as const;

let outputLost: NodeJS.ErrnoException | undefined;

/**
 * What is written on standard output reaches nobody any more. Whoever reads it has perhaps read enough (`| head`): there
 * is nothing to say of that, of the database least of all. Answers the code to end with.
 */
export function loseOutput(error: NodeJS.ErrnoException): number {
  if (error.syscall === undefined) throw error;
  if (!outputLost && error.code !== 'EPIPE') note(unwritten(error.code));
  outputLost ??= error;
  return outputLost.code === 'EPIPE' ? exitCodes.unread : exitCodes.refused;
}

function unwritten(code = ''): string {
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'disken är full' : code;
  return `Det som kommandot skulle skriva på standard ut kom inte fram helt (${reason}). Vad det har ändrat är ändrat: se efter innan du kör det igen.`;
}

/**
 * Runs all that this process is for. When that was stopped, the process ends here and now: a connection or a timer left
 * behind would keep it for ever.
 */
export function runToEnd(work: () => Promise<void>): void {
  void endingOf(work).then((stopped) => {
    if (stopped !== undefined) process.exit(stopped);
  });
}

/**
 * Runs `work`. Answers the code to end with when it was stopped, of which it has told; undefined when it was done, as
 * `process.exitCode` may say more of.
 */
export async function endingOf(work: () => Promise<void>): Promise<number | undefined> {
  try {
    await refuseFewFiles();
    await work();
    return outputLost && loseOutput(outputLost);
  } catch (error) {
    if (outputLost) return loseOutput(outputLost);
    if (error instanceof WrongUsage) {
      if (error.isFault) note(explainUsage(error));
      return error.isFault ? exitCodes.usage : 0;
    }
    if (error instanceof OperatorError) {
      note(error.message);
      return exitCodes.refused;
    }
    if (error instanceof AppError) {
      // Every sentence there is, which a process that runs for months need not carry.
      const { said } = await import('../lib/sentences/say.ts');
      note(said('command', error).message);
      return exitCodes.refused;
    }
    note(error instanceof Error && error.stack ? error.stack : String(error));
    return exitCodes.fault;
  }
}

const note = (line: string): void => void process.stderr.write(`${line}\n`);
