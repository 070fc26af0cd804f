/** The program as tests start it: a process of its own. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryOf, findCompiled } from '#src/process/compile.mjs';

const root = join(import.meta.dirname, '..', '..');

/** What people run: the program compiled (global-setup.ts), or as it was written where it has been changed since. */
export const entry = entryOf(findCompiled());
/** And the HTTP process, as `start` runs it. */
export const httpEntry = entryOf(findCompiled(), 'http');

/** What bootstrap.mjs gives the processes it starts: compiled code is kept, half the time that a start takes. */
export const compiled = { NODE_COMPILE_CACHE: join(root, '.runtime', 'compile-cache') };

/** For the environment of a process that is to think that it is noon of that day. */
export const onDay = (day: string) => ({
  NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'clock.mjs'))}`,
  TEST_CLOCK_SHIFT_MS: String(Date.parse(`${day}T12:00:00Z`) - Date.now()),
});
