/** PDFs by the worker, in a real Chromium: readable, the same only once, and harmless whatever they hold. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { enterSession } from '#src/access/sessions/store.ts';
import { Decisions } from '#src/db/decisions.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, type Db, db, type Pool, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/http/headers.ts';
import { purchaseHtml } from '#src/purchases/e-invoices/html.ts';
import { type Printing, printPdf } from '#src/render/print.ts';
import { findPdf, requestPdf } from '#src/render/store.ts';
import { prepareInvoicePdf, prepareReminderPdf } from '#src/sales/invoices/documents.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { tamper } from '../database/books.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { factsOf, pageTexts } from '../support/pdf.ts';
import { logIn } from '../support/person.ts';
import { times } from '../support/processes.ts';

let books: Installation;
let worker: Pool;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  const url = await roleUrl(books.url, 'hb_worker');
  worker = createPool({ url, max: 2, applicationName: 'test render' });
});
afterAll(async () => {
  await worker.end();
  await books.close();
});

const log = pino({ level: 'silent' });

async function receive(number: string): Promise<string> {
  const response = await books.call({
    method: 'POST',
    url: '/api/inbound/peppol',
    payload: eInvoice({ number }),
    headers: { 'content-type': 'application/xml' },
  });
  return response.json().draftId;
}

/** The renderer as a process of its own would run it; counts what it has printed. */
async function startRenderer(): Promise<{ printed(): number }> {
  const renderer = createRenderer(undefined);
  let printed = 0;
  const running = await runWorkers(
    [
      {
        ...renderer,
        run: async (...job) => {
          await renderer.run(...job);
          printed += 1;
        },
      },
    ],
    { url: await roleUrl(books.url, 'hb_worker'), log, timeZone: 'Europe/Stockholm' },
  );
  onTestFinished(() => running.stop());
  return { printed: () => printed };
}

/** What the HTTP process holds of it: a pool of hb_app, somebody who is logged in, and an ear. */
async function openPrinting(): Promise<Printing> {
  const url = await roleUrl(books.url, 'hb_app');
  const pool = createPool({ url, max: 8, applicationName: 'test app' });
  const decisions = new Decisions();
  await decisions.start(url);
  onTestFinished(async () => {
    await decisions.stop();
    await pool.end();
  });
  const { cookies } = await logIn(books, 'lasare');
  const session = hashOfSecret(String(cookies.get(sessionCookie)));
  const ask = (work: (db: Db) => Promise<Buffer | undefined>) =>
    withTx(pool, async (tx) => {
      await enterSession(tx, session, randomUUID());
      return work(tx);
    });
  return { pool, ask, decisions };
}

const page = (text: string): string =>
  `<!doctype html><html lang="sv"><head><title>${text}</title></head><body><p>${text}</p></body></html>`;

describe('the worker', () => {
  test('prints a purchase once, however often it is asked', async () => {
    const id = await receive('F-1');
    const html = (await purchaseHtml(db(books.owner), id)) ?? '';
    for (let asked = 0; asked < 3; asked += 1) await requestPdf(db(books.owner), html);
    const jobs = await db(books.owner).query(sql`select from pgboss.job where name = 'rendering'`);
    expect(jobs).toHaveLength(1);
    await startRenderer();
    const find = () => findPdf(db(books.owner), html);
    await expect.poll(find, { timeout: 30_000 }).toBeInstanceOf(Buffer);
    const facts = await factsOf((await find()) ?? Buffer.alloc(0));
    expect(facts).toMatchObject({ pages: 1, language: 'sv', isTagged: true });
    const renderings = await db(books.owner).query(sql`select from archive.renderings`);
    expect(renderings).toHaveLength(1);
  });

  test('lets a job be that has no page', async () => {
    const renderer = createRenderer(undefined);
    await renderer.run(worker, log, { page: '00'.repeat(32) });
    await renderer.close?.();
  });
});

describe('two workers', () => {
  test('share what there is to print, and look for more without being told', async () => {
    // In one transaction: one notice for all.
    const pages = times(80).map(() => page(randomUUID()));
    await withTx(books.owner, async (tx) => {
      for (const html of pages) await requestPdf(tx, html);
    });
    const workers = [await startRenderer(), await startRenderer()];
    const printed = () => workers.map((one) => one.printed());
    const total = () => printed().reduce((sum, count) => sum + count, 0);
    // Their browsers have started then.
    await expect.poll(total).toBeGreaterThan(0);
    const started = performance.now();
    await expect.poll(total).toBe(pages.length);
    // Polling alone would take 80 ÷ 4 × 2 s.
    expect(performance.now() - started).toBeLessThan(30_000);
    for (const count of printed()) expect(count).toBeGreaterThan(2);
    for (const html of pages) {
      expect(await findPdf(db(books.owner), html)).toBeInstanceOf(Buffer);
    }
  });
});

describe('whoever waits for a page', () => {
  test('gets it when it is printed, and at once the next time', async () => {
    const printing = await openPrinting();
    const worker = await startRenderer();
    const html = page(randomUUID());
    const [one, two] = await Promise.all([printPdf(printing, html), printPdf(printing, html)]);
    expect(await pageTexts(one)).toEqual([
      html.slice(html.indexOf('<p>') + 3, html.indexOf('</p>')),
    ]);
    expect(two.equals(one)).toBe(true);
    expect((await printPdf(printing, html, 0)).equals(one)).toBe(true);
    await expect.poll(worker.printed).toBe(1);
  });

  test('is told to come back when nobody prints', async () => {
    const printing = await openPrinting();
    await expect(printPdf(printing, page(randomUUID()), 100)).rejects.toMatchObject({
      code: 'processing_delayed',
      headers: { 'retry-after': '5' },
    });
  });

  test('asks again for a page whose job has come to nothing, but not at once', async () => {
    const html = page(randomUUID());
    const jobs = async () =>
      (
        await db(books.owner).query<{ count: number }>(sql`select count(*)::integer as count
          from pgboss.job where name = 'rendering' and state = 'created'`)
      )[0]?.count ?? 0;
    const before = await jobs();
    await requestPdf(db(books.owner), html);
    await requestPdf(db(books.owner), html);
    expect(await jobs()).toBe(before + 1);
    await tamper(books.url, `update archive.pages set created_at = now() - interval '3 minutes'`);
    await requestPdf(db(books.owner), html);
    expect(await jobs()).toBe(before + 2);
  });

  test('cannot ask for more than a page that somebody could read', async () => {
    const huge = page('x'.repeat(8_000_001));
    await expect(requestPdf(db(books.owner), huge)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });
});

describe('documents from the books', () => {
  test('an invoice and its reminder carry what the books say', async () => {
    const printing = await openPrinting();
    await startRenderer();
    const id = await makeInvoice(books.owner, [{ quantityE4: 30_000n, unitPriceE4: 333_300n }]);
    await withTx(books.owner, (tx) =>
      registerReminder(
        tx,
        {
          today: TODAY,
          invoiceId: id,
          sentDate: '2026-04-15',
          feeOre: 6_000n,
          isFeeVouchedFor: true,
        },
        'test',
      ),
    );
    const invoice = await withTx(books.owner, (tx) => prepareInvoicePdf(tx, id));
    const [text = ''] = await pageTexts(await printPdf(printing, invoice.html));
    const [booked] = await db(books.owner).query<{ number: number; ocr: string }>(
      sql`select number, ocr from sales.invoices where id = ${id}`,
    );
    expect(invoice.fileName).toBe(`faktura-${booked?.number}.pdf`);
    for (const part of [
      'Testbolaget AB',
      'SE556702693401',
      `Fakturanummer ${booked?.number}`,
      booked?.ocr ?? '',
      'Webbkunder',
      '33,33',
      '99,99',
      '124,99 kr',
      'Sida 1 av 1',
    ]) {
      expect(text).toContain(part);
    }
    const reminder = await withTx(books.owner, (tx) =>
      prepareReminderPdf(tx, id, 1, 'Europe/Stockholm'),
    );
    expect(reminder.fileName).toBe(`paminnelse-${booked?.number}-1.pdf`);
    const [reminded = ''] = await pageTexts(await printPdf(printing, reminder.html));
    for (const part of ['Betalningspåminnelse', '2026-03-31, 15 dagar sen', '184,99 kr']) {
      expect(reminded).toContain(part);
    }
  });

  test('a draft says so, and what does not exist is not found', async () => {
    const [id = ''] = await makeDrafts(books.owner, [1_000n]);
    const { html, fileName } = await withTx(books.owner, (tx) => prepareInvoicePdf(tx, id));
    expect(fileName).toBe('faktura-utkast.pdf');
    expect(html).toContain('UTKAST');
    for (const prepare of [
      (tx: Tx) => prepareInvoicePdf(tx, randomUUID()),
      (tx: Tx) => prepareReminderPdf(tx, randomUUID(), 1, 'Europe/Stockholm'),
      (tx: Tx) => prepareReminderPdf(tx, id, 1, 'Europe/Stockholm'),
    ]) {
      await expect(withTx(books.owner, prepare)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
