/** Whatever the filter and however short the steps, each voucher is found once, newest first. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import type { VoucherPlace } from '#src/ledger/vouchers/cursor.ts';
import { findVouchers, type VoucherFilter } from '#src/ledger/vouchers/list-store.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { ledgerVoucher, post, row } from './books.ts';

interface Known extends VoucherPlace {
  readonly description: string;
  readonly source: string;
  readonly accounts: ReadonlyMap<number, readonly bigint[]>;
  readonly total: bigint;
  readonly lacksDocument: boolean;
}

/** Books of opening balances need no other document. */
const sourceOf = (n: number): string => (n % 11 === 0 ? 'butik' : n % 13 === 0 ? 'opening' : 'app');
const isBare = (n: number): boolean => n % 5 < 2;

let installation: Books;
let known: Known[];
beforeAll(async () => {
  installation = await createBooks();
  const vouchers = Array.from({ length: 150 }, (_, n) =>
    ledgerVoucher({
      series: n % 3 === 0 ? 'P' : 'A',
      date: `2026-0${1 + (n % 5)}-1${n % 2}`,
      description: n % 7 === 0 ? `HYRA Överby ${n}` : `Annat ${n}`,
      source: sourceOf(n),
      // Several rows on one account: still one voucher.
      rows:
        n % 4 === 0
          ? [row(5010, 50), row(5010, 50 + n), row(1930, -100 - n)]
          : [row(6110, 100 + n), row(1930, -100 - n)],
    }),
  );
  const outcomes = await post(installation.owner, vouchers);
  await withTx(installation.owner, async (tx) => {
    for (const [n, { id }] of vouchers.entries()) {
      const bytes = Buffer.from(`kvitto ${n}`);
      if (!isBare(n)) await addAttachment(tx, { voucherId: id, fileName: 'a.txt', bytes }, 'test');
    }
  });
  known = vouchers
    .map((voucher, n): Known => {
      const sides = voucher.rows.map((one) => [one.account, one.debitOre + one.creditOre] as const);
      const accounts = Map.groupBy(sides, ([account]) => account);
      return {
        date: voucher.date,
        series: voucher.series,
        number: outcomes[n]?.number ?? 0,
        description: voucher.description,
        source: voucher.source,
        accounts: new Map([...accounts].map(([key, list]) => [key, list.map(([, ore]) => ore)])),
        total: BigInt(100 + n),
        lacksDocument: isBare(n) && sourceOf(n) !== 'opening',
      };
    })
    .sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
});
afterAll(() => installation.close());

const keyOf = ({ date, series, number }: VoucherPlace) =>
  `${date} ${series} ${String(number).padStart(5, '0')}`;

function expected(filter: VoucherFilter) {
  const { from, to, series, account, text, minOre, maxOre, source, lacksDocument } = filter;
  return known.filter((voucher) => {
    const amounts = account === undefined ? [voucher.total] : voucher.accounts.get(account);
    return (
      (from === undefined || from <= voucher.date) &&
      (to === undefined || voucher.date <= to) &&
      (series === undefined || voucher.series === series) &&
      (text === undefined || voucher.description.toLowerCase().includes(text.toLowerCase())) &&
      (source === undefined || voucher.source === source) &&
      (lacksDocument === undefined || voucher.lacksDocument) &&
      (amounts?.some((ore) => (minOre ?? 0n) <= ore && ore <= (maxOre ?? ore)) ?? false)
    );
  });
}

const filters: VoucherFilter[] = [
  {},
  { series: 'P' },
  { from: '2026-02-01', to: '2026-04-10' },
  { series: 'A', from: '2026-02-11', to: '2026-04-10' },
  { account: 5010 },
  { account: 5010, series: 'P', to: '2026-04-30' },
  { text: 'överby' },
  { text: 'hyra', series: 'A' },
  { text: 'HYRA', account: 5010 },
  { source: 'butik' },
  { source: 'butik', account: 1930, from: '2026-03-01' },
  { minOre: 150n, maxOre: 170n },
  { minOre: 60n, maxOre: 80n, account: 5010 },
  { text: 'finns inte' },
  { lacksDocument: true },
  { lacksDocument: true, account: 5010, from: '2026-02-01' },
  { lacksDocument: true, series: 'P', source: 'app' },
];

test.each(filters.flatMap((filter) => [1, 7, 1000].map((stepMax) => ({ filter, stepMax }))))(
  '$filter in steps of $stepMax',
  async ({ filter, stepMax }) => {
    const found: string[] = [];
    let place: VoucherPlace | undefined;
    for (let pages = 0; pages < 500; pages += 1) {
      const page = await findVouchers(db(installation.owner), filter, place, { limit: 4, stepMax });
      found.push(...page.vouchers.map(keyOf));
      if (!page.next) break;
      place = page.next;
    }
    expect(found).toEqual(expected(filter).map(keyOf));
  },
);

test('what lacks its document is as many as the overview says', async () => {
  const [row] = await db(installation.owner).query<{ missing: bigint }>(
    sql`select ledger.count_attachments_missing() as missing`,
  );
  expect(row?.missing).toBe(BigInt(expected({ lacksDocument: true }).length));
});

test('the statements are walks of an index: none sorts or reads a whole table', async () => {
  // With few vouchers a sequential scan is cheap, so it is forbidden; a missing index then shows as a sort.
  const { owner } = installation;
  const client = await owner.connect();
  try {
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const plans: string[] = [];
    const explaining = {
      query: async <Row extends object>(statement: ReturnType<typeof sql>): Promise<Row[]> => {
        const plan = await client.query(`explain ${statement.text}`, [...statement.values]);
        plans.push(plan.rows.map((line) => line['QUERY PLAN']).join('\n'));
        const result = await client.query(statement.text, [...statement.values]);
        return result.rows;
      },
    };
    const place = { date: '2026-04-10', series: 'A', number: 50 };
    for (const filter of [
      { text: 'hyra' },
      { series: 'A', text: 'hyra' },
      { account: 5010 },
      { lacksDocument: true },
    ]) {
      await findVouchers(explaining, filter, place, { limit: 4 });
    }
    expect(plans.length).toBeGreaterThanOrEqual(5);
    for (const plan of plans) {
      expect(plan).not.toContain('Seq Scan on voucher');
      expect(plan).toMatch(/Index (Only )?Scan Backward using voucher\w*_by_/);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
