/** GET /fakturor/{fakturaId}/inkasso (contract 4.12, 2.9): who gets it, what it refuses, and one case in three forms. */
import { parseString } from 'fast-csv';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { CollectionCase } from '#src/domain/sales/collection-case.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { digestOf, judgeDisputed } from '#src/sales/collection/service.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { createRenderer } from '#workers/render.ts';
import { runWorkers } from '#workers/run.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { textOfPage } from '../support/pages.ts';
import { pageTexts } from '../support/pdf.ts';
import { type LoggedIn, logIn, visit } from '../support/person.ts';

let books: Installation;
let reader: LoggedIn;
let stopWorker: () => Promise<void>;
let id: string;
let url: string;
beforeAll(async () => {
  books = await createInstallation();
  reader = await logIn(books, 'lasare');
  const worker = await runWorkers([createRenderer(undefined)], {
    url: await roleUrl(books.url, 'hb_worker'),
    log: pino({ level: 'silent' }),
    timeZone: 'Europe/Stockholm',
  });
  stopWorker = () => worker.stop();
});
afterAll(async () => {
  await stopWorker();
  await books.close();
});
/** 1 250 kr with VAT, due 2026-03-31, with a payment and a reminder. */
beforeEach(async () => {
  [id = ''] = await makeDrafts(books.owner, [1_000n]);
  url = `/fakturor/${id}/inkasso`;
  await withTx(books.owner, async (tx) => {
    await bookInvoices(tx, [id], 'test');
    const amountOre = 25_000n;
    await registerPayment(
      tx,
      { today: TODAY, invoiceId: id, date: '2026-04-30', amountOre },
      'test',
    );
    await registerReminder(
      tx,
      {
        today: TODAY,
        invoiceId: id,
        sentDate: '2026-05-15',
        feeOre: 6_000n,
        isFeeVouchedFor: true,
      },
      'test',
    );
  });
});

const asProgram = { accept: 'application/json' };
const get = (format: string, headers = asProgram) => reader.get(`${url}?format=${format}`, headers);

async function rowsOf(csv: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of parseString(csv.slice(1), { delimiter: ';' })) rows.push(row);
  return rows;
}

describe('who gets it', () => {
  test('nobody without logging in: a program is told 401, a browser is sent to log in', async () => {
    const program = await books.app.inject({ url: `${url}?format=json` });
    expect(program.statusCode).toBe(401);
    expect(program.json()).toMatchObject({ error: 'unauthorized' });
    const browser = await visit(books).get(`${url}?format=pdf`);
    expect(browser.statusCode).toBe(303);
    expect(browser.headers.location).toBe(
      `/logga-in?till=${encodeURIComponent(`${url}?format=pdf`)}`,
    );
  });

  test.each([undefined, 'text/html'])(
    'no API key, whatever it may (accept: %s)',
    async (accept) => {
      const headers = { authorization: `Bearer ${books.key}`, ...(accept ? { accept } : {}) };
      const alone = await books.app.inject({ url: `${url}?format=json`, headers });
      expect(alone.statusCode).toBe(401);
      expect(alone.json()).toMatchObject({ error: 'unauthorized', request_id: expect.any(String) });
      // Nor with somebody's cookies beside it.
      const both = await reader.get(`${url}?format=json`, headers);
      expect(both.statusCode).toBe(401);
    },
  );

  test('not who has been deactivated', async () => {
    const gone = await logIn(books, 'lasare');
    await books.owner.query(
      `update restricted.users set deactivated_at = now() where id = '${gone.id}'`,
    );
    expect((await gone.get(`${url}?format=json`, asProgram)).statusCode).toBe(401);
  });

  test('everybody who may read, and it is written down who did', async () => {
    expect((await get('json')).statusCode).toBe(200);
    const events = await db(books.owner).query(sql`select actor, detail ->> 'format' as format
      from audit.events where action = 'collection.exported' and subject = ${id}`);
    expect(events).toEqual([{ actor: `user:${reader.id}`, format: 'json' }]);
  });
});

test('names units and discounts as they stand on the invoice, and makes none up', async () => {
  const rows = [
    { quantityE4: 25_000n, unit: 'tim', unitPriceE4: 1_000_000n, discountE2: 1_250n },
    { quantityE4: 10_000n, unitPriceE4: 1_000_000n },
  ];
  id = await makeInvoice(books.owner, rows);
  url = `/fakturor/${id}/inkasso`;
  const { invoice } = (await get('json')).json() as CollectionCase;
  expect(invoice.lines).toMatchObject([
    { quantity: 2.5, unit: 'tim', unitPrice: 100, discountPct: 12.5, lineAmount: 218.75 },
    { quantity: 1, unit: null, unitPrice: 100, discountPct: 0, lineAmount: 100 },
  ]);
  const [text = ''] = await pageTexts((await get('pdf')).rawPayload);
  expect(text).toContain('Antal Enhet À-pris utan moms Rabatt Moms');
  expect(text).toMatch(/2,5 tim 100,00 12,5\s% 25\s% 218,75/);
});

describe('what it refuses', () => {
  test.each(['', '?format=', '?format=xml', '?format=json&format=csv', '?format=json&x=1'])(
    'a query like %j, naming the parameter',
    async (query) => {
      const answer = await reader.get(`${url}${query}`, asProgram);
      expect(answer.statusCode).toBe(400);
      const [problem] = answer.json().detail.problems;
      expect(problem.path).toBe(query.endsWith('x=1') ? 'x' : 'format');
      if (problem.path === 'x') expect(problem.message).toContain('är ingen känd parameter');
    },
  );

  test('an invoice that is not there', async () => {
    for (const wrong of ['01980a3c-5b1e-7c3a-9d0f-2f6a4b8c1d2e', 'x']) {
      const address = `/fakturor/${wrong}/inkasso?format=json`;
      const answer = await reader.get(address, asProgram);
      expect([wrong, answer.statusCode, answer.json().error]).toEqual([wrong, 404, 'not_found']);
    }
  });

  test('one that cannot be collected: a body for programs, a page for people', async () => {
    [id = ''] = await makeDrafts(books.owner, [1n], '2026-11-20');
    url = `/fakturor/${id}/inkasso`;
    expect((await get('csv')).json()).toMatchObject({
      error: 'unprocessable',
      message: 'Fakturan är inte bokförd.',
    });
    await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
    const page = await reader.get(`${url}?format=pdf`);
    expect(page.statusCode).toBe(422);
    expect(page.headers['content-type']).toContain('text/html');
    expect(textOfPage(page.body)).toContain('Fakturan förfaller 2026-11-20; den är inte sen.');
    const card = textOfPage((await reader.get(`/kundfakturor/${id}`)).body);
    expect(card).toContain('Inkasso, om fakturan inte blir betald i tid');
    expect(card).not.toContain('Inkassounderlag');
  });

  test('other methods', async () => {
    const answer = await reader.post(url, {});
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the case', () => {
  test('is one in all forms: same digest, same fields, same sums', async () => {
    await withTx(books.owner, async (tx) => {
      await changeSetting(tx, 'company-city', '=1+1', 'test');
      await changeSetting(tx, 'company-phone', '+46 40-12 34 56', 'test');
      await judgeDisputed(tx, id, 'Reklamerad', 'test');
    });
    const [json, csv, pdf] = [await get('json'), await get('csv'), await get('pdf')];
    for (const [answer, type, extension] of [
      [json, 'application/json; charset=utf-8', 'json'],
      [csv, 'text/csv; charset=utf-8', 'csv'],
      [pdf, 'application/pdf', 'pdf'],
    ] as const) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers['x-case-digest']).toBe(json.headers['x-case-digest']);
      expect(answer.headers['content-disposition']).toMatch(
        new RegExp(`^attachment; filename="inkasso-\\d+\\.${extension}"$`),
      );
    }
    const subject = json.json() as CollectionCase;
    expect(digestOf(subject)).toBe(json.headers['x-case-digest']);

    expect(csv.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const rows = await rowsOf(csv.body);
    const text = (value: unknown): string => {
      if (value === null) return '';
      const plain = String(value);
      if (typeof value === 'number') return plain.replace('.', ',');
      return plain === '=1+1' ? `'${plain}` : plain;
    };
    const expectRow = (...values: unknown[]) =>
      expect(rows.map((row) => row.join('|').replace(/\|+$/, ''))).toContain(
        values.map(text).join('|').replace(/\|+$/, ''),
      );
    const { lines, ...invoice } = subject.invoice;
    const { segments, missingPeriods, ...interest } = subject.interest;
    for (const [name, part] of Object.entries({
      creditor: subject.creditor,
      debtor: subject.debtor,
      invoice,
      interest,
    })) {
      for (const [key, value] of Object.entries(part)) expectRow('case', `${name}.${key}`, value);
    }
    for (const key of ['schema', 'schemaVersion', 'preparedAt', 'disputed'] as const) {
      expectRow('case', key, subject[key]);
    }
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      const { rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount } =
        line;
      expectRow(
        'line',
        ...[rowNo, description, quantity, unit, unitPrice, discountPct, vatRatePct, lineAmount],
      );
    }
    for (const { date, amount } of subject.payments) expectRow('payment', date, amount);
    for (const one of subject.reminders) {
      expectRow('reminder', one.reminderNo, one.sentDate, one.fee);
    }
    for (const one of segments) {
      expectRow('segment', one.from, one.to, one.days, one.ratePct, one.balance, one.amount);
    }
    expect(missingPeriods).toEqual([]);
    for (const [name, { amount, currency }] of Object.entries(subject.claim)) {
      expectRow('claim', name, amount, currency);
    }
    // No cell that a spreadsheet would run.
    expect(rows.flat().filter((cell) => /^[=@]/.test(cell))).toEqual([]);
    expect(subject.creditor.city).toBe('=1+1');

    const printed = (await pageTexts(pdf.rawPayload)).join(' ').replace(/\s+/g, ' ');
    expect(printed.replaceAll(' ', '')).toContain(String(json.headers['x-case-digest']));
    const kronor = (amount: number): string =>
      amount
        .toFixed(2)
        .replace('.', ',')
        .replace(/\B(?=(\d{3})+(?!\d))/g, ' ');
    for (const { amount } of Object.values(subject.claim)) {
      expect(printed).toContain(`${kronor(amount)} kr`);
    }
    for (const one of segments) expect(printed).toContain(`${one.from} – ${one.to}`);
    expect(printed).toContain('tvistigt');
    await withTx(books.owner, (tx) => changeSetting(tx, 'company-city', '', 'test'));
  });

  test('is the same until something happens, also for two who ask at once', async () => {
    const answers = await Promise.all([get('json'), get('csv'), get('json'), get('csv')]);
    const digests = new Set(answers.map(({ headers }) => headers['x-case-digest']));
    expect(digests.size).toBe(1);
    const amountOre = 10_000n;
    await withTx(books.owner, (tx) =>
      registerPayment(tx, { today: TODAY, invoiceId: id, date: '2026-11-20', amountOre }, 'test'),
    );
    expect(digests).not.toContain((await get('json')).headers['x-case-digest']);
  });

  test('is printed once, however often it is asked for', async () => {
    const count = async () =>
      (await db(books.owner).query(sql`select from archive.renderings`)).length;
    const first = await get('pdf');
    const before = await count();
    const again = await Promise.all([get('pdf'), get('pdf')]);
    for (const { rawPayload } of again) expect(rawPayload).toEqual(first.rawPayload);
    expect(await count()).toBe(before);
  });
});

describe('other documents', () => {
  test('the invoice and its reminder are printed for whoever may read', async () => {
    const invoice = await reader.get(`/kundfakturor/${id}/pdf`);
    expect(invoice.headers['content-type']).toBe('application/pdf');
    expect(invoice.headers['content-disposition']).toMatch(/filename="faktura-\d+\.pdf"/);
    expect((await pageTexts(invoice.rawPayload)).join(' ')).toContain('1 250,00');
    const reminder = await reader.get(`/kundfakturor/${id}/paminnelser/1/pdf`);
    expect((await pageTexts(reminder.rawPayload)).join(' ')).toContain('Betalningspåminnelse');
    expect((await reader.get(`/kundfakturor/${id}/paminnelser/2/pdf`)).statusCode).toBe(404);
    expect((await visit(books).get(`/kundfakturor/${id}/pdf`)).statusCode).toBe(303);
  });

  test('the page tells whether the case is ready, and what is missing', async () => {
    const page = await reader.get(`/kundfakturor/${id}`);
    const text = textOfPage(page.body);
    expect(text).toContain('Kan lämnas, men se efter');
    expect(text).toContain('På fakturan saknas adress, postnummer och ort');
    expect(text).toContain('En påminnelse, senast 2026-05-15; avgifter 60,00 kr');
    expect(page.body).toContain(`href="${url}?format&#x3D;csv"`);
  });
});
