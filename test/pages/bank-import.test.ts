/** The bank's files by the pages: looked at, taken in, asked about; books held against the bank and signed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { camt053, type TestEntry } from '../support/bank-file.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { until } from '../support/processes.ts';

let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let accountPage: string;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
});
afterAll(() => books.close());

const entries: TestEntry[] = [
  { day: '2026-03-02', ore: 10_000, text: 'Insättning' },
  { day: '2026-03-09', ore: -2_500, text: 'Kortköp MACKEN' },
];
const cookieOf = ({ cookies }: LoggedIn) => [...cookies].map((pair) => pair.join('=')).join('; ');
async function send(text: string | null, who = keeper, fileName = 'utdrag.xml') {
  const tokens = tokensOf((await who.get('/bank/import')).body);
  const files = text === null ? [] : [{ name: 'files', fileName, bytes: text }];
  const { payload, headers } = multipartOf(tokens, files);
  return books.app.inject({
    method: 'POST',
    url: '/bank/import',
    payload,
    headers: { ...headers, accept: 'text/html', cookie: cookieOf(who) },
  });
}
const rowCount = async () =>
  (await db(books.owner).query(sql`select from bank.transactions`)).length;

test('accounts of every kind are laid up, each with what files call it', async () => {
  const add = (fields: Record<string, string>) =>
    keeper.submit('/bank/konton/nytt', {
      name: 'Konto',
      kind: 'bank',
      iban: '',
      number: '',
      bankgiro: '',
      ...fields,
    });
  const wrong = await add({ kind: 'tax', ledgerAccount: '1930' });
  expect(errorAt(wrong.body, 'ledgerAccount')).toContain('passar inte slaget');
  expect(errorAt((await add({ ledgerAccount: '1930', number: '12' })).body, 'number')).toContain(
    'clearing',
  );
  const tax = await add({ kind: 'tax', ledgerAccount: '1630', number: '559123-3878' });
  expect(tax.statusCode).toBe(303);
  const again = await add({ ledgerAccount: '1930', number: '5591233878' });
  expect(errorAt(again.body, 'number')).toContain('annat bankkonto');
  const added = await add({ name: 'Företagskonto', ledgerAccount: '1930' });
  accountPage = String(added.headers.location);
  expect((await reader.get(accountPage)).body).toContain('Företagskonto');
  expect((await reader.get(`${accountPage}/andra`)).statusCode).toBe(403);
});

test('a file is looked at first, asked about when it names no account of ours, and then taken in', async () => {
  expect((await send(camt053({ entries }), reader)).statusCode).toBe(403);
  const none = await send(null);
  expect([none.statusCode, textOfPage(none.body)]).toEqual([
    400,
    expect.stringContaining('Välj minst en fil från banken.'),
  ]);
  const empty = await send('');
  expect([empty.statusCode, textOfPage(empty.body)]).toEqual([
    400,
    expect.stringContaining('utdrag.xml är tom. Hämta den igen från banken.'),
  ]);
  const sent = await send(camt053({ entries }));
  const page = String(sent.headers.location);
  const { body } = await keeper.get(page);
  expect(textOfPage(body)).toContain('Väntar: vilket konto?');
  // The only one beside the tax account, whose file says whose it is.
  expect(body).toContain(`<option value="${accountPage.split('/').at(-1)}" selected`);
  const choices = { konto: '', rader: '' };
  const unsaid = await keeper.submit(page, choices);
  expect([unsaid.statusCode, errorAt(unsaid.body, 'konto')]).toEqual([
    422,
    expect.stringContaining('vilket bankkonto'),
  ]);
  expect(await rowCount()).toBe(0);
  const konto = accountPage.split('/').at(-1) ?? '';
  const asked = await keeper.submit(page, { ...choices, konto });
  expect(asked.statusCode).toBe(303);
  await until(async () => (await keeper.get(`${page}/lage`)).body.includes('Till bankraderna'));
  expect(textOfPage((await reader.get(page)).body)).toContain(
    '1 kontoutdrag inlästa, med 2 nya rader',
  );
  expect(await rowCount()).toBe(2);
  expect((await keeper.submit(page, { ...choices, konto })).statusCode).toBe(422);
  expect((await reader.get('/handelser')).body).toContain('läste in kontoutdrag med 2 nya rader');
  // Known from now on.
  const more = { opening: 7_500, entries: [{ day: '2026-03-20', ore: 500 }] };
  const next = String((await send(camt053(more))).headers.location);
  const preview = textOfPage((await keeper.get(next)).body);
  expect(preview).toContain('1 kontoutdrag kan läsas in, med 1 ny rad;');
  expect(preview).toMatch(/Läses in/);
  expect(preview).not.toMatch(/Inläst/);
});

test('what cannot be read says why, and asks for nothing', async () => {
  const page = String((await send('<?xml version="1.0"?><!DOCTYPE x><x/>')).headers.location);
  const { body } = await keeper.get(page);
  expect(textOfPage(body)).toContain('DOCTYPE');
  expect(body).not.toContain('Läs in</button>');
  const { body: files } = await reader.get('/bank/import');
  expect(files).toContain('Inte inläst än');
  expect(files).toContain('<h1>Inlästa filer</h1>');
  expect((await reader.get('/bank')).body).not.toContain('Läs in från banken');
  expect((await keeper.get('/bank')).body).toContain('Läs in från banken');
  expect((await keeper.get('/bank/import/01a206b8-6e0a-7705-a793-575516290ee4')).statusCode).toBe(
    404,
  );
});

test('books and bank are held against each other, signed, and open again by themselves', async () => {
  const post = (kronor: number, date: string) =>
    books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({
        date,
        rows: [
          { account: 1930, debit: kronor, credit: 0 },
          { account: 2018, debit: 0, credit: kronor },
        ],
      }),
    });
  await post(40, '2026-03-10');
  const at = `${accountPage}?dag=2026-03-31`;
  const text = textOfPage((await reader.get(at)).body);
  expect(text).toContain('Utestående');
  expect(text).toContain('Saknas');
  // 40 in the books, 75 at the bank: 40 outside, 75 missing, nothing unexplained.
  expect(text).not.toContain('Oförklarat');
  expect(text).toMatch(/Utestående 40,00 kr 1 st/);
  const signed = await keeper.submit(accountPage, { day: '2026-03-31', note: '' }, at);
  expect(signed.statusCode).toBe(303);
  expect((await reader.get(accountPage)).body).toContain('<span class="chip good">Avstämt</span>');
  await post(5, '2026-04-02');
  expect((await reader.get(accountPage)).body).toContain('<span class="chip good">Avstämt</span>');
  await post(7, '2026-03-11');
  expect((await reader.get(accountPage)).body).toContain('Öppnat igen');
  const early = await keeper.submit(accountPage, { day: '2026-01-01', note: '' }, at);
  expect([early.statusCode, textOfPage(early.body)]).toEqual([
    422,
    expect.stringContaining('Banken har inte sagt något saldo till och med den dagen'),
  ]);
});

test('rows that a program brought are shown as those of files are', async () => {
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/banktransaktioner',
    payload: {
      account: 1930,
      from: '2026-05-04',
      to: '2026-05-04',
      openingBalance: 75,
      rows: [{ date: '2026-05-04', amount: 12, text: 'Ränta från programmet' }],
    },
  });
  const { importId } = answer.json();
  const one = await reader.get(`/bank/import/${importId}`);
  expect([one.statusCode, textOfPage(one.body)]).toEqual([200, expect.stringContaining('Inläst')]);
  expect((await reader.get('/bank/import')).body).toContain(`/bank/import/${importId}`);
  const account = await reader.get(`${accountPage}?dag=2026-05-31`);
  expect(textOfPage(account.body)).toContain('Ränta från programmet');
});

test('a list of a form that nobody knows is asked about once, and read by what was said', async () => {
  const list = (rows: string) => `Dag;Vad det var;Rörelse;Efteråt\n${rows}`;
  const sent = await send(list('2026-05-04;Hyra;-500,00;9 500,00\n'), keeper, 'lista.csv');
  const place = String(sent.headers.location);
  const unread = (await keeper.get(place)).body;
  expect(textOfPage(unread)).toContain('okänd form');
  expect((await reader.get(place)).body).not.toContain('kolumner/1');
  const columns = `${place}/kolumner/1`;
  expect(unread).toContain(`href="${columns}"`);
  const form = (await keeper.get(columns)).body;
  expect(textOfPage(form)).toContain('9 500,00');
  const said = {
    column1: 'date',
    column2: 'text',
    column3: 'amount',
    column4: 'balance',
    decimal: ',',
    dayOrder: 'ymd',
  };
  const wrong = await keeper.submit(columns, { ...said, column3: '' });
  expect(wrong.statusCode).toBe(422);
  expect(textOfPage(wrong.body)).toContain('Säg i vilken kolumn beloppet står');
  const unreadable = await keeper.submit(columns, { ...said, dayOrder: 'dmy' });
  expect(textOfPage(unreadable.body)).toContain('Ingen rad i filen går att läsa så; se rad 2');
  expect((await keeper.submit(columns, said)).headers.location).toBe(place);
  expect(textOfPage((await keeper.get(place)).body)).toContain('csv.egen');

  // The next one is known.
  const next = await send(list('2026-05-05;Kaffe;-25,00;9 475,00\n'), keeper, 'nasta.csv');
  const known = (await keeper.get(String(next.headers.location))).body;
  expect(textOfPage(known)).toContain('csv.egen');
  expect(textOfPage((await reader.get('/bank/kolumner')).body)).toContain('Vad det var: text');
  const [, forget = ''] =
    /action="(\/bank\/kolumner\/[^"]+\/ta-bort)"/.exec((await keeper.get('/bank/kolumner')).body) ??
    [];
  expect((await keeper.submit(forget, {}, '/bank/kolumner')).statusCode).toBe(303);
  expect(textOfPage((await keeper.get(place)).body)).toContain('okänd form');
});

test('nobody is sent to say columns of a file that has none, and is told what such a file must have', async () => {
  for (const text of ['Datum;Text;Belopp\n', '\u0089PNG', 'Datum;Kronor\n2026-05-04;1\n']) {
    const sent = await send(text, keeper, 'lista.csv');
    const page = (await keeper.get(String(sent.headers.location))).body;
    expect(page).not.toContain('kolumner/1');
    expect(textOfPage(page)).toContain('minst tre rubriker på en rad');
  }
});

test('columns can be told of nothing but a list that waits', async () => {
  const sent = await send(camt053({ entries }));
  const place = String(sent.headers.location);
  for (const at of [1, 2, 99]) {
    expect((await keeper.get(`${place}/kolumner/${at}`)).statusCode).toBe(404);
  }
  expect((await reader.get(`${place}/kolumner/1`)).statusCode).toBe(403);
});

test('a statement that contradicts another says on which day and how, and waits until a person has said', async () => {
  const days = { from: '2026-02-01', to: '2026-02-27' };
  const one = (opening: number) =>
    camt053({ id: String(opening), ...days, opening, entries: [{ day: '2026-02-10', ore: 900 }] });
  const taken = String((await send(one(-900))).headers.location);
  await keeper.submit(taken, { konto: '', rader: '' });
  await until(async () => (await keeper.get(`${taken}/lage`)).body.includes('Till bankraderna'));
  const page = String((await send(one(4_200))).headers.location);
  const shown = textOfPage((await keeper.get(page)).body);
  expect(shown).toContain('Väntar: säger emot ett annat');
  expect(shown).toContain('2026-02-10 börjar på 42,00, men på −9,00');
  const unsaid = await keeper.submit(page, { konto: '', rader: '' });
  expect([unsaid.statusCode, errorAt(unsaid.body, 'rader')]).toEqual([
    422,
    expect.stringContaining('av ett annat konto'),
  ]);
  const before = await rowCount();
  expect((await keeper.submit(page, { konto: '', rader: 'known' })).statusCode).toBe(303);
  await until(async () => (await keeper.get(`${page}/lage`)).body.includes('Till bankraderna'));
  expect(await rowCount()).toBe(before);
});
