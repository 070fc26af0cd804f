/** The export of vouchers: whole, of one moment, and going on where it broke off; a long one in test/slow. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { parseString } from 'fast-csv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import type { LedgerRow } from '#src/ledger/vouchers/posting-store.ts';
import { ledgerVoucher, post, tamper } from '../database/books.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { tries } from '../support/tries.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/export/verifikatrader';
const codes = ['A', 'B', '10', '2', 'Ö'];
const accounts = [1510, 1910, 1930, 1940, 3001, 3740, 4010, 5010];

interface Row {
  readonly row_no: number;
  readonly account: number;
  readonly debit: number;
  readonly credit: number;
  readonly [more: string]: unknown;
}
interface Voucher {
  readonly id: string;
  readonly series: string;
  readonly number: number;
  readonly verification_date: string;
  readonly rows: readonly Row[];
  readonly [more: string]: unknown;
}
interface Begin {
  readonly snapshot: string;
  readonly events_cursor: string;
  readonly vouchers: number;
  readonly rows: number;
}
interface End {
  readonly vouchers: number;
  readonly rows: number;
  readonly debit: number;
  readonly credit: number;
}

let books: Installation;
let dimensions: { id: string }[];

/** What breaks CSV, JSON and spreadsheets. */
const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '\\', '=', "'", 'å', '😀', '\u2028', '\t'),
  }),
  fc.constant('=1+1'),
);
const anyVoucher = fc.record({
  series: fc.constantFrom(...codes),
  date: fc
    .integer({ min: 0, max: 729 })
    .map((day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)),
  description: anyText.map((text) => `x${text}`),
  counterparty: fc.option(anyText),
  pairs: fc.array(
    fc.record({
      debit: fc.constantFrom(...accounts),
      credit: fc.constantFrom(...accounts),
      ore: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 9e11 })),
      note: fc.option(anyText),
      places: fc.tuple(fc.nat(2), fc.nat(2)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

beforeAll(async () => {
  books = await openBooks();
  await withTx(books.owner, (tx) =>
    createYear(tx, { year: 2025, start: '2025-01-01', end: '2025-12-31' }, 'test'),
  );
  await db(books.owner).query(sql`
    insert into ledger.series (id, fiscal_year_id, code, name)
    select gen_random_uuid(), y.id, c.code, c.code
    from ledger.fiscal_years y cross join unnest(${codes}::text[]) as c (code)
    where not exists (select from ledger.series s where s.fiscal_year_id = y.id and s.code = c.code)`);
  dimensions = await withTx(books.owner, async (tx) => [
    await insertDimension(tx, { kind: 'cost_center', code: 'K"1', name: 'Butik, "söder"' }),
    await insertDimension(tx, { kind: 'project', code: 'P1', name: ''.padEnd(3, 'ö') }),
  ]);
  const [center, project] = dimensions.map(({ id }) => id);
  const drawn = fc.sample(anyVoucher, { numRuns: 150, seed: 20260331 });
  const vouchers = drawn.map(({ pairs, ...rest }) =>
    ledgerVoucher({
      ...rest,
      rows: pairs.flatMap(({ debit, credit, ore, note, places }): LedgerRow[] => {
        const carried = {
          costCenter: places[0] === 0 ? (center ?? null) : null,
          project: places[1] === 0 ? (project ?? null) : null,
        };
        return [
          { account: debit, debitOre: BigInt(ore), creditOre: 0n, note, ...carried },
          { account: credit, debitOre: 0n, creditOre: BigInt(ore) },
        ];
      }),
    }),
  );
  // Those whose sums are more than a voucher may come to are left out.
  const small = vouchers.filter(
    ({ rows }) => rows.reduce((sum, { debitOre }) => sum + debitOre, 0n) <= 999_999_999_999n,
  );
  const outcomes = await post(books.owner, small);
  expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
  const posted = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({ externalId: 'kvitto "1",\n2' }),
  });
  expect(posted.statusCode).toBe(200);
});
afterAll(() => books.close());

const ask = (query: string, headers: Record<string, string> = {}) =>
  books.call({ url: `${url}${query === '' ? '' : `?${query}`}`, headers });

const linesOf = (body: string) => {
  expect(body.endsWith('\n')).toBe(true);
  return body
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
};

async function exported(query = ''): Promise<{ begin: Begin; vouchers: Voucher[]; end: End }> {
  const answer = await ask(query);
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
  const lines = linesOf(answer.body);
  const begin = lines[0].begin as Begin;
  expect(answer.headers['export-snapshot']).toBe(begin.snapshot);
  return { begin, vouchers: lines.slice(1, -1), end: lines.at(-1).end };
}

/** The same out of the list, page by page. */
async function listed(query = ''): Promise<Voucher[]> {
  const found: Voucher[] = [];
  for (let cursor = ''; ; ) {
    const answer = await books.call({ url: `/api/v1/verifikat?limit=200&${query}${cursor}` });
    expect(answer.statusCode).toBe(200);
    const page = answer.json();
    found.push(...page.data);
    if (!page.has_more) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

const oreOf = (kronor: number): number => Math.round(kronor * 100);
const sumOf = (vouchers: readonly Voucher[], side: 'debit' | 'credit'): number =>
  vouchers.flatMap(({ rows }) => rows).reduce((sum, row) => sum + oreOf(row[side]), 0) / 100;

const filters = [
  '',
  'serie=10',
  'konto=1930',
  'from=2025-06-01&to=2026-02-28',
  'serie=A&konto=3001&from=2026-01-01',
  `externalId=${encodeURIComponent('kvitto "1",\n2')}`,
  'konto=9999',
];
const includes = ['', '&include=dimensions', '&include=account_names&include=dimensions'];

describe('NDJSON', () => {
  test.each(filters.flatMap((filter) => includes.map((include) => `${filter}${include}`)))(
    'of %j has each voucher just as the list has it, and says how much it is',
    async (query) => {
      const { begin, vouchers, end } = await exported(query);
      expect(vouchers).toEqual(await listed(query));
      const rows = vouchers.flatMap((voucher) => voucher.rows).length;
      expect(begin).toMatchObject({ vouchers: vouchers.length, rows });
      expect(end).toEqual({
        ...{ vouchers: vouchers.length, rows },
        ...{ debit: sumOf(vouchers, 'debit'), credit: sumOf(vouchers, 'credit') },
      });
    },
  );

  test('of one by its id is that one', async () => {
    const [one] = await listed();
    expect((await exported(`id=${one?.id}`)).vouchers).toEqual([one]);
  });

  test('is for keys that may read', async () => {
    const { key } = await books.makeKey(['intake:write']);
    const answer = await books.call({ url, key });
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
  });

  test('is asked about by HEAD without being read', async () => {
    const answer = await books.call({ method: 'HEAD', url });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    // GET says none either: 0 would be a file with nothing in it.
    expect(answer.headers).not.toHaveProperty('content-length');
    const { vouchers } = await exported(`snapshot=${answer.headers['export-snapshot']}`);
    expect(vouchers).toEqual(await listed());
  });
});

describe('CSV', () => {
  const read = (text: string): Promise<Record<string, string>[]> =>
    new Promise((resolve, reject) => {
      const rows: Record<string, string>[] = [];
      parseString(text, { headers: true })
        .on('error', reject)
        .on('data', (row) => rows.push(row))
        .on('end', () => resolve(rows));
    });

  test.each(['', '&include=account_names&include=dimensions'])(
    'has a line for each row, everything as it is in the list%s',
    async (include) => {
      const answer = await ask(`format=csv${include}`);
      expect(answer.headers['content-type']).toMatch(/^text\/csv/);
      const lines = await read(answer.body);
      const vouchers = await listed(include.slice(1));
      const text = (value: unknown) => String(value ?? '');
      const wanted = vouchers.flatMap(({ rows, ...voucher }) =>
        rows.map((row) => ({
          line: 'row',
          voucher_id: voucher.id,
          series: voucher.series,
          number: text(voucher.number),
          verification_date: voucher.verification_date,
          description: text(voucher['description']),
          counterparty: text(voucher['counterparty']),
          source: text(voucher['source']),
          external_id: text(voucher['external_id']),
          row_count: text(rows.length),
          ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)])),
        })),
      );
      expect(lines.slice(0, -1)).toEqual(wanted);
      expect(lines.at(-1)).toMatchObject({
        line: 'end',
        row_count: text(wanted.length),
        debit: text(sumOf(vouchers, 'debit')),
        credit: text(sumOf(vouchers, 'credit')),
      });
      expect(answer.body).toMatch(/\r\nend,[^\n]*\r\n$/);
    },
  );

  test('comes when Accept asks for it, and format decides', async () => {
    const typeOf = async (query: string, accept: string) =>
      String((await ask(query, { accept })).headers['content-type']).split(';')[0];
    expect(await typeOf('', 'text/csv')).toBe('text/csv');
    expect(await typeOf('', 'text/csv, */*;q=0.1')).toBe('text/csv');
    expect(await typeOf('', 'application/json')).toBe('application/x-ndjson');
    expect(await typeOf('format=ndjson', 'text/csv')).toBe('application/x-ndjson');
  });
});

describe('one moment', () => {
  test('stays as it was, to the byte, whatever is posted afterwards, in whatever series', async () => {
    const before = await ask('include=dimensions');
    const { snapshot } = linesOf(before.body)[0].begin as Begin;
    await db(books.owner).query(sql`insert into ledger.series (id, fiscal_year_id, code, name)
      select gen_random_uuid(), id, 'NY', 'Ny' from ledger.fiscal_years`);
    for (const series of ['A', 'NY']) {
      for (const date of ['2025-01-01', '2026-03-31', '2026-12-31']) {
        await post(books.owner, [ledgerVoucher({ series, date })]);
      }
    }
    const again = await ask(`include=dimensions&snapshot=${snapshot}`);
    expect(again.body).toBe(before.body);
    const { vouchers } = await exported();
    expect(vouchers).toHaveLength(linesOf(before.body).length - 2 + 6);
    // Other parts of the same moment can be asked for.
    const parts = await Promise.all(
      ['to=2025-12-31', 'from=2026-01-01'].map((part) => exported(`${part}&snapshot=${snapshot}`)),
    );
    expect(parts.flatMap((part) => part.vouchers).map(({ id }) => id)).toEqual(
      linesOf(before.body)
        .slice(1, -1)
        .map(({ id }) => id),
    );
  });

  test('has of each series all numbers up to one, while others post', async () => {
    let isOver = false;
    const posting = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        await books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
      }
    });
    try {
      for (let round = 0; round < 10; round += 1) {
        const { begin, vouchers } = await exported();
        expect(vouchers).toHaveLength(begin.vouchers);
        const numbers = new Map<string, number[]>();
        for (const { series, number, verification_date: date } of vouchers) {
          const name = `${date.slice(0, 4)} ${series}`;
          numbers.set(name, [...(numbers.get(name) ?? []), number]);
        }
        for (const [name, found] of numbers) {
          const sorted = found.toSorted((a, b) => a - b);
          expect([name, sorted]).toEqual([name, sorted.map((_, index) => index + 1)]);
        }
      }
    } finally {
      isOver = true;
      await Promise.all(posting);
    }
  });

  test('begins with a place in the events, from where everything after it is told', async () => {
    const { begin, vouchers } = await exported();
    const { id } = (
      await books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() })
    ).json();
    const told: { data: { id: string } }[] = [];
    // Events are told when nothing older goes on anywhere on the server.
    await until(async () => {
      const page = await books.call({ url: `/api/v1/handelser?cursor=${begin.events_cursor}` });
      told.push(...page.json().data);
      return told.some(({ data }) => data.id === id);
    });
    expect(vouchers.map((voucher) => voucher.id)).not.toContain(id);
  });
});

describe('one that broke off', () => {
  test('goes on after any voucher, with the rest of the same moment', async () => {
    const { begin, vouchers } = await exported();
    await post(books.owner, [ledgerVoucher({ date: '2026-12-31' })]);
    for (const place of [0, 1, 17, vouchers.length - 2, vouchers.length - 1]) {
      const rest = vouchers.slice(place + 1);
      const part = await exported(`snapshot=${begin.snapshot}&after=${vouchers[place]?.id}`);
      expect(part.vouchers).toEqual(rest);
      expect(part.begin).toEqual({
        ...begin,
        vouchers: rest.length,
        rows: rest.flatMap(({ rows }) => rows).length,
      });
      expect(part.end.debit).toBe(sumOf(rest, 'debit'));
    }
  });

  test('is told what is wrong with how it goes on', async () => {
    const { begin, vouchers } = await exported();
    await post(books.owner, [ledgerVoucher()]);
    const later = (await exported()).vouchers.find(
      ({ id }) => !vouchers.some((one) => one.id === id),
    );
    const id = vouchers[0]?.id;
    for (const [query, problem] of [
      [`after=${id}`, 'after required'],
      ['snapshot=x', 'snapshot unreadable_snapshot'],
      ['snapshot=', 'snapshot unreadable_snapshot'],
      [`snapshot=${begin.snapshot.slice(0, -9)}`, 'snapshot unreadable_snapshot'],
      [`snapshot=${'x'.repeat(8_001)}`, 'snapshot too_long'],
      [`snapshot=${begin.snapshot}&after=${crypto.randomUUID()}`, 'after unknown_voucher'],
      [`snapshot=${begin.snapshot}&after=${later?.id}`, 'after unknown_voucher'],
      ['format=xml', 'format unknown_value'],
      ['include=rows', 'include unknown_value'],
      ['limit=5', 'limit unknown_field'],
      ['from=2026-02-01&to=2026-01-01', 'from after_to'],
    ] as const) {
      const answer = await ask(query);
      const { path, reason } = answer.json().detail.problems[0];
      expect([query, answer.statusCode, `${path} ${reason}`]).toEqual([query, 400, problem]);
    }
  });

  test('of books that are others now is refused, and never mixed with them', async () => {
    const other = await createInstallation();
    try {
      await post(other.owner, [ledgerVoucher(), ledgerVoucher({ series: 'B' })]);
      const { snapshot } = linesOf((await other.call({ url })).body)[0].begin as Begin;
      const foreign = await ask(`snapshot=${snapshot}`);
      expect([foreign.statusCode, foreign.json().error]).toEqual([409, 'snapshot_gone']);
      // As after a backup of an hour ago.
      await tamper(
        other.url,
        `delete from ledger.voucher_rows using ledger.vouchers v where v.id = voucher_id and v.series = 'B';
         delete from ledger.vouchers where series = 'B'; update ledger.series set last_number = 0 where code = 'B'`,
      );
      const lost = await other.call({ url: `${url}?snapshot=${snapshot}` });
      expect([lost.statusCode, lost.json().error]).toEqual([409, 'snapshot_gone']);
    } finally {
      await other.close();
    }
  });

  test('with a snapshot that was tampered with is refused, and no fault of ours', async () => {
    const { begin } = await exported();
    const text = inflateRawSync(Buffer.from(begin.snapshot, 'base64url')).toString();
    const property = fc.asyncProperty(
      fc.oneof(
        fc.string().map((one) => Buffer.from(one).toString('base64url')),
        fc.json().map((one) => deflateRawSync(one).toString('base64url')),
        fc
          .tuple(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 3 }))
          .map(([at, piece]) =>
            deflateRawSync(text.slice(0, at) + piece + text.slice(at + 1)).toString('base64url'),
          ),
      ),
      async (snapshot) => {
        const answer = await ask(`snapshot=${snapshot}`);
        expect([snapshot, answer.statusCode]).toEqual([
          snapshot,
          expect.toSatisfy((status) => [200, 400, 409].includes(status)),
        ]);
      },
    );
    await fc.assert(property, { numRuns: tries(30) });
  });
});
