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
import { kindOf, pathKindOf, walk } from './walk.ts';

/** Pages there must be at least, or the walk went astray. */
const pages_min = 60;

/** The windows that each page is turned to, from the one it was opened in. */
const windows = [
  { name: '1440 px, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: '360 px, dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const;
type Window = (typeof windows)[number];

/**
 * How closely is looked. To ask axe takes the more time the more is asked: `once` in one of the windows by turns, or
 * `everywhere` in both. Lists that are searched and sorted are pages of their own `everywhere` only.
 */
export type Closeness = 'once' | 'everywhere';

async function turn(page: Page, { viewport, colorScheme }: Window) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

async function chooseEnglish(page: Page) {
  await page.goto('/mitt-konto');
  await page.getByLabel('Språk').selectOption('en');
  await page.getByRole('button', { name: 'Spara språket' }).click();
  await page.getByText('The menu, and the pages that there are in English').waitFor();
}

type Look = (page: Page) => Promise<string[]>;
const nothing: Look = async () => [];

/** What axe is asked in each window: what a page is made of is told by the first that asks. */
const looks = (closeness: Closeness, place: number): readonly Look[] => {
  if (closeness === 'everywhere') return [findBarriers, findBarriersOfLooks];
  return place % 2 === 0 ? [findBarriers, nothing] : [nothing, findBarriers];
};

/** With the example company's books: axe finds nothing, the console stays silent, only tables scroll sideways. */
export function testPages(closeness: Closeness, language: 'sv' | 'en' = 'sv'): void {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ content: 'demo' });
  });
  afterAll(() => site.close());

  test(`every page in ${language}, in every window`, { timeout: 900_000 }, async () => {
    const page = await site.openAs('agare');
    if (language === 'en') await chooseEnglish(page);
    await bringAxe(page);
    const faults: string[] = [];
    let place = 0;
    const kind = closeness === 'everywhere' && language === 'sv' ? kindOf : pathKindOf;
    const pages = await walk(
      page,
      async (address, answer) => {
        if (answer?.status() !== 200) faults.push(`${address} answers ${answer?.status()}`);
        const asked = looks(closeness, place++);
        for (const [nth, window] of windows.entries()) {
          await turn(page, window);
          const touching = (await findTouching(page)).map((two) => `buttons touch: ${two}`);
          const barriers = (await asked[nth]?.(page)) ?? [];
          const found = [...barriers, ...touching, ...complaintsOf(page)];
          faults.push(...found.map((fault) => `${address} at ${window.name}: ${fault}`));
          await expectNoSidewaysScroll(page).catch((error) => faults.push(String(error)));
        }
      },
      kind,
    );
    expect(faults).toEqual([]);
    expect(pages.length).toBeGreaterThan(pages_min);
  });
}
