/** What the hashes of vouchers hold, worked out by other means than the database's own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { proveChain } from '../../soak/books-proof.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { ledgerVoucher, post, row } from './books.ts';

let books: Installation;
beforeAll(async () => {
  books = await createInstallation();
});
afterAll(() => books.close());

const ask = <T extends object>(statement: string, values: unknown[] = []): Promise<T[]> =>
  books.owner.query(statement, values).then(({ rows }) => rows);
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
    expect(await proveChain(books.owner)).toEqual([]);
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
        { ...row(2611, -2_500), vatCode: undefined },
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

  test('may be none, as what a reversal takes back had none, whatever the account has now', async () => {
    const voucher = ledgerVoucher({
      rows: [row(1930, 12_500), { ...row(3540, -12_500), vatCode: null }],
    });
    await post(books.owner, [voucher]);
    expect(await codesOf(voucher.id)).toEqual([
      { account: 1930, vat_code: null },
      { account: 3540, vat_code: null },
    ]);
    expect(await proveChain(books.owner)).toEqual([]);
  });

  test('taken from an account of VAT opens no VAT lock for it', async () => {
    const sale = [row(1930, 12_500), row(3004, -10_000), row(2611, -2_500)];
    const waiting = [row(1510, 2_500), row(2618, -2_500)];
    const codes = await ask<{ number: number; vat_code: string }>(
      'select number, vat_code from ledger.accounts where number in (2611, 3004)',
    );
    await ask('update ledger.accounts set vat_code = null where number in (2611, 3004)');
    await ask(`insert into ledger.accounts (number, name, type) values (2618, 'Vilande', 'liability')
      on conflict do nothing`);
    await ask('update ledger.accounts set is_active = true where number = 2618');
    await ask(`update ledger.locks set vat_locked_to = '2026-03-31'`);
    try {
      const outcomes = await post(books.owner, [
        ledgerVoucher({ rows: sale }),
        ledgerVoucher({ rows: waiting }),
        ledgerVoucher({ rows: sale, date: '2026-04-01' }),
      ]);
      expect(outcomes.map(({ error, detail }) => [error, detail?.['lock']])).toEqual([
        ['period_locked', 'vat'],
        [null, undefined],
        [null, undefined],
      ]);
    } finally {
      await ask('update ledger.locks set vat_locked_to = null');
      for (const { number, vat_code: code } of codes) {
        await ask('update ledger.accounts set vat_code = $1 where number = $2', [code, number]);
      }
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
