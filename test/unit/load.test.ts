/** Sharing what a process has among those who call: places, turns, and who counts as whom. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { FairQueue } from '#src/db/batching/fair-queue.ts';
import { Budget, type BudgetShare } from '#src/http/budget.ts';
import { Load, limitsOf } from '#src/http/load.ts';

const mebibyte = 1024 * 1024;

/** Enters until it is refused. */
function fill(budget: Budget, holder: string, bytes = 0): BudgetShare[] {
  const places: BudgetShare[] = [];
  try {
    for (;;) places.push(budget.enter(holder, bytes));
  } catch (error) {
    expect(error).toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
    return places;
  }
}

test('one sender takes half of the places, and those who come after it always find some', () => {
  const budget = new Budget({ calls: 120, bytes: 0 });
  expect(fill(budget, 'greedy')).toHaveLength(60);
  expect(fill(budget, 'second')).toHaveLength(30);
  expect(fill(budget, 'third').length).toBeGreaterThanOrEqual(15);
});

test('bytes are shared as places are, those too that come while a body streams', () => {
  const budget = new Budget({ calls: 100, bytes: 12 * mebibyte });
  expect(fill(budget, 'greedy', 4 * mebibyte)).toHaveLength(2);
  const place = budget.enter('second', mebibyte);
  expect(() => place.grow(3 * mebibyte)).toThrow(expect.objectContaining({ limit: 'bytes' }));
  place.grow(mebibyte);
  expect(budget.used.bytes).toBe(10 * mebibyte);
});

test('what is given back is given back once', () => {
  const budget = new Budget({ calls: 10, bytes: 100 });
  const place = budget.enter('one', 10);
  place.grow(5);
  place.leave();
  place.leave();
  place.grow(50);
  expect(budget.used).toEqual({ calls: 0, bytes: 0 });
});

test('whoever has much waiting delays those who have little by one turn', () => {
  const queue = new FairQueue<string>(60_000, () => undefined);
  for (const n of [1, 2, 3, 4]) queue.push('greedy', `greedy ${n}`);
  queue.push('second', 'second 1');
  queue.push('third', 'third 1');
  const order = [1, 2, 3, 4, 5, 6].map(() => queue.shift());
  expect(order).toEqual(['greedy 1', 'second 1', 'third 1', 'greedy 2', 'greedy 3', 'greedy 4']);
  expect([queue.size, queue.shift(), queue.peek()]).toEqual([0, undefined, undefined]);
});

test('what has waited too long is taken out, and only that', async () => {
  vi.useFakeTimers();
  try {
    const late: string[] = [];
    const queue = new FairQueue<string>(1_000, (items) => late.push(...items));
    queue.push('one', 'early');
    await vi.advanceTimersByTimeAsync(800);
    queue.push('one', 'later');
    queue.push('two', 'later too');
    await vi.advanceTimersByTimeAsync(700);
    expect(late).toEqual(['early']);
    expect([queue.size, queue.shift(), queue.shift()]).toEqual([2, 'later', 'later too']);
  } finally {
    vi.useRealTimers();
  }
});

test('no large body is read while others wait to be let in, and what they ask for is heard first', async () => {
  const waiting = 50;
  const load = new Load();
  const server = createServer();
  let letIn = 0;
  const isRead = new Promise<number>((resolve) => {
    server.on('connection', () => {
      load.noteConnection();
      letIn += 1;
      if (letIn === 1) void load.takeTurn().then(() => resolve(letIn));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const callers = Array.from({ length: waiting }, () => connect(port, '127.0.0.1'));
  try {
    expect(await isRead).toBe(waiting);
    await load.takeTurn();
    expect(load.arriving).toBeUndefined();
  } finally {
    for (const caller of callers) caller.destroy();
    server.close();
  }
});

test('credentials that were never let in share their address’s part, however many are made up', () => {
  const load = new Load(limitsOf(192 * mebibyte));
  const hash = (n: number) => createHash('sha256').update(String(n)).digest();
  const holders = Array.from({ length: 50 }, (_, n) => load.holderOf(hash(n), '192.0.2.1'));
  expect(new Set(holders)).toEqual(new Set(['192.0.2.1']));
  load.remember(hash(7));
  expect(load.holderOf(hash(7), '192.0.2.1')).toBe(load.holderOf(hash(7), '192.0.2.2'));
  expect(load.holderOf(hash(8), '192.0.2.1')).toBe('192.0.2.1');
});

test.each([64, 192, 1024, 4096])(
  'a heap of %d MiB gives room for three e-invoices and 250 connections',
  (mib) => {
    const limits = limitsOf(mib * mebibyte);
    expect(limits.bytes).toBeGreaterThanOrEqual(3 * 4 * mebibyte);
    expect(limits.calls).toBeGreaterThanOrEqual(256);
    expect(limits.waiting_readers).toBeGreaterThanOrEqual(128);
  },
);
