/**
 * A copy of the ledger in SQLite, kept up to date without reading anything twice.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… node examples/typescript/sync.ts <file.sqlite>
 *
 * The key needs `data:read`. The first run reads every voucher; the next ones what the events tell of. Each page and the place in
 * the feed are kept in one transaction, so it may be killed at any moment and run again. It ends when it is up to date.
 */
import { DatabaseSync } from 'node:sqlite';
import { Huvudbok, HuvudbokError, type Item } from '../../clients/typescript/huvudbok.ts';

type Voucher = Item<'/api/v1/verifikat'>;

const books = new Huvudbok({
  url: process.env['HUVUDBOK_URL'] ?? 'http://127.0.0.1:3000',
  key: process.env['HUVUDBOK_KEY'],
});
const copy = new DatabaseSync(process.argv[2] ?? 'huvudbok.sqlite');
copy.exec(`
  create table if not exists voucher (
    id text primary key, series text, number integer, day text, description text, counterparty text, source text);
  create table if not exists voucher_row (
    voucher_id text, row_no integer, account integer, debit_ore integer, credit_ore integer, note text,
    primary key (voucher_id, row_no));
  create table if not exists place (name text primary key, cursor text)`);

const insertVoucher = copy.prepare('insert or ignore into voucher values (?, ?, ?, ?, ?, ?, ?)');
const insertRow = copy.prepare('insert or ignore into voucher_row values (?, ?, ?, ?, ?, ?)');
const setPlace = copy.prepare('insert or replace into place values (?, ?)');
const findPlace = copy.prepare('select cursor from place where name = ?');
const ore = (kronor: number): number => Math.round(kronor * 100);

/** All of a page or nothing, with where to go on. Vouchers never change: one that is there is the same. */
function keep(vouchers: readonly Voucher[], name: string, cursor: string | null): void {
  copy.exec('begin immediate');
  for (const {
    id,
    series,
    number,
    verification_date,
    description,
    counterparty,
    source,
    rows,
  } of vouchers) {
    insertVoucher.run(id, series, number, verification_date, description, counterparty, source);
    for (const { row_no, account, debit, credit, note } of rows) {
      insertRow.run(id, row_no, account, ore(debit), ore(credit), note);
    }
  }
  setPlace.run(name, cursor);
  copy.exec('commit');
}

const placeOf = (name: string): string | null | undefined =>
  findPlace.get(name)?.['cursor'] as string | null | undefined;

/** Where the feed stands is asked before the first page is read: what is posted meanwhile is told of afterwards. */
async function readAll(): Promise<void> {
  if (placeOf('events') === undefined) {
    const { next_cursor } = await books.get('/api/v1/handelser', { query: { from: 'now' } });
    keep([], 'events', next_cursor);
  }
  for (let cursor = placeOf('vouchers'); cursor !== null; ) {
    const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const page = await books.get('/api/v1/verifikat', { query });
    cursor = page.next_cursor;
    keep(page.data, 'vouchers', cursor);
  }
}

async function follow(): Promise<void> {
  for (;;) {
    const cursor = placeOf('events') ?? '';
    const page = await books
      .get('/api/v1/handelser', { query: { cursor, limit: 200 } })
      .catch(resumed);
    const ids = page.data
      .filter(({ type }) => type === 'voucher.posted')
      .map(({ data }) => String(data?.['id']));
    const vouchers =
      ids.length === 0
        ? []
        : (await books.get('/api/v1/verifikat', { query: { id: ids, limit: 200 } })).data;
    keep(vouchers, 'events', page.next_cursor);
    if (!page.has_more) return;
  }
}

/** The books have gone back to an earlier moment (a restored backup): read on from where both agree. */
function resumed(error: unknown) {
  const cursor =
    error instanceof HuvudbokError &&
    error.code === 'cursor_ahead' &&
    error.detail['resume_cursor'];
  if (typeof cursor !== 'string') throw error;
  console.error('The books went back in time: look up what the copy has beyond them.');
  return books.get('/api/v1/handelser', { query: { cursor, limit: 200 } });
}

await readAll();
await follow();
const { count } = copy.prepare('select count(*) as count from voucher').get() as { count: number };
console.log(`${count} vouchers`);
