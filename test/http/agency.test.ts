import { beforeEach, describe, expect, test } from 'vitest';
import { createAgencyKey, revokeAgencyKey } from '#src/access/agency/keys.ts';
import { createBankAccount, matchTransaction } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { acknowledgeMonth } from '#src/ledger/months/service.ts';
import { type Installation, orderBody, TODAY, voucherBody } from '../support/installation.ts';
import { openBooks, openSecondApp } from './books.ts';

let books: Installation;
let key: string;
let keyId: string;
/** Books for each test, with a key of an agency's. */
const withBooks = (options: { workers?: boolean } = {}) =>
  beforeEach(async () => {
    books = await openBooks(options);
    const created = await withTx(books.owner, (tx) =>
      createAgencyKey(tx, 'Siffror & Co AB', 'test'),
    );
    key = created.key;
    keyId = created.id;
    return () => books.close();
  });

const exchange = (secret: string | null = key, headers = {}) =>
  books.call({ method: 'POST', url: '/api/byra/token', key: secret, headers });
const read = (secret: string | null, headers = {}) =>
  books.call({ method: 'GET', url: '/api/stats/byra', key: secret, headers });
const tokenOf = async (): Promise<string> => (await exchange()).json().access_token;
const aggregate = async () => (await read(await tokenOf())).json();
const revoke = () => withTx(books.owner, (tx) => revokeAgencyKey(tx, keyId, 'test'));
const day = { today: TODAY, timeZone: 'Europe/Stockholm' };

const unknown: [string, string | null][] = [
  ['none', null],
  ['an unknown agency key', `svcb_${'x'.repeat(43)}`],
  ['a short one', 'svcb_x'],
  ['an unknown token', `svct_${'x'.repeat(43)}`],
];

describe('the token', () => {
  withBooks();

  test('is given for the key, for an hour, to read statistics', async () => {
    const before = Math.floor(Date.now() / 1000);
    const response = await exchange();
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const body = response.json();
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svct_[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      expires_at: expect.any(Number),
      scopes: ['stats:read'],
      agency: 'Siffror & Co AB',
    });
    expect(body.expires_at).toBeGreaterThanOrEqual(before + 3600);
    expect(body.expires_at).toBeLessThan(before + 3660);
  });

  test('is new each time, and the earlier goes on working', async () => {
    const [first, second] = [await tokenOf(), await tokenOf()];
    expect(first).not.toBe(second);
    expect((await read(first)).statusCode).toBe(200);
    expect((await read(second)).statusCode).toBe(200);
  });

  test.each<[string, string | null]>([...unknown, ['an API key', 'api']])(
    'is refused for %s',
    async (_name, secret) => {
      const response = await exchange(secret === 'api' ? books.key : secret);
      expect([response.statusCode, response.json().error]).toEqual([401, 'unauthorized']);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    },
  );

  test('is not said to have expired when it is a key, which never does: nobody asks the client for a new one in vain', async () => {
    const wrongKey = (await exchange(`svcb_${'x'.repeat(43)}`)).json().message;
    expect(wrongKey).toContain('saknas eller är okänd');
    expect(wrongKey).not.toContain('gått ut');
    expect((await read(`svct_${'x'.repeat(43)}`)).json().message).toContain('har gått ut');
  });

  test('is given for a key after several spaces, as HTTP allows', async () => {
    const headers = { authorization: `bearer   ${key}` };
    expect((await exchange(null, headers)).statusCode).toBe(200);
  });

  test('is refused for a key in the query', async () => {
    const url = `/api/byra/token?key=${key}`;
    expect((await books.call({ method: 'POST', url, key: null })).statusCode).toBe(401);
  });

  test('is given whatever else the address says: the contract is frozen', async () => {
    for (const query of ['v=2', 'key=a&key=b', 'x=%z', '__proto__=1']) {
      const given = await books.call({ method: 'POST', url: `/api/byra/token?${query}`, key });
      expect([query, given.statusCode]).toEqual([query, 200]);
      const opened = { url: `/api/stats/byra?${query}`, key: given.json().access_token };
      expect([query, (await books.call(opened)).statusCode]).toEqual([query, 200]);
    }
  });

  test('is refused once the client has withdrawn the key', async () => {
    await revoke();
    const response = await exchange();
    expect([response.statusCode, response.json().error]).toEqual([401, 'key_revoked']);
  });

  test('is only exchanged for by POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const response = await books.call({ method, url: '/api/byra/token', key });
      expect([response.statusCode, response.json().error]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.allow).toBe('POST');
    }
  });

  test('that cannot be stored is an outage, not a wrong key', async () => {
    await db(books.owner).query(
      sql`alter table restricted.agency_tokens add constraint broken check (false) not valid`,
    );
    const response = await exchange();
    expect([response.statusCode, response.json().error]).toEqual([503, 'token_unavailable']);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect((await exchange(`svcb_${'x'.repeat(43)}`)).statusCode).toBe(401);
  });

  test('and the key are stored as hashes only', async () => {
    const token = await tokenOf();
    const rows = await db(books.owner).query(
      sql`select k::text, t::text from restricted.agency_keys k, restricted.agency_tokens t`,
    );
    expect(JSON.stringify(rows)).not.toContain(token.slice(5));
    expect(JSON.stringify(rows)).not.toContain(key.slice(10));
  });
});

describe('what a token opens', () => {
  withBooks();

  test.each<[string, string | null]>([
    ...unknown,
    ['the agency key itself', 'own'],
    ['an API key', 'api'],
  ])('nothing for %s', async (_name, secret) => {
    const given = secret === 'own' ? key : secret === 'api' ? books.key : secret;
    const response = await read(given);
    expect([response.statusCode, response.json().error]).toEqual([401, 'unauthorized']);
  });

  test('nothing else than the aggregate', async () => {
    const token = await tokenOf();
    for (const secret of [token, key]) {
      for (const url of ['/api/v1/meta', '/api/v1/verifikat', '/api/stats/overview']) {
        expect((await books.call({ url, key: secret })).statusCode).toBe(401);
      }
    }
  });

  test('nothing once the key is withdrawn, though its hour is not over', async () => {
    const token = await tokenOf();
    expect((await read(token)).statusCode).toBe(200);
    await revoke();
    const response = await read(token);
    expect([response.statusCode, response.json().error]).toEqual([403, 'no_access']);
  });

  test('nothing when its hour is over', async () => {
    const token = await tokenOf();
    await db(books.owner).query(sql`update restricted.agency_tokens set expires_at = now()`);
    const response = await read(token);
    expect([response.statusCode, response.json().error]).toEqual([401, 'unauthorized']);
  });

  test('db_error when the figures cannot be read', async () => {
    const token = await tokenOf();
    await db(books.owner).query(sql`alter table ledger.locks rename to gone`);
    const response = await read(token);
    expect([response.statusCode, response.json().error]).toEqual([500, 'db_error']);
  });
});

describe('the limit of 60 calls an hour', () => {
  withBooks();

  test('counts each route and address by itself, whatever the calls were', async () => {
    for (let call = 1; call <= 60; call += 1) {
      expect((await exchange(call % 2 ? key : 'x')).statusCode).toBe(call % 2 ? 200 : 401);
    }
    const limited = await exchange();
    expect([limited.statusCode, limited.json().error]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await read('x')).statusCode).toBe(401);
    await db(books.owner).query(
      sql`update restricted.address_windows set opened_at = opened_at - interval '1 hour'`,
    );
    expect((await exchange()).statusCode).toBe(200);
  });

  test('is not got round by a made-up X-Forwarded-For', async () => {
    for (let call = 1; call <= 61; call += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${call}` };
      expect((await exchange(key, headers)).statusCode).toBe(call <= 60 ? 200 : 429);
    }
  });

  test('goes by the forwarded address behind a trusted proxy', async () => {
    const second = await openSecondApp(books, { env: { TRUST_PROXY: '127.0.0.1' } });
    const from = async (address: string) => {
      const { statusCode } = await second.app.inject({
        method: 'POST',
        url: '/api/byra/token',
        headers: {
          authorization: `Bearer ${key}`,
          'x-forwarded-for': address,
          'x-forwarded-proto': 'https',
        },
      });
      return statusCode;
    };
    try {
      for (let call = 1; call <= 60; call += 1) expect(await from('198.51.100.7')).toBe(200);
      expect(await from('198.51.100.7')).toBe(429);
      // What stands before the proxy's own addition is the caller's invention.
      expect(await from('203.0.113.9, 198.51.100.7')).toBe(429);
      expect(await from('198.51.100.8')).toBe(200);
      for (let call = 1; call <= 60; call += 1) {
        expect(await from(`2001:db8::${call.toString(16)}`)).toBe(200);
      }
      expect(await from('2001:db8::ffff')).toBe(429);
      expect(await from('2001:db8:0:1::1')).toBe(200);
    } finally {
      await second.close();
    }
  });
});

describe('the aggregate', () => {
  withBooks({ workers: true });

  test('of empty books', async () => {
    expect(await aggregate()).toEqual({
      schema_version: 1,
      installation_schema_version: expect.any(Number),
      period: '202611',
      unbooked_count: 0,
      attachments_missing: 0,
      unmatched_bank: 0,
      last_verification: null,
      period_locked_to: null,
      vat_due_date: '2027-02-12',
      fiscal_year: { start: '2026-01-01', end: '2026-12-31', status: 'open' },
      last_closed_month: null,
      open_month: null,
      open_month_status: null,
      open_month_failing: [],
      months_behind: 0,
    });
  });

  test('counts what the books hold', async () => {
    const posted = await books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody(),
    });
    await books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
    await books.call({ method: 'POST', url: '/api/inbound/order', payload: orderBody() });
    await books.call({
      method: 'POST',
      url: '/api/inbound/order',
      payload: orderBody({ total: 1 }),
    });
    const voucherId = posted.json().id;
    await withTx(books.owner, async (tx) => {
      const account = { name: 'Företagskonto', ledgerAccount: 1930 };
      const { id } = await createBankAccount(tx, account, 'test');
      await insertTransactions(tx, id, [
        { reference: '1', bookedOn: '2026-03-31', amountOre: 12_500n, description: 'Kort' },
        { reference: '2', bookedOn: '2026-04-01', amountOre: -900n, description: 'Avgift' },
      ]);
      const [line] = await tx.query<{ id: string }>(
        sql`select id from bank.transactions where reference = '1'`,
      );
      await matchTransaction(tx, { transactionId: line?.id ?? '', voucherId }, 'test');
      const file = { voucherId, fileName: 'kvitto.pdf', bytes: Buffer.from('%PDF-1.7 kvitto') };
      await addAttachment(tx, file, 'test');
      await setLock(tx, 'period', '2026-01-31', 'test');
      await changeSetting(tx, 'months-from', '2026-01', 'test');
      await acknowledgeMonth(tx, { month: '2026-01-01', reason: null, locks: false }, day, 'test');
      await acknowledgeMonth(tx, { month: '2026-02-01', reason: null, locks: false }, day, 'test');
    });
    expect(await aggregate()).toMatchObject({
      unbooked_count: 2,
      attachments_missing: 1,
      unmatched_bank: 1,
      last_verification: '2026-03-31',
      period_locked_to: '2026-01-31',
      last_closed_month: '2026-02-01',
      open_month: '2026-03-01',
      open_month_status: 'in_progress',
      open_month_failing: ['underlag', 'kundfakturor', 'moms'],
      months_behind: 8,
    });
  });

  test('tells no amount, name or text of the books', async () => {
    const payload = voucherBody({ description: 'Hemligt köp', counterparty: 'Motparten AB' });
    await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
    const text = JSON.stringify(await aggregate());
    expect(text).not.toMatch(/Hemligt|Motparten|Testbolaget|125|1930/);
  });

  test('before the company is set up is an outage', async () => {
    const empty = await openBooks({ content: 'nothing' });
    try {
      const created = await withTx(empty.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
      const answer = await empty.call({ method: 'POST', url: '/api/byra/token', key: created.key });
      const token = answer.json().access_token;
      const response = await empty.call({ url: '/api/stats/byra', key: token });
      expect([response.statusCode, response.json().error]).toEqual([500, 'db_error']);
    } finally {
      await empty.close();
    }
  });
});
