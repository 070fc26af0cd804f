/** What happens to a booked invoice, registered by people: each thing once, and refused where it was typed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { errorAt, hiddenOf, hostile, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let colleague: LoggedIn;
let id: string;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
  colleague = await logIn(books, 'medarbetare');
});
afterAll(() => books.close());
/** 1 250 kr with VAT, due 2026-03-31. */
beforeEach(async () => {
  [id = ''] = await makeDrafts(books.owner, [1_000n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
});

/** The form as its page makes it, with what it was made from. */
async function formOf(who: LoggedIn, name: string): Promise<Record<string, string>> {
  const { body } = await who.get(`/kundfakturor/${id}/${name}`);
  return { ...tokensOf(body), seen: hiddenOf(body, 'seen') };
}
const send = async (name: string, fields: Record<string, string>, who = person) =>
  who.post(`/kundfakturor/${id}/${name}`, { ...(await formOf(who, name)), ...fields });
const pay = (fields: Record<string, string> = {}) =>
  send('betalning', { amount: '1 250,00', date: '2026-04-15', account: '1930', ...fields });
const remind = (fields: Record<string, string> = {}) =>
  send('paminnelse', { sentDate: '2026-04-15', fee: '60', feeAgreed: 'on', ...fields });
/** Sent again with the total that the page answers with, when it had shown another or none. */
const credit = async (fields: Record<string, string> = {}) => {
  const typed = { date: '2026-04-20', extent: 'all', ...fields };
  const { body } = await person.get(`/kundfakturor/${id}/kreditera`);
  const first = await send('kreditera', { ...typed, shown: hiddenOf(body, 'shown') });
  if (!first.body.includes('Inget är krediterat än')) return first;
  return send('kreditera', { ...typed, shown: hiddenOf(first.body, 'shown') });
};

async function standing() {
  const [row] = await db(books.owner).query<{
    status: string;
    open_ore: bigint;
    payments: number;
    reminders: number;
  }>(sql`select status, open_ore,
      (select count(*)::integer from sales.payments p where p.invoice_id = i.id) as payments,
      (select count(*)::integer from sales.reminders r where r.invoice_id = i.id) as reminders
    from sales.invoices i where i.id = ${id}::uuid`);
  return row;
}
const detail = async () => textOfPage((await person.get(`/kundfakturor/${id}`)).body);

describe('a payment', () => {
  test('is proposed with what remains, and makes the invoice paid', async () => {
    const form = await person.get(`/kundfakturor/${id}/betalning`);
    expect(form.body.replaceAll('\u00a0', ' ')).toContain('name="amount" value="1 250,00"');
    expect(form.body).toContain('name="account" value="1930"');
    const answer = await pay({ reference: 'OCR <b>1</b>' });
    expect(answer.headers.location).toBe(`/kundfakturor/${id}`);
    expect(await standing()).toMatchObject({ status: 'paid', open_ore: 0n, payments: 1 });
    const page = await person.get(`/kundfakturor/${id}`);
    expect(page.body).toContain('Betalningen är bokförd. Fakturan är betald.');
    expect(page.body).toContain('OCR &lt;b&gt;1&lt;/b&gt;');
    expect(page.body).toMatch(/href="\/verifikat\/[0-9a-f-]{36}">C\d+</);
    expect(page.body).not.toContain('Registrera betalning<');
  });

  test('of a part leaves the rest', async () => {
    await pay({ amount: '250' });
    expect(await standing()).toMatchObject({ status: 'booked', open_ore: 100_000n });
    expect(await detail()).toContain('Kvar att betala 1 000,00 kr');
  });

  test('sent twice is registered once', async () => {
    const fields = {
      ...(await formOf(person, 'betalning')),
      amount: '100',
      date: '2026-04-15',
      account: '1930',
    };
    const url = `/kundfakturor/${id}/betalning`;
    const answers = await Promise.all([1, 2, 3].map(() => person.post(url, fields)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    expect(await standing()).toMatchObject({ open_ore: 115_000n, payments: 1 });
  });

  test('that two people register at once is registered once, also when it is a part', async () => {
    const fields = { amount: '100', date: '2026-04-15', account: '1930' };
    const forms = await Promise.all([person, colleague].map((who) => formOf(who, 'betalning')));
    const url = `/kundfakturor/${id}/betalning`;
    const answers = await Promise.all([
      person.post(url, { ...forms[0], ...fields }),
      colleague.post(url, { ...forms[1], ...fields }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
    const late = answers.find(({ statusCode }) => statusCode === 422);
    expect(textOfPage(late?.body ?? '')).toContain('nu återstår 1 150,00 kr. Inget är registrerat');
    // Looked at once more, it can be sent as it stands.
    expect(late?.body).toContain('name="amount" value="100"');
    expect(await standing()).toMatchObject({ open_ore: 115_000n, payments: 1 });
  });

  test('short of a bank fee and an öre settles all, each row of its own kind', async () => {
    const answer = await pay({ amount: '1244,50', bank_fee: '5', rounding: '0,50' });
    expect(answer.statusCode).toBe(303);
    expect(await standing()).toMatchObject({ status: 'paid', open_ore: 0n, payments: 3 });
    expect(await detail()).toMatch(/6570 ?Bankavgift/);
    const loss = await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]);
    id = loss;
    expect((await pay({ amount: '0', loss: '125' })).statusCode).toBe(303);
    expect(await detail()).toMatch(/6351 ?Kundförlust/);
    const [voucher] = await db(books.owner).query<{ rows: string }>(
      sql`select string_agg(r.account || ' ' || r.debit_ore - r.credit_ore || ' ' || coalesce(r.vat_code, '–'),
            ', ' order by r.row_no) as rows
          from sales.payments p join ledger.voucher_rows r on r.voucher_id = p.voucher_id
          where p.invoice_id = ${id}::uuid`,
    );
    expect(voucher?.rows).toBe('6351 10000 MP1, 2611 2500 U1, 1510 -12500 –');
  });

  test('taken back is one with minus', async () => {
    await pay();
    expect((await pay({ amount: '−1250' })).statusCode).toBe(303);
    expect(await standing()).toMatchObject({ status: 'booked', open_ore: 125_000n, payments: 2 });
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['of more than remains', { amount: '1250,01' }, 'amount', /återstår/],
    ['of nothing', { amount: '0' }, 'amount', /inte vara 0/],
    ['of words', { amount: 'allt' }, 'amount', /Skriv ett belopp/],
    ['going back without having come', { amount: '-1' }, 'amount', /är betalt/],
    ['on an unknown account', { account: '1999' }, 'account', /finns inte/],
    ['without a day', { date: '' }, 'date', /Fyll i fältet/],
    ['on a day to come', { date: '2031-01-01' }, 'date', /har inte varit än/],
    ['before the invoice', { date: '2026-03-30' }, 'date', /förskott: bokför dem på 2420/],
    ['on an account of revenue', { account: '3001' }, 'account', /kommer inte genom konto 3001/],
    ['on receivables', { account: '1510' }, 'account', /kvittas/],
    ['with a whole krona as rounding', { amount: '1249', rounding: '1' }, 'rounding', /mindre än/],
    ['with a fee the other way', { bank_fee: '-5' }, 'bank_fee', /byt tecken/],
  ])('%s is refused where it was typed', async (_what, wrong, name, message) => {
    const answer = await pay(wrong);
    expect([400, 422]).toContain(answer.statusCode);
    expect(errorAt(answer.body, name)).toMatch(message);
    expect(await standing()).toMatchObject({ payments: 0 });
  });

  test('in a locked period says which lock and until when, at the date', async () => {
    await books.owner.query(`update ledger.locks set period_locked_to = '2026-04-30'`);
    try {
      const answer = await pay();
      expect(answer.statusCode).toBe(422);
      expect(errorAt(answer.body, 'date')).toBe(
        'Perioden är låst till och med 2026-04-30. Tidigaste tillåtna datum är 2026-05-01.',
      );
    } finally {
      await books.owner.query('update ledger.locks set period_locked_to = null');
    }
  });
});

describe('a reminder', () => {
  test('is registered with its fee and its voucher', async () => {
    expect((await remind()).statusCode).toBe(303);
    expect(await standing()).toMatchObject({ open_ore: 131_000n, reminders: 1 });
    const page = await person.get(`/kundfakturor/${id}`);
    expect(page.body).toContain(`/kundfakturor/${id}/paminnelser/1/pdf`);
    const next = await person.get(`/kundfakturor/${id}/paminnelse`);
    expect(next.body).toContain('Registrera påminnelse 2');
    // The terms of this invoice have no fee, so none is proposed.
    expect(next.body).toContain('name="fee" value="0,00"');
    const again = await remind();
    expect(errorAt(again.body, 'sentDate')).toMatch(/skickades 2026-04-15; nästa/);
  });

  test('has a fee by the terms that held when the invoice was booked', async () => {
    await withTx(books.owner, (tx) => changeSetting(tx, 'reminder-fees', 'on', 'test'));
    const before = id;
    [id = ''] = await makeDrafts(books.owner, [1_000n]);
    await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
    await withTx(books.owner, (tx) => changeSetting(tx, 'reminder-fees', 'off', 'test'));
    expect((await remind({ feeAgreed: '' })).statusCode).toBe(303);
    const next = await person.get(`/kundfakturor/${id}/paminnelse`);
    expect(next.body).toContain('name="fee" value="60,00"');
    id = before;
    expect((await remind({ feeAgreed: '' })).statusCode).toBe(422);
  });

  test('loses its fee when that is taken back, by a voucher of its own', async () => {
    await remind();
    const name = 'paminnelser/1/ta-tillbaka';
    expect((await person.get(`/kundfakturor/${id}`)).body).toContain(name);
    const take = async (fields: Record<string, string>) => {
      const { body } = await person.get(`/kundfakturor/${id}/${name}`);
      return person.post(`/kundfakturor/${id}/${name}`, { ...tokensOf(body), ...fields });
    };
    const early = await take({ date: '2026-04-14', reason: '' });
    expect(errorAt(early.body, 'date')).toMatch(/skickades 2026-04-15/);
    expect((await take({ date: '2026-04-16', reason: 'Kunden hade rätt' })).statusCode).toBe(303);
    expect(await standing()).toMatchObject({ open_ore: 125_000n, reminders: 1 });
    expect(await detail()).toMatch(/Återtagen 2026-04-16, B\d+/);
    expect((await person.get(`/kundfakturor/${id}/${name}`)).statusCode).toBe(422);
  });

  test('that two people register at once is registered once', async () => {
    const forms = await Promise.all([person, colleague].map((who) => formOf(who, 'paminnelse')));
    const url = `/kundfakturor/${id}/paminnelse`;
    const fields = { sentDate: '2026-04-15', fee: '60', feeAgreed: 'on' };
    const answers = await Promise.all([
      person.post(url, { ...forms[0], ...fields }),
      colleague.post(url, { ...forms[1], ...fields }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
    expect(await standing()).toMatchObject({ reminders: 1 });
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['with too high a fee', { fee: '60,01' }, 'fee', /0–60/],
    ['with a fee below zero', { fee: '-1' }, 'fee', /0–60/],
    ['before the invoice is due', { sentDate: '2026-03-31' }, 'sentDate', /förfaller 2026-03-31/],
    ['on a day to come', { sentDate: '2031-01-01' }, 'sentDate', /har inte varit än/],
    ['with a fee that nobody agreed on', { feeAgreed: '' }, 'fee', /avtalades innan/],
  ])('%s is refused where it was typed', async (_what, wrong, name, message) => {
    const answer = await remind(wrong);
    expect(answer.statusCode).toBe(422);
    expect(errorAt(answer.body, name)).toMatch(message);
    expect(await standing()).toMatchObject({ reminders: 0 });
  });
});

describe('a credit note', () => {
  test('takes back the whole invoice', async () => {
    const answer = await credit({ notes: 'Fel adress' });
    expect(answer.statusCode).toBe(303);
    expect(await standing()).toMatchObject({ status: 'credited', open_ore: 0n });
    const note = await person.get(String(answer.headers.location));
    expect(textOfPage(note.body)).toMatch(/Kreditfaktura \d+ är bokförd/);
    expect(textOfPage(note.body)).not.toContain('Att betala');
    expect(note.body).toContain(`href="/kundfakturor/${id}"`);
    expect(await detail()).toContain('Krediterad');
    expect((await credit()).statusCode).toBe(422);
  });

  test('takes back what is typed of each row', async () => {
    id = await makeInvoice(books.owner, [
      { quantityE4: 20_000n, unitPriceE4: 1_000_000n },
      { quantityE4: -10_000n, unitPriceE4: 100_000n },
    ]);
    const wrong = await credit({
      extent: 'rows',
      'rows[0].quantity': '2,5',
      'rows[1].quantity': '',
    });
    expect(errorAt(wrong.body, 'rows[0].quantity')).toBe(
      'Rad 1 har inte så mycket kvar att kreditera.',
    );
    expect(wrong.body).toContain('value="2,5"');
    const part = { extent: 'rows', 'rows[0].quantity': '0,5', 'rows[1].quantity': '1' };
    for (const shown of ['', '1']) {
      const unseen = await send('kreditera', { date: '2026-04-20', ...part, shown });
      expect(unseen.statusCode).toBe(422);
      expect(textOfPage(unseen.body)).toMatch(
        /Kreditfakturan blir [\d\s]+,\d\d kr\. Inget är krediterat än/,
      );
    }
    // Counted first, by the button that does nothing but that.
    const counted = await send('kreditera', { date: '2026-04-20', ...part, fortsatt: 'enter' });
    expect(textOfPage(counted.body)).toMatch(/Kreditfakturan blir 50,00 kr/);
    expect(counted.body).toContain('value="0,5"');
    expect(counted.body).toMatch(/name="fortsatt" value="enter" formnovalidate>Räkna ut beloppet/);
    expect(await standing()).toMatchObject({ status: 'booked' });
    await credit(part);
    // 200 − 10 with VAT is 237,50; 50 − 10 with VAT is 50.
    expect(await standing()).toMatchObject({ status: 'booked', open_ore: 18_750n });
  });

  test('is not dated before its invoice, and says from when it takes effect', async () => {
    const early = await credit({ date: '2026-03-30' });
    expect(errorAt(early.body, 'date')).toMatch(/daterad 2026-03-31/);
    await credit({ effect: 'invoice' });
    const rows = await db(books.owner).query(sql`select invoice_date, effective_date
      from sales.invoices where credited_invoice_id = ${id}::uuid`);
    expect(rows).toEqual([{ invoice_date: '2026-04-20', effective_date: '2026-03-31' }]);
    expect(await detail()).toContain('Gäller från');
  });

  test('of no rows, or of rows and everything, is asked about', async () => {
    const none = await credit({ extent: 'rows' });
    expect(errorAt(none.body, 'extent')).toMatch(/Skriv hur mycket/);
    const both = await credit({ 'rows[0].quantity': '1' });
    expect(errorAt(both.body, 'extent')).toMatch(/välj delar/);
    expect(await standing()).toMatchObject({ status: 'booked' });
  });

  test('of what was paid tells what the customer gets back, which can then be paid', async () => {
    await pay();
    const answer = await credit();
    const note = textOfPage((await person.get(String(answer.headers.location))).body);
    expect(note).toContain('Kunden har 1 250,00 kr att få tillbaka');
    const page = await detail();
    expect(page).toContain('Registrera återbetalning');
    expect(page).toMatch(/Kvar att betala tillbaka\s*1\s250,00\skr/);
    expect(page).not.toMatch(/Kvar att betala\s*−/);
    const form = textOfPage((await person.get(`/kundfakturor/${id}/betalning`)).body);
    expect(form).toContain('Konto pengarna gick ut från');
    expect(form).toContain('dela upp den betalningens bankrad, med den här fakturan på minus');
    expect((await pay({ amount: '-1250', date: '2026-05-01' })).statusCode).toBe(303);
    expect(await standing()).toMatchObject({ open_ore: 0n });
  });
});

describe('a confirmed loss', () => {
  const writeOff = (fields: Record<string, string> = {}) =>
    send('avskrivning', { date: '2026-04-20', reason: 'Konkurs utan utdelning', ...fields });

  test('shows what is booked before it is, keeps why, and can be taken back', async () => {
    await pay({ amount: '250' });
    const form = textOfPage((await person.get(`/kundfakturor/${id}/avskrivning`)).body);
    expect(form).toMatch(/6351 800,00 2611 200,00 1510 −1 000,00/);
    expect((await writeOff()).statusCode).toBe(303);
    expect(await standing()).toMatchObject({ status: 'paid', open_ore: 0n });
    const page = await detail();
    expect(page).toContain('Delvis avskriven');
    expect(page).toContain('Konkurs utan utdelning');
    expect(
      (await send('avskrivning-ater', { date: '2026-04-21', reason: 'Fel faktura' })).statusCode,
    ).toBe(303);
    expect(await standing()).toMatchObject({ status: 'booked', open_ore: 100_000n });
    const gone = await person.get(`/kundfakturor/${id}/avskrivning-ater`);
    expect([gone.statusCode, gone.body]).toEqual([
      422,
      expect.stringContaining(`href="/kundfakturor/${id}"`),
    ]);
    const events = textOfPage((await person.get('/handelser')).body);
    expect(events).toContain('skrev av en faktura som kundförlust: Konkurs utan utdelning');
    expect(events).toContain('tog tillbaka avskrivningen av en faktura: Fel faktura');
  });

  test('that another tab has just written off is said, with the way to the invoice', async () => {
    await writeOff();
    const again = await writeOff();
    expect(again.statusCode).toBe(422);
    expect(textOfPage(again.body)).toContain('Någon kan just ha skrivit av den');
    expect(again.body).toContain(`href="/kundfakturor/${id}"`);
  });

  test('that the customer pays after all is booked against the loss, and not credited meanwhile', async () => {
    await writeOff();
    expect((await credit()).body).toContain('Ta tillbaka avskrivningen på fakturans sida först');
    expect(
      (await person.get(`/kundfakturor/${id}/betalning`)).body.replaceAll('\u00a0', ' '),
    ).toContain('name="amount" value="1 250,00"');
    expect((await pay({ amount: '500', date: '2026-05-02' })).statusCode).toBe(303);
    expect((await pay({ amount: '1000', date: '2026-05-03' })).statusCode).toBe(422);
    expect((await pay({ amount: '750', date: '2026-05-03' })).statusCode).toBe(303);
    const [left] = await db(books.owner).query<{ rows: string }>(
      sql`select string_agg(account || ' ' || ore, ', ' order by account) as rows from (
          select r.account, sum(r.debit_ore - r.credit_ore) as ore
          from (select distinct voucher_id from sales.payments where invoice_id = ${id}::uuid) p
          join ledger.voucher_rows r using (voucher_id) group by r.account) as sums`,
    );
    expect(left?.rows).toBe('1510 -125000, 1930 125000, 2611 0, 6351 0');
    expect(await detail()).toContain('Betald');
  });

  test('is stopped by the lock of the VAT that it takes back', async () => {
    await withTx(books.owner, (tx) =>
      tx.query(sql`update ledger.locks set vat_locked_to = '2026-04-30'`),
    );
    try {
      const answer = await writeOff();
      expect(answer.statusCode).toBe(422);
      expect(errorAt(answer.body, 'date')).toContain('2026-04-30');
      expect(await standing()).toMatchObject({ open_ore: 125_000n });
    } finally {
      await withTx(books.owner, (tx) =>
        tx.query(sql`update ledger.locks set vat_locked_to = null`),
      );
    }
  });
});

describe('a dispute', () => {
  test('is written down, shown, and over again', async () => {
    expect((await send('tvist', { reason: `Trasig ${hostile}` })).statusCode).toBe(303);
    const page = await person.get(`/kundfakturor/${id}`);
    expect(page.body).toContain('Trasig &lt;script&gt;');
    expect(textOfPage((await person.get('/kundfakturor')).body)).toContain('Tvistig');
    const over = await person.submit(`/kundfakturor/${id}/tvist-over`, {}, `/kundfakturor/${id}`);
    expect(over.statusCode).toBe(303);
    expect(await detail()).not.toContain('Kravet är tvistigt.');
  });

  test('needs a reason', async () => {
    expect(errorAt((await send('tvist', { reason: ' ' })).body, 'reason')).toBe('Fyll i fältet.');
  });
});

describe('nothing happens', () => {
  test.each(['betalning', 'paminnelse', 'kreditera', 'tvist', 'avskrivning'])(
    'by a reader: %s',
    async (name) => {
      const reader = await logIn(books, 'lasare');
      expect((await reader.get(`/kundfakturor/${id}/${name}`)).statusCode).toBe(403);
      const answer = await reader.submit(`/kundfakturor/${id}/${name}`, {}, `/kundfakturor/${id}`);
      expect(answer.statusCode).toBe(403);
    },
  );

  test.each(['betalning', 'paminnelse', 'kreditera', 'tvist', 'avskrivning'])(
    'to a draft: %s',
    async (name) => {
      [id = ''] = await makeDrafts(books.owner, [1n]);
      expect((await person.get(`/kundfakturor/${id}/${name}`)).statusCode).toBe(404);
    },
  );

  test('as a set-off when we owe the same party nothing', async () => {
    const page = await person.get(`/kundfakturor/${id}`);
    expect(page.body).not.toContain(`/kundfakturor/${id}/kvittning`);
    const form = await person.get(`/kundfakturor/${id}/kvittning`);
    expect(textOfPage(form.body)).toContain('Ni har ingen obetald leverantörsfaktura');
  });

  test('without what the form was made from', async () => {
    expect((await pay({ seen: '' })).statusCode).toBe(422);
    expect(await standing()).toMatchObject({ payments: 0 });
  });

  test('to a paid invoice: it is not reminded of', async () => {
    await pay();
    expect((await remind()).body).toContain('är betald; det finns inget att påminna om');
  });
});
