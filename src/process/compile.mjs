/**
 * The program as its processes run it: without its types, and of a thousand files made few, once for all of them
 * (docs/decisions/0027-compiled.md). A process that reads the files themselves takes twice as long to begin, and has
 * each one's text, its links and Node's stripper in memory for as long as it runs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPackage, root } from './install.mjs';

/** Its first file, in TypeScript, and in a package in JavaScript. */
export const program = join(root, 'src', 'cli', isPackage ? 'huvudbok.js' : 'huvudbok.ts');
const lockFile = join(root, isPackage ? 'npm-shrinkwrap.json' : 'package-lock.json');

/** Programs that are kept, for what still runs of those before and for whoever goes back and forth. */
const kept = 5;

/** The compiled program in `home`; undefined when there is none of the files as they are now. */
export function findCompiled(home) {
  const folder = join(home, keyOfFiles());
  return existsSync(join(folder, 'huvudbok.js')) ? folder : undefined;
}

/** Has `node` compile the program, unless it has: where that does not work, undefined, and its files are run. */
export function compileProgram(node, home) {
  const found = findCompiled(home);
  if (found) return found;
  const script = join(root, 'src', 'process', 'compile-child.mjs');
  const folder = join(home, keyOfFiles());
  const { status } = spawnSync(node, [script, root, folder, program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) return undefined;
  removeOld(home);
  return findCompiled(home);
}

/**
 * Tells the files apart from what they have been: by name, size and time, since going back to older ones makes nothing
 * newer. Where they are belongs to it, for the program looks for its templates there.
 */
function keyOfFiles() {
  const hash = createHash('sha256').update(root);
  hash.update(readFileSync(lockFile));
  for (const top of ['src', 'workers']) {
    for (const one of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      if (!one.isFile()) continue;
      const path = join(one.parentPath ?? one.path, one.name);
      const { size, mtimeMs } = statSync(path);
      hash.update(`\n${path} ${size} ${mtimeMs}`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(home) {
  const folders = readdirSync(home).map((name) => join(home, name));
  const byAge = folders.map((path) => ({ path, time: statSync(path).mtimeMs }));
  byAge.sort((a, b) => b.time - a.time);
  for (const { path } of byAge.slice(kept)) rmSync(path, { recursive: true, force: true });
}
