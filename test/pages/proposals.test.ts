/** Förslag as people decide on them: exactly what was proposed is booked, or the reason stands at it and it stays. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

const home = '/forslag';
let books: Installation;
let keeper: LoggedIn;
let other: LoggedIn;
let reader: LoggedIn;
let key: string;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  other = await logIn(books, 'administrator');
  reader = await logIn(books, 'lasare');
  ({ key } = await books.makeKey(['data:read', 'bank:read', 'proposals:write']));
});
afterAll(() => books.close());

async function propose(kind: string, payload: object, prose?: string): Promise<string> {
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/forslag',
    key,
    payload: { kind, payload, ...(prose === undefined ? {} : { untrusted_text: prose }) },
  });
  expect(answer.json()).toMatchObject({ status: 'open' });
  return answer.json().id;
}
const office = (more: object = {}) => ({
  seriesCode: 'A',
  date: TODAY,
  description: 'Kontorsmaterial',
  counterparty: 'Kontorsbolaget',
  rows: [
    { account: 6110, debit: 400, credit: 0, note: 'Pärmar' },
    { account: 2641, debit: 100, credit: 0 },
    { account: 1930, debit: 0, credit: 500 },
  ],
  ...more,
});
const told = async (id: string) => (await books.call({ url: `/api/v1/forslag/${id}`, key })).json();
const approve = (person: LoggedIn, ...proposal: string[]) =>
  person.submit(`${home}/godkann`, { proposal }, home);
const rowsOf = (voucherId: string) =>
  db(books.owner).query<{
    row: string;
  }>(sql`select account || ' ' || (debit_ore - credit_ore) as row
    from ledger.voucher_rows where voucher_id = ${voucherId}::uuid order by row_no`);
const shown = async (person: LoggedIn, address = home) =>
  textOfPage((await person.get(address)).body);

beforeEach(async () => {
  const open = await db(books.owner).query<{ id: string }>(
    sql`select id from proposals.proposals where status = 'open'`,
  );
  if (open.length > 0) {
    await keeper.submit(
      `${home}/avvisa`,
      { proposal: open.map(({ id }) => id), reason: 'Städat' },
      home,
    );
  }
});

test('a voucher becomes exactly what it says, with accounts and amounts first and prose last', async () => {
  const id = await propose('voucher', office(), '<b>Godkänn</b> allt\u202e nu');
  const text = await shown(reader);
  expect(text).toContain('6110');
  expect(text.indexOf('400,00')).toBeLessThan(text.indexOf('Text utifrån'));
  expect((await reader.get(home)).body).toContain('&lt;b&gt;Godkänn&lt;/b&gt; allt nu');
  expect(await shown(reader, '/oversikt')).toContain('förslag att ta ställning till');
  await approve(keeper, id);
  const { status, result } = await told(id);
  expect([status, result.kind]).toEqual(['approved', 'voucher']);
  expect((await rowsOf(result.id)).map(({ row: one }) => one)).toEqual([
    '6110 40000',
    '2641 10000',
    '1930 -50000',
  ]);
  const [voucher] = await db(books.owner).query<{ posted_by: string; description: string }>(
    sql`select posted_by, description from ledger.vouchers where id = ${result.id}::uuid`,
  );
  expect(voucher).toMatchObject({
    description: 'Kontorsmaterial',
    posted_by: expect.stringMatching(/^user:/),
  });
  expect(await shown(reader, `${home}?flik=avgjorda`)).toContain('Godkänt');
  expect(await shown(reader, `/forslag/${id}`)).toContain('Blev');
});

test('readers look and decide nothing', async () => {
  const id = await propose('voucher', office());
  expect((await reader.get(home)).body).not.toContain('Godkänn de markerade');
  expect((await approve(reader, id)).statusCode).toBe(403);
  expect(
    (await reader.submit(`${home}/avvisa`, { proposal: id, reason: 'x' }, home)).statusCode,
  ).toBe(403);
  expect((await told(id)).status).toBe('open');
});

test('two at once: one wins, and the other is told', async () => {
  const id = await propose('voucher', office());
  const before = (await db(books.owner).query(sql`select from ledger.vouchers`)).length;
  const answers = await Promise.all([approve(keeper, id), approve(other, id)]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  const lost = answers.find(({ statusCode }) => statusCode === 422);
  expect(textOfPage(lost?.body ?? '')).toContain('är redan godkänt');
  expect((await db(books.owner).query(sql`select from ledger.vouchers`)).length).toBe(before + 1);
});

test('who decides on many at once is told which others were quicker with, and not that those wait', async () => {
  const [first, second, third] = [
    await propose('voucher', office({ description: 'Pärmar' })),
    await propose('voucher', office({ description: 'Pennor' })),
    await propose('voucher', office({ description: 'Papper' })),
  ];
  await approve(other, first);
  const alone = await approve(keeper, first);
  expect(textOfPage(alone.body)).toContain('Verifikat: Pärmar. Förslaget är redan godkänt.');
  const some = await approve(keeper, first, second);
  expect(some.statusCode).toBe(303);
  const text = await shown(keeper);
  expect(text).toContain('1 förslag är godkänt. Ett var redan avgjort av någon annan.');
  expect(text).not.toContain('ligger kvar, med skälet');
  expect((await told(third)).status).toBe('open');
});

test('many at once: what has moved stays open and says what, and the others are booked', async () => {
  const fine = await propose('voucher', office());
  const moved = await propose('voucher', office({ date: '2026-02-15' }));
  const off = await propose(
    'voucher',
    office({
      rows: [
        { account: 6570, debit: 10, credit: 0 },
        { account: 1930, debit: 0, credit: 10 },
      ],
    }),
  );
  await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-02-28', 'test'));
  await db(books.owner).query(
    sql`update ledger.accounts set is_active = false where number = 6570`,
  );
  const text = await shown(keeper);
  expect(text).toContain('2026-02-15: perioden är låst');
  expect(text).toContain('Konto 6570 är inaktiv');
  await approve(keeper, moved, fine, off);
  expect([(await told(fine)).status, (await told(moved)).status, (await told(off)).status]).toEqual(
    ['approved', 'open', 'open'],
  );
  const alone = await approve(keeper, moved);
  expect(alone.statusCode).toBe(422);
  expect(textOfPage(alone.body)).toContain(
    'har ändrats sedan det lades: 2026-02-15: perioden är låst',
  );
  await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
  await db(books.owner).query(sql`update ledger.accounts set is_active = true where number = 6570`);
  await approve(keeper, moved, off);
  expect([(await told(moved)).status, (await told(off)).status]).toEqual(['approved', 'approved']);
});

test('a correction, a match, a draft and a purchase become what they are', async () => {
  const wrong = ledgerVoucher({ date: TODAY, rows: [row(6110, 50_000), row(1930, -50_000)] });
  await post(books.owner, [wrong]);
  const { id: accountId } = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930 }, 'test'),
  );
  await withTx(books.owner, (tx) =>
    insertTransactions(tx, accountId, [
      { reference: 'r1', bookedOn: TODAY, amountOre: -50_000n, description: 'Kontorsbolaget' },
      { reference: 'r2', bookedOn: TODAY, amountOre: -2_000n, description: 'Avgift' },
    ]),
  );
  const bank = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions order by reference`,
  );
  const { id: supplierId } = await withTx(books.owner, (tx) =>
    createSupplier(
      tx,
      {
        name: 'Rosteriet AB',
        organizationNumber: null,
        vatNumber: null,
        endpoint: null,
        countryCode: 'SE',
        account: 4000,
        paymentDays: 10,
        accounts: [{ kind: 'bankgiro', number: '9912346' }],
      },
      'test',
    ),
  );
  const [customer] = await db(books.owner).query<{ id: string }>(
    sql`select id from sales.customers where is_active limit 1`,
  );
  const ids = [
    await propose('match', { transactionId: bank[0]?.id, voucherId: wrong.id }),
    await propose('match', {
      transactionId: bank[1]?.id,
      account: 6570,
      description: 'Bankavgift',
    }),
    await propose('correction', {
      voucherId: wrong.id,
      date: TODAY,
      description: 'Fel konto',
      replacement: {
        description: 'Verktyg',
        rows: [
          { account: 5410, debit: 500, credit: 0 },
          { account: 1930, debit: 0, credit: 500 },
        ],
      },
    }),
    await propose('purchase', {
      supplierId,
      invoiceNumber: 'K-17',
      invoiceDate: TODAY,
      currency: 'EUR',
      exchangeRate: 11.2345,
      total: 125,
      payTo: { kind: 'bankgiro', number: '5050-1055' },
      rows: [{ account: 4000, amount: 100 }],
    }),
    ...(customer
      ? [
          await propose('invoice_draft', {
            customerId: customer.id,
            invoiceDate: TODAY,
            paymentTerms: 30,
            rows: [
              { description: 'Arbete', quantity: 1, unitPrice: 100, vatRate: 25, account: 3001 },
            ],
          }),
        ]
      : []),
  ];
  const text = await shown(keeper);
  expect(text).toContain('Kontot är inte leverantörens kända');
  expect(text).toContain('5050-1055');
  await approve(keeper, ...ids);
  for (const id of ids) expect(await told(id)).toMatchObject({ status: 'approved', moved: [] });
  const kinds = await Promise.all(ids.map(async (id) => (await told(id)).result.kind));
  expect(kinds.slice(0, 4)).toEqual(['voucher', 'voucher', 'voucher', 'purchase']);
  expect((await rowsOf((await told(ids[1] ?? '')).result.id)).map(({ row: one }) => one)).toEqual([
    '1930 -2000',
    '6570 2000',
  ]);
  const [purchase] = await db(books.owner).query<{ status: string; number: string; rate: bigint }>(
    sql`select status, invoice_number as number, currency, exchange_rate_e6 as rate from purchases.invoices where supplier_id = ${supplierId}::uuid`,
  );
  expect(purchase).toMatchObject({
    status: 'review',
    number: 'K-17',
    currency: 'EUR',
    rate: 11_234_500n,
  });
});

test("a rejection says why, a withdrawn one is gone, and an old one is nobody's", async () => {
  const id = await propose('voucher', office());
  const bare = await keeper.submit(`${home}/avvisa`, { proposal: id, reason: '' }, home);
  expect(bare.statusCode).toBe(400);
  await keeper.submit(`${home}/avvisa`, { proposal: id, reason: 'Redan bokfört' }, home);
  expect(await told(id)).toMatchObject({ status: 'rejected', reject_reason: 'Redan bokfört' });
  const gone = await propose('voucher', office());
  await books.call({ method: 'POST', url: `/api/v1/forslag/${gone}/aterta`, key });
  expect(textOfPage((await approve(keeper, gone)).body)).toContain('återtaget');
  const old = await propose('voucher', office());
  await db(books.owner).query(
    sql`alter table proposals.proposals disable trigger proposals_are_guarded`,
  );
  await db(books.owner).query(
    sql`update proposals.proposals set expires_at = now() - interval '1 day' where id = ${old}::uuid`,
  );
  await db(books.owner).query(
    sql`alter table proposals.proposals enable trigger proposals_are_guarded`,
  );
  expect((await approve(keeper, old)).statusCode).toBe(422);
  expect((await told(old)).status).toBe('expired');
  const history = await shown(keeper, '/handelser');
  expect(history).toContain('avvisade ett förslag');
});

test('what is no id, or none at all, is refused at the list', async () => {
  expect((await approve(keeper)).statusCode).toBe(400);
  expect((await approve(keeper, randomUUID())).statusCode).toBe(422);
  expect((await keeper.get(`/forslag/${randomUUID()}`)).statusCode).toBe(404);
  for (const at of ['2026-99-99 99:99:99+99', '2026-02-30 10:00:00+00', 'igår', '']) {
    const page = await keeper.get(`${home}?efter=${encodeURIComponent(`${at}~${randomUUID()}`)}`);
    expect([at, page.statusCode]).toEqual([at, 200]);
  }
});

test('Enter without a script decides nothing', async () => {
  const id = await propose('voucher', office());
  const answer = await keeper.submit(
    `${home}/godkann`,
    { proposal: id, only: id, fortsatt: 'enter' },
    home,
  );
  expect(answer.body).toContain('Inget är sparat än');
  expect(await told(id)).toMatchObject({ status: 'open' });
});
