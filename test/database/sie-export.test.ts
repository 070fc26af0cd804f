/** The books as SIE files: what leaves, what it adds up to, and that it is the same every time. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createDimension } from '#src/ledger/dimensions/service.ts';
import {
  bookResult,
  moveResult,
  setFirstBalances,
} from '#src/ledger/fiscal-years/opening-balances.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { Refusal } from '#src/lib/errors.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { exportBooks, faultsInSums, judge } from '../support/sie.ts';
import { ledgerVoucher, post, row } from './books.ts';

const ACTOR = 'test';
let books: Books;
beforeEach(async () => {
  books = await createBooks();
});
afterEach(() => books.close());

const asOwner = <T>(work: Parameters<typeof withTx<T>>[1]) => withTx(books.owner, work);
const open = () =>
  asOwner((tx) =>
    setFirstBalances(
      tx,
      {
        year: 2026,
        series: 'A',
        balances: [
          { account: 1930, balanceOre: 5_000_000n },
          { account: 2081, balanceOre: -5_000_000n },
        ],
      },
      ACTOR,
    ),
  );
const noProblems = async (bytes: Uint8Array) => {
  const { verdict, problems } = await judge(bytes);
  return { verdict, rules: problems.map(({ rule }) => rule) };
};

test('a year leaves whole: balances, vouchers, objects, and texts in code page 437', async () => {
  await open();
  const place = await asOwner((tx) =>
    createDimension(tx, { kind: 'cost_center', code: '100', name: 'Butiken' }, ACTOR),
  );
  const undertaking = await asOwner((tx) =>
    createDimension(tx, { kind: 'project', code: 'P 1', name: 'Ombyggnad' }, ACTOR),
  );
  await post(books.owner, [
    ledgerVoucher({
      date: '2026-03-31',
      description: 'Hyra mars – "lokalen" 10 €',
      counterparty: 'Škoda Fastigheter AB',
      rows: [
        { ...row(5010, 80_000), costCenter: place.id, project: undertaking.id, note: 'Åsö' },
        { ...row(1510, 20_000), costCenter: place.id },
        row(1930, -100_000),
      ],
    }),
  ]);
  const { lines, bytes, report, fileName } = await exportBooks(books.owner);
  expect(lines).toEqual(
    expect.arrayContaining([
      '#FORMAT PC8',
      '#SIETYP 4',
      '#FNAMN "Testbolaget AB"',
      '#ORGNR "556702-6934"',
      '#RAR 0 20260101 20261231',
      '#KONTO 1930 "Företagskonto/checkkonto/affärskonto"',
      '#KTYP 1930 T',
      '#DIM 1 "Kostnadsställe"',
      '#OBJEKT 1 100 "Butiken"',
      '#OBJEKT 6 "P 1" "Ombyggnad"',
      '#IB 0 1930 50000.00',
      '#UB 0 1930 49000.00',
      '#UB 0 2081 -50000.00',
      '#OUB 0 1510 {1 "100"} 200.00',
      '#RES 0 5010 800.00',
      '#PSALDO 0 202603 1930 {} -1000.00',
      '#TRANS 5010 {1 "100" 6 "P 1"} 800.00 "" "Åsö"',
      '#TRANS 1930 {} -1000.00',
    ]),
  );
  const voucher = lines.filter((line) => line.startsWith('#VER'));
  expect(voucher).toEqual([
    expect.stringMatching(
      /^#VER A 2 20260331 "Hyra mars - \\"lokalen\\" 10 EUR, Skoda Fastigheter AB" \d{8}$/,
    ),
  ]);
  expect(faultsInSums(lines)).toEqual([]);
  expect(await noProblems(bytes)).toEqual({
    verdict: 'ok',
    rules: expect.not.arrayContaining(['closing_differs']),
  });
  expect(fileName).toBe('5567026934-2026.se');
  expect(report).toMatchObject({ vouchers: 1, rows: 3, openingVouchers: 1, bytes: bytes.length });
  expect(report.replaced.map(({ sign, by }) => `${sign}=${by}`)).toEqual(['–=-', '€=EUR', 'Š=S']);
});

test('what opened the books leaves as #IB alone, so that nothing is counted twice', async () => {
  await open();
  const { lines, bytes } = await exportBooks(books.owner);
  expect(lines.filter((line) => /^#(VER|PSALDO)/.test(line))).toEqual([]);
  expect(lines).toContain('#IB 0 2081 -50000.00');
  expect(lines).toContain('#UB 0 2081 -50000.00');
  expect(await noProblems(bytes)).toEqual({ verdict: 'ok', rules: [] });
  const transfer = await exportBooks(books.owner, { type: '4I' });
  expect(transfer.report).toMatchObject({ vouchers: 0, openingVouchers: 1 });
});

test('the next year begins as the one before ended; its own opening is a voucher', async () => {
  await open();
  await post(books.owner, [ledgerVoucher()]);
  await asOwner((tx) =>
    createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, ACTOR),
  );
  await asOwner((tx) => bookResult(tx, { year: 2026, series: 'A', today: '2027-01-15' }, ACTOR));
  await asOwner((tx) => moveResult(tx, { year: 2027, series: 'A' }, ACTOR));
  const next = await exportBooks(books.owner, { year: 2027 });
  expect(next.lines).toEqual(
    expect.arrayContaining([
      '#RAR -1 20260101 20261231',
      '#IB -1 1930 50000.00',
      '#UB -1 1930 50125.00',
      '#IB 0 1930 50125.00',
      '#IB 0 2099 -100.00',
      '#UB 0 2099 0.00',
      '#UB 0 2098 -100.00',
    ]),
  );
  expect(next.lines.filter((line) => line.startsWith('#VER'))).toHaveLength(1);
  expect(faultsInSums(next.lines)).toEqual([]);
  expect(await noProblems(next.bytes)).toEqual({ verdict: 'ok', rules: [] });
  const first = await exportBooks(books.owner, { year: 2026 });
  expect(await noProblems(first.bytes)).toMatchObject({ verdict: 'ok' });
});

test('a correction says in its text which voucher it corrects', async () => {
  await post(books.owner, [ledgerVoucher()]);
  const [wrong] = await db(books.owner).query<{ id: string }>(sql`select id from ledger.vouchers`);
  const rows = [row(1930, 5_000), row(3001, -5_000)];
  await asOwner((tx) =>
    correctVoucher(
      tx,
      {
        correctedId: wrong?.id ?? '',
        date: '2026-04-01',
        description: 'Fel belopp',
        replacement: { description: 'Rätt belopp, i stället för A1', counterparty: null, rows },
      },
      ACTOR,
    ),
  );
  const { lines, bytes } = await exportBooks(books.owner);
  expect(lines.filter((line) => line.startsWith('#VER')).map((line) => line.split('"')[1])).toEqual(
    ['Kontantförsäljning', 'Fel belopp (rättar A1, 2026-03-31)', 'Rätt belopp, i stället för A1'],
  );
  expect(await noProblems(bytes)).toEqual({ verdict: 'ok', rules: [] });
});

test('the same books give the same bytes, whenever they leave; #GEN can be given', async () => {
  await open();
  await post(books.owner, [ledgerVoucher(), ledgerVoucher({ series: 'B', date: '2026-01-02' })]);
  const [one, again] = [await exportBooks(books.owner), await exportBooks(books.owner)];
  expect(again.bytes.equals(one.bytes)).toBe(true);
  const given = await exportBooks(books.owner, { generated: '2026-12-24' });
  const differing = given.lines.filter((line, nth) => line !== one.lines[nth]);
  expect(differing).toEqual(['#GEN 20261224']);
});

test('a voucher that is posted while the file is read is in neither its vouchers nor its balances', async () => {
  await post(books.owner, [ledgerVoucher()]);
  const later = () => post(books.owner, [ledgerVoucher(), ledgerVoucher({ series: 'C' })]);
  const { lines, bytes, report } = await exportBooks(books.owner, {}, later);
  expect(report.vouchers).toBe(1);
  expect(faultsInSums(lines)).toEqual([]);
  expect(await noProblems(bytes)).toEqual({ verdict: 'ok', rules: [] });
  expect((await exportBooks(books.owner)).report.vouchers).toBe(3);
});

test('a transfer has the vouchers of its days alone; days outside the year are refused', async () => {
  const days = ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'];
  await post(
    books.owner,
    days.map((date) => ledgerVoucher({ date })),
  );
  const asked = { type: '4I', from: '2026-02-01', to: '2026-02-28' } as const;
  const { lines, bytes, fileName } = await exportBooks(books.owner, asked);
  expect(lines.filter((line) => line.startsWith('#VER'))).toHaveLength(2);
  expect(lines.filter((line) => /^#(IB|UB|RES|PSALDO)/.test(line))).toEqual([]);
  expect(fileName).toBe('5567026934-2026.si');
  expect(await judge(bytes, '.si')).toMatchObject({ verdict: 'ok', type: '4I', vouchers: 2 });
  const reasonOf = async (wanted: Parameters<typeof exportBooks>[1]) =>
    exportBooks(books.owner, wanted).then(
      () => null,
      (error) => error instanceof Refusal && (error.whole ?? error.faults[0])?.reason,
    );
  expect(await reasonOf({ ...asked, from: '2025-12-31' })).toBe('day_outside_year');
  expect(await reasonOf({ ...asked, from: '2026-03-01' })).toBe('before_start');
  expect(await reasonOf({ from: '2026-02-01' })).toBe('days_of_transfer_only');
  expect(await reasonOf({ year: 2020 })).toBe('no_fiscal_year');
});

test('texts that become longer in code page 437 are cut where readers have no more room', async () => {
  const description = '€'.repeat(400);
  await post(books.owner, [ledgerVoucher({ description })]);
  const { bytes, lines } = await exportBooks(books.owner);
  expect(await noProblems(bytes)).toEqual({ verdict: 'ok', rules: [] });
  expect(lines.find((line) => line.startsWith('#VER'))).toContain(`"${'EUR'.repeat(166)}"`);
});
