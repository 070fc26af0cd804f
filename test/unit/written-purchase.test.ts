/** Suppliers' invoices and outlays written by hand: what is typed, and what it is booked on. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOre } from '#src/domain/basics/exchange-rate.ts';
import { vatGaps } from '#src/domain/purchases/reverse-charge.ts';
import { purchaseVatCodes } from '#src/domain/purchases/vat-codes.ts';
import {
  type Deduction,
  postWritten,
  type WrittenLine,
  type WrittenPurchase,
  wholeDeduction,
} from '#src/domain/purchases/written-purchase.ts';
import { readBasBaseChart } from '#src/ledger/accounts/bas-base-chart.ts';

const chart = new Map((await readBasBaseChart()).map((one) => [one.account, one] as const));
const costAccount = (number: number) => {
  const { vatBox = null, vatRate = null } = chart.get(number) ?? {};
  return { number, vatBox, vatRate };
};

const öre = (kronor: number | null): bigint | null =>
  kronor === null ? null : BigInt(Math.round(kronor * 100));

type Typed = readonly [number, number | null, string, Deduction?];
const line = ([number, kronor, vatCode, deduction = wholeDeduction]: Typed): WrittenLine => ({
  account: costAccount(number),
  ore: öre(kronor),
  vatCode,
  deduction,
  note: null,
  costCenter: null,
  project: null,
});

const written = (
  total: number,
  lines: readonly Typed[],
  more: Partial<WrittenPurchase> = {},
): WrittenPurchase => ({
  kind: 'invoice',
  totalOre: öre(total) ?? 0n,
  vatOre: null,
  isVatIncluded: false,
  debtAccount: 2440,
  lines: lines.map(line),
  ...more,
});

/** `4000 1000.00`, credit below zero. */
function rowsOf(given: WrittenPurchase): string[] {
  const outcome = postWritten(given);
  if ('problems' in outcome) throw new Error(JSON.stringify(outcome.problems.map((p) => p.reason)));
  return outcome.posting.rows.map(
    ({ account, debitOre, creditOre }) =>
      `${account} ${(Number(debitOre - creditOre) / 100).toFixed(2)}`,
  );
}
const reasonsOf = (given: WrittenPurchase): string[] => {
  const outcome = postWritten(given);
  return 'problems' in outcome ? outcome.problems.map((one) => `${one.path} ${one.reason}`) : [];
};

const half: Deduction = { kind: 'share', percent: 50 };
const none: Deduction = { kind: 'share', percent: 0 };
const meals = (people: number): Deduction => ({ kind: 'meals', people });

describe('an invoice written by hand', () => {
  test('needs no more than its total, an account and a code', () => {
    expect(rowsOf(written(1250, [[5410, null, 'I25']]))).toEqual([
      '5410 1000.00',
      '2641 250.00',
      '2440 -1250.00',
    ]);
    // No two decimals of net and VAT by the rate come to this: the VAT is in the total, and nothing is lost.
    expect(rowsOf(written(0.03, [[5410, null, 'I25']]))).toEqual([
      '5410 0.02',
      '2641 0.01',
      '2440 -0.03',
    ]);
  });

  test('has rows of several rates, with or without the VAT in them, and one that takes the rest', () => {
    const expected = ['4010 1000.00', '6970 100.00', '5831 200.00', '2641 280.00', '2440 -1580.00'];
    const rows = (...kronor: (number | null)[]): Typed[] => [
      [4010, kronor[0] ?? null, 'I25'],
      [6970, kronor[1] ?? null, 'I6'],
      [5831, kronor[2] ?? null, 'I12'],
    ];
    expect(rowsOf(written(1580, rows(1000, 100, 200)))).toEqual(expected);
    expect(rowsOf(written(1580, rows(1250, 106, 224), { isVatIncluded: true }))).toEqual(expected);
    expect(rowsOf(written(1580, rows(1000, null, 200)))).toEqual(expected);
    expect(rowsOf(written(1580, rows(1250, 106, null), { isVatIncluded: true }))).toEqual(expected);
  });

  test('rounds less than a krona on 3740, and refuses more', () => {
    expect(rowsOf(written(1334, [[5410, 1066.8, 'I25']]))).toEqual([
      '5410 1066.80',
      '2641 266.70',
      '3740 0.50',
      '2440 -1334.00',
    ]);
    expect(reasonsOf(written(1335, [[5410, 1066.8, 'I25']]))).toEqual([
      'total written_total_differs',
    ]);
  });

  test('takes the VAT that is printed when it is less than a krona from what its rows say', () => {
    const rows: Typed[] = [
      [5410, 33.33, 'I25'],
      [5460, 66.66, 'I25'],
    ];
    expect(rowsOf(written(124.98, rows, { vatOre: 2499n }))).toEqual([
      '5410 33.33',
      '5460 66.66',
      '2641 24.99',
      '2440 -124.98',
    ]);
    expect(reasonsOf(written(124.98, rows, { vatOre: 2_400n }))).toEqual([
      'vat written_vat_differs',
    ]);
    expect(reasonsOf(written(100, [[5410, 100, 'I0']], { vatOre: 20n }))).toEqual([
      'vat written_vat_differs',
    ]);
  });

  test('is turned about by a credit note, to the öre', () => {
    const rows: Typed[] = [
      [5615, 3333.33, 'I25', half],
      [6540, 99.99, 'ITEU1'],
    ];
    const turned = rowsOf(written(4266.65, rows)).map((row) => row.replace(/ (-?)/, ' $1'));
    const credit = rowsOf(written(4266.65, rows, { kind: 'credit_note' }));
    const negated = turned.map((row) => {
      const [account, ore] = row.split(' ');
      return `${account} ${(-Number(ore)).toFixed(2)}`;
    });
    expect(credit).toEqual(negated);
  });

  test('says what is wrong where it is typed', () => {
    expect(reasonsOf(written(0, []))).toEqual([
      'total written_total_not_positive',
      'rows purchase_without_lines',
    ]);
    expect(
      reasonsOf(
        written(100, [
          [5410, null, 'I25'],
          [5420, null, 'X'],
          [2641, 10, 'I25'],
          [4535, 10, 'I25'],
          [4535, 10, 'ITEU1', half],
          [6072, 10, 'I12', meals(0)],
          [6072, 10, 'I12', { kind: 'share', percent: 101 }],
        ]),
      ),
    ).toEqual([
      'rows[1].vatCode no_purchase_vat_code',
      'rows[1].amount two_rests',
      'rows[2].account vat_account_in_row',
      'rows[3].account account_of_another_box',
      'rows[4].account deduction_needs_cost_account',
      'rows[5].deductionNumber people_out_of_range',
      'rows[6].deductionNumber percent_out_of_range',
    ]);
    const full = written(125, [
      [5410, 100, 'I25'],
      [5420, null, 'I0'],
    ]);
    expect(reasonsOf(full)).toEqual(['rows[1].amount nothing_left']);
  });
});

/** As an accountant works them out on paper, with the boxes of the VAT return that they fill. */
describe('the kronor of', () => {
  const boxesOf = (rows: readonly string[]): Record<string, number> => {
    const boxes: Record<string, number> = {};
    for (const row of rows) {
      const [account, kronor] = row.split(' ').map(Number);
      const box = chart.get(account ?? 0)?.vatBox;
      if (!box) continue;
      const sign = /^[36][0-2]$|^1[0-2]$/.test(box) ? -1 : 1;
      boxes[box] = (boxes[box] ?? 0) + sign * (kronor ?? 0);
    }
    return boxes;
  };

  test.each<[string, number, Typed[], string[], Record<string, number>]>([
    [
      // 4 000 + 1 000 VAT, of which half is input VAT.
      'a leased car',
      5000,
      [[5615, 4000, 'I25', half]],
      ['5615 4500.00', '2641 500.00', '2440 -5000.00'],
      { 48: 500 },
    ],
    [
      // Three guests: VAT on 900 of 1 500 kr at 12 % is 108, the other 72 is cost.
      'a dinner for three',
      1680,
      [[6072, 1500, 'I12', meals(3)]],
      ['6072 1572.00', '2641 108.00', '2440 -1680.00'],
      { 48: 108 },
    ],
    [
      // 250 kr a head is within the limit.
      'a lunch for two',
      560,
      [[6071, 500, 'I12', meals(2)]],
      ['6071 500.00', '2641 60.00', '2440 -560.00'],
      { 48: 60 },
    ],
    [
      'what may not be deducted at all',
      1250,
      [[6982, 1000, 'I25', none]],
      ['6982 1250.00', '2440 -1250.00'],
      {},
    ],
    [
      'a service from the EU on an account of its own',
      10_000,
      [[6540, 10_000, 'ITEU1']],
      [
        '6540 10000.00',
        '4535 10000.00',
        '4598 -10000.00',
        '2645 2500.00',
        '2614 -2500.00',
        '2440 -10000.00',
      ],
      { 21: 10_000, 30: 2500, 48: 2500 },
    ],
    [
      // We owe 2 500 and deduct half; the rest is part of what it cost.
      'a service from the EU that is half for what bears no VAT',
      10_000,
      [[6540, 10_000, 'ITEU1', half]],
      [
        '6540 11250.00',
        '4535 10000.00',
        '4598 -10000.00',
        '2645 1250.00',
        '2614 -2500.00',
        '2440 -10000.00',
      ],
      { 21: 10_000, 30: 2500, 48: 1250 },
    ],
    [
      'goods from the EU on the base account, with freight in Sweden',
      11_250,
      [
        [4515, 10_000, 'IVEU1'],
        [5710, 1000, 'I25'],
      ],
      [
        '4515 10000.00',
        '5710 1000.00',
        '2641 250.00',
        '2645 2500.00',
        '2614 -2500.00',
        '2440 -11250.00',
      ],
      { 20: 10_000, 30: 2500, 48: 2750 },
    ],
    [
      'import of goods',
      8000,
      [[4545, 8000, 'BI1']],
      ['4545 8000.00', '2645 2000.00', '2615 -2000.00', '2440 -8000.00'],
      { 50: 8000, 60: 2000, 48: 2000 },
    ],
    [
      'building work',
      20_000,
      [[4425, 20_000, 'ITOS1']],
      ['4425 20000.00', '2647 5000.00', '2614 -5000.00', '2440 -20000.00'],
      { 24: 20_000, 30: 5000, 48: 5000 },
    ],
    [
      'a service from outside the EU and books from it',
      1333.33,
      [
        [4531, 333.33, 'ITGLOB1'],
        [4517, 1000, 'IVEU3'],
      ],
      [
        '4531 333.33',
        '4517 1000.00',
        '2645 83.33',
        '2614 -83.33',
        '2645 60.00',
        '2634 -60.00',
        '2440 -1333.33',
      ],
      { 22: 333.33, 30: 83.33, 20: 1000, 32: 60, 48: 143.33 },
    ],
  ])('%s', (_, total, lines, expected, boxes) => {
    const rows = rowsOf(written(total, lines));
    expect(rows).toEqual(expected);
    for (const [box, kronor] of Object.entries(boxesOf(rows))) {
      expect(kronor, `box ${box}`).toBeCloseTo(boxes[box] ?? 0, 6);
    }
    expect(Object.keys(boxesOf(rows)).sort()).toEqual(Object.keys(boxes).sort());
  });
});

describe('in another currency', () => {
  const euro = { rate: { currency: 'EUR', exchangeRateE6: 11_234_500n } };

  test('rows and debt are in kronor, and VAT that we owe is the rate of its base in kronor', () => {
    expect(rowsOf(written(100, [[5420, 100, 'ITEU1']], euro))).toEqual([
      '5420 1123.45',
      '4535 1123.45',
      '4598 -1123.45',
      '2645 280.86',
      '2614 -280.86',
      '2440 -1123.45',
    ]);
  });

  test('VAT that was charged is converted, and what was typed is kept as it stood', () => {
    const given = written(125, [[5410, 100, 'I25']], euro);
    expect(rowsOf(given)).toEqual(['5410 1123.45', '2641 280.86', '2440 -1404.31']);
    const outcome = postWritten(given);
    expect('posting' in outcome && outcome.posting).toMatchObject({
      netOre: 10_000n,
      vatOre: 2_500n,
      payableOre: 12_500n,
    });
  });

  test('the limit of meals is in kronor, whatever the bill is in', () => {
    const meal: Typed = [6072, 100, 'I12', { kind: 'meals', people: 1 }];
    // 1 123,45 kr of which the VAT on 300 kr may be deducted: 36 kr.
    expect(rowsOf(written(112, [meal], euro))).toEqual([
      '6072 1222.26',
      '2641 36.00',
      '2440 -1258.26',
    ]);
  });

  test('what is told is wrong is told in the currency', () => {
    const outcome = postWritten(written(130, [[5410, 100, 'I25']], euro));
    expect('problems' in outcome && outcome.problems[0]).toMatchObject({
      path: 'total',
      params: { currency: 'EUR' },
    });
  });

  test('amounts that no voucher can hold in kronor are refused at the rate', () => {
    const rich = { rate: { currency: 'EUR', exchangeRateE6: 10_000_000_000n } };
    expect(reasonsOf(written(9_000_000_000, [[5410, null, 'I25']], rich))).toEqual([
      'rate written_amounts_out_of_range',
    ]);
    const worthless = { rate: { currency: 'IDR', exchangeRateE6: 1n } };
    expect(reasonsOf(written(100, [[5410, null, 'I25']], worthless))).toEqual([
      'rate written_amounts_out_of_range',
    ]);
  });
});

describe('whatever is typed', () => {
  const codes = [...purchaseVatCodes.keys()];
  const deduction = fc.oneof(
    fc.record({ kind: fc.constant('share' as const), percent: fc.integer({ min: 0, max: 100 }) }),
    fc.record({ kind: fc.constant('meals' as const), people: fc.integer({ min: 1, max: 40 }) }),
  );
  const anyLine = fc.record({
    account: fc.constantFrom(...[4010, 5410, 5615, 6072, 1220].map(costAccount)),
    ore: fc.option(fc.bigInt({ min: -5_000_000n, max: 900_000_000n }), { freq: 12 }),
    vatCode: fc.constantFrom(...codes),
    deduction,
    note: fc.constant(null),
    costCenter: fc.constantFrom(null, 'a', 'b'),
    project: fc.constant(null),
  });
  const anyPurchase = fc.record({
    kind: fc.constantFrom('invoice' as const, 'credit_note' as const),
    vatOre: fc.constant(null),
    isVatIncluded: fc.boolean(),
    debtAccount: fc.constantFrom(2440, 2820, 2893, 2018),
    lines: fc.array(anyLine, { minLength: 1, maxLength: 8 }),
    rate: fc.option(
      fc.record({
        currency: fc.constant('EUR'),
        exchangeRateE6: fc.bigInt({ min: 10_000n, max: 20_000_000n }),
      }),
      { freq: 2 },
    ),
  });

  /** With a total that the rows come to, or one that a row without an amount takes the rest of. */
  const withTotal = (given: Omit<WrittenPurchase, 'totalOre'>): WrittenPurchase => {
    const probe = postWritten({ ...given, totalOre: 99_999_999_999n });
    if (!('problems' in probe)) return { ...given, totalOre: 99_999_999_999n };
    const [fault] = probe.problems;
    const sumOre = (fault as { params?: { sumOre?: bigint } })?.params?.sumOre;
    return { ...given, totalOre: sumOre ?? 1n };
  };

  test('debit is credit, the debt is the total, and all VAT is input VAT or cost', () => {
    let posted = 0;
    fc.assert(
      fc.property(anyPurchase, fc.bigInt({ min: -99n, max: 99n }), (given, roundingOre) => {
        const whole = withTotal(given);
        const purchase = { ...whole, totalOre: whole.totalOre + roundingOre };
        const outcome = postWritten(purchase);
        if ('problems' in outcome) return;
        posted += 1;
        const { rows, netOre, vatOre, payableOre, roundingOre: rounded } = outcome.posting;
        const on = (...numbers: number[]): bigint =>
          rows
            .filter(({ account }) => numbers.includes(account))
            .reduce((sum, { debitOre, creditOre }) => sum + debitOre - creditOre, 0n);
        const all = rows.reduce((sum, { debitOre, creditOre }) => sum + debitOre - creditOre, 0n);
        expect(all).toBe(0n);
        expect(rows.every((row) => row.debitOre > 0n !== row.creditOre > 0n)).toBe(true);
        const { rate } = purchase;
        expect(on(purchase.debtAccount)).toBe(-(rate ? toOre(payableOre, rate) : payableOre));
        expect(netOre + vatOre + rounded).toBe(payableOre);
        const owed = -on(2614, 2624, 2634, 2615, 2625, 2635);
        const costs = on(4010, 5410, 5615, 6072, 1220);
        const bought = -on(purchase.debtAccount) - on(3740);
        expect(costs + on(2641, 2645, 2647)).toBe(bought + owed);
        if (!rate) expect(bought).toBe(netOre + vatOre);
      }),
      { numRuns: 400 },
    );
    expect(posted).toBeGreaterThan(200);
  });

  test('what we owe is the rate of its base, within what the return may differ', () => {
    fc.assert(
      fc.property(anyPurchase, (given) => {
        const outcome = postWritten(withTotal(given));
        if ('problems' in outcome) return;
        const rows = outcome.posting.rows.map(({ account, debitOre, creditOre }) => ({
          ...costAccount(account),
          account,
          ore: debitOre - creditOre,
        }));
        expect(vatGaps(rows)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
