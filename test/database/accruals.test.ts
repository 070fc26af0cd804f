/** Accruals and depreciation: each posting once on its day, whoever asks, and what a lock stops is said. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { signedRow } from '#src/domain/ledger/voucher.ts';
import {
  cancelAccrual,
  createAccrual,
  moveAccrual,
  postDue,
  type WrittenAccrual,
} from '#src/ledger/accruals/service.ts';
import { listAccruals, listPostings } from '#src/ledger/accruals/store.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { listFailing } from '#src/ledger/months/store.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { Refusal } from '#src/lib/errors.ts';
import { said, sentenceFor } from '#src/lib/sentences/say.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { ledgerVoucher, post, refusalOf, row } from './books.ts';

const ACTOR = 'test';
const timeZone = 'Europe/Stockholm';
let books: Books;
let bill: string;
beforeEach(async () => {
  books = await createBooks();
  // An insurance of a year, from March on.
  const voucher = ledgerVoucher({
    date: '2026-03-10',
    description: 'Försäkring',
    rows: [row(6310, 1_000_000), row(2440, -1_000_000)],
  });
  await post(books.owner, [voucher]);
  bill = voucher.id;
});
afterEach(() => books.close());

const insurance = (overrides: Partial<WrittenAccrual> = {}): WrittenAccrual => ({
  kind: 'prepaid_cost',
  description: 'Försäkring',
  series: 'P',
  amountOre: 1_000_000n,
  firstMonth: '2026-03-01',
  months: 12,
  movedOn: '2026-03-10',
  sharesOn: 'last',
  resultAccount: 6310,
  balanceAccount: 1730,
  costCenter: null,
  project: null,
  originVoucherId: bill,
  lateOn: null,
  ...overrides,
});
const power: Partial<WrittenAccrual> = {
  kind: 'accrued_cost',
  description: 'El',
  amountOre: 90_000n,
  firstMonth: '2026-01-01',
  months: 3,
  movedOn: null,
  resultAccount: 5020,
  balanceAccount: 2990,
  originVoucherId: null,
};
const create = (written: WrittenAccrual, today = '2026-03-10') =>
  withTx(books.owner, (tx) => createAccrual(tx, written, { today, actor: ACTOR }));
const broken: unknown[] = [];
const postUntil = (today: string) =>
  postDue(books.owner, {
    today,
    actor: 'job:accruals',
    onBroken: (_, error) => broken.push(error),
  });
const refusedFor = async (work: Promise<unknown>): Promise<string[]> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof Refusal)) throw error ?? new Error('nothing was refused');
  const { message, detail } = said('page', error);
  const problems = detail?.['problems'] as { path: string; message: string }[] | undefined;
  return problems?.map((one) => `${one.path}: ${one.message}`) ?? [message];
};
const balance = async (account: number, to = '9999-12-31'): Promise<bigint> => {
  const [sum] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account} and verification_date <= ${to}::date`,
  );
  return sum?.ore ?? 0n;
};
const told = async (id: string): Promise<string[]> =>
  (await listPostings(db(books.owner), id)).map(
    ({ date, part, resultOre, voucher }) => `${date} ${part} ${resultOre} ${voucher ?? '–'}`,
  );
const failing = (month: string) =>
  listFailing(db(books.owner), { first: `${month}-01`, last: `${month}-31`, timeZone });

describe('what is planned', () => {
  test('is posted as it falls due: the move at once, months as they end, each in the ledger once', async () => {
    const { id, posted } = await create(insurance());
    expect(posted).toBe(1);
    expect([await balance(6310), await balance(1730)]).toEqual([0n, 1_000_000n]);
    expect(await postUntil('2026-03-30')).toEqual({ posted: 0, stopped: 0 });
    expect(await postUntil('2026-05-31')).toEqual({ posted: 3, stopped: 0 });
    expect((await told(id)).slice(0, 5)).toEqual([
      '2026-03-10 move -1000000 P1',
      '2026-03-31 share 83333 P2',
      '2026-04-30 share 83333 P3',
      '2026-05-31 share 83334 P4',
      '2026-06-30 share 83333 –',
    ]);
    expect(await balance(6310, '2026-04-30')).toBe(166_666n);
    expect(await postUntil('2026-12-31')).toEqual({ posted: 7, stopped: 0 });
    expect(await balance(1730)).toBe(166_667n);
    const [voucher] = await db(books.owner).query<Record<string, unknown>>(
      sql`select v.description, v.source, v.posted_by, bool_or(r.vat_code is not null) as has_code
          from ledger.vouchers v join ledger.voucher_rows r on r.voucher_id = v.id
          where v.series = 'P' and v.number = 2 group by v.id`,
    );
    expect(voucher).toEqual({
      description: 'Försäkring, mars 2026',
      source: 'accrual_posting',
      posted_by: 'job:accruals',
      has_code: false,
    });
    expect((await withTx(books.owner, (tx) => verifyBooks(tx, () => undefined))).problems).toEqual(
      [],
    );
  });

  test('and due is posted once by however many at the same time', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(() => create(insurance({ amountOre: 300_000n })).then(({ id }) => id)),
    );
    const done = await Promise.all([1, 2, 3, 4].map(() => postUntil('2026-08-31')));
    expect(done.reduce((sum, { posted }) => sum + posted, 0)).toBe(18);
    for (const id of ids) {
      expect((await told(id)).filter((line) => !line.endsWith('–'))).toHaveLength(7);
    }
    expect(broken).toEqual([]);
  });

  test('of an invoice is never more of it than there is, whoever is first', async () => {
    const both = await Promise.allSettled([create(insurance()), create(insurance())]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await refusedFor(create(insurance({ amountOre: 1n, months: 1 })))).toEqual([
      'amount: Av A1 återstår 0,00\u00a0kr på konto 6310 att fördela.',
    ]);
  });

  test('that a lock stops is refused whole, with the way out, and nothing is kept', async () => {
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-04-30', ACTOR));
    expect(await refusedFor(create(insurance(), '2026-05-10'))).toEqual([
      'lateOn: Perioden är låst till och med 2026-04-30. Tidigaste tillåtna datum är 2026-05-01. Vill du bokföra det som ligger tidigare på en öppen dag, skriv den här.',
    ]);
    expect(await listAccruals(db(books.owner), { limit: 10 })).toEqual([]);
    const { id } = await create(insurance({ lateOn: '2026-05-01' }), '2026-05-10');
    expect((await told(id)).slice(0, 4)).toEqual([
      '2026-05-01 move -1000000 P1',
      '2026-05-01 share 83333 P2',
      '2026-05-01 share 83333 P3',
      '2026-05-31 share 83334 –',
    ]);
  });

  test('wrongly is said at its field', async () => {
    expect(await refusedFor(create(insurance({ resultAccount: 6999, series: 'X' })))).toEqual([
      'resultAccount: Kontot 6999 finns inte i kontoplanen; välj ett annat eller lägg upp det.',
      'series: Serien X finns inte för räkenskapsåret 2026; välj en som finns.',
      'amount: Av A1 återstår 0,00\u00a0kr på konto 6999 att fördela.',
    ]);
    const early = insurance({
      originVoucherId: null,
      firstMonth: '2025-11-01',
      movedOn: '2025-11-01',
    });
    expect(await refusedFor(create(early))).toEqual([
      expect.stringContaining('firstMonth: Datumet 2025-11-01 ligger utanför alla räkenskapsår'),
    ]);
  });
});

describe('a lock that comes in between', () => {
  test('stops a posting, which says why and fails its month; when it is lifted it is posted on its own day', async () => {
    const { id } = await create(insurance());
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-03-31', ACTOR));
    expect(await postUntil('2026-04-30')).toEqual({ posted: 1, stopped: 1 });
    const [, stopped] = await listPostings(db(books.owner), id);
    expect(stopped?.problem && sentenceFor('page', stopped.problem)).toContain(
      'Perioden är låst till och med 2026-03-31',
    );
    expect(
      (await listAccruals(db(books.owner), { limit: 10 })).map((one) => one.isStopped),
    ).toEqual([true]);
    expect(await failing('2026-03')).toContain('periodisering');
    await withTx(books.owner, (tx) => setLock(tx, 'period', null, ACTOR));
    expect(await postUntil('2026-04-30')).toEqual({ posted: 1, stopped: 0 });
    expect((await told(id))[1]).toBe('2026-03-31 share 83333 P3');
    expect(await failing('2026-03')).not.toContain('periodisering');
  });

  test('is gone round by a person who says which day', async () => {
    const { id } = await create(insurance());
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-03-31', ACTOR));
    await postUntil('2026-04-30');
    const move = (to: string) =>
      withTx(books.owner, (tx) =>
        moveAccrual(tx, { id, to }, { today: '2026-04-30', actor: ACTOR }),
      );
    expect(await refusedFor(move('2026-03-31'))).toEqual([
      'to: Inget som väntar är daterat före den dagen.',
    ]);
    expect(await move('2026-04-15')).toBe(1);
    expect((await told(id)).slice(0, 3)).toEqual([
      '2026-03-10 move -1000000 P1',
      '2026-04-15 share 83333 P3',
      '2026-04-30 share 83333 P2',
    ]);
  });
});

describe('what remains is cancelled', () => {
  const cancel = (id: string, restOn: string | null) =>
    withTx(books.owner, (tx) =>
      cancelAccrual(tx, { id, restOn }, { today: '2026-05-31', actor: ACTOR }),
    );

  test('and what stands on the balance account goes back on the day that is said', async () => {
    const { id } = await create(insurance());
    await postUntil('2026-05-31');
    await cancel(id, '2026-05-31');
    expect((await told(id)).at(-1)).toBe('2026-05-31 rest 750000 P5');
    expect([await balance(1730), await balance(6310)]).toEqual([0n, 1_000_000n]);
    expect(await postUntil('2027-12-31')).toEqual({ posted: 0, stopped: 0 });
    expect(await refusedFor(cancel(id, null))).toEqual(['Periodiseringen är redan avbruten.']);
    // The invoice may be spread anew.
    await create(insurance({ months: 2 }), '2026-03-10');
  });

  test('and what was left on the balance account is not spread once more', async () => {
    const { id } = await create(insurance());
    await postUntil('2026-05-31');
    await cancel(id, null);
    expect([await balance(1730), await balance(6310)]).toEqual([750_000n, 250_000n]);
    expect(await refusedFor(create(insurance({ amountOre: 250_001n, months: 2 })))).toEqual([
      'amount: Av A1 återstår 2\u00a0500,00\u00a0kr på konto 6310 att fördela.',
    ]);
    await create(insurance({ amountOre: 250_000n, months: 2 }));
  });

  test('of an accrued cost goes back as the invoice comes early', async () => {
    const { id } = await create(insurance(power));
    await postUntil('2026-02-28');
    await cancel(id, '2026-03-01');
    expect([await balance(2990), await balance(5020)]).toEqual([0n, 0n]);
  });

  test('or stays there, and what was taken back by hand is no part of it', async () => {
    const { id } = await create(insurance(power));
    await postUntil('2026-02-28');
    const [first] = await listPostings(db(books.owner), id);
    const correction = { date: '2026-03-01', description: 'Fel', replacement: null };
    await withTx(books.owner, (tx) =>
      correctVoucher(tx, { correctedId: first?.voucherId ?? '', ...correction }, ACTOR),
    );
    await cancel(id, '2026-03-02');
    expect(await balance(2990)).toBe(0n);
    const other = await create(insurance(power), '2026-01-31');
    await cancel(other.id, null);
    expect(await balance(2990)).toBe(-30_000n);
  });
});

test('what is prepaid of sales is moved beside VAT: the boxes keep what the invoice brought', async () => {
  const sale = ledgerVoucher({ date: '2026-03-10' });
  await post(books.owner, [sale]);
  const sums = () =>
    db(books.owner).query(
      sql`select account, vat_code, box, credit_ore - debit_ore as ore
          from ledger.vat_sums('2026-01-01', '2026-03-31') where box is not null or account between 3000 and 3999
          order by account`,
    );
  const before = await sums();
  await create(
    insurance({
      kind: 'prepaid_income',
      description: 'Avtal',
      amountOre: 10_000n,
      resultAccount: 3001,
      balanceAccount: 2970,
      originVoucherId: sale.id,
    }),
  );
  await postUntil('2026-03-31');
  expect(await balance(3001)).toBe(-833n);
  expect(await sums()).toEqual(before);
});

describe('the database', () => {
  test('keeps what is posted, and lets no voucher stand for a posting but its own', async () => {
    const { id } = await create(insurance());
    const change = (set: string, where = 'place = 1') =>
      refusalOf(
        books.owner,
        `update ledger.accrual_postings set ${set} where accrual_id = '${id}' and ${where}`,
      );
    expect(await change(`posting_date = '2026-04-01'`)).toBe('accrual_postings_are_kept');
    expect(await change('voucher_id = null')).toBe('accrual_postings_are_kept');
    expect(await change(`voucher_id = '${bill}'`, 'place = 2')).toBe(
      'accrual_postings_are_what_was_planned',
    );
    expect(await change('result_ore = 1', 'place = 2')).toBe(
      'accrual_postings_are_what_was_planned',
    );
    expect(
      await refusalOf(
        books.owner,
        `delete from ledger.accrual_postings where accrual_id = '${id}' and place = 1`,
      ),
    ).toBe('accrual_postings_are_kept');
    for (const statement of [
      `update ledger.accruals set amount_ore = 1 where id = '${id}'`,
      `delete from ledger.accruals where id = '${id}'`,
    ]) {
      expect(await refusalOf(books.owner, statement)).toBe('accruals_are_kept');
    }
  });

  test('lets nobody post more of a cancelled plan than some of what it said', async () => {
    const { id } = await create(insurance());
    await withTx(books.owner, (tx) =>
      cancelAccrual(tx, { id, restOn: null }, { today: '2026-05-31', actor: ACTOR }),
    );
    const date = '2026-04-30';
    const post = (part: string, ore: bigint) =>
      withTx(books.owner, async (tx) => {
        await tx.query(sql`insert into ledger.accrual_postings (accrual_id, place, part, posting_date, result_ore)
          values (${id}::uuid, 99, ${part}, ${date}::date, ${ore})`);
        const { id: voucherId } = await postAppVoucher(
          tx,
          {
            ...{ series: 'P', date, description: 'x', counterparty: null },
            source: 'accrual_posting',
            rows: [
              { ...signedRow(6310, ore), vatCode: null },
              { ...signedRow(1730, -ore), vatCode: null },
            ],
          },
          ACTOR,
        );
        await tx.query(sql`update ledger.accrual_postings set voucher_id = ${voucherId}::uuid
          where accrual_id = ${id}::uuid and place = 99`);
      });
    for (const [part, ore] of [
      ['share', 1_000_000n],
      ['share', -83_333n],
      ['move', -1_000_000n],
      ['back', -1_000_000n],
      ['rest', 5n],
    ] as const) {
      await expect(post(part, ore), part).rejects.toMatchObject({
        constraint: 'accruals_are_whole',
      });
    }
    await post('share', 83_333n);
  });

  test('lets nobody spread anything else than a plan says, or on accounts that stand beside VAT', async () => {
    const { id } = await create(insurance());
    const of = `where accrual_id = '${id}'`;
    const add = (place: number, part: string, ore: number, day = '2027-06-30') =>
      `insert into ledger.accrual_postings (accrual_id, place, part, posting_date, result_ore)
       values ('${id}', ${place}, '${part}', '${day}', ${ore})`;
    const plan = (account: number, values: string) =>
      `insert into ledger.accruals (id, kind, description, series, result_account, balance_account, amount_ore, first_month, months, shares_on, created_by)
       values (gen_random_uuid(), 'accrued_cost', 'x', 'P', 5010, ${account}, 100, '2026-01-01', 1, 'last', 'test')${values}`;
    for (const [statement, refusal] of [
      [add(14, 'share', 1_000_000), 'accruals_are_whole'],
      [add(14, 'rest', -1_000_000), 'accruals_are_whole'],
      [add(0, 'share', 1), 'accrual_postings_places_begin'],
      [`delete from ledger.accrual_postings ${of} and voucher_id is null`, 'accruals_are_whole'],
      [`delete from ledger.accrual_postings ${of} and place = 13`, 'accruals_are_whole'],
      [
        `update ledger.accruals set cancelled_at = now(), cancelled_by = 'test' where id = '${id}'`,
        'accruals_are_whole',
      ],
      // Without a posting, and with one that is not its amount.
      [plan(2990, ''), 'accruals_are_whole'],
      [
        `with made as (${plan(2990, ' returning id')}) insert into ledger.accrual_postings
          (accrual_id, place, part, posting_date, result_ore)
          select id, n, case n when 1 then 'share' else 'back' end, '2026-02-01', case n when 1 then 99 else -100 end
          from made, generate_series(1, 2) as n`,
        'accruals_are_whole',
      ],
      ...[2611, 2650, 2440, 1930, 2099, 1510].map(
        (account) => [plan(account, ''), 'accruals_on_their_accounts'] as const,
      ),
    ] as const) {
      expect([statement, await refusalOf(books.owner, statement)]).toEqual([statement, refusal]);
    }
  });
});
