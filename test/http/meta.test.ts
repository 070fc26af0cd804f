import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { appVersion } from '#src/lib/version.ts';
import type { Installation } from '../support/installation.ts';
import { allScopes, voucherBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/meta';
let books: Installation;
beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());

const lastMigration = async () => {
  const [row] = await db(books.owner).query<{ number: number }>(
    sql`select max(substr(name, 1, 4))::integer as number from migration.applied`,
  );
  return row?.number;
};

describe('GET /api/v1/meta', () => {
  test('an integrator learns everything about installation and key in one call', async () => {
    const { key } = await books.makeKey(['data:read']);
    const answer = await books.call({ url, key });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      api_version: 'v1',
      schema_version: 1,
      app_version: appVersion,
      installation_schema_version: await lastMigration(),
      key: { name: 'Test', scopes: ['data:read'] },
      fiscal_years: [{ year: 2026, start: '2026-01-01', end: '2026-12-31', status: 'open' }],
      period_locked_to: null,
      vat_locked_to: null,
      // Quarterly VAT on 20 November: the third quarter was due on the 12th, the fourth is next.
      vat_due_date: '2027-02-12',
      ledger_head: { vouchers: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      endpoints: expect.arrayContaining([
        { method: 'GET', path: '/api/v1/meta', scope: '' },
        { method: 'GET', path: '/api/v1/verifikat', scope: 'data:read' },
        { method: 'POST', path: '/api/v1/verifikat', scope: 'ledger:write data:read' },
        { method: 'POST', path: '/api/inbound/order', scope: 'intake:write' },
        { method: 'POST', path: '/api/inbound/avstamning', scope: 'intake:write' },
      ]),
    });
  });

  test('every endpoint it lists exists and asks for the scope it says', async () => {
    const { endpoints } = (await books.call({ url })).json();
    expect(new Set(endpoints.map((one: object) => JSON.stringify(one))).size).toBe(
      endpoints.length,
    );
    for (const { method, path, scope } of endpoints) {
      if (scope === '') continue;
      const required = scope.split(' ');
      const others = allScopes.filter((one) => !required.includes(one));
      const { key } = await books.makeKey(others);
      const answer = await books.call({ method, url: path, key });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().detail.required).toEqual(required);
    }
  });

  test('any scope is enough to test a key', async () => {
    for (const scope of allScopes) {
      const { key } = await books.makeKey([scope]);
      const answer = await books.call({ url, key });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().key.scopes).toEqual([scope]);
    }
  });

  test('locks show as soon as they are set', async () => {
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-01-31', 'test'));
    await withTx(books.owner, (tx) => setLock(tx, 'vat', '2026-03-31', 'test'));
    const locked = (await books.call({ url })).json();
    expect(locked).toMatchObject({
      period_locked_to: '2026-01-31',
      vat_locked_to: '2026-03-31',
    });
    await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    await withTx(books.owner, (tx) => setLock(tx, 'vat', null, 'test'));
  });

  test('the VAT deadline follows how often the company reports', async () => {
    const due = async (period: string) => {
      await db(books.owner).query(sql`update restricted.company set vat_period = ${period}`);
      return (await books.call({ url })).json().vat_due_date;
    };
    expect(await due('month')).toBe('2026-12-14');
    expect(await due('quarter')).toBe('2027-02-12');
  });

  test('the ledger head moves with every voucher and stands still otherwise', async () => {
    const head = async () => (await books.call({ url })).json().ledger_head;
    const before = await head();
    expect(await head()).toEqual(before);
    const refused = await books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({ seriesCode: 'X' }),
    });
    expect(refused.statusCode).toBe(422);
    expect(await head()).toEqual(before);
    await books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
    const after = await head();
    expect(after.vouchers).toBe(before.vouchers + 1);
    expect(after.hash).not.toBe(before.hash);
  });
});

describe('a key that is no good', () => {
  const get = (headers: Record<string, string>) => books.call({ url, key: null, headers });

  test.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['Basic', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['Bearer without a key', { authorization: 'Bearer ' }],
    ['the key without Bearer', { authorization: `svc_live_${'a'.repeat(43)}` }],
    ['a key that is too short', { authorization: `Bearer svc_live_${'a'.repeat(42)}` }],
    ['a key that is too long', { authorization: `Bearer svc_live_${'a'.repeat(44)}` }],
    ['a key of another kind', { authorization: `Bearer svcb_${'a'.repeat(43)}` }],
    ['a key with a letter that none has', { authorization: `Bearer svc_live_${'å'.repeat(43)}` }],
    ['an unknown key', { authorization: `Bearer svc_live_${'a'.repeat(43)}` }],
    ['two keys in one header', { authorization: `Bearer a, Bearer svc_live_${'a'.repeat(43)}` }],
  ])('%s answers 401 unauthorized and says how to send one', async (_, headers) => {
    const answer = await get(headers as Record<string, string>);
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('unauthorized');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['ratelimit']).toBeUndefined();
  });

  test('a revoked key is told so, at the very next call', async () => {
    const { id, key } = await books.makeKey();
    expect((await books.call({ url, key })).statusCode).toBe(200);
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    const answer = await books.call({ url, key });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toBe('key_revoked');
  });

  test('an expired key answers 401 and says that it has expired', async () => {
    const { id, key } = await books.makeKey();
    await db(books.owner).query(
      sql`update restricted.api_keys set expires_at = now() - interval '1 second' where id = ${id}`,
    );
    const answer = await books.call({ url, key });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({
      error: 'unauthorized',
      message: expect.stringContaining('gått ut'),
    });
    expect(answer.headers['ratelimit']).toBeUndefined();
  });
});

describe('before set-up', () => {
  test('a good key is told that the installation is not ready, a bad one is refused', async () => {
    const empty = await openBooks({ content: 'nothing' });
    try {
      const answer = await empty.call({ url });
      expect(answer.statusCode).toBe(503);
      expect(answer.json().error).toBe('server_misconfigured');
      for (const [method, path] of [
        ['GET', '/api/v1/verifikat'],
        ['POST', '/api/v1/verifikat'],
        ['POST', '/api/inbound/order'],
      ] as const) {
        const other = await empty.call({ method, url: path });
        expect(other.json().error).toBe('server_misconfigured');
      }
      const stranger = await empty.call({ url, key: null });
      expect(stranger.statusCode).toBe(401);
    } finally {
      await empty.close();
    }
  });
});
