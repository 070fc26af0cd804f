/** Rapporter: each report on its page and as a file, what is behind its figures, and what cannot be asked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWorkbook } from '#src/bank/statement-files/workbook.ts';
import { withTx } from '#src/db/pool.ts';
import { BankFileProblems } from '#src/domain/ledger/bank-files/problems.ts';
import type { SheetCell } from '#src/domain/ledger/bank-files/sheet.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { requireRoom } from '#src/reports/books/files.ts';
import { readOptions, reports } from '#src/reports/books/reports.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { pageTexts } from '../support/pdf.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

const span = 'fran=2026-01-01&till=2026-12-31';
let books: Installation;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true, prints: true });
  reader = await logIn(books, 'lasare');
  const project = await withTx(books.owner, (tx) =>
    insertDimension(tx, { kind: 'project', code: 'P1', name: 'Bygget' }),
  );
  await withTx(books.owner, (tx) =>
    insertDimension(tx, { kind: 'cost_center', code: 'P1', name: 'Kontoret' }),
  );
  const of = { project: project.id };
  await post(books.owner, [
    ledgerVoucher({ description: '=1+1; "citat"' }),
    ledgerVoucher({ rows: [{ ...row(6110, 4_000), ...of }, row(1930, -4_000)] }),
    ledgerVoucher({ date: '2026-04-01', rows: [row(4010, 1), row(1930, -1)] }),
    ...Array.from({ length: 130 }, () => ledgerVoucher({ date: '2026-05-05' })),
  ]);
});
afterAll(() => books.close());

const hrefs = (html: string): string[] =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'),
  );
const textOf = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');

test('every report has a page, for whoever may read the books, and a file', async () => {
  const list = hrefs((await reader.get('/rapporter')).body);
  for (const { word, title } of reports) {
    expect(list).toContain(`/rapporter/${word}`);
    const page = await reader.get(`/rapporter/${word}`);
    expect([word, page.statusCode]).toEqual([word, 200]);
    expect(page.body).toContain(title);
    const file =
      hrefs(page.body).find((href) => href.startsWith(`/rapporter/${word}/rapport.csv?`)) ?? '';
    const csv = await reader.get(file);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(csv.headers['content-disposition']).toContain(`${word}-`);
    expect(csv.body.startsWith('\ufeff"Slag";') || csv.body.startsWith('\ufeffSlag;')).toBe(true);
  }
  expect((await reader.get('/rapporter/kassabok')).statusCode).toBe(404);
  expect((await reader.get('/rapporter/balance-sheet')).statusCode).toBe(404);
});

test('what is behind a figure is reached from it: the rows of the account, and their vouchers', async () => {
  const { body } = await reader.get(`/rapporter/resultatrakning?${span}&dimension=project:P1`);
  expect(textOf(body)).toContain('Beräknat resultat −40,00');
  const behind = hrefs(body).find((href) => href.includes('konto=6110')) ?? '';
  expect(behind).toContain('dimension=project%3AP1');
  const ledger = (await reader.get(behind)).body;
  expect(textOf(ledger)).toContain('Utgående saldo 40,00');
  const voucher = hrefs(ledger).find((href) => href.startsWith('/verifikat/')) ?? '';
  expect(textOf((await reader.get(voucher)).body)).toContain('6110');
});

test('a long listing is turned page by page, with the balance carried on', async () => {
  const address = `/rapporter/huvudbok?${span}&konto=1930`;
  const rowsOf = (html: string) => html.match(/href="\/verifikat\//g)?.length ?? 0;
  let [page, rows, pages] = [(await reader.get(address)).body, 0, 0];
  for (;;) {
    rows += rowsOf(page);
    pages += 1;
    const next = hrefs(page).find((href) => href.includes('efter='));
    if (next === undefined || pages > 9) break;
    page = (await reader.get(next)).body;
  }
  expect(rows).toBe(133);
  // 131 of 125 kronor in, 40 kronor and an öre out.
  expect(textOf(page)).toContain('Utgående saldo 16 334,99');
});

test('a wide report can be scrolled from the keyboard, also where it has no link to go to', async () => {
  const { body } = await reader.get(
    `/rapporter/huvudbok?fran=2026-12-01&till=2026-12-31&konto=1930`,
  );
  expect(body).not.toContain('href="/verifikat/');
  expect(body).toMatch(/class="table-frame" tabindex="0" role="region" aria-label="Huvudbok"/);
});

test('the file has every line, computes nothing, and has the figures as a spreadsheet adds them', async () => {
  const { body } = await reader.get(`/rapporter/verifikationslista/rapport.csv?${span}`);
  const lines = body.trim().split('\r\n');
  expect(lines).toHaveLength(1 + 131 * 3 + 2 * 2);
  expect(lines[1]).toContain(`'=1+1; ""citat""`);
  expect(lines[1]).toMatch(/;125,00;$/);
});

/** The first sheet as our reader of banks' workbooks has it. */
async function sheetOf(bytes: Buffer): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const problems = new BankFileProblems();
  const target = {
    problems,
    setCalendar: () => undefined,
    take: (some: readonly { readonly cells: readonly SheetCell[] }[]) =>
      void rows.push(
        ...some.map(({ cells }) =>
          cells.map(({ text, isNumber }) => (isNumber ? Number(text) : text)),
        ),
      ),
  };
  expect(await readWorkbook(bytes, target)).toBe(true);
  return rows;
}

test('a workbook has numbers as numbers, days as days and text as text, line by line', async () => {
  const answer = await reader.get(`/rapporter/verifikationslista/rapport.xlsx?${span}`);
  expect(answer.headers['content-disposition']).toContain('.xlsx"');
  const rows = await sheetOf(answer.rawPayload);
  expect(rows).toHaveLength(1 + 131 * 3 + 2 * 2);
  expect(rows[0]).toEqual(['Verifikat', 'Datum', 'Text', 'Konto', 'Radtext', 'Debet', 'Kredit']);
  // 31 March 2026 is day 46112 of Excel's calendar.
  const facts = ['A1', 46112, '=1+1; "citat"'];
  expect(rows[1]?.slice(0, 3)).toEqual(facts);
  expect(rows[1]?.slice(5)).toEqual([125, '']);
  expect(rows[2]?.slice(5)).toEqual(['', 100]);
});

test('a PDF has every line and the page that it stands on', async () => {
  const answer = await reader.get(`/rapporter/saldobalans/rapport.pdf?${span}`);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  const pages = await pageTexts(answer.rawPayload);
  expect(pages[0]).toContain('Saldobalans 2026-01-01 – 2026-12-31');
  expect(pages[0]).toContain('16 334,99');
  expect(pages[0]).toMatch(/Sida 1 av\s?1/);
});

test('what is too long for a file is said before the file is made', async () => {
  await expect(
    withTx(books.owner, async (tx) => {
      const report = reports.find(({ name }) => name === 'journal');
      if (!report) return;
      const day = { today: TODAY, timeZone: 'Europe/Stockholm' };
      const options = await readOptions(tx, report, {}, day);
      await requireRoom(tx, { ...report, count: async () => 150_001 }, options, 'pdf');
    }),
  ).rejects.toThrow();
});

describe('what cannot be asked is said beside the field', () => {
  test.each([
    ['resultatrakning', 'fran=2026-13-01', 'datum'],
    ['resultatrakning', 'fran=2026-06-01&till=2026-05-31', 'byt plats på dem'],
    ['resultatrakning', 'fran=2020-01-01&till=2026-05-31&manader=on', 'Högst 24 månader'],
    ['resultatrakning', 'dimension=X9', 'Det finns ingen dimension X9'],
    ['resultatrakning', 'dimension=P1', 'P1 är både kostnadsställe och projekt'],
    ['grundbok', 'dimension=project:P1', 'finns inte för en dimension'],
    ['balansrakning', 'manader=on', 'visas inte månad för månad'],
    ['huvudbok', 'konto=19x', 'Skriv ett konto eller ett spann'],
    ['huvudbok', 'konto=1999-1900', 'Skriv ett konto eller ett spann'],
    ['grundbok', 'konto=1930', 'visas för alla konton'],
  ])('%s?%s', async (word, query, sentence) => {
    const { statusCode, body } = await reader.get(`/rapporter/${word}?${query}`);
    expect(statusCode).toBe(400);
    expect(textOf(body)).toContain(sentence);
    expect((await reader.get(`/rapporter/${word}/rapport.csv?${query}`)).statusCode).toBe(400);
  });

  test.each([...reports.map(({ word }) => word)])('no crooked address breaks %s', async (word) => {
    for (const query of [
      'efter=%00',
      'efter=WzEsMl0',
      `efter=${Buffer.from('[["x",1]]').toString('base64url')}`,
      'fran=0001-01-01&till=9999-12-31',
      'till=0001-01-01',
      'till=9999-12-31',
      'fran=2024-02-29&till=2024-02-29',
      'konto=%00',
      'dimension=%00',
      'fran=2026-01-01&fran=2026-02-01',
    ]) {
      const { statusCode } = await reader.get(`/rapporter/${word}?${query}`);
      expect([query, statusCode]).toEqual([query, expect.toSatisfy((code: number) => code < 500)]);
      const file = await reader.get(`/rapporter/${word}/rapport.csv?${query}`);
      expect([query, file.statusCode]).toEqual([
        query,
        expect.toSatisfy((code: number) => code < 500),
      ]);
    }
  });
});
