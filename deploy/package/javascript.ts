/**
 * What `npm pack` and `npm publish` run (`prepack`, `postpack`): Node strips no types below node_modules, so the
 * package, and nothing else, carries each file of TypeScript as JavaScript too, with every line in its place, and
 * `npm-shrinkwrap.json`, which holds whoever installs the package to the very dependencies that were tested.
 *
 *   node deploy/package/javascript.ts write | remove
 */
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const locked = join(root, 'package-lock.json');
const shrinkwrap = join(root, 'npm-shrinkwrap.json');

/** A file of ours, as imports and URLs name it: `'./x.ts'`, `"#workers/x.ts"`. */
const ownFile = /(['"`])((?:\.{1,2}|#src|#workers)\/[^'"`\n]*)\.ts\1/g;

function write(): void {
  for (const file of sources()) {
    const javascript = stripTypeScriptTypes(readFileSync(file, 'utf8'), { mode: 'strip' });
    writeFileSync(javascriptOf(file), javascript.replace(ownFile, '$1$2.js$1'));
  }
  copyFileSync(locked, shrinkwrap);
}

function remove(): void {
  for (const file of sources()) rmSync(javascriptOf(file), { force: true });
  rmSync(shrinkwrap, { force: true });
}

const sources = (): string[] =>
  globSync('{src,workers}/**/*.ts', { cwd: root }).map((file) => join(root, file));

const javascriptOf = (file: string): string => file.replace(/\.ts$/, '.js');

const actions: Readonly<Record<string, () => void>> = { write, remove };
const action = actions[process.argv[2] ?? ''];
if (action === undefined) throw new Error('write or remove?');
action();
