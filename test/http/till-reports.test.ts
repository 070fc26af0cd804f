/** Tills' Z reports: one voucher each by till and number, never a second, and nothing told of what exists. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { dismissTillReports, retryTillReports } from '#src/intake/till-reports/inbox.ts';
import { listMissingNumbers } from '#src/intake/till-reports/inbox-store.ts';
import { judgeTillReports } from '#src/intake/till-reports/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { openBooks, openSecondApp } from './books.ts';

const url = '/api/inbound/dagskassa';
let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(async () => {
  const { problems } = await verifyBooks(db(books.owner), () => undefined);
  await books.close();
  expect(problems).toEqual([]);
});

const send = (body: object | string, key?: string) =>
  books.call({
    method: 'POST',
    url,
    payload: body,
    headers: { 'content-type': 'application/json' },
    ...(key ? { key } : {}),
  });
const query = <Row extends object>(statement: ReturnType<typeof sql>) =>
  db(books.owner).query<Row>(statement);

let number = 0;
const report = (overrides: object = {}) => {
  number += 1;
  return {
    tillId: 'KASSA-1',
    zNumber: number,
    date: '2026-03-31',
    sales: [
      { vatRate: 25, amount: 99.99 },
      { vatRate: 12, amount: 56 },
    ],
    returns: [{ vatRate: 25, amount: 25 }],
    rounding: 0.01,
    payments: [
      { method: 'swish', amount: 31 },
      { method: 'cash', amount: 100 },
    ],
    ...overrides,
  };
};

interface Standing {
  id: string;
  status: string;
  reason: string | null;
  detail: { problems: { path: string; reason: string }[] } | null;
  voucher_id: string | null;
  raw: Buffer;
}
const standingsOf = (zNumber: number, till = 'KASSA-1') =>
  query<Standing>(sql`select id, status, reason, detail, voucher_id, raw from intake.till_reports
    where z_number = ${zNumber}::bigint and lower(btrim(till)) = lower(${till}) order by id`);
/** How the latest of the number stands once all of them have been judged. */
const judged = (zNumber: number, till?: string): Promise<Standing> =>
  vi.waitFor(
    async () => {
      const found = await standingsOf(zNumber, till);
      expect(found.filter(({ status }) => status === 'received')).toEqual([]);
      const last = found.at(-1);
      if (!last) throw new Error('not there');
      return last;
    },
    { timeout: 150_000, interval: 20 },
  );
async function taken(overrides: object = {}) {
  const body = report(overrides);
  const answer = await send(body);
  expect(answer.json()).toEqual({ ok: true });
  return { body, ...(await judged(body.zNumber, body.tillId)) };
}
const rowsOf = (voucherId: string | null) =>
  query<{ account: number; ore: bigint }>(
    sql`select account, debit_ore - credit_ore as ore from ledger.voucher_rows
      where voucher_id = ${voucherId}::uuid order by row_no`,
  );
const change = (value: string) =>
  withTx(books.owner, (tx) => changeSetting(tx, 'till-accounts', value, 'test'));
const usual = 'card 1686, swish 1930, cash 1910, gift_card 2421, bank 1930, tip 2890';

describe('a report', () => {
  test('becomes one voucher with the VAT of each rate, and its bytes are the document', async () => {
    const body = report();
    const raw = `  ${JSON.stringify(body, null, 1)}\n`;
    expect((await send(raw)).json()).toEqual({ ok: true });
    const { status, voucher_id: voucherId } = await judged(body.zNumber);
    expect(status).toBe('posted');
    // 74,99 at 25 % holds 15,00 (14,998); 56 at 12 % holds 6.
    expect(await rowsOf(voucherId)).toEqual([
      { account: 1930, ore: 3_100n },
      { account: 1910, ore: 10_000n },
      { account: 3001, ore: -5_999n },
      { account: 2611, ore: -1_500n },
      { account: 3002, ore: -5_000n },
      { account: 2621, ore: -600n },
      { account: 3740, ore: -1n },
    ]);
    expect(
      await query(sql`select v.source, v.verification_date, v.description, v.series, a.file_name, c.bytes
        from ledger.vouchers v join ledger.attachments a on a.voucher_id = v.id join archive.contents c using (sha256)
        where v.id = ${voucherId}::uuid`),
    ).toEqual([
      {
        source: 'till_report',
        verification_date: '2026-03-31',
        description: `Dagskassa KASSA-1, Z ${body.zNumber}`,
        series: 'A',
        file_name: `dagskassa-KASSA-1-z${body.zNumber}.json`,
        bytes: Buffer.from(raw),
      },
    ]);
    expect(
      await query(sql`select action, actor from audit.events where subject = (
        select id::text from intake.till_reports where voucher_id = ${voucherId}::uuid)`),
    ).toEqual([{ action: 'till_report.booked', actor: 'job:till-report-intake' }]);
  });

  test('sent again is a duplicate, whatever it says and however its till is spelt, and is no second voucher', async () => {
    const { body, voucher_id: voucherId } = await taken();
    expect((await send(body)).json()).toEqual({ ok: true, duplicate: true });
    expect((await send({ ...body, tillId: ' kassa-1 ' })).json()).toEqual({
      ok: true,
      duplicate: true,
    });
    const other = await judged(body.zNumber);
    expect(other).toMatchObject({ status: 'stopped', reason: 'report_differs', voucher_id: null });
    const all = await standingsOf(body.zNumber);
    expect(all.map(({ voucher_id: id }) => id)).toEqual([voucherId, null]);
    expect((await taken({ tillId: 'KASSA-2', zNumber: body.zNumber })).status).toBe('posted');
  });

  test('64 at once over two processes are one voucher, one answer of which is no duplicate', async () => {
    const second = await openSecondApp(books);
    const own = createPool({
      url: await roleUrl(books.url, 'hb_worker'),
      max: 4,
      applicationName: 'test',
    });
    try {
      const body = report();
      const answers = await Promise.all(
        Array.from({ length: 64 }, async (_, index) => {
          if (index % 2 === 0) return (await send(body)).json();
          const answer = await second.app.inject({
            ...{ method: 'POST', url, payload: body },
            headers: { authorization: `Bearer ${books.key}` },
          });
          return answer.json();
        }),
      );
      expect(answers.every(({ ok }) => ok === true)).toBe(true);
      const { id, status } = await judged(body.zNumber);
      expect(status).toBe('posted');
      // Jobs that are handed out twice, to two workers at the same time.
      await Promise.all(
        Array.from({ length: 4 }, () =>
          withTx(own, (tx) =>
            judgeTillReports(tx, [id], { today: TODAY, actor: 'job:till-report-intake' }),
          ),
        ),
      );
      expect(await standingsOf(body.zNumber)).toHaveLength(1);
      expect(
        await query(sql`select count(*)::integer as count from ledger.vouchers
          where source = 'till_report' and description = ${`Dagskassa KASSA-1, Z ${body.zNumber}`}`),
      ).toEqual([{ count: 1 }]);
    } finally {
      await own.end();
      await second.close();
    }
  });

  test('in many bodies at once is booked by one of them, and the others wait for a person', async () => {
    const body = report();
    const bodies = Array.from({ length: 16 }, (_, tips) => ({
      ...body,
      tips: tips + 1,
      payments: [{ method: 'swish', amount: 132 + tips }],
    }));
    await Promise.all(bodies.map((one) => send(one)));
    await judged(body.zNumber);
    const reasons = (await standingsOf(body.zNumber)).map(({ status, reason }) => reason ?? status);
    expect(reasons.toSorted()).toEqual(['posted', ...Array(15).fill('report_differs')].toSorted());
  });

  test('of a day when nothing was sold is kept without a voucher, and its number is used', async () => {
    const empty = { sales: [], returns: [], payments: [], rounding: 0 };
    const { body, status, voucher_id: voucherId } = await taken(empty);
    expect([status, voucherId]).toEqual(['empty', null]);
    await send({ ...report(), zNumber: body.zNumber });
    expect((await judged(body.zNumber)).reason).toBe('report_differs');
  });

  test('out of sequence is booked, and people are told which numbers are missing', async () => {
    await taken({ tillId: 'KASSA-9', zNumber: 10 });
    await taken({ tillId: 'kassa-9', zNumber: 14 });
    expect((await taken({ tillId: 'KASSA-9', zNumber: 12 })).status).toBe('posted');
    const missing = (await listMissingNumbers(db(books.owner), 100)).filter(
      ({ till }) => till.toLowerCase() === 'kassa-9',
    );
    expect(missing.map(({ first, last }) => [first, last])).toEqual([
      [13n, 13n],
      [11n, 11n],
    ]);
  });
});

describe('what stops it', () => {
  test('is told of its form and of its own sums, and it is kept; sent mended it is booked by itself', async () => {
    const body = report({ payments: [{ method: 'cash', amount: 130 }] });
    const answer = await send(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject({
      ...{ till_id: 'KASSA-1', z_number: body.zNumber, reason: 'sums_differ', stored: true },
      problems: [{ path: 'payments', reason: 'till_sums_differ' }],
    });
    expect(await judged(body.zNumber)).toMatchObject({ status: 'stopped', reason: 'sums_differ' });
    const mended = { ...body, payments: [{ method: 'cash', amount: 131 }] };
    expect((await send(mended)).json()).toEqual({ ok: true, duplicate: true });
    await judged(body.zNumber);
    expect((await standingsOf(body.zNumber)).map(({ status, reason }) => [status, reason])).toEqual(
      [
        ['dismissed', 'replaced'],
        ['posted', null],
      ],
    );
  });

  test.each([
    ['', 400],
    ['{"tillId"', 400],
    ['[]', 422],
    ['{"tillId":"K","zNumber":1,"zNumber":2}', 422],
    ['{"tillId":"\\u0000","zNumber":1,"date":"2026-03-31"}', 422],
    ['{"tillId":"\\ud800","zNumber":1,"date":"2026-03-31"}', 422],
    [
      '{"tillId":"K","zNumber":1e3,"date":"2026-03-31","sales":[{"vatRate":25,"amount":1e400}]}',
      422,
    ],
    [`{"tillId":"${'K'.repeat(101)}","zNumber":1,"date":"2026-03-31"}`, 422],
    ['{"tillId":"K","zNumber":-0.0,"date":"2026-03-31","note":"\\ud800"}', 422],
  ])('of odd bytes, %s, is %s and never an error of ours', async (raw, status) => {
    const answer = await send(raw);
    expect(answer.statusCode, answer.body).toBe(status);
    await vi.waitFor(
      async () =>
        expect(await query(sql`select from intake.till_reports where status = 'received'`)).toEqual(
          [],
        ),
      { timeout: 150_000 },
    );
  });

  test('is not told of the books: a means without account answers as a known one, and is mended by the setting', async () => {
    const payments = [{ method: 'rikskupong', amount: 131 }];
    const { id, body, status, reason, detail } = await taken({ payments });
    expect([status, reason]).toEqual(['stopped', 'means_unknown']);
    expect(detail?.problems).toMatchObject([
      { path: 'payments[0].method', reason: 'till_means_unknown' },
    ]);
    await change(`${usual}, rikskupong 1686`);
    try {
      expect(await withTx(books.owner, (tx) => retryTillReports(tx, [id], 'test'))).toEqual([id]);
      const booked = await judged(body.zNumber);
      expect(booked.status).toBe('posted');
      expect((await rowsOf(booked.voucher_id))[0]).toEqual({ account: 1686, ore: 13_100n });
    } finally {
      await change(usual);
    }
  });

  test('by a lock waits until it is lifted, and is then booked on its own day', async () => {
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', 'test'));
    const { id, body, reason } = await taken({ date: '2026-01-20' });
    expect(reason).toBe('period_locked');
    await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    await withTx(books.owner, (tx) => retryTillReports(tx, [id], 'test'));
    const booked = await judged(body.zNumber);
    expect(booked.status).toBe('posted');
    expect((await taken({ date: '2020-01-20' })).reason).toBe('date_outside_fiscal_year');
    expect((await taken({ date: '2999-01-20' })).reason).toBe('date_in_future');
  });

  test('is a correction that takes its voucher back: it waits again, and is booked anew or dismissed', async () => {
    const { id, body, voucher_id: correctedId } = await taken();
    await withTx(books.owner, (tx) =>
      correctVoucher(
        tx,
        {
          correctedId: correctedId ?? '',
          date: '2026-03-31',
          description: 'Tillbaka',
          replacement: null,
        },
        'test',
      ),
    );
    expect(await judged(body.zNumber)).toMatchObject({ status: 'stopped', reason: 'taken_back' });
    await withTx(books.owner, (tx) => retryTillReports(tx, [id], 'test'));
    const again = await judged(body.zNumber);
    expect(again.status).toBe('posted');
    expect(again.voucher_id).not.toBe(correctedId);
    expect(await withTx(books.owner, (tx) => dismissTillReports(tx, [id], 'Fel', 'test'))).toBe(0);
  });

  test('makes the month fail, until it is dismissed', async () => {
    const fails = async () => {
      const [row] = await query<{ names: string[] }>(
        sql`select ledger.failing_conditions('2026-02-01', 'Europe/Stockholm') as names`,
      );
      return row?.names.includes('kassa');
    };
    await query(sql`update intake.till_reports set status = 'dismissed' where status = 'stopped'`);
    expect(await fails()).toBe(false);
    const { id } = await taken({
      date: '2026-02-10',
      payments: [{ method: 'x', amount: 131 }],
    });
    expect(await fails()).toBe(true);
    await withTx(books.owner, (tx) => dismissTillReports(tx, [id], 'Bokförd för hand', 'test'));
    expect(await fails()).toBe(false);
  });
});

test('who hands in must have the scope, and hears no more than that it is kept', async () => {
  const { key } = await books.makeKey(['intake:write']);
  expect((await send(report({ tillId: randomUUID() }), key)).json()).toEqual({ ok: true });
  const { key: reader } = await books.makeKey(['data:read']);
  expect((await send(report(), reader)).statusCode).toBe(403);
});

test('reconciliation tells what became of those that the same key sent, and of no others', async () => {
  const booked = await taken();
  const stopped = await taken({ payments: [{ method: 'x', amount: 131 }] });
  const asked = [booked, stopped].map(({ body }) => ({
    tillId: ' kassa-1',
    zNumber: body.zNumber,
  }));
  const ask = async (key?: string) => {
    const answer = await books.call({
      ...{ method: 'POST', url: '/api/inbound/avstamning', payload: { tillReports: asked } },
      ...(key ? { key } : {}),
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().tillReports;
  };
  expect(await ask()).toMatchObject([
    { tillId: ' kassa-1', status: 'booked', reason: null },
    { status: 'rejected', reason: 'means_unknown' },
  ]);
  const { key } = await books.makeKey(['intake:write']);
  expect(await ask(key)).toMatchObject([{ status: 'unknown' }, { status: 'unknown' }]);
});

describe('read by programs', () => {
  const get = (asked: string, headers: Record<string, string> = {}) =>
    books.call({ url: `/api/v1/dagskassor${asked}`, headers });
  const data = async (asked: string): Promise<Record<string, unknown>[]> => {
    const answer = await get(asked);
    expect([answer.statusCode, answer.body.slice(0, 200)]).toEqual([200, expect.anything()]);
    return answer.json().data;
  };
  const numbers = (those: readonly Record<string, unknown>[]) => those.map(({ z_number: z }) => z);

  test('one says what the till said, and the voucher it became, alike in the list', async () => {
    const {
      body,
      id,
      voucher_id: voucherId,
    } = await taken({
      ...{ tillId: 'Läsa 1', receiptCount: 3, tips: 5, giftCardsSold: 100 },
      payments: [
        { method: 'Card', amount: 136 },
        { method: 'cash', amount: 100 },
      ],
      movements: [{ kind: 'bank', amount: -20, text: 'Servicebox' }],
    });
    const one = (await get(`/${id}`)).json();
    expect(one).toEqual({
      ...{ id, till_id: 'Läsa 1', z_number: body.zNumber, date: '2026-03-31', status: 'booked' },
      ...{ reason: null, voucher_id: voucherId, url: expect.stringContaining(`/dagskassor/${id}`) },
      ...{ received_at: expect.any(String), updated_at: expect.any(String) },
      sums: {
        receipt_count: 3,
        sales: [
          { vat_rate: 25, amount: 99.99 },
          { vat_rate: 12, amount: 56 },
        ],
        returns: [{ vat_rate: 25, amount: 25 }],
        rates: [
          { vat_rate: 25, gross_amount: 74.99, vat_amount: 15 },
          { vat_rate: 12, gross_amount: 56, vat_amount: 6 },
        ],
        ...{ gift_cards_sold: 100, tips: 5, rounding: 0.01 },
        payments: [
          { method: 'card', amount: 136 },
          { method: 'cash', amount: 100 },
        ],
        movements: [{ kind: 'bank', amount: -20, text: 'Servicebox' }],
      },
    });
    expect(await data(`?tillId=${encodeURIComponent(' LÄSA  1')}`)).toEqual([one]);
    const etag = String((await get(`/${id}`)).headers['etag']);
    expect((await get(`/${id}`, { 'if-none-match': etag })).statusCode).toBe(304);
  });

  test('a page goes on where the last ended, whoever sent them, by till, state, number and day', async () => {
    const tillId = `Läsa ${randomUUID()}`;
    const till = `tillId=${encodeURIComponent(tillId)}`;
    const first = await taken({ tillId });
    const stopped = await taken({ tillId, payments: [{ method: 'x', amount: 131 }] });
    const early = await taken({ tillId, date: '2026-03-30' });
    const wrong = report({ tillId, payments: [] });
    expect((await send(wrong)).statusCode).toBe(422);
    await judged(wrong.zNumber, tillId);
    const all = [first, stopped, early, { body: wrong }].map(({ body }) => body.zNumber);
    const page = (await get(`?${till}&limit=3`)).json();
    expect([numbers(page.data), page.has_more]).toEqual([all.slice(0, 3), true]);
    const last = (await get(`?${till}&limit=3&cursor=${page.next_cursor}`)).json();
    expect([numbers(last.data), last.has_more, last.next_cursor]).toEqual([
      all.slice(3),
      false,
      null,
    ]);
    expect(
      (await get(`?${till}&limit=3&status=booked&cursor=${page.next_cursor}`)).statusCode,
    ).toBe(400);
    expect(last.data[0]).toMatchObject({ status: 'rejected', reason: 'sums_differ', sums: null });
    expect(numbers(await data(`?${till}&status=booked`))).toEqual([all[0], all[2]]);
    expect(numbers(await data(`?${till}&zNumber=${all[1]}&zNumber=${all[2]}`))).toEqual(
      all.slice(1, 3),
    );
    expect(numbers(await data(`?${till}&to=2026-03-30`))).toEqual([all[2]]);
    // Put aside afterwards: who asks for what has changed since hears of it.
    const { updated_at: since } = (await get(`/${early.id}`)).json();
    await withTx(books.owner, (tx) => dismissTillReports(tx, [stopped.id], 'Fel', 'test'));
    const changed = await data(`?${till}&updatedSince=${since}`);
    expect(changed.map(({ z_number: z, status }) => [z, status])).toContainEqual([
      all[1],
      'dismissed',
    ]);
    expect(numbers(changed)).not.toContain(all[0]);
  });

  test('keys that hand in read none, in the database neither', async () => {
    const { id } = await taken();
    const { key } = await books.makeKey(['intake:write']);
    for (const asked of ['', `/${id}`]) {
      const answer = await books.call({ url: `/api/v1/dagskassor${asked}`, key });
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
    }
    const own = createPool({
      url: await roleUrl(books.url, 'hb_api'),
      max: 1,
      applicationName: 'test',
    });
    try {
      await own.query("select set_config('huvudbok.credential', $1, false)", [
        createHash('sha256').update(key).digest('hex'),
      ]);
      await expect(
        own.query(
          'select id from api.list_till_reports(null, null, null, null, null, null, null, null, 9)',
        ),
      ).rejects.toMatchObject({ code: 'HB403' });
      await expect(own.query('select id from intake.till_reports')).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      await own.end();
    }
  });

  test.each([
    ['?id=x', 'id'],
    ['/x', 'id'],
    ['?status=posted', 'status'],
    ['?zNumber=-1', 'zNumber'],
    ['?zNumber=1000000000000', 'zNumber'],
    ['?tillId=%00', 'tillId'],
    ['?from=2026-02-30', 'from'],
    ['?cursor=x', 'cursor'],
    ['?till=K', 'till'],
  ])('%s is refused by name', async (asked, field) => {
    const answer = await get(asked);
    expect([answer.statusCode, answer.json().detail.problems[0].path]).toEqual([400, field]);
  });

  test('one that is not there is 404, and days the wrong way round are refused', async () => {
    expect((await get(`/${randomUUID()}`)).statusCode).toBe(404);
    expect((await get('?from=2026-03-31&to=2026-03-01')).json().detail.problems[0].path).toBe(
      'from',
    );
    expect((await data('?zNumber=999999999999')).length).toBe(0);
  });
});

describe('whoever runs any SQL', () => {
  test('as the worker books nothing that a till has not said, and changes nothing of what it said', async () => {
    const own = createPool({
      url: await roleUrl(books.url, 'hb_worker'),
      max: 4,
      applicationName: 'test',
    });
    const run = (statement: string) =>
      own.query(statement).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
    try {
      const { id } = await taken({ payments: [{ method: 'x', amount: 131 }] });
      const set = (what: string) =>
        run(`update intake.till_reports set ${what} where id = '${id}'`);
      expect(await set(`raw = ''`)).toBe('42501');
      expect(await set(`voucher_id = gen_random_uuid()`)).toBe('42501');
      expect(await set(`status = 'empty', reason = null`)).toBe('HB001');
      expect(await run(`delete from intake.till_reports`)).toBe('42501');
      expect(await set(`status = 'received', reason = null, detail = null`)).toBe('done');
      const book = (rows: object[]) =>
        run(
          `select intake.book_till_report('${id}', gen_random_uuid(), 'job:till-report-intake', '${JSON.stringify(rows)}')`,
        );
      const row = (account: number, debit_ore: number, credit_ore: number) => ({
        account,
        debit_ore,
        credit_ore,
      });
      expect(await book([row(1930, 9_900, 0), row(3001, 0, 9_900)])).toBe('HB405');
      expect(await book([])).toBe('HB405');
      expect(await book([row(1930, 13_100, 0), row(2890, 0, 13_100)])).toBe('HB405');
      await set(`status = 'stopped', reason = 'means_unknown'`);
    } finally {
      await own.end();
    }
  });

  test('as the owner removes none, and changes none', async () => {
    const { id } = await taken();
    const run = (statement: string) => books.owner.query(statement);
    const of = `where id = '${id}'`;
    await expect(run(`delete from intake.till_reports ${of}`)).rejects.toMatchObject({
      code: 'HB001',
    });
    await expect(run(`truncate intake.till_reports`)).rejects.toMatchObject({ code: 'HB001' });
    await expect(run(`update intake.till_reports set z_number = 7 ${of}`)).rejects.toMatchObject({
      code: 'HB001',
    });
    await expect(run(`update intake.till_reports set raw = '' ${of}`)).rejects.toMatchObject({
      code: '23514',
    });
  });
});
