/** PDFs by the worker, in a real Chromium: readable, the same only once, and harmless whatever they hold. */
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { roleUrl } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { purchaseHtml } from '#src/e-invoices/html.ts';
import { PdfPrinter } from '#src/render/printer.ts';
import { findPdf, requestPdf } from '#src/render/store.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation } from '../support/installation.ts';

let books: Installation;
let worker: Pool;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  const url = roleUrl(books.url, 'hb_worker');
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

/** The processes that this one has started, on Linux. */
const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

const pages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

describe('the worker', () => {
  test('prints a purchase once, however often it is asked', async () => {
    const id = await receive('F-1');
    const html = (await purchaseHtml(db(books.owner), id)) ?? '';
    const running = await runWorkers([createRenderer(undefined)], {
      url: roleUrl(books.url, 'hb_worker'),
      log,
      timeZone: 'Europe/Stockholm',
    });
    try {
      for (let asked = 0; asked < 3; asked += 1) {
        await withTx(books.owner, (tx) => requestPdf(tx, html));
      }
      const find = () => findPdf(db(books.owner), html);
      await expect.poll(find, { timeout: 30_000 }).toBeInstanceOf(Buffer);
      const pdf = await find();
      expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-');
      expect(pdf?.includes('/StructTreeRoot')).toBe(true);
    } finally {
      await running.stop();
    }
    const renderings = await db(books.owner).query(sql`select from archive.renderings`);
    expect(renderings).toHaveLength(1);
  });

  test('lets a job be that has no page', async () => {
    const renderer = createRenderer(undefined);
    await renderer.run(worker, log, { page: '00'.repeat(32) });
    await renderer.close?.();
  });
});

describe('the printer', () => {
  const printer = new PdfPrinter(undefined);
  afterAll(() => printer.close());

  test('runs no script and fetches nothing of what it prints', async () => {
    const fetched: string[] = [];
    const server = http.createServer((request, response) => {
      fetched.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const at = `http://127.0.0.1:${port}`;
    const pdf = await printer.print(`<p>Före</p>
      <script>document.body.innerHTML = '<div style="height: 9000px">'; fetch('${at}/script')</script>
      <img src="${at}/image"><link rel="stylesheet" href="${at}/style"><iframe src="${at}/frame"></iframe>
      <iframe src="file:///etc/passwd"></iframe>`);
    server.close();
    expect(fetched).toEqual([]);
    expect(pages(pdf)).toBe(1);
  });

  test('goes on after its browser has crashed', async () => {
    await printer.print('<p>före</p>');
    const browsers = childrenOf(process.pid);
    expect(browsers.length).toBeGreaterThan(0);
    for (const pid of browsers) process.kill(pid, 'SIGKILL');
    expect((await printer.print('<p>efter</p>')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('prints many at once', async () => {
    const pdfs = await Promise.all(
      Array.from({ length: 6 }, (_, n) => printer.print(`<p>Sida ${n}</p>`)),
    );
    expect(pdfs.every((pdf) => pages(pdf) === 1)).toBe(true);
  });
});
