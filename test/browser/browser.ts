/**
 * A whole installation with a real browser in front of it: HTTP on a port of its own, every worker, and
 * Chromium as people's is, with script on. Whatever a page complains of in its console fails the test.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import type { Role } from '#src/access/users/roles.ts';
import { createUser } from '#src/access/users/service.ts';
import { withTx } from '#src/db/pool.ts';
import { launchChromium } from '#src/render/chromium.ts';
import {
  createInstallation,
  type Installation,
  type InstallationOptions,
} from '../support/installation.ts';
import { folderOfDatabases } from '../support/memory.ts';
import { hashOfTestPassword, PASSWORD } from '../support/person.ts';
import { freePort } from '../support/port.ts';

export interface Site extends Installation {
  readonly address: string;
  /** A new window in which nobody is logged in. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** A new window in which somebody of the role is, at the overview. */
  openAs(role: Role, options?: BrowserContextOptions): Promise<Page>;
}

/** One for all files of a worker, with which it ends: windows have nothing in common. */
let launched: Promise<Browser> | undefined;
const chromium = (): Promise<Browser> =>
  (launched ??= launchChromium(undefined, { args: fewProcesses, temporary: folderOfDatabases }));

/** Windows of one site need no processes of their own, which take a fourth more of the processor. */
const fewProcesses = [
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
];

export async function openSite(options: InstallationOptions = {}): Promise<Site> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = { ...options.env, BASE_URL: address, PORT: String(port) };
  const installation = await createInstallation({ workers: true, prints: true, ...options, env });
  await installation.app.listen({ port, host: '127.0.0.1' });
  const browser = await chromium();
  const windows: Page[] = [];
  const open = async (window?: BrowserContextOptions): Promise<Page> => {
    const page = await openWindow(browser, address, window);
    windows.push(page);
    return page;
  };
  return {
    ...installation,
    address,
    open,
    openAs: async (role, window) => {
      const page = await open(window);
      const email = `${role}-${Math.random().toString(36).slice(2)}@exempel.se`;
      const passwordHash = await hashOfTestPassword();
      await withTx(installation.owner, (tx) =>
        createUser(tx, { email, name: '', role, passwordHash, passwordIsTemporary: false }, 'test'),
      );
      await logIn(page, email, PASSWORD);
      return page;
    },
    async close() {
      await Promise.all(windows.map((page) => page.context().close()));
      await installation.close();
    },
  };
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/logga-in');
  await page.getByLabel('E-postadress').fill(email);
  await page.getByLabel('Lösenord').fill(password);
  await page.getByRole('button', { name: 'Logga in' }).click();
  await page.waitForURL('**/oversikt');
}

const complaints = new WeakMap<Page, string[]>();

async function openWindow(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    locale: 'sv-SE',
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  // The machine may be busy with other things.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const heard: string[] = [];
  complaints.set(page, heard);
  page.on('pageerror', (error) => heard.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // A form that is refused is a page with a status of its own, which Chromium remarks upon.
    const { url } = message.location();
    const isRefusal = /status of (400|401|409|422) /.test(message.text()) && url === page.url();
    if (message.type() === 'error' && !isRefusal) {
      heard.push(`${page.url()}: ${message.text()} ${url}`);
    }
  });
  return page;
}

/** Errors of the console and of scripts since the window was opened, and forgets them. */
export const complaintsOf = (page: Page): string[] => complaints.get(page)?.splice(0) ?? [];

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * A table's row or a list's item that is made as one before it, of the same elements in the same classes and with
 * words in the same places, has the same barriers as that one; to look at a hundred such takes most of the time, also
 * where they are hidden. They are taken out, and put back where they were.
 */
const takeAlikeOut = `
  globalThis.alike = [];
  for (const list of document.querySelectorAll('tbody, ul, ol')) {
    const shapes = new Set();
    for (const one of [...list.children]) {
      const shape = [one, ...one.querySelectorAll('*')]
        .map((part) => [part.tagName, part.className, part.textContent.trim() === '', part.attributes.length])
        .join(' ');
      if (shapes.has(shape) && !one.hidden) {
        const place = document.createComment('');
        one.replaceWith(place);
        alike.push([place, one]);
      }
      shapes.add(shape);
    }
  }`;

const putAlikeBack = `
  for (const [place, one] of alike) place.replaceWith(one);`;

/** Each page that the window comes to has axe from its beginning; handed to it again and again it takes longer. */
export const bringAxe = (page: Page): Promise<unknown> =>
  page.addInitScript({ content: axeSource });

/** Rules whose verdict is another in another window, by size, colours or what scrolls. */
const rulesOfLooks = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
];

/** What axe finds wrong for people with assistive technology, WCAG 2.2 AA and best practice. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(takeAlikeOut);
  // The size of what is pressed is WCAG 2.2's and not among the rules that run unasked.
  const found = await runAxe(page, 'document', `rules: { 'target-size': { enabled: true } }`);
  await page.evaluate(`globalThis.looked = new WeakSet(${visible})`);
  await page.evaluate(putAlikeBack);
  return found;
}

/** The same of a page just looked at, in another window: how it looks there, and all of what was hidden before. */
export async function findBarriersOfLooks(page: Page): Promise<string[]> {
  await page.evaluate(takeAlikeOut);
  const found = await runAxe(page, 'document', `runOnly: ${JSON.stringify(rulesOfLooks)}`);
  const isMore = await page.evaluate<boolean>(
    `(globalThis.shown = ${visible}.filter((one) => !looked.has(one))).length > 0`,
  );
  if (isMore) found.push(...(await runAxe(page, '{ include: shown }', 'rules: {}')));
  await page.evaluate(putAlikeBack);
  return found;
}

const visible = `[...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility())`;

/** What is in order need not be described, and nothing by a selector of its own, which takes longer than to find it so; no rule that runs reads the style sheets, which axe would ask for anew. */
async function runAxe(page: Page, context: string, options: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${context}, {
      resultTypes: ['violations'],
      selectors: false,
      preload: { assets: ['media'] },
      ${options},
    })`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html}\n${failureSummary ?? ''}`),
  );
}

/** Buttons that touch each other, which a thumb cannot tell apart: the two, by what stands on them. */
export const findTouching = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const gap = 4;
    const buttons = [...document.querySelectorAll('main :is(button, a.button):not(.plain)')]
      .filter((button) => button.checkVisibility() && !button.classList.contains('hidden'))
      .map((button) => ({ text: button.innerText, box: button.getBoundingClientRect() }));
    return buttons.flatMap((one, index) => buttons.slice(index + 1).flatMap((other) => {
      const [a, b] = [one.box, other.box];
      const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
      const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
      return Math.max(across, down) < gap ? [one.text + ' and ' + other.text] : [];
    }));
  })()`);

/** The page is not wider than its window: only tables scroll, in frames of their own. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // Until the typeface is there, another stands in for it, which may be wider; and a table learns that its window has
  // become too narrow for it when that is drawn (`fits` in public/app.js).
  const [content, window] = await page.evaluate<number[]>(
    `document.fonts.ready
      .then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      .then(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])`,
  );
  expect(content, `the width of ${page.url()} in a window of ${window} px`).toBe(window);
}

export interface GivenFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The file that a click saves. Chromium does not always tell of its response, so the headers are asked for again. */
export async function savedFile(page: Page, click: () => Promise<void>): Promise<GivenFile> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const again = await page.context().request.get(download.url());
  const headers = again.headers();
  return {
    bytes: readFileSync(await download.path()),
    type: headers['content-type'] ?? '',
    name: download.suggestedFilename(),
    headers,
  };
}

/** The file that a click opens in the browser's own viewer, which does not hand it on: asked for again. */
export async function openedFile(page: Page, click: () => Promise<void>): Promise<GivenFile> {
  const [answer] = await Promise.all([page.waitForResponse(isFile), click()]);
  const again = await page.context().request.get(answer.url());
  const type = (await answer.headerValue('content-type')) ?? '';
  return { bytes: await again.body(), type, name: '', headers: await answer.allHeaders() };
}

const isFile = (answer: Response): boolean =>
  answer.status() === 200 && !(answer.headers()['content-type'] ?? '').startsWith('text/html');
