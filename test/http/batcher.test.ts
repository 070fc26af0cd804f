import { setImmediate as endOfTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBatcher, createBundleBatcher } from '#src/db/batching/batcher.ts';

const unreachable = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

describe('calls that go to the database together', () => {
  test('an idle caller waits for nobody; those who come meanwhile go together, in order', async () => {
    const batches: number[][] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 3,
      maxInFlight: 1,
      run: async (items) => {
        batches.push([...items]);
        if (batches.length === 1) await gate;
        return items.map((item) => item * 10);
      },
    });
    const first = submit(1);
    await endOfTurn();
    const others = Promise.all([2, 3, 4, 5].map((item) => submit(item)));
    release();
    expect([await first, ...(await others)]).toEqual([10, 20, 30, 40, 50]);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  test('never weigh more than allowed, save one that is too heavy by itself', async () => {
    const batches: number[][] = [];
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 1,
      maxWeight: 10,
      weigh: (item) => item,
      run: async (items) => {
        batches.push([...items]);
        return items;
      },
    });
    await Promise.all([1, 6, 4, 1, 50, 2].map((item) => submit(item)));
    expect(batches).toEqual([[1, 6], [4, 1], [50], [2]]);
  });

  test('those that come in the same turn go together from the first', async () => {
    const sizes: number[] = [];
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 2,
      run: async (items) => {
        sizes.push(items.length);
        return items;
      },
    });
    await Promise.all([1, 2, 3].map((item) => submit(item)));
    expect(sizes).toEqual([3]);
  });

  test('one that is long in coming back holds up nobody, nor do two', async () => {
    const sent: number[][] = [];
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 2,
      run: async (items) => {
        sent.push([...items]);
        if (items.includes(1)) await gate;
        return items;
      },
    });
    const first = submit(1);
    await endOfTurn();
    expect(await Promise.all([2, 3].map((item) => submit(item)))).toEqual([2, 3]);
    // Out for long, the first is waited for no more.
    expect(await submit(4)).toBe(4);
    await sleep(100);
    expect(await submit(5)).toBe(5);
    release();
    expect(await first).toBe(1);
    expect(sent).toEqual([[1], [2, 3], [4], [5]]);
  });

  test('one that fails by itself pays alone; its neighbours are answered', async () => {
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 1,
      run: async (items) => {
        if (items.includes(13)) throw new Error('13 is unlucky');
        return items;
      },
    });
    const answers = await Promise.allSettled([1, 12, 13, 14].map((item) => submit(item)));
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('a database out of reach is asked once for all, not once for each', async () => {
    let asked = 0;
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 1,
      run: async () => {
        asked += 1;
        await Promise.resolve();
        throw unreachable();
      },
    });
    const calls = Array.from({ length: 50 }, (_, item) => submit(item));
    const answers = await Promise.allSettled(calls);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBe(1);
  });

  test('an answer that is missing fails its own call and no other', async () => {
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 1,
      run: async (items) => items.filter((item) => item !== 2),
    });
    await expect(submit(2)).rejects.toThrow(/unanswered/);
    expect(await submit(1)).toBe(1);
  });

  test('callers take turns: one with much to do does not keep another waiting', async () => {
    const batches: string[][] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const submit = createBatcher<string, string>({
      name: 'test',
      maxItems: 2,
      maxInFlight: 1,
      holderOf: (item) => item[0] ?? '',
      run: async (items) => {
        batches.push([...items]);
        if (batches.length === 1) await gate;
        return items;
      },
    });
    const first = submit('a1');
    await endOfTurn();
    const answers = ['a2', 'a3', 'a4', 'a5', 'b1'].map((item) => submit(item));
    release();
    await Promise.all([first, ...answers]);
    expect(batches).toEqual([['a1'], ['a2', 'b1'], ['a3', 'a4'], ['a5']]);
  });

  test('whoever waits too long is told to come back, and nothing of theirs is ever sent', async () => {
    const sent: number[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 10,
      maxInFlight: 1,
      waitMs: 40,
      run: async (items) => {
        sent.push(...items);
        await gate;
        return items;
      },
    });
    const first = submit(1);
    await endOfTurn();
    await expect(submit(2)).rejects.toMatchObject({
      code: 'overloaded',
      headers: { 'retry-after': '1' },
    });
    release();
    expect([await first, await submit(3)]).toEqual([1, 3]);
    expect(sent).toEqual([1, 3]);
  });

  test('a full disk is nobody’s own doing: the batch is not tried once for each', async () => {
    let asked = 0;
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 100,
      maxInFlight: 1,
      run: async () => {
        asked += 1;
        await Promise.resolve();
        throw Object.assign(new Error('could not extend file'), { code: '53100' });
      },
    });
    const answers = await Promise.allSettled([1, 2, 3, 4].map((item) => submit(item)));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toBe(1);
  });

  test('a call whose sender hangs up while it waits is never sent, and delays nobody', async () => {
    const sent: number[][] = [];
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 2,
      maxInFlight: 1,
      run: async (items) => {
        sent.push([...items]);
        await gate;
        return items;
      },
    });
    let isGone = false;
    const first = submit(1, () => isGone);
    await endOfTurn();
    const gone = Promise.allSettled([2, 3, 4].map((item) => submit(item, () => isGone)));
    const last = submit(5);
    isGone = true;
    release();
    expect([await first, await last]).toEqual([1, 5]);
    for (const answer of await gone) expect(answer.status).toBe('rejected');
    expect(sent).toEqual([[1], [5]]);
  });

  test('bundles stay whole, fill a batch together, and fail one by one', async () => {
    const batches: number[][] = [];
    const submit = createBundleBatcher<number, number>({
      name: 'test',
      maxItems: 4,
      maxInFlight: 1,
      run: async (items) => {
        batches.push([...items]);
        if (items.includes(13)) throw new Error('13 is unlucky');
        return items.map((item) => item * 10);
      },
    });
    const bundles = [[1, 2], [3, 4], [5], [12, 13, 14], [6]];
    const answers = await Promise.all(bundles.map((bundle) => submit(bundle)));
    expect(
      answers.map((of) => of.map((one) => (one instanceof Error ? one.message : one))),
    ).toEqual([[10, 20], [30, 40], [50], [120, '13 is unlucky', 140], [60]]);
    expect(batches).toEqual([[1, 2, 3, 4], [5, 12, 13, 14], [5], [12], [13], [14], [6]]);
  });

  test('the next batch is sent before what became of the last is told', async () => {
    const order: string[] = [];
    const submit = createBatcher<number, number>({
      name: 'test',
      maxItems: 1,
      maxInFlight: 1,
      run: async (items) => {
        order.push(`sent ${items[0]}`);
        return items;
      },
    });
    const told = [1, 2].map((item) => submit(item).then(() => order.push(`told ${item}`)));
    await Promise.all(told);
    expect(order).toEqual(['sent 1', 'sent 2', 'told 1', 'told 2']);
  });

  describe('where one may follow another', () => {
    /** Sends as many as told, and says what is out: each batch's items and line, until it is released. */
    function openFollowing() {
      const out: { items: readonly number[]; line: number; release(): void }[] = [];
      const submit = createBatcher<number, number>({
        name: 'test',
        maxItems: 100,
        maxInFlight: 2,
        follows: true,
        run: async (items, line) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          out.push({ items, line, release: resolve });
          await promise;
          return items;
        },
      });
      const send = (count: number) => Array.from({ length: count }, (_, item) => submit(item));
      const sizes = () => out.map(({ items, line }) => [items.length, line]);
      return { out, send, sizes };
    }

    test('one as large goes behind the one that is out, and no third', async () => {
      const { out, send, sizes } = openFollowing();
      const answers = send(10);
      await endOfTurn();
      answers.push(...send(9));
      expect(sizes()).toEqual([[10, 0]]);
      answers.push(...send(1));
      expect(sizes()).toEqual([
        [10, 0],
        [10, 0],
      ]);
      answers.push(...send(12));
      await endOfTurn();
      expect(out).toHaveLength(2);
      out[0]?.release();
      await answers[0];
      expect(sizes()).toEqual([
        [10, 0],
        [10, 0],
        [12, 0],
      ]);
      for (const { release } of out) release();
      await Promise.all(answers);
    });

    test('few wait for the one that is out: a small batch costs nearly as much', async () => {
      const { out, send, sizes } = openFollowing();
      const answers = send(1);
      await endOfTurn();
      answers.push(...send(7));
      expect(sizes()).toEqual([[1, 0]]);
      out[0]?.release();
      await answers[0];
      expect(sizes()).toEqual([
        [1, 0],
        [7, 0],
      ]);
      out[1]?.release();
      await Promise.all(answers);
    });

    test('behind one that is long in coming back goes nobody more; others go beside it', async () => {
      const { out, send, sizes } = openFollowing();
      const answers = send(10);
      await endOfTurn();
      answers.push(...send(10));
      await sleep(100);
      answers.push(...send(1));
      expect(sizes()).toEqual([
        [10, 0],
        [10, 0],
        [1, 1],
      ]);
      // What stood behind has just come first, so it is not yet long in coming back.
      out[0]?.release();
      await answers[0];
      out[2]?.release();
      await answers[20];
      answers.push(...send(10));
      expect(sizes().slice(3)).toEqual([[10, 0]]);
      for (const { release } of out) release();
      await Promise.all(answers);
    });
  });
});
