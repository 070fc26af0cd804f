/** Documents as a person gets them in: dropped and pasted on pages, each told of; and a year's archive, fetched and proved. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { forgetProcess, noteProcess } from '#src/installation/processes/store.ts';
import { verifyArchive } from '#src/reports/archive/reading.ts';
import { heicOf } from '../support/heic.ts';
import { renderProcess, voucherBody } from '../support/installation.ts';
import { openSite, type Site } from './browser.ts';

interface Size {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
}

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** As the browser tells of files that are dropped or pasted. */
const give = (page: Page, way: 'drop' | 'paste', files: Readonly<Record<string, string>>) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer();
    for (const [name, text] of Object.entries(${JSON.stringify(files)})) {
      transfer.items.add(new File([text], name));
    }
    const options = { bubbles: true, cancelable: true };
    document.body.dispatchEvent(${JSON.stringify(way)} === 'drop'
      ? new DragEvent('drop', { ...options, dataTransfer: transfer })
      : new ClipboardEvent('paste', { ...options, clipboardData: transfer }));
  })()`);

test('files dropped on the inbox are sent one by one, and what is refused is told by name', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/underlag');
  await give(page, 'drop', {
    '2026-03-31 Kvitto 125,00.pdf': '%PDF-1.4 ett',
    'fil.exe': 'MZ\u0000',
  });
  await page.getByText(/^fil\.exe: Filen är inte PDF/).waitFor();
  await page.getByRole('link', { name: 'Visa de filer som kom fram' }).click();
  await page.getByRole('link', { name: '2026-03-31 Kvitto 125,00.pdf' }).waitFor();
  expect(await page.getByRole('link', { name: 'fil.exe' }).count()).toBe(0);

  const posted = await site.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(),
  });
  const voucher = `/verifikat/${posted.json().id}`;
  await page.goto(voucher);
  await give(page, 'paste', { 'bild.txt': 'En inklistrad' });
  await page.getByRole('link', { name: 'bild.txt', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Lägg hit' }).click();
  await page.getByText('Underlaget ligger nu på verifikatet.').waitFor();
  expect(new URL(page.url()).pathname).toBe(voucher);

  await page.goto('/verifikat/ny');
  await give(page, 'drop', { 'a.txt': 'a', 'b.txt': 'b' });
  expect(await page.evaluate(`document.querySelector('#f-files').files.length`)).toBe(2);
});

test('files dropped while others are on their way are sent after them, and none is forgotten', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/underlag');
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/underlag', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await give(page, 'drop', { 'första.txt': 'Ett' });
  await give(page, 'drop', { 'andra.txt': 'Två', 'fel.exe': 'MZ\u0000' });
  await give(page, 'paste', { 'tredje.txt': 'Tre' });
  release();
  await page.getByText(/^fel\.exe: Filen är inte PDF/).waitFor();
  await page.getByRole('link', { name: 'Visa de filer som kom fram' }).click();
  for (const name of ['första.txt', 'andra.txt', 'tredje.txt']) {
    await page.getByRole('link', { name }).waitFor();
  }
});

test('a file that is sent once the session has ended says so, and how it gets there', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/underlag');
  await page.context().clearCookies();
  await give(page, 'drop', { 'sen.txt': 'Sen' });
  await page
    .getByText('sen.txt – du är utloggad; ladda om sidan, logga in och skicka den igen')
    .waitFor();
});

test('a file that the whole page is refused for says why, as the page would', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/underlag');
  await db(site.owner).query(
    sql`update restricted.users set role = 'lasare' where role = 'medarbetare'`,
  );
  await give(page, 'drop', { 'kvitto.txt': 'Ett kvitto' });
  await page.getByText(/^kvitto\.txt – .*(roll|behörighet|läsa)/i).waitFor();
});

test('files of a voucher are those that are listed, chosen and dropped alike, and can be taken away', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/verifikat/ny');
  const field = page.getByLabel('Underlag', { exact: false }).and(page.locator('[type=file]'));
  const names = () =>
    field.evaluate((one: { files: Iterable<{ name: string }> }) =>
      [...one.files].map(({ name }) => name),
    );
  const chosen = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await give(page, 'drop', { 'släppt.txt': 'Ett' });
  await field.setInputFiles(chosen('vald.txt'));
  await expect.poll(names).toEqual(['släppt.txt', 'vald.txt']);
  await page.getByRole('button', { name: 'Ta bort släppt.txt' }).click();
  expect(await names()).toEqual(['vald.txt']);
  const listed = page.getByRole('status', { name: 'Filer som skickas' }).getByRole('listitem');
  expect(await listed.allTextContents()).toEqual(['vald.txt Ta bort']);
});

test('a file dropped beside the only field of a page goes into it, and the page is not left for it', async () => {
  const page = await site.openAs('agare');
  await page.goto('/sie');
  await give(page, 'drop', { 'bokforing.se': '#FLAGGA 0' });
  const field = page.locator('main input[type=file]');
  expect(await field.evaluate((one: { files: { name: string }[] }) => one.files[0]?.name)).toBe(
    'bokforing.se',
  );
});

test('a browser that can make JPEG of a telephone’s picture is asked to; others take it as it is', async () => {
  const page = await site.openAs('medarbetare');
  const accepted = async () => {
    const all: string[] = [];
    for (const address of ['/underlag', '/verifikat/ny', '/leverantorsinkorg/ny']) {
      await page.goto(address);
      all.push((await page.locator('#f-files').getAttribute('accept')) ?? '');
    }
    return all;
  };
  expect((await accepted()).every((accept) => accept.includes('image/heic'))).toBe(true);
  const apple = `Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' })`;
  await page.addInitScript({ content: apple });
  for (const accept of await accepted()) {
    expect(accept).toMatch(/^image\/jpeg,application\/pdf,/);
    expect(accept).not.toContain('heic');
  }
});

test('a picture of a telephone comes into its page by itself, upright', async () => {
  const page = await site.openAs('medarbetare');
  await page.goto('/underlag');
  const file = { name: 'IMG_7.HEIC', mimeType: 'image/heic', buffer: heicOf({ turned: 3 }) };
  await page.locator('#f-files').setInputFiles(file);
  await page.getByRole('button', { name: 'Ladda upp' }).click();
  await page.getByRole('link', { name: 'IMG_7.HEIC' }).click();
  await page.getByText('En JPEG att visa görs av bilden').waitFor();
  const picture = page.getByRole('img', { name: 'Underlaget som bild' });
  await picture.waitFor();
  const size = (image: unknown) => [(image as Size).naturalWidth, (image as Size).naturalHeight];
  await expect.poll(() => picture.evaluate(size)).toEqual([48, 64]);
});

test('an archive that cannot be begun says why in the window, and leaves no file', async () => {
  await forgetProcess(db(site.owner), renderProcess.id);
  const page = await site.openAs('agare');
  await page.goto('/arkiv');
  let saved = 0;
  page.on('download', () => {
    saved += 1;
  });
  await page.getByRole('link', { name: 'Hämta arkivet för 2026' }).click();
  await page.getByText('startar worker render').waitFor();
  expect(saved).toBe(0);
  await page.goBack();
  await noteProcess(db(site.owner), renderProcess);
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Hämta arkivet för 2026' }).click();
  expect(await (await coming).failure()).toBeNull();
});

test('a year’s archive is fetched and proves itself', async () => {
  const page = await site.openAs('agare');
  await page.goto('/arkiv');
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Hämta arkivet för 2026' }).click();
  const download = await coming;
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  expect(await verifyArchive(path)).toMatchObject({ ok: true });
  await rm(folder, { recursive: true });
});
