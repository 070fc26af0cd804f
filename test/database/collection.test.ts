/** Collection cases from real books: they add up, say the same in every format, and leave a trace. */
import { parseString } from 'fast-csv';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { CollectionCase } from '#src/domain/sales/collection-case.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import {
  type CaseFormat,
  digestOf,
  exportCase,
  judgeDisputed,
} from '#src/sales/collection/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { prepareReminderPdf } from '#src/sales/invoices/documents.ts';
import { registerReminder, withdrawFee } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { inWords } from '../support/words.ts';
import { tamper } from './books.ts';

const ACTOR = 'test';
/** The log of a mail with the invoice that a server took at that moment. */
async function makeSentMail(invoiceId: string, sentAt: string): Promise<void> {
  const mail = uuid();
  await tamper(
    books.url,
    `insert into sales.mails (id, invoice_id, kind, sender_name, sender, recipients, subject, body,
      page_sha256, file_name, message_id, state, delivered_to, sent_at, created_by)
    values ('${mail}', '${invoiceId}', 'invoice', 'Vi', 'vi@exempel.se', '{kund@exempel.se}', 'Faktura',
      'Hej', '\\x00', 'faktura.pdf', '<${mail}@exempel.se>', 'sent', '{kund@exempel.se}', '${sentAt}', 'x')`,
  );
}
const preparedAt = new Date('2026-08-31T10:00:00Z');
let books: Books;
beforeAll(async () => {
  books = await createBooks();
});
afterAll(() => books.close());

const timeZone = 'Europe/Stockholm';
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
let id: string;
/** An invoice of 1 000 kr and VAT, due 2026-03-31. */
beforeEach(async () => {
  [id = ''] = await makeDrafts(books.owner, [1_000n]);
  await owner((tx) => bookInvoices(tx, [id], ACTOR));
});

const exported = (format: CaseFormat, day = '2026-08-31') =>
  owner((tx) => exportCase(tx, id, { day, preparedAt, timeZone, format }, ACTOR));
const caseOf = async (day?: string): Promise<CollectionCase> =>
  JSON.parse((await exported('json', day)).content);
const pay = (amountOre: bigint, date: string) =>
  owner((tx) => registerPayment(tx, { today: TODAY, invoiceId: id, date, amountOre }, ACTOR));
const remind = (feeOre: bigint, sentDate: string) =>
  owner((tx) =>
    registerReminder(
      tx,
      { today: TODAY, invoiceId: id, sentDate, feeOre, isFeeVouchedFor: true },
      ACTOR,
    ),
  );

describe('a case', () => {
  test('has capital, interest and fees apart, and they add up', async () => {
    await pay(25_000n, '2026-04-30');
    await remind(6_000n, '2026-05-15');
    const subject = await caseOf();
    // 1 250 × 10 % × 30 ÷ 365 = 10,27; 1 000 × 10 % × 123 ÷ 365 = 33,70
    expect(subject.interest).toMatchObject({
      amount: 43.97,
      days: 153,
      fromDate: '2026-04-01',
      toDate: '2026-08-31',
      rateSource: 'rantelagen',
      agreedRatePct: null,
      incomplete: false,
      missingPeriods: [],
      segments: [
        {
          from: '2026-04-01',
          to: '2026-04-30',
          days: 30,
          ratePct: 10,
          balance: 1250,
          amount: 10.27,
        },
        {
          from: '2026-05-01',
          to: '2026-08-31',
          days: 123,
          ratePct: 10,
          balance: 1000,
          amount: 33.7,
        },
      ],
    });
    expect(subject.claim).toEqual({
      principal: { amount: 1000, currency: 'SEK' },
      interest: { amount: 43.97, currency: 'SEK' },
      reminderFees: { amount: 60, currency: 'SEK' },
      total: { amount: 1103.97, currency: 'SEK' },
    });
    expect(subject.payments).toEqual([{ date: '2026-04-30', amount: 250 }]);
    expect(subject.reminders).toEqual([{ reminderNo: 1, sentDate: '2026-05-15', fee: 60 }]);
  });

  test('counts a credit note as a payment, and what was paid beyond the invoice as fees', async () => {
    await remind(6_000n, '2026-04-15');
    await owner((tx) =>
      creditInvoice(
        tx,
        { invoiceId: id, date: '2026-04-20', rows: [{ rowNo: 1, quantityE4: 5_000n }] },
        ACTOR,
      ),
    );
    await pay(62_500n + 2_000n, '2026-05-31');
    const { claim, payments } = await caseOf();
    expect(payments).toEqual([
      { date: '2026-04-20', amount: 625 },
      { date: '2026-05-31', amount: 645 },
    ]);
    expect([claim.principal.amount, claim.reminderFees.amount]).toEqual([0, 40]);
  });

  test('uses the rate that was agreed when the invoice was booked, whatever is agreed later', async () => {
    await books.owner.query('update sales.customers set agreed_rate_e2 = 2400');
    const before = id;
    try {
      [id = ''] = await makeDrafts(books.owner, [1_000n]);
      await owner((tx) => bookInvoices(tx, [id], ACTOR));
    } finally {
      await books.owner.query('update sales.customers set agreed_rate_e2 = null');
    }
    expect((await caseOf()).interest).toMatchObject({ rateSource: 'avtalad', agreedRatePct: 24 });
    id = before;
    expect((await caseOf()).interest).toMatchObject({ rateSource: 'rantelagen' });
    await expect(
      books.owner.query(`update sales.invoices set agreed_rate_e2 = 1 where id = '${id}'`),
    ).rejects.toMatchObject({ constraint: 'invoices_are_frozen' });
  });

  test('counts interest from a demand where no due date was agreed, by the log of mails', async () => {
    await owner((tx) => changeSetting(tx, 'interest-from', 'demand', ACTOR));
    await owner((tx) => changeSetting(tx, 'interest-stated', 'off', ACTOR));
    try {
      [id = ''] = await makeDrafts(books.owner, [1_000n]);
      await owner((tx) => bookInvoices(tx, [id], ACTOR));
    } finally {
      await owner((tx) => changeSetting(tx, 'interest-from', 'due_date', ACTOR));
      await owner((tx) => changeSetting(tx, 'interest-stated', 'on', ACTOR));
    }
    // The customer of the tests has no number: a consumer, who was told of no interest.
    expect((await caseOf()).interest).toMatchObject({ amount: 0, segments: [], basis: null });
    await tamper(
      books.url,
      `update sales.invoices set debtor = debtor || '{"orgNumber": "5560360793"}' where id = '${id}'`,
    );
    expect((await caseOf()).interest).toMatchObject({
      basis: 'rantelagen_4',
      fromDate: '2026-05-01',
    });
    await makeSentMail(id, '2026-04-10T22:30:00Z');
    expect((await caseOf()).interest.fromDate).toBe('2026-05-12');
    expect((await exported('csv')).content).toContain('case;interest.basis;rantelagen_4');
    expect((await exported('html')).content).toContain('4 § räntelagen');
  });

  test('counts interest on what is credited until the credit note takes effect', async () => {
    const half = { rows: [{ rowNo: 1, quantityE4: 5_000n }], date: '2026-06-30' };
    const creditNote = (effect: 'own' | 'invoice') =>
      owner((tx) => creditInvoice(tx, { invoiceId: id, effect, ...half }, ACTOR));
    await creditNote('own');
    const own = await caseOf();
    expect(own.payments).toEqual([{ date: '2026-06-30', amount: 625 }]);
    expect(own.interest.segments.map(({ to, balance }) => [to, balance])).toEqual([
      ['2026-06-30', 1250],
      ['2026-08-31', 625],
    ]);
    [id = ''] = await makeDrafts(books.owner, [1_000n]);
    await owner((tx) => bookInvoices(tx, [id], ACTOR));
    await creditNote('invoice');
    const whole = await caseOf();
    expect(whole.payments).toEqual([{ date: '2026-03-31', amount: 625 }]);
    expect(whole.interest.segments.map(({ from, balance }) => [from, balance])).toEqual([
      ['2026-04-01', 625],
    ]);
    expect(whole.interest.amount).toBeLessThan(own.interest.amount);
    expect((await exported('csv')).content).toContain('payment;2026-03-31;625');
    expect((await exported('html')).content).toContain('2026-03-31');
    // The reminder that went before the credit note still says what was asked for then.
    await remind(0n, '2026-05-15');
    const reminder = await owner((tx) => prepareReminderPdf(tx, id, 1, 'Europe/Stockholm'));
    expect(reminder.html).toMatch(/1.250,00/);
  });

  test('claims no fee that was withdrawn, and what was written off as a loss all the same', async () => {
    await remind(6_000n, '2026-05-15');
    const withdrawal = {
      invoiceId: id,
      reminderNo: 1,
      date: '2026-05-20',
      today: TODAY,
      reason: null,
    };
    await owner((tx) => withdrawFee(tx, withdrawal, ACTOR));
    const differences = { bank_fee: 500n, loss: 50_000n };
    const payment = {
      invoiceId: id,
      date: '2026-06-30',
      today: TODAY,
      amountOre: 24_500n,
      differences,
    };
    await owner((tx) => registerPayment(tx, payment, ACTOR));
    const subject = await caseOf();
    expect(subject.reminders).toEqual([{ reminderNo: 1, sentDate: '2026-05-15', fee: 0 }]);
    expect(subject.payments).toEqual([{ date: '2026-06-30', amount: 250 }]);
    expect(subject.claim).toMatchObject({
      principal: { amount: 1000 },
      reminderFees: { amount: 0 },
    });
  });

  test('tells who the creditor is and how to pay, and that a claim is disputed', async () => {
    await owner((tx) => changeSetting(tx, 'company-bankgiro', '5050-1055', ACTOR));
    await owner((tx) => judgeDisputed(tx, id, 'Kunden har reklamerat.', ACTOR));
    const subject = await caseOf();
    expect(subject.creditor).toMatchObject({
      name: 'Testbolaget AB',
      orgNumber: '5567026934',
      bankgiro: '5050-1055',
      plusgiro: null,
    });
    expect(subject.disputed).toBe(true);
    await owner((tx) => judgeDisputed(tx, id, null, ACTOR));
    expect((await caseOf()).disputed).toBe(false);
  });

  test.each([
    ['is not late', '2026-03-31'],
    ['is not late', '2026-03-01'],
  ])('there is none of an invoice that %s on %s', async (_why, day) => {
    await expect(caseOf(day)).rejects.toMatchObject({ code: 'unprocessable' });
  });

  test('there is none of what is paid, of a draft or of a credit note', async () => {
    await pay(125_000n, '2026-05-01');
    await expect(inWords(caseOf())).rejects.toThrow('betald');
    [id = ''] = await makeDrafts(books.owner, [1n]);
    await expect(inWords(caseOf())).rejects.toThrow('inte bokförd');
  });
});

describe('exports', () => {
  async function rows(content: string): Promise<string[][]> {
    const found: string[][] = [];
    for await (const row of parseString(content.slice(1), { delimiter: ';' })) found.push(row);
    return found;
  }

  test('say the same in every format, under one digest', async () => {
    await pay(25_000n, '2026-04-30');
    const [json, csv] = [await exported('json'), await exported('csv')];
    expect(json.digest).toBe(csv.digest);
    const subject = JSON.parse(json.content) as CollectionCase;
    expect(digestOf(subject)).toBe(json.digest);
    expect(csv.content.charCodeAt(0)).toBe(0xfeff);
    const [header, ...lines] = await rows(csv.content);
    expect(header?.slice(0, 3)).toEqual(['section', 'name', 'value1']);
    const named = new Map(
      lines.map(([section, name, ...values]) => [`${section} ${name}`, values]),
    );
    expect(named.get('case digest')?.[0]).toBe(json.digest);
    const swedish = (amount: number) => String(amount).replace('.', ',');
    for (const [name, { amount }] of Object.entries(subject.claim)) {
      expect(named.get(`claim ${name}`)?.[0]).toBe(swedish(amount));
    }
    for (const [name, value] of Object.entries(subject.debtor)) {
      expect(named.get(`case debtor.${name}`)?.[0]).toBe(value ?? '');
    }
    for (const segment of subject.interest.segments) {
      expect(named.get(`segment ${segment.from}`)).toEqual([
        segment.to,
        String(segment.days),
        swedish(segment.ratePct),
        swedish(segment.balance),
        swedish(segment.amount),
        '',
        '',
      ]);
    }
  });

  test('asked for later the same day are the same case, until something happens', async () => {
    const at = (time: string, day = '2026-08-31') =>
      owner((tx) =>
        exportCase(tx, id, { day, preparedAt: new Date(time), timeZone, format: 'json' }, ACTOR),
      );
    const first = await at('2026-08-31T08:00:00.123Z');
    expect(await at('2026-08-31T15:00:00Z')).toEqual(first);
    expect(JSON.parse(first.content)).toMatchObject({ preparedAt: '2026-08-31T08:00:00.123Z' });
    const nextDay = await at('2026-09-01T08:00:00Z', '2026-09-01');
    expect(JSON.parse(nextDay.content)).toMatchObject({ preparedAt: '2026-09-01T08:00:00.000Z' });
    await remind(0n, '2026-05-15');
    const after = await at('2026-08-31T16:00:00Z');
    expect(JSON.parse(after.content)).toMatchObject({ preparedAt: '2026-08-31T16:00:00.000Z' });
  });

  test('are pages that a person reads, escaped, with the same sums and digest', async () => {
    await owner((tx) => changeSetting(tx, 'company-city', '<b>Umeå</b>', ACTOR));
    const [json, page] = [await exported('json'), await exported('html')];
    await owner((tx) => changeSetting(tx, 'company-city', '', ACTOR));
    expect(page.content).toContain(json.digest);
    expect(page.content).toContain('&lt;b&gt;Umeå&lt;/b&gt;');
    const { claim } = JSON.parse(json.content) as CollectionCase;
    const total = claim.total.amount.toFixed(2).replace('.', ',');
    expect(page.content.replaceAll('\u00a0', '')).toContain(`${total}kr`);
  });

  test('say the day that it was in Sweden when they were prepared', async () => {
    const preparedAt = new Date('2026-08-30T22:30:00Z');
    const { content } = await owner((tx) =>
      exportCase(tx, id, { day: '2026-08-31', preparedAt, timeZone, format: 'html' }, ACTOR),
    );
    expect(content).toContain('Upprättat 2026-08-31');
  });

  test('put no formula into a spreadsheet', async () => {
    await owner((tx) => changeSetting(tx, 'company-city', '=HYPERLINK("http://x")', ACTOR));
    const { content } = await exported('csv');
    expect(content).toContain(`'=HYPERLINK`);
    await owner((tx) => changeSetting(tx, 'company-city', '', ACTOR));
  });

  test('are in the audit trail, with the digest', async () => {
    const { digest } = await exported('csv');
    const trail = await db(books.owner).query(sql`select detail from audit.events
      where action = 'collection.exported' and subject = ${id}`);
    expect(trail).toEqual([{ detail: { digest, format: 'csv', total: expect.any(Number) } }]);
  });
});
