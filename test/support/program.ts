/** The program as tests start it: a process of its own. */
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export const entry = join(root, 'src', 'cli', 'huvudbok.ts');

/** What bootstrap.mjs gives the processes it starts: compiled code is kept, half the time that a start takes. */
export const compiled = { NODE_COMPILE_CACHE: join(root, '.runtime', 'compile-cache') };
