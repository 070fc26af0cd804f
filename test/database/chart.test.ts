import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { greet } from '#src/cli/greeting.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { setUp } from '#src/installation/company/service.ts';
import {
  chartSentence,
  completeChart,
  listChartFaults,
} from '#src/ledger/accounts/completeness.ts';
import { changeAccount } from '#src/ledger/accounts/service.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { inWords } from '../support/words.ts';

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

describe('accounts that the program posts on', () => {
  const faults = () => listChartFaults(db(companyPool));

  test('are all there from the beginning', async () => {
    expect(await faults()).toEqual([]);
    expect(await listChartFaults(db(traderPool))).toEqual([]);
  });

  test('are missed by name and use, put back as BAS has them, and nothing else is touched', async () => {
    await companyPool.query('delete from ledger.accounts where number in (2098, 3999, 5010)');
    await companyPool.query(
      `update ledger.accounts set is_active = false, name = 'Egen moms' where number = 2611`,
    );
    const found = await faults();
    expect(found).toEqual([
      { account: 2098, use: 'föregående års resultat', fault: 'missing' },
      { account: 2611, use: 'utgående moms', fault: 'inactive' },
      { account: 3999, use: 'påminnelseavgifter', fault: 'missing' },
    ]);
    const sentence = chartSentence(found);
    expect(sentence).toContain('saknar 2098 (föregående års resultat), 3999 (påminnelseavgifter).');
    expect(sentence).toContain('Inaktiva i kontoplanen: 2611');
    const greeting = await greet('http://x', companyPool);
    expect(greeting.join('\n')).toContain(`${sentence}\nLägg till dem`);

    // As the command line does, and as setting up again does.
    await withTx(companyPool, (tx) => completeChart(tx, 'x'));
    expect(await faults()).toEqual([]);
    expect((await greet('http://x', companyPool)).join('\n')).not.toContain('saknar');
    const { rows } = await companyPool.query(`select number, name, type, sru, is_active
      from ledger.accounts where number in (2098, 2611, 3999, 5010) order by number`);
    expect(rows).toEqual([
      expect.objectContaining({ number: 2098, type: 'equity', sru: '7302', is_active: true }),
      expect.objectContaining({ number: 2611, name: 'Egen moms', is_active: true }),
      expect.objectContaining({ number: 3999, name: 'Övriga rörelseintäkter', sru: '7413' }),
    ]);
  });

  test('cannot be taken out of use by hand', async () => {
    const change = withTx(companyPool, (tx) =>
      changeAccount(
        tx,
        2440,
        { name: 'Skulder', type: 'liability', vat: null, sru: null, isActive: false },
        'x',
      ),
    );
    await expect(change).rejects.toMatchObject({
      detail: { problems: [{ path: 'isActive', reason: 'posted_on_by_program' }] },
    });
  });

  test('setting up again adds them, and leaves the rest of the chart as the company has made it', async () => {
    await companyPool.query('delete from ledger.accounts where number in (1480, 6110)');
    const again = { company: 'x', organizationNumber: '5560360793', fiscalYear, owner: null };
    await withTx(companyPool, (tx) => setUp(tx, again, 'x'));
    const numbers = [...(await sruCodes(companyPool)).keys()];
    expect(numbers).toContain(1480);
    expect(numbers).not.toContain(6110);
    const another = withTx(companyPool, (tx) => setUp(tx, { ...again, accounts: [] }, 'x'));
    await expect(inWords(another)).rejects.toThrow('Kontoplanen finns redan');
  });
});
