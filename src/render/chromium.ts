/**
 * A Chromium to print with: the one configured, one that is installed, or the one that comes through npm.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { inheritedEnvironment } from '../config/environment.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { unpackedChromium } from './unpacked-chromium.ts';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const plainArguments = ['--font-render-hinting=none', '--disable-dev-shm-usage', '--disable-gpu'];
const launchTimeoutMs = 30_000;

interface Candidate {
  readonly executablePath: string;
  readonly env?: Record<string, string>;
}

export interface Launch {
  /** Beside those it always gets. */
  readonly args?: readonly string[];
  /** Where it keeps what its processes share. */
  readonly temporary?: string;
}

/** `configured` is CHROMIUM_PATH. Throws an OperatorError that says what to do. */
export async function launchChromium(
  configured: string | undefined,
  { args: more = [], temporary }: Launch = {},
): Promise<Browser> {
  const plain = [...plainArguments, ...more];
  const faults: unknown[] = [];
  for await (const { executablePath, env: own } of candidates(configured)) {
    const env = { ...(own ?? inheritedEnvironment()), ...(temporary && { TMPDIR: temporary }) };
    for (const args of [plain, [...plain, '--no-sandbox']]) {
      // Root cannot have the sandbox, nor can many containers.
      if (process.getuid?.() === 0 && !args.includes('--no-sandbox')) continue;
      try {
        return await chromium.launch({ executablePath, env, args, timeout: launchTimeoutMs });
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

/** First with the system's libraries, then with those it brings, where the system lacks some. */
async function* bundled(): AsyncGenerator<Candidate> {
  const folder = await unpackedChromium();
  const executablePath = join(folder, 'chromium');
  const env = { ...inheritedEnvironment(), FONTCONFIG_FILE: join(folder, 'fonts.conf') } as Record<
    string,
    string
  >;
  yield { executablePath, env };
  yield { executablePath, env: { ...env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
}
