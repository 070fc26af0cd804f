/** A bank row split by hand over several invoices and accounts, and several rows that one voucher books; all or nothing, and undone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
let accountId: string;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  ({ id: accountId } = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930 }, 'test'),
  ));
});
afterAll(() => books.close());

let serial = 0;
const day = '2026-04-10';
async function rowOf(amountOre: bigint, bookedOn = day): Promise<string> {
  serial += 1;
  const reference = `delad-${serial}`;
  await withTx(books.owner, (tx) =>
    insertTransactions(tx, accountId, [
      { reference, bookedOn, amountOre, description: `Rad ${serial}` },
    ]),
  );
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where reference = ${reference}`,
  );
  return found?.id ?? '';
}
interface Invoice {
  id: string;
  number: number;
  ore: bigint;
}
async function invoiceOf(): Promise<Invoice> {
  const id = await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 10_000_000n }]);
  return getInvoice(id);
}
async function getInvoice(id: string): Promise<Invoice> {
  const [found] = await db(books.owner).query<Invoice>(
    sql`select id, number, open_ore as ore from sales.invoices where id = ${id}::uuid`,
  );
  if (!found) throw new Error('no invoice');
  return found;
}
const bookedBy = async (rowId: string): Promise<string[]> =>
  (
    await db(books.owner).query<{ account: number; ore: bigint }>(sql`select r.account,
        r.debit_ore - r.credit_ore as ore from bank.transactions t
      join ledger.voucher_rows r on r.voucher_id = t.voucher_id where t.id = ${rowId}::uuid order by r.row_no`)
  ).map(({ account, ore }) => `${account} ${Number(ore) / 100}`);
const kronor = (ore: bigint): string => `${Number(ore) / 100}`.replace('.', ',');
/** Lines as the form sends them: what, number and amount in kronor. */
const lines = (...some: (readonly [string, string, string])[]) =>
  Object.fromEntries(
    some.flatMap(([kind, what, amount], place) => [
      [`rows[${place}].kind`, kind],
      [`rows[${place}].what`, what],
      [`rows[${place}].amount`, amount],
      [`rows[${place}].note`, ''],
    ]),
  );
const split = (rowId: string, ...some: (readonly [string, string, string])[]) =>
  keeper.submit(`/bank/${rowId}/dela`, { date: day, ...lines(...some) });

test('a deposit is two invoices and a fee that was kept, and undoing opens all of it again', async () => {
  const [one, two] = [await invoiceOf(), await invoiceOf()];
  const rowId = await rowOf(one.ore + two.ore - 5_000n);
  const answer = await split(
    rowId,
    ['invoice', `${one.number}`, kronor(one.ore)],
    ['invoice', `${two.number}`, kronor(two.ore)],
    ['account', '6570', '-50'],
  );
  expect(answer.statusCode, answer.body).toBe(303);
  expect(await bookedBy(rowId)).toEqual([
    `1930 ${Number(one.ore + two.ore) / 100 - 50}`,
    `1510 ${-Number(one.ore + two.ore) / 100}`,
    '6570 50',
  ]);
  expect((await getInvoice(one.id)).ore).toBe(0n);
  const page = (await keeper.get(`/bank/${rowId}`)).body;
  expect(page).toContain('Ångra bokföringen');
  expect(page).toContain(`${one.number}`);
  expect((await keeper.submit(`/bank/${rowId}/angra`, {}, `/bank/${rowId}`)).statusCode).toBe(303);
  expect([(await getInvoice(one.id)).ore, (await getInvoice(two.id)).ore]).toEqual([
    one.ore,
    two.ore,
  ]);
  expect(await bookedBy(rowId)).toEqual([]);
});

test('money out is split over accounts alone, with what each is', async () => {
  const rowId = await rowOf(-100_000n);
  const answer = await split(rowId, ['account', '6212', '600'], ['account', '6570', '400']);
  expect(answer.statusCode, answer.body).toBe(303);
  expect(await bookedBy(rowId)).toEqual(['1930 -1000', '6212 600', '6570 400']);
  expect((await keeper.get(`/bank/${rowId}/dela`)).statusCode).toBe(422);
});

test('what does not add up, or is not open, is refused where it stands, and nothing is booked', async () => {
  const invoice = await invoiceOf();
  const rowId = await rowOf(invoice.ore + 10_000n);
  const whole = kronor(invoice.ore);
  const over = kronor(invoice.ore + 5_000n);
  const wrong = [
    [
      [
        ['invoice', `${invoice.number}`, whole],
        ['account', '3740', '99'],
      ],
      'skiljer',
    ],
    [
      [
        ['invoice', `${invoice.number}`, over],
        ['account', '3740', '50'],
      ],
      'öppet; resten',
    ],
    [
      [
        ['invoice', '99999', whole],
        ['account', '3740', '100'],
      ],
      'Ingen bokförd kundfaktura',
    ],
    [
      [
        ['account', '1510', whole],
        ['account', '3740', '100'],
      ],
      'följer fakturorna',
    ],
    [
      [
        ['account', '1930', whole],
        ['account', '3740', '100'],
      ],
      'bankkontot självt',
    ],
    [[['account', '3740', kronor(invoice.ore + 10_000n)]], 'minst två'],
    [
      [
        ['account', 'abc', whole],
        ['account', '3740', ''],
      ],
      'Fyll i fältet',
    ],
    [
      [
        ['account', '9999', whole],
        ['account', '3740', '100'],
      ],
      'f-rows-0-what-error',
    ],
  ] as const;
  for (const [some, said] of wrong) {
    const answer = await split(rowId, ...some);
    expect([said, [400, 422].includes(answer.statusCode)]).toEqual([said, true]);
    const told = [
      ...answer.body.matchAll(/<p class="error"[^>]*>(.*?)<\/p>|role="alert"[^>]*>(.*?)<\//gs),
    ].map(([one]) => one);
    expect(told.join(' ').replace(/\s/g, ' ')).toContain(said);
  }
  expect(await bookedBy(rowId)).toEqual([]);
  expect((await getInvoice(invoice.id)).ore).toBe(invoice.ore);
  expect((await reader.get(`/bank/${rowId}/dela`)).statusCode).toBe(403);
});

test('of two who split one row at once one does', async () => {
  const rowId = await rowOf(-20_000n);
  const answers = await Promise.all(
    ['150', '120'].map((first) =>
      split(rowId, ['account', '6212', first], ['account', '6570', `${200 - Number(first)}`]),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  expect((await bookedBy(rowId)).length).toBe(3);
});

test('several rows are booked by one voucher together, no more than it says, and none alone when one is too much', async () => {
  const { id } = await withTx(books.owner, (tx) =>
    postAppVoucher(
      tx,
      {
        series: 'A',
        date: day,
        description: 'Lön i två omgångar',
        counterparty: null,
        source: 'app',
        rows: [
          { account: 7010, debitOre: 50_000n, creditOre: 0n },
          { account: 1930, debitOre: 0n, creditOre: 50_000n },
        ],
      },
      'test',
    ),
  );
  const [first, second, third] = [await rowOf(-30_000n), await rowOf(-20_000n), await rowOf(-1n)];
  const url = `/bank/${first}/flera-rader`;
  const page = (await keeper.get(url)).body;
  expect([second, third].map((row) => page.includes(`value="${row}"`))).toEqual([true, true]);
  const tooMuch = await keeper.submit(url, { voucher: id, row: [second, third] });
  expect(tooMuch.statusCode, tooMuch.body).toBe(422);
  expect(await bookedBy(first)).toEqual([]);
  expect((await keeper.submit(url, { voucher: id, row: [second] })).statusCode).toBe(303);
  const matched = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where voucher_id = ${id}::uuid order by id`,
  );
  expect(matched.map((one) => one.id)).toEqual([first, second].sort());
});
