/** Refunds that shops send: each credits its order's invoice once, never beyond what is left, and says nothing of what exists. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { judgeAttempts } from '#src/intake/orders/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/inbound/aterbetalning';
let books: Installation;
beforeAll(async () => {
  books = await openBooks({ workers: true });
});
afterAll(() => books.close());

const refund = (body: object | string, key?: string) =>
  books.call({
    method: 'POST',
    url,
    payload: body,
    headers: { 'content-type': 'application/json' },
    ...(key ? { key } : {}),
  });
const query = <Row extends object>(statement: ReturnType<typeof sql>) =>
  db(books.owner).query<Row>(statement);

/** An order, booked unless said. */
async function order(overrides: object = {}, { isBooked = true } = {}) {
  const body = orderBody(overrides);
  const answer = await books.call({ method: 'POST', url: '/api/inbound/order', payload: body });
  expect(answer.statusCode, answer.body).toBe(200);
  const { invoiceId } = answer.json();
  if (isBooked) await book(invoiceId);
  return { externalId: body.externalId, invoiceId: String(invoiceId) };
}
const book = (id: string) => withTx(books.owner, (tx) => bookInvoices(tx, [id], 'test'));

interface Note {
  id: string;
  status: string;
  invoice_date: string;
  net_ore: bigint;
  vat_ore: bigint;
  rounding_ore: bigint;
  total_ore: bigint;
}
const notesOf = (invoiceId: string) =>
  query<Note>(sql`select id, status, invoice_date, net_ore, vat_ore, rounding_ore, total_ore
    from sales.invoices where credited_invoice_id = ${invoiceId}::uuid order by created_at, id`);

/** How the refund stands once it has been judged. */
async function judged(refundId: string, externalId?: string) {
  return vi.waitFor(
    async () => {
      const found = await query<{
        status: string;
        reason: string | null;
        invoice_id: string | null;
      }>(
        sql`select a.status, a.reason, o.invoice_id from intake.orders o
          join intake.order_attempts a on a.order_id = o.id
          where o.refund_key = ${refundId.trim()}
            and (${externalId ?? null}::text is null or o.order_identity = ${`id:${externalId}`})
          order by a.received_at desc, a.id desc limit 1`,
      );
      expect(found[0]?.status).not.toBe('received');
      return found[0];
    },
    { timeout: 150_000, interval: 20 },
  );
}
const body = (externalId: string, overrides: object = {}) => ({
  externalId,
  refundId: randomUUID(),
  refundDate: '2026-04-02',
  ...overrides,
});
/** Sent, kept and judged; `reason` is why it stopped. */
async function refunded(externalId: string, overrides: object = {}) {
  const sent = body(externalId, overrides);
  const answer = await refund(sent);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toEqual({ ok: true });
  return { ...sent, ...(await judged(sent.refundId, externalId)) };
}

const rowsOf = (noteId: string) =>
  query<{
    row_no: number;
    quantity_e4: bigint;
    net_ore: bigint;
    vat_ore: bigint;
    vat_rate: number;
  }>(
    sql`select row_no, quantity_e4, net_ore, vat_ore, vat_rate from sales.invoice_rows
      where invoice_id = ${noteId}::uuid order by row_no`,
  );

describe('how much', () => {
  test('everything when nothing is said: the credit note is the invoice, rounding and all', async () => {
    const rows = [
      { description: 'Kaffe', quantity: 3, unitPrice: 33.33, vatRate: 25 },
      { description: 'Bok', quantity: 1, unitPrice: 79, vatRate: 6 },
    ];
    const { externalId, invoiceId } = await order({ total: 179, rows });
    await refunded(externalId);
    const [note] = await notesOf(invoiceId);
    // 99,99 at 25 % holds 20,00; 79,00 at 6 % holds 4,47; 0,01 to 179.
    expect(note).toMatchObject({
      status: 'draft',
      invoice_date: '2026-04-02',
      net_ore: 15_452n,
      vat_ore: 2_447n,
      rounding_ore: 1n,
      total_ore: 17_900n,
    });
    await book(note?.id ?? '');
    expect(
      await query(sql`select status, open_ore from sales.invoices where id = ${invoiceId}::uuid`),
    ).toEqual([{ status: 'credited', open_ore: 0n }]);
    expect(
      await query(sql`select r.account, r.debit_ore, r.credit_ore from ledger.voucher_rows r
        join sales.invoices i on i.voucher_id = r.voucher_id where i.id = ${note?.id ?? null}::uuid
        order by r.row_no`),
    ).toEqual([
      { account: 1510, debit_ore: 0n, credit_ore: 17_900n },
      { account: 3001, debit_ore: 7_999n, credit_ore: 0n },
      { account: 3003, debit_ore: 7_453n, credit_ore: 0n },
      { account: 2611, debit_ore: 2_000n, credit_ore: 0n },
      { account: 2631, debit_ore: 447n, credit_ore: 0n },
      { account: 3740, debit_ore: 1n, credit_ore: 0n },
    ]);
  });

  test('an amount is taken of each rate in proportion, with VAT calculated back, down to the last öre', async () => {
    const rows = [
      { description: 'Kaffebryggare', quantity: 2, unitPrice: 99.95, vatRate: 25 },
      { description: 'Bönor', quantity: 1, unitPrice: 49.9, vatRate: 12 },
      { description: 'Bok', quantity: 1, unitPrice: 79, vatRate: 6 },
      { description: 'Rabatt', quantity: -1, unitPrice: 20, vatRate: 25 },
    ];
    const { externalId, invoiceId } = await order({ total: 308.8, rows });
    const parts = [100, 0.01, 50.01, 0.02, 33.33, 100];
    for (const amount of parts) await refunded(externalId, { amount });
    const over = await refunded(externalId, { amount: 25.44 });
    expect(over).toMatchObject({ status: 'rejected', reason: 'refund_exceeds_invoice' });
    await refunded(externalId, { amount: 25.43 });
    const notes = await notesOf(invoiceId);
    expect(notes.map(({ total_ore: total }) => total)).toEqual([
      10_000n,
      1n,
      5_001n,
      2n,
      3_333n,
      10_000n,
      2_543n,
    ]);
    // 100 of 308,80: 179,90/49,90/79,00 give 58,26/16,16/25,58, which hold 11,65/1,73/1,45.
    const first = Map.groupBy(await rowsOf(notes[0]?.id ?? ''), ({ vat_rate: rate }) => rate);
    const sums = [...first].map(([rate, of]) => [
      rate,
      of.reduce((sum, row) => sum + row.net_ore + row.vat_ore, 0n),
      of.reduce((sum, row) => sum + row.vat_ore, 0n),
    ]);
    expect(sums).toEqual([
      [25, 5_826n, 1_165n],
      [12, 1_616n, 173n],
      [6, 2_558n, 145n],
    ]);
    // Together they are the invoice, by rate and row.
    const taken =
      await query(sql`select row_no, sum(net_ore)::bigint as net, sum(vat_ore)::bigint as vat
      from sales.invoice_rows where invoice_id = any (${notes.map(({ id }) => id)}::uuid[])
      group by 1 order by 1`);
    expect(taken).toEqual(
      await query(sql`select row_no, net_ore as net, vat_ore as vat from sales.invoice_rows
        where invoice_id = ${invoiceId}::uuid order by 1`),
    );
    for (const { id } of notes) await book(id);
    expect(
      await query(sql`select status, open_ore from sales.invoices where id = ${invoiceId}::uuid`),
    ).toEqual([{ status: 'credited', open_ore: 0n }]);
    // By account the credit notes took back what the invoice posted.
    expect(
      await query(sql`select r.account from ledger.voucher_rows r
        join sales.invoices i on i.voucher_id = r.voucher_id
        where i.id = ${invoiceId}::uuid or i.credited_invoice_id = ${invoiceId}::uuid
        group by r.account having sum(r.debit_ore) <> sum(r.credit_ore)`),
    ).toEqual([]);
  });

  test('rows by article or number give their quantity back, also after their price was reduced', async () => {
    const rows = [
      { description: 'Kopp', articleNumber: 'K', quantity: 2, unitPrice: 100, vatRate: 25 },
      { description: 'Fat', quantity: 1, unitPrice: 50, vatRate: 25 },
      { description: 'Kopp till', articleNumber: 'K', quantity: 1, unitPrice: 90, vatRate: 25 },
    ];
    const { externalId, invoiceId } = await order({ total: 340, rows });
    await refunded(externalId, { rows: [{ articleNumber: 'K', quantity: 2.5 }] });
    await refunded(externalId, { amount: 19 });
    expect(await refunded(externalId, { rows: [{ rowNo: 1, quantity: 1 }] })).toMatchObject({
      reason: 'refund_rows_unknown',
    });
    expect(await refunded(externalId, { rows: [{ rowNo: 9, quantity: 1 }] })).toMatchObject({
      reason: 'refund_rows_unknown',
    });
    await refunded(externalId, {
      rows: [
        { rowNo: 3, quantity: 0.25 },
        { articleNumber: 'K', quantity: 0.25 },
      ],
    });
    await refunded(externalId);
    expect(
      (await notesOf(invoiceId)).map(({ total_ore: total, vat_ore: vat }) => [total, vat]),
    ).toEqual([
      // Two cups and half of the third; of 95 left 19, in proportion 9 of the half cup and 10 of the saucer.
      [24_500n, 4_900n],
      [1_900n, 380n],
      [3_600n, 720n],
      [4_000n, 800n],
    ]);
    expect(await refunded(externalId)).toMatchObject({ reason: 'refund_exceeds_invoice' });
  });

  test('one of two comes back at what was paid for it, to the öre, and the other at the rest', async () => {
    const rows = [{ description: 'Kopp', quantity: 2, unitPrice: 29.97, vatRate: 25 }];
    const { externalId, invoiceId } = await order({ total: 59.94, rows });
    const payments = [{ method: 'card', amount: 29.97 }];
    for (const part of [{ rows: [{ rowNo: 1, quantity: 1 }] }, {}]) {
      expect(await refunded(externalId, { ...part, payments })).toMatchObject({ status: 'draft' });
    }
    expect((await notesOf(invoiceId)).map(({ net_ore: net, vat_ore: vat }) => [net, vat])).toEqual([
      [2_397n, 600n],
      [2_398n, 599n],
    ]);
  });

  test('of an article that another row takes off, what was sold comes back and no more', async () => {
    const rows = [
      { description: 'Kopp', articleNumber: 'K', quantity: 3, unitPrice: 100, vatRate: 25 },
      {
        description: 'Kopp tillbaka',
        articleNumber: 'K',
        quantity: -1,
        unitPrice: 100,
        vatRate: 25,
      },
    ];
    const { externalId, invoiceId } = await order({ total: 200, rows });
    expect(
      await refunded(externalId, { rows: [{ articleNumber: 'K', quantity: 4 }] }),
    ).toMatchObject({ reason: 'refund_rows_unknown' });
    await refunded(externalId, { rows: [{ articleNumber: 'K', quantity: 2 }] });
    expect(await notesOf(invoiceId)).toMatchObject([{ total_ore: 20_000n }]);
  });

  test('what the total was rounded up by comes back too, when amounts have taken all else', async () => {
    const rows = [{ description: 'Kopp', quantity: 1, unitPrice: 100.6, vatRate: 25 }];
    const { externalId, invoiceId } = await order({ total: 101, rows });
    for (const amount of [100.6, 0.1]) await refunded(externalId, { amount });
    expect(await refunded(externalId)).toMatchObject({ status: 'draft' });
    const notes = await notesOf(invoiceId);
    expect(notes.map(({ total_ore: total, rounding_ore: rounding }) => [total, rounding])).toEqual([
      [10_060n, 0n],
      [10n, 10n],
      [30n, 30n],
    ]);
    for (const { id } of notes) expect((await book(id))[0]?.refusal).toBeNull();
    expect(
      await query(sql`select status, open_ore from sales.invoices where id = ${invoiceId}::uuid`),
    ).toEqual([{ status: 'credited', open_ore: 0n }]);
  });

  test('is told to keys by its number, on the credit note and on the invoice', async () => {
    const { externalId, invoiceId } = await order();
    const first = await refunded(externalId, { amount: 49 });
    await book(first.invoice_id ?? '');
    const draft = await refunded(externalId, { amount: 10 });
    const { body: page } = await books.call({
      url: `/api/v1/kundfakturor?id=${invoiceId}&id=${first.invoice_id}&id=${draft.invoice_id}`,
    });
    const told = new Map<string, Record<string, unknown>>(
      JSON.parse(page).data.map((one: { id: string }) => [one.id, one]),
    );
    const note = told.get(first.invoice_id ?? '');
    expect(told.get(invoiceId)).toMatchObject({
      ...{ external_id: externalId, refund_id: null, credited_amount: 49 },
      credit_notes: [
        {
          id: first.invoice_id,
          invoice_number: note?.['invoice_number'],
          invoice_date: '2026-04-02',
          total_amount: 49,
          refund_id: first.refundId,
        },
      ],
    });
    expect(note).toMatchObject({ external_id: null, refund_id: first.refundId, credit_notes: [] });
    expect(told.get(draft.invoice_id ?? '')).toMatchObject({ refund_id: draft.refundId });
    const found = async (query: string) => {
      const answer = await books.call({ url: `/api/v1/kundfakturor?${query}` });
      return JSON.parse(answer.body).data.map(({ id }: { id: string }) => id);
    };
    const asked = encodeURIComponent(` ${draft.refundId} `);
    expect(await found(`refundId=${asked}`)).toEqual([draft.invoice_id]);
    expect(await found(`refundId=${asked}&refundId=${first.refundId}`)).toEqual(
      [first.invoice_id, draft.invoice_id].sort(),
    );
    expect(await found(`refundId=${externalId}`)).toEqual([]);
    expect(await found(`refundId=${first.refundId}&status=draft`)).toEqual([]);
  });

  test('an order of nothing, with everything discounted, is taken back once', async () => {
    const rows = [
      { description: 'Prov', quantity: 1, unitPrice: 50, discountPct: 100, vatRate: 25 },
    ];
    const { externalId, invoiceId } = await order({ total: 0, rows });
    await refunded(externalId);
    const [note] = await notesOf(invoiceId);
    await book(note?.id ?? '');
    expect(await refunded(externalId)).toMatchObject({ reason: 'refund_exceeds_invoice' });
    expect(await refunded(externalId, { amount: 0.01 })).toMatchObject({
      reason: 'refund_exceeds_invoice',
    });
    expect(await notesOf(invoiceId)).toMatchObject([{ status: 'booked', total_ore: 0n }]);
  });

  test('a person who credits at the same time takes no more than the drafts have left', async () => {
    const { externalId, invoiceId } = await order();
    await refunded(externalId, { amount: 150 });
    const byHand = withTx(books.owner, (tx) =>
      creditInvoice(tx, { invoiceId, date: '2026-04-02' }, 'test'),
    );
    await expect(byHand).resolves.toMatchObject({ total_amount: 49 });
    const [note] = await notesOf(invoiceId);
    await book(note?.id ?? '');
    expect(
      await query(sql`select status, open_ore from sales.invoices where id = ${invoiceId}::uuid`),
    ).toEqual([{ status: 'credited', open_ore: 0n }]);
  });
});

describe('once', () => {
  test('redelivered, in other bytes and raced, the number credits once', async () => {
    const { externalId, invoiceId } = await order();
    const sent = body(externalId, { amount: 10, refundId: ` R-${randomUUID()} ` });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => refund({ ...sent, note: n % 4 })),
    );
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    await judged(sent.refundId, externalId);
    await vi.waitFor(async () => {
      const waiting = await query(sql`select from intake.order_attempts where status = 'received'`);
      expect(waiting).toEqual([]);
    });
    const again = await refund({ ...sent, refundId: sent.refundId.trim(), amount: 20 });
    const { differingFields, ...told } = again.json();
    expect(told).toEqual({ ok: true, duplicate: true });
    // Which of the four notes came first is nobody's to say.
    expect(differingFields.filter((field: string) => field !== 'note')).toEqual(['amount']);
    expect(await notesOf(invoiceId)).toMatchObject([{ total_ore: 1_000n }]);
  });

  test('after a rejection other bytes are judged anew, and the same are not', async () => {
    const { externalId, invoiceId } = await order();
    const sent = await refunded(externalId, { amount: 500 });
    expect(sent.reason).toBe('refund_exceeds_invoice');
    const { refundId, refundDate, amount } = sent as unknown as Record<string, string>;
    const same = await refund({ externalId, refundId, refundDate, amount });
    expect(same.json()).toEqual({ ok: true, duplicate: true });
    expect(await notesOf(invoiceId)).toEqual([]);
    expect((await refund({ externalId, refundId, refundDate, amount: 5 })).json()).toEqual({
      ok: true,
      duplicate: true,
    });
    await vi.waitFor(async () => expect(await notesOf(invoiceId)).toHaveLength(1));
    const more = await refund({ externalId, refundId, refundDate, amount: 6 });
    expect(more.json()).toEqual({ ok: true, duplicate: true, differingFields: ['amount'] });
    // How far the books have come with others' orders is nothing to tell.
    const { key } = await books.makeKey(['intake:write']);
    const other = await refund({ externalId, refundId, refundDate, amount: 7 }, key);
    expect(other.json()).toEqual({ ok: true, duplicate: true });
  });

  test('two who judge at once never take more together than there is', async () => {
    const { externalId, invoiceId } = await order({
      total: 100,
      rows: [{ description: 'Kopp', quantity: 1, unitPrice: 100, vatRate: 25 }],
    });
    const worker = createPool({
      url: await roleUrl(books.url, 'hb_worker'),
      max: 6,
      applicationName: 'test',
    });
    try {
      for (const amount of [60, 60, 60, 60, 60, 60]) await refund(body(externalId, { amount }));
      const waiting = await query<{ id: string }>(sql`select a.id from intake.order_attempts a
        join intake.orders o on o.id = a.order_id where o.order_identity = ${`id:${externalId}`}`);
      await Promise.all(waiting.map(({ id }) => withTx(worker, (tx) => judgeAttempts(tx, [id]))));
    } finally {
      await worker.end();
    }
    expect(await notesOf(invoiceId)).toMatchObject([{ total_ore: 6_000n }]);
  });

  test('a number used for another order is kept for a person, and credits nothing', async () => {
    const one = await order();
    const other = await order();
    const { refundId } = await refunded(one.externalId, { amount: 10 });
    expect(await refunded(other.externalId, { refundId, amount: 10 })).toMatchObject({
      status: 'rejected',
      reason: 'refund_id_taken',
    });
    expect(await notesOf(other.invoiceId)).toEqual([]);
  });
});

describe('in whatever order things happen', () => {
  test('before its order has come, and while its invoice is a draft, it waits and is then credited by itself', async () => {
    const externalId = randomUUID();
    const early = await refunded(externalId, { amount: 9 });
    expect(early.reason).toBe('order_unknown');
    const { invoiceId } = await order({ externalId }, { isBooked: false });
    const soon = await refunded(externalId, { amount: 10 });
    expect(soon.reason).toBe('order_not_booked');
    await book(invoiceId);
    await vi.waitFor(async () => expect(await notesOf(invoiceId)).toHaveLength(2), {
      timeout: 150_000,
    });
    const totals = (await notesOf(invoiceId)).map(({ total_ore: total }) => total);
    expect(totals.toSorted()).toEqual([1_000n, 900n]);
  });

  test('dated before its invoice or outside every year, it waits for a person', async () => {
    const { externalId } = await order();
    expect(await refunded(externalId, { refundDate: '2026-03-30' })).toMatchObject({
      reason: 'refund_before_invoice',
    });
    expect(await refunded(externalId, { refundDate: '2031-03-30' })).toMatchObject({
      reason: 'refund_outside_fiscal_year',
    });
  });

  test('in a locked period it is a draft that booking stops, and nothing is lost', async () => {
    const { externalId, invoiceId } = await order({ orderDate: '2026-01-10' });
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', 'test'));
    try {
      await refunded(externalId, { refundDate: '2026-01-20' });
      const [note] = await notesOf(invoiceId);
      const [outcome] = await book(note?.id ?? '');
      expect(outcome?.refusal?.code).toBe('period_locked');
      expect(await notesOf(invoiceId)).toMatchObject([{ status: 'draft' }]);
    } finally {
      await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    }
  });

  test('where orders book themselves, so do refunds', async () => {
    const automatic = (value: string) =>
      withTx(books.owner, (tx) => changeSetting(tx, 'order-booking', value, 'test'));
    await automatic('on');
    try {
      const { externalId, invoiceId } = await order({}, { isBooked: false });
      await refund(body(externalId, { amount: 10 }));
      await refund(body(externalId, { amount: 20 }));
      await vi.waitFor(
        async () => {
          const notes = await notesOf(invoiceId);
          expect(notes.map(({ status }) => status)).toEqual(['booked', 'booked']);
        },
        { timeout: 150_000 },
      );
    } finally {
      await automatic('off');
    }
  });
});

describe('what is told', () => {
  test('of its form everything, and it is kept', async () => {
    const answer = await refund({
      externalId: 'X',
      refundId: '',
      refundDate: '2026-13-01',
      amount: -1,
      currency: 'EUR',
      rows: [{ quantity: 0 }],
    });
    expect(answer.statusCode).toBe(422);
    const { detail } = answer.json();
    expect(detail).toMatchObject({ reason: 'invalid_refund', stored: true, refund_id: null });
    expect(detail.problems.map(({ path }: { path: string }) => path)).toEqual([
      'refundId',
      'refundDate',
      'amount',
      'rows[0].quantity',
      'rows[0].articleNumber',
      'currency',
      'amount',
    ]);
    expect((await refund('{"externalId"')).statusCode).toBe(400);
    expect((await refund('[]')).statusCode).toBe(422);
    expect((await refund('{"refundId": "\\u0000"}')).statusCode).toBe(422);
  });

  test('of what exists nothing: an unknown order answers as a known one, to any key', async () => {
    const { externalId } = await order();
    const { key } = await books.makeKey(['intake:write']);
    const known = await refund(body(externalId, { amount: 1 }), key);
    const unknown = await refund(body(randomUUID(), { amount: 1 }), key);
    expect(unknown.json()).toEqual(known.json());
    const { key: reader } = await books.makeKey(['data:read']);
    expect((await refund(body(externalId), reader)).statusCode).toBe(403);
  });

  test('reconciliation tells of refunds whose order the same key sent, of others that they are kept', async () => {
    const { externalId, invoiceId } = await order();
    const own = await refunded(externalId, { amount: 1 });
    const { key } = await books.makeKey(['intake:write']);
    const foreign = body(externalId, { amount: 1 });
    await refund(foreign, key);
    await judged(foreign.refundId);
    const ask = async (refundIds: string[], asKey?: string) =>
      (
        await books.call({
          method: 'POST',
          url: '/api/inbound/avstamning',
          payload: { refundIds },
          ...(asKey ? { key: asKey } : {}),
        })
      ).json().refunds;
    const [note] = await notesOf(invoiceId);
    expect(await ask([own.refundId, 'aldrig'])).toMatchObject([
      { refundId: own.refundId, externalId, status: 'draft', reason: null, invoiceId: note?.id },
      { refundId: 'aldrig', status: 'unknown' },
    ]);
    expect(await ask([foreign.refundId, own.refundId], key)).toMatchObject([
      { refundId: foreign.refundId, status: 'received', reason: null, invoiceId: null },
      { refundId: own.refundId, status: 'unknown' },
    ]);
  });
});
