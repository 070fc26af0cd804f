/** The printer on its own, in a real Chromium: what comes out, what never gets in, and what it survives. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type CollectionCase, collectionCase } from '#src/domain/sales/collection-case.ts';
import { PdfPrinter, type PrinterLimits } from '#src/render/printer.ts';
import { loadTemplate } from '#src/render/templates.ts';
import { caseView } from '#src/sales/collection/view.ts';
import { invoiceView } from '#src/sales/invoices/document-view.ts';
import { collectionFacts, invoiceDocument, seller } from '../support/documents.ts';
import { factsOf, pageTexts } from '../support/pdf.ts';
import { childrenOf, times, until } from '../support/processes.ts';

const printer = new PdfPrinter(undefined);
afterAll(() => printer.close());

function printerOf(limits: Partial<PrinterLimits>): PdfPrinter {
  const one = new PdfPrinter(undefined, limits);
  onTestFinished(() => one.close());
  return one;
}

/** Milliseconds that ten browsers take to start and print here, one after another. */
async function timeForTen(): Promise<number> {
  const began = performance.now();
  await printerOf({}).print('<p>kort</p>');
  return 10 * (performance.now() - began);
}

const browsers = (): number[] => childrenOf(process.pid);
const isPdf = (pdf: Buffer): boolean => pdf.subarray(0, 5).toString() === '%PDF-';

const invoicePage = loadTemplate('documents/invoice');
const collectionPage = loadTemplate('documents/collection');
const caseOf = (lines: number): CollectionCase =>
  collectionCase(collectionFacts(lines), '2026-06-30', '2026-06-30T12:00:00Z');

describe('a document', () => {
  test('has the seller’s e-mail address and IBAN whole on a line each, to be copied or typed', async () => {
    const email = 'ekonomi@exempelbolaget.example';
    const view = invoiceView(invoiceDocument([{}], { seller: { ...seller, email } }));
    const [text = ''] = await pageTexts(await printer.print(invoicePage(view)));
    expect(text).toContain(email);
    expect(text).toContain('IBAN SE45 5000 0000 0583 9825 7466');
  });

  test('says that the seller is approved for F-skatt without a break in the word, however full its foot is', async () => {
    const email = 'ekonomiavdelningen@exempelbolaget.example';
    const view = invoiceView(invoiceDocument([{}], { seller: { ...seller, email } }));
    const [text = ''] = await pageTexts(await printer.print(invoicePage(view)));
    expect(text).toContain('Godkänd för\nF-skatt');
  });

  test.each([1, 400])(
    'of a collection case with %i rows is whole, tagged and searchable',
    async (lines) => {
      const digest = 'ab'.repeat(32);
      const pdf = await printer.print(collectionPage(caseView(caseOf(lines), digest, 'UTC')));
      const facts = await factsOf(pdf);
      expect(facts).toMatchObject({
        language: 'sv',
        title: 'Inkassoärende, faktura 1001',
        isTagged: true,
        fonts: ['Inter-Regular', 'Inter-SemiBold'],
      });
      const texts = await pageTexts(pdf);
      expect(texts).toHaveLength(facts.pages);
      for (const [index, text] of texts.entries()) {
        expect(text).toContain(`Sida ${index + 1} av ${texts.length}`);
        expect(text).toContain('Fjällrävens Bokföring & Ljus AB');
        // A page of rows has the table's head.
        if (/Vara \d+ 1 100,00/.test(text)) expect(text).toContain('Beskrivning Antal À-pris');
      }
      const whole = texts.join('\n');
      for (const row of times(lines))
        expect(whole).toContain(`${row + 1} Vara ${row + 1} 1 100,00`);
      expect(whole).toContain('Kaffekoppen i Örnsköldsvik AB');
      expect(whole).toContain('1 086,98 kr');
      expect(whole.replaceAll('\n', '')).toContain(digest);
      expect(facts.pages).toBeGreaterThan(lines / 60);
      expect(facts.pages).toBeLessThan(3 + lines / 20);
    },
  );

  test('of an invoice holds 400 rows, long names, and every field as it was written', async () => {
    const name = `Åäö <b>${'Långa Namnet '.repeat(15)}</b>`.trim();
    const word = 'Å'.repeat(180);
    const description = `<script>alert(1)</script> {{name}} & "${'x'.repeat(200)}"`;
    const rows = times(400).map((n) => ({ description: n === 7 ? description : `Vara ${n}` }));
    const evil = '</style><b>Säljaren</b> "AB" \\';
    const html = invoicePage(
      invoiceView(
        invoiceDocument(rows, {
          buyer: { name, address: word, city: 'Östersund' },
          seller: { ...seller, name: evil },
        }),
      ),
    );
    const pdf = await printer.print(html);
    const texts = await pageTexts(pdf);
    const joined = texts.join(' ').replace(/\s+/g, ' ');
    const solid = joined.replaceAll(' ', '');
    for (const text of [name, word, description]) {
      expect(solid).toContain(text.replace(/\s/g, ''));
    }
    expect(joined).toContain('Vara 399 2 100,50 25 % 201,00');
    // 400 × 201,00 and 25 %.
    expect(joined).toContain('Att betala 100 500,00 kr');
    for (const text of texts.slice(1)) expect(text).toContain(`${evil} · Faktura 1001`);
    for (const text of texts.slice(0, -1)) expect(text).toContain('Beskrivning Antal');
  });

  test('is printed in our typeface from a browser’s first page on, whatever the machine has', async () => {
    const own = printerOf({});
    const { fonts } = await factsOf(
      await own.print(
        invoicePage(invoiceView(invoiceDocument([{ description: 'Łódź, Čeština' }]))),
      ),
    );
    expect(fonts).toEqual(['Inter-Regular', 'Inter-SemiBold']);
  });

  test('runs no script and fetches nothing', async () => {
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
    expect(await pageTexts(pdf)).toEqual(['Före']);
  });
});

describe('the printer', () => {
  test('goes on after its browser has crashed, also in the middle of its work', async () => {
    const own = printerOf({});
    await own.print('<p>före</p>');
    const before = browsers();
    expect(before.length).toBeGreaterThan(0);
    const html = collectionPage(caseView(caseOf(400), '', 'UTC'));
    const underWay = times(4).map(() => own.print(html));
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect((await Promise.all(underWay)).every(isPdf)).toBe(true);
    expect(isPdf(await own.print('<p>efter</p>'))).toBe(true);
  });

  test('prints many at once', async () => {
    const pdfs = await Promise.all(times(6).map((n) => printer.print(`<p>Sida ${n}</p>`)));
    const texts = await Promise.all(pdfs.map(pageTexts));
    expect(texts).toEqual(times(6).map((n) => [`Sida ${n}`]));
  });

  test('replaces a browser that has printed much, while others go on printing', async () => {
    const own = printerOf({ printsMax: 3 });
    await own.print('<p>ett</p>');
    const [first = 0] = browsers().slice(-1);
    // Always two under way, so there is never a moment when nobody prints.
    const lane = async () => {
      for (let n = 0; n < 6; n += 1) expect(isPdf(await own.print(`<p>${n}</p>`))).toBe(true);
    };
    await Promise.all([lane(), lane()]);
    await until(() => !browsers().includes(first));
  });

  test('gives up a document that takes too long, and prints the next', async () => {
    const own = printerOf({ timeoutMs: await timeForTen() });
    // Not done within a minute by a quick machine.
    const slow = `<style>div { columns: 9; }</style>${'<div>'.repeat(400)}${'<p>x</p>'.repeat(60_000)}`;
    await expect(own.print(slow)).rejects.toThrow();
    expect(isPdf(await own.print('<p>nästa</p>'))).toBe(true);
  });

  test('leaves no browser behind when it is closed', async () => {
    const own = new PdfPrinter(undefined);
    const before = browsers();
    await own.print('<p>kort</p>');
    const mine = browsers().filter((pid) => !before.includes(pid));
    expect(mine).toHaveLength(1);
    await own.close();
    await until(() => mine.every((pid) => !browsers().includes(pid)));
  });
});
