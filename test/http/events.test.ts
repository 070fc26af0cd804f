/** GET /api/v1/handelser: every event once, in an order that holds, whoever was slow to commit. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { proposedOf } from '#src/api/proposals/payloads.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { decodePlace, encodePlace } from '#src/domain/basics/event-cursor.ts';
import { eventTypes } from '#src/events/types.ts';
import { approveProposals, rejectProposals } from '#src/proposals/service.ts';
import { removeDraft } from '#src/sales/invoices/drafts.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { type Installation, orderBody, TODAY, voucherBody } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/handelser';
let books: Installation;
async function open(): Promise<() => Promise<void>> {
  const opened = await openBooks({ workers: true });
  books = opened;
  return opened.close;
}

interface Told {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const read = (query = '') => books.call({ url: `${url}${query}` });
async function feed(query = ''): Promise<Told[]> {
  const response = await read(query);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().data;
}
/** The feed once it has `count` events: any transaction on the server holds back what came after it. */
async function feedOf(count: number, query = ''): Promise<Told[]> {
  await until(async () => (await feed(query)).length >= count);
  return feed(query);
}
const post = (date = '2026-03-31') =>
  books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody({ date }) });
const collectiveCustomer = async () =>
  (
    await db(books.owner).query<{ id: string }>(
      sql`select collective_customer_id as id from restricted.company`,
    )
  )[0]?.id;
const order = (payload = orderBody()) =>
  books.call({ method: 'POST', url: '/api/inbound/order', payload });

/** As the worker reads it that delivers webhooks: it has rights and policies of its own, on each table that an event tells of. */
async function readAs(url: string): Promise<object[]> {
  const client = await connect(url, 'test events');
  try {
    const { rows } = await client.query(
      'select type, events.describe(type, subject) as data from events.outbox order by xid, seq',
    );
    return rows;
  } finally {
    await client.end();
  }
}

describe('what is told', () => {
  beforeEach(open);
  afterEach(async () => {
    const worker = await readAs(await roleUrl(books.url, 'hb_worker'));
    expect(worker, 'webhooks tell what the feed tells').toEqual(await readAs(books.url));
  });

  test('every type there is, which the database knows too', async () => {
    await withTx(books.owner, (tx) =>
      tx.query(sql`insert into events.outbox (type, subject)
        select type, gen_random_uuid() from unnest(${eventTypes}::text[]) as type`),
    );
    expect(await readAs(books.url)).toHaveLength(eventTypes.length);
  });

  test('a posted voucher, by the names the API has for it', async () => {
    const posted = (await post()).json();
    expect(await feedOf(1)).toEqual([
      {
        id: expect.any(String),
        type: 'voucher.posted',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: {
          id: posted.id,
          series: 'A',
          number: 1,
          label: posted.label,
          verification_date: '2026-03-31',
          source: 'api',
        },
      },
    ]);
  });

  test('an order all the way to a paid invoice', async () => {
    const { invoiceId } = (await order(orderBody({ externalId: 'W-1' }))).json();
    await withTx(books.owner, (tx) => bookInvoices(tx, [invoiceId], 'test'));
    const payment = { invoiceId, date: '2026-04-02', today: '2026-04-02', amountOre: 19_900n };
    await withTx(books.owner, (tx) => registerPayment(tx, payment, 'test'));
    const events = await feedOf(6);
    // What one transaction did has no order but the one it was written in.
    expect(events.map(({ type }) => type)).toEqual([
      'order.received',
      'invoice.drafted',
      'voucher.posted',
      'invoice.booked',
      'voucher.posted',
      'invoice.paid',
    ]);
    expect(events[0]?.data).toEqual({
      orderId: expect.any(String),
      attemptId: expect.any(String),
      externalId: 'W-1',
    });
    expect(events[3]?.data).toMatchObject({
      invoice_id: invoiceId,
      invoice_number: expect.any(Number),
      kind: 'invoice',
      total: 199,
      voucher_id: expect.any(String),
    });
  });

  test('a rejected order, with its reason', async () => {
    await order(orderBody({ total: 1, externalId: 'W-2' }));
    const [, rejected] = await feedOf(2);
    expect(rejected).toMatchObject({
      type: 'order.rejected',
      data: { externalId: 'W-2', reason: 'total_mismatch' },
    });
  });

  test('what goes out of a list, by what it is asked for there; what was used stays', async () => {
    await withTx(books.owner, async (tx) => {
      await tx.query(sql`insert into sales.articles (number, description, supply)
        values ('ÖL–1', 'Öl', 'goods'), ('BR-2', 'Bröd', 'goods')`);
      await tx.query(
        sql`insert into ledger.accounts (number, name, type) values (5999, 'Övrigt', 'cost')`,
      );
    });
    const { id: draftId } = (
      await books.call({
        method: 'POST',
        url: '/api/v1/kundfakturor',
        payload: {
          customerId: await collectiveCustomer(),
          ...{ invoiceDate: '2026-03-31', paymentTerms: 30 },
          rows: [{ description: 'Öl', quantity: 1, unitPrice: 10, vatRate: 25, account: 3001 }],
        },
      })
    ).json();
    await withTx(books.owner, (tx) => removeDraft(tx, draftId, 'test'));
    await withTx(books.owner, async (tx) => {
      await tx.query(sql`update sales.articles set number = 'BR-3' where number = 'BR-2'`);
      await tx.query(sql`delete from sales.articles where number = 'ÖL–1'`);
      await tx.query(sql`delete from ledger.accounts where number = 5999`);
    });
    await post();
    await expect(
      withTx(books.owner, (tx) => tx.query(sql`delete from ledger.accounts where number = 1930`)),
    ).rejects.toThrow();
    const removed = (await feedOf(6)).filter(({ type }) => type === 'record.removed');
    expect(removed.map(({ data }) => data)).toEqual([
      { list: 'kundfakturor', id: draftId },
      { list: 'artiklar', id: 'BR-2' },
      { list: 'artiklar', id: 'ÖL–1' },
      { list: 'konton', id: '5999' },
    ]);
    // Told as long as others are, and no longer.
    const removals = () => db(books.owner).query(sql`select from events.removals`);
    await db(books.owner).query(sql`select restricted.purge_expired()`);
    expect(await removals()).toHaveLength(4);
    await db(books.owner).query(
      sql`update events.removals set removed_at = now() - interval '91 days'`,
    );
    await db(books.owner).query(sql`select restricted.purge_expired()`);
    expect(await removals()).toHaveLength(0);
  });

  test('a proposal as it is made, decided and taken back, and nothing of what it says', async () => {
    const { key } = await books.makeKey(['data:read', 'proposals:write']);
    const propose = async () => {
      const payload = {
        kind: 'voucher',
        payload: { ...voucherBody(), description: 'Hemligt' },
        untrusted_text: 'Hemligt',
      };
      const made = await books.call({ method: 'POST', url: '/api/v1/forslag', key, payload });
      expect([made.statusCode, made.json().message]).toEqual([200, undefined]);
      return made.json().id as string;
    };
    const ids = [await propose(), await propose(), await propose()];
    const [approved = '', rejected = '', withdrawn = ''] = ids;
    await books.call({ method: 'POST', url: `/api/v1/forslag/${withdrawn}/aterta`, key });
    const deciding = { today: TODAY, actor: 'test', read: proposedOf };
    await withTx(books.owner, (tx) =>
      rejectProposals(tx, [rejected], { reason: 'Nej', actor: 'test' }),
    );
    const { decided } = await withTx(books.owner, (tx) =>
      approveProposals(tx, [approved], deciding),
    );
    // Tried first, and told once.
    const told = (await feedOf(7)).filter(({ type }) => type.startsWith('proposal.'));
    const common = { kind: 'voucher', expires_at: expect.any(String), result: null };
    const events = told.map(({ type, data }) => [type, data]);
    expect(events.slice(3)).toEqual([
      ['proposal.withdrawn', { ...common, proposal_id: withdrawn, status: 'withdrawn' }],
      ['proposal.decided', { ...common, proposal_id: rejected, status: 'rejected' }],
      [
        'proposal.decided',
        {
          ...common,
          ...{ proposal_id: approved, status: 'approved' },
          result: { kind: 'voucher', id: decided[0]?.result?.id },
        },
      ],
    ]);
    expect(events.slice(0, 3)).toEqual(
      ids.map((id) => ['proposal.created', expect.objectContaining({ proposal_id: id })]),
    );
    expect(JSON.stringify(told)).not.toContain('Hemligt');
  });

  test('nothing of what was refused, replayed or only tried', async () => {
    await books.call({
      method: 'POST',
      url: '/api/v1/verifikat?dryRun=true',
      payload: voucherBody(),
    });
    await post('2031-01-01');
    expect(await feed()).toEqual([]);
    const headers = { 'idempotency-key': 'the-same-key' };
    for (let round = 0; round < 3; round += 1) {
      const payload = voucherBody();
      await books.call({ method: 'POST', url: '/api/v1/verifikat', payload, headers });
    }
    expect(await feedOf(1)).toHaveLength(1);
  });
});

describe('reading on', () => {
  beforeEach(open);

  test('page by page gives each event once, with the same id every time', async () => {
    for (let count = 0; count < 7; count += 1) await post();
    const whole = await feedOf(7);
    const seen: Told[] = [];
    let cursor = '';
    for (;;) {
      const page = (await read(`?limit=3${cursor && `&cursor=${cursor}`}`)).json();
      seen.push(...page.data);
      cursor = page.next_cursor;
      if (!page.has_more) break;
    }
    expect(seen).toEqual(whole);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
    expect((await read(`?cursor=${cursor}`)).json()).toEqual({
      data: [],
      next_cursor: cursor,
      has_more: false,
      updated_since: expect.stringMatching(/^20.*Z$/),
    });
    await post();
    expect(await feedOf(1, `?cursor=${cursor}`)).toHaveLength(1);
  });

  test('from now tells only what happens afterwards', async () => {
    await post();
    await feedOf(1);
    const { data, next_cursor } = (await read('?from=now')).json();
    expect(data).toEqual([]);
    expect(await feed(`?cursor=${next_cursor}`)).toEqual([]);
    await post();
    expect(await feedOf(1, `?cursor=${next_cursor}`)).toHaveLength(1);
    // One of the two would be passed over, and with it the events between.
    const both = await read(`?from=now&cursor=${next_cursor}`);
    expect([both.statusCode, both.json().detail.problems]).toEqual([
      400,
      [expect.objectContaining({ path: 'from', reason: 'contradictory' })],
    ]);
  });

  test('waits for a transaction that began first and commits last', async () => {
    const slow = await connect(books.url, 'test slow');
    try {
      await slow.query('begin');
      await slow.query(
        `insert into events.outbox (type, subject) values ('order.received', gen_random_uuid())`,
      );
      await post();
      // The voucher is later in the order than what the open transaction may yet say.
      expect(await feed()).toEqual([]);
      const { next_cursor } = (await read()).json();
      await slow.query('commit');
      const types = (await feedOf(2, `?cursor=${next_cursor}`)).map(({ type }) => type);
      expect(types).toEqual(['order.received', 'voucher.posted']);
    } finally {
      await slow.end();
    }
  });

  test('never misses any while many are written at the same time', async () => {
    const seen: string[] = [];
    let cursor = (await read('?from=now')).json().next_cursor;
    const reading = (async () => {
      while (seen.length < 300) {
        const page = (await read(`?limit=500&cursor=${cursor}`)).json();
        seen.push(...page.data.map(({ data }: Told) => data['id'] as string));
        cursor = page.next_cursor;
      }
    })();
    const posted = await Promise.all(Array.from({ length: 300 }, () => post()));
    await reading;
    const ids = posted.map((response) => response.json().id as string);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  /** As after any start of the server, of a copy or of a standby: it is another run than wrote this. */
  const beginAnotherRun = (ago = '1 hour') =>
    db(books.owner).query(sql`update events.epochs set run = run - ${ago}::interval
      where epoch = (select max(epoch) from events.epochs)`);
  const cursorAfter = async (count: number): Promise<string> => {
    await feedOf(count);
    return (await read()).json().next_cursor;
  };

  test('goes on in order after the books were restored into a younger cluster', async () => {
    await post();
    await cursorAfter(1);
    // A dump brings the events along, but not the cluster's count of transactions.
    await db(books.owner).query(
      sql`update events.outbox set xid = (xid::text::bigint + 1000000)::text::xid8`,
    );
    await beginAnotherRun();
    const next_cursor = await cursorAfter(1);
    await post();
    const numbers = async (query: string, count: number) =>
      (await feedOf(count, query)).map(({ data }) => data['number']);
    expect(await numbers('', 2)).toEqual([1, 2]);
    expect(await numbers(`?cursor=${next_cursor}`, 1)).toEqual([2]);
  });

  test('goes on from where it was after a restart that lost nothing, also once events are cleared away', async () => {
    await post();
    const next_cursor = await cursorAfter(1);
    await beginAnotherRun();
    expect(await feed(`?cursor=${await cursorOfRun(next_cursor)}`)).toEqual([]);
    await post();
    expect(await feedOf(1, `?cursor=${await cursorOfRun(next_cursor)}`)).toHaveLength(1);
    await db(books.owner).query(sql`select events.keep_last_place()`);
    await db(books.owner).query(sql`delete from events.outbox`);
    expect(await feed(`?cursor=${await cursorOfRun(next_cursor)}`)).toEqual([]);
  });

  test('is told when the books went back behind it, and how to go on without missing anything', async () => {
    await post();
    const kept = await cursorAfter(1);
    await post();
    const lost = await cursorAfter(2);
    // Point-in-time recovery: the second voucher's event never happened, and its place is given anew.
    await db(books.owner).query(sql`delete from events.outbox where xid =
      (select max(xid::text::bigint) from events.outbox)::text::xid8`);
    await beginAnotherRun();
    const ahead = await read(`?cursor=${await cursorOfRun(lost)}`);
    expect(ahead.statusCode, ahead.body).toBe(409);
    expect(ahead.json().error).toBe('cursor_ahead');
    const { resume_cursor } = ahead.json().detail;
    expect(resume_cursor).toBe(await cursorOfRun(kept));
    await post();
    expect(await feedOf(1, `?cursor=${resume_cursor}`)).toHaveLength(1);
    // However much has happened since.
    for (let count = 0; count < 5; count += 1) await post();
    expect((await read(`?cursor=${await cursorOfRun(lost)}`)).statusCode).toBe(409);
  });

  test('is told so by a history where the epoch has the same number but another run wrote it', async () => {
    await post();
    const elsewhere = decodePlace(await cursorAfter(1));
    const foreign = encodePlace({ ...elsewhere, run: elsewhere.run + 1n });
    const ahead = await read(`?cursor=${foreign}`);
    expect(ahead.statusCode, ahead.body).toBe(409);
    expect(decodePlace(ahead.json().detail.resume_cursor).epoch).toBeLessThan(elsewhere.epoch);
  });

  /** The cursor as it would be, had its run been the one that `beginAnotherRun` made of it. */
  const cursorOfRun = async (cursor: string): Promise<string> => {
    const place = decodePlace(cursor);
    const [row] = await db(books.owner).query<{ run: bigint }>(
      sql`select events.run_of(${place.epoch}::integer) as run`,
    );
    return encodePlace({ ...place, run: row?.run ?? 0n });
  };
});

describe('is refused', () => {
  beforeAll(open);

  test.each([
    ['?cursor=x', 'cursor'],
    [`?cursor=${Buffer.from('1.2.3.x').toString('base64url')}`, 'cursor'],
    [`?cursor=${Buffer.from('1.2.3').toString('base64url')}`, 'cursor'],
    [`?cursor=${Buffer.from('99999999999.1.1.1').toString('base64url')}`, 'cursor'],
    ['?limit=0', 'limit'],
    ['?limit=501', 'limit'],
    ['?limit=x', 'limit'],
    ['?limit=0x10', 'limit'],
    ['?limit=1e2', 'limit'],
    ['?limit=', 'limit'],
    ['?cursor=%z', 'cursor'],
    ['?from=yesterday', 'from'],
    ['?after=1', 'after'],
  ])('%s, by the name of what is wrong', async (query, path) => {
    const response = await read(query);
    expect(response.statusCode).toBe(400);
    expect(response.json().detail.problems[0].path).toBe(path);
  });

  test('without data:read, and at once when the key is revoked', async () => {
    const { key } = await books.makeKey(['intake:write']);
    expect((await books.call({ url, key })).statusCode).toBe(403);
    const reader = await books.makeKey(['data:read']);
    expect((await books.call({ url, key: reader.key })).statusCode).toBe(200);
    await withTx(books.owner, (tx) => revokeKey(tx, reader.id, 'test'));
    expect((await books.call({ url, key: reader.key })).statusCode).toBe(401);
  });
});
