import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CountedAhead } from '#src/access/keys/admission-store.ts';
import type { Db } from '#src/db/pool.ts';
import { Prepaid } from '#src/http/prepaid.ts';

const hash = Buffer.alloc(32, 7);
const needed = ['data:read'] as const;

/** A key's hour, as the database counts it. */
function openHour({ quota = 100_000, secondsLeft = 3_000 } = {}) {
  const hour = { used: 0, isWelcome: true, isAway: false, asked: 0 };
  const db: Db = {
    async query({ text, values }) {
      if (hour.isAway) throw new Error('away');
      const calls = Number(values[1]);
      if (text.includes('uncount')) {
        hour.used -= calls;
        return [];
      }
      hour.asked += 1;
      if (!hour.isWelcome) return [];
      hour.used += calls;
      const counted: CountedAhead = {
        key_id: 'key',
        name: 'Butik',
        scopes: ['data:read'],
        quota,
        calls,
        used: BigInt(hour.used),
        opened_at: 'then',
        seconds_left: secondsLeft,
      };
      return [counted] as never;
    },
  };
  return { hour, db };
}

describe('calls counted before they come', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Lets a call in as Access does, and says what is told to have been used. */
  function call(prepaid: Prepaid, hour: { used: number }): number {
    const taken = prepaid.take(hash, needed);
    if (taken) return Number(taken.used);
    hour.used += 1;
    return Number(prepaid.follow(hash, { used: BigInt(hour.used) }).used);
  }

  const turn = () => vi.advanceTimersByTimeAsync(200);

  test('each call is told one more than the one before, whoever let it in', async () => {
    const { hour, db } = openHour();
    const prepaid = new Prepaid(db);
    let calls = 0;
    for (let round = 0; round < 10; round += 1) {
      for (let n = 0; n < 100 + round * 40; n += 1) {
        calls += 1;
        expect(call(prepaid, hour)).toBe(calls);
      }
      await turn();
    }
    expect(hour.asked).toBe(10);
    await prepaid.stop();
    expect(hour.used).toBe(calls);
  });

  test('what the database lets in while calls are counted ahead is not told as left', async () => {
    const { hour, db } = openHour();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const slowly: Db = {
      query: async (statement) => {
        const rows = await db.query(statement);
        await answered;
        return rows as never;
      },
    };
    const prepaid = new Prepaid(slowly);
    for (let n = 0; n < 50; n += 1) call(prepaid, hour);
    await turn();
    for (let n = 0; n < 20; n += 1) call(prepaid, hour);
    answer();
    await vi.advanceTimersByTimeAsync(1);
    expect(Number(prepaid.take(hash, needed)?.used)).toBe(71);
  });

  test('a key that calls seldom is counted by the database alone', async () => {
    const { hour, db } = openHour();
    const prepaid = new Prepaid(db);
    for (let round = 0; round < 20; round += 1) {
      for (let n = 0; n < 19; n += 1) call(prepaid, hour);
      await turn();
      expect(hour.used).toBe((round + 1) * 19);
    }
    expect(hour.asked).toBe(0);
  });

  test('a key that is no longer welcome is let in by nobody at the next turn', async () => {
    const { hour, db } = openHour();
    const prepaid = new Prepaid(db);
    for (let n = 0; n < 50; n += 1) call(prepaid, hour);
    await turn();
    expect(prepaid.take(hash, needed)).toBeDefined();
    expect(prepaid.take(hash, ['ledger:write'])).toBeUndefined();
    for (let n = 0; n < 40; n += 1) call(prepaid, hour);
    hour.isWelcome = false;
    await turn();
    expect(prepaid.take(hash, needed)).toBeUndefined();
    expect(hour.used).toBe(91);
  });

  test('nor while the database is away, or when its hour is over', async () => {
    for (const { secondsLeft, isAway } of [
      { secondsLeft: 3_000, isAway: true },
      { secondsLeft: 0.3, isAway: false },
    ]) {
      const { hour, db } = openHour({ secondsLeft });
      const prepaid = new Prepaid(db);
      for (let n = 0; n < 50; n += 1) call(prepaid, hour);
      await turn();
      expect(prepaid.take(hash, needed)).toBeDefined();
      hour.isAway = isAway;
      vi.advanceTimersByTime(isAway ? 401 : 301);
      expect(prepaid.take(hash, needed)).toBeUndefined();
      await prepaid.stop();
    }
  });
});
