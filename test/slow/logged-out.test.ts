/** More ways than an ended session (test/browser) in which somebody is logged out while typing, in a browser. */
import { afterAll, beforeAll } from 'vitest';
import { openSite, type Site } from '../browser/browser.ts';
import { testOtherLogins } from '../browser/logged-out.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

testOtherLogins(() => site);
