/** Folders that settings name: made with those above them, and what the file system says no to in words. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from './operator-error.ts';

/**
 * Makes a folder and those above it, and answers the topmost that was made; undefined when all were there.
 * Node's own `recursive` never ends where a folder that is there answers that it is not, as `/proc` does.
 *
 * @param mode - the rights of each that is made, less the umask.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    await mkdir(path, mode);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && dirname(path) !== path) {
      const first = await makeFolder(dirname(path), mode);
      return (await makeOne(path, mode)) ? (first ?? path) : first;
    }
    if (await isFolder(path)) return undefined;
    throw error;
  }
}

/** Whether it was made, and not by somebody else in the same moment. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if (await isFolder(path)) return false;
    throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const faults: Readonly<Record<string, string>> = {
  EACCES: 'får inte läsas och skrivas av den här användaren',
  EPERM: 'får inte läsas och skrivas av den här användaren',
  EROFS: 'kan inte skrivas, filsystemet är skrivskyddat',
  ENOTDIR: 'är ingen mapp',
  EEXIST: 'är ingen mapp, utan en fil eller en länk som leder till ingenting',
  ENOENT: 'kan inte nås',
  ELOOP: 'är en länk som leder runt',
  ENAMETOOLONG: 'har för långt namn',
  ENOSPC: 'ligger på en full disk',
  EDQUOT: 'har nått sin kvot',
  EIO: 'ligger på en disk som inte svarar',
};

/**
 * What the file system said no to, for whoever chose the folder to put right: `<what> <fault>: <wayOut>`. Answers
 * when it is nothing they can.
 *
 * @param what - the folder as they know it, with its path.
 */
export function refuseFolder(error: unknown, folder: string, what: string, wayOut: string): void {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const words = faults[code];
  if (path === undefined || words === undefined) return;
  const isFile = code === 'ENOTDIR' || code === 'EEXIST';
  const which = isFile || path === folder ? '' : ` (${path})`;
  throw new OperatorError(`${what} ${words}${which}: ${wayOut}`, { cause: error });
}

/** Does something in DATA_DIR that anybody may be unable to do there. */
export async function inDataDir<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error) => {
    const wayOut =
      'rätta det, kör som samma användare som första gången, eller ange en annan mapp med DATA_DIR.';
    refuseFolder(error, dataDir, `DATA_DIR (${dataDir})`, wayOut);
    throw error;
  });
}
