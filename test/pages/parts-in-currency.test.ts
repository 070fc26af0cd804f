/** Invoices in another currency paid in parts: each part's exchange difference, and what is left of them as the year ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { runCommand } from '../support/command.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { bookInCurrency } from '../support/invoices.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { bookSupplierInvoice, makeSupplier } from '../support/supplier-invoices.ts';

const REVALUATION = '/rakenskapsar/2026/omrakning';
const today = '2027-02-10';
const euro = { currency: 'EUR', exchangeRateE6: 11_000_000n };
let books: Installation;
let keeper: LoggedIn;
let accountId: string;
beforeAll(async () => {
  books = await createInstallation({ today });
  keeper = await logIn(books, 'medarbetare');
  ({ id: accountId } = await owner((tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930 }, 'test'),
  ));
  await owner(async (tx) => {
    await createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, 'test');
    const of = { supplierId: await makeSupplier(tx), issueDate: '2026-03-05', dueDate: null };
    for (const [invoiceNumber, more] of [
      ['E-1', euro],
      ['E-2', euro],
      ['K-1', {}],
    ] as const) {
      await bookSupplierInvoice(tx, { ...of, ...more, invoiceNumber, totalOre: 100_000n });
    }
  });
});
afterAll(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const idOf = async (number: string): Promise<string> => {
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from purchases.invoices where invoice_number = ${number}`,
  );
  return found?.id ?? '';
};
const openOf = async (number: string): Promise<bigint | undefined> => {
  const [found] = await db(books.owner).query<{ ore: bigint }>(
    sql`select open_ore as ore from purchases.invoices where invoice_number = ${number}`,
  );
  return found?.ore;
};
async function pay(number: string, fields: Record<string, string>) {
  const id = await idOf(number);
  const given = { account: '1930', date: '2026-12-20', isWhole: 'on', ...fields };
  return keeper.submit(`/leverantorsinkorg/${id}/betalning`, given, `/leverantorsinkorg/${id}`);
}
/** Debit above zero, of days of a year. */
const changes = async (year: number): Promise<Record<number, bigint>> => {
  const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
    sql`select account, sum(debit_ore - credit_ore)::bigint as ore from ledger.voucher_rows
        where account in (1510, 1517, 1930, 2440, 2447, 3960, 7960) and extract(year from verification_date) = ${year}
        group by account having sum(debit_ore - credit_ore) <> 0 order by account`,
  );
  return Object.fromEntries(rows.map(({ account, ore }) => [account, ore]));
};
const plain = (html: string): string =>
  html
    .replaceAll('\u00a0', ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
let serial = 0;
async function row(amountOre: bigint, bookedOn: string): Promise<string> {
  serial += 1;
  const reference = `bank-${serial}`;
  await owner((tx) =>
    insertTransactions(tx, accountId, [{ reference, bookedOn, amountOre, description: 'Text' }]),
  );
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where reference = ${reference}`,
  );
  return found?.id ?? '';
}
const payRow = (id: string, fields: Record<string, string>) =>
  keeper.submit(`/bank/${id}/faktura`, fields, `/bank/${id}`);

test('a part of a supplier’s invoice takes its own difference, and what is left in the currency is revalued', async () => {
  const page = plain((await keeper.get(`/leverantorsinkorg/${await idOf('E-1')}`)).body);
  expect(page).toContain('Öppet är 1 000,00 EUR.');
  // A tick that stands there from the beginning does not make a part the whole.
  const far = await pay('E-1', { amount: '500', currencyPart: '500' });
  expect([far.statusCode, plain(far.body)]).toEqual([
    422,
    expect.stringContaining('vad så mycket av valutan är bokfört till'),
  ]);
  expect((await pay('E-1', { amount: '12 000', currencyPart: '1 000' })).statusCode).toBe(303);
  expect((await pay('E-1', { amount: '-12 000', currencyPart: '-1 000' })).statusCode).toBe(303);
  expect(await openOf('E-1')).toBe(1_100_000n);
  expect((await pay('E-1', { amount: '13 200', currencyPart: '1 200' })).statusCode).toBe(422);
  expect((await pay('E-1', { amount: '5 500', currencyPart: '-500' })).statusCode).toBe(422);
  const paid = await pay('E-1', { amount: '6 000', currencyPart: '500' });
  expect(paid.statusCode).toBe(303);
  expect(await openOf('E-1')).toBe(550_000n);
  expect(await changes(2026)).toMatchObject({ 1930: -600_000n, 7960: 50_000n });
  const kronor = { amount: '500', currencyPart: '500', isWhole: '' };
  expect((await pay('K-1', kronor)).statusCode).toBe(422);
  expect(await openOf('K-1')).toBe(100_000n);

  // 500 and 1000 EUR are left: at 12 they are 1500 kronor dearer.
  const html = (await keeper.get(`${REVALUATION}?kursEUR=12`)).body;
  expect(plain(html)).toContain('500,00 EUR');
  const [rates = '', seen = ''] = ['rates', 'seen'].map(
    (name) => html.split(`name="${name}" value="`)[1]?.split('"')[0] ?? '',
  );
  await keeper.post(REVALUATION, { ...tokensOf(html), series: 'A', rates, seen });
  expect(await changes(2026)).toMatchObject({ 2447: -150_000n, 7960: 200_000n });
});

test('the last part, from a row of the bank, leaves the new year its own difference alone', async () => {
  const id = await row(-615_000n, '2027-01-15');
  const given = { kind: 'purchase', number: 'E-1', date: '2027-01-15' };
  const nothing = await payRow(id, { ...given, currencyPart: '0' });
  expect([nothing.statusCode, plain(nothing.body)]).toEqual([
    422,
    expect.stringContaining('Beloppet ska vara mer än noll.'),
  ]);
  expect((await payRow(id, { ...given, currencyPart: '600' })).statusCode).toBe(422);
  const done = await payRow(id, { ...given, bankFee: '50', currencyPart: '500' });
  expect(done.statusCode).toBe(303);
  expect(await openOf('E-1')).toBe(0n);
  // 6100 for 500 EUR that stood at 6000; E-2 is still to be 1000 taken back.
  expect(await changes(2027)).toMatchObject({ 1930: -615_000n, 2440: 550_000n });
  const { 3960: gain = 0n, 7960: loss = 0n } = await changes(2027);
  expect(gain + loss).toBe(60_000n - 150_000n);
});

test('a customer’s invoice is paid in parts from rows of the bank', async () => {
  const invoiceId = await bookInCurrency(books.owner, { ...euro, amount: 100_000n });
  const [{ number = '' } = {}] = await db(books.owner).query<{ number: string }>(
    sql`select number::text from sales.invoices where id = ${invoiceId}::uuid`,
  );
  const before = await changes(2027);
  const given = { kind: 'invoice', number, date: '2027-02-01' };
  const first = await payRow(await row(270_000n, '2027-02-01'), { ...given, currencyPart: '250' });
  expect(first.statusCode).toBe(303);
  const open = async () => {
    const [found] = await db(books.owner).query<{ ore: bigint }>(
      sql`select open_ore as ore from sales.invoices where id = ${invoiceId}::uuid`,
    );
    return found?.ore;
  };
  expect(await open()).toBe(825_000n);
  const rest = await payRow(await row(840_000n, '2027-02-01'), { ...given, currencyPart: '750' });
  expect(rest.statusCode).toBe(303);
  expect(await open()).toBe(0n);
  const after = await changes(2027);
  const of = (account: number) => (after[account] ?? 0n) - (before[account] ?? 0n);
  // Lost 50 on the first part, gained 150 on the rest.
  expect([of(7960), of(3960), of(1510)]).toEqual([5_000n, -15_000n, -1_100_000n]);
});

test('a deposit that is split pays parts of invoices in another currency, each with its own difference', async () => {
  const numbers: string[] = [];
  const ids: string[] = [];
  for (const amount of [100_000n, 50_000n]) {
    const id = await bookInCurrency(books.owner, { ...euro, amount });
    const [{ number = '' } = {}] = await db(books.owner).query<{ number: string }>(
      sql`select number::text from sales.invoices where id = ${id}::uuid`,
    );
    ids.push(id);
    numbers.push(number);
  }
  const open = async () =>
    (
      await db(books.owner).query<{ ore: bigint }>(
        sql`select open_ore as ore from sales.invoices where id = any (${ids}::uuid[]) order by total_ore desc`,
      )
    ).map(({ ore }) => ore);
  const rowId = await row(875_000n, '2027-02-01');
  const lines = (
    ...some: { kind: string; what: string; amount: string; currencyPart?: string }[]
  ) => ({
    date: '2027-02-01',
    ...Object.fromEntries(
      some.flatMap((line, place) =>
        Object.entries({ note: '', currencyPart: '', ...line }).map(([name, value]) => [
          `rows[${place}].${name}`,
          value,
        ]),
      ),
    ),
  });
  const split = (...some: Parameters<typeof lines>) =>
    keeper.submit(`/bank/${rowId}/dela`, lines(...some));
  // 250 of 1000 EUR at 12, all of 500 EUR at 11.60, and a fee that was kept.
  const [first, second] = [
    { kind: 'invoice', what: numbers[0] ?? '', amount: '3 000', currencyPart: '250' },
    { kind: 'invoice', what: numbers[1] ?? '', amount: '5 800', currencyPart: '500' },
  ];
  const fee = { kind: 'account', what: '6570', amount: '-50' };
  const far = await split({ ...first, currencyPart: '450' }, second, fee);
  expect([far.statusCode, plain(far.body)]).toEqual([
    422,
    expect.stringContaining('vad så mycket av valutan är bokfört till'),
  ]);
  expect((await split(first, second, { ...fee, currencyPart: '5' })).statusCode).toBe(400);
  const tooMuch = await split(first, { ...second, currencyPart: '600' }, fee);
  expect([tooMuch.statusCode, await open()]).toEqual([422, [1_100_000n, 550_000n]]);

  const before = await changes(2027);
  expect((await split(first, second, fee)).statusCode).toBe(303);
  expect(await open()).toEqual([825_000n, 0n]);
  const after = await changes(2027);
  const of = (account: number) => (after[account] ?? 0n) - (before[account] ?? 0n);
  expect([of(1510), of(1930), of(3960), of(7960)]).toEqual([-825_000n, 875_000n, -55_000n, 0n]);
  // Each gain stands by its own invoice.
  expect(
    await db(books.owner).query(sql`select i.number::text, p.amount_ore::text as ore
      from sales.payments p join sales.invoices i on i.id = p.invoice_id
      where p.invoice_id = any (${ids}::uuid[]) and p.account = 3960 order by i.number`),
  ).toEqual([
    { number: numbers[0], ore: '-25000' },
    { number: numbers[1], ore: '-30000' },
  ]);
  expect((await keeper.submit(`/bank/${rowId}/angra`, {}, `/bank/${rowId}`)).statusCode).toBe(303);
  expect(await open()).toEqual([1_100_000n, 550_000n]);
  expect(await changes(2027)).toEqual(before);
});

test('a part that another tab has paid meanwhile is not paid once more', async () => {
  const url = `/leverantorsinkorg/${await idOf('K-1')}`;
  const [one, other] = await Promise.all([1, 2].map(async () => (await keeper.get(url)).body));
  const send = (html = '', seenOpen = /name="seenOpen" value="(\d+)"/.exec(html)?.[1] ?? '') =>
    keeper.post(`${url}/betalning`, {
      ...{ ...tokensOf(html), seenOpen, account: '1930', date: '2027-02-02', amount: '500' },
    });
  expect((await send(one)).statusCode).toBe(303);
  const refused = await send(other);
  expect([refused.statusCode, plain(refused.body)]).toEqual([
    422,
    expect.stringContaining('nu återstår 500,00 kr. Inget är registrerat.'),
  ]);
  expect(await openOf('K-1')).toBe(50_000n);
  // The form that comes back has seen it.
  expect((await send(refused.body)).statusCode).toBe(303);
  expect(await openOf('K-1')).toBe(0n);
});

test('the command takes a part too, and takes it back as it was', async () => {
  const words = ['purchase', 'pay', await idOf('E-2'), '--date', '2027-02-02', '--amount'];
  const paid = await runCommand(books, [...words, '3.900', '--currency-part', '300'], { today });
  expect(paid.stderr).not.toBe('');
  const right = await runCommand(books, [...words, '3900', '--currency-part', '300'], { today });
  expect(right.stderr).toBe('');
  expect(await openOf('E-2')).toBe(770_000n);
  const [loss] = [(await changes(2027))[7960] ?? 0n];
  const back = await runCommand(books, [...words, '-3900', '--currency-part=-300'], { today });
  expect(back.stderr).toBe('');
  expect(await openOf('E-2')).toBe(1_100_000n);
  expect((await changes(2027))[7960]).toBe(loss - 60_000n);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
