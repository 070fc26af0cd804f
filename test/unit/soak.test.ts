/** The soak's own instruments: a proof that cannot fail proves nothing. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '#src/demo/random.ts';
import { readArguments, UsageError } from '../../soak/arguments.ts';
import { judgeDeliveries, judgeFollowers } from '../../soak/events-proof.ts';
import { type Entry, Journal, readJournal } from '../../soak/journal.ts';
import { judgeMemory } from '../../soak/memory.ts';
import { type Books, holdAgainst, judgeAnswers, judgeRevoked } from '../../soak/proof.ts';
import { type Fault, openProxy } from '../../soak/proxy.ts';
import { Violations } from '../../soak/violations.ts';

const entry = (more: Partial<Entry> = {}): Entry => ({
  kind: 'voucher',
  op: 'a',
  at: 1_000,
  ms: 5,
  status: 200,
  answer: { id: '1', number: 7 },
  ...more,
});
const lost = entry({ status: 0, answer: undefined });
const books = (...numbers: readonly number[]): Books =>
  new Map([['voucher', numbers.map((number) => ({ op: 'a', told: { id: '1', number } }))]]);

test.each<[string, Entry[], Books, RegExp]>([
  ['was promised and is lost', [entry()], books(), /answered with 200 and is not in the books/],
  ['stands twice', [entry()], books(7, 8), /stands 2 times/],
  ['has another number than was said', [entry()], books(8), /number 7, and in the books it is 8/],
  [
    'got another number when asked again',
    [entry(), entry({ answer: { id: '1', number: 9 } })],
    books(7),
    /number 9, and in the books it is 7/,
  ],
  ['nobody asked for', [], books(7), /nobody asked for it/],
  [
    'was refused and stands there',
    [entry({ status: 401, code: 'key_revoked', answer: undefined })],
    books(7),
    /was refused \(401 key_revoked\) and stands/,
  ],
])('a voucher that %s is found', (_, entries, found, fault) => {
  expect(holdAgainst(entries, found)).toEqual([expect.stringMatching(fault)]);
});

test('what is as it was said is no violation, and what nobody was told of may be there or not', () => {
  expect(holdAgainst([lost, entry()], books(7))).toEqual([]);
  const unclear = [lost, entry({ status: 401, code: 'key_revoked', answer: undefined })];
  expect(holdAgainst(unclear, books(7))).toEqual([]);
  expect(holdAgainst(unclear, books())).toEqual([]);
});

test('a right call that is refused is found, and a wrong one that is not', () => {
  const refused = entry({ status: 400, code: 'invalid_request', answer: undefined });
  expect(judgeAnswers([refused])).toEqual(['voucher a was refused with 400 invalid_request']);
  expect(judgeAnswers([entry({ kind: 'wrong voucher' })])).toEqual([
    'a, which is wrong, was answered with 200',
  ]);
  expect(judgeAnswers([lost, entry(), { ...refused, kind: 'wrong voucher', op: 'b' }])).toEqual([]);
});

test('what is done with a revoked key is found', () => {
  const revoked = new Map([['k', 900]]);
  expect(judgeRevoked([entry({ key: 'k' })], revoked)).toHaveLength(1);
  expect(judgeRevoked([entry({ key: 'k', at: 899 })], revoked)).toEqual([]);
});

test('an event that is left out, doubled, out of order or never delivered is found', () => {
  const feed = ['1', '2', '3'].map((id) => ({ id, type: 'voucher.posted', data: {} }));
  const followed = (...ids: string[]) => [
    entry({ kind: 'events', op: 'f', answer: { ids: ids.slice(0, 1) } }),
    entry({ kind: 'events', op: 'f', answer: { ids: ids.slice(1) } }),
  ];
  expect(judgeFollowers(followed('1', '2', '3'), feed)).toEqual([]);
  expect(judgeFollowers(followed('1', '2'), feed)).toEqual([]);
  expect(judgeFollowers(followed('1', '3'), feed)).toHaveLength(1);
  expect(judgeFollowers(followed('2', '1'), feed)).toHaveLength(1);
  expect(judgeFollowers(followed('1', '1'), feed).join()).toContain('1 of them twice');
  expect(judgeDeliveries(new Set(['1', '2', '3']), feed)).toEqual([]);
  expect(judgeDeliveries(new Set(['1', '3']), feed)).toHaveLength(1);
  expect(judgeDeliveries(new Set(['1', '2', '3', '4']), feed)).toHaveLength(1);
});

test('a process that grows is found', () => {
  const violations = new Violations(() => undefined);
  const sample = { minute: 1, part: 'http', pid: 1, resident_mb: 200, descriptors: 40 };
  judgeMemory([sample], violations);
  expect(violations.all).toEqual([]);
  judgeMemory(
    [
      { ...sample, resident_mb: 900 },
      { ...sample, descriptors: 4_000 },
    ],
    violations,
  );
  expect(violations.all).toHaveLength(2);
});

test('the journal is on disk, every call, in the order they were answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'soak-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const journal = await Journal.create(join(folder, 'journal'));
  const entries = Array.from({ length: 500 }, (_, n) => entry({ op: String(n) }));
  await Promise.all(entries.map((one) => journal.write(one)));
  expect(await readJournal(journal.path)).toEqual(entries);
  await journal.close();
});

test('the network fails in every way, never says anything twice, and then lets everything pass', async () => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  onTestFinished(() => void echo.close());
  const { port } = echo.address() as { port: number };
  const proxy = await openProxy({ target: port, random: createRandom('proxy'), pieces_max: 6 });
  onTestFinished(() => proxy.close());
  const sent = 'abcdefghijklmnopqrstuvwxyz';
  const talk = async (): Promise<string> => {
    const socket = connect(proxy.port, '127.0.0.1');
    let got = '';
    const closed = once(socket, 'close').catch(() => undefined);
    socket.on('error', () => undefined).on('data', (piece) => (got += piece));
    for (const letter of sent) {
      socket.write(letter);
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    socket.end();
    await closed;
    return got;
  };
  const got = await Promise.all(Array.from({ length: 60 }, talk));
  for (const one of got) expect(sent.startsWith(one)).toBe(true);
  expect(got.some((one) => one.length < sent.length)).toBe(true);
  for (const fault of Object.keys(proxy.done)) {
    expect([fault, proxy.done[fault as Fault] > 0]).toEqual([fault, true]);
  }
  proxy.calm();
  expect(await talk()).toBe(sent);
});

test('arguments are read strictly, and a seed is made when none is given', () => {
  const read = (...args: string[]) => readArguments(args, () => 'made');
  expect(read()).toEqual({ minutes: 10, seed: 'made', json: false, bank: null });
  expect(read('--minutes', '0.5', '--seed', 'x-1', '--json')).toEqual({
    minutes: 0.5,
    seed: 'x-1',
    json: true,
    bank: null,
  });
  expect(read('--bank', '10000').bank).toBe(10_000);
  for (const args of [
    ['--minutes', '0'],
    ['--minutes', '1e3'],
    ['--minutes', 'x'],
    ['--bank', '9'],
    ['--bank', '1.5'],
    ['--bank', 'all'],
  ]) {
    expect(() => read(...args)).toThrow(UsageError);
  }
  expect(() => read('--seed', 'a b')).toThrow(UsageError);
  expect(() => read('--hours', '1')).toThrow(UsageError);
});
