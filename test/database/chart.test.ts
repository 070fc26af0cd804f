/** The chart of accounts that a company starts with, and what an upgrade makes of an older one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBasBaseChart } from '#src/accounts/bas-base-chart.ts';
import { setUp } from '#src/company/service.ts';
import { createPool, type Pool, withTx } from '#src/db/pool.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';

const fiscalYear = { year: 2026, start: '2026-01-01', end: '2026-12-31' };
let databases: TestDatabase[];
let companyPool: Pool;
let traderPool: Pool;

beforeAll(async () => {
  databases = [await cloneDatabase(), await cloneDatabase()];
  [companyPool, traderPool] = databases.map(({ url }) =>
    createPool({ url, max: 2, applicationName: 'test' }),
  ) as [Pool, Pool];
  const setUpFor = (pool: Pool, company: string, organizationNumber: string) =>
    withTx(pool, (tx) => setUp(tx, { company, organizationNumber, fiscalYear, owner: null }, 'x'));
  await setUpFor(companyPool, 'Bolaget AB', '5560360793');
  await setUpFor(traderPool, 'Anna Andersson', '8112189876');
});

afterAll(async () => {
  await Promise.all([companyPool.end(), traderPool.end()]);
  await Promise.all(databases.map((database) => database.drop()));
});

async function sruCodes(pool: Pool): Promise<Map<number, string | null>> {
  const { rows } = await pool.query('select number, sru from ledger.accounts');
  return new Map(rows.map(({ number, sru }) => [number, sru]));
}

test('a company and a sole trader get the codes of their own form', async () => {
  const [company, trader] = [await sruCodes(companyPool), await sruCodes(traderPool)];
  const codesOf = (account: number) => [company.get(account), trader.get(account)];
  expect(codesOf(3001)).toEqual(['7410', '7400']);
  expect(codesOf(3004)).toEqual(['7410', '7401']);
  expect(codesOf(2010)).toEqual([null, '7300']);
  expect(codesOf(2081)).toEqual(['7301', null]);
});

test('an upgrade puts the codes right that an earlier chart gave, and nothing else', async () => {
  const upgrade = await readFile(
    join(import.meta.dirname, '../../migrations/0043-right-sru-codes.sql'),
    'utf8',
  );
  for (const pool of [companyPool, traderPool]) {
    const right = await sruCodes(pool);
    // As the chart was: a few of each class, and one that a person has chosen.
    await pool.query(`update ledger.accounts a set sru = old.sru, name = 'Eget namn ' || a.number
      from (values (1930, '7212'), (2010, '7221'), (2012, null), (2081, '7220'), (2440, '7230'),
        (3001, '7310'), (3004, '7310'), (4990, null), (5010, '7321'), (8999, '7380')) as old (number, sru)
      where a.number = old.number`);
    await pool.query(`update ledger.accounts set sru = '7416' where number = 8310`);
    await pool.query(upgrade);
    expect(await sruCodes(pool)).toEqual(right.set(8310, '7416'));
    const { rows } = await pool.query(
      `select count(*)::integer as named from ledger.accounts where name like 'Eget namn %'`,
    );
    expect(rows).toEqual([{ named: 10 }]);
  }
  const numbers = (await readBasBaseChart()).map(({ account }) => account);
  expect([...(await sruCodes(companyPool)).keys()].sort()).toEqual(numbers.sort());
});
