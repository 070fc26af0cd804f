/** What makes up a balance on a day: items that documents and people have not settled, which come to the balance. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { findOpenItems } from '#src/ledger/open-items/service.ts';
import { balanceAt, sumMonths } from '#src/ledger/open-items/store.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
    values (1686, 'Avräkning', 'asset'), (1684, 'Fordran', 'asset') on conflict do nothing`);
});
afterAll(() => books.close());

const book = (date: string, account: number, kronor: bigint, description = 'Post') =>
  withTx(books.owner, (tx) => {
    const ore = kronor * 100n;
    const [debitOre, creditOre] = ore > 0n ? [ore, 0n] : [0n, -ore];
    const rows = [
      { account, debitOre, creditOre },
      { account: 1930, debitOre: creditOre, creditOre: debitOre },
    ];
    return postAppVoucher(
      tx,
      { series: 'A', date, description, counterparty: null, source: 'app', rows },
      'test',
    );
  });
const page = (account: number, day = '') => `/kontoplan/${account}/poster${day && `?dag=${day}`}`;
const itemsIn = (body: string): string[] =>
  [...body.matchAll(/name="item" value="([^"]+)"/g)].map(([, value = '']) => value);
const oresIn = (body: string): number[] =>
  itemsIn(body).map((one) => Number(one.split('~')[1]) / 100);
const open = async (account: number, day?: string) =>
  oresIn((await keeper.get(page(account, day))).body);

test('rows that settle each other are paired by hand, in part too, open before the later one, and undone', async () => {
  await book('2026-02-01', 1684, 1000n);
  await book('2026-03-01', 1684, -600n);
  await book('2026-03-05', 1684, -100n);
  const { body } = await keeper.get(page(1684));
  expect(oresIn(body)).toEqual([1000, -600, -100]);
  expect(body.replace(/\s/g, ' ')).toContain('300,00 kr');
  const [first = '', second = '', third = ''] = itemsIn(body);
  const url = page(1684);
  expect((await keeper.submit(url, { item: [first] })).body).toContain('Markera minst två poster');
  expect((await keeper.submit(url, { item: [second, third] })).body).toContain('åt samma håll');
  expect((await keeper.submit(url, { item: [first, second] })).statusCode).toBe(303);
  expect(await open(1684)).toEqual([400, -100]);
  expect(await open(1684, '2026-02-15')).toEqual([1000]);
  // Whoever has an older page is told, and nothing is paired twice.
  expect((await keeper.submit(url, { item: [first, third] })).body).toContain(
    'sedan sidan visades',
  );
  expect((await reader.submit(url, { item: [first, third] })).statusCode).toBe(403);
  expect((await reader.get(url)).body).not.toContain('name="item"');
  const [pairing] = await db(books.owner).query<{ id: string }>(
    sql`select id from ledger.pairings`,
  );
  expect((await keeper.submit(`${url}/${pairing?.id}/hav`, {}, url)).statusCode).toBe(303);
  expect(await open(1684)).toEqual([1000, -600, -100]);
  expect((await keeper.submit(`${url}/${pairing?.id}/hav`, {}, url)).statusCode).toBe(422);
  const entries = await db(books.owner).query<{
    action: string;
  }>(sql`select action from audit.events
    where subject = '1684' order by occurred_at`);
  expect(entries.map(({ action }) => action)).toEqual(['account.paired', 'account.unpaired']);
});

test('of two who pair the same at once one does, and the other is told', async () => {
  const { body } = await keeper.get(page(1684));
  const [first = '', second = ''] = itemsIn(body);
  const answers = await Promise.all([
    keeper.submit(page(1684), { item: [first, second] }),
    keeper.submit(page(1684), { item: [first, second] }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
});

test('payments settle invoices, and corrections what they take back, of themselves and on the day they do', async () => {
  const invoiceId = await makeInvoice(books.owner, [
    { quantityE4: 10_000n, unitPriceE4: 10_000_000n },
  ]);
  const [invoice] = await db(books.owner).query<{ ore: bigint; day: string }>(
    sql`select open_ore as ore, invoice_date as day from sales.invoices where id = ${invoiceId}::uuid`,
  );
  const ore = invoice?.ore ?? 0n;
  const kronor = Number(ore) / 100;
  expect(await open(1510)).toEqual([kronor]);
  await withTx(books.owner, (tx) =>
    registerPayment(
      tx,
      { invoiceId, date: TODAY, today: TODAY, amountOre: ore - 10_000n, account: 1930 },
      'test',
    ),
  );
  expect(await open(1510)).toEqual([100]);
  expect(await open(1510, invoice?.day)).toEqual(invoice?.day === TODAY ? [100] : [kronor]);
  const { id } = await book('2026-02-02', 1686, 70n);
  expect(await open(1686)).toEqual([70]);
  await withTx(books.owner, (tx) =>
    correctVoucher(
      tx,
      { correctedId: id, date: TODAY, description: 'Fel', replacement: null },
      'test',
    ),
  );
  expect(await open(1686)).toEqual([]);
  expect((await keeper.get(page(1686))).body).toContain('Inget är öppet');
});

test('a settlement closes the clearing account for the sales that it names, and its payout when the bank has it', async () => {
  const invoiceId = await makeInvoice(books.owner, [
    { quantityE4: 10_000n, unitPriceE4: 10_000_000n },
  ]);
  const [invoice] = await db(books.owner).query<{ ore: bigint; number: number }>(
    sql`select open_ore as ore, number from sales.invoices where id = ${invoiceId}::uuid`,
  );
  const ore = invoice?.ore ?? 0n;
  await withTx(books.owner, (tx) =>
    registerPayment(
      tx,
      { invoiceId, date: TODAY, today: TODAY, amountOre: ore, account: 1686 },
      'test',
    ),
  );
  const kronor = Number(ore) / 100;
  expect(await open(1686)).toEqual([kronor]);
  const { key } = await books.makeKey(['bank:write', 'ledger:write']);
  const answer = await books.call({
    method: 'POST',
    url: '/api/v1/avrakning',
    key,
    payload: {
      provider: 'Kortbolaget',
      settlementId: 'A-1',
      date: TODAY,
      payout: kronor - 20,
      lines: [
        { kind: 'sale', amount: kronor, reference: `${invoice?.number}` },
        { kind: 'fee', amount: -20 },
      ],
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await open(1686)).toEqual([kronor - 20]);
  const brought = await book(TODAY, 1686, BigInt(20 - kronor), 'Utbetalning');
  expect(await open(1686)).toEqual([kronor - 20, 20 - kronor]);
  const { id } = answer.json();
  await keeper.submit(`/bank/avrakningar/${id}`, { voucher: brought.id });
  expect(await open(1686)).toEqual([]);
});

test('whoever can run any SQL pairs no more of a row than the row, and nothing that settles nothing', async () => {
  const { body } = await keeper.get(page(1684));
  const { id: other } = await book('2026-04-01', 1686, -1n);
  const parts = itemsIn(body).map((one) => {
    const [, voucherId = '', rowNo = ''] = /^(.{36})\.(\d+)~/.exec(one) ?? [];
    return { voucherId, rowNo: Number(rowNo) };
  });
  const [debit, credit] = parts;
  const pair = (rows: readonly (readonly [string, number, number])[]) =>
    withTx(books.owner, async (tx) => {
      const [made] = await tx.query<{
        id: string;
      }>(sql`insert into ledger.pairings (id, account, created_by)
        values (gen_random_uuid(), 1684, 'test') returning id`);
      await tx.query(sql`insert into ledger.paired_rows
        select ${made?.id}::uuid, * from unnest(${rows.map(([one]) => one)}::uuid[],
          ${rows.map(([, one]) => one)}::integer[], ${rows.map(([, , one]) => one)}::bigint[])`);
    });
  const [a, b] = [debit?.voucherId ?? '', credit?.voucherId ?? ''];
  const no = { constraint: 'pairings_settle' };
  for (const rows of [
    [
      [a, 1, 50_000],
      [b, 1, -49_999],
    ],
    [
      [a, 1, 100_000_00],
      [b, 1, -100_000_00],
    ],
    [
      [a, 1, -1],
      [b, 1, 1],
    ],
    [
      [a, 1, 1],
      [other, 1, -1],
    ],
    [
      [a, 9, 1],
      [b, 1, -1],
    ],
  ] as [string, number, number][][]) {
    await expect(pair(rows)).rejects.toMatchObject(no);
  }
});

test('of an account with more rows than are held in mind the same stands open, and where that is too much its months come to the balance', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(() =>
      makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]),
    ),
  );
  for (const [place, amountOre] of [12_500n, 5_000n].entries()) {
    const invoiceId = ids[place] ?? '';
    const payment = { invoiceId, date: TODAY, today: TODAY, amountOre };
    await withTx(books.owner, (tx) => registerPayment(tx, payment, 'test'));
  }
  const database = db(books.owner);
  for (const account of [1510, 1684, 1686, 1930]) {
    const all = await findOpenItems(database, { account, day: TODAY });
    const rows = await database.query(
      sql`select from ledger.voucher_rows where account = ${account}`,
    );
    // One row fewer than there are: what is settled is left to the database.
    const most = rows.length - 1;
    const some = await findOpenItems(database, { account, day: TODAY, most });
    if (account === 1510) expect(some).toEqual(all);
    else expect([null, all]).toContainEqual(some);
  }
  expect(await findOpenItems(database, { account: 1930, day: TODAY, most: 1 })).toBeNull();
  const months = await sumMonths(database, 1930, TODAY);
  expect(months.length).toBeGreaterThan(1);
  const sum = months.reduce((ore, one) => ore + one.debit_ore - one.credit_ore, 0n);
  expect(sum).toBe(await balanceAt(database, 1930, TODAY));
});
