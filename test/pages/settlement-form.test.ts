/** A settlement that a bookkeeper writes out of the provider's report: booked once, with its document, and what it pays out is settled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTransaction, createBankAccount } from '#src/bank/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { listOpenItems } from '#src/ledger/open-items/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const url = '/bank/avrakningar/ny';
let books: Installation;
let keeper: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
    values (1686, 'Kort', 'asset'), (1687, 'Klarna', 'asset') on conflict do nothing`);
});
afterAll(() => books.close());

/** Sold by card, or given back below zero. */
const sell = (kronor: number, date = '2026-03-02', account = 1686) =>
  withTx(books.owner, (tx) => {
    const ore = BigInt(kronor * 100);
    const [debitOre, creditOre] = ore > 0n ? [ore, 0n] : [0n, -ore];
    const rows = [
      { account, debitOre, creditOre },
      { account: 3004, debitOre: creditOre, creditOre: debitOre },
    ];
    return postAppVoucher(
      tx,
      { series: 'A', date, description: 'Dagskassa', counterparty: null, source: 'app', rows },
      'test',
    );
  });
const open = async (account = 1686): Promise<number[]> =>
  (await withTx(books.owner, (tx) => listOpenItems(tx, account, TODAY))).items.map(
    ({ openOre }) => Number(openOre) / 100,
  );
/** What is ticked of the list: those of just these amounts. */
async function itemsOf(...kronor: number[]): Promise<string[]> {
  const { body } = await keeper.get(url);
  const found = [...body.matchAll(/name="item" value="([^"]+)"/g)].map(([, one = '']) => one);
  return kronor.map(
    (one) => found.find((value) => value.endsWith(`~${one * 100}`)) ?? `no ${one} among ${found}`,
  );
}
const cookieOf = ({ cookies }: LoggedIn) => [...cookies].map((pair) => pair.join('=')).join('; ');
let no = 0;
async function write(
  fields: Readonly<Record<string, string | readonly string[]>>,
  { who = keeper, bytes = 'rapport' as string | null, from = url } = {},
) {
  no += 1;
  const usual = {
    ...{ provider: 'Zettle', number: `Z-${no}`, date: '2026-03-03', account: '1686' },
    ...{ feeAccount: '6570', country: 'SE', row: '' },
  };
  const tokens = tokensOf((await keeper.get(from)).body);
  const files = bytes === null ? [] : [{ name: 'files', fileName: 'rapport.txt', bytes }];
  const { payload, headers } = multipartOf({ ...tokens, ...usual, ...fields }, files);
  return books.app.inject({
    ...{ method: 'POST', url, payload },
    headers: { ...headers, accept: 'text/html', cookie: cookieOf(who) },
  });
}
/** The voucher's rows by account, debit above zero. */
async function booked(location: unknown): Promise<Record<string, number[]>> {
  const [, id = ''] = /avrakningar\/([0-9a-f-]{36})/.exec(String(location)) ?? [];
  const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
    sql`select r.account, r.debit_ore - r.credit_ore as ore from ledger.voucher_rows r
      join bank.provider_settlements s on s.voucher_id = r.voucher_id
      where s.id = ${id || null}::uuid order by r.row_no`,
  );
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ account }) => account)].map(([account, some]) => [
      account,
      some.map(({ ore }) => Number(ore) / 100),
    ]),
  );
}

test('what is ticked is what was sold: the fee is a cost, and the sales are paired off the clearing account', async () => {
  await sell(1000);
  await sell(500);
  await sell(-200);
  await sell(75);
  const item = await itemsOf(1000, 500, -200);
  const done = await write({ item, fee: '22,75', feeVat: '5', payout: '1 272,25' });
  expect(done.statusCode, textOfPage(done.body)).toBe(303);
  expect(await booked(done.headers.location)).toEqual({
    1686: [-1500, 200, 1272.25],
    6570: [22.75],
    2641: [5],
  });
  // The 75 are of another day, and the payout waits for the bank.
  expect((await open()).toSorted((a, b) => a - b)).toEqual([75, 1272.25]);
  const shown = await keeper.get(String(done.headers.location));
  expect(textOfPage(shown.body)).toContain('Väntar på banken');
  // What settlements leave on the account is no sale of the next.
  expect(await itemsOf(75)).toEqual([expect.stringMatching(/~7500$/)]);
  expect(await itemsOf(1272.25)).toEqual([expect.stringContaining('no ')]);
});

test('the provider’s report is the voucher’s document, and without it nothing is booked', async () => {
  const without = await write({ sold: '10', payout: '10' }, { bytes: null });
  expect(without.statusCode).toBe(400);
  expect(textOfPage(without.body)).toContain('Välj minst en fil.');
  const done = await write({ sold: '10', payout: '10' });
  const [, id = ''] = /avrakningar\/(.+)$/.exec(String(done.headers.location)) ?? [];
  const names = await db(books.owner).query(sql`select a.file_name from ledger.attachments a
    join bank.provider_settlements s on s.voucher_id = a.voucher_id where s.id = ${id}::uuid`);
  expect(names).toEqual([{ file_name: 'rapport.txt' }]);
});

test('a fee from abroad is taxed by us where that is ticked, and no Swedish VAT is taken of it', async () => {
  const abroad = { provider: 'Stripe', country: 'ie', sold: '1 000', fee: '29,03' };
  const swedish = await write({ ...abroad, feeVat: '7,26', payout: '963,71' });
  expect(errorAt(swedish.body, 'feeVat')).toContain('tar ingen svensk moms');
  expect(swedish.body).not.toContain('reverseChargeVat');
  const home = await write({ sold: '10', fee: '1', isReverse: 'on', payout: '9' });
  expect(errorAt(home.body, 'isReverse')).toContain('Skriv betaltjänstens land');
  const done = await write({ ...abroad, isReverse: 'on', payout: '970,97' });
  expect(await booked(done.headers.location)).toEqual({
    ...{ 1686: [-1000, 970.97], 6570: [29.03], 4535: [29.03], 4598: [-29.03] },
    ...{ 2614: [-7.26], 2645: [7.26] },
  });
  // The next from them begins as the last was.
  const next = await keeper.get(`${url}?som=${String(done.headers.location).split('/').at(-1)}`);
  expect(next.body).toMatch(/name="country" value="IE"/);
  expect(next.body).toMatch(/name="isReverse" value="on" checked/);
});

test('what is kept back, released and taken off besides comes to the payout, to the öre, or is said', async () => {
  const fields = {
    ...{ sold: '1 000', reserve: '100', fee: '20' },
    ...{ 'rows[1].what': '6991', 'rows[1].amount': '-30', 'rows[1].note': 'Omtvistat köp' },
  };
  const off = await write({ ...fields, payout: '850,01' });
  expect(errorAt(off.body, 'payout')?.replace(/\s/g, ' ')).toContain('0,01 kr skiljer');
  const own = await write({ ...fields, 'rows[1].what': '1686', payout: '850' });
  expect(errorAt(own.body, 'rows[1].what')).toContain('avräkningskontot självt');
  const done = await write({ ...fields, payout: '850' });
  expect(await booked(done.headers.location)).toEqual({
    ...{ 1686: [-1000, 100, 850], 6570: [20], 6991: [30] },
  });
  const released = await write({ sold: '', reserve: '-100', payout: '100' });
  expect(await booked(released.headers.location)).toEqual({ 1686: [-100, 100] });
});

test('the same is booked once, another by its number is refused, and signs that mean nothing are said', async () => {
  const same = { number: 'ONCE', sold: '50', fee: '1', payout: '49' };
  const [first, again] = [await write(same), await write({ ...same, provider: 'ZETTLE' })];
  expect(again.headers.location).toBe(first.headers.location);
  const other = await write({ ...same, sold: '51', payout: '50' });
  expect(errorAt(other.body, 'number')).toContain('redan bokförd med annat innehåll');
  const signed = await write({ sold: '-50', payout: '-50' });
  expect(errorAt(signed.body, 'sold')).toContain('utan minus');
  expect(errorAt((await write({ payout: '0' })).body, 'sold')).toContain('Skriv vad som såldes');
  const late = await write({ sold: '1', payout: '1', date: '2099-01-01' });
  expect(errorAt(late.body, 'date')).not.toBe('');
  // An account that is not there has no field of its own.
  const nowhere = await write({ sold: '1', payout: '1', account: '1930' });
  expect(textOfPage(nowhere.body)).toContain('1930');
  expect(nowhere.statusCode).toBe(422);
});

test('a row of the bank leads to it, and is then said yes to: nothing is left on the clearing account', async () => {
  await sell(400, '2026-03-10', 1687);
  await withTx(books.owner, async (tx) => {
    const account = { name: 'Företagskonto', ledgerAccount: 1930 };
    const { id: accountId } = await createBankAccount(tx, account, 'test');
    const typed = { bookedOn: '2026-03-12', amountOre: 39_000n, description: 'KLARNA BANK' };
    await addTransaction(tx, { accountId, ...typed }, 'test');
  });
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions`,
  );
  const row = found?.id ?? '';
  const page = `/bank/${row}`;
  expect((await keeper.get(page)).body).toContain(`${url}?rad=${row}`);
  const begun = (await keeper.get(`${url}?rad=${row}&konto=1687`)).body;
  expect(begun).toMatch(/name="payout" value="390,00"/);
  expect(begun).toMatch(/name="date" value="2026-03-12"/);
  const [, item = ''] = /name="item" value="([^"]+)"/.exec(begun) ?? [];
  const fields = { provider: 'Klarna', account: '1687', date: '2026-03-12', row, item };
  const done = await write({ ...fields, fee: '10', payout: '390' });
  expect(done.headers.location).toBe(page);
  const suggested = (await keeper.get(page)).body;
  const [, approval = ''] = /name="approval" value="([^"]+)"/.exec(suggested) ?? [];
  expect((await keeper.submit(`${page}/godkann`, { approval }, page)).statusCode).toBe(303);
  expect(await open(1687)).toEqual([]);
});

test('who only reads is not let in, by page or by SQL, and the books hold', async () => {
  const reader = await logIn(books, 'lasare');
  expect((await reader.get(url)).statusCode).toBe(403);
  expect((await reader.get('/bank/avrakningar')).body).not.toContain(url);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
