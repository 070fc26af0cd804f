/** Reports as PDFs, read back by a reader that is none of ours. */
import { expect, test } from 'vitest';
import { reportPdf, taggedLinesMax } from '#src/reports/books/pdf.ts';
import { reportBy } from '#src/reports/books/reports.ts';
import type { ReportLine, ReportOptions } from '#src/reports/books/table.ts';
import { factsOf, pageTexts } from '../support/pdf.ts';

const options: ReportOptions = {
  from: '2026-01-01',
  to: '2026-12-31',
  timeZone: 'Europe/Stockholm',
};
const company = { name: 'Åkes Kaffe AB', orgNumber: '5567026934' };

async function pdfOf(
  portions: readonly (readonly ReportLine[])[],
  { name = 'general-ledger', lines = 0, asked = options } = {},
): Promise<Buffer> {
  const report = reportBy(name);
  if (!report) throw new Error(name);
  async function* read() {
    yield* portions;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of reportPdf({ report, options: asked, company, lines }, read())) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const row = (n: number, text: string, balance = 100n): ReportLine => ({
  kind: 'row',
  cells: ['1930 Företagskonto', '2026-03-04', `A${n}`, text, 125_00n, null, balance],
});
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('every line is there once, on pages that say their number and have the heads of the columns', async () => {
  const portions = Array.from({ length: 3 }, (_, portion) =>
    Array.from({ length: 40 }, (_line, n) =>
      row(portion * 40 + n, `Kaffe nr ${portion * 40 + n}.`),
    ),
  );
  const pdf = await pdfOf(portions);
  const pages = await pageTexts(pdf);
  expect(pages.length).toBeGreaterThan(2);
  for (const [n, text] of pages.entries()) {
    // The number of pages is drawn by itself, with nothing between as this reader has it.
    expect(plain(text)).toMatch(new RegExp(`Sida ${n + 1} av ?${pages.length} `));
    expect(text).toContain('Verifikat');
    expect(text).toContain('Åkes Kaffe AB · 556702-6934');
    expect(text.includes('Åkes Kaffe AB · Huvudbok 2026-01-01 – 2026-12-31')).toBe(n > 0);
  }
  const told = [...plain(pages.join(' ')).matchAll(/Kaffe nr (\d+)\./g)].map(([, n]) => Number(n));
  expect(told).toEqual(Array.from({ length: 120 }, (_, n) => n));
  expect(await factsOf(pdf)).toEqual({
    pages: pages.length,
    language: 'sv-SE',
    title: 'Huvudbok 2026-01-01 – 2026-12-31',
    isTagged: true,
    fonts: ['Inter-Regular'],
  });
});

test('nothing of a long text is left out, also where it has no spaces or fills more than a page', async () => {
  const long = Array.from({ length: 2_000 }, (_, n) => `ord${n}`);
  const unbroken = Array.from({ length: 300 }, (_, n) => String(n % 10)).join('');
  const pages = await pageTexts(await pdfOf([[row(1, long.join(' ')), row(2, unbroken)]]));
  expect(pages.length).toBeGreaterThan(1);
  const all = pages.join(' ');
  expect([...all.matchAll(/ord(\d+)/g)].map(([word]) => word)).toEqual(long);
  expect(all.replaceAll(/[^0-9]/g, '')).toContain(unbroken);
});

test('amounts are written to the öre, however large, and odd characters harm nothing', async () => {
  const odd = 'Łódź ‰ 漢字 \u0000\u0007 👩🏽‍🚀 e\u0301 (\\) ';
  const pdf = await pdfOf([[row(1, odd, -999_999_999_999_999_99n), row(2, '', 0n)]]);
  const [text = ''] = await pageTexts(pdf);
  expect(plain(text)).toContain('−999 999 999 999 999,99');
  expect(text).toMatch(/Łódź|Ł\s*ód\s*ź/);
  expect(text).toContain('é (\\)');
  expect((await factsOf(pdf)).fonts).toEqual(['Inter-Regular', 'Inter-latin-ext-Regular']);
});

test("names in any of Europe's letters can be read, in heads and sums too", async () => {
  const names = ['Καφές ἑνός', 'Кофе Ґедзь Ѥ', 'Đặng Nguyễn', 'Žižka', 'Ærø'];
  const lines = names.map(
    (name, n): ReportLine => ({ ...row(n, name), kind: n % 2 ? 'sum' : 'row' }),
  );
  const [text = ''] = await pageTexts(await pdfOf([lines]));
  for (const letter of names.join('').replaceAll(' ', '')) expect(text).toContain(letter);
});

test('no word of a head is broken, however much the columns beside it want', async () => {
  const long = 'Utgående moms på försäljning inom Sverige, 25 %, '.repeat(4);
  const cells = ['2026-11-25 03:30', 'A1', '2026-03-04', long, long, long, null, 100n];
  const [text = ''] = await pageTexts(await pdfOf([[{ kind: 'row', cells }]], { name: 'journal' }));
  for (const head of ['Bokfört', 'Verifikat', 'Radtext']) expect(text).toContain(head);
});

test('months side by side have room on the sheet', async () => {
  const asked = { ...options, isByMonth: true };
  const cells = [
    '3001 Försäljning',
    ...Array.from({ length: 14 }, (_, n) => BigInt(n) * 123_456_78n),
  ];
  const pdf = await pdfOf([[{ kind: 'sum', cells }]], { name: 'income-statement', asked });
  const [text = ''] = await pageTexts(pdf);
  for (const n of ['123 456,78', '1 604 938,14']) expect(plain(text)).toContain(n);
  expect(pdf.toString('latin1')).toContain('/MediaBox [0 0 1190.55 841.89]');
});

test('one without lines has its heads, and one of very many no structure', async () => {
  const empty = await pdfOf([[]]);
  expect(plain((await pageTexts(empty))[0] ?? '')).toMatch(/Sida 1 av ?1 /);
  const long = await pdfOf([[row(1, 'Kaffe')]], { lines: taggedLinesMax + 1 });
  expect((await factsOf(long)).isTagged).toBe(false);
});
