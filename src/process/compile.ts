/** Loads every module of the program, for compile.mjs, which has them compiled by it: none of them does anything. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
/** What runs when it is loaded. */
const scripts = [
  'src/cli/huvudbok.ts',
  'src/cli/preparing.ts',
  'src/process/compile.ts',
  'src/render/heic-child.ts',
];

for (const file of globSync('{src,workers}/**/*.ts', { cwd: root, exclude: scripts })) {
  await import(pathToFileURL(join(root, file)).href);
}
