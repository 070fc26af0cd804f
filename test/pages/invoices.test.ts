/** The list of customer invoices: every tab, search and page, and what each row says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { hostile, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, visit } from '../support/person.ts';

let books: Installation;
let reader: LoggedIn;
const made: Record<'draft' | 'overdue' | 'unpaid' | 'paid' | 'credited', string> = {
  draft: '',
  overdue: '',
  unpaid: '',
  paid: '',
  credited: '',
};
beforeAll(async () => {
  books = await createInstallation();
  reader = await logIn(books, 'lasare');
  const past = await makeDrafts(books.owner, [100n, 200n, 300n, 400n]);
  const [unpaid = ''] = await makeDrafts(books.owner, [500n], '2026-11-20');
  [made.draft, made.overdue, made.paid, made.credited] = past as [string, string, string, string];
  made.unpaid = unpaid;
  await withTx(books.owner, async (tx) => {
    const { id } = await insertCustomer(tx, {
      name: `Åkes Åkeri ${hostile}`.slice(0, 200),
      organizationNumber: '5560360793',
    });
    await tx.query(sql`update sales.invoices set customer_id = ${id}::uuid
      where id = ${made.overdue}::uuid`);
    const { overdue, paid, credited } = made;
    await bookInvoices(tx, [overdue, paid, credited, unpaid], 'test');
    await registerPayment(
      tx,
      { today: TODAY, invoiceId: paid, date: '2026-04-01', amountOre: 37_500n },
      'test',
    );
    await creditInvoice(tx, { invoiceId: credited, date: '2026-04-01' }, 'test');
  });
});
afterAll(() => books.close());

const list = async (query = '') => (await reader.get(`/kundfakturor${query}`)).body;
const idsIn = (html: string): string[] =>
  [...html.matchAll(/row-link" href="\/kundfakturor\/([0-9a-f-]{36})"/g)].map(([, id = '']) => id);

describe('tabs', () => {
  test('everything, newest first', async () => {
    const html = await list();
    expect(idsIn(html)).toHaveLength(6);
    expect(idsIn(html)[0]).toBe(made.unpaid);
    const text = textOfPage(html);
    expect(text).toContain('Kunderna är skyldiga 875,00 kr');
    expect(text).toContain('Varav förfallet 250,00 kr');
    expect(text).toContain('förföll för 234 dagar sedan');
    expect(text).toContain('förfaller i dag');
  });

  test.each([
    ['utkast', ['draft']],
    ['obetalda', ['overdue', 'unpaid']],
    ['forfallna', ['overdue']],
    ['betalda', ['paid']],
  ] as const)('%s', async (tab, expected) => {
    expect(idsIn(await list(`?flik=${tab}`))).toEqual(expected.map((name) => made[name]));
  });

  test('credited invoices, and the notes that credit', async () => {
    const ids = idsIn(await list('?flik=krediterade'));
    expect(ids).toHaveLength(2);
    expect(ids).toContain(made.credited);
  });

  test('that do not exist are said to be so', async () => {
    const answer = await reader.get('/kundfakturor?flik=sena');
    expect(answer.statusCode).toBe(400);
    expect(textOfPage(answer.body)).toContain('flik är något av');
  });
});

describe('search', () => {
  const numberOf = async (id: string) => {
    const [row] = await db(books.owner).query<{ number: number; ocr: string }>(
      sql`select number, ocr from sales.invoices where id = ${id}::uuid`,
    );
    return row;
  };

  test('by number, OCR, organization number, and how the name begins', async () => {
    const { number, ocr } = (await numberOf(made.overdue)) ?? {};
    for (const asked of [number, ocr, '556036-0793', 'åkes å', 'ÅKERI']) {
      const found = idsIn(await list(`?sok=${encodeURIComponent(String(asked))}`));
      expect([asked, found]).toEqual([asked, [made.overdue]]);
    }
  });

  test('stays within the tab, and says when nothing is there', async () => {
    const html = await list('?flik=betalda&sok=%C3%A5kes');
    expect(idsIn(html)).toEqual([]);
    expect(html).toContain('Inga fakturor här');
  });

  test.each(['%', '_', "'", '<script>alert(1)</script>', '99999999999999999999', '\u0000'])(
    'for %j is a search like others',
    async (asked) => {
      const answer = await reader.get(`/kundfakturor?sok=${encodeURIComponent(asked)}`);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toContain('<script>alert');
    },
  );
});

describe('pages', () => {
  test('follow each other without gaps or repeats, and a broken place is an error', async () => {
    await makeDrafts(books.owner, Array<bigint>(120).fill(1n), '2026-06-30');
    const seen: string[] = [];
    let next: string | undefined = '/kundfakturor';
    for (let page = 0; next !== undefined && page < 9; page += 1) {
      const { body } = await reader.get(next.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&'));
      seen.push(...idsIn(body));
      next = /class="button" href="([^"]+)" rel="next"/.exec(body)?.[1];
    }
    expect(seen).toHaveLength(126);
    expect(new Set(seen).size).toBe(126);
    for (const place of ['x', '2026-02-30_x', `2026-01-01_${made.paid}x`]) {
      expect((await reader.get(`/kundfakturor?efter=${place}`)).statusCode).toBe(400);
    }
  });
});

test('nobody reads it without logging in', async () => {
  const answer = await visit(books).get('/kundfakturor');
  expect(answer.headers.location).toBe('/logga-in?till=%2Fkundfakturor');
});
