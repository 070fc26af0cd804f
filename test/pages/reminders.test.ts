/** A day with reminders: off until chosen, stopped by old news from the bank, looked at, said yes to, done once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { prepareRemindersPdf } from '#src/sales/invoices/documents.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';
import { hiddenOf, hostile, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
let ids: string[];
beforeAll(async () => {
  books = await createInstallation({ env: { SMTP_URL: 'smtp://127.0.0.1:2525' } });
  await fillInCompany(books.owner);
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  ids = await makeDrafts(books.owner, [1000n, 2000n, 3000n, 4000n]);
  await withTx(books.owner, async (tx) => {
    await changeSetting(tx, 'reminder-fees', 'on', 'test');
    await changeSetting(tx, 'company-email', 'vi@exempel.se', 'test');
    const mailed = await insertCustomer(tx, { name: `Brev ${hostile}`, email: 'k@exempel.se' });
    const posted = await insertCustomer(tx, {
      ...{ name: 'Papper AB', address: 'Gatan 1', postalCode: '111 22', city: 'Orten' },
    });
    const [, , paper, none] = ids;
    await tx.query(sql`update sales.invoices set customer_id = ${mailed.id}`);
    await tx.query(
      sql`update sales.invoices set customer_id = ${posted.id} where id = ${paper}::uuid`,
    );
    const unknown = await insertCustomer(tx, { name: 'Adresslös' });
    await tx.query(
      sql`update sales.invoices set customer_id = ${unknown.id} where id = ${none}::uuid`,
    );
    await bookInvoices(tx, ids, 'test');
  });
});
afterAll(() => books.close());

const page = async (who = person) => (await who.get('/paminnelser')).body;
const set = (name: 'reminder-runs' | 'reminder-bank-days' | 'reminder-run-fees', value: string) =>
  withTx(books.owner, (tx) => changeSetting(tx, name, value, 'test'));
const marksIn = (body: string): string[] =>
  [...body.matchAll(/name="reminder" value="([^"]+)"/g)].map(([, mark]) => mark ?? '');
const sent = async () => {
  const [row] = await db(books.owner).query<{ reminders: number; mails: number; fees: number }>(sql`
    select (select count(*)::integer from sales.reminders) as reminders,
      (select count(*)::integer from sales.mails) as mails,
      (select coalesce(sum(fee_ore), 0)::integer from sales.reminders) as fees`);
  return row;
};

test('a whole day', async () => {
  expect(textOfPage(await page())).toContain('avslagna tills företaget väljer dem');
  await set('reminder-runs', 'on');
  await set('reminder-run-fees', 'on');
  const stopped = await page();
  expect(textOfPage(stopped)).toContain('Ingen körning kan göras nu. Inget bankkonto är upplagt');
  expect(marksIn(stopped)).toEqual([]);
  await set('reminder-bank-days', '');

  // One customer promises to pay, another has no address.
  const [promised = ''] = ids;
  const pause = await person.get(`/kundfakturor/${promised}/paus`);
  const promise = { kind: 'promise', lastDay: '2026-11-30', reason: 'Ringde' };
  const paused = await person.post(`/kundfakturor/${promised}/paus`, {
    ...tokensOf(pause.body),
    ...promise,
  });
  const [{ today } = { today: '' }] = await db(books.owner).query<{ today: string }>(
    sql`select last_day::text as today from sales.reminder_pauses`,
  );
  expect([paused.statusCode, today]).toEqual([303, '2026-11-30']);
  const list = await page();
  expect(textOfPage(list)).toContain('Kunden har lovat att betala senast 2026-11-30.');
  expect(textOfPage(list)).toContain('Varken e-postadress eller postadress är känd');
  expect(list).not.toContain(hostile);
  const marks = marksIn(list);
  expect(marks).toHaveLength(2);

  // A reader sees the list, and neither box nor button; nor may they send it.
  expect(marksIn(await page(reader))).toEqual([]);
  const run = hiddenOf(list, 'run');
  const tokens = tokensOf((await reader.get('/mitt-konto')).body);
  expect(
    (
      await reader.post('/paminnelser', {
        ...tokens,
        run,
        confirmed: '1',
        reminder: marks[0] ?? '',
      })
    ).statusCode,
  ).toBe(403);

  const asked = await person.post('/paminnelser', { ...tokensOf(list), run, reminder: marks });
  expect(textOfPage(asked.body)).toContain('1 går genast med e-post, och 1 skrivs ut på papper');
  expect(textOfPage(asked.body)).toContain('avgifter på 120,00 kr bokförs');
  expect(await sent()).toEqual({ reminders: 0, mails: 0, fees: 0 });

  const reminder = marksIn(asked.body);
  const confirm = { ...tokensOf(asked.body), run, confirmed: '1', reminder };
  const done = await person.post('/paminnelser', confirm);
  expect(done.headers.location).toBe(`/paminnelser/${run}`);
  expect(await sent()).toEqual({ reminders: 2, mails: 1, fees: 12_000 });
  // The same form once more, and the same run with a fresh form.
  await person.post('/paminnelser', confirm);
  await person.post('/paminnelser', { ...confirm, ...tokensOf(await page()) });
  // Another run of the same is refused, with why.
  const other = { ...confirm, ...tokensOf(await page()), run: uuid() };
  const late = await person.post('/paminnelser', other);
  expect(late.statusCode).toBe(422);
  expect(textOfPage(late.body)).toContain('någon annan redan påmint om dem');
  expect(await sent()).toEqual({ reminders: 2, mails: 1, fees: 12_000 });

  const shown = (await reader.get(`/paminnelser/${run}`)).body;
  expect(textOfPage(shown)).toContain('1 med e-post, 1 på papper, avgifter 120,00 kr');
  expect(shown).toContain(`/paminnelser/${run}/pdf`);
  expect(textOfPage(await page())).toMatch(/Gjorda körningar/);
  expect(textOfPage((await person.get('/handelser')).body)).toContain(
    'gjorde en körning med 2 påminnelser, 1 med e-post',
  );
  const letters = await withTx(books.owner, (tx) =>
    prepareRemindersPdf(
      tx,
      [ids[2] ?? '', ids[1] ?? ''].map((invoiceId) => ({ invoiceId, reminderNo: 1 })),
      'Europe/Stockholm',
    ),
  );
  expect(letters.html.match(/<main class="whole">/g)).toHaveLength(2);
  expect(letters.html).toContain('Papper AB');
});

test('nothing chosen, a made-up choice and an unknown run are said so', async () => {
  const send = async (fields: Record<string, string>) =>
    person.post('/paminnelser', { ...tokensOf(await page()), run: uuid(), ...fields });
  expect(textOfPage((await send({})).body)).toContain('Välj minst en faktura att påminna om.');
  expect((await send({ confirmed: '1', reminder: 'x' })).statusCode).toBe(400);
  expect((await send({ confirmed: '1', reminder: `${uuid()}~1~0~mail~100` })).statusCode).toBe(422);
  expect((await person.get(`/paminnelser/${uuid()}`)).statusCode).toBe(404);
  expect((await person.get(`/paminnelser/${uuid()}/pdf`)).statusCode).toBe(404);
});
