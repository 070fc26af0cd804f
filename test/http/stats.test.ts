import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addDays } from '#src/domain/basics/dates.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { type LedgerRow, postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { openBooks } from './books.ts';

const statsSecret = 'stats-secret-stats-secret-stats-secret';
const urls = {
  overview: '/api/stats/overview',
  monthly: '/api/stats/monthly',
  daily: '/api/stats/daily?from=2026-01-01&to=2026-01-02',
};

async function open(): Promise<Installation> {
  const books = await openBooks({ env: { STATS_API_KEY: statsSecret } });
  await withTx(books.owner, (tx) =>
    createYear(tx, { year: 2025, start: '2025-01-01', end: '2025-12-31' }, 'test'),
  );
  return books;
}

interface Sent {
  readonly date: string;
  readonly series?: string;
  readonly counterparty?: string | null;
  readonly rows: readonly (readonly [account: number, ore: bigint])[];
}

/** Posts vouchers; öre above zero are debit. */
const post = (books: Installation, vouchers: readonly Sent[]): Promise<void> =>
  withTx(books.owner, (tx) => postIn(tx, vouchers));

async function postIn(tx: Tx, vouchers: readonly Sent[]): Promise<void> {
  const posted = await postToLedger(
    tx,
    vouchers.map(({ date, series = 'A', counterparty = null, rows }) => ({
      id: uuid(),
      series,
      date,
      description: 'x',
      counterparty,
      source: 'api',
      actor: 'test',
      rows: rows.map(
        ([account, ore]): LedgerRow => ({
          account,
          debitOre: ore > 0n ? ore : 0n,
          creditOre: ore < 0n ? -ore : 0n,
        }),
      ),
    })),
  );
  expect(posted.filter(({ error }) => error !== null)).toEqual([]);
}

const get = async (books: Installation, url: string) => {
  const response = await books.call({ url });
  expect([url, response.statusCode]).toEqual([url, 200]);
  return response.json();
};

describe('on small books', () => {
  let books: Installation;
  beforeEach(async () => {
    books = await open();
  });
  afterEach(() => books.close());

  test('an empty ledger has no months, and nothing is divided by zero', async () => {
    expect(await get(books, urls.monthly)).toEqual({
      generated_at: `${TODAY}T12:00:00.000Z`,
      months: [],
      totals: { revenue: 0, costs: 0, result: 0 },
    });
    expect(await get(books, urls.overview)).toMatchObject({
      attachments_missing: 0,
      by_service: [],
      by_customer: [],
      by_supplier: [],
      margin: { revenue: 0, cost_of_goods: 0, gross_margin: 0, percent: null },
      liquidity: { balance: 0, accounts: [] },
      receivables: 0,
      payables: 0,
      ledger_head: { vouchers: 0 },
    });
    expect(await get(books, urls.daily)).toHaveLength(2);
  });

  test('months run without gaps from the first voucher to this month, and tables add up', async () => {
    await post(books, [
      {
        date: '2025-11-30',
        rows: [
          [1930, 100_050n],
          [3001, -100_050n],
        ],
      },
      {
        date: '2026-01-01',
        rows: [
          [4010, 33_349n],
          [1930, -33_349n],
        ],
        counterparty: 'Grossisten',
      },
      {
        date: '2026-01-02',
        rows: [
          [7010, 50n],
          [1930, -50n],
        ],
      },
      {
        date: '2026-12-24',
        rows: [
          [1930, 999_900n],
          [3001, -999_900n],
        ],
      },
      {
        date: '2026-12-24',
        rows: [
          [4010, 70_000n],
          [1930, -70_000n],
        ],
        counterparty: 'Grossisten',
      },
    ]);
    const { months, totals } = await get(books, urls.monthly);
    expect(months.map(({ month }: { month: string }) => month)).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
      '2026-03',
      '2026-04',
      '2026-05',
      '2026-06',
      '2026-07',
      '2026-08',
      '2026-09',
      '2026-10',
      '2026-11',
    ]);
    expect(months[0]).toEqual({ month: '2025-11', revenue: 1001, costs: 0, result: 1001 });
    expect(months[2]).toEqual({ month: '2026-01', revenue: 0, costs: 334, result: -334 });
    expect(totals).toEqual({ revenue: 1001, costs: 334, result: 667 });
    const overview = await get(books, urls.overview);
    expect(overview).toMatchObject({ months, totals });
    expect(overview.by_supplier).toEqual([
      { supplier: 'Grossisten', name: 'Grossisten', cost: 333 },
      { supplier: null, name: 'Övrigt', cost: 1 },
    ]);
    expect(overview.by_service).toEqual([
      { article: null, account: 3001, name: expect.any(String), revenue: 1001 },
    ]);
    expect(overview.margin).toEqual({
      revenue: 1001,
      cost_of_goods: 333,
      gross_margin: 668,
      percent: 66.7,
    });
    expect(overview.liquidity).toEqual({
      balance: 9965.51,
      accounts: [{ account: 1930, name: expect.any(String), balance: 9965.51 }],
    });
    expect(overview.attachments_missing).toBe(5);
  });

  test('an invoice, its payment and its credit show at once in every answer', async () => {
    const customer = await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Bageriet' }));
    const made = await books.call({
      method: 'POST',
      url: '/api/v1/kundfakturor',
      payload: {
        customerId: customer.id,
        invoiceDate: '2026-03-31',
        paymentTerms: 30,
        rows: [
          {
            description: 'Bröd',
            quantity: 10,
            unitPrice: 100,
            vatRate: 25,
            account: 3001,
            articleNumber: 'BRÖD',
          },
          { description: 'Annat', quantity: 1, unitPrice: 500, vatRate: 25, account: 3001 },
        ],
        book: true,
      },
    });
    const { id } = made.json();
    const figures = async () => {
      const { by_service, by_customer, receivables, totals, attachments_missing } = await get(
        books,
        urls.overview,
      );
      const [day] = await get(books, '/api/stats/daily?from=2026-03-31&to=2026-03-31');
      return { by_service, by_customer, receivables, totals, attachments_missing, day };
    };
    expect(await figures()).toEqual({
      by_service: [
        { article: 'BRÖD', account: null, name: 'BRÖD', revenue: 1000 },
        { article: null, account: 3001, name: expect.any(String), revenue: 500 },
      ],
      by_customer: [{ customer_id: customer.id, name: 'Bageriet', revenue: 1500 }],
      receivables: 1875,
      totals: { revenue: 1500, costs: 0, result: 1500 },
      // The system holds the invoice itself.
      attachments_missing: 0,
      day: { date: '2026-03-31', revenue_total: 1500, invoices_count: 1, unpaid_amount: 1875 },
    });
    await withTx(books.owner, (tx) =>
      registerPayment(
        tx,
        { today: TODAY, invoiceId: id, date: '2026-04-15', amountOre: 100_000n },
        'test',
      ),
    );
    expect(await figures()).toMatchObject({ receivables: 875, day: { unpaid_amount: 875 } });
    await withTx(books.owner, (tx) =>
      creditInvoice(tx, { invoiceId: id, date: '2026-03-31' }, 'test'),
    );
    expect(await figures()).toMatchObject({
      by_service: [],
      by_customer: [],
      receivables: -1000,
      totals: { revenue: 0, costs: 0, result: 0 },
      day: { revenue_total: 0, invoices_count: 1, unpaid_amount: -1000 },
    });
  });

  test('more names than fifty are one remainder, and the sums still hold', async () => {
    await post(
      books,
      Array.from({ length: 60 }, (_, n) => ({
        date: '2026-02-01',
        counterparty: `Leverantör ${n}`,
        rows: [
          [4010, BigInt(1_000 + n * 99)],
          [1930, -BigInt(1_000 + n * 99)],
        ] as const,
      })),
    );
    const { by_supplier, totals } = await get(books, urls.overview);
    expect(by_supplier).toHaveLength(51);
    expect(by_supplier.at(-1).supplier).toBeNull();
    const costs = by_supplier.map(({ cost }: { cost: number }) => cost);
    expect(costs.reduce((a: number, b: number) => a + b)).toBe(totals.costs);
  });

  test('series that post on one supplier at the same time never wait, and are summed', async () => {
    const buy = (series: string, kronor: bigint): Sent => ({
      date: '2026-02-01',
      series,
      counterparty: 'Grossisten',
      rows: [
        [4010, kronor * 100n],
        [1930, -kronor * 100n],
      ],
    });
    await post(books, [buy('A', 1n)]);
    await withTx(books.owner, async (tx) => {
      await postIn(tx, [buy('A', 10n)]);
      // The row there was is held: these make their own, and use it again.
      await post(books, [buy('C', 100n)]);
      await post(books, [buy('C', 1000n), buy('D', 10_000n)]);
    });
    const { by_supplier } = await get(books, urls.overview);
    expect(by_supplier).toEqual([{ supplier: 'Grossisten', name: 'Grossisten', cost: 11_111 }]);
    const { rows } = await books.owner.query('select from ledger.supplier_costs');
    expect(rows).toHaveLength(2);
  });

  test('what cannot be read is db_error, and the next answer is well again', async () => {
    await books.owner.query('alter function ledger.month_results() rename to elsewhere');
    const response = await books.call({ url: urls.monthly });
    await books.owner.query('alter function ledger.elsewhere() rename to month_results');
    expect([response.statusCode, response.json().error]).toEqual([500, 'db_error']);
    await get(books, urls.monthly);
  });

  test('a key revoked or without data:read learns nothing; the legacy secret reads these routes', async () => {
    const { key } = await books.makeKey(['ledger:write', 'intake:write']);
    const revoked = await books.makeKey();
    await withTx(books.owner, (tx) => revokeKey(tx, revoked.id, 'test'));
    for (const url of Object.values(urls)) {
      expect((await books.call({ url, key })).statusCode).toBe(403);
      expect((await books.call({ url, key: revoked.key })).json().error).toBe('key_revoked');
      expect((await books.call({ url, key: null })).statusCode).toBe(401);
      expect((await books.call({ url, key: statsSecret })).statusCode).toBe(200);
    }
  });

  test('before set-up is done they answer server_misconfigured', async () => {
    await books.owner.query('delete from restricted.company');
    expect((await books.call({ url: urls.overview })).json().error).toBe('server_misconfigured');
  });
});

describe('daily', () => {
  let books: Installation;
  beforeAll(async () => {
    books = await open();
  });
  afterAll(() => books.close());

  test('90 days after from is the most: 91 items, 92 is refused', async () => {
    const from = '2026-01-01';
    const items = await get(books, `/api/stats/daily?from=${from}&to=${addDays(from, 90)}`);
    expect(items).toHaveLength(91);
    expect(items[0].date).toBe(from);
    expect(items[90].date).toBe('2026-04-01');
    const refused = await books.call({
      url: `/api/stats/daily?from=${from}&to=${addDays(from, 91)}`,
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail.problems).toMatchObject([{ path: 'to', reason: 'span_too_long' }]);
  });

  test.each([
    ['', ['from', 'to']],
    ['from=2026-01-01', ['to']],
    ['from=2026-02-29&to=2026-03-01', ['from']],
    ['from=i%20g%C3%A5r&to=1', ['from', 'to']],
    ['from=2026-03-02&to=2026-03-01', ['from']],
    ['from=2026-03-01&to=2026-03-02&serie=A', ['serie']],
  ])('%s is 400 and names %j', async (query, paths) => {
    const response = await books.call({ url: `/api/stats/daily?${query}` });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('invalid_request');
    const problems = response.json().detail.problems as { path: string }[];
    expect(problems.map(({ path }) => path)).toEqual(paths);
  });

  test.each([urls.overview, urls.monthly])('%s takes no parameter', async (url) => {
    expect((await books.call({ url: `${url}?from=2026-01-01` })).statusCode).toBe(400);
  });
});

describe('on random ledgers', () => {
  let books: Installation;
  let customers: string[];
  beforeAll(async () => {
    books = await open();
    await books.owner.query(
      `insert into ledger.accounts (number, name, type) values (1999, 'x', 'asset'),
         (4999, 'x', 'cost'), (7999, 'x', 'cost') on conflict do nothing`,
    );
    customers = await withTx(books.owner, async (tx) => {
      const ids: string[] = [];
      for (const name of ['Kund A', 'Kund B', 'Kund C'])
        ids.push((await insertCustomer(tx, { name })).id);
      return ids;
    });
  });
  afterAll(() => books.close());

  const account = fc.constantFrom(
    1510,
    1910,
    1930,
    1999,
    2440,
    3001,
    3004,
    3999,
    4010,
    4999,
    5010,
    7999,
    8310,
  );
  const voucher = fc.record({
    date: fc.integer({ min: 0, max: 729 }).map((day) => addDays('2025-01-01', day)),
    series: fc.constantFrom('A', 'C', 'D'),
    counterparty: fc.constantFrom(null, 'Alfa', 'Beta', 'Gamma'),
    rows: fc
      .array(
        fc.tuple(
          account,
          fc.bigInt({ min: -500_000n, max: 500_000n }).filter((ore) => ore !== 0n),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((rows): (readonly [number, bigint])[] => {
        const rest = rows.reduce((sum, [, ore]) => sum - ore, 0n);
        return rest === 0n ? [...rows, [1930, 1n], [1930, -1n]] : [...rows, [1930, rest]];
      }),
  });
  const invoice = fc.record({
    customer: fc.nat({ max: 2 }),
    date: fc.integer({ min: 0, max: 729 }).map((day) => addDays('2025-01-01', day)),
    price: fc.integer({ min: 1, max: 90_000 }),
    article: fc.constantFrom(null, 'X', 'Y'),
    fate: fc.constantFrom('open', 'paid', 'credited', 'draft'),
  });

  test('every answer is what a slow walk of all the rows gives, right after each commit', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(voucher, { maxLength: 6 }),
        fc.array(invoice, { maxLength: 3 }),
        async (vouchers, invoices) => {
          if (vouchers.length > 0) await post(books, vouchers);
          for (const one of invoices) await makeInvoice(one);
          await expectSame();
        },
      ),
      { numRuns: tries(6) },
    ));

  async function makeInvoice(one: {
    customer: number;
    date: string;
    price: number;
    article: string | null;
    fate: string;
  }) {
    const response = await books.call({
      method: 'POST',
      url: '/api/v1/kundfakturor',
      payload: {
        customerId: customers[one.customer],
        invoiceDate: one.date,
        paymentTerms: 30,
        rows: [
          {
            description: 'x',
            quantity: 1,
            unitPrice: one.price / 100,
            vatRate: 25,
            account: 3001,
            articleNumber: one.article,
          },
        ],
        book: one.fate !== 'draft',
      },
    });
    const { id, total_amount } = response.json();
    if (one.fate === 'paid') {
      const amountOre = BigInt(Math.round(total_amount * 100));
      await withTx(books.owner, (tx) =>
        registerPayment(tx, { today: one.date, invoiceId: id, date: one.date, amountOre }, 'test'),
      );
    }
    if (one.fate === 'credited') {
      await withTx(books.owner, (tx) =>
        creditInvoice(tx, { invoiceId: id, date: one.date }, 'test'),
      );
    }
  }

  /** Obviously correct and slow: everything is read and added up here. */
  async function expectSame(): Promise<void> {
    const rows = await db(books.owner).query<{
      account: number;
      ore: bigint;
      date: string;
      counterparty: string | null;
      source: string;
      voucher_id: string;
    }>(
      sql`select r.account, r.debit_ore - r.credit_ore as ore, v.verification_date as date,
            v.counterparty, v.source, r.voucher_id
          from ledger.voucher_rows r join ledger.vouchers v on v.id = r.voucher_id`,
    );
    const booked = await db(books.owner).query<{
      kind: string;
      name: string;
      article: string | null;
      ore: bigint;
      open: bigint;
      date: string;
      id: string;
    }>(
      sql`select i.id, i.kind, c.name, r.article_number as article, r.net_ore as ore, i.open_ore as open,
            i.invoice_date as date
          from sales.invoices i join sales.invoice_rows r on r.invoice_id = i.id
          join sales.customers c on c.id = i.customer_id where i.status <> 'draft'`,
    );
    // Results wait for their month to begin; balances do not.
    const begun = <T extends { date: string }>(list: readonly T[]) =>
      list.filter(({ date }) => date.slice(0, 7) <= TODAY.slice(0, 7));
    const kronor = (ore: bigint) =>
      Math.sign(Number(ore)) * Math.floor((Math.abs(Number(ore)) + 50) / 100) + 0;
    const sum = (list: readonly bigint[]) => list.reduce((a, b) => a + b, 0n);
    const between = (low: number, high: number) =>
      rows.filter((row) => low <= row.account && row.account <= high);
    const inMonth = (list: typeof rows, month: string) =>
      sum(list.filter(({ date }) => date.startsWith(month)).map(({ ore }) => ore));
    const first = rows.map(({ date }) => date).sort()[0];
    const months: { month: string; revenue: number; costs: number; result: number }[] = [];
    for (let year = 2025; year <= 2026; year += 1) {
      for (let m = 1; m <= 12; m += 1) {
        const month = `${year}-${String(m).padStart(2, '0')}`;
        if (!first || month < first.slice(0, 7) || month > TODAY.slice(0, 7)) continue;
        const revenue = kronor(-inMonth(between(3000, 3999), month)) + 0;
        const costs = kronor(inMonth(between(4000, 7999), month));
        months.push({ month, revenue, costs, result: revenue - costs });
      }
    }
    const total = (pick: 'revenue' | 'costs' | 'result') =>
      months.reduce((all, month) => all + month[pick], 0);
    const totals = { revenue: total('revenue'), costs: total('costs'), result: total('result') };
    const monthly = await get(books, urls.monthly);
    expect(monthly).toMatchObject({ months, totals });

    const overview = await get(books, urls.overview);
    expect(overview).toMatchObject({ months, totals });
    const signed = ({ kind, ore }: { kind: string; ore: bigint }) =>
      kind === 'invoice' ? ore : -ore;
    const grouped = <T>(
      list: readonly T[],
      name: (one: T) => string | null,
      ore: (one: T) => bigint,
    ) => {
      const sums = new Map<string, bigint>();
      for (const one of list) {
        const key = name(one);
        if (key !== null) sums.set(key, (sums.get(key) ?? 0n) + ore(one));
      }
      return Object.fromEntries(
        [...sums].filter(([, value]) => value !== 0n).map(([key, value]) => [key, kronor(value)]),
      );
    };
    const named = (list: Record<string, unknown>[], key: string, value: string) =>
      Object.fromEntries(
        list.filter((one) => one[key] !== null).map((one) => [one[key], one[value]]),
      );
    const byName = (list: Record<string, unknown>[]) =>
      Object.fromEntries(
        list
          .filter(({ customer_id }) => customer_id !== null)
          .map(({ name, revenue }) => [name, revenue]),
      );
    expect(byName(overview.by_customer)).toEqual(
      grouped(begun(booked), ({ name }) => name, signed),
    );
    expect(named(overview.by_service, 'article', 'revenue')).toEqual(
      grouped(begun(booked), ({ article }) => article, signed),
    );
    expect(named(overview.by_supplier, 'supplier', 'cost')).toEqual(
      grouped(
        begun(between(4000, 7999)),
        ({ counterparty }) => counterparty,
        ({ ore }) => ore,
      ),
    );
    for (const [list, value, whole] of [
      [overview.by_customer, 'revenue', totals.revenue],
      [overview.by_service, 'revenue', totals.revenue],
      [overview.by_supplier, 'cost', totals.costs],
    ]) {
      expect(
        list.reduce((all: number, one: Record<string, number>) => all + (one[value] ?? 0), 0),
      ).toBe(whole);
    }
    expect(overview.margin.cost_of_goods).toBe(
      kronor(sum(begun(between(4000, 4999)).map(({ ore }) => ore))),
    );
    expect(overview.liquidity.balance).toBe(
      Number(sum(between(1900, 1999).map(({ ore }) => ore))) / 100,
    );
    const invoices = [...new Map(booked.map((one) => [one.id, one])).values()];
    const unpaid = kronor(sum(invoices.map(({ open }) => open)));
    expect(overview.receivables).toBe(unpaid);
    expect(overview.payables).toBe(kronor(-sum(between(2440, 2440).map(({ ore }) => ore))) + 0);
    const needing = new Map(rows.map((row) => [row.voucher_id, row.source]));
    expect(overview.attachments_missing).toBe(
      [...needing.values()].filter((source) => source !== 'invoice').length,
    );

    const from = '2025-12-01';
    const days = await get(books, `/api/stats/daily?from=${from}&to=${addDays(from, 90)}`);
    expect(days).toEqual(
      Array.from({ length: 91 }, (_, n) => {
        const date = addDays(from, n);
        return {
          date,
          revenue_total: kronor(-inMonth(between(3000, 3999), date)) + 0,
          invoices_count: invoices.filter((one) => one.kind === 'invoice' && one.date === date)
            .length,
          unpaid_amount: unpaid,
        };
      }),
    );
  }
});
