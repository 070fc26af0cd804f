import { randomUUID } from 'node:crypto';
import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { countVouchers, type Installation, voucherBody } from '../support/installation.ts';
import { openBooks, openSecondApp } from './books.ts';

const url = '/api/v1/verifikat/bunt';
const single = '/api/v1/verifikat';
let books: Installation;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

type Item = Record<string, unknown>;
const item = (overrides: object = {}): Item => ({
  ...voucherBody(),
  idempotencyKey: randomUUID(),
  ...overrides,
});
const many = (count: number) => Array.from({ length: count }, () => item());
const lines = (items: readonly unknown[]) =>
  `${items.map((one) => JSON.stringify(one)).join('\n')}\n`;

interface Sending {
  readonly query?: string;
  readonly key?: string;
}
const sendText = (payload: string | Buffer, type: string, { query = '', key }: Sending = {}) =>
  books.call({
    method: 'POST',
    url: `${url}${query}`,
    payload,
    headers: { 'content-type': type },
    ...(key ? { key } : {}),
  });
const send = (items: readonly unknown[], sending?: Sending) =>
  sendText(JSON.stringify(items), 'application/json', sending);
const sendLines = (items: readonly unknown[], sending?: Sending) =>
  sendText(lines(items), 'application/x-ndjson', sending);

interface Result {
  readonly status: number;
  readonly id?: string;
  readonly number?: number;
  readonly error?: string;
  readonly replayed?: true;
  readonly index?: number;
  readonly line?: number;
  readonly message?: string;
  readonly detail?: { problems?: { path: string; reason: string }[] };
}
const resultsOf = (answer: Response): Result[] => {
  expect([answer.statusCode, answer.body.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return answer.json().results;
};
const statusesOf = (answer: Response) => resultsOf(answer).map(({ status }) => status);
const keysKept = async (keys: readonly unknown[]) => {
  const [row] = await db(books.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from restricted.idempotency where idempotency_key = any (${keys}::text[])`,
  );
  return row?.count;
};

describe('many vouchers in one call', () => {
  test.each([
    ['an array', send],
    ['lines', sendLines],
  ])('%s: each is posted, answered in its place, and can be read', async (_, sending) => {
    const items = [
      item({ description: 'Första' }),
      item({ description: 'Andra', counterparty: 'Åsa & Co', rows: voucherBody().rows }),
      item({ description: 'Tredje' }),
    ];
    const answer = await sending(items);
    const results = resultsOf(answer);
    const numbers = results.map(({ number = 0 }) => number);
    expect(numbers).toEqual([numbers[0], (numbers[0] ?? 0) + 1, (numbers[0] ?? 0) + 2]);
    for (const [place, { id }] of results.entries()) {
      const { data } = (await books.call({ url: `${single}?id=${id}` })).json();
      expect(data[0].description).toBe(items[place]?.['description']);
      expect(data[0].rows).toHaveLength(3);
    }
    expect(results[0]).toMatchObject({ status: 200, series: 'A', label: `A${numbers[0]}` });
  });

  test('a thousand are posted, in their order and without a gap, and the books are whole', async () => {
    const before = await countVouchers(books.owner);
    const results = resultsOf(await sendLines(many(1000)));
    expect(await countVouchers(books.owner)).toBe(before + 1000);
    const numbers = results.map(({ number = 0 }) => number);
    expect(numbers).toEqual(numbers.map((_, place) => (numbers[0] ?? 0) + place));
    expect(await problemsOfBooks()).toEqual([]);
  });

  test('one that is refused harms no neighbour, and is told as it would have been alone', async () => {
    const unknown = {
      ...voucherBody(),
      rows: [
        { account: 1931, debit: 1, credit: 0 },
        { account: 3001, debit: 0, credit: 1 },
      ],
    };
    const items = [
      item(),
      item({ rows: [{ account: 1930, debit: 1, credit: 0 }] }),
      item({ seriesCode: 'Q' }),
      item(unknown),
      { ...item(), idempotencyKey: undefined },
      item({ idempotencyKey: 'short' }),
      item({ surprise: 1 }),
      'not a voucher',
      item(),
    ];
    const results = resultsOf(await send(items));
    expect(results.map(({ status }) => status)).toEqual([
      200, 400, 422, 422, 400, 400, 400, 400, 200,
    ]);
    expect(results[1]).toMatchObject({ index: 1, error: 'invalid_request' });
    const alone = await books.call({ method: 'POST', url: single, payload: unknown });
    const { request_id: _, ...told } = alone.json();
    expect(results[3]).toMatchObject({ index: 3, ...told });
    expect(results[4]?.detail?.problems?.[0]).toMatchObject({
      path: 'idempotencyKey',
      reason: 'required',
    });
    expect(results[5]?.detail?.problems?.[0]).toMatchObject({
      path: 'idempotencyKey',
      message: 'idempotencyKey ska ha minst 8 tecken.',
    });
    expect(results[6]?.detail?.problems?.[0]).toMatchObject({ path: 'surprise' });
  });

  test('a line that cannot be read is told by its number, and the others are posted', async () => {
    const text = `${JSON.stringify(item())}\r\n\r\n{"seriesCode": "A"\n  \n${JSON.stringify(item())}`;
    const results = resultsOf(await sendText(text, 'application/x-ndjson'));
    expect(results.map(({ status, line }) => [status, line])).toEqual([
      [200, undefined],
      [400, 3],
      [200, undefined],
    ]);
    expect(results[1]?.message).toMatch(/^Rad 3 är inte giltig JSON/);
    const latin1 = Buffer.from(JSON.stringify(item({ description: 'Åtta' })), 'latin1');
    const mixed = Buffer.concat([latin1, Buffer.from('\n'), Buffer.from(JSON.stringify(item()))]);
    expect(statusesOf(await sendText(mixed, 'application/x-ndjson'))).toEqual([400, 200]);
  });

  test('a place in an array that cannot be read is told by its number, a name given twice by the name', async () => {
    const good = JSON.stringify(item());
    const twice = good.replace('{', '{"description":"x",');
    const answer = await sendText(
      `[${good}, {"a": tru}, ${twice}, ${JSON.stringify(item())}]`,
      'application/json',
    );
    const results = resultsOf(answer);
    expect(results.map(({ status }) => status)).toEqual([200, 400, 400, 200]);
    expect(results[1]?.message).toMatch(/^Post 2 i listan är inte giltig JSON/);
    expect(results[2]?.detail?.problems).toMatchObject([
      { path: 'description', reason: 'duplicate_name' },
    ]);
  });

  test('strings with braces, commas and quotes do not cut a voucher in two', async () => {
    const odd = '}],[{"\\", \u2028 ] é 😀';
    const answer = await send([item({ description: odd }), item({ description: `${odd}\\` })]);
    const [first] = resultsOf(answer);
    expect(statusesOf(answer)).toEqual([200, 200]);
    const { data } = (await books.call({ url: `${single}?id=${first?.id}` })).json();
    expect(data[0].description).toBe(odd);
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n \r\n'],
    ['an empty array', '[]'],
    ['an array cut off', `[${JSON.stringify(item())}, {"seriesCode"`],
    ['an array cut off between two', `[${JSON.stringify(item())},`],
    ['an array without its end', `[${JSON.stringify(item())}`],
    ['an array with a comma too many', `[${JSON.stringify(item())},]`],
    ['something after the array', `[${JSON.stringify(item())}] x`],
    ['a string without its end', `[${JSON.stringify(item())}, "x`],
    ['a closing that opens nothing', `[${JSON.stringify(item())}}`],
    ['one object', JSON.stringify(item())],
  ])('%s as application/json is refused as a whole, and nothing is posted', async (_, payload) => {
    const before = await countVouchers(books.owner);
    const answer = await sendText(payload, 'application/json');
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request']);
    expect(answer.json().detail.problems[0].path).toBe('body');
    expect(await countVouchers(books.owner)).toBe(before);
  });

  test('whoever says no type is understood by the first byte', async () => {
    for (const text of [JSON.stringify([item()]), `\ufeff${lines([item()])}`]) {
      const answer = await sendText(text, 'application/x-www-form-urlencoded');
      expect(statusesOf(answer)).toEqual([200]);
    }
  });
});

describe('limits', () => {
  test('more than a thousand, or more than 4 MB, is 413, and nothing is posted', async () => {
    const before = await countVouchers(books.owner);
    const tooMany = await sendLines(many(1001));
    expect([tooMany.statusCode, tooMany.json()]).toMatchObject([
      413,
      { error: 'payload_too_large', detail: { items: 1001, items_max: 1000 } },
    ]);
    const tooLong = await send([item({ description: 'x'.repeat(4 * 1024 * 1024) })]);
    expect(tooLong.statusCode).toBe(413);
    expect(await countVouchers(books.owner)).toBe(before);
  });

  test('a voucher larger than it may be alone is refused alone', async () => {
    const rows = Array.from({ length: 14_000 }, (_, n) => ({
      account: n % 2 ? 1930 : 3001,
      debit: n % 2,
      credit: (n + 1) % 2,
    }));
    expect(JSON.stringify(rows).length).toBeGreaterThan(512 * 1024);
    expect(statusesOf(await send([item({ rows }), item()]))).toEqual([413, 200]);
  });

  test('long vouchers, near 4 MB of them, are all posted', async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => ({
      account: n % 2 ? 1930 : 3001,
      debit: n % 2,
      credit: (n + 1) % 2,
    }));
    const items = Array.from({ length: 45 }, () => item({ rows }));
    expect(JSON.stringify(items).length).toBeGreaterThan(3.2 * 1024 * 1024);
    // A busy machine sheds what has waited too long; it is sent again, as everything that is.
    await expect
      .poll(async () => new Set(statusesOf(await sendLines(items))), { timeout: 100_000 })
      .toEqual(new Set([200]));
    const atomic = items.map((one) => ({ ...one, idempotencyKey: randomUUID() }));
    expect(new Set(statusesOf(await send(atomic, { query: '?atomic=true' })))).toEqual(
      new Set([200]),
    );
  });

  test('counts as one call, and one more for each hundred', async () => {
    const { key } = await books.makeKey(['data:read', 'ledger:write'], 1000);
    const left = ({ headers }: Response) => /r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
    expect(left(await send(many(99), { key }))).toBe('999');
    expect(left(await send(many(100), { key }))).toBe('997');
    expect(left(await send(many(250), { key, query: '?dryRun=true' }))).toBe('994');
    expect(left(await send(many(1000), { key, query: '?atomic=true' }))).toBe('983');
    const meta = await books.call({ url: '/api/v1/meta', key });
    expect(left(meta)).toBe('982');
  });

  test('one that the hour has not calls enough for is 429, nothing is posted, and a smaller one goes', async () => {
    const { key } = await books.makeKey(['data:read', 'ledger:write'], 5);
    const before = await countVouchers(books.owner);
    const answer = await send(many(500), { key });
    expect([answer.statusCode, answer.json().error]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3000);
    expect(await countVouchers(books.owner)).toBe(before);
    expect(statusesOf(await send(many(3), { key }))).toEqual([200, 200, 200]);
    // Of five calls: the one that was too large, this one, and three of the next.
    expect(statusesOf(await send(many(200), { key }))).toHaveLength(200);
    expect((await send(many(1), { key })).statusCode).toBe(429);
  });

  test('needs both scopes', async () => {
    for (const scopes of [['ledger:write'], ['data:read'], ['intake:write']] as const) {
      const { key } = await books.makeKey(scopes);
      expect((await send(many(1), { key })).statusCode).toBe(403);
    }
  });
});

describe('sent again', () => {
  test('the same bunt gives the same vouchers, and none twice', async () => {
    const items = many(250);
    const first = resultsOf(await send(items));
    const before = await countVouchers(books.owner);
    const again = resultsOf(await sendLines(items));
    expect(again).toEqual(first.map((one) => ({ ...one, replayed: true })));
    expect(resultsOf(await send(items, { query: '?atomic=true' }))).toEqual(again);
    expect(await countVouchers(books.owner)).toBe(before);
  });

  test('what was refused can be mended under its key, beside what is told again', async () => {
    const [good, bad] = [item(), item({ seriesCode: 'Q' })];
    const [posted] = resultsOf(await send([good, bad]));
    const results = resultsOf(await send([good, { ...bad, seriesCode: 'A' }]));
    expect(results).toEqual([
      { ...posted, replayed: true },
      expect.objectContaining({ status: 200, number: (posted?.number ?? 0) + 1 }),
    ]);
  });

  test('a key is the same on the route for one and on the one for many', async () => {
    const key = randomUUID();
    const alone = await books.call({
      method: 'POST',
      url: single,
      payload: voucherBody(),
      headers: { 'idempotency-key': key },
    });
    // Other spacing, other order of names: the same voucher.
    const { rows, ...rest } = voucherBody();
    const [bulk] = resultsOf(await send([{ rows, idempotencyKey: key, ...rest }]));
    expect(bulk).toEqual({ status: 200, ...alone.json(), replayed: true });
    const { idempotencyKey, ...voucher } = item();
    const [first] = resultsOf(await send([{ ...voucher, idempotencyKey }]));
    const after = await books.call({
      method: 'POST',
      url: single,
      payload: voucher,
      headers: { 'idempotency-key': String(idempotencyKey) },
    });
    expect(after.headers['idempotent-replayed']).toBe('true');
    expect(after.json().id).toBe(first?.id);
  });

  test('another body under a key is a conflict that names the fields; the neighbours are posted', async () => {
    const first = item();
    await send([first]);
    const [conflict, other] = resultsOf(await send([{ ...first, description: 'Annat' }, item()]));
    expect(conflict).toMatchObject({
      status: 409,
      error: 'idempotency_conflict',
      detail: { differing_fields: ['description'] },
    });
    expect(other?.status).toBe(200);
  });

  test('one key twice in a bunt: the same voucher is one voucher, another one is a conflict', async () => {
    const first = item();
    const before = await countVouchers(books.owner);
    const results = resultsOf(
      await send([first, item(), first, { ...first, description: 'Annat' }, item()]),
    );
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 409, 200]);
    expect(results[2]).toEqual({ ...results[0], replayed: true });
    expect(await countVouchers(books.owner)).toBe(before + 3);
    // As if sent one after the other: what was refused leaves its key to the next.
    const wrong = item({ seriesCode: 'Q' });
    expect(statusesOf(await send([wrong, { ...wrong, seriesCode: 'A' }]))).toEqual([422, 200]);
  });

  test('the same bunt on several connections and processes at once is posted once', async () => {
    const second = await openSecondApp(books);
    try {
      const items = many(120);
      const before = await countVouchers(books.owner);
      const payload = JSON.stringify(items);
      const headers = { authorization: `Bearer ${books.key}`, 'content-type': 'application/json' };
      const sendings = [books.app, second.app, books.app, second.app].map((app, place) =>
        app.inject({
          method: 'POST',
          url: `${url}${place === 3 ? '?atomic=true' : ''}`,
          payload,
          headers,
        }),
      );
      const answers = await Promise.all(sendings);
      for (const answer of answers) {
        if (answer.statusCode !== 200) {
          expect(answer.json().error).toBe('idempotency_in_progress');
          continue;
        }
        for (const { status, error } of answer.json().results) {
          expect(status === 200 || error === 'idempotency_in_progress').toBe(true);
        }
      }
      const settled = resultsOf(await send(items));
      expect(new Set(settled.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await countVouchers(books.owner)).toBe(before + 120);
    } finally {
      await second.close();
    }
  });

  test('another key’s bunt with the same names of its own is its own', async () => {
    const { key } = await books.makeKey(['data:read', 'ledger:write']);
    const items = many(2);
    const [ours] = resultsOf(await send(items));
    const [theirs] = resultsOf(await send(items, { key }));
    expect(theirs?.replayed).toBeUndefined();
    expect(theirs?.id).not.toBe(ours?.id);
  });
});

describe('all or none', () => {
  test('all are posted when nothing is in the way', async () => {
    const before = await countVouchers(books.owner);
    const results = resultsOf(await send(many(600), { query: '?atomic=true' }));
    expect(results.map(({ number = 0 }) => number - (results[0]?.number ?? 0))).toEqual(
      results.map((_, place) => place),
    );
    expect(await countVouchers(books.owner)).toBe(before + 600);
  });

  test.each([
    ['that the ledger refuses', () => item({ seriesCode: 'Q' }), 422],
    [
      'that does not balance',
      () =>
        item({
          rows: [
            { account: 1930, debit: 1, credit: 0 },
            { account: 3001, debit: 0, credit: 2 },
          ],
        }),
      400,
    ],
    ['that is no voucher', () => 7, 400],
  ])('one %s: which is said, none is posted, and every key stays free', async (_, bad, status) => {
    const items = [...many(300), bad(), ...many(10)];
    const before = await countVouchers(books.owner);
    const events = await latestEvent();
    const answer = await send(items, { query: '?atomic=true' });
    expect([answer.statusCode, answer.json().error]).toEqual([422, 'bulk_refused']);
    expect(answer.json().message).toMatch(
      /^1 av 311 verifikat har hinder, och inget är bokfört\. Det första, nummer 301: /,
    );
    expect(answer.json().detail).toMatchObject({
      refused_count: 1,
      refused: [{ index: 300, status }],
    });
    expect(await countVouchers(books.owner)).toBe(before);
    expect(await latestEvent()).toBe(events);
    const good = items.filter((one): one is Item => one !== items[300]);
    expect(await keysKept(good.map(({ idempotencyKey }) => idempotencyKey))).toBe(0);
    // The next number is the one that would have come.
    const mended = resultsOf(await send(good, { query: '?atomic=true' }));
    expect(mended.every((one) => one.status === 200 && !one.replayed)).toBe(true);
    expect(await problemsOfBooks()).toEqual([]);
  });

  test('all that is wrong is said at once, the first hundred of it', async () => {
    const items = many(150).map((one, place) =>
      place % 5 === 0 ? one : { ...one, seriesCode: 'Q' },
    );
    const { detail } = (await send(items, { query: '?atomic=true' })).json();
    expect([detail.refused_count, detail.refused.length]).toEqual([120, 100]);
    expect(detail.refused[1]).toMatchObject({ index: 2, error: 'unprocessable' });
  });

  test('one key twice: the same voucher is one, another one stops all', async () => {
    const first = item();
    const results = resultsOf(await send([first, item(), first], { query: '?atomic=true' }));
    expect(results[2]).toEqual({ ...results[0], replayed: true });
    const other = item();
    const answer = await send([other, { ...other, description: 'Annat' }], {
      query: '?atomic=true',
    });
    expect(answer.json().detail.refused).toMatchObject([
      { index: 1, error: 'idempotency_conflict' },
    ]);
    expect(await keysKept([other['idempotencyKey']])).toBe(0);
  });

  test('a connection lost in the middle leaves nothing, and the same again is posted', async () => {
    const items = many(700);
    const before = await countVouchers(books.owner);
    const holder = await books.owner.connect();
    try {
      // Whoever posts waits for this, with its first part written.
      await holder.query('begin; select from ledger.series for update');
      const sending = send(items, { query: '?atomic=true' });
      await expect
        .poll(async () => {
          const { rows } = await holder.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
             and pid in (select pid from pg_locks where not granted)`,
          );
          return rows.length;
        })
        .toBeGreaterThan(0);
      await holder.query('rollback');
      const answer = await sending;
      expect([200, 503]).toContain(answer.statusCode);
    } finally {
      holder.release();
    }
    const done = resultsOf(await send(items, { query: '?atomic=true' }));
    expect(done.every(({ status }) => status === 200)).toBe(true);
    expect(await countVouchers(books.owner)).toBe(before + 700);
  });
});

describe('a dry run', () => {
  test('judges each and writes nothing; no key is needed, and none is taken', async () => {
    const before = await countVouchers(books.owner);
    const kept = item();
    const items = [voucherBody(), kept, item({ seriesCode: 'Q' }), item({ surprise: 1 })];
    const results = resultsOf(await send(items, { query: '?dryRun=true' }));
    expect(results.map(({ status }) => status)).toEqual([200, 200, 422, 400]);
    expect(results[0]).toEqual({
      status: 200,
      dry_run: true,
      series: 'A',
      verification_date: '2026-03-31',
      total_amount: 125,
    });
    expect(await countVouchers(books.owner)).toBe(before);
    expect(await keysKept([kept['idempotencyKey']])).toBe(0);
  });

  test('with atomic it answers as the real one would have', async () => {
    const query = '?dryRun=true&atomic=true';
    expect(statusesOf(await send(many(2), { query }))).toEqual([200, 200]);
    const answer = await send([item(), item({ seriesCode: 'Q' })], { query });
    expect(answer.json()).toMatchObject({
      error: 'bulk_refused',
      detail: { refused_count: 1, refused: [{ index: 1, error: 'unprocessable' }] },
    });
  });

  test('what is neither true nor false, or unknown, is named', async () => {
    for (const query of ['?atomic=1', '?dryRun=ja', '?atomisk=true']) {
      expect((await send(many(1), { query })).statusCode).toBe(400);
    }
  });
});

test('locks and closed days stop those they stop, and say which and until when', async () => {
  await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', 'test'));
  const items = [
    item({ date: '2026-01-31' }),
    item({ date: '2026-02-01' }),
    item({ date: '2031-01-01' }),
  ];
  const results = resultsOf(await send(items));
  expect(results).toMatchObject([
    { status: 422, error: 'period_locked', detail: { lock: 'period', locked_to: '2026-01-31' } },
    { status: 200 },
    { status: 422, error: 'unprocessable' },
  ]);
  const answer = await send([item(), item({ date: '2026-01-15' })], { query: '?atomic=true' });
  expect(answer.json().detail.refused).toMatchObject([
    { index: 1, error: 'period_locked', detail: { earliest_allowed_date: '2026-02-01' } },
  ]);
});

test('a key that is revoked while its bunt is under way posts nothing more, and is told so', async () => {
  const { id, key } = await books.makeKey(['data:read', 'ledger:write']);
  const holder = await books.owner.connect();
  try {
    await holder.query('begin; lock table restricted.api_keys in exclusive mode');
    const before = await countVouchers(books.owner);
    const sending = send(many(20), { key });
    await expect
      .poll(async () => {
        const { rows } = await holder.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    await holder.query('update restricted.api_keys set revoked_at = now() where id = $1', [id]);
    await holder.query('commit');
    const answer = await sending;
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'key_revoked']);
    expect(await countVouchers(books.owner)).toBe(before);
  } finally {
    holder.release();
  }
});

const problemsOfBooks = async () => (await verifyBooks(db(books.owner), () => undefined)).problems;

test('what a voucher is called where it comes from finds it again, one by one and in bulk; its seal is as before', async () => {
  const [one, other] = [`Z-${randomUUID()}`, `Z-${randomUUID()}`];
  const payload = voucherBody({ externalId: one });
  const alone = await books.call({ method: 'POST', url: single, payload });
  const items = [
    item({ externalId: one }),
    item({ externalId: other }),
    item(),
    item({ externalId: '' }),
  ];
  const ids = resultsOf(await send(items)).map(({ id }) => id);
  expect(ids[3]).toBeUndefined();
  const find = async (query: string) => {
    const { data } = (await books.call({ url: `${single}?${query}` })).json();
    return data.map((found: { id: string; external_id: string | null }) => [
      found.id,
      found.external_id,
    ]);
  };
  expect(await find(`externalId=${one}`)).toEqual([
    [alone.json().id, one],
    [ids[0], one],
  ]);
  expect(await find(`externalId=${one}&externalId=${other}&konto=1930&limit=5`)).toHaveLength(3);
  expect(await find(`externalId=${one.toLowerCase()}`)).toEqual([]);
  expect(await find(`id=${ids[2]}&id=${ids[1]}`)).toEqual([
    [ids[1], other],
    [ids[2], null],
  ]);
  const first = (await books.call({ url: `${single}?externalId=${one}&limit=1` })).json();
  expect(first.has_more).toBe(true);
  const after = `limit=1&cursor=${first.next_cursor}`;
  expect(await find(`externalId=${one}&${after}`)).toEqual([[ids[0], one]]);
  const foreign = await books.call({ url: `${single}?externalId=${other}&${after}` });
  expect(foreign.statusCode).toBe(400);
  const changed = db(books.owner).query(sql`update ledger.external_ids set external_id = 'x'`);
  await expect(changed).rejects.toThrow();
  expect(await problemsOfBooks()).toEqual([]);
});

async function latestEvent(): Promise<number> {
  const [row] = await db(books.owner).query<{ seq: number }>(
    sql`select coalesce(max(seq), 0)::integer as seq from events.outbox`,
  );
  return row?.seq ?? 0;
}
