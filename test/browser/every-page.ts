/** Every page that can be reached by links from the overview, one of each kind. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { seedDemo } from '#src/demo/service.ts';
import { TODAY } from '../support/installation.ts';
import {
  complaintsOf,
  expectNoSidewaysScroll,
  findBarriers,
  openSite,
  type Site,
} from './browser.ts';

const pages_max = 150;

/** The kind of page an address shows: ids are all alike, and so are filters of one name. */
const kindOf = (address: string): string =>
  address
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ':id')
    .replace(/\d+/g, ':n')
    .replace(/=([^&]*)/g, (_, value: string) => (value.length > 20 ? '=…' : `=${value}`));

/** Files are not pages. */
const isFile = (address: string): boolean =>
  /format=|\.(pdf|csv|json|xml)\b|\/(pdf|bilagor|dokument|xml)(\/|$|\?)|^\/(public|docs|openapi)/.test(
    address,
  );

/**
 * Visits each page once in a window like this: axe finds nothing, nothing is complained of, and only tables
 * scroll sideways.
 */
export function testEveryPage(name: string, window: BrowserContextOptions): void {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ isSetUp: false });
    const options = { today: TODAY, timeZone: 'Europe/Stockholm' };
    await withTx(site.owner, (tx) => seedDemo(tx, options, 'demo'));
  }, 120_000);
  afterAll(() => site.close());

  test(name, { timeout: 300_000 }, async () => {
    const page = await site.openAs('agare', window);
    const waiting = ['/oversikt'];
    const known = new Set(waiting.map(kindOf));
    const faults: string[] = [];
    for (const address of waiting) {
      const answer = await page.goto(address);
      if (answer?.status() !== 200) faults.push(`${address} answers ${answer?.status()}`);
      faults.push(...(await findBarriers(page)).map((barrier) => `${address}: ${barrier}`));
      faults.push(...complaintsOf(page));
      await expectNoSidewaysScroll(page).catch((error) => faults.push(String(error)));
      const links = await page.$$eval('a[href^="/"]', (found) =>
        found.map((link) => link.getAttribute('href') ?? ''),
      );
      for (const link of links.map((href) => href.replace(/#.*/, ''))) {
        if (known.has(kindOf(link)) || isFile(link) || known.size >= pages_max) continue;
        known.add(kindOf(link));
        waiting.push(link);
      }
    }
    expect(faults).toEqual([]);
    expect(waiting.length).toBeGreaterThan(40);
  });
}
