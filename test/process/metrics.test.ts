/** Figures for whoever watches: of the whole service at one address, of a part alone at its own. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { findRunning } from '#src/db/embedded.ts';
import { orderBody, voucherBody } from '../support/installation.ts';
import { freePort } from '../support/port.ts';
import { entry } from '../support/program.ts';
import { startService } from './crash.ts';
import { waitUntil } from './embedded.ts';
import { Running } from './running.ts';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

async function read(port: number): Promise<Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    expect([line, name]).not.toEqual([line, '']);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const named = Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text]));
    return { name, labels: named, value: Number(value) };
  });
}

function sumOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}) {
  return samples
    .filter((one) => one.name === name)
    .filter((one) => Object.entries(labels).every(([key, text]) => one.labels[key] === text))
    .reduce((sum, { value }) => sum + value, 0);
}

it('the whole service tells at one address what all its parts have done, and a part alone at its own', async () => {
  const port = await freePort();
  const service = await startService({ METRICS_PORT: String(port) });
  const { key, address } = service;
  const send = (path: string, body: object) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });
  const posted = await send('/api/v1/verifikat', voucherBody());
  expect(posted.status).toBe(200);
  const { id } = (await posted.json()) as { id: string };
  const authorization = { authorization: `Bearer ${key}` };
  await fetch(`${address}/api/v1/verifikat?search=${id}`, { headers: authorization });
  await fetch(`${address}/hemligt-ord-${id}`, { headers: authorization });
  await fetch(`${address}/api/v1/meta`);
  expect((await send('/api/inbound/order', orderBody({ externalId: 'M-1' }))).status).toBe(200);

  let samples: Sample[] = [];
  await waitUntil(async () => {
    samples = await read(port);
    return sumOf(samples, 'huvudbok_jobs_total', { queue: 'invoice-booking', result: 'done' }) > 0;
  });
  const worker = 'intake+booking+upkeep+webhooks';
  const parts = new Set(samples.map(({ labels }) => labels['part']));
  expect([...parts].sort()).toEqual(['http', worker, 'start']);
  const calls = (labels: Record<string, string>) =>
    sumOf(samples, 'huvudbok_http_requests_total', { part: 'http', ...labels });
  expect(calls({ method: 'POST', route: '/api/v1/verifikat', status: '200' })).toBe(1);
  expect(calls({ method: 'GET', route: '/api/v1/verifikat' })).toBe(1);
  expect(calls({ route: 'none', status: '404' })).toBe(1);
  const refused = { route: '/api/v1/meta', code: 'unauthorized' };
  expect(sumOf(samples, 'huvudbok_http_refusals_total', refused)).toBe(1);
  expect(sumOf(samples, 'huvudbok_admissions_total', { outcome: 'admitted' })).toBe(3);
  expect(sumOf(samples, 'huvudbok_batch_items_sum', { batch: 'vouchers' })).toBe(1);
  expect(sumOf(samples, 'huvudbok_batch_duration_seconds_count', { batch: 'orders' })).toBe(1);
  const intake = { queue: 'order-intake', part: worker };
  expect(sumOf(samples, 'huvudbok_jobs_total', intake)).toBe(1);
  expect(sumOf(samples, 'huvudbok_database_up')).toBe(1);
  expect(sumOf(samples, 'huvudbok_workers_running', { queue: 'order-intake' })).toBe(1);
  expect(sumOf(samples, 'huvudbok_workers_recommended', { queue: 'order-intake' })).toBe(1);
  expect(sumOf(samples, 'huvudbok_queue_dead', { queue: 'order-intake' })).toBe(0);
  expect(sumOf(samples, 'huvudbok_database_size_bytes')).toBeGreaterThan(1_000_000);
  // The database's figures come from one part; otherwise they would be counted once for each.
  const tellers = samples.filter(({ name }) => name === 'huvudbok_database_up');
  expect(tellers).toHaveLength(1);
  for (const { labels } of samples) {
    for (const text of Object.values(labels)) {
      expect(text).not.toContain(id);
      expect(text).not.toContain('hemligt-ord');
      expect(text).not.toContain('127.0.0.1');
    }
  }
  // Each look at the event loop wakes a process that nobody uses.
  await setTimeout(1_000);
  const looks = (await read(port)).filter(
    ({ name }) => name === 'nodejs_eventloop_lag_min_seconds',
  );
  expect(looks.map(({ labels }) => labels['part']).sort()).toEqual(['http', worker, 'start']);
  for (const { value } of looks) expect(value).toBeGreaterThan(0.09);
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { ok: true }]);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  const written = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' });
  expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD']);

  const database = await findRunning(service.dataDir);
  const ownPort = await freePort();
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: database?.url, METRICS_PORT: String(ownPort) };
  const alone = new Running(entry, ['worker', 'intake'], env);
  const [ready = ''] = await alone.says(/^\{.*"msg":"ready"\}$/m);
  expect(JSON.parse(ready)).toMatchObject({ part: 'intake', level: 30 });
  const alive = await fetch(`http://127.0.0.1:${ownPort}/healthz`);
  expect([alive.status, await alive.json()]).toEqual([200, { ok: true }]);
  // It shares the queue with the service's own.
  const done = alone.says(/^\{.*"msg":"job done"\}$/m);
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  for (let number = 0; !isDone; number += 1) {
    await fetch(`${service.address}/api/inbound/order`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(orderBody({ externalId: `A-${number}` })),
    });
  }
  const [line = ''] = await done;
  expect(JSON.parse(line)).toMatchObject({
    part: 'intake',
    queue: 'order-intake',
    job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    ms: expect.any(Number),
  });
  const own = await read(ownPort);
  expect(new Set(own.map(({ labels }) => labels['part']))).toEqual(new Set(['intake']));
  expect(sumOf(own, 'huvudbok_jobs_total', { result: 'done' })).toBeGreaterThan(0);
  expect(own.some(({ name }) => name === 'huvudbok_queue_waiting')).toBe(false);
});

it('names METRICS_PORT when the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const { PATH, HOME } = process.env;
  const url = 'postgres://nobody:x@127.0.0.1:1/none';
  const env = { PATH, HOME, DATABASE_URL: url, METRICS_PORT: String(port) };
  const worker = new Running(entry, ['worker', 'intake'], env);
  const [message] = await worker.says(/Mätvärdena kan inte visas.*/);
  expect(message).toContain('METRICS_PORT');
  expect(await worker.exitCode()).toBe(1);
});
