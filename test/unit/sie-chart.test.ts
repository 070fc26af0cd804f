/** A foreign chart of accounts as ours: what is sure is taken, what is in doubt waits for a decision. */
import { describe, expect, test } from 'vitest';
import { readSieChart } from '#src/domain/ledger/sie/chart.ts';
import {
  type ChartFromSie,
  chartFromSie,
  readChartGround,
} from '#src/ledger/accounts/sie-chart.ts';
import { decideChart, keyOf } from '#src/ledger/accounts/sie-decisions.ts';

const ground = await readChartGround('5560360793');

function read(...lines: string[]): ChartFromSie {
  const chart = readSieChart(new TextEncoder().encode(['#FLAGGA 0', ...lines].join('\n')));
  if (!chart) throw new Error('no SIE file');
  return chartFromSie(chart, ground);
}
const accountOf = (chart: ChartFromSie) => chart.accounts[0];

describe('types', () => {
  test.each([
    ['1931', 'T', 'asset'],
    ['2071', 'S', 'equity'],
    ['2355', 'S', 'liability'],
    ['3955', 'I', 'revenue'],
    ['8255', 'K', 'cost'],
    ['1999', undefined, 'asset'],
    ['2077', undefined, 'equity'],
    ['2999', undefined, 'liability'],
    ['3999', undefined, 'revenue'],
    ['5555', undefined, 'cost'],
    ['8155', undefined, 'revenue'],
    ['8455', undefined, 'cost'],
    ['8819', undefined, 'revenue'],
  ])('%s of kind %s is %s, without a doubt', (number, kind, type) => {
    const chart = read(`#KONTO ${number} "x"`, ...(kind ? [`#KTYP ${number} ${kind}`] : []));
    expect(accountOf(chart)?.type).toBe(type);
    expect(chart.doubts.filter(({ about }) => about === 'type')).toEqual([]);
  });

  test.each([
    // Programs have written all of class 2 as assets, and income of class 8 as costs.
    ['2440', 'T', 'liability', null],
    ['2081', 'T', 'equity', null],
    ['3001', 'K', 'revenue', null],
    ['8313', 'K', 'revenue', 'cost'],
    ['8819', 'K', 'revenue', 'cost'],
  ])('%s of kind %s is %s until somebody says %s', (number, kind, usual, inFile) => {
    const chart = read(`#KONTO ${number} "x"`, `#KTYP ${number} ${kind}`);
    expect(accountOf(chart)?.type).toBe(usual);
    const doubt = chart.doubts.find(({ about }) => about === 'type');
    expect(doubt).toMatchObject({ account: Number(number), suggestion: usual, inFile });
    expect(doubt?.choices.map(({ value }) => value)).toEqual(inFile ? [usual, inFile] : [usual]);
  });
});

/** VAT code that is taken, or the doubt's suggestion with a question mark. */
function vatOf(number: number, name: string): string | null {
  const chart = read(`#KONTO ${number} "${name}"`);
  const doubt = chart.doubts.find(({ about }) => about === 'vat');
  const taken = accountOf(chart)?.vatCode ?? null;
  if (!doubt) return taken;
  // What is in doubt is not taken.
  expect(taken).toBeNull();
  return `${doubt.suggestion ?? ''}?`;
}

describe('VAT codes', () => {
  test.each([
    // The number and the name agree, whatever the name's shortenings.
    [2611, 'Utgående moms 25%', 'U1'],
    [2611, 'Egen moms', 'U1'],
    [2611, 'Utg moms försäljning/uttag 25%', 'U1'],
    [2614, 'Ber utg moms inköp 25%', 'UO1'],
    [2621, 'Utgående moms, reducerad 1', 'U2'],
    [2631, 'Utg moms, red moms2', 'U3'],
    [2640, 'Ing moms', 'I'],
    [2645, 'Ber ing moms utlandsförvärv', 'I'],
    [2647, 'Ing.moms omv.skatt Sv.', 'I'],
    [3001, 'Försäljning', 'MP1'],
    [3002, 'Försäljning varor, 12% moms', 'MP2'],
    [3004, 'Försäljning momsfri', 'MF'],
    [3041, 'Försäljn tjänst 25% sv', 'MP1'],
    [3045, 'Försäljn tjänst utanför EU momsfri', 'TFEU'],
    [3048, 'Försäljn tjänst EU momsfri', 'FTEU'],
    [3053, 'Försäljn varor 6% sv', 'MP3'],
    [3055, 'Försäljn varor utanför EU', 'E'],
    [3056, 'Försäljn varor till EU 25 momspliktig', 'MP1'],
    [3058, 'Försäljn varor EU momsfri', 'VTEU'],
    [3308, 'Försäljning tjänster till annat EU-land', 'FTEU'],
    [3520, 'Frakter', 'MP1'],
    [4515, 'Import varor EU, 25%', 'IVEU1'],
    [4425, 'Ink. tjänst Sve omv 25%', 'ITOS1'],
    [4010, 'Inköp 25%', null],
    [5010, 'Lokalhyra', null],
    [3981, 'Erhållna EU-bidrag', null],
    // They do not agree: nothing is taken, and nothing suggested.
    [2610, 'Utg moms 100 %', '?'],
    [2611, 'Utg moms ink tjänst i Sverige', '?'],
    [2612, 'Moms 6%', '?'],
    [2614, 'Utg moms försäljning 12%', '?'],
    [2615, 'Ber utg moms varuförvärv EU-land 25%', '?'],
    [3001, 'Försäljning 12 %', '?'],
    [3105, 'Försäljning', '?'],
    [3521, 'Frakter export momsfri', '?'],
    [3912, 'Hyresintäkter frivillig skattskyldighet', '?'],
    [4415, 'Inköp 25 %', '?'],
    // The name alone says what it is likely to be.
    [2617, 'Utg moms omv skattskyldighet i Sv 25%', 'UO1?'],
    [3011, 'FSG 25% MOMS', 'MP1?'],
    [3014, 'FSG TIDNING 6%', 'MP3?'],
    [3059, 'Momspl uttag av fast.tj 25%', 'MU1?'],
    [3046, 'Försäljn tjänst till EU', 'MP1?'],
    [3540, 'Bidrag från kommunen', 'MP1?'],
    [4056, 'Inköp varor 25% EU', 'IVEU1?'],
    [3062, 'Förs varor närst företag', '-?'],
    // It says too little.
    [3008, 'Försäljning varor, EU-land', '?'],
    [2619, 'Utg moms EU-land', '?'],
  ])('%i %s: %s', (number, name, wanted) => {
    expect(vatOf(number, name)).toBe(wanted);
  });
});

test('SRU codes that the form does not have for the account are in doubt', () => {
  const chart = read(
    '#KONTO 1930 "Bank"',
    '#SRU 1930 7281',
    '#KONTO 5010 "Hyra"',
    '#SRU 5010 7321',
    '#KONTO 2010 "Eget kapital"',
    '#SRU 2010 7300',
  );
  expect(
    chart.doubts.map(({ about, account, suggestion }) => [about, account, suggestion]),
  ).toEqual([
    ['sru', 5010, '7513'],
    ['sru', 2010, '7300'],
  ]);
});

test('a decision is taken, and what is left or unknown is told', () => {
  const chart = read(
    '#KONTO 2612 "Moms 6%"',
    '#KONTO 8313 "Ränta"',
    '#KTYP 8313 K',
    '#KONTO 5010 "Hyra"',
    '#SRU 5010 7321',
    '#KONTO 3011 "FSG 25% MOMS"',
  );
  const keys = chart.doubts.map(keyOf);
  expect(keys).toEqual(['vat_2612', 'type_8313', 'sru_5010', 'vat_3011']);
  const none = decideChart(chart, new Map(), ground.bas);
  expect(none.undecided.map(keyOf)).toEqual(keys);
  const decided = decideChart(
    chart,
    new Map([
      ['vat_2612', 'U3'],
      ['type_8313', 'cost'],
      ['sru_5010', '7321'],
      ['vat_3011', 'MP9'],
    ]),
    ground.bas,
  );
  expect(decided.undecided.map(keyOf)).toEqual(['vat_3011']);
  expect(decided.accounts.slice(0, 4)).toMatchObject([
    { account: 2612, name: 'Moms 6%', vatCode: 'U3', vatRate: 6, vatBox: '12' },
    { account: 8313, type: 'cost', sieAccountType: 'K' },
    { account: 5010, sru: '7321', vatCode: null },
    { account: 3011, vatCode: null },
  ]);
});

test('numbers that are no accounts here are told', () => {
  const chart = read(
    '#KONTO 19301 "x"',
    '#KONTO 0123 "y"',
    '#KONTO DIFF "z"',
    '#KONTO 9999 "Internt"',
    '#KONTO 1930 "Bank"',
  );
  expect(chart.leftOut).toEqual(['19301', '0123', 'DIFF', '9999']);
});
