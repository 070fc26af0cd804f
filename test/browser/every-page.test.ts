/** What holds of every page there is, at a desk in the light and on a telephone in the dark. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bringAxe,
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  findBarriersOfLooks,
  findTouching,
  openSite,
  type Site,
} from './browser.ts';
import { walk } from './walk.ts';

/** Pages there must be at least, or the walk went astray. */
const pages_min = 60;

/** The windows that each page is turned to, from the one it was opened in; what it is made of is told by the first. */
const windows = [
  {
    name: '1440 px, light',
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    find: findBarriers,
  },
  {
    name: '360 px, dark',
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    find: findBarriersOfLooks,
  },
] as const;

let site: Site;
beforeAll(async () => {
  site = await openSite({ content: 'demo' });
});
afterAll(() => site.close());

async function turn(page: Page, { viewport, colorScheme }: (typeof windows)[number]) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/** With the example company's books: axe finds nothing, the console stays silent, only tables scroll sideways. */
test('every page, in every window', { timeout: 600_000 }, async () => {
  const page = await site.openAs('agare');
  await bringAxe(page);
  const faults: string[] = [];
  const pages = await walk(page, async (address, answer) => {
    if (answer?.status() !== 200) faults.push(`${address} answers ${answer?.status()}`);
    for (const window of windows) {
      await turn(page, window);
      const touching = (await findTouching(page)).map((two) => `buttons touch: ${two}`);
      const found = [...(await window.find(page)), ...touching, ...complaintsOf(page)];
      faults.push(...found.map((fault) => `${address} at ${window.name}: ${fault}`));
      await expectNoSidewaysScroll(page).catch((error) => faults.push(String(error)));
    }
  });
  expect(faults).toEqual([]);
  expect(pages.length).toBeGreaterThan(pages_min);
});
