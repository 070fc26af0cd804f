/** The books that figures of speed are taken on can still be filled: rights and origins move under it. */
import { expect, test } from 'vitest';
import { createPool, withTx } from '#src/db/pool.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { seed } from '../../bench/seed.ts';
import { prepareBooks } from '../../bench/system.ts';
import { cloneDatabase } from '../support/database.ts';

test('a benchmark fills books that hold', async () => {
  const database = await cloneDatabase();
  const owner = createPool({ url: database.url, max: 2, applicationName: 'test' });
  try {
    await prepareBooks(database.url);
    const { posted } = await seed({ owner, url: database.url }, 300, () => undefined);
    expect(posted).toBeGreaterThanOrEqual(300);
    const verified = await withTx(owner, (tx) => verifyBooks(tx, () => undefined));
    expect(verified).toMatchObject({ vouchers: posted, problems: [] });
  } finally {
    await owner.end();
    await database.drop();
  }
});
