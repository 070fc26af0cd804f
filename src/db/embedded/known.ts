/**
 * What one start of a server has found, so that the next need not look for it: a process and a connection less while
 * everybody waits. Whoever finds nothing here looks.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Known {
  /** The programs that ran, as `markOf` tells them apart from others. */
  readonly programs?: string;
  /** The database that the superuser had been through, and for what. */
  readonly restricted?: string;
}

const pathIn = (home: string): string => join(home, 'known.json');

export async function readKnown(home: string): Promise<Known> {
  try {
    const known: unknown = JSON.parse(await readFile(pathIn(home), 'utf8'));
    return typeof known === 'object' && known !== null ? known : {};
  } catch {
    return {};
  }
}

/** A folder that cannot be written to is no fault of this. */
export async function noteKnown(home: string, known: Known): Promise<void> {
  await writeFile(pathIn(home), JSON.stringify(known), { mode: 0o600 }).catch(() => undefined);
}
