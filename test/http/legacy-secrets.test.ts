import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { syncLegacySecrets } from '#src/access/keys/legacy.ts';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { revokeKey } from '#src/access/keys/service.ts';
import { listKeys } from '#src/access/keys/store.ts';
import { loadConfig } from '#src/config/config.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { type Installation, orderBody } from '../support/installation.ts';
import { openBooks } from './books.ts';

const orderSecret = 'order-secret-order-secret-order-secret';
const statsSecret = 'stats-secret-stats-secret-stats-secret';
let books: Installation;
async function open(workers: boolean): Promise<() => Promise<void>> {
  const env = { ORDER_INBOUND_SECRET: orderSecret, STATS_API_KEY: statsSecret };
  const opened = await openBooks({ workers, env });
  books = opened;
  return opened.close;
}

const order = (key: string, payload = orderBody()) =>
  books.call({ method: 'POST', url: '/api/inbound/order', key, payload });

async function legacyKey(name: string) {
  const keys = await listKeys(db(books.owner));
  return keys.find((key) => key.name === `legacy:${name}`);
}

describe('the secret of an earlier route, where nothing is changed', () => {
  beforeAll(() => open(false));

  test.each([
    ['GET', '/api/v1/meta', orderSecret],
    ['GET', '/api/v1/verifikat', statsSecret],
    ['POST', '/api/v1/verifikat', orderSecret],
    ['POST', '/api/inbound/avstamning', orderSecret],
    ['POST', '/api/inbound/order', statsSecret],
  ] as const)('opens nothing else: %s %s', async (method, url, key) => {
    const response = await books.call({ method, url, key });
    expect(response.statusCode).toBe(401);
    expect(response.json().error).toBe('unauthorized');
  });

  test.each([
    ['another', 'order-secret-order-secret-order-secreT'],
    ['shorter', orderSecret.slice(0, -1)],
    ['longer', `${orderSecret}x`],
    ['of a key, unset', 'peppol-secret-peppol-secret-peppol-secret'],
  ])('%s is 401', async (_name, secret) => {
    expect((await order(secret)).statusCode).toBe(401);
  });
});

describe('the secret of an earlier route', () => {
  beforeEach(() => open(true));

  test('still opens that route, beside the keys', async () => {
    const payload = orderBody();
    const [byKey, bySecret] = [await order(books.key), await order(orderSecret, payload)];
    expect([byKey.statusCode, bySecret.statusCode]).toEqual([200, 200]);
    expect((await order(orderSecret, payload)).json()).toMatchObject({ duplicate: true });
  });

  test('counts as one key, with its quota and name', async () => {
    const key = await legacyKey('ORDER_INBOUND_SECRET');
    expect(key).toMatchObject({ scopes: ['intake:write'], quota_per_hour: 600 });
    await db(books.owner).query(
      sql`update restricted.api_keys set quota_per_hour = 2 where id = ${key?.id}::uuid`,
    );
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await order(orderSecret)).statusCode);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await order(books.key)).statusCode).toBe(200);
  });

  test('is revoked at once like any key, and stays so at the next start', async () => {
    const { id } = (await legacyKey('ORDER_INBOUND_SECRET')) ?? { id: '' };
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    expect((await order(orderSecret)).json().error).toBe('key_revoked');
    const same = [{ name: 'ORDER_INBOUND_SECRET' as const, hash: hashOfSecret(orderSecret) }];
    await withTx(books.owner, (tx) => syncLegacySecrets(tx, same));
    expect((await order(orderSecret)).json().error).toBe('key_revoked');
  });

  test('taken out of the environment is revoked, put back it lives, changed the old one is dead', async () => {
    await withTx(books.owner, (tx) => syncLegacySecrets(tx, []));
    expect((await order(orderSecret)).statusCode).toBe(401);
    const put = (secret: string) =>
      withTx(books.owner, (tx) =>
        syncLegacySecrets(tx, [{ name: 'ORDER_INBOUND_SECRET', hash: hashOfSecret(secret) }]),
      );
    await put(orderSecret);
    expect((await order(orderSecret)).statusCode).toBe(200);
    await put('changed-secret-changed-secret-changed');
    expect((await order(orderSecret)).statusCode).toBe(401);
    const keys = await listKeys(db(books.owner));
    expect(keys.filter(({ name }) => name === 'legacy:ORDER_INBOUND_SECRET')).toHaveLength(1);
  });

  test('is in the audit log as who did it, and nowhere in the clear', async () => {
    const events = await db(books.owner).query<{ action: string }>(
      sql`select action from audit.events where actor = 'environment' order by occurred_at, id`,
    );
    expect(events.map(({ action }) => action)).toEqual(['key.legacy_set', 'key.legacy_set']);
    const [row] = await db(books.owner).query<{ text: string }>(
      sql`select json_agg(k)::text as text from restricted.api_keys k`,
    );
    expect(row?.text).not.toContain(orderSecret);
  });
});

describe('the server refuses to start', () => {
  test.each([
    ['with a secret of 31 characters', { STATS_API_KEY: 'x'.repeat(31) }, 'STATS_API_KEY'],
    [
      'with a blank in a secret',
      { ORDER_INBOUND_SECRET: `${'x'.repeat(20)} ${'x'.repeat(20)}` },
      'ORDER_INBOUND_SECRET',
    ],
    [
      'with one secret for two routes',
      { STATS_API_KEY: 'x'.repeat(32), PEPPOL_INBOUND_SECRET: 'x'.repeat(32) },
      'egen hemlighet',
    ],
  ])('%s', (_name, env, fault) => {
    expect(() => loadConfig(env)).toThrow(fault);
  });

  test('but not with one of 32, and never shows it', () => {
    const secret = 'y'.repeat(32);
    expect(JSON.stringify(loadConfig({ STATS_API_KEY: secret }))).not.toContain(secret);
  });
});
