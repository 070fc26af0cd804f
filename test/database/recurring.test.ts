/** Invoices that recur: each made once on its day, whoever asks and however often, and what is in the way is said. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { sentenceFor } from '#src/lib/sentences/say.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { removeDraft } from '#src/sales/invoices/drafts.ts';
import {
  changeRecurring,
  createRecurring,
  makeDue,
  stopRecurring,
  type WrittenRecurring,
} from '#src/sales/recurring/service.ts';
import { findRecurring, listRecurred } from '#src/sales/recurring/store.ts';
import { type Books, createBooks } from '../support/installation.ts';

const ACTOR = 'test';
/** The last of a month, which other months have not. */
const FIRST = '2026-03-31';
let books: Books;
let customerId: string;
beforeEach(async () => {
  books = await createBooks();
  const customer = { name: 'Kaffekoppen AB', email: 'faktura@kaffekoppen.example' };
  customerId = (await withTx(books.owner, (tx) => insertCustomer(tx, customer))).id;
});
afterEach(() => books.close());

const rent = (overrides: Partial<WrittenRecurring> = {}): WrittenRecurring => ({
  customerId,
  recurrence: { anchor: FIRST, unit: 'month', count: 1 },
  lastDate: null,
  becomes: 'draft',
  paymentTermsDays: 30,
  yourReference: null,
  notes: null,
  isVatConfirmed: false,
  rows: [
    {
      articleNumber: null,
      description: 'Hyra {månad}',
      quantityE4: 10_000n,
      unit: null,
      unitPriceE4: 50_000_000n,
      discountE2: 0n,
      vatRate: 25,
      account: null,
    },
  ],
  ...overrides,
});
const create = (written: WrittenRecurring) =>
  withTx(books.owner, (tx) => createRecurring(tx, written, { today: FIRST, actor: ACTOR }));
const broken: unknown[] = [];
const make = (today: string, mailFrom?: string) =>
  makeDue(books.owner, {
    today,
    actor: 'job:recurring-invoices',
    timeZone: 'Europe/Stockholm',
    canMail: mailFrom !== undefined,
    mailFrom,
    onBroken: (_, error) => broken.push(error),
  });
const invoices = () =>
  db(books.owner).query<{ status: string; invoice_date: string; text: string; total_ore: bigint }>(
    sql`select i.status, i.invoice_date, r.description as text, i.total_ore
        from sales.invoices i join sales.invoice_rows r on r.invoice_id = i.id order by i.created_at`,
  );
const told = async (id: string): Promise<string[]> =>
  ((await findRecurring(db(books.owner), id))?.problems ?? []).map((fault) =>
    sentenceFor('page', fault),
  );
const jobs = async () =>
  (await db(books.owner).query(sql`select from pgboss.job where name = 'recurring-invoices'`))
    .length;

test('one that is due today is asked for at once, and made once by however many at the same time', async () => {
  const id = await create(rent());
  expect(await jobs()).toBe(1);
  const made = await Promise.all([make(FIRST), make(FIRST), make(FIRST)]);
  expect(made.reduce((sum, one) => sum + one)).toBe(1);
  expect(await invoices()).toEqual([
    { status: 'draft', invoice_date: FIRST, text: 'Hyra mars 2026', total_ore: 625_000n },
  ]);
  expect(await findRecurring(db(books.owner), id)).toMatchObject({
    nextDate: '2026-04-30',
    made: 1,
  });
  expect(await make(FIRST)).toBe(0);
});

test('those whose days went by while nothing ran are all made, dated the day they are made', async () => {
  const id = await create(rent({ lastDate: '2026-06-15' }));
  expect(await make('2026-07-02')).toBe(3);
  expect((await invoices()).map(({ invoice_date, text }) => `${invoice_date} ${text}`)).toEqual([
    '2026-07-02 Hyra mars 2026',
    '2026-07-02 Hyra april 2026',
    '2026-07-02 Hyra maj 2026',
  ]);
  const recurred = await listRecurred(db(books.owner), id);
  expect(recurred.map(({ due_on }) => due_on)).toEqual(['2026-05-31', '2026-04-30', '2026-03-31']);
  // The next would be after the last day.
  expect(await findRecurring(db(books.owner), id)).toMatchObject({ nextDate: null, made: 3 });
});

test('what hinders one is said, and the others are made; when it is mended it is made too', async () => {
  const id = await create(rent());
  const other = await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Bageriet AB' }));
  await create(rent({ customerId: other.id }));
  await books.owner.query(
    `update sales.customers set is_active = false where name = 'Kaffekoppen AB'`,
  );
  expect(await make(FIRST)).toBe(1);
  expect(await told(id)).toEqual([expect.stringContaining('aktiv')]);
  await books.owner.query(`update sales.customers set is_active = true`);
  expect(await make(FIRST)).toBe(1);
  expect(await told(id)).toEqual([]);
});

test('one whose rows somebody has broken breaks none of the others', async () => {
  const id = await create(rent());
  await create(rent());
  await books.owner.query(
    `update sales.recurring_invoices set rows = '[{"quantityE4": "x"}]' where id = '${id}'`,
  );
  broken.length = 0;
  expect(await make(FIRST)).toBe(1);
  expect(broken).toHaveLength(1);
});

test('it is booked, mailed or left, and says why where it was not', async () => {
  const booked = await create(rent({ becomes: 'booked' }));
  const mailed = await create(rent({ becomes: 'mailed' }));
  expect(await make(FIRST)).toBe(2);
  expect((await invoices()).map(({ status }) => status)).toEqual(['booked', 'booked']);
  expect(await told(booked)).toEqual([]);
  expect(await told(mailed)).toEqual([expect.stringContaining('e-post är inte inställd')]);
  // With a server it goes where the register says.
  expect(await make('2026-04-30', 'faktura@exempel.example')).toBe(2);
  expect(await told(mailed)).toEqual([]);
  const mails = await db(books.owner).query<{ recipients: string[]; subject: string }>(
    sql`select recipients, subject from sales.mails`,
  );
  expect(mails).toEqual([
    {
      recipients: ['faktura@kaffekoppen.example'],
      subject: expect.stringMatching(/^Faktura \d+ från /),
    },
  ]);
  await books.owner.query('update sales.customers set email = null');
  expect(await make('2026-05-31', 'faktura@exempel.example')).toBe(2);
  expect(await told(mailed)).toEqual([expect.stringContaining('ingen e-postadress')]);
});

test('a lock makes it a draft that waits, and no number is lost', async () => {
  const id = await create(rent({ becomes: 'mailed' }));
  await withTx(books.owner, (tx) => setLock(tx, 'period', FIRST, ACTOR));
  expect(await make(FIRST, 'faktura@exempel.example')).toBe(1);
  expect((await invoices()).map(({ status }) => status)).toEqual(['draft']);
  expect(await told(id)).toEqual([expect.stringContaining('blev ett utkast')]);
});

test('a draft that was removed is not made again; one that has ended is not made at all', async () => {
  const id = await create(rent());
  await make(FIRST);
  const [recurred] = await listRecurred(db(books.owner), id);
  await withTx(books.owner, (tx) => removeDraft(tx, recurred?.id ?? '', ACTOR));
  expect(await make(FIRST)).toBe(0);
  expect(await listRecurred(db(books.owner), id)).toEqual([
    expect.objectContaining({ due_on: FIRST, id: null }),
  ]);
  await withTx(books.owner, (tx) => stopRecurring(tx, id, ACTOR));
  expect(await make('2027-01-01')).toBe(0);
});

test('changed, it keeps counting from its first day, unless another day or time between is said', async () => {
  const id = await create(rent());
  await make(FIRST);
  const change = async (written: WrittenRecurring) => {
    const version = (await findRecurring(db(books.owner), id))?.version ?? '';
    await withTx(books.owner, (tx) =>
      changeRecurring(tx, { id, version }, written, { today: '2026-04-01', actor: ACTOR }),
    );
    return findRecurring(db(books.owner), id);
  };
  const same = rent({
    recurrence: { anchor: '2026-04-30', unit: 'month', count: 1 },
    notes: 'Tack för {år}!',
  });
  expect(await change(same)).toMatchObject({
    recurrence: { anchor: FIRST },
    made: 1,
    nextDate: '2026-04-30',
  });
  const quarterly = rent({ recurrence: { anchor: '2026-04-30', unit: 'month', count: 3 } });
  expect(await change(quarterly)).toMatchObject({ recurrence: { anchor: '2026-04-30' }, made: 0 });
  await expect(
    withTx(books.owner, (tx) =>
      changeRecurring(tx, { id, version: '1' }, same, { today: FIRST, actor: ACTOR }),
    ),
  ).rejects.toThrow('draft_changed_meanwhile');
});

test.each([
  [
    'a day that has gone by',
    { recurrence: { anchor: '2026-03-30', unit: 'month', count: 1 } },
    'invoiceDate',
  ],
  ['a last day before the first', { lastDate: '2026-03-30' }, 'lastDate'],
  ['words in braces that mean nothing', { notes: 'Hej {kund}' }, 'notes'],
  [
    'no rows that can be priced',
    { rows: [{ ...rent().rows[0], unitPriceE4: null }] },
    'rows[0].unitPrice',
  ],
] as const)('%s is refused at its field', async (_, overrides, path) => {
  const written = rent(overrides as Partial<WrittenRecurring>);
  await expect(create({ ...written, customerId })).rejects.toMatchObject({
    faults: [expect.objectContaining({ path })],
  });
});

test('sales settings of the company play no part: automatic booking of orders is another matter', async () => {
  await withTx(books.owner, (tx) => changeSetting(tx, 'order-booking', 'on', ACTOR));
  await create(rent());
  await make(FIRST);
  expect((await invoices()).map(({ status }) => status)).toEqual(['draft']);
});
