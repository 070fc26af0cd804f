/** One list of the accounts that the program posts on, and the chart that has them all. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBasBaseChart } from '#src/ledger/accounts/bas-base-chart.ts';
import { serviceAccounts } from '#src/ledger/accounts/service-accounts.ts';
import { chartFromSie, readChartGround } from '#src/ledger/accounts/sie-chart.ts';

const company = '5560360793';
const trader = '8112189876';
const numbersFor = (number: string) => serviceAccounts(number).map(({ account }) => account);

test('the base chart has every one of them, and a chart out of a SIE file gets those it lacks', async () => {
  const bas = (await readBasBaseChart()).map(({ account }) => account);
  for (const number of [company, trader]) {
    const needed = numbersFor(number);
    expect(bas).toEqual(expect.arrayContaining(needed));
    const sie = {
      encoding: 'utf-8',
      company: null,
      organizationNumber: null,
      fiscalYear: null,
      accounts: [{ number: '1930', name: 'Bank', kind: null, sru: null }],
    } as const;
    const chart = chartFromSie(sie, await readChartGround(number));
    const present = chart.accounts.map(({ account }) => account);
    expect(present).toEqual(expect.arrayContaining(needed));
    expect(present).not.toContain(5010);
  }
});

test('the result of a company and of a sole trader goes to equity of their own', () => {
  expect(numbersFor(company)).toEqual(expect.arrayContaining([2098, 2099, 8999]));
  expect(numbersFor(company)).not.toContain(2010);
  expect(numbersFor(trader)).toEqual(expect.arrayContaining([2010, 2019, 8999]));
  expect(numbersFor(trader)).not.toContain(2099);
});

/** Numbers of four digits in the code that are no accounts that anything is posted on. */
const others = new Set([
  // Where groups and classes of accounts begin and end.
  ...[
    1000, 2011, 2100, 2149, 2610, 2649, 2659, 3000, 3700, 3799, 3910, 3939, 7410, 7499, 8400, 8800,
    8899,
  ],
  // Those of the statements.
  ...[1099, 1100, 1299, 1300, 1399, 1400, 1499, 1500, 1599, 1600, 1699, 1700, 1799, 1800, 1899],
  ...[2199, 2200, 2299, 2300, 2399, 2400, 2999, 3800, 3899, 3900, 4999, 6999, 7000, 7699, 7700],
  ...[7899, 7900, 7999, 8000, 8399, 8799, 8900, 8998],
  // What may be spread over months stands between these, on accounts that a person says; the usual are filled in.
  ...[2599, 2700, 1229, 1790, 2970, 2990, 7832],
  // What a person says that money came through: posted on only when it is in the chart.
  ...[1630, 1680, 1689, 1999, 2013, 2018, 2421, 2820, 2893, 6350, 6359],
  // What a year's end is proposed to be booked on, and card sales are settled from: refused by name when the chart lacks it.
  ...[1686, 2110, 2512, 2514, 7533, 8811, 8910],
  // Beside the ledgers' own, made when a year's end first books on them (ledger/fiscal-years/revaluation.ts).
  ...[1517, 2447],
  // VAT of the one stop shop, which is told of and never posted.
  ...[2670],
  // What a row of the bank is suggested to be: a chart without it refuses the row, and says so at it.
  ...[2012, 2518, 2710, 2731, 8310, 8314, 8423],
  // What is spread over months stands on accounts that a person says; the usual ones are only filled in beforehand.
  ...[1229, 1790, 2970, 2990, 7832],
  // Bytes, signs, days, years; 1904 is where some workbooks count days from.
  ...[1024, 1460, 1900, 1904, 2000, 5000],
]);
const folders = [
  'domain',
  'sales',
  'intake',
  'purchases',
  'ledger/fiscal-years',
  'ledger/vat-filings',
];

test('no account number stands in the code of a service without being on the list', async () => {
  const known = new Set([...numbersFor(company), ...numbersFor(trader), ...others]);
  const found: string[] = [];
  for (const folder of folders) {
    const path = join(import.meta.dirname, '../../src', folder);
    for (const name of await readdir(path, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const code = (await readFile(join(path, name), 'utf8'))
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replace(/'[^'\n]*'|\/(?:[^/\n\\]|\\.)+\/[gimuy]*/g, '')
        .replace(/`[^`]*`/g, (text) => text.match(/\$\{[^}]*\}/g)?.join(' ') ?? '');
      for (const [number] of code.matchAll(/(?<![\w.])[1-8]\d{3}(?![\w.])/g)) {
        if (!known.has(Number(number))) found.push(`${folder}/${name}: ${number}`);
      }
    }
  }
  expect(found).toEqual([]);
});
