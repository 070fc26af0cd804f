/** What is sent is looked for by an index among all that has come, however much that is and however it stands. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { uuid } from '#src/lib/uuid.ts';
import { type ReceivedDocument, storeDocuments } from '#src/purchases/e-invoices/store.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { times } from '../support/processes.ts';

let books: Books;
let keyHash: Buffer;
beforeAll(async () => {
  books = await createBooks();
  const { key } = await books.makeKey();
  keyHash = sha256Of(key);
});
afterAll(() => books.close());

const refusal = { reason: 'document_unreadable', message: 'Det är inte XML.' };

function received(raw: Buffer, refused: ReceivedDocument['refusal'] = null): ReceivedDocument {
  const base = { keyHash, raw, size: raw.length, sha256: sha256Of(raw), refusal: refused };
  return { ...base, id: uuid(), requestId: uuid() };
}

/** Rows of the documents' table that this session has read one after the other, and by an index. */
async function countRead(tx: Tx): Promise<{ inTurn: bigint; byIndex: bigint }> {
  const [read] = await tx.query<{ inTurn: bigint; byIndex: bigint }>(
    sql`select seq_tup_read as "inTurn", idx_tup_fetch as "byIndex"
        from pg_stat_xact_user_tables where relid = 'intake.e_invoices'::regclass`,
  );
  return read ?? { inTurn: 0n, byIndex: 0n };
}

test('an e-invoice costs no more when thousands have come: new, sent again, refused and refused again', async () => {
  const waiting = times(1_500).map(() => received(randomBytes(40)));
  const refused = times(1_500).map(() => received(randomBytes(40), refusal));
  const [known, refusedOnce, refusedTwice] = [waiting[700], refused[700], refused[800]];
  if (!known || !refusedOnce || !refusedTwice) throw new Error('nothing was made');
  for (const all of [waiting, refused]) {
    for (const half of [all.slice(0, 750), all.slice(750)])
      await storeDocuments(db(books.owner), half);
  }
  await db(books.owner).query(sql`analyze intake.e_invoices`);

  const sent = [
    received(randomBytes(40)),
    received(known.raw ?? Buffer.of()),
    received(randomBytes(40), refusal),
    received(refusedTwice.raw ?? Buffer.of(), refusal),
    received(refusedOnce.raw ?? Buffer.of()),
  ];
  const { stored, inTurn, byIndex } = await withTx(books.owner, async (tx) => {
    const before = await countRead(tx);
    const stored = await storeDocuments(tx, sent);
    const after = await countRead(tx);
    return {
      stored,
      inTurn: after.inTurn - before.inTurn,
      byIndex: after.byIndex - before.byIndex,
    };
  });
  expect(stored.map(({ is_new }) => is_new)).toEqual([true, false, false, false, true]);
  expect(inTurn).toBe(0n);
  expect(byIndex).toBeLessThan(50n);
});
