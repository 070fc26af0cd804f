/** VAT periods: settled in the books, filed, and from then on shut. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { getLocks } from '#src/ledger/locks/store.ts';
import { fileVatReturn, settleVat, withdrawVatFiling } from '#src/ledger/vat-filings/service.ts';
import { findWaitingVat } from '#src/ledger/vat-filings/waiting.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import {
  createInstallation,
  type Installation,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { inWords } from '../support/words.ts';

const ACTOR = 'test';
const quarter = '2026-03-31';
const timeZone = 'Europe/Stockholm';

let books: Installation;
beforeEach(async () => {
  books = await createInstallation();
});
afterEach(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const file = (end = quarter, today = TODAY) =>
  owner((tx) => fileVatReturn(tx, { end, today }, ACTOR));
const settle = (end = quarter, today = TODAY) =>
  owner((tx) => settleVat(tx, { end, today }, ACTOR));
const locks = () => getLocks(db(books.owner));

const call = (date: string, rows?: object[]) =>
  books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(rows ? { date, rows } : { date }),
  });
/** A sale of `net` kronor with its VAT, and something bought with `input` öre of VAT. */
async function trade(date: string, net: number, vat: number): Promise<void> {
  const rows = [
    { account: 1930, debit: net + vat, credit: 0 },
    { account: 3001, debit: 0, credit: net },
    { account: 2611, debit: 0, credit: vat },
  ];
  const answer = await call(date, rows);
  expect(answer.statusCode, answer.body).toBe(200);
}
const buy = (date: string, vat: number) =>
  call(date, [
    { account: 4000, debit: 100, credit: 0 },
    { account: 2641, debit: vat, credit: 0 },
    { account: 1930, debit: 0, credit: 100 + vat },
  ]);

async function rowsOf(voucherId: string): Promise<string[]> {
  const rows = await db(books.owner).query<{ row: string }>(
    sql`select account || ' ' || (debit_ore - credit_ore) as row from ledger.voucher_rows
        where voucher_id = ${voucherId}::uuid order by row_no`,
  );
  return rows.map(({ row }) => row);
}

async function failing(month: string): Promise<string[]> {
  const [row] = await db(books.owner).query<{ names: string[] }>(
    sql`select ledger.failing_conditions(${`${month}-01`}::date, ${timeZone}) as names`,
  );
  return (row?.names ?? []).filter((name) => name === 'moms');
}

describe('filing', () => {
  test('locks the VAT of the period for everyone, and never moves the lock back', async () => {
    await trade('2026-02-10', 100, 25);
    await file('2026-06-30');
    expect(await locks()).toMatchObject({ vat_locked_to: '2026-06-30', period_locked_to: null });
    const refused = await call(quarter);
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      error: 'period_locked',
      detail: { lock: 'vat', locked_to: '2026-06-30', earliest_allowed_date: '2026-07-01' },
    });
    expect(await file(quarter)).toMatchObject({ isNew: true, vat_locked_to: '2026-06-30' });
    const events = await db(books.owner).query<{ subject: string; actor: string }>(
      sql`select subject, actor from audit.events where action = 'lock.vat'`,
    );
    expect(events).toEqual([{ subject: '2026-06-30', actor: ACTOR }]);
  });

  test('says what the VAT accounts still hold of the period', async () => {
    await trade('2026-02-10', 100, 25);
    const filed = await file();
    expect(filed.unsettled).toEqual([{ account: 2611, box: '10', ore: -2_500n }]);
    expect(await file()).toMatchObject({ isNew: false, unsettled: filed.unsettled });
  });

  test('says which earlier periods nobody has noted', async () => {
    const first = { start: '2026-01-01', end: '2026-03-31' };
    expect((await file()).unfiledBefore).toEqual([]);
    expect((await file('2026-06-30')).unfiledBefore).toEqual([]);
    await owner((tx) =>
      withdrawVatFiling(tx, { end: quarter, number: null, reason: 'Fel' }, ACTOR),
    );
    expect((await file('2026-06-30')).unfiledBefore).toEqual([first]);
  });

  test('leaves an earlier period waiting that was not filed, and one that is taken back', async () => {
    const second = '2026-06-30';
    const waiting = async () =>
      (await owner((tx) => findWaitingVat(tx, TODAY))).toFile.map(({ end }) => end);
    await trade('2026-02-10', 100, 25);
    await trade('2026-05-10', 100, 25);
    await file(second);
    expect(await waiting()).toEqual([quarter]);
    await file();
    expect(await waiting()).toEqual([]);
    await owner((tx) => withdrawVatFiling(tx, { end: second, number: null, reason: 'Fel' }, ACTOR));
    expect(await waiting()).toEqual([second]);
  });

  test('leaves what somebody has locked as dealt with elsewhere, until the lock is moved back', async () => {
    const waiting = async () =>
      (await owner((tx) => findWaitingVat(tx, TODAY))).toFile.map(({ end }) => end);
    await trade('2026-02-10', 100, 25);
    await trade('2026-05-10', 100, 25);
    await owner((tx) => setLock(tx, 'vat', quarter, ACTOR));
    expect(await waiting()).toEqual(['2026-06-30']);
    await file('2026-06-30');
    expect(await waiting()).toEqual([]);
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'Första kvartalet var inte lämnat'));
    expect(await waiting()).toEqual([quarter]);
  });

  test('takes a lock for somebody’s word whatever reason they gave, and a filing’s for nobody’s', async () => {
    const saidTo = async () =>
      (
        await owner((tx) =>
          tx.query<{ day: string | null }>(sql`select vat_lock_said_to as day from ledger.locks`),
        )
      )[0]?.day;
    await trade('2026-02-10', 100, 25);
    await trade('2026-05-10', 100, 25);
    await file('2026-06-30');
    expect(await saidTo()).toBeNull();
    await owner((tx) => setLock(tx, 'vat', '2026-06-30', ACTOR, 'Momsdeklarationen är lämnad'));
    expect(await saidTo()).toBe('2026-06-30');
    expect((await owner((tx) => findWaitingVat(tx, TODAY))).toFile).toEqual([]);
  });

  test('says nothing when it was settled, by us or by hand', async () => {
    await trade('2026-02-10', 100, 25);
    await settle();
    expect((await file()).unsettled).toEqual([]);
    await trade('2026-04-10', 100, 25);
    await call('2026-06-30', [
      { account: 2611, debit: 25, credit: 0 },
      { account: 2650, debit: 0, credit: 25 },
    ]);
    expect((await file('2026-06-30')).unsettled).toEqual([]);
  });

  test.each([
    ['has not ended', '2026-12-31', TODAY, 'tidigast 2027-01-01'],
    ['ends today', '2026-09-30', '2026-09-30', 'har inte tagit slut'],
    ['lies before the books', '2025-12-31', TODAY, 'utanför företagets räkenskapsår'],
    ['lies after them', '2027-03-31', '2027-06-01', 'utanför företagets räkenskapsår'],
    ['is none', '2026-02-28', TODAY, 'Ingen momsperiod slutar 2026-02-28'],
  ])('a period that %s is neither filed nor settled', async (_, end, today, message) => {
    await expect(inWords(file(end, today))).rejects.toThrow(message);
    await expect(inWords(settle(end, today))).rejects.toThrow(message);
    expect(await locks()).toMatchObject({ vat_locked_to: null });
  });

  test('a part of a filed period is not filed again', async () => {
    await file();
    await owner((tx) => changeSetting(tx, 'vat-period', 'month', ACTOR));
    await expect(inWords(file('2026-02-28'))).rejects.toThrow(
      '2026-01-01–2026-03-31 är redan lämnad',
    );
  });

  test('the database holds it too', async () => {
    const insert = (start: string, end: string, on: string) =>
      db(books.owner).query(sql`insert into ledger.vat_filings (period_start, period_end, filed_on,
        filed_by) values (${start}::date, ${end}::date, ${on}::date, 'x')`);
    await expect(insert('2026-10-01', '2026-12-31', TODAY)).rejects.toThrow('has_ended');
    await expect(insert('1999-01-01', '1999-03-31', TODAY)).rejects.toThrow('no VAT period');
    await expect(insert('2026-02-01', '2026-03-31', TODAY)).rejects.toThrow('no VAT period');
    await insert('2026-01-01', quarter, TODAY);
    expect(await locks()).toMatchObject({ vat_locked_to: quarter });
    await owner((tx) => changeSetting(tx, 'vat-period', 'year', ACTOR));
    await expect(insert('2026-01-01', '2026-12-31', '2027-01-01')).rejects.toThrow('filed already');
  });

  test('noted by mistake is taken back with a reason; the lock stays until somebody lifts it', async () => {
    await trade('2026-02-10', 100, 25);
    await file();
    await owner((tx) =>
      withdrawVatFiling(tx, { end: quarter, number: null, reason: 'Fel kvartal' }, ACTOR),
    );
    expect(await failing('2026-03')).toEqual(['moms']);
    expect(await locks()).toMatchObject({ vat_locked_to: quarter });
    await expect(
      inWords(
        owner((tx) => withdrawVatFiling(tx, { end: quarter, number: null, reason: 'Igen' }, ACTOR)),
      ),
    ).rejects.toThrow('Ingen momsdeklaration');
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'Fel kvartal'));
    expect((await file()).vat_locked_to).toBe(quarter);
  });
});

describe('settling', () => {
  test('empties the accounts into 2650, öre dropped box by box, on the period’s last day', async () => {
    await trade('2026-01-10', 100, 25.6);
    await trade('2026-02-10', 100, 25.7);
    await buy('2026-03-10', 10.9);
    const { voucher, toPayOre } = await settle();
    expect(toPayOre).toBe(4_100n);
    expect(voucher).toMatchObject({ series: 'M', date: quarter });
    expect(await rowsOf(voucher?.id ?? '')).toEqual([
      '2611 5130',
      '2641 -1090',
      '2650 -4100',
      '3740 60',
    ]);
    expect(await settle()).toMatchObject({ voucher: null });
    await trade(quarter, 100, 4);
    const more = await settle();
    expect(await rowsOf(more.voucher?.id ?? '')).toEqual(['2611 400', '2650 -400']);
    // Box 10 is 60.10 now: the öre of all vouchers together are dropped once, as the return does.
    await trade(quarter, 100, 4.8);
    const last = await settle();
    expect(await rowsOf(last.voucher?.id ?? '')).toEqual(['2611 480', '2650 -500', '3740 20']);
  });

  test('after filing is dated the first open day, and counts in no box of that period', async () => {
    await trade('2026-02-10', 100, 25);
    await file();
    const { voucher } = await settle();
    expect(voucher).toMatchObject({ date: '2026-04-01' });
    expect((await file()).unsettled).toEqual([]);
    expect(await failing('2026-06')).toEqual([]);
    expect(await settle('2026-06-30')).toMatchObject({ voucher: null });
    await trade('2026-05-10', 100, 30);
    expect(await failing('2026-06')).toEqual(['moms']);
    expect(await settle('2026-06-30')).toMatchObject({ toPayOre: 3_000n });
  });

  test('taken back, the period is unsettled again, and no other period is touched', async () => {
    await trade('2026-02-10', 100, 25);
    const { voucher } = await settle();
    await file();
    const correction = {
      correctedId: voucher?.id ?? '',
      date: '2026-05-05',
      description: 'Fel',
      replacement: null,
    };
    await owner((tx) => correctVoucher(tx, correction, ACTOR));
    expect((await file()).unsettled).toEqual([{ account: 2611, box: '10', ore: -2_500n }]);
    expect(await settle('2026-06-30')).toMatchObject({ voucher: null });
    const again = await settle();
    expect(again).toMatchObject({ toPayOre: 2_500n, voucher: { date: '2026-04-01' } });
    // Put right instead, it still settles, and still counts in no box.
    const row = (account: number, debitOre: bigint, creditOre: bigint) => ({
      account,
      debitOre,
      creditOre,
    });
    const replacement = {
      description: 'Momsredovisning, rätt',
      counterparty: null,
      rows: [row(2611, 2_500n, 0n), row(2650, 0n, 2_500n)],
    };
    const corrected = { ...correction, correctedId: again.voucher?.id ?? '', replacement };
    await owner((tx) => correctVoucher(tx, corrected, ACTOR));
    expect((await file()).unsettled).toEqual([]);
    expect(await settle('2026-06-30')).toMatchObject({ voucher: null });
  });

  test('has no sale in it or in its place, which no box would count, whoever posts it', async () => {
    await trade('2026-02-10', 100, 25);
    const { voucher } = await settle();
    const side = (account: number, ore: bigint) => ({
      account,
      debitOre: ore > 0n ? ore : 0n,
      creditOre: ore < 0n ? -ore : 0n,
    });
    const sale = [side(1930, 125_000n), side(3001, -100_000n), side(2611, -25_000n)];
    const replacement = { description: 'Sålt', counterparty: null, rows: sale };
    const correction = {
      correctedId: voucher?.id ?? '',
      date: '2026-03-31',
      description: 'Fel',
      replacement,
    };
    await expect(inWords(owner((tx) => correctVoucher(tx, correction, ACTOR)))).rejects.toThrow(
      'bara rader på 2610–2650 och 3740',
    );
    const head = { series: 'M', date: '2026-03-31', description: 'x', counterparty: null };
    await expect(
      owner((tx) => postAppVoucher(tx, { ...head, source: 'vat', rows: sale }, ACTOR)),
    ).rejects.toMatchObject({ constraint: 'vat_vouchers_move_vat' });
    expect((await file()).unsettled).toEqual([]);
  });

  test('leaves VAT from before the books, and VAT that waits for payment', async () => {
    await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
      values (2618, 'Vilande', 'liability') on conflict do nothing`);
    const voucher = (source: string, account: number) =>
      db(books.owner).query(sql`select * from ledger.post_vouchers(
        array[gen_random_uuid()], array['A'], array['2026-01-01']::date[], array['x'],
        array[null], array[${source}], array['test'], array[null]::uuid[],
        array[1, 1], array[1, 2], array[1930, ${account}::integer], array[5000, 0]::bigint[],
        array[0, 5000]::bigint[], array[null, null], array[null, null]::uuid[],
        array[null, null]::uuid[])`);
    await voucher('opening', 2611);
    await voucher('app', 2618);
    expect(await settle()).toMatchObject({ voucher: null });
    expect(await failing('2026-03')).toEqual([]);
    expect((await file()).unsettled).toEqual([]);
  });
});
