/** Whole VAT periods worked by hand (vat-quarters.txt), from their vouchers to the settlement. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addMonths, lastDayOfMonth } from '#src/domain/basics/dates.ts';
import { boxFigures, type VatReturn, vatReturnOf } from '#src/domain/ledger/vat-return.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { fileVatReturn, settleVat } from '#src/ledger/vat-filings/service.ts';
import { listVatSums } from '#src/ledger/vat-filings/store.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { booked, öre } from '../support/booked.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';

const inFigures = (of: VatReturn) => Object.fromEntries(boxFigures(of));

interface Quarter {
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly vouchers: readonly (readonly [date: string, rows: string])[];
  readonly boxes: Readonly<Record<string, number>>;
  /** Öre, debit above zero. */
  readonly settled: Readonly<Record<string, bigint>>;
}

const pairsOf = (line: string) =>
  line.split(', ').map((pair) => pair.split(' ') as [string, string]);

function readQuarters(): Quarter[] {
  const text = readFileSync(`${import.meta.dirname}/vat-quarters.txt`, 'utf8');
  const blocks = text
    .replace(/^#.*\n/gm, '')
    .trim()
    .split(/\n\n+/);
  return blocks.map((block, place) => {
    const [title = '', ...lines] = block.trim().split('\n');
    const of = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    const start = addMonths('2021-01-01', 3 * place);
    return {
      title,
      start,
      end: lastDayOfMonth(addMonths(start, 2)),
      vouchers: of('>').map((line) => [line.slice(0, 10), line.slice(11)] as const),
      boxes: Object.fromEntries(
        pairsOf(of('=')[0] ?? '').map(([box, kronor]) => [box, Number(kronor)]),
      ),
      settled: Object.fromEntries(
        pairsOf(of('!')[0] ?? '').map(([account, kronor]) => [account, öre(kronor)]),
      ),
    };
  });
}

const quarters = readQuarters();
let books: Books;
beforeAll(async () => {
  books = await createBooks();
  await withTx(books.owner, async (tx) => {
    for (let year = 2025; year >= 2021; year -= 1) {
      await createYear(tx, { year, start: `${year}-01-01`, end: `${year}-12-31` }, 'test');
    }
    const vouchers = quarters.flatMap((one) =>
      one.vouchers.map(([date, rows]) => booked(date, rows)),
    );
    expect((await postToLedger(tx, vouchers)).filter(({ error }) => error !== null)).toEqual([]);
  });
});
afterAll(() => books.close());

const figures = async (start: string, end: string) =>
  inFigures(vatReturnOf(await listVatSums(db(books.owner), { start, end })));

test('there are twenty of them', () => {
  expect(quarters).toHaveLength(20);
  expect(quarters.at(-1)?.end).toBe('2025-12-31');
});

describe.each(quarters.map((one) => [one.end, one.title, one] as const))(
  'to %s: %s',
  (end, _, quarter) => {
    test('the boxes, the settlement, and the boxes again when it is settled and filed', async () => {
      expect(await figures(quarter.start, end)).toEqual(quarter.boxes);
      const { voucher } = await withTx(books.owner, (tx) =>
        settleVat(tx, { end, today: TODAY }, 'test'),
      );
      const rows = await db(books.owner).query<{ account: number; ore: bigint }>(
        sql`select account, sum(debit_ore - credit_ore)::bigint as ore from ledger.voucher_rows
          where voucher_id = ${voucher?.id ?? null}::uuid group by account`,
      );
      const settledOn = (account: number) => rows.find((one) => one.account === account)?.ore ?? 0n;
      expect({ 2650: settledOn(2650), 3740: settledOn(3740) }).toEqual(quarter.settled);
      await withTx(books.owner, (tx) => fileVatReturn(tx, { end, today: TODAY }, 'test'));
      expect(await figures(quarter.start, end)).toEqual(quarter.boxes);
    });
  },
);

test('a year of four of them, and a month each of another, are worked by hand too', async () => {
  expect(await figures('2021-01-01', '2021-12-31')).toEqual({
    '05': 316_790,
    '10': 23_250,
    '11': 21_034,
    '12': 2_909,
    '35': 80_000,
    '36': 200_000,
    '48': 43_949,
    '49': 3_244,
  });
  expect(await figures('2024-10-01', '2024-10-31')).toEqual({
    '05': 278,
    '10': 39,
    '11': 5,
    '12': 4,
    '49': 48,
  });
  expect(await figures('2024-11-01', '2024-11-30')).toEqual({ '05': 1120, '10': 280, '49': 280 });
  expect(await figures('2024-12-01', '2024-12-31')).toEqual({ '48': 107, '49': -107 });
});

test('and the books are whole', async () => {
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});
