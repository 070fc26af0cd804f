/**
 * What `huvudbok start` has done once: the database made what the parts count on, and the person at the terminal
 * greeted. In a process of its own, since all that is loaded for it would stay with the supervisor for months.
 */
import { spawn } from 'node:child_process';
import { OperatorError } from '../lib/operator-error.ts';
import type { ChildMessage } from './lifecycle.ts';
import { ended } from './supervisor.ts';

/** From `start` to the process that prepares. */
export type PreparationMessage =
  | { readonly kind: 'prepare'; readonly url: string; readonly folder: string | undefined }
  | { readonly kind: 'greet'; readonly address: string };

/** Of a database; whoever has it done. */
export interface Preparation {
  /** Resolves when the database is the parts' to use; rejects with an OperatorError when it cannot be. */
  readonly done: Promise<void>;
  /** Greets, now that everything answers at `address`, and ends the process; rejects as `done`. */
  greet(address: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the script that prepares and greets. `url` is the owner's login; `folder` the DATA_DIR that the database is
 * embedded in, undefined for a server of somebody's own.
 */
export function startPreparing(
  [script, ...args]: readonly [script: string, ...args: string[]],
  url: string,
  folder: string | undefined,
): Preparation {
  // A session of its own keeps the terminal's Ctrl-C away from it; the channel tells it if we die.
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise: isReady, resolve: reportReady } = Promise.withResolvers<void>();
  let refusal: string | undefined;
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'ready') reportReady();
    if (message.kind === 'refused') refusal = message.message;
  });
  // One that is gone cannot be told, and its end says why.
  const tell = (message: PreparationMessage) => child.send(message, () => undefined);
  const isDone = ended(child).then((ending) => {
    if (child.exitCode === 0) return;
    throw new OperatorError(
      refusal ?? `Databasen kunde inte göras i ordning (${ending}); orsaken står ovan.`,
    );
  });
  // Who has stopped it asks no more.
  isDone.catch(() => undefined);
  tell({ kind: 'prepare', url, folder });
  return {
    done: Promise.race([isReady, isDone]),
    greet(address) {
      tell({ kind: 'greet', address });
      return isDone;
    },
    async stop() {
      child.kill('SIGTERM');
      await isDone.catch(() => undefined);
    },
  };
}
