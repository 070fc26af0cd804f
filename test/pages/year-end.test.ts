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

test('a year whose rate is not known here says so, asks for it, and reckons with what is stated', async () => {
  const later = await createInstallation({ today: '2028-02-10' });
  try {
    const person = await logIn(later, 'agare');
    await db(later.owner).query(sql`insert into ledger.accounts (number, name, type) values
      (8910, 'Skatt', 'cost'), (2512, 'Skatt', 'liability') on conflict do nothing`);
    await later.owner.query(
      `update ledger.fiscal_years set year = 2027, start_date = '2027-01-01', end_date = '2027-12-31'`,
    );
    const rows = [
      { account: 1930, debit: 100_000, credit: 0 },
      { account: 3001, debit: 0, credit: 100_000 },
    ];
    const payload = voucherBody({ date: '2027-06-30', rows });
    expect(
      (await later.call({ method: 'POST', url: '/api/v1/verifikat', payload })).statusCode,
    ).toBe(200);
    const place = '/rakenskapsar/2027/bokslut';
    const steps = plain((await person.get(place)).body);
    expect(steps).toContain('Ingen känd sats');
    expect(steps).toContain(`href="${place}/skatt">Ange satsen`);
    expect(steps).not.toContain('20,60 %');
    expect((await person.get(`${place}/skatt?sats=mycket`)).body).toContain('Skriv en procentsats');
    const { body } = await person.get(`${place}/skatt?sats=19,5`);
    expect(plain(body)).toContain('value="19 500,00"');
    const fields = { amount: '19 500', credit: '2512', series: 'A', seen: seenIn(body) };
    const tokens = tokensOf(body);
    const fault = await person.post(`${place}/skatt`, { ...tokens, ...fields, rate: '195' });
    expect(fault.statusCode).toBe(422);
    expect(fault.body).toContain('högst 100 procent');
    const sent = { ...tokensOf(fault.body), ...fields, rate: '19,50' };
    expect((await person.post(`${place}/skatt`, sent)).statusCode).toBe(303);
    expect(plain((await person.get(place)).body)).toContain('Bokfört: 19 500,00 kr');
  } finally {
    await later.close();
  }
});
