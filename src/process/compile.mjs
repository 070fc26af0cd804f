/**
 * The program stripped of its types and compiled, once for all of its processes: what Node keeps of that is what the
 * next process begins with. One that has to do it itself carries Node's stripper for as long as it runs, 20 MB each.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/**
 * Has `node` compile the program into `cache`, when files of it have come since it last did. Where that does not
 * work each process compiles for itself.
 */
export function compileProgram(node, cache) {
  const stamp = join(cache, 'compiled');
  if (changedAt(stamp) > Math.max(...folders().map(changedAt))) return;
  const preload = join(root, 'src', 'process', 'compile.ts');
  const entry = join(root, 'src', 'cli', 'huvudbok.ts');
  // One of its commands, so that the entry is compiled too, which does nothing but begin.
  const { status } = spawnSync(node, ['--import', preload, entry, 'http', '--help'], {
    stdio: 'ignore',
  });
  if (status !== 0) return;
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(stamp, '');
  } catch {
    // A folder that is not ours to write in.
  }
}

/** Git, npm and archives put files in place anew, which their folder's time tells. */
function folders() {
  const tops = ['src', 'workers'].map((name) => join(root, name));
  const below = tops.flatMap((top) =>
    readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map((one) => join(one.parentPath ?? one.path, one.name)),
  );
  return [...tops, ...below];
}

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
