/** The house as its files' imports draw it: rooms, the arrows between them, and what goes in circles. */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import ts from 'typescript-5';

export const root = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly room: string;
  readonly text: string;
  /** The project's own files that it imports, types included. */
  readonly imports: readonly string[];
}

export interface House {
  readonly files: readonly SourceFile[];
  readonly rooms: readonly string[];
  /** Pairs of rooms, of which the first imports the second. */
  readonly arrows: readonly string[];
  /** Rooms that lead to each other, and files that do. */
  readonly circles: { readonly rooms: readonly string[][]; readonly files: readonly string[][] };
}

const parted = new Set(['domain', 'pages']);

/**
 * A room is a folder or file at the top of `src`; `domain` and `pages` have one a folder of theirs, and all
 * workers share one.
 */
export function roomOf(path: string): string {
  const [base = '', first = '', second = '', ...rest] = path.split('/');
  if (base !== 'src') return base;
  return parted.has(first) && rest.length > 0 ? `${first}/${second}` : first;
}

async function readSource(path: string): Promise<SourceFile> {
  const text = await readFile(join(root, path), 'utf8');
  const imports = ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName }) => {
    if (fileName.startsWith('.')) return posix.join(posix.dirname(path), fileName);
    return fileName.startsWith('#') ? fileName.slice(1) : [];
  });
  return { path, room: roomOf(path), text, imports: [...new Set(imports)] };
}

/** Every set of nodes that lead to each other, each in order (Tarjan). */
export function circlesOf(targets: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const seen = new Map<string, { index: number; low: number }>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): { index: number; low: number } => {
    const own = { index: seen.size, low: seen.size };
    seen.set(node, own);
    stack.push(node);
    for (const target of targets.get(node) ?? []) {
      const known = seen.get(target);
      if (!known) own.low = Math.min(own.low, visit(target).low);
      else if (stack.includes(target)) own.low = Math.min(own.low, known.index);
    }
    if (own.low === own.index) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return own;
  };
  for (const node of targets.keys()) if (!seen.has(node)) visit(node);
  return circles;
}

export async function readHouse(): Promise<House> {
  const found = await Promise.all(
    ['src', 'workers'].map(async (base) => {
      const entries = await readdir(join(root, base), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    }),
  );
  const files = await Promise.all(found.flat().sort().map(readSource));
  const fromFile = new Map(files.map(({ path, imports }) => [path, new Set(imports)]));
  const fromRoom = new Map<string, Set<string>>();
  for (const { room, imports } of files) {
    const targets = fromRoom.get(room) ?? new Set();
    for (const target of imports.map(roomOf)) if (target !== room) targets.add(target);
    fromRoom.set(room, targets);
  }
  return {
    files,
    rooms: [...fromRoom.keys()].sort(),
    arrows: [...fromRoom].flatMap(([from, to]) => [...to].map((target) => `${from} → ${target}`)),
    circles: { rooms: circlesOf(fromRoom), files: circlesOf(fromFile) },
  };
}
