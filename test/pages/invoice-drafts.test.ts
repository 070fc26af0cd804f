/** Writing invoices as a person does: through the forms, on real books. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { prepareInvoicePdf } from '#src/sales/invoices/documents.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { errorAt, hiddenOf, hostile, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { until } from '../support/processes.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  await fillInCompany(books.owner);
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  await withTx(books.owner, async (tx) => {
    await insertCustomer(tx, { name: 'Kaffekoppen i Umeå AB', paymentTermsDays: 10 });
    await insertCustomer(tx, { name: 'Bygg AB', organizationNumber: '5560360793' });
    await insertCustomer(tx, { name: 'Bygg AB', organizationNumber: '5567026934' });
    await insertCustomer(tx, { name: 'Vilande AB' });
    await tx.query(sql`update sales.customers set is_active = false where name = 'Vilande AB'`);
    await tx.query(sql`insert into sales.articles (number, description, supply, account, unit, unit_price_e4)
      values ('K1', 'Konsulttimme', 'services', 3001, 'tim', 12005000)`);
  });
});
afterAll(() => books.close());

const row = (index: number, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`rows[${index}].${name}`, value]),
  );
const good = (more: Record<string, string> = {}): Record<string, string> => ({
  customer: 'Kaffekoppen i Umeå AB',
  invoiceDate: '2026-03-31',
  paymentTermsDays: '30',
  ...row(0, {
    description: 'Bönor',
    quantity: '2',
    unitPrice: '100,50',
    vatRate: '25',
    account: '3001',
  }),
  ...more,
});
/** What the draft's page showed that it comes to. */
const whole = { shown: '25125' };
const create = (fields: Record<string, string>) => person.submit('/kundfakturor/ny', fields);
const idIn = (location: unknown): string => /[0-9a-f-]{36}/.exec(String(location))?.[0] ?? '';
const made = async (fields: Record<string, string>): Promise<string> => {
  const answer = await create(fields);
  expect(answer.statusCode).toBe(303);
  return idIn(answer.headers.location);
};
async function stored(id: string) {
  const [invoice] = await db(books.owner).query<{
    status: string;
    source: string;
    created_by: string;
    due_date: string;
    total_ore: bigint;
    notes: string | null;
    rows: {
      description: string;
      unit: string | null;
      net: number;
      account: number;
      rate: number;
    }[];
  }>(sql`select i.status, i.source, i.created_by, i.due_date, i.total_ore, i.notes,
      (select jsonb_agg(jsonb_build_object('description', r.description, 'unit', r.unit, 'net', r.net_ore,
        'account', r.account, 'rate', r.vat_rate) order by r.row_no)
        from sales.invoice_rows r where r.invoice_id = i.id) as rows
    from sales.invoices i where i.id = ${id}::uuid`);
  return invoice;
}

test('a buyer with a VAT number of another EU country is hardly to pay Swedish VAT, and the draft says so', async () => {
  const buyers = { Schnell: 'DE123456789', Snabbt: 'SE556036079301' };
  await withTx(books.owner, async (tx) => {
    for (const [name, vatNumber] of Object.entries(buyers)) {
      await insertCustomer(tx, { name, vatNumber });
    }
  });
  const pageOf = async (more: Record<string, string>) =>
    textOfPage((await person.get(`/kundfakturor/${await made(good(more))}`)).body);
  const hint = 'momsnummer DE123456789 är från ett annat EU-land';
  expect(await pageOf({ customer: 'Schnell' })).toContain(hint);
  expect(await pageOf({ customer: 'Snabbt' })).not.toContain('annat EU-land');
  const untaxed = row(0, { vatRate: '0', account: '3004' });
  expect(await pageOf({ customer: 'Schnell', ...untaxed })).not.toContain('annat EU-land');
});

describe('a sale without VAT', () => {
  const untaxed = (account: number, more: Record<string, string> = {}) =>
    good({ ...row(0, { vatRate: '0', account: String(account) }), ...more });
  const question = /name="isVatConfirmed"/;

  test('that the buyer speaks against is refused beside the account, and nobody is asked', async () => {
    const answer = await create(untaxed(3308));
    expect(answer.statusCode).toBe(422);
    expect(errorAt(answer.body, 'rows[0].account')).toContain('köparens land är SE');
    expect(answer.body).not.toMatch(question);
  });

  test('that is only unusual is asked about, and who confirms it is kept', async () => {
    const answer = await create(untaxed(3105));
    expect(answer.statusCode).toBe(422);
    expect(errorAt(answer.body, 'rows[0].account')).toContain('kryssa i');
    expect(answer.body).toMatch(question);
    const id = await made(untaxed(3105, { isVatConfirmed: 'on' }));
    const [kept] = await db(books.owner).query<{ by: string }>(
      sql`select vat_confirmed_by as by from sales.invoices where id = ${id}::uuid`,
    );
    expect(kept?.by).toBe(`user:${person.id}`);
    const form = await person.get(`/kundfakturor/${id}/redigera`);
    expect(form.body).toMatch(/name="isVatConfirmed"[^>]* checked/);
    const page = `/kundfakturor/${id}`;
    const shown = hiddenOf((await person.get(page)).body, 'shown');
    await person.submit(`${page}/bokfor`, { shown }, page);
    expect((await stored(id))?.status).toBe('booked');
  });

  test('of the margin scheme shows no VAT, whichever rate the account has', async () => {
    const blank = await made(good(row(0, { vatRate: '', account: '3211' })));
    expect((await stored(blank))?.rows).toEqual([expect.objectContaining({ rate: 0 })]);
    const answer = await create(good(row(0, { vatRate: '25', account: '3211' })));
    expect(errorAt(answer.body, 'rows[0].vatRate')).toContain('vinstmarginalbeskattning');
  });
});

describe('a new draft', () => {
  test('may say when it was delivered, which then stands on the invoice', async () => {
    const wrong = await create(good({ deliveryDate: '2026-02-30' }));
    expect(errorAt(wrong.body, 'deliveryDate')).toContain('datum');
    const id = await made(good({ deliveryDate: '2026-03-27' }));
    const form = await person.get(`/kundfakturor/${id}/redigera`);
    expect(form.body).toMatch(/name="deliveryDate"[^>]*value="2026-03-27"/);
    await person.submit(`/kundfakturor/${id}/bokfor`, {}, `/kundfakturor/${id}`);
    const page = textOfPage((await person.get(`/kundfakturor/${id}`)).body);
    expect(page).toContain('Leveransdatum 2026-03-27');
    const { html } = await withTx(books.owner, (tx) => prepareInvoicePdf(tx, id));
    expect(textOfPage(html)).toContain('Leveransdatum 2026-03-27');
  });

  test('with a rate and no account is sold on the account of that rate, as the form shows', async () => {
    const id = await made(good({ ...row(0, { vatRate: '12', account: '' }) }));
    expect((await stored(id))?.rows).toEqual([
      expect.objectContaining({ account: 3002, rate: 12 }),
    ]);
    const counted = await create(good({ ...row(0, { vatRate: '6', account: '' }), do: 'count' }));
    expect(counted.body).toMatch(/name="rows\[0\]\.account"[^>]* placeholder="3003"/);
    const exempt = await create(good({ ...row(0, { vatRate: '0', account: '' }) }));
    expect(errorAt(exempt.body, 'rows[0].account')).toContain('vad som säljs');
  });

  test('is stored with what was typed, and priced', async () => {
    const id = await made(good({ notes: 'Tack!' }));
    expect(await stored(id)).toEqual({
      status: 'draft',
      source: 'app',
      created_by: `user:${person.id}`,
      due_date: '2026-04-30',
      total_ore: 25_125n,
      notes: 'Tack!',
      rows: [{ description: 'Bönor', unit: null, net: 20_100, account: 3001, rate: 25 }],
    });
    const page = textOfPage((await person.get(`/kundfakturor/${id}`)).body);
    expect(page).toContain('Utkastet är sparat.');
    expect(page).toContain('Moms 25 % på 201,00 kr 50,25');
    expect(page).toContain('251,25 kr');
  });

  test('has the terms of the customer, the texts of the article and the rate of the account', async () => {
    const id = await made({
      customer: 'kaffekoppen i umeå ab',
      invoiceDate: '2026-03-31',
      ...row(2, { articleNumber: 'K1', quantity: '1,5', unitPrice: '1 000' }),
    });
    expect(await stored(id)).toMatchObject({
      due_date: '2026-04-10',
      total_ore: 187_500n,
      rows: [{ description: 'Konsulttimme', account: 3001, rate: 25 }],
    });
  });

  test('costs what the article does where no price is typed', async () => {
    const id = await made({
      ...good(),
      ...row(1, { articleNumber: 'K1', quantity: '2', unitPrice: '' }),
    });
    const [, article] = (await stored(id))?.rows ?? [];
    expect(article).toMatchObject({ description: 'Konsulttimme', net: 240_100 });
  });

  test('says what is counted and what is taken off, in the form, on the page and on paper', async () => {
    const typed = good({ 'rows[0].unit': 'kg', 'rows[0].discountPct': '12,5', do: 'count' });
    // 201,00 less 12,5 % is 175,875.
    const counted = await create(typed);
    expect(textOfPage(counted.body)).toContain('Summa utan moms 175,88');
    const id = await made({ ...typed, do: 'save' });
    expect(await stored(id)).toMatchObject({ total_ore: 21_985n, rows: [{ net: 17_588 }] });
    const { body } = await person.get(`/kundfakturor/${id}/redigera`);
    expect(body).toMatch(/name="rows\[0\]\.unit"[^>]*value="kg"/);
    expect(body).toMatch(/name="rows\[0\]\.discountPct"[^>]*value="12,5"/);
    const page = `/kundfakturor/${id}`;
    await person.submit(`${page}/bokfor`, { shown: '21985' }, page);
    const booked = textOfPage((await person.get(page)).body);
    expect(booked).toContain('Antal Enhet À-pris Rabatt Moms Netto, kr');
    expect(booked).toContain('2 kg 100,50 12,5 % 25 % 175,88');
    const { html } = await withTx(books.owner, (tx) => prepareInvoicePdf(tx, id));
    expect(textOfPage(html)).toContain('2 kg 100,50 12,5 % 25 % 175,88');
    const plain = textOfPage((await person.get(`/kundfakturor/${await made(good())}`)).body);
    expect(plain).toContain('Antal À-pris Moms Netto, kr');
  });

  test('has the unit of the article where none is typed', async () => {
    const id = await made({
      ...good(),
      ...row(1, { articleNumber: 'K1', quantity: '2' }),
      ...row(2, { articleNumber: 'K1', quantity: '2', unit: 'dag' }),
    });
    expect((await stored(id))?.rows.map(({ unit }) => unit)).toEqual([null, 'tim', 'dag']);
  });

  test('can be booked at once', async () => {
    const id = await made(good({ do: 'book', shown: '25125' }));
    expect(await stored(id)).toMatchObject({ status: 'booked' });
    expect((await person.get(`/kundfakturor/${id}`)).body).toMatch(/bokförd med nummer \d+/);
  });

  test('is never booked on another total than the page showed, but comes back to look at', async () => {
    const typed = {
      customer: 'Kaffekoppen i Umeå AB',
      invoiceDate: '2026-03-31',
      ...row(0, { articleNumber: 'K1', quantity: '1' }),
      do: 'book',
    };
    for (const shown of [{}, { shown: '0' }, { shown: '150062' }]) {
      const id = await made({ ...typed, ...shown });
      expect(await stored(id)).toMatchObject({ status: 'draft', total_ore: 150_063n });
      const { body } = await person.get(`/kundfakturor/${id}`);
      expect(textOfPage(body)).toContain('Inget är bokfört: fakturan blir 1 500,63 kr');
      // Somebody changes it while the page is looked at.
      await books.owner.query(`update sales.invoices set total_ore = 150064, vat_ore = vat_ore + 1
        where id = '${id}'`);
      const seen = { shown: hiddenOf(body, 'shown') };
      await person.submit(`/kundfakturor/${id}/bokfor`, seen, `/kundfakturor/${id}`);
      expect(await stored(id)).toMatchObject({ status: 'draft' });
    }
    const id = await made({ ...typed, shown: '150063' });
    expect(await stored(id)).toMatchObject({ status: 'booked' });
  });

  test('shows what an article makes of its row before anything is saved', async () => {
    const counted = await create({
      customer: 'Kaffekoppen i Umeå AB',
      ...row(0, { articleNumber: 'K1', quantity: '2' }),
      do: 'count',
    });
    expect(counted.statusCode).toBe(200);
    expect(counted.body).toContain('value="Konsulttimme"');
    expect(hiddenOf(counted.body, 'shown')).toBe('300125');
  });

  test('stays when it cannot be booked, and says why and what to do', async () => {
    const id = await made(good({ do: 'book', shown: '25125', invoiceDate: '2031-01-01' }));
    expect(await stored(id)).toMatchObject({ status: 'draft' });
    const page = textOfPage((await person.get(`/kundfakturor/${id}`)).body);
    expect(page).toContain('Utkast, kunde inte bokföras');
    expect(page).toContain('2031-01-01 ligger utanför alla räkenskapsår');
  });

  test('stopped by a lock says which, until when, and how to get on; then it can be booked', async () => {
    await books.owner.query(`update ledger.locks set period_locked_to = '2026-03-31'`);
    const id = await made(good({ do: 'book', shown: '25125' }));
    const page = await person.get(`/kundfakturor/${id}`);
    expect(textOfPage(page.body)).toContain(
      'Perioden är låst till och med 2026-03-31. Tidigaste tillåtna datum är 2026-04-01.',
    );
    expect(textOfPage(page.body)).toContain('Ändra fakturadatum till tidigast 1 april 2026');
    expect(page.body).toContain(`href="/kundfakturor/${id}/redigera"`);
    await books.owner.query('update ledger.locks set period_locked_to = null');
    const booked = await person.submit(`/kundfakturor/${id}/bokfor`, whole, `/kundfakturor/${id}`);
    expect(booked.statusCode).toBe(303);
    const after = await person.get(`/kundfakturor/${id}`);
    expect(textOfPage(after.body)).not.toContain('kunde inte bokföras');
    expect(await stored(id)).toMatchObject({ status: 'booked' });
  });

  test('sent twice at the same time is made once', async () => {
    const { body } = await person.get('/kundfakturor/ny');
    const fields = { ...tokensOf(body), ...good({ notes: 'En gång' }) };
    const answers = await Promise.all([1, 2, 3].map(() => person.post('/kundfakturor/ny', fields)));
    expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
    const drafts = await db(books.owner).query(
      sql`select from sales.invoices where notes = 'En gång'`,
    );
    expect(drafts).toHaveLength(1);
  });

  test('counts and grows without saving anything', async () => {
    const before = await db(books.owner).query(sql`select from sales.invoices`);
    const counted = await create(good({ do: 'count' }));
    expect(counted.statusCode).toBe(200);
    expect(textOfPage(counted.body)).toContain('Att betala 251,25 kr');
    const grown = await create(good({ do: 'more' }));
    expect(grown.body).toContain('value="Bönor"');
    expect(grown.body).toContain('name="rows[7].description"');
    expect(await db(books.owner).query(sql`select from sales.invoices`)).toHaveLength(
      before.length,
    );
  });
});

describe('what is wrong stands where it was typed', () => {
  test('a due date after the last day of the calendar, counted or stored', async () => {
    const late = { invoiceDate: '9999-12-31', paymentTermsDays: '30' };
    expect((await create(good({ ...late, do: 'count' }))).statusCode).toBe(200);
    const stored = await create(good(late));
    expect(stored.statusCode).toBe(422);
    expect(stored.body).toContain('id="f-invoiceDate-error"');
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['no customer', { customer: '' }, 'customer', /Skriv kundens namn/],
    ['an unknown customer', { customer: 'Finns Ej AB' }, 'customer', /Ingen aktiv kund/],
    ['an inactive customer', { customer: 'Vilande AB' }, 'customer', /Ingen aktiv kund/],
    ['no date', { invoiceDate: '' }, 'invoiceDate', /Fyll i fältet/],
    ['too long terms', { paymentTermsDays: '91' }, 'paymentTermsDays', /0–90/],
    ['a quantity of words', { 'rows[0].quantity': 'två' }, 'rows[0].quantity', /Skriv ett tal/],
    ['no quantity', { 'rows[0].quantity': '0' }, 'rows[0].quantity', /Skriv ett antal/],
    ['a fifth decimal', { 'rows[0].unitPrice': '1,00001' }, 'rows[0].unitPrice', /fyra decimaler/],
    [
      'an enormous price',
      { 'rows[0].unitPrice': '9999999999999' },
      'rows[0].unitPrice',
      /Dela upp/,
    ],
    [
      'a rate that is not the account’s',
      { 'rows[0].vatRate': '12' },
      'rows[0].vatRate',
      /har momssatsen 25 %, raden 12 %/,
    ],
    ['a rate that does not exist', { 'rows[0].vatRate': '7' }, 'rows[0].vatRate', /Välj en sats/],
    ['an unknown account', { 'rows[0].account': '3997' }, 'rows[0].account', /finns inte/],
    ['no account', { 'rows[0].account': '3999999' }, 'rows[0].account', /fyra siffror/],
    [
      'no revenue account',
      { 'rows[0].account': '1930', 'rows[0].vatRate': '0' },
      'rows[0].account',
      /inget intäktskonto/,
    ],
    ['a long unit', { 'rows[0].unit': 'x'.repeat(21) }, 'rows[0].unit', /Högst 20 tecken/],
    ['a unit of two lines', { 'rows[0].unit': 'kg\nst' }, 'rows[0].unit', /på en rad/],
    ['a discount of words', { 'rows[0].discountPct': 'tio' }, 'rows[0].discountPct', /procentsats/],
    ['more than all off', { 'rows[0].discountPct': '100,01' }, 'rows[0].discountPct', /0–100/],
    ['less than none off', { 'rows[0].discountPct': '-1' }, 'rows[0].discountPct', /0–100/],
    ['a control character', { 'rows[0].description': 'a\u0007b' }, 'rows[0].description', /tecken/],
  ])('%s', async (_what, wrong, name, message) => {
    const answer = await create(good(wrong));
    expect([400, 422]).toContain(answer.statusCode);
    expect(errorAt(answer.body, name)).toMatch(message);
    expect(answer.body).toContain(`value="${wrong['invoiceDate'] === '' ? '' : '2026-03-31'}"`);
  });

  test('also below an empty row: rows count as they are shown', async () => {
    const answer = await create(
      good({
        ...row(1, { description: '', quantity: '1', unitPrice: '' }),
        ...row(2, {
          description: 'Fel',
          quantity: '1',
          unitPrice: '1',
          vatRate: '6',
          account: '3001',
        }),
      }),
    );
    expect(errorAt(answer.body, 'rows[1].vatRate')).toContain('raden 6 %');
    expect(answer.body).toContain('name="rows[1].description" value="Fel"');
  });

  test('and what concerns the whole, above', async () => {
    const none = await create({ customer: 'Bygg', invoiceDate: '2026-03-31' });
    expect(none.body).toContain('Skriv minst en rad.');
    const negative = await create(good({ 'rows[0].quantity': '-1' }));
    expect(textOfPage(negative.body)).toContain('en faktura kan inte vara negativ');
  });

  test('a customer that may be several is asked about, and the answer is kept', async () => {
    const asked = await create(good({ customer: 'Bygg AB' }));
    expect(errorAt(asked.body, 'customer')).toContain('Flera kunder');
    const choices = [...asked.body.matchAll(/name="customerId" value="([^"]+)"/g)];
    expect(choices).toHaveLength(2);
    const id = await made(good({ customer: 'Bygg AB', customerId: choices[1]?.[1] ?? '' }));
    const [invoice] = await db(books.owner).query(
      sql`select customer_id from sales.invoices where id = ${id}::uuid`,
    );
    expect(invoice).toEqual({ customer_id: choices[1]?.[1] });
    const other = await made(good({ customer: 'Bygg AB · 556036-0793' }));
    expect(textOfPage((await person.get(`/kundfakturor/${other}`)).body)).toContain('556036-0793');
  });

  test('a choice that no longer answers to what is typed is not taken', async () => {
    const [bygg] = await db(books.owner).query<{ id: string }>(
      sql`select id from sales.customers where name = 'Bygg AB' limit 1`,
    );
    const id = await made(good({ customerId: bygg?.id ?? '' }));
    expect(textOfPage((await person.get(`/kundfakturor/${id}`)).body)).toContain('Kaffekoppen');
  });
});

describe('a draft', () => {
  const change = async (id: string, fields: Record<string, string>, version?: string) => {
    const { body } = await person.get(`/kundfakturor/${id}/redigera`);
    return person.post(`/kundfakturor/${id}/redigera`, {
      ...tokensOf(body),
      version: version ?? hiddenOf(body, 'version'),
      ...fields,
    });
  };

  test('is changed', async () => {
    const id = await made(good());
    const page = await person.get(`/kundfakturor/${id}/redigera`);
    expect(page.body).toContain('value="100,5"');
    const answer = await change(
      id,
      good({
        'rows[0].unitPrice': '10',
        ...row(1, { description: 'Rabatt', quantity: '-1', unitPrice: '5', account: '3001' }),
      }),
    );
    expect(answer.statusCode).toBe(303);
    expect(await stored(id)).toMatchObject({
      total_ore: 1_875n,
      rows: [{ description: 'Bönor' }, { description: 'Rabatt', net: -500 }],
    });
  });

  test('has its text line by line, as it was written', async () => {
    const id = await made(good({ notes: 'Rad ett\r\nRad två' }));
    const { body } = await person.get(`/kundfakturor/${id}/redigera`);
    expect(body).toContain('>Rad ett\r\nRad två</textarea>');
    expect((await person.get(`/kundfakturor/${id}`)).body).toContain('>Rad ett\r\nRad två</p>');
  });

  test('that somebody else has changed meanwhile is not written over', async () => {
    const id = await made(good());
    const { body } = await person.get(`/kundfakturor/${id}/redigera`);
    const version = hiddenOf(body, 'version');
    expect((await change(id, good({ notes: 'Den andras' }))).statusCode).toBe(303);
    const answer = await change(id, good({ notes: 'Min' }), version);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('Någon annan har ändrat utkastet');
    expect(answer.body).toContain('Min');
    expect(await stored(id)).toMatchObject({ notes: 'Den andras' });
  });

  test('that is booked meanwhile is neither changed nor deleted', async () => {
    const id = await made(good());
    const { body } = await person.get(`/kundfakturor/${id}/redigera`);
    await person.submit(`/kundfakturor/${id}/bokfor`, whole, `/kundfakturor/${id}`);
    const fields = { ...tokensOf(body), version: hiddenOf(body, 'version') };
    const answer = await person.post(`/kundfakturor/${id}/redigera`, { ...fields, ...good() });
    expect(answer.statusCode).toBe(422);
    const gone = await person.submit(`/kundfakturor/${id}/ta-bort`, {}, '/kundfakturor');
    expect(gone.statusCode).toBe(422);
    expect(await stored(id)).toMatchObject({ status: 'booked' });
  });

  test('is deleted, and its event still tells that there was one', async () => {
    const id = await made(good());
    const answer = await person.submit(`/kundfakturor/${id}/ta-bort`, {}, `/kundfakturor/${id}`);
    expect(answer.headers.location).toBe('/kundfakturor?flik=utkast');
    expect(await stored(id)).toBeUndefined();
    expect((await person.get(`/kundfakturor/${id}`)).statusCode).toBe(404);
    // Events wait for every transaction of the server that began before them.
    await until(async () => {
      const { data } = (await books.call({ url: '/api/v1/handelser?limit=200' })).json();
      return data.some((event: { data: { invoice_id?: string } }) => event.data.invoice_id === id);
    });
  });

  test('of an order keeps its customer and rows; its date may be changed', async () => {
    const [id = ''] = await makeDrafts(books.owner, [100n]);
    await books.owner.query(`update sales.invoices set source = 'order' where id = '${id}'`);
    const page = await person.get(`/kundfakturor/${id}/redigera`);
    expect(page.body).not.toContain('rows[0]');
    const answer = await change(id, good({ invoiceDate: '2026-05-05', customer: 'Bygg AB' }));
    expect(answer.statusCode).toBe(303);
    expect(await stored(id)).toMatchObject({
      due_date: '2026-06-04',
      rows: [{ description: 'Kaffebryggare' }],
    });
    const gone = await person.submit(`/kundfakturor/${id}/ta-bort`, {}, '/kundfakturor');
    expect(gone.statusCode).toBe(422);
  });

  test('booked by two at the same time has one number and one voucher', async () => {
    const id = await made(good());
    const other = await logIn(books, 'administrator');
    const url = `/kundfakturor/${id}/bokfor`;
    const answers = await Promise.all(
      [person, other].map((who) => who.submit(url, whole, `/kundfakturor/${id}`)),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    const vouchers = await db(books.owner).query(sql`select from ledger.vouchers v
      join sales.invoices i on v.description = 'Kundfaktura ' || i.number where i.id = ${id}::uuid`);
    expect(vouchers).toHaveLength(1);
  });
});

describe('who may', () => {
  test('readers neither see the buttons nor get through', async () => {
    const id = await made(good());
    const page = await reader.get(`/kundfakturor/${id}`);
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/Bokför<|Redigera|Ta bort/);
    expect((await reader.get('/kundfakturor/ny')).statusCode).toBe(403);
    const answer = await reader.submit(`/kundfakturor/${id}/ta-bort`, {}, '/kundfakturor');
    expect(answer.statusCode).toBe(403);
    expect(await stored(id)).toMatchObject({ status: 'draft' });
  });

  test('an id that is no invoice, or no id, is a page that does not exist', async () => {
    for (const id of ['01980a3c-5b1e-7c3a-9d0f-2f6a4b8c1d2e', 'x', "'; drop table x"]) {
      expect((await person.get(`/kundfakturor/${encodeURIComponent(id)}`)).statusCode).toBe(404);
      const url = `/kundfakturor/${encodeURIComponent(id)}/bokfor`;
      expect((await person.submit(url, {}, '/kundfakturor')).statusCode).toBe(404);
    }
  });
});

test('what anybody writes is text wherever it is shown', async () => {
  const customer = `Kund ${hostile}`;
  await withTx(books.owner, (tx) => insertCustomer(tx, { name: customer.slice(0, 200) }));
  const id = await made({
    ...good({ notes: hostile, yourReference: hostile.slice(0, 200), customer: 'Kund <script>' }),
    'rows[0].description': hostile,
    'rows[0].articleNumber': hostile.slice(0, 100),
  });
  for (const url of [`/kundfakturor/${id}`, `/kundfakturor/${id}/redigera`, '/kundfakturor']) {
    const { body } = await person.get(url);
    expect(body).not.toMatch(/<script>alert|<img src=x/);
    expect(body).toContain('&lt;script&gt;alert(1)');
  }
  const typed = await create(good({ customer: hostile, 'rows[0].quantity': hostile }));
  expect(typed.body).not.toMatch(/<script>alert|<img src=x/);
});

test('customers and articles are suggested to those who write', async () => {
  const customers = await person.get('/kundfakturor/forslag/kunder?sok=bygg');
  expect(customers.json()).toContainEqual({ value: 'Bygg AB · 556036-0793', terms: null });
  const articles = await person.get('/kundfakturor/forslag/artiklar?sok=timme');
  expect(articles.json()).toEqual([
    {
      number: 'K1',
      description: 'Konsulttimme',
      account: 3001,
      unit: 'tim',
      price: '1\u00a0200,5',
    },
  ]);
  expect((await reader.get('/kundfakturor/forslag/kunder?sok=a')).statusCode).toBe(403);
});
