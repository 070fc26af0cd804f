/** What the hashes of vouchers hold, worked out by other means than the database's own. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { ledgerVoucher, post, row } from './books.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const ask = <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
  books.owner.query(statement, values).then(({ rows }) => rows);
const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const seal = (before: Buffer, number: number, content: Buffer): Buffer => {
  const place = Buffer.alloc(4);
  place.writeInt32BE(number);
  return sha256(before, place, content);
};

interface Sealed {
  id: string;
  number: number;
  content_hash: Buffer;
  hash: Buffer;
  values: (string | null)[];
  rows: (string | null)[][];
}

const readSeries = (code: string): Promise<Sealed[]> =>
  ask<Sealed>(
    `select v.id, v.number, v.content_hash, v.hash, array[v.format::text, v.id::text, v.series,
       v.verification_date::text, v.description, v.counterparty, v.source,
       to_char(v.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), v.posted_by] as values,
       (select json_agg(json_build_array(r.account::text, r.debit_ore::text, r.credit_ore::text,
          r.vat_code, r.note, r.cost_center_id, r.project_id) order by r.row_no)
        from ledger.voucher_rows r where r.voucher_id = v.id) as rows
     from ledger.vouchers v where v.series = $1 order by v.number`,
    [code],
  );

describe('a seal', () => {
  test('is what JSON and SHA-256 make of the books, whatever was written in them', async () => {
    const [dimension] = await ask<{ id: string }>(
      `insert into ledger.dimensions (id, kind, code, name)
       values (gen_random_uuid(), 'project', 'P1', 'Projekt') returning id`,
    );
    const odd =
      'Citat " bakstreck \\ radbyte \n\r\t\b\f \u0001\u001f\u007f å é 漢 😀 \u2028 </script>';
    await post(books.owner, [
      ledgerVoucher(),
      ledgerVoucher({
        description: odd,
        counterparty: odd.slice(0, 20),
        rows: [
          { ...row(1930, 999_999_999_999), note: odd, project: dimension?.id ?? null },
          row(3004, -999_999_999_999),
        ],
      }),
    ]);
    const [series] = await ask<{ id: string }>(`select id from ledger.series where code = 'A'`);
    let before = sha256(`huvudbok series ${series?.id}`);
    const vouchers = await readSeries('A');
    expect(vouchers.length).toBeGreaterThanOrEqual(2);
    for (const { number, values, rows, ...kept } of vouchers) {
      const content = sha256(JSON.stringify([...values, rows]));
      expect([number, kept.content_hash.toString('hex')]).toEqual([
        number,
        content.toString('hex'),
      ]);
      before = seal(before, number, content);
      expect([number, kept.hash.toString('hex')]).toEqual([number, before.toString('hex')]);
    }
    expect(await ask(`select last_hash from ledger.series where code = 'A'`)).toEqual([
      { last_hash: before },
    ]);
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  });

  test('is the one of the example in docs/sealed-vouchers.md', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/sealed-vouchers.md'), 'utf8');
    const [, content = ''] = /```json\n(.*)\n```/.exec(page) ?? [];
    const [, before = '', number = '', contentHash = '', hash = ''] =
      /printf %s ([0-9a-f]{64}) \\\n {2}([0-9a-f]{8}) \\\n {2}([0-9a-f]{64}).*\n# ([0-9a-f]{64})/.exec(
        page,
      ) ?? [];
    const [format, id, code, day, description, counterparty, source, moment, actor, rows] =
      JSON.parse(content);
    const values = [format, id, code, day, description, counterparty, source, moment, actor];
    const [made] = await ask<{ content: string; content_hash: string; hash: string }>(
      `with said as (select ledger.voucher_content($1::integer, $2, $3, $4, $5, $6, $7, $8, $9,
           (select string_agg(ledger.row_content((r ->> 0)::integer, (r ->> 1)::bigint, (r ->> 2)::bigint,
              r ->> 3, r ->> 4, (r ->> 5)::uuid, (r ->> 6)::uuid), ',' order by place)
            from jsonb_array_elements($10::jsonb) with ordinality as e (r, place))) as content)
       select content, encode(ledger.content_hash(content), 'hex') as content_hash,
         encode(ledger.seal(decode($11, 'hex'), $12::integer, ledger.content_hash(content)), 'hex') as hash
       from said`,
      [...values, JSON.stringify(rows), before, Number.parseInt(number, 16)],
    );
    expect(made).toEqual({ content, content_hash: contentHash, hash });
  });

  test('holds rows to be numbered from one, since they are sealed in that order', async () => {
    const statement = (places: string) =>
      `select * from ledger.post(array[gen_random_uuid()], array['A'], array['2026-03-31']::date[],
        array['x'], array[null], array['app'], 'test', array[1, 1], array[${places}], array[1930, 3001],
        array[100, 0]::bigint[], array[0, 100]::bigint[], array[null, null], array[null, null]::uuid[],
        array[null, null]::uuid[])`;
    for (const places of ['2, 1', '0, 1', '1, 3', 'null, 2']) {
      await expect(ask(statement(places))).rejects.toMatchObject({ code: '22023' });
    }
    expect(await ask(statement('1, 2'))).toMatchObject([{ error: null }]);
  });
});

describe('a row’s VAT code', () => {
  const codesOf = (id: string) =>
    ask(`select account, vat_code from ledger.voucher_rows where voucher_id = $1 order by row_no`, [
      id,
    ]);

  test('is what it says, or else its account’s of that moment, for good', async () => {
    const [account] = await ask<{ vat_code: string }>(
      'select vat_code from ledger.accounts where number = 2611',
    );
    expect(account?.vat_code).toEqual(expect.any(String));
    const voucher = ledgerVoucher({
      rows: [
        row(1930, 12_500),
        { ...row(3540, -10_000), vatCode: 'MP2' },
        { ...row(2611, -2_500), vatCode: null },
      ],
    });
    await post(books.owner, [voucher]);
    const codes = [
      { account: 1930, vat_code: null },
      { account: 3540, vat_code: 'MP2' },
      { account: 2611, vat_code: account?.vat_code },
    ];
    expect(await codesOf(voucher.id)).toEqual(codes);
    await ask(`update ledger.accounts set vat_code = 'X' where number = 2611`);
    try {
      expect(await codesOf(voucher.id)).toEqual(codes);
      expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
    } finally {
      await ask('update ledger.accounts set vat_code = $1 where number = 2611', [
        account?.vat_code,
      ]);
    }
  });

  test('is what the VAT lock asks', async () => {
    await ask(`update ledger.accounts set vat_code = null where number = 3004`);
    await ask(`update ledger.locks set vat_locked_to = '2026-03-31'`);
    const plain = [row(1930, 100), row(3004, -100)];
    const own = [row(1930, 100), { ...row(3004, -100), vatCode: 'MF' }];
    const outcomes = await post(books.owner, [
      ledgerVoucher({ rows: plain }),
      ledgerVoucher({ rows: own }),
      ledgerVoucher(),
    ]);
    expect(outcomes.map(({ error, detail }) => [error, detail?.['lock']])).toEqual([
      [null, undefined],
      ['period_locked', 'vat'],
      ['period_locked', 'vat'],
    ]);
    await db(books.owner).query(sql`update ledger.locks set vat_locked_to = null`);
  });
});
