/** Keys that call so often that their calls are counted before they come (src/http/prepaid.ts). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '#src/access/keys/service.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { type Installation, voucherBody } from '../support/installation.ts';
import { openBooks, openSecondApp, type SecondApp } from './books.ts';

const meta = '/api/v1/meta';
/** Let in and counted, and refused before anything is read: on a busy machine, too, a hundred a second. */
const quick = '/api/v1/meta?ingenting=1';
let books: Installation;
let second: SecondApp;
beforeAll(async () => {
  books = await openBooks();
  second = await openSecondApp(books);
});
afterAll(async () => {
  await second.close();
  await books.close();
});

const used = async (id: string): Promise<number> => {
  const [window] = await db(books.owner).query<{ used: bigint }>(
    sql`select used from restricted.key_windows where key_id = ${id}`,
  );
  return Number(window?.used ?? 0);
};

const leftOf = (answer: { headers: Record<string, unknown> }): number =>
  Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]);

const ask = (app: Installation['app'], key: string, url = meta) =>
  app.inject({ url, headers: { authorization: `Bearer ${key}` } });

/** Calls until more are counted than have come; says how many those are. */
async function makeBusy(id: string, key: string): Promise<number> {
  for (let calls = 0; ; ) {
    await Promise.all(Array.from({ length: 20 }, () => ask(books.app, key, quick)));
    calls += 20;
    if ((await used(id)) > calls) return calls;
  }
}

describe('a key that calls often', () => {
  test('is told no more than is left, and what was counted ahead is taken back when it rests', async () => {
    const { id, key } = await books.makeKey(['data:read'], 1_000_000);
    let calls = await makeBusy(id, key);
    for (let further = 0; further < 5; further += 1) {
      calls += 1;
      expect(leftOf(await ask(books.app, key))).toBeLessThanOrEqual(1_000_000 - calls);
    }
    await expect.poll(() => used(id), { timeout: 30_000 }).toBe(calls);
    expect(leftOf(await ask(books.app, key))).toBe(1_000_000 - calls - 1);
  });

  test('never gets more than its quota through two processes, and gets all of it', async () => {
    const quota = 1_500;
    const { id, key } = await books.makeKey(['data:read'], quota);
    let passed = 0;
    let wasAhead = false;
    for (let stopped = 0; stopped < 200; ) {
      const apps = Array.from({ length: 40 }, (_, call) =>
        call % 2 === 0 ? books.app : second.app,
      );
      const answers = await Promise.all(apps.map((app) => ask(app, key, quick)));
      const well = answers.filter(({ statusCode }) => statusCode === 400).length;
      passed += well;
      stopped += answers.length - well;
      wasAhead ||= (await used(id)) > passed + stopped;
      expect(passed).toBeLessThanOrEqual(quota);
    }
    expect(wasAhead).toBe(true);
    // What either process still had counted is taken back, and is there for the next.
    await expect
      .poll(
        async () => {
          const { statusCode } = await ask(books.app, key, quick);
          if (statusCode === 400) passed += 1;
          return statusCode === 429 ? passed : 0;
        },
        { timeout: 30_000 },
      )
      .toBe(quota);
  });

  test('reads and writes nothing once it is revoked, wherever it calls', async () => {
    const { id, key } = await books.makeKey(undefined, 1_000_000);
    await makeBusy(id, key);
    await withTx(books.owner, (tx) => revokeKey(tx, id, 'test'));
    const { paths } = books.app.swagger() as unknown as {
      paths: Record<string, Record<string, object>>;
    };
    const urls = Object.entries(paths)
      .filter(([path, methods]) => path.startsWith('/api/v1/') && methods['get'])
      .map(([path]) => path.replace(/\{[^}]+\}/g, '0192d3c4-0000-7000-8000-000000000000'));
    const answers = await Promise.all(
      urls.map(async (url) => ({ url, status: (await ask(books.app, key, url)).statusCode })),
    );
    expect(answers.length).toBeGreaterThan(20);
    // What is asked for wrongly may be told so first.
    expect(answers.filter(({ status }) => status !== 401 && status !== 400)).toEqual([]);
    const posted = await books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      key,
      payload: voucherBody(),
    });
    expect(posted.statusCode).toBe(401);
  });
});
