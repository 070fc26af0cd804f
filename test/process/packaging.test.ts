import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface LockFile {
  readonly packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}

it('the lock file names every optional package: npm ci refuses one that does not', async () => {
  const path = join(import.meta.dirname, '..', '..', 'package-lock.json');
  const { packages } = JSON.parse(await readFile(path, 'utf8')) as LockFile;
  const names = Object.keys(packages);
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`)));
  expect(missing).toEqual([]);
});
