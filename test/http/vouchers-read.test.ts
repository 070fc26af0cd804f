import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { pageRowsMax } from '#src/ledger/vouchers/store.ts';
import type { Installation } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/verifikat';
const accounts = [1510, 1910, 1930, 1940, 3001, 3740, 4010, 5010];
const codes = ['A', 'B', 'b', 'Ö', 'A1'];

interface Row {
  account: number;
  debit: number;
  credit: number;
  note: string | null;
}
interface Kept {
  id: string;
  series: string;
  number: number;
  date: string;
  description: string;
  rows: Row[];
}
interface Filter {
  from?: string;
  to?: string;
  serie?: string;
  konto?: number;
  id?: string;
}

let books: Installation;
const kept: Kept[] = [];

const anyDate = fc
  .integer({ min: 0, max: 729 })
  .map((day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10));
const anyVoucher = fc.record({
  seriesCode: fc.constantFrom(...codes),
  date: anyDate,
  description: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
  pairs: fc.array(
    fc.tuple(
      fc.constantFrom(...accounts),
      fc.constantFrom(...accounts),
      fc.integer({ min: 1, max: 1e9 }),
    ),
    { minLength: 1, maxLength: 4 },
  ),
});
type Drawn = typeof anyVoucher extends fc.Arbitrary<infer T> ? T : never;

async function post({ pairs, ...rest }: Drawn): Promise<Kept> {
  const rows = pairs.flatMap(([debit, credit, ore]) => [
    { account: debit, debit: ore / 100, credit: 0, note: null },
    { account: credit, debit: 0, credit: ore / 100, note: 'kvitto' },
  ]);
  const answer = await books.call({ method: 'POST', url, payload: { ...rest, rows } });
  expect(answer.statusCode).toBe(200);
  const { id, series, number } = answer.json();
  return { id, series, number, date: rest.date, description: rest.description, rows };
}

beforeAll(async () => {
  books = await openBooks();
  await withTx(books.owner, (tx) =>
    createYear(tx, { year: 2025, start: '2025-01-01', end: '2025-12-31' }, 'test'),
  );
  await db(books.owner).query(sql`
    insert into ledger.series (id, fiscal_year_id, code, name, last_hash)
    select gen_random_uuid(), y.id, c.code, c.code, sha256('start')
    from ledger.fiscal_years y cross join unnest(${codes}::text[]) as c (code)
    where not exists (select from ledger.series s
      where s.fiscal_year_id = y.id and s.code = c.code)`);
  const drawn = fc.sample(anyVoucher, { numRuns: 300, seed: 20260331 });
  kept.push(...(await Promise.all(drawn.map(post))));
});
afterAll(() => books.close());

const byCode = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
const inOrder = (a: Kept, b: Kept) =>
  byCode(a.date, b.date) || byCode(a.series, b.series) || a.number - b.number;

/** What the filter should give, worked out the plain way. */
const expected = ({ from, to, serie, konto, id }: Filter): string[] =>
  kept
    .filter(
      (one) =>
        (from === undefined || one.date >= from) &&
        (to === undefined || one.date <= to) &&
        (serie === undefined || one.series === serie) &&
        (konto === undefined || one.rows.some((row) => row.account === konto)) &&
        (id === undefined || one.id === id),
    )
    .sort(inOrder)
    .map((one) => one.id);

const address = (filter: Filter & { limit?: unknown; cursor?: string }) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${url}?${query}`;
};

const read = async (filter: Filter & { limit?: unknown; cursor?: string }) => {
  const answer = await books.call({ url: address(filter) });
  expect(answer.statusCode).toBe(200);
  return answer.json() as { data: { id: string }[]; next_cursor: string | null; has_more: boolean };
};

/** Every id, page after page; `between` may change the books meanwhile. */
async function walk(filter: Filter, limit: number, between = async () => {}): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read({ ...filter, limit, ...(cursor ? { cursor } : {}) });
    found.push(...page.data.map(({ id }) => id));
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.next_cursor === null) {
      expect(page.data.length).toBeLessThanOrEqual(limit);
      return found;
    }
    expect(page.data).toHaveLength(limit);
    cursor = page.next_cursor;
    await between();
  }
}

const problemsOf = async (query: string) => {
  const answer = await books.call({ url: `${url}?${query}` });
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toBe('invalid_request');
  return answer
    .json()
    .detail.problems.map(
      ({ path, reason }: { path: string; reason: string }) => `${path} ${reason}`,
    );
};

describe('reading', () => {
  test('every voucher comes whole, as it was posted', async () => {
    const { data } = await read({ limit: 200 });
    for (const voucher of data) {
      const original = kept.find((one) => one.id === voucher.id);
      expect(voucher).toEqual({
        id: original?.id,
        external_id: null,
        series: original?.series,
        number: original?.number,
        verification_date: original?.date,
        description: original?.description,
        counterparty: null,
        source: 'api',
        rows: original?.rows.map((row, index) => ({
          row_no: index + 1,
          ...row,
          // Of its account, as it was posted.
          vat_code: row.account === 3001 ? 'MP1' : null,
        })),
      });
    }
  });

  test('fifty come at a time unless more are asked for', async () => {
    const page = await read({});
    expect(page.data.map(({ id }) => id)).toEqual(expected({}).slice(0, 50));
    expect((await read({ limit: 200 })).data).toHaveLength(200);
    expect((await read({ limit: 1 })).data).toHaveLength(1);
  });

  test('any filter with any page size gives each voucher once, in date order', async () => {
    const anyFilter = fc.record(
      {
        from: anyDate,
        to: anyDate,
        serie: fc.constantFrom(...codes, 'C', 'ZZ', 'ö'),
        konto: fc.constantFrom(...accounts, 9999),
        id: fc.constantFrom(...kept.map(({ id }) => id), randomUUID()),
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(
      anyFilter.filter(({ from = '', to = '9' }) => from <= to),
      fc.constantFrom(1, 2, 3, 7, 50, 199, 200),
      async (filter, limit) => {
        expect(await walk(filter, Math.max(limit, expected(filter).length / 12) | 0)).toEqual(
          expected(filter),
        );
      },
    );
    await fc.assert(property, { numRuns: tries(40) });
  });

  test('every page size walks the whole ledger', async () => {
    for (const limit of [1, 13, 99, 100, 101, 150, 200]) {
      expect(await walk({}, limit)).toEqual(expected({}));
    }
  });

  test('a page that the list just fills is the last: no cursor leads to an empty one', async () => {
    const all = expected({ serie: 'A1' }).length;
    expect(await read({ serie: 'A1', limit: all })).toMatchObject({
      next_cursor: null,
      has_more: false,
    });
    expect(await read({ serie: 'A1', limit: all - 1 })).toMatchObject({ has_more: true });
  });

  test('a single day, a single series and a single account are found whole', async () => {
    for (const one of kept.slice(0, 10)) {
      const filter = { from: one.date, to: one.date, serie: one.series };
      expect(await walk(filter, 50)).toEqual(expected(filter));
    }
    for (const konto of accounts) expect(await walk({ konto }, 31)).toEqual(expected({ konto }));
    for (const serie of codes) expect(await walk({ serie }, 31)).toEqual(expected({ serie }));
  });

  test('a voucher is fetched by its id, in any case of letters; filters still hold', async () => {
    const [one] = kept;
    if (!one) throw new Error('no voucher');
    expect((await read({ id: one.id.toUpperCase() })).data).toHaveLength(1);
    const other = one.date === '2025-01-01' ? '2025-01-02' : '2025-01-01';
    expect((await read({ id: one.id, from: other, to: other })).data).toEqual([]);
  });

  test('an id of no voucher is an empty list, whatever uuid it is', async () => {
    for (const id of [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      '11111111-1111-1111-1111-111111111111',
    ]) {
      expect(await read({ id })).toEqual({ data: [], next_cursor: null, has_more: false });
    }
  });

  test('vouchers posted between pages neither repeat nor hide those that were there', async () => {
    for (const filter of [{}, { serie: 'A' }, { konto: 1930 }, { serie: 'A', konto: 1930 }]) {
      const before = expected(filter);
      const added: string[] = [];
      const between = async () => {
        for (const date of ['2025-01-01', '2025-12-31', '2026-12-31']) {
          const one = await post({
            seriesCode: 'A',
            date,
            description: 'ny',
            pairs: [[1930, 3740, 1]],
          });
          kept.push(one);
          added.push(one.id);
        }
      };
      const found = await walk(filter, 11, between);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((id) => !added.includes(id))).toEqual(before);
      expect(added.length).toBeGreaterThan(0);
    }
  });

  test('a page of thousands of rows is still one answer', async () => {
    const pairs = Array.from({ length: 1_500 }, (): [number, number, number] => [1930, 3740, 1]);
    const one = await post({ seriesCode: 'A', date: '2026-06-06', description: 'x', pairs });
    kept.push(one);
    const { data } = await read({ id: one.id, konto: 1930 });
    expect(data).toHaveLength(1);
    expect((data[0] as unknown as { rows: Row[] }).rows).toHaveLength(3_000);
  });
});

describe('parameters that cannot be read', () => {
  test('a misspelt parameter is named instead of giving everything', async () => {
    expect(await problemsOf('series=A')).toEqual(['series unknown_field']);
    expect(await problemsOf('Serie=A&foo=1')).toEqual(['Serie unknown_field', 'foo unknown_field']);
    expect(await problemsOf('serie%20=A')).toEqual(['serie  unknown_field']);
    expect(await problemsOf('serie[]=A')).toEqual(['serie[] unknown_field']);
  });

  test.each([
    ['from=2026-02-30', 'from not_a_date'],
    ['to=2026-13-01', 'to not_a_date'],
    ['from=20260101', 'from not_a_date'],
    ['from=', 'from not_a_date'],
    ['from=2026-01-01T00:00:00', 'from not_a_date'],
    ['to=2026-1-1', 'to not_a_date'],
    ['from=0000-01-01', 'from not_a_date'],
    ['from=2026-05-02&to=2026-05-01', 'from after_to'],
    ['limit=0', 'limit too_small'],
    ['limit=201', 'limit too_large'],
    ['limit=abc', 'limit not_an_integer'],
    ['limit=', 'limit not_an_integer'],
    ['limit=1.5', 'limit not_an_integer'],
    ['limit=-1', 'limit too_small'],
    ['limit=1e2', 'limit not_an_integer'],
    ['limit=%2050', 'limit not_an_integer'],
    ['limit=99999999999999999999', 'limit not_an_integer'],
    ['konto=bank', 'konto not_an_integer'],
    ['konto=1930.0', 'konto not_an_integer'],
    ['konto=%EF%BC%91%EF%BC%99%EF%BC%93%EF%BC%90', 'konto not_an_integer'],
    ['konto=1930&konto=1940', 'konto wrong_type'],
    ['limit=1&limit=2', 'limit wrong_type'],
    ['serie=', 'serie too_short'],
    ['serie=AAA', 'serie too_long'],
    ['serie=%00', 'serie nul_character'],
    ['serie=A%00', 'serie nul_character'],
    ['id=17', 'id wrong_format'],
    ['id=', 'id wrong_format'],
    [`id=${randomUUID()}x`, 'id wrong_format'],
    ['cursor=', 'cursor unreadable_cursor'],
    ['cursor=garbage', 'cursor unreadable_cursor'],
    ['cursor=%00', 'cursor unreadable_cursor'],
    ['cursor=W10', 'cursor unreadable_cursor'],
    ['cursor=bnVsbA', 'cursor unreadable_cursor'],
    [`cursor=${'a'.repeat(501)}`, 'cursor too_long'],
  ])('%s is refused by name', async (query, problem) => {
    expect(await problemsOf(query)).toEqual([problem]);
  });

  test('several faults are told at once', async () => {
    expect(await problemsOf('from=x&to=y&limit=0&konto=z&serie=long')).toEqual([
      'from not_a_date',
      'to not_a_date',
      'serie too_long',
      'konto not_an_integer',
      'limit too_small',
    ]);
  });

  test.each([
    ['serie=%zz', 'serie not_decodable'],
    ['serie=%z', 'serie not_decodable'],
    ['limit=5&serie=%', 'serie not_decodable'],
    ['serie=%ED%A0%80', 'serie not_decodable'],
    ['%=%', '% not_decodable'],
  ])('%s, whose percent signs say nothing, is refused by name', async (query, problem) => {
    expect(await problemsOf(query)).toEqual([problem]);
  });

  test('is said in a sentence that tells the form', async () => {
    const sentenceOf = async (query: string) =>
      (await books.call({ url: `${url}?${query}` })).json().message;
    const form = 'ska vara ett id (uuid): 32 hexadecimala tecken i grupperna 8-4-4-4-12.';
    expect(await sentenceOf('id=17')).toBe(`id ${form}`);
    expect(await sentenceOf('limit=1&limit=2')).toBe('limit ska anges en gång.');
    expect(await sentenceOf('=1')).toBe('En parameter saknar namn; ta bort den.');
    expect(await sentenceOf('konto=999999999&limit=201')).toBe('limit ska vara högst 200.');
    expect(await sentenceOf('series=A')).toMatch(/^series är ingen känd parameter;/);
  });
});

describe('a cursor', () => {
  const first = async (filter: Filter) => {
    const page = await read({ ...filter, limit: 3 });
    if (page.next_cursor === null) throw new Error('the list is too short');
    return page.next_cursor;
  };

  test('belongs to its filter: with another it is refused, never page one again', async () => {
    const cursor = await first({ serie: 'A' });
    for (const filter of ['', 'serie=B', 'serie=A&konto=1930', 'serie=A&from=2025-01-01']) {
      expect(await problemsOf(`${filter}&limit=3&cursor=${cursor}`)).toEqual([
        'cursor foreign_cursor',
      ]);
    }
  });

  test('goes on with another page size', async () => {
    const cursor = await first({});
    const { data } = await read({ limit: 10, cursor });
    expect(data.map(({ id }) => id)).toEqual(expected({}).slice(3, 13));
  });

  test('works again and again, and for another key of the installation', async () => {
    const cursor = await first({});
    const { key } = await books.makeKey(['data:read']);
    const pages = await Promise.all(
      [books.key, key, books.key].map((one) =>
        books.call({ url: address({ limit: 5, cursor }), key: one }),
      ),
    );
    expect(new Set(pages.map((page) => page.body)).size).toBe(1);
  });

  test('that was tampered with is refused or harmless, never a fault of ours', async () => {
    const cursor = await first({});
    const property = fc.asyncProperty(
      fc.oneof(
        fc.string().map((text) => Buffer.from(text).toString('base64url')),
        fc.json().map((text) => Buffer.from(text).toString('base64url')),
        fc
          .tuple(fc.nat(cursor.length - 1), fc.base64String({ minLength: 4, maxLength: 4 }))
          .map(([at, letter]) => cursor.slice(0, at) + letter + cursor.slice(at + 1)),
        fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.jsonValue()).map(([date, series, number]) => {
          const [print] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
          return Buffer.from(JSON.stringify([print, date, series, number])).toString('base64url');
        }),
      ),
      async (tampered) => {
        const answer = await books.call({ url: address({ limit: 3, cursor: tampered }) });
        expect([200, 400]).toContain(answer.statusCode);
      },
    );
    await fc.assert(property, { numRuns: tries(50) });
  });
});

test('a page of long vouchers ends early, so that it fits in memory, and none is missed', async () => {
  const length = 0.3 * pageRowsMax;
  const pairs = Array.from({ length }, (): [number, number, number] => [1930, 3740, 1]);
  const date = '2026-06-08';
  for (let n = 0; n < 3; n += 1) {
    kept.push(await post({ seriesCode: 'A', date, description: 'lång', pairs }));
  }
  const filter = { from: date, to: date };
  const found: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const page = await read({ ...filter, limit: 200, ...(cursor ? { cursor } : {}) });
    expect(page.has_more).toBe(page.next_cursor !== null);
    found.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(found).toEqual(expected(filter));
  expect(pages).toBe(2);
});
