/**
 * What `huvudbok start` has done once: the settings read, the database made what the parts count on, the person at the
 * terminal greeted. In a process of its own, since all that is loaded for it would stay with the supervisor for months.
 */
import { spawn } from 'node:child_process';
import { OperatorError } from '../lib/operator-error.ts';
import type { PreparationAnswer } from './lifecycle.ts';
import type { StartSettings } from './start-settings.ts';
import { ended } from './supervisor.ts';

/** From `start` to the process that prepares. `url` is the owner's login. */
export type PreparationMessage =
  | { readonly kind: 'prepare'; readonly url: string; readonly folder: string | undefined }
  | { readonly kind: 'greet'; readonly address: string };

/** What has to be done before the parts start, and when they have. Each promise rejects with an OperatorError. */
export interface Preparation {
  /** Holds the port, so that a taken one is told before anything is made. */
  readonly begun: Promise<StartSettings>;
  /** Makes the database what the parts count on, and lets go of the port. Answers what they are told of it. */
  prepare(url: string, folder: string | undefined): Promise<Readonly<Record<string, string>>>;
  /** Greets, now that everything answers at `address`. */
  greet(address: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the script that prepares and greets (`src/cli/preparing.ts`). */
export function startPreparing(script: string, args: readonly string[]): Preparation {
  // A session of its own keeps the terminal's Ctrl-C away from it; the channel tells it if we die.
  const child = spawn(process.execPath, [...process.execArgv, script, ...args], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const begun = Promise.withResolvers<StartSettings>();
  const prepared = Promise.withResolvers<Readonly<Record<string, string>>>();
  let refusal: string | undefined;
  child.on('message', (message: PreparationAnswer) => {
    if (message.kind === 'begun') begun.resolve(message.settings);
    if (message.kind === 'prepared') prepared.resolve(message.env);
    if (message.kind === 'refused') refusal = message.message;
  });
  const done = ended(child).then((ending) => {
    if (child.exitCode === 0) return;
    throw new OperatorError(
      refusal ?? `Huvudbok kunde inte göras i ordning (${ending}); orsaken står ovan.`,
    );
  });
  /** Until it is so, or it never will be. */
  const until = async <T>(promise: Promise<T>): Promise<T> => {
    await Promise.race([promise, done]);
    return promise;
  };
  // One that is gone cannot be told, and its end says why.
  const tell = (message: PreparationMessage) => child.send(message, () => undefined);
  return {
    begun: until(begun.promise),
    prepare(url, folder) {
      tell({ kind: 'prepare', url, folder });
      return until(prepared.promise);
    },
    greet(address) {
      tell({ kind: 'greet', address });
      return done;
    },
    async stop() {
      child.kill('SIGTERM');
      await done.catch(() => undefined);
    },
  };
}
