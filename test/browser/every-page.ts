/** What holds of every page there is, in a window of one kind. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  openSite,
  type Site,
} from './browser.ts';
import { walk } from './walk.ts';

/** Pages there must be at least, or the walk went astray. */
const pages_min = 60;

/**
 * With the example company's books: axe finds nothing, nothing is complained of in the console, and only
 * tables scroll sideways.
 */
export function testEveryPage(name: string, window: BrowserContextOptions): void {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ content: 'demo' });
  }, 120_000);
  afterAll(() => site.close());

  test(name, { timeout: 600_000 }, async () => {
    const page = await site.openAs('agare', window);
    const faults: string[] = [];
    const pages = await walk(page, async (address, answer) => {
      if (answer?.status() !== 200) faults.push(`${address} answers ${answer?.status()}`);
      faults.push(...(await findBarriers(page)).map((barrier) => `${address}: ${barrier}`));
      faults.push(...complaintsOf(page));
      await expectNoSidewaysScroll(page).catch((error) => faults.push(String(error)));
    });
    expect(faults).toEqual([]);
    expect(pages.length).toBeGreaterThan(pages_min);
  });
}
