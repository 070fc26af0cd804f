/** kill -9 in the middle of an export, of who writes it and of what it is read from: the client goes on, and has each voucher and row once. */
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { Huvudbok } from '../../clients/typescript/huvudbok.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { startService } from './crash.ts';
import { postmasterOf, waitUntil } from './embedded.ts';

const count = 8_000;
/** So much that it does not lie ready in what buffers there are between the two when the first is read: some 16 MB. */
const long = (word: string) => word.repeat(60);

it('an export that breaks off goes on where it broke, out of the same moment', {
  timeout: 300_000,
}, async () => {
  const service = await startService();
  const note = { note: long('kaffe ') };
  for (let turn = 0; turn < 8; turn += 1) {
    const vouchers = Array.from({ length: count / 8 }, () =>
      ledgerVoucher({
        description: long('bönor '),
        rows: [
          { ...row(6110, 100), ...note },
          { ...row(1930, -100), ...note },
        ],
      }),
    );
    await post(service.owner, vouchers);
  }
  const kills = new Map([
    [500, async () => process.kill(service.children().get('http') ?? 0, 'SIGKILL')],
    [2_500, async () => process.kill(await postmasterOf(service.dataDir), 'SIGKILL')],
    [5_500, () => service.killSupervisor().then(() => service.start())],
  ]);
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
  expect(begun).toMatchObject([{ vouchers: count, rows: 2 * count }]);
  expect(got).toEqual(
    await db(service.owner).query(
      sql`select v.id, 2 as rows from ledger.vouchers v order by verification_date, number limit ${count}::integer`,
    ),
  );
  // Each kill met an export that was under way.
  const [asked] = await db(service.owner).query<{ used: number }>(
    sql`select used from restricted.key_windows`,
  );
  expect(asked?.used).toBeGreaterThan(kills.size);
});
