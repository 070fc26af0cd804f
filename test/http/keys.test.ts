import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateKey } from '#src/access/keys/rotation.ts';
import { revokeKey } from '#src/access/keys/service.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { withKey } from '#src/http/access.ts';
import { Readers } from '#src/http/readers.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { type Installation, voucherBody } from '../support/installation.ts';
import { times } from '../support/processes.ts';
import { openBooks, openSecondApp, type SecondApp } from './books.ts';
import { exchangeOne, head, listen } from './raw.ts';

const meta = '/api/v1/meta';
const vouchers = '/api/v1/verifikat';
let books: Installation;
let second: SecondApp;
let port: number;
beforeAll(async () => {
  books = await openBooks();
  second = await openSecondApp(books);
  port = await listen(second.app);
});
afterAll(async () => {
  await second.close();
  await books.close();
});

const used = async (id: string) => {
  const [window] = await db(books.owner).query<{ used: bigint }>(
    sql`select used from restricted.key_windows where key_id = ${id}`,
  );
  return Number(window?.used ?? 0);
};

describe('scopes', () => {
  test('a key without the scope learns which it needs and which it lacks', async () => {
    const { key } = await books.makeKey(['intake:write']);
    const read = await books.call({ url: vouchers, key });
    expect(read.statusCode).toBe(403);
    expect(read.json()).toMatchObject({
      error: 'insufficient_scope',
      message: expect.stringContaining('data:read'),
      detail: { required: ['data:read'], missing: ['data:read'] },
    });
    const write = await books.call({ method: 'POST', url: vouchers, key, payload: voucherBody() });
    expect(write.json().detail).toEqual({
      required: ['ledger:write', 'data:read'],
      missing: ['ledger:write', 'data:read'],
    });
    expect(write.json().message).toMatch(
      /^Nyckeln saknar behörigheterna ledger:write och data:read\./,
    );
  });

  test('ledger:write alone cannot post a voucher, since accounts are looked up', async () => {
    const { key } = await books.makeKey(['ledger:write']);
    const answer = await books.call({ method: 'POST', url: vouchers, key, payload: voucherBody() });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().detail).toEqual({
      required: ['ledger:write', 'data:read'],
      missing: ['data:read'],
    });
  });

  test('data:read alone changes nothing', async () => {
    const { key } = await books.makeKey(['data:read']);
    const answer = await books.call({ method: 'POST', url: vouchers, key, payload: voucherBody() });
    expect(answer.json().detail.missing).toEqual(['ledger:write']);
  });

  test('a call refused for its scope spends none of the quota', async () => {
    const { id, key } = await books.makeKey(['intake:write'], 1);
    for (let call = 0; call < 3; call += 1) {
      expect((await books.call({ url: vouchers, key })).statusCode).toBe(403);
    }
    expect(await used(id)).toBe(0);
    expect((await books.call({ url: meta, key })).statusCode).toBe(200);
  });
});

describe('how a key is sent', () => {
  const raw = (lines: string[], path = meta) => exchangeOne(port, [head('GET', path, lines)]);

  test('the word bearer may be written in any case', async () => {
    for (const word of ['bearer', 'BEARER', 'Bearer']) {
      const answer = await raw([`AUTHORIZATION: ${word} ${books.key}`]);
      expect(answer.statusCode).toBe(200);
    }
  });

  test('a key sent twice is refused, since nobody can tell which one was meant', async () => {
    const { key: other } = await books.makeKey();
    for (const next of [books.key, other, 'nonsense']) {
      const lines = [`Authorization: Bearer ${books.key}`, `Authorization: Bearer ${next}`];
      expect((await raw(lines)).statusCode).toBe(401);
    }
  });

  test('a key in the address opens nothing', async () => {
    for (const name of ['key', 'api_key', 'access_token', 'Authorization', 'token']) {
      const answer = await raw([], `${meta}?${name}=${books.key}`);
      expect(answer.statusCode).toBe(401);
    }
  });

  test('a key in the address beside a good one is pointed out as an unknown parameter', async () => {
    const answer = await books.call({ url: `${meta}?key=x` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail.problems[0]).toMatchObject({
      path: 'key',
      reason: 'unknown_field',
    });
  });
});

describe('quota', () => {
  test('exactly as many calls as the key has get through, over two processes at once', async () => {
    const { id, key } = await books.makeKey(['data:read'], 37);
    const headers = { authorization: `Bearer ${key}` };
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, call) =>
        (call % 2 === 0 ? books.app : second.app).inject({ url: meta, headers }),
      ),
    );
    const passed = answers.filter((answer) => answer.statusCode === 200);
    const stopped = answers.filter((answer) => answer.statusCode === 429);
    expect([passed.length, stopped.length]).toEqual([37, 83]);
    const left = passed.map((answer) => /r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]);
    expect(left.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 37 }, (_, n) => n));
    expect(await used(id)).toBe(120);
  });

  test('a stopped call says when to come back, in whole seconds', async () => {
    const { key } = await books.makeKey(['data:read'], 1);
    const first = await books.call({ url: meta, key });
    expect(first.headers['ratelimit-policy']).toBe('"hour";q=1;w=3600');
    expect(first.headers['ratelimit']).toMatch(/^"hour";r=0;t=3(599|600)$/);
    const answer = await books.call({ url: meta, key });
    expect(answer.statusCode).toBe(429);
    expect(answer.json().error).toBe('rate_limited');
    const wait = Number(answer.headers['retry-after']);
    expect(Number.isInteger(wait)).toBe(true);
    expect(wait).toBeGreaterThan(3590);
    expect(wait).toBeLessThanOrEqual(3600);
    expect(answer.headers['ratelimit']).toMatch(/^"hour";r=0;t=3\d{3}$/);
  });

  test('Retry-After counts from when the window opened, not from the call', async () => {
    const { id, key } = await books.makeKey(['data:read'], 1);
    await books.call({ url: meta, key });
    await db(books.owner).query(sql`update restricted.key_windows
      set opened_at = now() - interval '59 minutes' where key_id = ${id}`);
    const answer = await books.call({ url: meta, key });
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(50);
  });

  test('an hour after the first call the whole quota is back', async () => {
    const { id, key } = await books.makeKey(['data:read'], 2);
    for (let call = 0; call < 5; call += 1) await books.call({ url: meta, key });
    expect((await books.call({ url: meta, key })).statusCode).toBe(429);
    await db(books.owner).query(sql`update restricted.key_windows
      set opened_at = opened_at - interval '1 hour' where key_id = ${id}`);
    const again = await books.call({ url: meta, key });
    expect(again.statusCode).toBe(200);
    expect(again.headers['ratelimit']).toMatch(/^"hour";r=1;t=3(599|600)$/);
  });

  test('a quota used up while the clock was ahead is back when the clock is right', async () => {
    const { id, key } = await books.makeKey(['data:read'], 1);
    for (let call = 0; call < 2; call += 1) await books.call({ url: meta, key });
    await db(books.owner).query(sql`update restricted.key_windows
      set opened_at = now() + interval '1 year' where key_id = ${id}`);
    const again = await books.call({ url: meta, key });
    expect(again.statusCode).toBe(200);
    expect(again.headers['ratelimit']).toMatch(/^"hour";r=0;t=3(599|600)$/);
  });

  test('one key that has spent its quota stops no other', async () => {
    const { key: spent } = await books.makeKey(['data:read'], 1);
    await books.call({ url: meta, key: spent });
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => books.call({ url: meta, key: spent })),
      books.call({ url: meta }),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([...Array(20).fill(429), 200]);
  });
});

describe('the order of refusal', () => {
  test('a call with every fault is told of them one by one: 401, 403, 429, 413, 400', async () => {
    const payload = 'x'.repeat(512 * 1024 + 1);
    const send = (key: string | null) =>
      books.call({
        method: 'POST',
        url: `${vouchers}?what=1`,
        key,
        payload,
        headers: { 'idempotency-key': 'short' },
      });
    expect((await send(`svc_live_${'a'.repeat(43)}`)).statusCode).toBe(401);

    const { key: poor, id: poorId } = await books.makeKey(['data:read'], 1);
    await books.call({ url: meta, key: poor });
    expect((await send(poor)).statusCode).toBe(403);
    await withTx(books.owner, (tx) => revokeKey(tx, poorId, 'test'));
    expect((await send(poor)).statusCode).toBe(401);

    const { key: spent } = await books.makeKey(['ledger:write', 'data:read'], 1);
    await books.call({ url: meta, key: spent });
    expect((await send(spent)).statusCode).toBe(429);
    expect((await send(books.key)).statusCode).toBe(413);
    const small = await books.call({
      method: 'POST',
      url: vouchers,
      payload: 'x',
      headers: { 'idempotency-key': 'short' },
    });
    expect(small.statusCode).toBe(400);
  });
});

describe('addresses that guess keys', () => {
  test('are stopped for the rest of the hour, while a good key from there still works', async () => {
    const remoteAddress = '203.0.113.9';
    const env = { TRUST_PROXY: '203.0.113.9' };
    const proxied = await openSecondApp(books, { env });
    const begun = performance.now();
    try {
      const guess = (key: string) =>
        proxied.app.inject({
          url: meta,
          remoteAddress,
          headers: {
            authorization: `Bearer ${key}`,
            'x-forwarded-for': '198.51.100.7',
            'x-forwarded-proto': 'https',
          },
        });
      const wrong = `svc_live_${'b'.repeat(43)}`;
      // So few at once that none is shed, however slow the machine is.
      for (const _ of times(20)) {
        const answers = await Promise.all(times(50).map(() => guess(wrong)));
        expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
      }
      const stopped = await guess(wrong);
      expect(stopped.statusCode).toBe(429);
      const passedSeconds = (performance.now() - begun) / 1000;
      const waitSeconds = Number(stopped.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(3599 - passedSeconds);
      expect(waitSeconds).toBeLessThanOrEqual(3600);
      expect((await guess(books.key)).statusCode).toBe(200);
    } finally {
      await proxied.close();
    }
  });

  test('an address that is none (a proxy that adds a port, a zone, rubbish) is no 500', async () => {
    const proxied = await openSecondApp(books, { env: { TRUST_PROXY: '203.0.113.9' } });
    try {
      for (const address of [
        '198.51.100.7:4711',
        'unknown',
        '_hidden',
        'fe80::1%eth0',
        '"[::1]"',
      ]) {
        const answer = await proxied.app.inject({
          url: meta,
          remoteAddress: '203.0.113.9',
          headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
        });
        expect([address, answer.statusCode]).toEqual([address, 401]);
      }
    } finally {
      await proxied.close();
    }
  });
});

describe('revocation', () => {
  test('acts in mid-call: the next statement of an open transaction reads nothing', async () => {
    const posted = await books.call({ method: 'POST', url: vouchers, payload: voucherBody() });
    expect(posted.statusCode).toBe(200);
    const { id, key } = await books.makeKey(['data:read']);
    const hash = createHash('sha256').update(key).digest();
    const pool = createPool({
      url: await roleUrl(books.url, 'hb_api'),
      max: 1,
      applicationName: 'test revocation',
      isPipelined: true,
    });
    try {
      const count = sql`select count(*)::integer as count from ledger.vouchers`;
      const reading = withKey(
        new Readers({ pool, atOnce: 1, waiting: 1 }),
        { keyId: id, keyName: 'Test', scopes: ['data:read'], hash, hasHungUp: () => false },
        async (tx) => {
          const [before] = await tx.query<{ count: number }>(count);
          expect(before?.count).toBeGreaterThan(0);
          await withTx(books.owner, (owner) => revokeKey(owner, id, 'test'));
          return tx.query(count);
        },
      );
      await expect(reading).rejects.toMatchObject({ code: 'HB402' });
    } finally {
      await pool.end();
    }
  });

  test('nothing is posted once the owner has been told that the key is revoked', async () => {
    const { id, key } = await books.makeKey();
    const countBooked = async () => {
      const [row] = await db(books.owner).query<{ count: number }>(
        sql`select count(*)::integer as count from ledger.vouchers where posted_by = ${`key:${id}`}`,
      );
      return row?.count;
    };
    const post = (app: Installation['app']) =>
      app.inject({
        method: 'POST',
        url: vouchers,
        payload: voucherBody(),
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
      });
    const posting = Array.from({ length: 60 }, (_, call) =>
      post(call % 2 === 0 ? books.app : second.app).then((answer) => answer.statusCode),
    );
    await posting[0];
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    const atRevocation = await countBooked();
    const statuses = await Promise.all(posting);
    expect(await countBooked()).toBe(atRevocation);
    expect(statuses.filter((status) => status === 200)).toHaveLength(Number(atRevocation));
    expect(statuses.filter((status) => status === 401)).toHaveLength(60 - Number(atRevocation));
  });
});

describe('a rotated key', () => {
  const post = (url: string, key: string, payload: object, idempotencyKey: string) =>
    books.call({
      method: 'POST',
      url,
      key,
      payload,
      headers: { 'idempotency-key': idempotencyKey },
    });
  const rotate = (id: string) =>
    withTx(books.owner, async (tx) => (await rotateKey(tx, id, 1, 'test')).created);

  test('is the same caller: what was sent with the one is never done anew with the other', async () => {
    const first = await books.makeKey();
    const customer = await withTx(books.owner, (tx) => insertCustomer(tx, { name: 'Kund AB' }));
    const invoice = {
      customerId: customer.id,
      invoiceDate: '2026-03-31',
      paymentTerms: 30,
      rows: [{ description: 'Vara', quantity: 1, unitPrice: 100, account: 3001, vatRate: 25 }],
    };
    const sent = [
      { url: vouchers, payload: voucherBody(), other: voucherBody({ description: 'Annat' }) },
      { url: '/api/v1/kundfakturor', payload: invoice, other: { ...invoice, paymentTerms: 31 } },
    ];
    const once = 'unclear-answer';
    const before = [];
    for (const { url, payload } of sent) before.push(await post(url, first.key, payload, once));
    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    const third = await rotate((await rotate(first.id)).id);
    for (const [index, { url, payload, other }] of sent.entries()) {
      const again = await post(url, third.key, payload, once);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.json()).toEqual(before[index]?.json());
      const conflict = await post(url, third.key, other, once);
      expect(conflict.json().error).toBe('idempotency_conflict');
    }
    // The other way round: begun with the new, sent again by a process that still has the old.
    const begun = await post(vouchers, third.key, voucherBody(), 'begun-with-the-new');
    const old = await post(vouchers, first.key, voucherBody(), 'begun-with-the-new');
    expect(old.json()).toEqual(begun.json());
    const document = {
      method: 'POST',
      url: '/api/v1/underlag?fileName=kvitto.pdf',
      payload: '%PDF-1.4 kvitto',
      headers: { 'content-type': 'application/octet-stream', 'idempotency-key': 'document-once' },
    } as const;
    const kept = await books.call({ ...document, key: third.key });
    const again = await books.call({ ...document, key: first.key });
    expect([again.statusCode, again.json()]).toEqual([200, kept.json()]);
  });

  test('and its successor, sending the same at the same moment, post it once', async () => {
    const first = await books.makeKey();
    const fresh = await rotate(first.id);
    const payload = voucherBody({ description: 'Från båda' });
    const calls = Array.from({ length: 12 }, (_, n) =>
      post(vouchers, n % 2 ? first.key : fresh.key, payload, 'from-both-keys'),
    );
    const codes = (await Promise.all(calls)).map(({ statusCode }) => statusCode);
    expect(codes.every((code) => code === 200 || code === 409)).toBe(true);
    expect(codes).toContain(200);
    const posted = await db(books.owner).query(
      sql`select from ledger.vouchers where description = 'Från båda'`,
    );
    expect(posted).toHaveLength(1);
  });

  test('passes its last day on', async () => {
    const { id } = await books.makeKey();
    const lastDay = new Date(Date.now() + 40 * 24 * 3_600_000);
    await db(books.owner).query(
      sql`update restricted.api_keys set expires_at = ${lastDay} where id = ${id}::uuid`,
    );
    const fresh = await rotate(id);
    const [row] = await db(books.owner).query<{ expires_at: Date }>(
      sql`select expires_at from restricted.api_keys where id = ${fresh.id}::uuid`,
    );
    expect(row?.expires_at).toEqual(lastDay);
  });
});
