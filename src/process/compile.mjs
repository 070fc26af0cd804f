/**
 * The program as its processes run it: without its types, and of a thousand files made few, once for all of them
 * (docs/decisions/0025-compiled-once.md). A process that reads the files themselves takes half as long again to begin,
 * and has each one's text, its links and Node's stripper in memory for as long as it runs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPackage, root, runtime, say } from './install.mjs';

/** TypeScript, and in a package JavaScript. */
const ending = isPackage ? '.js' : '.ts';
const lockFile = join(root, isPackage ? 'npm-shrinkwrap.json' : 'package-lock.json');
const programs = join(runtime, 'program');
/** What was written, by name and size: after a power cut a folder may be there and its files be empty. */
const listName = 'files.json';

/** What was compiled before is kept while it may still run, and for whoever goes back and forth between versions. */
const keptMax = 5;
const keptMsMin = 24 * 3_600_000;

/** The folder of the compiled program; undefined when there is none of the files as they are now. */
export function findCompiled(home = programs) {
  const folder = join(home, keyOfFiles());
  return isWhole(folder) ? folder : undefined;
}

export function isWhole(folder) {
  try {
    const sizes = JSON.parse(readFileSync(join(folder, listName), 'utf8'));
    return Object.entries(sizes).every(
      ([name, size]) => statSync(join(folder, name)).size === size,
    );
  } catch {
    return false;
  }
}

/** Notes what was written in the folder. To wait for the disk instead would take a first start a second. */
export function noteWhole(folder) {
  const sizes = readdirSync(folder, { recursive: true })
    .map((name) => ({ name, found: statSync(join(folder, name)) }))
    .filter(({ found }) => found.isFile())
    .map(({ name, found }) => [name, found.size]);
  writeFileSync(join(folder, listName), JSON.stringify(Object.fromEntries(sizes)));
}

/** What Node is to run, the command line or `http`: compiled in `folder`, or as it is written where there is none. */
export const entryOf = (folder, name = 'huvudbok') =>
  folder === undefined ? join(root, 'src', 'cli', `${name}${ending}`) : join(folder, `${name}.cjs`);

/** Has `node` compile the program, unless it has: where that does not work, undefined, and its files are run. */
export function compileProgram(node, home = programs) {
  const found = findCompiled(home);
  if (found) return found;
  const script = join(root, 'src', 'process', 'compile-child.mjs');
  const args = [script, root, ending, join(home, keyOfFiles())];
  const { status, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  // Another start may have been first, with the same.
  if (status !== 0 && !findCompiled(home)) {
    const reason = reasonOf(stderr, home);
    say(`Programmet kunde inte kompileras, och körs som det är med mer minne. ${reason}`);
    return undefined;
  }
  removeOld(home);
  return findCompiled(home);
}

function reasonOf(stderr, home) {
  if (/No space left|ENOSPC|Disk quota/.test(stderr)) {
    return `Disken med ${home} är full: frigör plats, och starta igen.`;
  }
  if (/EROFS|EACCES|EPERM|Read-only|Permission denied|'mkdir'/.test(stderr)) {
    return `Det går inte att skriva i ${home}.`;
  }
  // Before it stands the line of the code that threw.
  return /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? '';
}

/**
 * Tells the files apart from what they have been: by name, size and time, since going back to older ones makes nothing
 * newer. Where they are belongs to it, for the program looks for its templates there. Times in whole seconds: more is
 * not kept in an image's layers.
 */
function keyOfFiles() {
  const hash = createHash('sha256').update(root);
  // Of what browsers are given, the server reads this one too.
  for (const one of [lockFile, join(root, 'public', 'days.js')]) hash.update(readFileSync(one));
  for (const top of ['src', 'workers']) {
    for (const one of readdirSync(join(root, top), { recursive: true, withFileTypes: true })) {
      if (!one.isFile()) continue;
      const path = join(one.parentPath ?? one.path, one.name);
      const { size, mtimeMs } = statSync(path);
      hash.update(`\n${path} ${size} ${Math.floor(mtimeMs / 1000)}`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(home) {
  const byAge = readdirSync(home)
    .map((name) => join(home, name))
    // Another start may have put it in its place, or removed it, meanwhile.
    .map((path) => ({
      path,
      time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now(),
    }))
    .sort((a, b) => b.time - a.time);
  for (const { path, time } of byAge.slice(keptMax)) {
    if (Date.now() - time > keptMsMin) rmSync(path, { recursive: true, force: true });
  }
}
