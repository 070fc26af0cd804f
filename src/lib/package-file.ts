import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The path of a file in a package that we depend on, wherever npm has put it. */
export function packageFile(name: string, path: string): string {
  const found = findPackageJSON(name, import.meta.url);
  if (found === undefined) throw new Error(`The package ${name} is missing.`);
  return join(dirname(found), path);
}
