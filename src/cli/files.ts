/** Files that a command was given: by name, in folders, or on standard input. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { readAllOfStdin } from './context.ts';

/** What stands for standard input. */
const stdin = '-';

/** A file, or why there is none at the path. */
export interface FoundFile {
  readonly path: string;
  readonly problem?: string;
}

/**
 * The files that were named, and of folders all whose name ends in one of these, in those within too, in order. What
 * cannot be read is told in its place.
 */
export async function findFiles(
  given: readonly string[],
  ...extensions: readonly string[]
): Promise<FoundFile[]> {
  const found = await Promise.all(given.map((path) => filesAt(path, extensions)));
  return found.flat();
}

async function filesAt(path: string, extensions: readonly string[]): Promise<FoundFile[]> {
  if (path === stdin) return [{ path }];
  try {
    if (!(await stat(path)).isDirectory()) return [{ path }];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries
      .filter(
        (entry) =>
          !entry.isDirectory() && extensions.some((end) => entry.name.toLowerCase().endsWith(end)),
      )
      .map((entry) => ({ path: join(entry.parentPath, entry.name) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    return files.length > 0
      ? files
      : [{ path, problem: `Mappen har inga ${extensions.join('- eller ')}-filer.` }];
  } catch (error) {
    return [{ path, problem: whyUnreadable(error) }];
  }
}

/** The bytes, or a Swedish sentence that says why they cannot be had. */
export const readGiven = (path: string): Promise<Buffer | string> =>
  (path === stdin ? readAllOfStdin() : readFile(path)).catch(whyUnreadable);
