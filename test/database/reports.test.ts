/** Reports against what the rows themselves come to, on ledgers made up at random and on what was owed any past day. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addDays, lastDayOfMonth } from '#src/domain/basics/dates.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { type AskedReport, readOptions, reportBy } from '#src/reports/books/reports.ts';
import { listAccountSpans } from '#src/reports/books/sum-store.ts';
import { allLines, type ReportLine } from '#src/reports/books/table.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerReminder } from '#src/sales/invoices/reminders.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { ledgerVoucher, post, row, tamper } from './books.ts';

const day = { today: TODAY, timeZone: 'Europe/Stockholm' };
const accounts = [1510, 1930, 2440, 2611, 2641, 3001, 3740, 4010, 6110, 7010, 8310, 8999] as const;

let books: Books;

interface RawRow {
  date: string;
  account: number;
  ore: bigint;
  project: string | null;
  label: string;
}

const allRows = (): Promise<RawRow[]> =>
  db(
    books.owner,
  ).query(sql`select verification_date as date, account, debit_ore - credit_ore as ore,
      (select d.code from ledger.dimensions d where d.id = r.project_id) as project,
      series || number as label from ledger.voucher_rows r`);

async function linesOf(name: string, asked: AskedReport): Promise<readonly ReportLine[]> {
  const report = reportBy(name);
  if (!report) throw new Error(name);
  const options = await readOptions(db(books.owner), report, asked, day);
  const lines: ReportLine[] = [];
  for await (const some of allLines((work) => work(db(books.owner)), report, options)) {
    lines.push(...some);
  }
  return lines;
}

/** The same, a few lines at a time. */
async function pagedLines(name: string, asked: AskedReport, limit: number) {
  const report = reportBy(name);
  if (!report) throw new Error(name);
  const options = await readOptions(db(books.owner), report, asked, day);
  const lines: ReportLine[] = [];
  let place: string | undefined;
  do {
    const portion = await report.read(db(books.owner), options, { place, limit });
    lines.push(...portion.lines);
    place = portion.next ?? undefined;
  } while (place !== undefined);
  return lines;
}

const total = (rows: readonly RawRow[]): bigint => rows.reduce((all, { ore }) => all + ore, 0n);
const between = (rows: readonly RawRow[], from: string, to: string) =>
  rows.filter(({ date }) => from <= date && date <= to);
const amounts = ({ cells }: ReportLine) => cells.filter((cell) => typeof cell === 'bigint');
const amountsOf = (lines: readonly ReportLine[], label: string) =>
  amounts(lines.find(({ cells }) => cells[0] === label) ?? { kind: 'sum', cells: [] });

describe('of a random ledger', () => {
  let project = '';
  beforeAll(async () => {
    books = await createBooks();
    await withTx(books.owner, async (tx) => {
      // A shortened year, which begins in the middle of the calendar's.
      await createYear(tx, { year: 2025, start: '2025-07-01', end: '2025-12-31' }, 'test');
      const dimension = { kind: 'project', code: 'P1', name: 'Bygget' } as const;
      project = (await insertDimension(tx, dimension)).id;
    });
    const random = fc.sample(
      fc.record({
        date: fc
          .integer({ min: 0, max: 548 })
          .map((days) => new Date(Date.UTC(2025, 6, 1 + days)).toISOString().slice(0, 10)),
        series: fc.constantFrom('A', 'B'),
        accounts: fc.tuple(fc.constantFrom(...accounts), fc.constantFrom(...accounts)),
        ore: fc.integer({ min: 1, max: 9_999_999 }),
        isOfProject: fc.boolean(),
      }),
      { numRuns: 400, seed: 17 },
    );
    const vouchers = random.map(({ date, series, accounts: [to, from], ore, isOfProject }) => {
      const dimension = isOfProject ? { project } : {};
      const rows = [{ ...row(to, ore), ...dimension }, row(from, -ore)];
      return ledgerVoucher({ date, series, rows });
    });
    for (const outcome of await post(books.owner, vouchers)) {
      expect(outcome).toMatchObject({ error: null });
    }
  });
  afterAll(() => books.close());

  const days = fc
    .tuple(fc.integer({ min: 0, max: 548 }), fc.integer({ min: 0, max: 548 }))
    .map((two) =>
      two
        .sort((one, other) => one - other)
        .map((n) => new Date(Date.UTC(2025, 6, 1 + n)).toISOString().slice(0, 10)),
    )
    .map(([from = '', to = '']) => ({ from, to }));
  const hold = (law: (span: { from: string; to: string }) => Promise<void>) =>
    fc.assert(fc.asyncProperty(days, law), { numRuns: 15, seed: 17 });

  test('every span of days is what its rows come to, however it cuts its months', async () => {
    const window = Array.from({ length: 95 }, (_, n) => addDays('2026-01-27', n));
    const spans = window.flatMap((from, n) => window.slice(n).map((to) => ({ from, to })));
    // As far ahead as there is anything, and a month beyond it.
    spans.push({ from: '1900-01-01', to: '2026-12-15' }, { from: '2026-12-20', to: '2027-01-31' });
    const rows = await allRows();
    const told = await listAccountSpans(db(books.owner), spans, undefined);
    for (const account of accounts) {
      const own = rows.filter((one) => one.account === account);
      const sums = told.find((one) => one.account === account)?.spans;
      expect(sums?.map(({ debitOre, creditOre }) => debitOre - creditOre)).toEqual(
        spans.map(({ from, to }) => total(between(own, from, to))),
      );
    }
    // Those alone that something was posted on then.
    for (const to of window.slice(0, 5)) {
      const shown = await listAccountSpans(db(books.owner), [{ from: to, to }], undefined);
      const posted = new Set(between(rows, to, to).map(({ account }) => account));
      expect(shown.map(({ account }) => account)).toEqual([...posted].sort((a, b) => a - b));
    }
  });

  test('a balance sheet balances, and each account is what its rows come to', async () => {
    const rows = await allRows();
    await hold(async ({ from, to }) => {
      const lines = await linesOf('balance-sheet', { from, to });
      const upTo = rows.filter(({ date }) => date <= to);
      for (const account of accounts.filter((number) => number < 3000)) {
        const own = upTo.filter((one) => one.account === account);
        const sign = account < 2000 ? 1n : -1n;
        const shown = lines.find(({ cells }) => String(cells[0]).startsWith(`${account} `));
        const moved = sign * total(between(own, from, to));
        const closing = sign * total(own);
        if (shown) expect(amounts(shown)).toEqual([closing - moved, moved, closing]);
        else expect([closing, moved]).toEqual([0n, 0n]);
      }
      expect(amountsOf(lines, 'Summa tillgångar')).toEqual(
        amountsOf(lines, 'Summa eget kapital och skulder'),
      );
      const result = upTo.filter(({ account }) => account >= 3000);
      expect(amountsOf(lines, 'Beräknat resultat, inte bokfört på eget kapital').at(-1)).toBe(
        -total(result),
      );
    });
  });

  test("a dimension's balance sheet has its rows alone, and says what the others hold against them", async () => {
    const rows = (await allRows()).filter(({ project: of }) => of === 'P1');
    const label = 'Motposter som inte har dimensionen';
    await hold(async ({ from, to }) => {
      const lines = await linesOf('balance-sheet', { from, to, dimension: 'P1' });
      const upTo = rows.filter(({ date }) => date <= to);
      const assets = upTo.filter(({ account }) => account < 2000);
      expect(amountsOf(lines, 'Summa tillgångar').at(-1)).toBe(total(assets));
      expect(amountsOf(lines, label).at(-1) ?? 0n).toBe(total(upTo));
      expect(amountsOf(lines, 'Summa tillgångar')).toEqual(
        amountsOf(lines, 'Summa eget kapital och skulder'),
      );
      const whole = await linesOf('balance-sheet', { from, to });
      expect(whole.map(({ cells }) => cells[0])).not.toContain(label);
    });
  });

  test("a dimension's voucher list has the vouchers with a row of it, whole and once", async () => {
    const rows = await allRows();
    // A number comes again with each year.
    const key = ({ label, date }: RawRow): string => `${label} ${date}`;
    const ofProject = new Set(rows.filter(({ project: of }) => of === 'P1').map(key));
    await hold(async ({ from, to }) => {
      const lines = await pagedLines('voucher-list', { from, to, dimension: 'P1' }, 40);
      expect(lines.map(({ cells }) => `${cells[0]} ${cells[1]}`).sort()).toEqual(
        between(rows, from, to)
          .map(key)
          .filter((label) => ofProject.has(label))
          .sort(),
      );
    });
  });

  test('an income statement is of its days and dimension, and of its months together', async () => {
    const rows = (await allRows()).filter(({ account }) => account >= 3000 && account < 8999);
    await hold(async ({ from, to }) => {
      const own = between(rows, from, to);
      const lines = await linesOf('income-statement', { from, to });
      expect(amountsOf(lines, 'Beräknat resultat')[0]).toBe(-total(own));
      const wages = own.filter(({ account }) => account === 7010);
      expect(amountsOf(lines, 'Summa personalkostnader')[0] ?? 0n).toBe(-total(wages));
      const ofProject = await linesOf('income-statement', { from, to, dimension: 'P1' });
      expect(amountsOf(ofProject, 'Beräknat resultat')[0]).toBe(
        -total(own.filter(({ project }) => project === 'P1')),
      );
      const byMonth = amountsOf(
        await linesOf('income-statement', { from, to, isByMonth: true }),
        'Beräknat resultat',
      );
      // The last two are all of it and the year before.
      expect(byMonth.at(-2)).toBe(-total(own));
      if (byMonth.length > 2) {
        expect(byMonth.slice(0, -2).reduce((all, ore) => all + ore, 0n)).toBe(-total(own));
        const first = between(own, from, lastDayOfMonth(from));
        expect(byMonth[0]).toBe(-total(first));
      }
    });
  });

  test('the year before is told of the same days, to the last one of February too', async () => {
    const rows = (await allRows()).filter(({ account }) => account >= 3000 && account < 8999);
    const asked = { from: '2026-07-01', to: '2026-12-31' };
    const before = amountsOf(await linesOf('income-statement', asked), 'Beräknat resultat')[1];
    expect(before).toBe(-total(between(rows, '2025-07-01', '2025-12-31')));
  });

  test('a trial balance comes to nothing, and begins results anew with the year', async () => {
    const rows = await allRows();
    await hold(async ({ from, to }) => {
      const lines = await linesOf('trial-balance', { from, to });
      const yearStart = from < '2026-01-01' ? '2025-07-01' : '2026-01-01';
      const [opening, debit, credit, closing] = amountsOf(lines, 'Summa');
      expect([opening, (debit ?? 0n) - (credit ?? 0n), closing]).toEqual([0n, 0n, 0n]);
      for (const account of accounts) {
        const own = rows.filter((one) => one.account === account && one.date <= to);
        const since = own.filter(({ date }) => account < 3000 || date >= yearStart);
        const shown = lines.find(({ cells }) => String(cells[0]).startsWith(`${account} `));
        if (shown) expect(amounts(shown).at(-1)).toBe(total(since));
        else expect(total(since)).toBe(0n);
      }
    });
  });

  test('a ledger tells every row once, with the balance that the trial balance has', async () => {
    const rows = await allRows();
    await hold(async ({ from, to }) => {
      for (const dimension of [undefined, 'project:P1']) {
        const asked = { from, to, dimension };
        const lines = await pagedLines('general-ledger', asked, 37);
        const own = between(rows, from, to).filter(
          ({ project }) => dimension === undefined || project === 'P1',
        );
        const told = lines.filter(({ kind }) => kind === 'row');
        expect(
          told.map(({ cells }) => `${cells[2]} ${String(cells[0]).slice(0, 4)}`).sort(),
        ).toEqual(own.map(({ label, account }) => `${label} ${account}`).sort());
        const trial = await linesOf('trial-balance', asked);
        for (const { cells } of lines.filter(({ kind }) => kind === 'sum')) {
          expect([cells[0], cells.at(-1)]).toEqual([
            cells[0],
            amountsOf(trial, String(cells[0])).at(-1) ?? 0n,
          ]);
        }
      }
    });
  });

  test.each(['voucher-list', 'journal'])('a %s tells every row of the days once', async (name) => {
    const rows = await allRows();
    await hold(async ({ from, to }) => {
      const lines = await pagedLines(name, { from, to }, 40);
      const place = name === 'journal' ? 1 : 0;
      expect(lines.map(({ cells }) => `${cells[place]} ${cells[place + 1]}`).sort()).toEqual(
        between(rows, from, to)
          .map(({ label, date }) => `${label} ${date}`)
          .sort(),
      );
    });
  });
});

describe('as they were registered', () => {
  beforeEach(async () => {
    books = await createBooks();
    return () => books.close();
  });

  test('the journal has vouchers in the order they came, whatever days they are of', async () => {
    const dates = ['2026-05-02', '2026-01-03', '2026-04-30', '2026-02-28'];
    for (const [n, date] of dates.entries()) {
      await post(books.owner, [ledgerVoucher({ date, series: n % 2 ? 'B' : 'A' })]);
    }
    const told = (await pagedLines('journal', { from: '2026-01-01', to: '2026-12-31' }, 1)).map(
      ({ cells }) => cells[2],
    );
    expect([...new Set(told)]).toEqual(dates);
    const spring = await pagedLines('journal', { from: '2026-02-01', to: '2026-04-30' }, 1);
    expect([...new Set(spring.map(({ cells }) => cells[2]))]).toEqual(['2026-04-30', '2026-02-28']);
  });

  test('none is left out or told twice where a posting began before the one that got its number first', async () => {
    const ids = Array.from({ length: 6 }, () => ledgerVoucher());
    for (const voucher of ids) await post(books.owner, [voucher]);
    await tamper(
      books.url,
      `update ledger.vouchers set posted_at = posted_at - number * interval '1 hour'`,
    );
    const told = await pagedLines('journal', { from: '2026-01-01', to: '2026-12-31' }, 4);
    expect(told.filter((_, n) => n % 3 === 0).map(({ cells }) => cells[1])).toEqual(
      ids.map((_, n) => `A${n + 1}`),
    );
  });
});

describe('customers’ debts at the end of a day', () => {
  beforeEach(async () => {
    books = await createBooks();
  });
  afterEach(() => books.close());
  const asked = { invoices: ['2026-01-15', '2026-02-10', '2026-03-31'] };
  const openOf = async (to: string) => {
    const lines = await pagedLines('receivables', { to }, 2);
    const sumLine = amountsOf(lines, 'Summa');
    const gap = amountsOf(lines, 'Skillnad')[0];
    const each = lines.filter(({ kind }) => kind === 'row').map(({ cells }) => cells[5]);
    return { each, sum: sumLine[0], ages: sumLine.slice(1), gap };
  };

  test('are those then: what was paid, credited or added later is not', async () => {
    const made: string[] = [];
    for (const date of asked.invoices) {
      const [id = ''] = await makeDrafts(books.owner, [100n], date);
      await withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));
      made.push(id);
    }
    const [first = '', second = '', third = ''] = made;
    await withTx(books.owner, async (tx) => {
      const pay = (invoiceId: string, date: string, amountOre: bigint) =>
        registerPayment(tx, { today: TODAY, invoiceId, date, amountOre }, 'test');
      await pay(first, '2026-02-01', 5_000n);
      await pay(first, '2026-04-01', 7_500n);
      await creditInvoice(tx, { invoiceId: second, date: '2026-04-20' }, 'test');
      const fee = { feeOre: 6_000n, isFeeVouchedFor: true };
      await registerReminder(
        tx,
        { today: TODAY, invoiceId: third, sentDate: '2026-05-20', ...fee },
        'test',
      );
    });
    expect(await openOf('2026-01-14')).toMatchObject({ each: [], sum: 0n, gap: 0n });
    expect(await openOf('2026-01-31')).toMatchObject({ each: [12_500n], gap: 0n });
    expect(await openOf('2026-03-31')).toMatchObject({
      each: [7_500n, 12_500n, 12_500n],
      sum: 32_500n,
      // Due the day they are of: 75 and 49 days, and none.
      ages: [12_500n, 0n, 12_500n, 7_500n, 0n],
      gap: 0n,
    });
    expect(await openOf('2026-04-19')).toMatchObject({ each: [12_500n, 12_500n], gap: 0n });
    expect(await openOf('2026-04-20')).toMatchObject({ each: [12_500n], gap: 0n });
    expect(await openOf('2026-05-20')).toMatchObject({ each: [18_500n], sum: 18_500n, gap: 0n });
  });

  test('before the day they were taken over are told of by the program before', async () => {
    await db(books.owner).query(sql`update restricted.company set moved_on = '2026-03-01'`);
    await expect(openOf('2026-02-28')).rejects.toThrow();
    expect(await openOf('2026-03-01')).toMatchObject({ each: [] });
  });
});
