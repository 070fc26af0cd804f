/** Bokslut: the year's end step by step, from what pensions cost to a closed year. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const PAGE = '/rakenskapsar/2026/bokslut';
let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let administrator: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ today: '2027-02-10' });
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
  administrator = await logIn(books, 'administrator');
  const post = (debit: number, credit: number, kronor: number) =>
    books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({
        date: '2026-06-30',
        rows: [
          { account: debit, debit: kronor, credit: 0 },
          { account: credit, debit: 0, credit: kronor },
        ],
      }),
    });
  await db(books.owner).query(sql`insert into ledger.accounts (number, name, type) values
    (7412, 'Pensioner', 'cost'), (7533, 'Löneskatt', 'cost'), (2514, 'Löneskatt', 'liability'),
    (8811, 'Avsättning', 'cost'), (2110, 'Fond', 'liability'), (8910, 'Skatt', 'cost'),
    (2512, 'Skatt', 'liability') on conflict do nothing`);
  for (const [debit, credit, kronor] of [
    [1930, 3001, 1_000_000],
    [5010, 1930, 400_000],
    [7412, 1930, 100_000],
  ] as const) {
    expect((await post(debit, credit, kronor)).statusCode).toBe(200);
  }
});
afterAll(() => books.close());

const balanceOf = async (account: number): Promise<bigint> => {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account} and verification_date = '2026-12-31'`,
  );
  return row?.ore ?? 0n;
};
const seenIn = (html: string): string => /name="seen" value="(-?\d+)"/.exec(html)?.[1] ?? '';
const book = async (kind: string, amount: string, credit: string, who = keeper) => {
  const { body } = await who.get(`${PAGE}/${kind}`);
  const fields = { amount, credit, series: 'A', seen: seenIn(body) };
  return who.post(`${PAGE}/${kind}`, { ...tokensOf(body), ...fields });
};
const plain = (html: string): string => html.replaceAll('\u00a0', ' ');

test('taxes and reserves are proposed in turn, each on what the one before left', async () => {
  expect(plain((await reader.get(PAGE)).body)).toContain('24,26 % på pensionskostnaderna');
  // Nobody is led to what they may not do.
  expect((await keeper.get(PAGE)).body).toContain('href="/rakenskapsar/2026/resultat"');
  expect((await reader.get(PAGE)).body).not.toContain('href="/rakenskapsar/2026/resultat"');
  expect((await reader.get(`${PAGE}/loneskatt`)).statusCode).toBe(403);
  expect(plain((await keeper.get(`${PAGE}/loneskatt`)).body)).toContain('value="24 260,00"');
  expect((await book('loneskatt', '24 260', '2514')).statusCode).toBe(303);
  expect(await balanceOf(7533)).toBe(2_426_000n);
  expect(plain((await keeper.get(`${PAGE}/periodiseringsfond`)).body)).toContain(
    'value="118 935,00"',
  );
  const tooMuch = await book('periodiseringsfond', '118 936', '2110');
  expect(tooMuch.statusCode).toBe(422);
  expect(plain(tooMuch.body)).toContain('Högst 118 935,00 kr kan avsättas');
  expect((await book('periodiseringsfond', '100', '1930')).body).toContain(
    'Konto 1930 är inte ett av dem',
  );
  expect((await book('periodiseringsfond', '-1', '2110')).body).toContain('mer än noll');
  expect((await book('periodiseringsfond', '118 935', '2110')).statusCode).toBe(303);
  expect(plain((await keeper.get(`${PAGE}/skatt`)).body)).toContain('value="73 500,00"');
});

test('two who book the tax at the same time book it once', async () => {
  const pages = await Promise.all([keeper, administrator].map((one) => one.get(`${PAGE}/skatt`)));
  const answers = await Promise.all(
    [keeper, administrator].map((one, index) => {
      const body = pages[index]?.body ?? '';
      const fields = { amount: '73500', credit: '2512', series: 'A', seen: seenIn(body) };
      return one.post(`${PAGE}/skatt`, { ...tokensOf(body), ...fields });
    }),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
  expect(await balanceOf(8910)).toBe(7_350_000n);
  expect(answers.find(({ statusCode }) => statusCode === 422)?.body).toContain('Någon annan');
});

test('the result goes to equity, the year is closed, and nothing is booked in it after that', async () => {
  const result = '/rakenskapsar/2026/resultat';
  expect((await keeper.submit(result, { series: 'A' })).statusCode).toBe(303);
  expect(await balanceOf(2099)).toBe(-28_330_500n);
  const close = '/rakenskapsar/2026/stang';
  expect((await administrator.submit(close, { typed: '2026' })).statusCode).toBe(303);
  const { body } = await keeper.get(PAGE);
  expect(body).toContain('Räkenskapsåret är stängt');
  expect(body).not.toContain('>Bokför</a>');
  const late = await keeper.post(`${PAGE}/skatt`, {
    ...tokensOf(body),
    ...{ amount: '1', credit: '2512', series: 'A', seen: '7350000' },
  });
  expect(late.statusCode).toBe(422);
  expect(await balanceOf(8910)).toBe(7_350_000n);
  for (const path of ['/rakenskapsar/1999/bokslut', `${PAGE}/annat`]) {
    expect((await reader.get(path)).statusCode, path).toBe(404);
  }
});
