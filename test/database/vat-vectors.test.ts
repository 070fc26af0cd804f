/**
 * What accountants book and the boxes of the VAT return that it must give (vat-vectors.csv), posted in the books: each in a
 * month of its own, of which the kept sums tell, and asked for by days, which are read from the rows.
 */
import { parseFile } from 'fast-csv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { addMonths, lastDayOfMonth } from '#src/domain/basics/dates.ts';
import { boxFigures, type VatReturn, vatReturnOf } from '#src/domain/ledger/vat-return.ts';
import { insertAccount } from '#src/ledger/accounts/store.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { listVatSums } from '#src/ledger/vat-filings/store.ts';
import { type LedgerVoucher, postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { booked, öre } from '../support/booked.ts';
import { type Books, createBooks } from '../support/installation.ts';

const inFigures = (of: VatReturn) => Object.fromEntries(boxFigures(of));

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly vouchers: readonly string[];
  readonly boxes: Readonly<Record<string, number>>;
  /** Kronor with öre, by box. */
  readonly exact: Readonly<Record<string, string>>;
}

const pairs = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => pair.split('='));

async function readVectors(): Promise<Vector[]> {
  const file = parseFile(`${import.meta.dirname}/vat-vectors.csv`, { headers: true });
  const vectors: Vector[] = [];
  for await (const row of file as AsyncIterable<Record<string, string>>) {
    vectors.push({
      id: row['id'] ?? '',
      title: row['title_en'] ?? '',
      vouchers: (row['vouchers'] ?? '').split(' || '),
      boxes: Object.fromEntries(
        pairs(row['expected_boxes'] ?? '').map(([box, kronor]) => [box, Number(kronor)]),
      ),
      exact: Object.fromEntries(pairs(row['exact_sums_kr'] ?? '')),
    });
  }
  return vectors;
}

const vectors = await readVectors();
const monthOf = (place: number): string => addMonths('2021-01-01', place).slice(0, 7);

/** `2026-05-04|1510 D 1250.00;3001 C 1000.00 @05`, on a day of the month that the vector has. */
function voucherOf(text: string, month: string): LedgerVoucher {
  const source = text.startsWith('SETTLE ') ? 'vat' : 'api';
  const [date = '', rows = ''] = text.replace('SETTLE ', '').split('|');
  const day = String(Math.min(27, Math.max(2, Number(date.slice(8))))).padStart(2, '0');
  return booked(`${month}-${day}`, rows.replaceAll('@05', '@MP1'), source);
}

let books: Books;
beforeAll(async () => {
  books = await createBooks();
  await withTx(books.owner, async (tx) => {
    await insertAccount(tx, 4610, { name: 'Legoarbeten', type: 'cost', vat: null, sru: null });
    for (let year = 2025; year >= 2021; year -= 1) {
      await createYear(tx, { year, start: `${year}-01-01`, end: `${year}-12-31` }, 'test');
    }
    const vouchers = vectors.flatMap(({ vouchers }, place) =>
      vouchers.map((text) => voucherOf(text, monthOf(place))),
    );
    const refused = (await postToLedger(tx, vouchers)).filter(({ error }) => error !== null);
    expect(refused).toEqual([]);
  });
});
afterAll(() => books.close());

const figures = async (start: string, end: string) =>
  inFigures(vatReturnOf(await listVatSums(db(books.owner), { start, end })));

test('there are all of them', () => {
  expect(vectors).toHaveLength(66);
});

describe.each(vectors.map((vector, place) => [vector.id, vector.title, vector, place] as const))(
  '%s, %s',
  (_, __, { boxes, exact }, place) => {
    const month = monthOf(place);
    const first = `${month}-01`;
    test('by the month', async () => {
      expect(await figures(first, lastDayOfMonth(first))).toEqual(boxes);
    });

    test('by the days', async () => {
      expect(await figures(`${month}-02`, `${month}-27`)).toEqual(boxes);
      const sums = await listVatSums(db(books.owner), { start: `${month}-02`, end: `${month}-27` });
      for (const [box, kronor] of Object.entries(exact)) {
        const inBox = sums.filter((one) => one.box === box).map(({ ore }) => ore);
        const isDebit = ['20', '21', '22', '23', '24', '37', '48', '50'].includes(box);
        const ore = inBox.reduce((all, one) => all + one, 0n);
        expect([box, isDebit ? -ore : ore]).toEqual([box, öre(kronor)]);
      }
    });
  },
);

test('days and whole months together are the same as their parts', async () => {
  const sumOf = async (start: string, end: string) => {
    const sums = await listVatSums(db(books.owner), { start, end });
    return sums.map(({ account, box, ore }) => [account, box, ore] as const);
  };
  const add = (...parts: readonly (readonly (readonly [number, string | null, bigint])[])[]) => {
    const totals = new Map<string, bigint>();
    for (const [account, box, ore] of parts.flat()) {
      const key = `${account} ${box}`;
      totals.set(key, (totals.get(key) ?? 0n) + ore);
    }
    return [...totals].filter(([, ore]) => ore !== 0n).sort();
  };
  const parts = await Promise.all([
    sumOf('2022-03-05', '2022-03-09'),
    sumOf('2022-03-10', '2022-03-31'),
    sumOf('2022-04-01', '2024-08-31'),
    sumOf('2024-09-01', '2024-09-13'),
  ]);
  expect(add(await sumOf('2022-03-05', '2024-09-13'))).toEqual(add(...parts));
});
