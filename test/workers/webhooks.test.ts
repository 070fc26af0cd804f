/** Webhooks, from the effect to a receiver that checks signatures with the scheme's own library. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Keyring } from '#src/config/keyring.ts';
import { parseNetwork } from '#src/config/networks.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { EventType } from '#src/events/types.ts';
import {
  concludeAttempt,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
  queueTest,
  resend,
  rotateSecret,
} from '#src/events/webhooks/service.ts';
import { listDeliveries, listEndpoints } from '#src/events/webhooks/store.ts';
import { runWebhooks } from '#workers/webhooks.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { until } from '../support/processes.ts';
import { testKeyring } from '../support/secrets.ts';
import { inWords } from '../support/words.ts';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An endpoint on loopback that answers as it is told. */
async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 204, headers: {} as Record<string, string>, isSilent: false };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body: Buffer.concat(chunks).toString() });
      if (answer.isSilent) return;
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const loopback = ['127.0.0.1'].map(parseNetwork).filter((network) => network !== undefined);
let books: Installation;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let running: { stop(): Promise<void> }[];

const startWorker = async (
  webhookNetworks = loopback,
  keyring: Keyring | undefined = testKeyring,
) => {
  const url = await roleUrl(books.url, 'hb_worker');
  const pool = createPool({ url, max: 3, applicationName: 'test webhooks' });
  const log = pino({ level: 'silent' });
  const worker = await runWebhooks({ pool, log, config: { webhookNetworks, keyring } });
  const stop = async () => {
    await worker.stop();
    await pool.end();
  };
  running.push({ stop });
  return { stop };
};

beforeEach(async () => {
  running = [];
  [books, receiver] = await Promise.all([createInstallation(), openReceiver()]);
});
afterEach(async () => {
  receiver.close();
  await Promise.all(running.map((worker) => worker.stop()));
  await books.close();
});

const owner = <T>(work: Parameters<typeof withTx<T>>[1]): Promise<T> => withTx(books.owner, work);
const subscribe = (types: EventType[] = [], url = receiver.url) =>
  owner((tx) =>
    createEndpoint(
      tx,
      { url, types, description: '' },
      { webhookNetworks: loopback, keyring: testKeyring },
      'test',
    ),
  );
const post = (description = 'Kontantförsäljning') =>
  books.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody({ description }) });
const deliveries = (id: string) => listDeliveries(db(books.owner), id);
const endpoint = async (id: string) =>
  (await listEndpoints(db(books.owner))).find((one) => one.id === id);
const soon = () => new Promise((resolve) => setTimeout(resolve, 1_200));
/** Makes what waits for its next attempt due, as if its time had come. */
const letTimePass = () =>
  db(books.owner).query(
    sql`update events.deliveries set next_attempt_at = now() where state = 'pending'`,
  );

describe('a delivery', () => {
  test('is signed, and is the very event that the feed tells', async () => {
    const { id, secret } = await subscribe();
    await startWorker();
    await post();
    await until(() => receiver.received.length === 1);
    const [{ headers, body }] = receiver.received as [Received];
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    const feed = await books.call({ url: '/api/v1/handelser' });
    expect(JSON.parse(body)).toEqual(feed.json().data[0]);
    expect(headers['webhook-id']).toBe(feed.json().data[0].id);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    expect(await deliveries(id)).toMatchObject([{ status: 204, attempts: 1, error: null }]);
  });

  test('is made of the types asked for, and of what happens after they were asked for', async () => {
    await post('innan');
    await until(async () => {
      const { data } = (await books.call({ url: '/api/v1/handelser' })).json();
      return data.length === 1;
    });
    const { id } = await subscribe(['invoice.drafted']);
    const all = await subscribe();
    await startWorker();
    await post('efter');
    await until(() => receiver.received.length === 1);
    await soon();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries(id)).toEqual([]);
    expect(await deliveries(all.id)).toHaveLength(1);
  });

  test('that fails is tried again later, with the same id and a fresh time', async () => {
    receiver.answer.status = 500;
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(async () => (await deliveries(id))[0]?.status === 500);
    const [waiting] = await deliveries(id);
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1 });
    expect((waiting?.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(2_000);
    expect((await endpoint(id))?.failing_since).toBeInstanceOf(Date);
    receiver.answer.status = 200;
    await letTimePass();
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([receiver.received.length, ids.size]).toEqual([2, 1]);
    expect((await endpoint(id))?.failing_since).toBeNull();
  });

  test('follows no redirect', async () => {
    receiver.answer.status = 302;
    receiver.answer.headers = { location: receiver.url };
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(async () => (await deliveries(id))[0]?.status === 302);
    expect(receiver.received).toHaveLength(1);
  });

  test('that a dead worker had taken is made by another', async () => {
    const { id } = await subscribe();
    await post();
    const dead = await connect(await roleUrl(books.url, 'hb_worker'), 'dead worker');
    await until(async () => {
      const { rows } = await dead.query('select events.fan_out(500, 1000) as count');
      return rows[0].count === 1;
    });
    await dead.query('select events.take(array(select events.list_due(null, null, 8)))');
    await dead.end();
    await startWorker();
    await soon();
    expect(receiver.received).toEqual([]);
    await db(books.owner).query(
      sql`update events.deliveries set next_attempt_at = next_attempt_at - interval '1 minute'`,
    );
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    expect(await deliveries(id)).toMatchObject([{ attempts: 2 }]);
  });

  test('is made once though three workers share the load', async () => {
    await subscribe();
    await Promise.all([startWorker(), startWorker(), startWorker()]);
    await Promise.all(Array.from({ length: 60 }, () => post()));
    await until(() => receiver.received.length >= 60);
    await soon();
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([receiver.received.length, ids.size]).toEqual([60, 60]);
  });

  test('is not held up by another endpoint that never answers', async () => {
    const silent = await openReceiver();
    silent.answer.isSilent = true;
    try {
      await subscribe([], silent.url);
      await subscribe();
      await startWorker();
      await Promise.all(Array.from({ length: 20 }, () => post()));
      await until(() => receiver.received.length === 20);
      expect(silent.received.length).toBeLessThanOrEqual(8);
    } finally {
      silent.close();
    }
  });
});

describe('a receiver that is well again', () => {
  const waitFor = (duration: string) =>
    db(books.owner).query(sql`update events.deliveries
      set next_attempt_at = now() + ${duration}::interval where state = 'pending'`);
  const inState = async (id: string, state: string) =>
    (await deliveries(id)).filter((one) => one.state === state);

  test('gets all that it missed at once, but not what it had refused before it was away', async () => {
    receiver.answer.status = 500;
    const { id } = await subscribe();
    await startWorker();
    await post('som den aldrig tar emot');
    await until(async () => (await deliveries(id))[0]?.status === 500);
    const [refused] = await deliveries(id);
    await db(books.owner).query(sql`update events.attempts
      set started_at = started_at - interval '3 hours'`);
    await Promise.all(Array.from({ length: 20 }, () => post()));
    await until(async () => {
      const all = await deliveries(id);
      return all.length === 21 && all.every(({ status }) => status === 500);
    });
    await db(books.owner).query(sql`update events.endpoints
      set failing_since = now() - interval '2 hours'`);
    await waitFor('5 hours');
    receiver.answer.status = 204;
    await post('när den är tillbaka');
    await until(async () => (await inState(id, 'delivered')).length === 21);
    expect(await inState(id, 'pending')).toMatchObject([{ id: refused?.id, status: 500 }]);
    const [waits] = await inState(id, 'pending');
    expect((waits?.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 3_600_000);
  });

  test('gets what happens while it is slow to answer an earlier message', async () => {
    receiver.answer.isSilent = true;
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(() => receiver.received.length === 1);
    receiver.answer.isSilent = false;
    await post();
    await until(async () => (await inState(id, 'delivered')).length === 1);
    // Before the first was given up, which takes fifteen seconds.
    expect(await inState(id, 'pending')).toMatchObject([
      { attempts: 1, status: null, error: null },
    ]);
  });

  test('after a single failure keeps that one waiting', async () => {
    receiver.answer.status = 500;
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(async () => (await deliveries(id))[0]?.status === 500);
    await waitFor('5 hours');
    receiver.answer.status = 204;
    await post();
    await until(async () => (await inState(id, 'delivered')).length === 1);
    const [waits] = await inState(id, 'pending');
    expect((waits?.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(4 * 3_600_000);
  });

  test('is not sent again what is on its way to it when a person turns the endpoint on', async () => {
    receiver.answer.isSilent = true;
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(() => receiver.received.length === 1);
    await owner((tx) => enableEndpoint(tx, id, testKeyring, 'test'));
    receiver.answer.isSilent = false;
    await post();
    await until(async () => (await inState(id, 'delivered')).length === 1);
    expect(receiver.received).toHaveLength(2);
    expect(await inState(id, 'pending')).toMatchObject([{ attempts: 1, status: null }]);
  });
});

describe('a receiver that asks to be left alone', () => {
  const lift = () =>
    db(books.owner).query(
      sql`update events.endpoints set held_until = now() where held_until > now()`,
    );

  test('gets nothing meanwhile, neither again nor of what happens, and all of it afterwards', async () => {
    receiver.answer.status = 429;
    receiver.answer.headers = { 'retry-after': '1800' };
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(async () => (await deliveries(id))[0]?.status === 429);
    const minutes = ((await endpoint(id))?.held_until?.getTime() ?? 0) - Date.now();
    expect(minutes / 60_000).toBeGreaterThan(29);
    expect(minutes / 60_000).toBeLessThanOrEqual(30);
    const [refused] = await deliveries(id);
    expect((refused?.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * 60_000);
    await post('medan den vill vara i fred');
    await until(async () => (await deliveries(id)).length === 2);
    await letTimePass();
    await soon();
    expect(receiver.received).toHaveLength(1);
    receiver.answer.status = 204;
    await lift();
    await until(async () => (await deliveries(id)).every(({ state }) => state === 'delivered'));
    expect(receiver.received).toHaveLength(3);
    expect((await endpoint(id))?.held_until).toBeNull();
  });

  test('is sent what a person tries it with, and what waits when it is turned on', async () => {
    receiver.answer.status = 503;
    receiver.answer.headers = { 'retry-after': new Date(Date.now() + 1_200_000).toUTCString() };
    const { id } = await subscribe();
    await startWorker();
    await post();
    await until(async () => (await deliveries(id))[0]?.status === 503);
    receiver.answer.status = 204;
    await owner((tx) => queueTest(tx, id));
    await until(() => receiver.received.length === 2);
    await soon();
    expect(receiver.received).toHaveLength(2);
    await owner((tx) => enableEndpoint(tx, id, testKeyring, 'test'));
    await until(async () => (await deliveries(id)).every(({ state }) => state === 'delivered'));
    expect(receiver.received).toHaveLength(3);
  });

  test('holds up no other', async () => {
    const other = await openReceiver();
    receiver.answer.status = 503;
    receiver.answer.headers = { 'retry-after': '600' };
    try {
      const { id } = await subscribe();
      await subscribe([], other.url);
      await startWorker();
      await post();
      await until(async () => (await deliveries(id))[0]?.status === 503);
      await post();
      await until(() => other.received.length === 2);
      expect(receiver.received).toHaveLength(1);
    } finally {
      other.close();
    }
  });
});

describe('an endpoint', () => {
  test('that has failed for three days is shut off, with notice, and can be turned on again', async () => {
    receiver.answer.status = 503;
    const { id } = await subscribe();
    await post();
    await startWorker();
    for (let attempt = 1; attempt <= 11; attempt += 1) {
      await until(async () => {
        const [one] = await deliveries(id);
        return one?.attempts === attempt && one.status === 503;
      });
      await db(books.owner).query(
        sql`update events.endpoints set failing_since = failing_since - interval '8 hours'`,
      );
      await letTimePass();
    }
    await until(async () => (await endpoint(id))?.disabled_at !== null);
    expect((await endpoint(id))?.disabled_reason).toContain('status 503');
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', attempts: 11 }]);
    const audit = await db(books.owner).query(
      sql`select subject from audit.events where action = 'webhook.disabled'`,
    );
    expect(audit).toEqual([{ subject: id }]);
    await post('medan den är av');
    await soon();
    expect(receiver.received).toHaveLength(11);
    receiver.answer.status = 200;
    await owner((tx) => enableEndpoint(tx, id, testKeyring, 'test'));
    await until(() => receiver.received.length === 13);
  });

  test('that says 410 is shut off at once, and loses nothing of what it did not take once it is on again', async () => {
    receiver.answer.status = 410;
    const { id } = await subscribe();
    await startWorker();
    for (let count = 0; count < 3; count += 1) await post();
    await until(async () => (await endpoint(id))?.disabled_at !== null);
    expect((await endpoint(id))?.disabled_reason).toContain('410');
    await soon();
    const refused = receiver.received.length;
    await post();
    receiver.answer.status = 200;
    await owner((tx) => enableEndpoint(tx, id, testKeyring, 'test'));
    await until(() => receiver.received.length >= refused + 4);
    const taken = receiver.received.slice(refused).map(({ headers }) => headers['webhook-id']);
    expect(new Set(taken).size).toBe(4);
  });

  test('that is paused gets what happened meanwhile when it is on again', async () => {
    const { id } = await subscribe();
    await startWorker();
    await owner((tx) => pauseEndpoint(tx, id, 'test'));
    await post();
    await soon();
    expect(receiver.received).toEqual([]);
    await owner((tx) => enableEndpoint(tx, id, testKeyring, 'test'));
    await until(() => receiver.received.length === 1);
  });

  test('with a new secret is signed with both for a day', async () => {
    const { id, secret } = await subscribe();
    const rotated = await owner((tx) => rotateSecret(tx, id, testKeyring, 'test'));
    expect(rotated.secret).not.toBe(secret);
    await startWorker();
    await post();
    await until(() => receiver.received.length === 1);
    const [{ headers, body }] = receiver.received as [Received];
    for (const known of [secret, rotated.secret]) new Webhook(known).verify(body, headers);
    await db(books.owner).query(sql`update events.endpoints set previous_secret_until = now()`);
    await post();
    await until(() => receiver.received.length === 2);
    const [, later] = receiver.received as [Received, Received];
    new Webhook(rotated.secret).verify(later.body, later.headers);
    expect(() => new Webhook(secret).verify(later.body, later.headers)).toThrow();
  });

  test('can be tried, and a delivery sent again with its own id', async () => {
    const { id } = await subscribe();
    await startWorker();
    await owner((tx) => queueTest(tx, id));
    await until(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' });
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    const [done] = await deliveries(id);
    await owner((tx) => resend(tx, done?.id ?? '', 'test'));
    await until(() => receiver.received.length === 2);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(1);
  });

  test('that fails a trial is not called failing', async () => {
    receiver.answer.status = 500;
    const { id } = await subscribe();
    await startWorker();
    await owner((tx) => queueTest(tx, id));
    await until(async () => (await deliveries(id))[0]?.state === 'failed');
    expect(await endpoint(id)).toMatchObject({ failing_since: null, disabled_at: null });
  });

  test('that is deleted is never called again', async () => {
    const { id } = await subscribe();
    await post();
    await owner((tx) => deleteEndpoint(tx, id, 'test'));
    await startWorker();
    await soon();
    expect(receiver.received).toEqual([]);
  });

  test('that is deleted while it is called ends nothing but that call, whatever was answered', async () => {
    const { id } = await subscribe();
    const delivery = { id: randomUUID(), endpoint_id: id, event_id: randomUUID(), attempt: 1 };
    const due = {
      ...delivery,
      type: 'voucher.posted',
      url: 'https://x.example',
      sealed: [],
      body: '',
    };
    await owner((tx) => deleteEndpoint(tx, id, 'test'));
    for (const status of [200, 410, 500, null]) {
      const result = { startedAt: new Date(), durationMs: 5, status, error: null, restMs: 0 };
      expect(await owner((tx) => concludeAttempt(tx, due, result))).toBeUndefined();
    }
  });
});

describe('private addresses', () => {
  test('are refused when an endpoint is made', async () => {
    const create = (url: string) =>
      owner((tx) =>
        createEndpoint(
          tx,
          { url, types: [], description: '' },
          { webhookNetworks: [], keyring: testKeyring },
          'test',
        ),
      );
    await expect(inWords(create(receiver.url))).rejects.toThrow('https://');
    await expect(inWords(create('https://169.254.169.254/latest'))).rejects.toThrow('publik');
  });

  test.each(['http://127.0.0.1:1/', 'https://localhost:1/', 'https://127.0.0.1:1/'])(
    'are not called though %s got into the table',
    async (url) => {
      const { id } = await subscribe();
      await db(books.owner).query(sql`update events.endpoints set url = ${url}`);
      await startWorker([]);
      await post();
      await until(async () => typeof (await deliveries(id))[0]?.error === 'string');
      const [refused] = await deliveries(id);
      expect(refused?.error).toMatch(/publik|https:\/\/|inte får anropas/);
    },
  );
});
