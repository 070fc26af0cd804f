/** VAT returns frozen as they are filed, vouchers that mend them, and imported vouchers that settle VAT. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPool, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { boxFigures, type VatReturn, vatReturnOf } from '#src/domain/ledger/vat-return.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { createYear } from '#src/ledger/fiscal-years/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { getLocks } from '#src/ledger/locks/store.ts';
import { assignToPeriod, takeBackAssignment } from '#src/ledger/vat-filings/assignments.ts';
import { type BoxRow, listBoxRows } from '#src/ledger/vat-filings/control-store.ts';
import { controlsInWords } from '#src/ledger/vat-filings/control-words.ts';
import { vatFileAsFiled } from '#src/ledger/vat-filings/file.ts';
import { judgeImported, takeBackJudgement } from '#src/ledger/vat-filings/imported.ts';
import { listSettlementProposals } from '#src/ledger/vat-filings/imported-store.ts';
import { listVatPeriods, readVatPeriod } from '#src/ledger/vat-filings/reading.ts';
import { fileVatReturn, settleVat, withdrawVatFiling } from '#src/ledger/vat-filings/service.ts';
import { listVatSums } from '#src/ledger/vat-filings/store.ts';
import { findWaitingVat } from '#src/ledger/vat-filings/waiting.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { type LedgerRow, postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { inWords } from '../support/words.ts';

const inFigures = (of: VatReturn) => Object.fromEntries(boxFigures(of));

const ACTOR = 'test';
const q1 = { start: '2026-01-01', end: '2026-03-31' };
const q2 = { start: '2026-04-01', end: '2026-06-30' };

let books: Books;
beforeEach(async () => {
  books = await createBooks();
});
afterEach(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);
const row = (account: number, kronor: number, vatCode?: string): LedgerRow => {
  const ore = BigInt(Math.round(Math.abs(kronor) * 100));
  const [debitOre, creditOre] = kronor > 0 ? [ore, 0n] : [0n, ore];
  return { account, debitOre, creditOre, ...(vatCode === undefined ? {} : { vatCode }) };
};
/** Debit above zero. */
const post = (date: string, ...rows: LedgerRow[]) =>
  owner((tx) =>
    postAppVoucher(tx, { series: 'A', date, description: 'x', counterparty: null, rows }, ACTOR),
  );
const sell = (date: string, net: number) =>
  post(date, row(1930, net * 1.25), row(3001, -net), row(2611, -net * 0.25));
const figures = ({ start, end }: typeof q1) =>
  owner(async (tx) => inFigures(vatReturnOf(await listVatSums(tx, { start, end }))));
const file = (end = q1.end, said: object = {}) =>
  owner((tx) => fileVatReturn(tx, { end, today: TODAY, ...said }, ACTOR));
const read = (period = q1) => owner((tx) => readVatPeriod(tx, period));
const now = async (period = q1) => inFigures((await read(period)).now);
const assign = (id: string, end = q1.end) =>
  owner((tx) => assignToPeriod(tx, { voucher: { id }, end }, ACTOR));
const takeBack = (correctedId: string, date: string) =>
  owner((tx) =>
    correctVoucher(tx, { correctedId, date, description: 'Fel', replacement: null }, ACTOR),
  );

describe('a filed return', () => {
  test('is what the books held, whatever is posted into the period afterwards', async () => {
    await sell('2026-02-10', 1000.4);
    await file();
    const first = await owner((tx) => vatFileAsFiled(tx, { end: q1.end, number: 1 }));
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'Glömd försäljning'));
    const late = await sell('2026-03-10', 500);
    expect(await figures(q1)).toEqual({ '05': 1500, '10': 375, '49': 375 });
    const { standing, isMended, late: told } = await read();
    expect(inFigures(vatReturnOf(standing?.parts ?? []))).toEqual({
      '05': 1000,
      '10': 250,
      '49': 250,
    });
    expect([isMended, await now()]).toEqual([false, { '05': 1000, '10': 250, '49': 250 }]);
    expect(told.map(({ id }) => id)).toEqual([late.id]);
    expect(await owner((tx) => vatFileAsFiled(tx, { end: q1.end, number: 1 }))).toEqual(first);
    expect((await file()).isNew).toBe(false);
    // A person's word makes it part of a new return.
    await assign(late.id);
    expect(await file()).toMatchObject({ isNew: true, number: 2 });
    const again = await owner((tx) => vatFileAsFiled(tx, { end: q1.end, number: 2 }));
    expect(again.content.toString('latin1')).toContain('<ForsMomsEjAnnan>1500</ForsMomsEjAnnan>');
    expect(await owner((tx) => vatFileAsFiled(tx, { end: q1.end, number: 1 }))).toEqual(first);
  });

  test('is mended by no payment of VAT, which is in no box, however late it is posted', async () => {
    await sell('2026-02-10', 1000);
    await file();
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'Skattekontots rader'));
    const paid = await post('2026-03-12', row(2650, 250, 'R'), row(1630, -250));
    const [code] = await db(books.owner).query(
      sql`select vat_code from ledger.voucher_rows where voucher_id = ${paid.id}::uuid and account = 2650`,
    );
    expect(code).toEqual({ vat_code: 'R' });
    expect((await read()).late).toEqual([]);
    await expect(inWords(assign(paid.id))).rejects.toThrow();
    const sold = await sell('2026-03-13', 100);
    expect((await read()).late.map(({ id }) => id)).toEqual([sold.id]);
  });

  test('keeps how it was filed: by other means with day and reference', async () => {
    await sell('2026-02-10', 1000);
    const other = { on: '2026-05-11', reference: 'Kvittens 4711' };
    for (const on of ['2026-03-31', '2026-11-21']) {
      await expect(inWords(file(q1.end, { other: { ...other, on } }))).rejects.toThrow(
        'ligger efter',
      );
    }
    await expect(inWords(file(q1.end, { note: 'två\nrader' }))).rejects.toThrow('U+000A');
    await file(q1.end, { other, note: 'Rättat underlag' });
    const { standing, filing } = await read();
    expect(standing).toMatchObject({
      filedOn: '2026-05-11',
      way: 'other',
      reference: 'Kvittens 4711',
      note: 'Rättat underlag',
      number: 1,
    });
    expect(filing?.filed_on).toBe('2026-05-11');
    expect((await getLocks(db(books.owner))).vat_locked_to).toBe(q1.end);
  });

  test('that mends another was not filed before it, whoever says so', async () => {
    await sell('2026-02-10', 1000);
    const said = (on: string) => ({ other: { on, reference: 'Kvittens' } });
    await file(q1.end, said('2026-05-11'));
    await assign((await sell('2026-05-20', 400)).id);
    await expect(inWords(file(q1.end, said('2026-05-10')))).rejects.toThrow(
      'Deklaration 1 lämnades 2026-05-11',
    );
    await expect(
      books.owner.query(`insert into ledger.vat_returns (period_start, period_end, filed_on, way, reference, filed_by)
        values ('${q1.start}', '${q1.end}', '2026-05-10', 'other', 'x', 'x')`),
    ).rejects.toMatchObject({ constraint: 'vat_returns_in_turn' });
    expect(await file(q1.end, said('2026-05-11'))).toMatchObject({ isNew: true, number: 2 });
    // The latest is taken back, and the one before holds.
    const withdraw = (number: number | null = null) =>
      owner((tx) => withdrawVatFiling(tx, { end: q1.end, number, reason: 'Fel' }, ACTOR));
    const nowHolds = (number: number) => `gäller nu deklaration ${number}.`;
    await expect(inWords(withdraw())).rejects.toThrow(nowHolds(2));
    expect(await withdraw(2)).toBe(1);
    // As whoever presses once more, or has an old page.
    await expect(inWords(withdraw(2))).rejects.toThrow(nowHolds(1));
    expect(await withdraw(1)).toBeNull();
  });

  test('taken back is kept, and the next one is told by another number', async () => {
    await sell('2026-02-10', 1000);
    await file();
    await owner((tx) => withdrawVatFiling(tx, { end: q1.end, number: null, reason: 'Fel' }, ACTOR));
    expect((await read()).filing).toBeNull();
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'Fel'));
    await sell('2026-02-11', 500);
    await file();
    const { returns, standing } = await read();
    expect(returns.map(({ number, withdrawnAt }) => [number, withdrawnAt !== null])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(inFigures(vatReturnOf(standing?.parts ?? []))['05']).toBe(1500);
  });

  test('is nobody’s to change, not the owner’s either', async () => {
    await sell('2026-02-10', 1000);
    await file();
    for (const statement of [
      `update ledger.vat_returns set parts = '[]'`,
      `update ledger.vat_returns set filed_on = '2026-06-01', withdrawn_at = now(), withdrawn_by = 'x'`,
      'delete from ledger.vat_returns',
    ]) {
      await expect(books.owner.query(statement)).rejects.toThrow('stays as it was');
    }
    await expect(
      books.owner.query(`insert into ledger.vat_returns (period_start, period_end, filed_on, way, filed_by)
        values ('2026-01-01', '2026-03-31', '2026-04-02', 'file', 'x')`),
    ).rejects.toThrow('nothing mends it');
  });

  test('of before returns were frozen is what had been posted until then', async () => {
    await sell('2026-02-10', 1000);
    await books.owner.query(`insert into ledger.vat_filings (period_start, period_end, filed_on, filed_by)
      values ('2026-01-01', '2026-03-31', '2026-04-02', 'x')`);
    await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'x'));
    const late = await sell('2026-03-01', 100);
    expect(await now()).toEqual({ '05': 1000, '10': 250, '49': 250 });
    await assign(late.id);
    expect(await file()).toMatchObject({ isNew: true, number: 1 });
    expect(await now()).toEqual({ '05': 1100, '10': 275, '49': 275 });
  });
});

describe('a voucher that mends a filed return', () => {
  test('counts in that period and not where it stands, and the lock stays', async () => {
    const wrong = await sell('2026-02-10', 1000);
    await sell('2026-04-10', 200);
    await file();
    const { reversal } = await takeBack(wrong.id, '2026-05-05');
    expect(await figures(q2)).toEqual({ '05': -800, '10': -200, '49': -200 });
    await assign(reversal.id);
    expect(await figures(q2)).toEqual({ '05': 200, '10': 50, '49': 50 });
    // Whatever days are asked for, it counts on the last of the period that it mends.
    expect(await figures({ start: '2026-05-01', end: '2026-05-31' })).toEqual({ '49': 0 });
    expect(await figures({ start: '2026-05-05', end: '2026-05-20' })).toEqual({ '49': 0 });
    expect(await figures({ start: '2026-03-31', end: '2026-03-31' })).toMatchObject({
      '05': -1000,
    });
    const mended = await read();
    expect([mended.isMended, inFigures(mended.now)]).toEqual([true, { '49': 0 }]);
    expect((await read(q2)).leftOut).toMatchObject([
      { id: reversal.id, why: 'assigned', countsIn: q1.end },
    ]);
    expect(await file()).toMatchObject({ isNew: true, number: 2, vat_locked_to: q1.end });
    expect((await file()).isNew).toBe(false);
    await file(q2.end);
    expect(inFigures((await read(q2)).now)).toEqual({ '05': 200, '10': 50, '49': 50 });
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
  });

  test('is let go until a return tells of it, and of its own days', async () => {
    const wrong = await sell('2026-02-10', 1000);
    await file();
    const { reversal } = await takeBack(wrong.id, '2026-05-05');
    const letGo = () => owner((tx) => takeBackAssignment(tx, { id: reversal.id }, ACTOR));
    await assign(reversal.id);
    await expect(inWords(assign(reversal.id))).rejects.toThrow('rättar redan');
    await letGo();
    await expect(inWords(letGo())).rejects.toThrow('rättar ingen');
    await assign(reversal.id);
    await file();
    await expect(inWords(letGo())).rejects.toThrow('räknar redan så');
    // Noted by mistake, it may be let go again.
    await owner((tx) => withdrawVatFiling(tx, { end: q1.end, number: 2, reason: 'Fel' }, ACTOR));
    expect((await read()).standing?.number).toBe(1);
    await letGo();
    await assign(reversal.id);
    await file(q2.end);
    await expect(inWords(letGo())).rejects.toThrow('räknar redan så');
  });

  test('touches VAT, and stands in days that are not filed; a settlement is none', async () => {
    await sell('2026-02-10', 1000);
    const { voucher } = await owner((tx) => settleVat(tx, { end: q1.end, today: TODAY }, ACTOR));
    const before = await sell('2026-03-01', 1);
    const later = await sell('2026-05-01', 1);
    const beside = await post('2026-05-02', row(1930, 10), row(2420, -10));
    await expect(inWords(assign(later.id))).rejects.toThrow('kan inte rätta');
    await file();
    for (const id of [voucher?.id ?? '', before.id, beside.id]) {
      await expect(inWords(assign(id))).rejects.toThrow('kan inte rätta');
    }
    await expect(inWords(assign(uuid()))).rejects.toThrow('inget verifikat');
    await file(q2.end);
    await expect(inWords(assign(later.id))).rejects.toThrow('kan inte rätta');
  });

  test('is settled with the period it mends', async () => {
    const wrong = await sell('2026-02-10', 1000);
    await owner((tx) => settleVat(tx, { end: q1.end, today: TODAY }, ACTOR));
    await file();
    const { reversal } = await takeBack(wrong.id, '2026-05-05');
    await assign(reversal.id);
    // Not before the day it stands on, when there is nothing yet to move.
    const again = await owner((tx) => settleVat(tx, { end: q1.end, today: TODAY }, ACTOR));
    expect(again).toMatchObject({ toPayOre: -25_000n, voucher: { date: '2026-05-05' } });
    expect(await owner((tx) => settleVat(tx, { end: q2.end, today: TODAY }, ACTOR))).toMatchObject({
      voucher: null,
    });
  });
});

test('a filed period stays as it was filed when the company has other periods, and its days are settled with it alone', async () => {
  await sell('2026-01-10', 1000);
  const wrong = await sell('2026-02-10', 400);
  const settle = (end: string) => owner((tx) => settleVat(tx, { end, today: TODAY }, ACTOR));
  await settle(q1.end);
  await file();
  await owner((tx) => changeSetting(tx, 'vat-period', 'month', ACTOR));
  for (const end of ['2026-01-31', '2026-02-28']) {
    await expect(inWords(settle(end)), end).rejects.toThrow('är redan lämnad');
  }
  // Nor by SQL, with a voucher that empties what January brought.
  const id = uuid();
  const emptying = [row(2611, 250), row(2650, -250)];
  await expect(
    owner(async (tx) => {
      const voucher = { series: 'M', date: '2026-04-01', description: 'x', counterparty: null };
      await postToLedger(tx, [{ ...voucher, id, source: 'vat', actor: ACTOR, rows: emptying }]);
      await tx.query(sql`insert into ledger.vat_settlements (voucher_id, period_end)
        values (${id}::uuid, '2026-01-31')`);
    }),
  ).rejects.toMatchObject({ constraint: 'vat_settlements_settle' });
  // Nothing is left to settle of the quarter, and the month it ends with is not another period.
  expect(await settle(q1.end)).toMatchObject({ ...q1, voucher: null });
  const { reversal } = await takeBack(wrong.id, '2026-05-05');
  await assign(reversal.id);
  expect(await settle(q1.end)).toMatchObject({ ...q1, toPayOre: -10_000n });
  expect(await file()).toMatchObject({ ...q1, number: 2, unsettled: [] });
  const listed = await owner((tx) =>
    listVatPeriods(tx, { from: '2026-01-01', to: '2026-04-30', today: TODAY }),
  );
  expect(listed.map(({ start, end, toPay }) => [start, end, toPay])).toEqual([
    ['2026-04-01', '2026-04-30', 0n],
    [q1.start, q1.end, 250n],
    ['2026-02-01', '2026-02-28', 100n],
    ['2026-01-01', '2026-01-31', 250n],
  ]);
  // A company that reports by the year from now on still sees the quarter, with the day that it was due.
  await owner((tx) => changeSetting(tx, 'vat-period', 'year', ACTOR));
  const ofYear = await owner((tx) =>
    listVatPeriods(tx, { from: '2026-01-01', to: '2026-12-31', today: TODAY }),
  );
  expect(
    ofYear.map(({ start, end, dueOn, filedThrough }) => [start, end, dueOn, filedThrough]),
  ).toEqual([
    ['2026-01-01', '2026-12-31', '2027-08-17', q1.end],
    [q1.start, q1.end, '2026-05-12', null],
  ]);
  // What is left of the year waits when it has ended, and is not taken for filed.
  await sell('2026-11-10', 1000);
  const { toFile } = await owner((tx) => findWaitingVat(tx, '2027-01-10'));
  expect(toFile).toEqual([{ start: '2026-04-01', end: '2026-12-31', dueOn: '2027-08-17' }]);
});

test('a period is never filed without the return that was, whoever says so by SQL', async () => {
  await sell('2026-02-10', 1000);
  const forever = owner((tx) =>
    tx.query({
      text: `insert into ledger.vat_returns (period_start, period_end, filed_on, way, filed_by)
        values ($1, $2, 'infinity', 'file', 'x')`,
      values: [q1.start, q1.end],
    }),
  );
  await expect(forever).rejects.toMatchObject({ code: '23514' });
  await file();
  const withdraw = (end: string) =>
    owner((tx) =>
      tx.query({
        text: `update ledger.vat_returns set withdrawn_at = now(), withdrawn_by = 'x' where period_end = $1`,
        values: [end],
      }),
    );
  await expect(withdraw(q1.end)).rejects.toMatchObject({ constraint: 'vat_filings_have_a_return' });
  await owner((tx) =>
    withdrawVatFiling(tx, { end: q1.end, number: null, reason: 'Fel dag' }, ACTOR),
  );
  await file();
  expect(await read()).toMatchObject({ standing: { number: 2 } });
});

describe('an imported voucher that looks like a settlement', () => {
  const importVoucher = async (date: string, ...rows: LedgerRow[]): Promise<string> => {
    const id = uuid();
    await owner(async (tx) => {
      const voucher = { id, series: 'A', date, description: 'Import', counterparty: null };
      await postToLedger(tx, [{ ...voucher, source: 'import', actor: ACTOR, rows }]);
      const sha = 'sha256(convert_to(gen_random_uuid()::text, $$UTF8$$))';
      await tx.query({
        text: `with f as (insert into ledger.sie_files (sha256, file_name, size, gzip, created_by)
            values (${sha}, 'x.se', 1, '\\x00', 'test') returning sha256),
          i as (insert into ledger.imports (id, sha256, file_name, report, created_by)
            select gen_random_uuid(), f.sha256, 'x.se', '{}', 'test' from f returning id)
          insert into ledger.imported_vouchers (voucher_id, import_id, series, number)
          select '${id}', i.id, 'A', '1' from i`,
        values: [],
      });
    });
    return id;
  };

  test('is proposed, and counts as what a person says it is, once', async () => {
    await importVoucher('2026-02-10', row(1930, 1250), row(3001, -1000), row(2611, -250));
    const settling = await importVoucher('2026-03-31', row(2611, 250), row(2650, -250));
    // It looks the same, and is a purchase's VAT put right.
    const other = await importVoucher('2026-04-15', row(2641, 10), row(1630, -10));
    expect(await figures(q1)).toEqual({ '05': 1000, '49': 0 });
    const proposed = await owner((tx) => listSettlementProposals(tx));
    expect(proposed.map(({ id, end, ore }) => [id, end, ore])).toEqual([
      [settling, q1.end, -25_000n],
      [other, q1.end, -1_000n],
    ]);
    const warned = async (period: typeof q1) =>
      controlsInWords(await read(period))
        .filter(({ name }) => name.startsWith('Importerade verifikat'))
        .map(({ holds, vouchers }) => [holds, ...vouchers.map(({ id }) => id)]);
    expect(await warned(q1)).toEqual([[false, settling]]);
    expect(await warned(q2)).toEqual([[false, other]]);
    const judge = (id: string, end: string | null) =>
      owner((tx) => judgeImported(tx, { voucher: { id }, end }, ACTOR));
    await judge(settling, q1.end);
    await judge(other, null);
    expect([await warned(q1), await warned(q2)]).toEqual([[], []]);
    expect(await figures(q1)).toEqual({ '05': 1000, '10': 250, '49': 250 });
    expect(await figures(q2)).toEqual({ '48': 10, '49': -10 });
    expect(await owner((tx) => listSettlementProposals(tx))).toEqual([]);
    await expect(inWords(judge(settling, null))).rejects.toThrow('redan sagt');
    expect((await read()).leftOut).toMatchObject([{ id: settling, why: 'imported_settlement' }]);
    // It has emptied the accounts of its period.
    expect(await owner((tx) => settleVat(tx, { end: q1.end, today: TODAY }, ACTOR))).toMatchObject({
      voucher: null,
    });
    await owner((tx) => takeBackJudgement(tx, { id: settling }, ACTOR));
    expect(await figures(q1)).toEqual({ '05': 1000, '49': 0 });
  });

  test('counts once, whatever mends a filed period too', async () => {
    await file();
    const judge = (id: string) =>
      owner((tx) => judgeImported(tx, { voucher: { id }, end: q1.end }, ACTOR));
    const rows = [row(2611, 250), row(2650, -250)];
    const mending = await importVoucher('2026-04-10', ...rows);
    await assign(mending);
    await expect(inWords(judge(mending))).rejects.toThrow('räknas till en lämnad period');
    // Nor when what takes it back does.
    const corrected = await importVoucher('2026-04-11', ...rows);
    const { reversal } = await takeBack(corrected, '2026-04-12');
    await assign(reversal.id);
    await expect(inWords(judge(corrected))).rejects.toThrow('räknas till en lämnad period');
    expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
    await owner((tx) => takeBackAssignment(tx, { id: mending }, ACTOR));
    await judge(mending);
    await expect(inWords(assign(mending))).rejects.toThrow();
    expect(await figures(q2)).toMatchObject({ '49': expect.any(Number) });
  });

  test('has no sale in it or in its place, which no box would count', async () => {
    const sale = [row(1930, 1250), row(3001, -1000), row(2611, -250)];
    const judge = (id: string) =>
      inWords(owner((tx) => judgeImported(tx, { voucher: { id }, end: q1.end }, ACTOR)));
    const imported = await importVoucher('2026-02-10', ...sale);
    const fee = await importVoucher('2026-02-10', row(1930, 10), row(6570, -10));
    await expect(judge(imported)).rejects.toThrow('en försäljning eller ett inköp');
    await expect(judge(fee)).rejects.toThrow('inget på momskontona');
    const replace = (correctedId: string) =>
      inWords(
        owner((tx) => {
          const replacement = { description: 'Sålt', counterparty: null, rows: sale };
          const correction = { correctedId, date: '2026-03-31', description: 'Fel', replacement };
          return correctVoucher(tx, correction, ACTOR);
        }),
      );
    const settling = () => importVoucher('2026-03-31', row(2611, 250), row(2650, -250));
    // Said first, or replaced first.
    const said = await settling();
    await judge(said);
    await expect(replace(said)).rejects.toThrow('ingen försäljning och inget inköp');
    const replaced = await settling();
    await replace(replaced);
    await expect(judge(replaced)).rejects.toThrow('en försäljning eller ett inköp');
    expect(await figures(q1)).toEqual({ '05': 2000, '10': 500, '49': 500 });
  });

  test('is only of what was imported, and of a period that is', async () => {
    const own = await post('2026-03-31', row(2611, 250), row(2650, -250));
    const imported = await importVoucher('2026-03-31', row(2611, 250), row(2650, -250));
    expect((await owner((tx) => listSettlementProposals(tx))).map(({ id }) => id)).toEqual([
      imported,
    ]);
    const judge = (id: string, end: string) =>
      inWords(owner((tx) => judgeImported(tx, { voucher: { id }, end }, ACTOR)));
    await expect(judge(own.id, q1.end)).rejects.toThrow('importerade verifikat');
    await expect(judge(imported, '2026-02-28')).rejects.toThrow('2026-02-28');
  });
});

test('what is posted while whoever files waits for it is in the return, and not too late for it', async () => {
  await owner(async (tx) => {
    await tx.query(sql`select now()`);
    await sell('2026-02-10', 100);
    await fileVatReturn(tx, { end: q1.end, today: TODAY }, ACTOR);
  });
  const { standing, late } = await read();
  expect(inFigures(vatReturnOf(standing?.parts ?? []))['05']).toBe(100);
  expect(late).toEqual([]);
});

test('postings while a period is filed are in the return or refused, none between', async () => {
  const selling = async () => {
    let posted = 0;
    for (let n = 0; n < 12; n += 1) {
      const isPosted = await sell('2026-02-10', 100).then(
        () => true,
        (error) => {
          expect(error).toMatchObject({ code: 'period_locked' });
          return false;
        },
      );
      if (isPosted) posted += 1;
    }
    return posted;
  };
  const [one, other] = [selling(), selling()];
  await file();
  const posted = (await one) + (await other);
  const { standing } = await read();
  expect(inFigures(vatReturnOf(standing?.parts ?? []))['05'] ?? 0).toBe(posted * 100);
  expect((await read()).late).toEqual([]);
});

test('filed and withdrawn by several at once, while others sell and sessions are ended, a period has its return or is not filed', async () => {
  await sell('2026-02-10', 1_000);
  const doomed = createPool({ url: books.url, max: 8, applicationName: 'doomed' });
  const attempt = (work: (tx: Tx) => Promise<unknown>) =>
    withTx(doomed, work).catch(() => undefined);
  const sale = () =>
    attempt((tx) => {
      const rows = [row(1930, 125), row(3001, -100), row(2611, -25)];
      const voucher = { series: 'A', date: '2026-02-10', description: 'x', counterparty: null };
      return postAppVoucher(tx, { ...voucher, rows }, ACTOR);
    });
  const deeds: (() => Promise<unknown>)[] = [
    sale,
    () => attempt((tx) => fileVatReturn(tx, { end: q1.end, today: TODAY }, ACTOR)),
    () => attempt((tx) => fileVatReturn(tx, { end: q1.end, today: TODAY }, ACTOR)),
    () =>
      attempt((tx) =>
        withdrawVatFiling(tx, { end: q1.end, number: null, reason: 'Fel knapp' }, ACTOR),
      ),
    () => attempt((tx) => setLock(tx, 'vat', null, ACTOR, 'Omtag')),
  ];
  let isOver = false;
  const ending = (async () => {
    while (!isOver) {
      await books.owner.query(`select pg_terminate_backend(pid) from (select pid from pg_stat_activity
        where application_name = 'doomed' and datname = current_database() and state <> 'idle'
        order by random() limit 1) as one, pg_sleep(0.02)`);
    }
  })();
  await Promise.all(
    deeds.map(async (deed) => {
      for (let time = 0; time < 8; time += 1) await deed();
    }),
  );
  isOver = true;
  await ending;
  await doomed.end();

  const [state] = await db(books.owner).query<{
    filed: boolean;
    standing: number;
    returns: number;
    told: number;
  }>(
    sql`select exists (select from ledger.vat_filings) as filed,
      count(*) filter (where withdrawn_at is null)::integer as standing, count(*)::integer as returns,
      (select count(*)::integer from audit.events where action = 'vat.filed') as told
      from ledger.vat_returns`,
  );
  expect(state?.standing).toBe(state?.filed ? 1 : 0);
  expect(state?.told).toBe(state?.returns);
  // What is filed is what the books held then, and what came later is told of.
  const { standing, late } = await read();
  if (standing) {
    const filed = inFigures(vatReturnOf(standing.parts))['05'] ?? 0;
    expect((await now())['05'] ?? 0).toBe(filed);
    const inBooks = (await figures(q1))['05'] ?? 0;
    expect(filed + late.length * 100).toBe(inBooks);
  } else {
    await file();
    expect(inFigures(vatReturnOf((await read()).standing?.parts ?? []))['05']).toBe(
      (await figures(q1))['05'],
    );
  }
  expect((await owner((tx) => verifyBooks(tx, () => undefined))).problems).toEqual([]);
});

test('the controls tell of VAT from before the books, and of settled periods nothing', async () => {
  await owner((tx) =>
    createYear(tx, { year: 2025, start: '2025-01-01', end: '2025-12-31' }, ACTOR),
  );
  await owner((tx) => setLock(tx, 'vat', null, ACTOR, 'x'));
  await sell('2025-11-10', 100);
  await sell('2026-02-10', 100);
  expect((await read()).fromBefore).toEqual([{ account: 2611, ore: 2_500n }]);
  await owner((tx) => setLock(tx, 'period', '2025-12-31', ACTOR, 'x'));
  // Settled late, on a day of the next year.
  await owner((tx) => settleVat(tx, { end: '2025-12-31', today: TODAY }, ACTOR));
  expect((await read()).fromBefore).toEqual([]);
});

test('behind a box are its own rows and those that mend it, each on one page, and they come to its sum', async () => {
  for (const [date, net] of [
    ['2026-01-10', 100],
    ['2026-01-10', 200],
    ['2026-02-28', 300],
    ['2026-03-31', 400],
  ] as const) {
    await sell(date, net);
  }
  // The same code on another account, a code of another box, and a day outside the period.
  await post('2026-02-01', row(1930, 70), row(3041, -70, 'MP1'));
  await post('2026-02-01', row(1930, 55), row(3001, -55, 'MF'));
  await sell('2026-04-01', 1_000);
  await file();
  const mend = await sell('2026-04-15', 30);
  await assign(mend.id);

  const rowsOf = async (period: typeof q1, box: string): Promise<BoxRow[]> => {
    const rows: BoxRow[] = [];
    for (;;) {
      const after = rows.at(-1) ?? null;
      const page = await owner((tx) => listBoxRows(tx, { ...period, box }, { after, limit: 2 }));
      rows.push(...page);
      if (page.length < 2) return rows;
    }
  };
  const ofQ1 = (await rowsOf(q1, '05')).map(({ date, account, ore }) => [date, account, ore]);
  expect(ofQ1).toEqual([
    ['2026-01-10', 3001, 10000n],
    ['2026-01-10', 3001, 20000n],
    ['2026-02-01', 3041, 7000n],
    ['2026-02-28', 3001, 30000n],
    ['2026-03-31', 3001, 40000n],
    ['2026-04-15', 3001, 3000n],
  ]);
  expect((await rowsOf(q2, '05')).map(({ ore }) => ore)).toEqual([100000n]);
  expect((await rowsOf(q1, '10')).map(({ ore }) => ore)).toEqual([
    2500n,
    5000n,
    7500n,
    10000n,
    750n,
  ]);
  for (const period of [q1, q2]) {
    for (const box of ['05', '10']) {
      const [counted, behind] = [
        await owner((tx) => listVatSums(tx, period)),
        await rowsOf(period, box),
      ];
      const total = (parts: readonly { readonly ore: bigint }[]) =>
        parts.reduce((all, { ore }) => all + ore, 0n);
      expect(total(behind)).toBe(total(counted.filter((one) => one.box === box)));
    }
  }
});
