/** A working morning without a mouse. Nothing here clicks: every step is a key. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { withTx } from '#src/db/pool.ts';
import { voucherBody } from '../support/installation.ts';
import { PASSWORD } from '../support/person.ts';
import { complaintsOf, openSite, type Site } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  for (const description of ['Hyra', 'Porto', 'Kaffe till mötet']) {
    const payload = voucherBody({ description });
    await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  }
});
afterAll(() => site.close());

interface Focused {
  readonly tag: string;
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** Whether a person sees that it has the focus. */
  readonly isSeen: boolean;
}

/** What has the focus, as a person finds it: by its label or its words. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate<Focused>(`(() => {
    const element = document.activeElement;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent;
    const row = element.closest('tr');
    const marked = [element, ...(row ? [row] : [])].some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    const { width, height, right, bottom } = element.getBoundingClientRect();
    return {
      tag: element.tagName,
      id: element.id,
      name: element.name ?? '',
      text: (label ?? '').replace(/\\s+/g, ' ').trim(),
      isSeen: marked && width > 1 && height > 1 && right > 0 && bottom > 0,
    };
  })()`);

const tabs_max = 150;

/** Tab until the focus is on what is called so. */
async function tabTo(page: Page, text: string): Promise<void> {
  const met: string[] = [];
  for (let n = 0; n < tabs_max; n += 1) {
    const at = await focused(page);
    if (at.text === text) return;
    met.push(at.text);
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${text}, but to ${met.join(' · ')}`);
}

const type = (page: Page, text: string) => page.keyboard.type(text);
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** The page with the heading, and its scripts at work. */
const title = async (page: Page, name: string | RegExp) => {
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.waitForLoadState('load');
};

test('from the login to a booked voucher', async () => {
  const person = await site.openAs('medarbetare');
  await person.close();
  const page = await site.open();
  await logIn(page, await emailOfLatest());

  await tabTo(page, 'Verifikat');
  await press(page, 'Enter');
  await title(page, 'Verifikat');

  // The list: down, down, up, open.
  await press(page, 'j', 'j', 'k');
  expect((await focused(page)).text).toBe('A3');
  await press(page, 'j', 'Enter');
  await title(page, /^A2 Porto/);
  await page.goBack();
  await title(page, 'Verifikat');

  await press(page, '/');
  expect((await focused(page)).text).toBe('Sök');
  await type(page, 'kaffe');
  await press(page, 'Enter');
  await page.waitForURL(/sok=kaffe/);
  await press(page, 'j');
  expect((await focused(page)).text).toBe('A3');
  await press(page, 'j');
  expect((await focused(page)).text).toBe('A3');

  await press(page, 'n');
  await title(page, 'Nytt verifikat');
  // The hands are already where the typing begins.
  expect((await focused(page)).name).toBe('date');
  await tabTo(page, 'Beskrivning');
  await type(page, 'Pärmar');
  await tabTo(page, 'Konto, rad 1');
  await type(page, '6110');
  await press(page, 'Tab');
  await type(page, '100');
  await press(page, 'Enter');
  expect((await focused(page)).text).toBe('Konto, rad 2');
  await type(page, '2641');
  await press(page, 'Tab');
  await type(page, '25');
  await press(page, 'Enter');
  // An account may be called by its name.
  await type(page, 'företagskonto');
  await press(page, 'Tab', 'Tab', '=');
  expect(await page.locator('[name="rows[2].account"]').inputValue()).toBe('1930');
  await page.getByText('Balanserar').waitFor();
  await press(page, 'Enter', 'Enter');
  expect((await focused(page)).text).toBe('Konto, rad 5');
  await press(page, 'Control+Enter');
  await title(page, /^A4 Pärmar/);
  expect(await page.getByRole('main').textContent()).toContain('A4 är bokfört.');

  // A form that is refused leads the hands to the fault.
  await tabTo(page, 'Rätta med ny verifikation');
  await press(page, 'Enter');
  await title(page, 'Rätta A4');
  await tabTo(page, 'Beskrivning');
  await press(page, 'Control+a');
  await type(page, ' ');
  await tabTo(page, 'Bokför rättelsen');
  await press(page, 'Enter');
  await page.getByText('Rätta det som är markerat').waitFor();
  await page.waitForLoadState('load');
  expect((await focused(page)).name).toBe('description');
  expect(complaintsOf(page)).toEqual([]);
});

test('rows of the bank are decided from the list, one key each, and the last is undone', async () => {
  const page = await site.openAs('medarbetare');
  await withTx(site.owner, async (tx) => {
    const account = { name: 'Företagskonto', ledgerAccount: 1930 };
    const { id } = await createBankAccount(tx, account, 'test');
    const row = (nth: number, description: string, amountOre: bigint) => ({
      ...{ reference: `bank-${nth}`, bookedOn: '2026-03-20', description, amountOre },
    });
    const rows = [row(1, 'BANKTJÄNSTER', -13_600n), row(2, 'RÄNTA', 784n), row(3, 'Okänt', 5n)];
    await insertTransactions(tx, id, rows);
  });
  await page.goto('/bank');
  await title(page, 'Bank');
  const decided = async () => (await focused(page)).text;
  await press(page, 'j');
  const list: string[] = [];
  for (let nth = 0; nth < 3; nth += 1, await press(page, 'j')) list.push(await decided());
  // What cannot be decided in the list is opened from it.
  expect(list.filter((text) => text.startsWith('Godkänn')).length).toBe(2);
  await press(page, 'k', 'k', 'k');
  while (!(await decided()).startsWith('Godkänn')) await press(page, 'j');
  const boxes = `[...document.querySelectorAll('td.tick input')]`;
  const ticks = () => page.evaluate<boolean[]>(`${boxes}.map((box) => box.checked)`);
  const before = await ticks();
  await page.evaluate(`${boxes}.forEach((box) => box.click())`);
  expect(await ticks()).toEqual(before.map((is) => !is));
  await press(page, 'Enter');
  await page.getByText('1 bankrad är bokförd.').waitFor();
  await page.waitForLoadState('load');
  // What somebody has ticked, or not, of the other rows is as it was.
  expect(await ticks()).toEqual([!before[0]]);
  expect(await page.locator('tr[id^=rad-]').count()).toBe(2);
  expect(await page.evaluate<boolean>("document.activeElement.closest('tr') !== null")).toBe(true);
  await press(page, 'u');
  await page.getByRole('heading', { name: 'Ångra bokföringen' }).waitFor();
  await tabTo(page, 'Ångra');
  await press(page, 'Enter');
  await page.getByText('är tillbakataget').waitFor();
  // The row waits again, and begins at its yes; one that nothing is known of at its account.
  expect(await decided()).toBe('Godkänn');
  await page.goto('/bank');
  await page.getByRole('link', { name: 'Okänt' }).focus();
  await press(page, 'Enter');
  await page.getByRole('heading', { name: 'Bokför direkt' }).waitFor();
  expect((await focused(page)).name).toBe('account');
  await type(page, '3740');
  // Enter goes on to the VAT, Ctrl with it books from anywhere.
  await press(page, 'Enter');
  expect(await page.evaluate('document.activeElement.name')).toBe('vatRate');
  await press(page, 'Control+Enter');
  await page.getByText('Bankraden är bokförd.').waitFor();
  await page.locator('a:focus', { hasText: 'Nästa bankrad' }).waitFor();
  expect(complaintsOf(page)).toEqual([]);
});

test('the menu and the head of a long table stay while the page is scrolled', async () => {
  const page = await site.openAs('lasare');
  await page.goto('/kontoplan');
  await page.locator('.table-frame.fits').first().waitFor();
  await page.evaluate('window.scrollTo(0, 700)');
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y;
  await expect.poll(() => top('thead th')).toBe(0);
  expect(await top('.side')).toBe(0);
});

test('help opens over the page, closes, and gives the focus back', async () => {
  const page = await site.openAs('lasare');
  await tabTo(page, 'Verifikat');
  await press(page, 'Enter');
  await title(page, 'Verifikat');
  await press(page, 'j');
  const opened = (await focused(page)).text;
  expect(opened).toMatch(/^A\d$/);
  await press(page, '?');
  const help = page.getByRole('dialog', { name: 'Tangenter' });
  await help.waitFor();
  expect((await focused(page)).text).toBe('Stäng');
  // Keys of the page rest while it is open.
  await press(page, 'j', 'n', '/');
  expect(await help.isVisible()).toBe(true);
  await press(page, 'Escape');
  await help.waitFor({ state: 'hidden' });
  expect((await focused(page)).text).toBe(opened);
  expect(complaintsOf(page)).toEqual([]);
});

test('the first Tab offers the way past the menu', async () => {
  const page = await site.openAs('lasare');
  await press(page, 'Tab');
  const skip = await focused(page);
  expect([skip.text, skip.isSeen]).toEqual(['Till innehållet', true]);
  await press(page, 'Enter', 'Tab');
  expect(await page.evaluate<boolean>("document.activeElement.closest('main') !== null")).toBe(
    true,
  );
});

test('on a narrow screen the menu opens, leads somewhere, and closes', async () => {
  const page = await site.openAs('lasare', { viewport: { width: 360, height: 740 } });
  const menu = page.getByRole('navigation', { name: 'Huvudmeny' });
  await tabTo(page, 'Meny');
  expect(await menu.isVisible()).toBe(false);
  await press(page, 'Enter');
  await menu.waitFor();
  await press(page, 'Tab');
  expect((await focused(page)).text).toBe('Stäng menyn');
  await press(page, 'Enter');
  await menu.waitFor({ state: 'hidden' });

  await press(page, 'Shift+Tab');
  await tabTo(page, 'Meny');
  await press(page, 'Enter');
  await menu.waitFor();
  await press(page, 'Escape');
  await menu.waitFor({ state: 'hidden' });
  expect((await focused(page)).text).toBe('Meny');
  await press(page, 'Enter');
  await tabTo(page, 'Kunder');
  await press(page, 'Enter');
  await title(page, 'Kunder');
  expect(complaintsOf(page)).toEqual([]);
});

describe('whoever tabs sees where they are', () => {
  test.each([
    ['light', 1440, 'light'],
    ['dark and narrow', 360, 'dark'],
  ] as const)('%s', async (_, width, colorScheme) => {
    const page = await site.openAs('agare', { viewport: { width, height: 800 }, colorScheme });
    for (const address of [
      '/oversikt',
      '/verifikat',
      '/verifikat/ny',
      '/kundfakturor/ny',
      '/mitt-konto',
    ]) {
      await page.goto(address);
      await page.evaluate('document.activeElement.blur()');
      const unseen: Focused[] = [];
      const met = new Set<string>();
      for (let n = 0; n < tabs_max; n += 1) {
        await press(page, 'Tab');
        const at = await focused(page);
        if (at.tag === 'BODY') break;
        met.add(`${at.tag} ${at.id} ${at.name} ${at.text}`);
        if (!at.isSeen) unseen.push(at);
      }
      expect([address, unseen]).toEqual([address, []]);
      expect(met.size).toBeGreaterThan(width > 720 ? 20 : 4);
    }
  });
});

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/logga-in');
  await type(page, email);
  await press(page, 'Tab');
  await type(page, PASSWORD);
  await press(page, 'Enter');
  await page.waitForURL('**/oversikt');
}

async function emailOfLatest(): Promise<string> {
  const { rows } = await site.owner.query<{ email: string }>(
    'select email from restricted.users order by created_at desc limit 1',
  );
  return rows[0]?.email ?? '';
}
