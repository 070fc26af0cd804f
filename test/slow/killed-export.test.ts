/** kill -9 in the middle of an export, of who writes it and of what it is read from: the client goes on, and has each voucher and row once. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { startService } from '../process/crash.ts';
import { postmasterOf, waitUntil } from '../process/embedded.ts';

const count = 9_000;
/** So long that the buffers between the two, some megabytes, hold little of what lies between a kill and the next. */
const note = 'kaffe '.repeat(83);

it('an export that breaks off goes on where it broke, out of the same moment', {
  timeout: 300_000,
}, async () => {
  const service = await startService();
  const plainFetch = globalThis.fetch;
  for (let turn = 0; turn < count / 1_000; turn += 1) {
    const rows = [1, 2, 3].flatMap(() => [row(6110, 100), row(1930, -100)]);
    const vouchers = Array.from({ length: 1_000 }, () =>
      ledgerVoucher({ rows: rows.map((one) => ({ ...one, note })) }),
    );
    await post(service.owner, vouchers);
  }
  const kills = new Map([
    [500, async () => void process.kill(service.children().get('http') ?? Number.NaN, 'SIGKILL')],
    [3_500, async () => void process.kill(await postmasterOf(service.dataDir), 'SIGKILL')],
    [6_000, () => service.killSupervisor().then(() => service.start())],
  ]);
  const resumed = new Set<string>();
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const after = new URL(String(input)).searchParams.get('after');
    if (after !== null) resumed.add(after);
    return plainFetch(input, init);
  });
  onTestFinished(() => fetching.mockRestore());
  const client = new Huvudbok({ url: service.address, key: service.key, retries: 60 });
  const got: { readonly id: string; readonly rows: number }[] = [];
  const begun: unknown[] = [];
  for await (const { id, rows } of client.exportVouchers({ onBegin: (one) => begun.push(one) })) {
    got.push({ id, rows: rows.length });
    await kills.get(got.length)?.();
    // What is posted after the moment is not of it.
    if (got.length === 3_000)
      await waitUntil(() =>
        post(service.owner, [ledgerVoucher()]).then(
          () => true,
          () => false,
        ),
      );
  }
  expect(begun).toMatchObject([{ vouchers: count, rows: 6 * count }]);
  expect(got).toEqual(
    await db(service.owner).query(
      sql`select v.id, 6 as rows from ledger.vouchers v order by verification_date, number limit ${count}::integer`,
    ),
  );
  // Whoever wrote it was away twice while it was under way.
  expect(resumed.size).toBeGreaterThanOrEqual(2);
});
