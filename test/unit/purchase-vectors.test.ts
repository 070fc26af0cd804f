/**
 * Purchases as accountants book them, with the boxes of the VAT return they must give: the program's own
 * rows where an invoice says enough, and otherwise rows that a person types, which must be let through.
 */
import { describe, expect, test } from 'vitest';
import type { VatRate } from '#src/domain/ledger/vat.ts';
import { signedRow } from '#src/domain/ledger/voucher.ts';
import { noPrepayment } from '#src/domain/purchases/prepayments.ts';
import type { VatShare } from '#src/domain/purchases/received-invoice.ts';
import { vatGaps } from '#src/domain/purchases/reverse-charge.ts';
import {
  type PurchasePostingContext,
  suggestRows,
} from '#src/domain/purchases/supplier-posting.ts';
import type { Supply } from '#src/domain/sales/buyer.ts';
import { readBasBaseChart } from '#src/ledger/accounts/bas-base-chart.ts';

const chart = new Map(
  (await readBasBaseChart()).map((account) => [account.account, account] as const),
);
// Of BAS 2026, which a company may have beside the base chart.
const added = [
  [4067, '23', 6],
  [4077, '20', 6],
] as const;
const boxed = new Map(added.map(([number, vatBox, vatRate]) => [number, { vatBox, vatRate }]));
const factsOf = (number: number) => {
  const { vatBox = null, vatRate = null } = boxed.get(number as never) ?? chart.get(number) ?? {};
  return { number, vatBox, vatRate };
};

const sweden = { vatNumber: 'SE556036079301', countryCode: 'SE', organizationNumber: null };
const germany = { vatNumber: 'DE123456789', countryCode: 'DE', organizationNumber: null };
const norway = { vatNumber: null, countryCode: 'NO', organizationNumber: null };

interface Bought {
  readonly seller: typeof sweden | typeof germany | typeof norway;
  /** Category and kronor; of S the rate too. */
  readonly shares: readonly (readonly [category: string, kronor: number, rate?: number])[];
  readonly supply?: Supply;
  readonly rate?: VatRate;
  readonly own?: number;
}

const öre = (kronor: number): bigint => BigInt(Math.round(kronor * 100));

/** `4535 D 1000.00` of each row, as the vectors are written, and the boxes in kronor. */
function booked(bought: readonly Bought[]) {
  const all = bought.flatMap(({ seller, shares, supply = null, rate = 25, own }) => {
    const parts = shares.map(
      ([category, kronor, vat = 0]): VatShare => ({
        category,
        taxableOre: öre(kronor),
        vatOre: öre((kronor * vat) / 100),
      }),
    );
    const payableOre = parts.reduce((sum, part) => sum + part.taxableOre + part.vatOre, 0n);
    const context: PurchasePostingContext = {
      seller,
      ownAccount: own === undefined ? null : factsOf(own),
      purchaseAccount: factsOf(4000),
      mark: { supply, rate },
      ...noPrepayment,
    };
    const totals = { shares: parts, roundingOre: 0n, prepaidOre: 0n, payableOre };
    return suggestRows(totals, context).rows;
  });
  return signed(all.map(({ account, debitOre, creditOre }) => [account, debitOre - creditOre]));
}

/** The same of rows that a person has typed. */
function typed(rows: string) {
  return signed(
    rows.split(';').map((row): readonly [number, bigint] => {
      const [account, side, amount] = row.split(' ');
      return [Number(account), öre(Number(amount)) * (side === 'D' ? 1n : -1n)];
    }),
  );
}

function signed(rows: readonly (readonly [account: number, ore: bigint])[]) {
  const sums = new Map<number, bigint>();
  for (const [account, ore] of rows) sums.set(account, (sums.get(account) ?? 0n) + ore);
  const boxes: Record<string, number> = {};
  for (const [account, ore] of sums) {
    const { vatBox } = factsOf(account);
    if (vatBox === null) continue;
    const isOutput = /^[36]/.test(vatBox) && vatBox !== '37';
    boxes[vatBox] = (boxes[vatBox] ?? 0) + Number(isOutput ? -ore : ore) / 100;
  }
  const gaps = vatGaps([...sums].map(([account, ore]) => ({ ...factsOf(account), account, ore })));
  return { rows: [...sums].map(rowText).sort(), boxes, gaps };
}

function rowText([account, ore]: readonly [number, bigint]): string {
  const { debitOre, creditOre } = signedRow(account, ore);
  const kronor = (Number(debitOre + creditOre) / 100).toFixed(2);
  return `${account} ${debitOre > 0n ? 'D' : 'C'} ${kronor}`;
}

const expected = (rows: string) => rows.split(';').sort();
type Boxes = Record<string, number>;

describe('an invoice is booked as in the vector', () => {
  test.each<[string, readonly Bought[], string, Boxes]>([
    [
      'V29 domestic 25 %',
      [{ seller: sweden, shares: [['S', 800, 25]], own: 4010 }],
      '4010 D 800.00;2641 D 200.00;2440 C 1000.00',
      { 48: 200 },
    ],
    [
      'V30 hotel 12 %',
      [{ seller: sweden, shares: [['S', 1000, 12]], own: 5831 }],
      '5831 D 1000.00;2641 D 120.00;2440 C 1120.00',
      { 48: 120 },
    ],
    [
      'V31 credit note',
      [{ seller: sweden, shares: [['S', -800, 25]], own: 4010 }],
      '2440 D 1000.00;4010 C 800.00;2641 C 200.00',
      { 48: -200 },
    ],
    [
      'V32 EU goods 25 %',
      [{ seller: germany, shares: [['K', 10_000]] }],
      '4515 D 10000.00;2440 C 10000.00;2645 D 2500.00;2614 C 2500.00',
      { 20: 10_000, 30: 2500, 48: 2500 },
    ],
    [
      'V33 EU goods 12 %',
      [{ seller: germany, shares: [['K', 1000]], supply: 'goods', rate: 12 }],
      '4516 D 1000.00;2440 C 1000.00;2645 D 120.00;2624 C 120.00',
      { 20: 1000, 31: 120, 48: 120 },
    ],
    [
      'V34 EU goods 6 % on the account of BAS 2026',
      [{ seller: germany, shares: [['K', 1000]], supply: 'goods', rate: 6, own: 4077 }],
      '4077 D 1000.00;2440 C 1000.00;2645 D 60.00;2634 C 60.00',
      { 20: 1000, 32: 60, 48: 60 },
    ],
    [
      'V35 EU goods that are exempt',
      [{ seller: germany, shares: [['E', 1000]], supply: 'goods', rate: 0 }],
      '4518 D 1000.00;2440 C 1000.00',
      { 20: 1000 },
    ],
    [
      'V36 EU service with öre',
      [{ seller: germany, shares: [['AE', 333.33]] }],
      '4535 D 333.33;2440 C 333.33;2645 D 83.33;2614 C 83.33',
      { 21: 333.33, 30: 83.33, 48: 83.33 },
    ],
    [
      'V37 EU service whose cost has its own account',
      [{ seller: germany, shares: [['AE', 1000]], supply: 'services', own: 5910 }],
      '5910 D 1000.00;2440 C 1000.00;4535 D 1000.00;4598 C 1000.00;2645 D 250.00;2614 C 250.00',
      { 21: 1000, 30: 250, 48: 250 },
    ],
    [
      'V38 EU services 12 % and 6 %',
      [
        { seller: germany, shares: [['AE', 1000]], supply: 'services', rate: 12 },
        { seller: germany, shares: [['AE', 500]], supply: 'services', rate: 6 },
      ],
      '4536 D 1000.00;4537 D 500.00;2440 C 1500.00;2645 D 150.00;2624 C 120.00;2634 C 30.00',
      { 21: 1500, 31: 120, 32: 30, 48: 150 },
    ],
    [
      'V39 service from outside the EU',
      [{ seller: norway, shares: [['O', 2000]] }],
      '4531 D 2000.00;2440 C 2000.00;2645 D 500.00;2614 C 500.00',
      { 22: 2000, 30: 500, 48: 500 },
    ],
    [
      'V40 services from outside the EU, 12 % and 6 %',
      [
        { seller: norway, shares: [['E', 1000]], supply: 'services', rate: 12 },
        { seller: norway, shares: [['Z', 1000]], supply: 'services', rate: 6 },
      ],
      '4532 D 1000.00;4533 D 1000.00;2440 C 2000.00;2645 D 180.00;2624 C 120.00;2634 C 60.00',
      { 22: 2000, 31: 120, 32: 60, 48: 180 },
    ],
    [
      'V41a scrap',
      [{ seller: sweden, shares: [['AE', 4000]], supply: 'goods' }],
      '4415 D 4000.00;2440 C 4000.00;2647 D 1000.00;2614 C 1000.00',
      { 23: 4000, 30: 1000, 48: 1000 },
    ],
    [
      'V41b Swedish goods 12 % and 6 %',
      [
        { seller: sweden, shares: [['AE', 1000]], supply: 'goods', rate: 12 },
        { seller: sweden, shares: [['AE', 1000]], supply: 'goods', rate: 6, own: 4067 },
      ],
      '4416 D 1000.00;4067 D 1000.00;2440 C 2000.00;2647 D 180.00;2624 C 120.00;2634 C 60.00',
      { 23: 2000, 31: 120, 32: 60, 48: 180 },
    ],
    [
      'V41c building services, all of the VAT deducted',
      [{ seller: sweden, shares: [['AE', 10_000]] }],
      '4425 D 10000.00;2440 C 10000.00;2647 D 2500.00;2614 C 2500.00',
      { 24: 10_000, 30: 2500, 48: 2500 },
    ],
    [
      'V41d Swedish services 12 % and 6 %',
      [
        { seller: sweden, shares: [['AE', 1000]], supply: 'services', rate: 12 },
        { seller: sweden, shares: [['AE', 1000]], supply: 'services', rate: 6 },
      ],
      '4426 D 1000.00;4427 D 1000.00;2440 C 2000.00;2647 D 180.00;2624 C 120.00;2634 C 60.00',
      { 24: 2000, 31: 120, 32: 60, 48: 180 },
    ],
    [
      'V25 goods that are sold on to a third country',
      [{ seller: germany, shares: [['K', 8000]], supply: 'goods', own: 4519 }],
      '4519 D 8000.00;2440 C 8000.00',
      { 37: 8000 },
    ],
    [
      'V49 import 25 %',
      [{ seller: norway, shares: [['G', 10_500]], supply: 'goods' }],
      '4545 D 10500.00;2440 C 10500.00;2645 D 2625.00;2615 C 2625.00',
      { 50: 10_500, 60: 2625, 48: 2625 },
    ],
    [
      'V50 import 12 %',
      [{ seller: norway, shares: [['G', 1000]], supply: 'goods', rate: 12 }],
      '4546 D 1000.00;2440 C 1000.00;2645 D 120.00;2625 C 120.00',
      { 50: 1000, 61: 120, 48: 120 },
    ],
    [
      'V51 import 6 %',
      [{ seller: norway, shares: [['G', 1000]], supply: 'goods', rate: 6 }],
      '4547 D 1000.00;2440 C 1000.00;2645 D 60.00;2635 C 60.00',
      { 50: 1000, 62: 60, 48: 60 },
    ],
    [
      'V51b credit of EU goods',
      [{ seller: germany, shares: [['K', -1000.99]] }],
      '2440 D 1000.99;4515 C 1000.99;2614 D 250.25;2645 C 250.25',
      { 20: -1000.99, 30: -250.25, 48: -250.25 },
    ],
    [
      'V54 tiny credit',
      [{ seller: sweden, shares: [['S', -0.6, 25]], own: 4010 }],
      '2440 D 0.75;4010 C 0.60;2641 C 0.15',
      { 48: -0.15 },
    ],
    [
      'V57 rent with VAT',
      [{ seller: sweden, shares: [['S', 10_000, 25]], own: 5010 }],
      '5010 D 10000.00;2641 D 2500.00;2440 C 12500.00',
      { 48: 2500 },
    ],
    [
      'two lines of the breakdown, whose VAT is of their sum',
      [
        {
          seller: germany,
          shares: [
            ['AE', 0.02],
            ['AE', 0.02],
          ],
        },
      ],
      '4535 D 0.04;2440 C 0.04;2645 D 0.01;2614 C 0.01',
      { 21: 0.04, 30: 0.01, 48: 0.01 },
    ],
  ])('%s', (_name, bought, rows, boxes) => {
    const voucher = booked(bought);
    expect(voucher.rows).toEqual(expected(rows));
    expect(voucher.boxes).toEqual(boxes);
    expect(voucher.gaps).toEqual([]);
  });
});

describe('rows that a person types', () => {
  test.each<[string, string, Boxes]>([
    [
      'V41c with 40 % of the VAT deducted',
      '4425 D 10000.00;2440 C 10000.00;2647 D 1000.00;4610 D 1500.00;2614 C 2500.00',
      { 24: 10_000, 30: 2500, 48: 1000 },
    ],
    ['V47 no deduction', '6072 D 1250.00;1930 C 1250.00', {}],
    ['V48 mixed activity', '5410 D 1100.00;2649 D 150.00;2440 C 1250.00', { 48: 150 }],
    ['V48b leased car', '5615 D 4500.00;2641 D 500.00;2440 C 5000.00', { 48: 500 }],
    [
      'VAT in whole kronor',
      '4535 D 333.33;2440 C 333.33;2645 D 83.00;2614 C 83.00',
      { 21: 333.33, 30: 83, 48: 83 },
    ],
  ])('are let through: %s', (_name, rows, boxes) => {
    const voucher = typed(rows);
    expect(voucher.boxes).toEqual(boxes);
    expect(voucher.gaps).toEqual([]);
  });

  test.each<[string, string, string, bigint, bigint]>([
    ['no VAT on a base', '4535 D 1000.00;2440 C 1000.00', '30', 25_000n, 0n],
    ['VAT without a base', '4000 D 1000;2440 C 1000;2645 D 250;2614 C 250', '30', 0n, 25_000n],
    ['another rate', '4516 D 1000;2440 C 1000;2645 D 250;2624 C 250', '31', 12_000n, 25_000n],
    ['a krona too much', '4545 D 100;2440 C 100;2645 D 26;2615 C 26', '60', 2_500n, 2_600n],
  ])('are stopped: %s', (_name, rows, outputBox, dueOre, bookedOre) => {
    expect(typed(rows).gaps).toMatchObject([{ outputBox, dueOre, bookedOre }]);
  });
});
