/** Month ends and what they rest on: bank lines, supporting documents, filed VAT periods. */
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBankAccount, matchTransaction, unmatchTransaction } from '#src/bank/service.ts';
import { insertTransactions, upsertStatement } from '#src/bank/transaction-store.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { listAttachments } from '#src/ledger/attachments/store.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { getLocks } from '#src/ledger/locks/store.ts';
import { listRemainders } from '#src/ledger/months/remainder-store.ts';
import { acknowledgeMonth, reopenMonth } from '#src/ledger/months/service.ts';
import { getMonthEnds, listCashShortfalls } from '#src/ledger/months/store.ts';
import { assignToPeriod } from '#src/ledger/vat-filings/assignments.ts';
import { fileVatReturn, settleVat } from '#src/ledger/vat-filings/service.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import {
  type Books,
  createBooks,
  createInstallation,
  type Installation,
  orderBody,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { until } from '../support/processes.ts';
import { inWords } from '../support/words.ts';
import { ledgerVoucher, post as postAll, row } from './books.ts';

const ACTOR = 'test';
const timeZone = 'Europe/Stockholm';
const day = { today: TODAY, timeZone };

let books: Books;
const withBooks = () =>
  beforeEach(async () => {
    books = await createBooks();
    return () => books.close();
  });

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);

async function failing(month: string): Promise<string[]> {
  const [row] = await db(books.owner).query<{ names: string[] }>(
    sql`select ledger.failing_conditions(${`${month}-01`}::date, ${timeZone}) as names`,
  );
  return row?.names ?? [];
}

async function post(account: number, date = '2026-03-31', ore = 10_000): Promise<string> {
  const voucher = ledgerVoucher({ date, rows: [row(account, ore), row(3001, -ore)] });
  expect(await postAll(books.owner, [voucher])).toMatchObject([{ error: null }]);
  return voucher.id;
}

const document = (voucherId: string, bytes = Buffer.from(`%PDF-1.7 ${voucherId}`)) =>
  owner((tx) => addAttachment(tx, { voucherId, fileName: 'kvitto.pdf', bytes }, ACTOR));

const bankAccount = async () =>
  (await owner((tx) => createBankAccount(tx, { name: 'Bank', ledgerAccount: 1930 }, ACTOR))).id;

async function bankLine(accountId: string, amountOre: bigint, bookedOn = '2026-03-31') {
  const reference = randomBytes(8).toString('hex');
  const line = { reference, bookedOn, amountOre, description: 'Insättning' };
  await owner((tx) => insertTransactions(tx, accountId, [line]));
  const [row] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where reference = ${reference}`,
  );
  return row?.id ?? '';
}

const file = (tx: Tx, end: string) => fileVatReturn(tx, { end, today: TODAY }, ACTOR);
const settle = (tx: Tx, end: string) => settleVat(tx, { end, today: TODAY }, ACTOR);

const match = (transactionId: string, voucherId: string) =>
  owner((tx) => matchTransaction(tx, { transactionId, voucherId }, ACTOR));

const beginMonths = () => owner((tx) => changeSetting(tx, 'months-from', '2026-01', ACTOR));
const acknowledge = (month: string, reason: string | null = null, locks = false) =>
  owner((tx) => acknowledgeMonth(tx, { month: `${month}-01`, reason, locks }, day, ACTOR));

describe('a month end fails by name', () => {
  withBooks();

  test('nothing that is not used', async () => {
    expect(await failing('2026-03')).toEqual([]);
  });

  test('underlag, until every voucher of the month has a document', async () => {
    const [first, second] = [await post(1930), await post(1930)];
    await post(1930, '2026-04-01');
    expect(await failing('2026-03')).toEqual(['underlag']);
    await document(first);
    await document(first, Buffer.from('%PDF-1.7 ännu en'));
    expect(await failing('2026-03')).toEqual(['underlag']);
    await document(second);
    expect(await failing('2026-03')).toEqual([]);
    expect(await failing('2026-04')).toEqual(['underlag']);
  });

  test('underlag is not asked of issued invoices, which the system holds itself', async () => {
    const [id = ''] = await makeDrafts(books.owner, [1000n]);
    await owner((tx) => bookInvoices(tx, [id], ACTOR));
    await owner((tx) => settle(tx, '2026-03-31'));
    await owner((tx) => file(tx, '2026-03-31'));
    expect(await failing('2026-03')).toEqual([]);
  });

  test('bank, until every line up to its end is matched', async () => {
    const voucher = await post(1930);
    await document(voucher);
    const account = await bankAccount();
    const line = await bankLine(account, 10_000n);
    await bankLine(account, 500n, '2026-04-01');
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-03')).toEqual(['bank']);
    await match(line, voucher);
    expect(await failing('2026-03')).toEqual([]);
    await owner((tx) => unmatchTransaction(tx, line, ACTOR));
    expect(await failing('2026-03')).toEqual(['bank']);
  });

  test('bank, when the statement says another balance than the ledger, or is of an older month', async () => {
    await document(await post(1930));
    const account = await bankAccount();
    const statement = (closingDate: string, balanceOre: bigint) =>
      owner((tx) => upsertStatement(tx, { accountId: account, closingDate, balanceOre }));
    await statement('2026-03-31', 9_999n);
    expect(await failing('2026-03')).toEqual(['bank']);
    await statement('2026-03-31', 10_000n);
    expect(await failing('2026-03')).toEqual([]);
    expect(await failing('2026-04')).toEqual(['bank']);
    await statement('2026-04-15', 10_000n);
    expect(await failing('2026-04')).toEqual([]);
  });

  test('kundfakturor and kundreskontra', async () => {
    const [id = ''] = await makeDrafts(books.owner, [1000n]);
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-03')).toEqual(['kundfakturor']);
    await owner((tx) => bookInvoices(tx, [id], ACTOR));
    expect(await failing('2026-03')).toEqual(['moms']);
    await document(await post(1510));
    expect(await failing('2026-03')).toEqual(['kundreskontra', 'moms']);
  });

  test('kundreskontra as the month ended: what happens later neither breaks nor mends it', async () => {
    const [id = ''] = await makeDrafts(books.owner, [1000n]);
    await owner((tx) => bookInvoices(tx, [id], ACTOR));
    const pay = (date: string, amountOre: bigint) =>
      owner((tx) => registerPayment(tx, { invoiceId: id, date, amountOre, today: TODAY }, ACTOR));
    await pay('2026-04-10', 50_000n);
    await pay('2026-05-10', 25_000n);
    const failed = async (month: string) => (await failing(month)).includes('kundreskontra');
    expect([await failed('2026-03'), await failed('2026-04'), await failed('2026-05')]).toEqual([
      false,
      false,
      false,
    ]);
    // Somebody books on 1510 by hand in March, and takes it away in April: only March was wrong.
    await post(1510);
    await post(1510, '2026-04-20', -10_000);
    expect([await failed('2026-03'), await failed('2026-04')]).toEqual([true, false]);
    const span = { first: '2026-03-01', last: '2026-03-31', timeZone };
    expect(await listRemainders(db(books.owner), span)).toContainEqual(
      expect.objectContaining({ account: 1510, balance_ore: 135_000n, remainder_ore: 10_000n }),
    );
  });

  test('moms, in the month its period ends, until the return is filed and stands on 2650', async () => {
    await document(await post(2611, '2026-02-10'));
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-03')).toEqual(['moms']);
    await owner((tx) => file(tx, '2026-03-31'));
    await owner((tx) => file(tx, '2026-03-31'));
    expect(await failing('2026-03')).toEqual(['moms']);
    await owner((tx) => settle(tx, '2026-03-31'));
    expect([await failing('2026-03'), await failing('2026-04')]).toEqual([[], []]);
    // What mends it is told until a new return has it, and stands there too.
    const mending = await post(2611, '2026-04-03', 20_000);
    await document(mending);
    const voucher = { id: mending };
    await owner((tx) => assignToPeriod(tx, { voucher, end: '2026-03-31' }, ACTOR));
    expect(await failing('2026-03')).toEqual(['moms']);
    await owner((tx) => settle(tx, '2026-03-31'));
    expect(await failing('2026-03')).toEqual(['moms']);
    await owner((tx) => file(tx, '2026-03-31'));
    expect(await failing('2026-03')).toEqual([]);
    await owner((tx) => changeSetting(tx, 'vat-period', 'month', ACTOR));
    expect(await failing('2026-02')).toEqual([]);
    await document(await post(2611, '2026-04-10'));
    expect(await failing('2026-04')).toEqual(['moms']);
    await owner((tx) => changeSetting(tx, 'vat-period', 'year', ACTOR));
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-12')).toEqual(['moms']);
  });

  test.each([
    ['month', '2026-03-30'],
    ['quarter', '2026-02-28'],
    ['year', '2026-06-30'],
  ])('a %s that ends %s is no VAT period to file', async (period, end) => {
    await owner((tx) => changeSetting(tx, 'vat-period', period, ACTOR));
    await expect(inWords(owner((tx) => file(tx, end)))).rejects.toThrow(
      `Ingen momsperiod slutar ${end}`,
    );
  });

  test('obs_konto, while a suspense account has a balance', async () => {
    await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
      values (2999, 'OBS-konto', 'liability') on conflict do nothing`);
    await document(await post(2999));
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-03')).toEqual(['obs_konto']);
    expect(await failing('2026-04')).toEqual(['obs_konto']);
  });

  test('kassa, when more was paid out of it on a day than it held, though it was filled again', async () => {
    await document(await post(1910, '2026-03-02', 5_000));
    const paid = ledgerVoucher({ date: '2026-03-10', rows: [row(6110, 7_000), row(1910, -7_000)] });
    await postAll(books.owner, [paid]);
    await document(paid.id);
    await document(await post(1910, '2026-03-20', 9_000));
    expect(await failing('2026-02')).toEqual([]);
    expect(await failing('2026-03')).toEqual(['kassa']);
    expect(await failing('2026-04')).toEqual([]);
    const span = { first: '2026-03-01', last: '2026-03-31', timeZone };
    expect(await listCashShortfalls(db(books.owner), span)).toEqual([
      { account: 1910, day: '2026-03-10', balance_ore: -2_000n },
    ]);
  });

  test('and of every balance account it is told what nothing explains', async () => {
    await post(1930, '2026-03-31', 10_000);
    await post(1220, '2026-03-31', 500);
    const accountId = await bankAccount();
    const told = () =>
      listRemainders(db(books.owner), { first: '2026-03-01', last: '2026-03-31', timeZone });
    expect(await told()).toMatchObject([
      { account: 1220, balance_ore: 500n, against: null, remainder_ore: null },
      { account: 1930, balance_ore: 10_000n, against: null, remainder_ore: null },
    ]);
    const said = { accountId, closingDate: '2026-03-31', balanceOre: 9_999n };
    await owner((tx) => upsertStatement(tx, said));
    expect(await told()).toMatchObject([
      { account: 1220 },
      { account: 1930, balance_ore: 10_000n, against: 'bank', remainder_ore: 1n },
    ]);
  });

  test('verifikationsnummer, after a check that found something', async () => {
    const found = (problems: string) =>
      db(books.owner).query(sql`insert into audit.verifications (id, actor, vouchers, problems,
          finished_at) values (gen_random_uuid(), 'test', 0, ${problems}::jsonb, clock_timestamp())`);
    await found('[{"kind": "gap"}]');
    expect(await failing('2026-03')).toEqual(['verifikationsnummer']);
    await found('[]');
    expect(await failing('2026-03')).toEqual([]);
  });
});

describe('where months begin', () => {
  withBooks();

  test('no month is asked for before the first voucher, or where the company begins', async () => {
    const ends = () => getMonthEnds(db(books.owner), day);
    const none = { open_month: null, open_month_failing: [], months_behind: 0 };
    expect(await ends()).toMatchObject(none);
    await post(1930, '2026-08-20');
    expect(await ends()).toMatchObject({ open_month: '2026-08-01', months_behind: 3 });
    await post(1930, '2026-05-31');
    expect(await ends()).toMatchObject({ open_month: '2026-05-01', months_behind: 6 });
    await owner((tx) => changeSetting(tx, 'months-from', '2026-10', ACTOR));
    expect(await ends()).toMatchObject({ open_month: '2026-10-01', months_behind: 1 });
  });
});

describe('months', () => {
  withBooks();
  beforeEach(beginMonths);

  test('are acknowledged in turn and reopened in reverse', async () => {
    await expect(inWords(acknowledge('2026-02'))).rejects.toThrow('2026-01 står på tur');
    await acknowledge('2026-01');
    await expect(inWords(acknowledge('2026-01'))).rejects.toThrow('2026-01 är redan kvitterad');
    const ends = await acknowledge('2026-02');
    expect(ends).toEqual({
      last_closed_month: '2026-02-01',
      open_month: '2026-03-01',
      open_month_failing: [],
      months_behind: 8,
    });
    const reopen = (month: string) =>
      owner((tx) => reopenMonth(tx, `${month}-01`, day, ACTOR, 'Fel'));
    await expect(inWords(reopen('2026-01'))).rejects.toThrow('2026-02; öppna den först');
    expect(await reopen('2026-02')).toMatchObject({ open_month: '2026-02-01', months_behind: 9 });
    await expect(inWords(reopen('2026-02'))).rejects.toThrow('2026-02 är inte kvitterad');
  });

  test('that have not ended are not in line', async () => {
    for (let month = 1; month <= 10; month += 1) {
      await acknowledge(`2026-${String(month).padStart(2, '0')}`);
    }
    expect(await getMonthEnds(db(books.owner), day)).toMatchObject({
      last_closed_month: '2026-10-01',
      open_month: null,
      open_month_failing: [],
      months_behind: 0,
    });
    await expect(inWords(acknowledge('2026-11'))).rejects.toThrow(
      'Alla månader som har tagit slut',
    );
    const nextDay = { today: '2026-12-01', timeZone };
    expect(await getMonthEnds(db(books.owner), nextDay)).toMatchObject({
      open_month: '2026-11-01',
      months_behind: 1,
    });
  });

  test('with something left need a reason, which is kept', async () => {
    await post(1930, '2026-01-15');
    await expect(inWords(acknowledge('2026-01'))).rejects.toThrow('underlag');
    await acknowledge('2026-01', 'Kvittot finns i pärmen.');
    const [event] = await db(books.owner).query(
      sql`select detail from audit.events where action = 'month.acknowledged'`,
    );
    expect(event).toEqual({
      detail: { failing: ['underlag'], reason: 'Kvittot finns i pärmen.' },
    });
  });

  test('are counted from the month that is set', async () => {
    await owner((tx) => changeSetting(tx, 'months-from', '2026-09', ACTOR));
    expect(await getMonthEnds(db(books.owner), day)).toMatchObject({
      open_month: '2026-09-01',
      months_behind: 2,
    });
  });

  test('are acknowledged once, however many do it at the same time', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () => acknowledge('2026-01')),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getMonthEnds(db(books.owner), day)).toMatchObject({ months_behind: 9 });
  });
});

test('a month is not opened while the next is acknowledged, whoever does it by SQL', async () => {
  const local = await createBooks();
  try {
    const by = <T>(work: (tx: Tx) => Promise<T>) => withTx(local.owner, work);
    await by((tx) => changeSetting(tx, 'months-from', '2026-01', ACTOR));
    await by((tx) =>
      tx.query(
        sql`insert into ledger.month_ends (month, acknowledged_by) values ('2026-01-01', 'x')`,
      ),
    );
    const opened = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const opening = by(async (tx) => {
      await tx.query(sql`delete from ledger.month_ends where month = '2026-01-01'`);
      opened.resolve();
      await held.promise;
    });
    await opened.promise;
    const next = by((tx) =>
      tx.query(
        sql`insert into ledger.month_ends (month, acknowledged_by) values ('2026-02-01', 'x')`,
      ),
    ).then(
      () => null,
      (error) => error,
    );
    await until(async () => {
      const waiting = await db(local.owner).query(sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    held.resolve();
    await opening;
    expect(await next).toMatchObject({ constraint: 'month_ends_in_turn' });
  } finally {
    await local.close();
  }
});

describe('beside the API', () => {
  let call: Installation['call'];
  beforeEach(async () => {
    const installation = await createInstallation({ workers: true });
    books = installation;
    call = installation.call;
    return () => installation.close();
  });

  test('a month end fails by orderinkorg while a stopped order waits', async () => {
    const payload = orderBody({ total: 1 });
    const response = await call({ method: 'POST', url: '/api/inbound/order', payload });
    expect(response.statusCode).toBe(422);
    const [row] = await db(books.owner).query<{ month: string; before: string }>(
      sql`select to_char(created_at, 'YYYY-MM') as month,
            to_char(created_at - interval '1 month', 'YYYY-MM') as before from intake.orders`,
    );
    expect(await failing(row?.month ?? '')).toEqual(['orderinkorg']);
    expect(await failing(row?.before ?? '')).toEqual([]);
  });

  test('months are locked when whoever acknowledges them says so; no lock is moved back', async () => {
    await beginMonths();
    await acknowledge('2026-01');
    await document(await post(1930, '2026-01-31'));
    await acknowledge('2026-02', null, true);
    const locked = async () => (await getLocks(db(books.owner))).period_locked_to;
    expect(await locked()).toBe('2026-02-28');
    const payload = voucherBody({ date: '2026-02-28' });
    const refused = await call({ method: 'POST', url: '/api/v1/verifikat', payload });
    expect(refused.json()).toMatchObject({ error: 'period_locked', detail: { lock: 'period' } });
    await owner((tx) => setLock(tx, 'period', '2026-06-30', ACTOR));
    await acknowledge('2026-03', null, true);
    expect(await locked()).toBe('2026-06-30');
    await owner((tx) => reopenMonth(tx, '2026-03-01', day, ACTOR, 'Fel'));
    expect(await locked()).toBe('2026-06-30');
  });
});

describe('bank transactions', () => {
  withBooks();

  test('that come again are the same', async () => {
    const account = await bankAccount();
    const lines = [1, 2].map((n) => ({
      reference: `R${n}`,
      bookedOn: '2026-03-31',
      amountOre: 100n,
      description: '',
    }));
    expect(await owner((tx) => insertTransactions(tx, account, lines))).toBe(2);
    expect(await owner((tx) => insertTransactions(tx, account, lines))).toBe(0);
  });

  test('take no more of a voucher than it books on the account', async () => {
    const account = await bankAccount();
    const voucher = await post(1930);
    const [first, second, third] = [
      await bankLine(account, 6_000n),
      await bankLine(account, 4_000n),
      await bankLine(account, 1n),
    ];
    await match(first, voucher);
    await match(second, voucher);
    await match(second, voucher);
    await expect(inWords(match(third, voucher))).rejects.toThrow('bokför inte beloppet');
    await expect(inWords(match(second, await post(1930)))).rejects.toThrow('redan ett verifikat');
  });

  test('go out as well as in, each with its own sign', async () => {
    const account = await bankAccount();
    const into = await post(1930);
    const outgoing = await bankLine(account, -10_000n);
    await expect(inWords(match(outgoing, into))).rejects.toThrow('bokför inte beloppet');
    await expect(inWords(match(outgoing, await post(1510)))).rejects.toThrow(
      'bokför inte beloppet',
    );
  });

  test('matched at the same time with one voucher never exceed it', async () => {
    const account = await bankAccount();
    const voucher = await post(1930);
    const lines = await Promise.all(Array.from({ length: 6 }, () => bankLine(account, 4_000n)));
    const attempts = await Promise.allSettled(lines.map((line) => match(line, voucher)));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('attachments', () => {
  withBooks();

  test('of one content are stored once and listed for each voucher', async () => {
    const [first, second] = [await post(1930), await post(1930)];
    const bytes = Buffer.from('%PDF-1.7 samma');
    const [a, again, b] = [
      await document(first, bytes),
      await document(first, bytes),
      await document(second, bytes),
    ];
    expect(again).toEqual(a);
    expect(b.id).not.toBe(a.id);
    expect(await listAttachments(db(books.owner), first)).toEqual([a]);
    const [{ count }] = (await db(books.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from archive.contents`,
    )) as [{ count: number }];
    expect(count).toBe(1);
  });

  test('are as immutable as the voucher, also for the owner of the database', async () => {
    await document(await post(1930));
    for (const statement of [
      sql`update ledger.attachments set file_name = 'x'`,
      sql`delete from ledger.attachments`,
      sql`update archive.contents set bytes = 'x'`,
      sql`truncate ledger.attachments`,
    ]) {
      await expect(db(books.owner).query(statement)).rejects.toThrow('kept as it came');
    }
    // What a voucher, a supplier's invoice, a waiting document or a mail refers to.
    await expect(books.owner.query('delete from archive.contents')).rejects.toThrow('foreign key');
    await expect(books.owner.query('truncate archive.contents cascade')).rejects.toThrow();
  });

  test.each([
    ['empty', Buffer.alloc(0), 'tom'],
    ['too large', Buffer.alloc(10 * 1024 * 1024 + 1, '%PDF-'), '10 MiB'],
    ['a program', Buffer.from('\x7fELF\x02\x01\x01\x00', 'latin1'), 'spara den som PDF'],
    ['an archive', Buffer.from('PK\x03\x04\x00', 'latin1'), 'spara den som PDF'],
  ])('%s are refused', async (_name, bytes, message) => {
    const voucher = await post(1930);
    await expect(inWords(document(voucher, bytes))).rejects.toThrow(message);
  });

  test('of 10 MiB are kept', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7'), randomBytes(10 * 1024 * 1024 - 8)]);
    expect(await document(await post(1930), bytes)).toMatchObject({ size: 10 * 1024 * 1024 });
  });

  test('need a voucher', async () => {
    const nowhere = '00000000-0000-7000-8000-000000000000';
    await expect(inWords(document(nowhere))).rejects.toThrow(
      `Det finns inget verifikat ${nowhere}`,
    );
  });
});
