import { expect, it } from 'vitest';
import { readBasBaseChart } from '#src/accounts/bas-base-chart.ts';
import { addDays } from '#src/domain/dates.ts';
import { outputVatAccount, vatRates } from '#src/domain/vat.ts';
import { readReferenceRates } from '#src/interest/reference-rates.ts';

it('starts a company with a chart of 275 accounts, each once and in order', async () => {
  const chart = await readBasBaseChart();
  expect(chart.length).toBe(275);
  const numbers = chart.map(({ account }) => account);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(numbers.every((account) => account >= 1000 && account <= 8999)).toBe(true);
  expect(chart.every(({ name }) => name.trim() === name && name !== '')).toBe(true);
});

it('knows the accounts that everyday bookkeeping needs', async () => {
  const chart = new Map((await readBasBaseChart()).map((one) => [one.account, one]));
  expect(chart.get(3001)).toEqual({
    account: 3001,
    name: 'Försäljning inom Sverige, 25 % moms',
    type: 'revenue',
    sieAccountType: 'I',
    vatCode: 'MP1',
    vatRate: 25,
    vatBox: '05',
    sru: '7310',
    note: null,
  });
  expect(chart.get(1510)).toMatchObject({ name: 'Kundfordringar', type: 'asset', vatRate: null });
  expect(chart.get(3004)).toMatchObject({ vatRate: 0, vatBox: '42' });
  expect(chart.get(3740)).toMatchObject({ vatCode: null, vatRate: null });
  for (const account of [1630, 1930, 2440, 2641, 2650, 2999, 3105, 3108, 3305, 3308]) {
    expect(chart.has(account)).toBe(true);
  }
  for (const rate of vatRates) {
    const account = outputVatAccount(rate);
    if (account !== null) expect(chart.get(account)?.vatRate).toBe(rate);
  }
});

it('can compute default interest for every day since 2002-07-01, without a gap', async () => {
  const rates = await readReferenceRates();
  expect(rates.length).toBe(49);
  expect(rates[0]).toEqual({
    validFrom: '2002-07-01',
    validTo: '2002-12-31',
    percentE2: 450n,
    sfs: null,
  });
  for (const [index, rate] of rates.entries()) {
    const next = rates[index + 1];
    expect(rate.validFrom.slice(5)).toBe(index % 2 === 0 ? '07-01' : '01-01');
    expect(rate.validTo.slice(5)).toBe(index % 2 === 0 ? '12-31' : '06-30');
    if (next) expect(next.validFrom).toBe(addDays(rate.validTo, 1));
    expect(rate.percentE2 % 50n).toBe(0n);
  }
  const percentFrom = new Map(rates.map((rate) => [rate.validFrom, rate.percentE2]));
  expect(percentFrom.get('2016-07-01')).toBe(-50n);
  expect(percentFrom.get('2023-07-01')).toBe(350n);
  expect(percentFrom.get('2025-01-01')).toBe(300n);
  expect(percentFrom.get('2026-07-01')).toBe(200n);
});
