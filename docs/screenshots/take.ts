/**
 * `npm run screenshots`: the README's pictures, taken of the example company in a throw-away installation.
 * Pages are named here; what they show follows from the program.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { inheritedEnvironment } from '#src/config/environment.ts';
import { launchChromium } from '#src/render/chromium.ts';

const entry = join(import.meta.dirname, '../../src/cli/huvudbok.ts');
const email = 'agare@exempelbolaget.example';
const start_ms_max = 120_000;

interface Picture {
  readonly file: string;
  /** Pixels, of a window that is 1280 wide. */
  readonly height: number;
  /** Goes to what is to be seen. */
  readonly open: (page: Page) => Promise<unknown>;
}

/** The first of a list that is shown at the address. */
async function openFirst(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('.row-link').first().click();
  await page.waitForURL(/[0-9a-f-]{36}$/);
}

const pictures: readonly Picture[] = [
  { file: 'oversikt.png', height: 900, open: (page) => page.goto('/oversikt') },
  {
    file: 'order.png',
    height: 800,
    open: (page) => openFirst(page, '/order?orsak=total_mismatch'),
  },
  {
    file: 'inkasso.png',
    height: 980,
    open: (page) => openFirst(page, '/kundfakturor?flik=forfallna'),
  },
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts the example company; `work` gets its address and the password that was shown. */
async function withDemo(work: (address: string, password: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'huvudbok-screenshots-'));
  await chmod(folder, 0o755);
  const port = String(await freePort());
  const env = { ...inheritedEnvironment(), DATA_DIR: join(folder, 'data'), PORT: port };
  const child = spawn(process.execPath, [entry, 'start', '--demo'], { env, detached: true });
  const ended = once(child, 'exit');
  try {
    let said = '';
    const isUp = new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        said += chunk;
        if (said.includes('Ctrl-C')) resolve();
      };
      child.stderr.on('data', listen);
      child.stdout.on('data', listen);
      child.on('exit', () => reject(new Error(`huvudbok start ended:\n${said}`)));
      setTimeout(() => reject(new Error(`no start in time:\n${said}`)), start_ms_max).unref();
    });
    await isUp;
    await work(`http://127.0.0.1:${port}`, /Lösenord: ([\w-]+)/.exec(said)?.[1] ?? '');
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

await withDemo(async (baseURL, password) => {
  const browser = await launchChromium(undefined);
  const page = await (await browser.newContext({ baseURL, locale: 'sv-SE' })).newPage();
  await page.goto('/logga-in');
  await page.getByLabel('E-postadress').fill(email);
  await page.getByLabel('Lösenord').fill(password);
  await page.getByRole('button', { name: 'Logga in' }).click();
  await page.waitForURL('**/oversikt');
  for (const { file, height, open } of pictures) {
    await page.setViewportSize({ width: 1280, height });
    await open(page);
    await page.screenshot({ path: join(import.meta.dirname, file) });
    process.stderr.write(`${file}\n`);
  }
  await browser.close();
});
