import { expect, it } from 'vitest';
import { addDays } from '#src/domain/basics/dates.ts';
import { accountTypesOf } from '#src/domain/ledger/account.ts';
import { outputVatAccount, vatRates } from '#src/domain/ledger/vat.ts';
import { readBasBaseChart } from '#src/ledger/accounts/bas-base-chart.ts';
import { readSruCodes } from '#src/ledger/accounts/sru-codes.ts';
import { readReferenceRates } from '#src/sales/interest/reference-rates.ts';

it('starts a company with a chart of accounts, each once, in order and of a type its number may have', async () => {
  const chart = await readBasBaseChart();
  const numbers = chart.map(({ account }) => account);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  for (const { account, type, sieAccountType } of chart) {
    expect(accountTypesOf(account), `${account}`).toContain(type);
    const kinds = { asset: 'T', equity: 'S', liability: 'S', revenue: 'I', cost: 'K' };
    expect(kinds[type], `${account}`).toBe(sieAccountType);
  }
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
    sru: null,
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

/** The accounts of each VAT code, with rate and box: the shared table of codes, and our own numbers. */
const vatAccounts = `
  MP1 25 05 3001 3041 3046 3051 3056 3106 3510 3520 3540 3550 3590 3610 3690 3920
  MP2 12 05 3002 3042 3052
  MP3 6 05 3003 3043 3053
  MF 0 42 3004 3044 3054 3404 3911 3912
  MU1 25 06 3401
  MU2 12 06 3402
  MU3 6 06 3403
  VMBP 25 07 3211 4211
  VMBN 0 - 3212 4212
  HFS 25 08 3913
  VTEU 0 35 3058 3108 3521 3541
  E 0 36 3055 3105 3522 3542
  TEU3 0 38 3109
  TEU3I 0 37 4519
  FTEU 0 39 3048 3308
  TFEU 0 40 3045 3305
  OMSS 0 41 3231
  OMSSM 0 41 3232
  OSS - - 2670 3107
  IVEU1 25 20 4075 4515
  IVEU2 12 20 4076 4516
  IVEU3 6 20 4077 4517
  IVEU0 0 20 4078 4518
  ITEU1 25 21 4535
  ITEU2 12 21 4536
  ITEU3 6 21 4537
  ITEU0 0 - 4538
  ITGLOB1 25 22 4531
  ITGLOB2 12 22 4532
  ITGLOB3 6 22 4533
  IVOS1 25 23 4065 4415
  IVOS2 12 23 4066 4416
  IVOS3 6 23 4067 4417
  ITOS1 25 24 4425
  ITOS2 12 24 4426
  ITOS3 6 24 4427
  BI1 25 50 4085 4545
  BI2 12 50 4086 4546
  BI3 6 50 4087 4547
  U1 25 10 2610 2611
  UU1 25 10 2612
  UH1 25 10 2613
  UO1 25 30 2614
  UI1 25 60 2615
  UV1 25 10 2616
  U2 12 11 2620 2621
  UU2 12 11 2622
  UH2 12 11 2623
  UO2 12 31 2624
  UI2 12 61 2625
  UV2 12 11 2626
  U3 6 12 2630 2631
  UU3 6 12 2632
  UH3 6 12 2633
  UO3 6 32 2634
  UI3 6 62 2635
  UV3 6 12 2636
  I - 48 2640 2641 2642 2645 2646 2647 2649
  R - 49 2650`;

it('has every account that Swedish VAT needs, each with its code, rate and box, and no other', async () => {
  const chart = await readBasBaseChart();
  const wanted = vatAccounts
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', rate = '', box = '', ...accounts] = line.trim().split(' ');
      return accounts.map((account) => [
        Number(account),
        code,
        rate === '-' ? null : Number(rate),
        box === '-' ? null : box,
      ]);
    });
  const found = chart
    .filter(({ vatCode }) => vatCode !== null)
    .map(({ account, vatCode, vatRate, vatBox }) => [account, vatCode, vatRate, vatBox]);
  const byNumber = (one: unknown[], other: unknown[]) => Number(one[0]) - Number(other[0]);
  expect(found.sort(byNumber)).toEqual(wanted.sort(byNumber));
});

it('gives each account its code of the income tax return: INK2R for companies, NE for sole traders', async () => {
  const company = await readSruCodes('5560360793');
  const trader = await readSruCodes('8112189876');
  // By the printed forms: row, and the accounts that BAS puts there.
  for (const [account, ink2r, ne] of [
    [1220, '7215', '7212'],
    [1510, '7251', '7250'],
    [1630, '7261', '7260'],
    [1930, '7281', '7280'],
    [2010, null, '7300'],
    [2081, '7301', null],
    [2099, '7302', null],
    [2150, '7322', '7320'],
    [2421, '7362', '7383'],
    [2440, '7365', '7382'],
    [2512, '7368', null],
    [2611, '7369', '7383'],
    [2941, '7370', '7383'],
    [3001, '7410', '7400'],
    [3004, '7410', '7401'],
    [3999, '7413', '7400'],
    [4000, '7512', '7500'],
    [4535, '7511', '7500'],
    [5010, '7513', '7501'],
    [7010, '7514', '7502'],
    [7832, '7515', '7505'],
    [7960, '7517', '7503'],
    [8020, '7414', '7403'],
    [8313, '7417', '7403'],
    [8420, '7522', '7503'],
    [8811, '7525', '7403'],
    [8819, '7420', '7403'],
    [8910, '7528', '7503'],
  ] as const) {
    expect([account, company(account), trader(account)]).toEqual([account, ink2r, ne]);
  }
  for (const { account } of await readBasBaseChart()) {
    if (account < 2000 || account >= 2080) expect(company(account), `${account}`).not.toBeNull();
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
