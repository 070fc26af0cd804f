/**
 * A copy of the books in SQLite, kept up to date without a call for each thing.
 *
 *   HUVUDBOK_URL=… HUVUDBOK_KEY=… node examples/typescript/sync.ts <file.sqlite>
 *
 * The key needs `data:read`; with `bank:read` rows of the bank are copied too. Vouchers never change: all are read once, then those that events tell of, a hundred at a time. What
 * does change (registers, invoices, purchases, tills' reports) is asked for by `updatedSince`, with what the events' answer before
 * the last round said (`updated_since`), and what goes is told by the event `record.removed`. Each page is kept in one transaction together with where to go on, so it may be killed at any
 * moment and run again. It ends when it is up to date.
 */
import { DatabaseSync } from 'node:sqlite';
import { Huvudbok, HuvudbokError, type Item } from '../../clients/typescript/huvudbok.ts';

type Voucher = Item<'/api/v1/verifikat'>;
type Event = Item<'/api/v1/handelser'>;

/** Lists that tell what has changed since, and what a thing of theirs is asked for by. */
const changing = {
  konton: 'number',
  dimensioner: 'id',
  artiklar: 'number',
  kunder: 'id',
  leverantorer: 'id',
  kundfakturor: 'id',
  inkop: 'id',
  dagskassor: 'id',
  banktransaktioner: 'id',
} as const;
/** As many as years are: read whole each time. */
const small = ['rakenskapsar', 'serier'] as const;
type Changing = keyof typeof changing;

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
  create table if not exists record (list text, id text, content text, primary key (list, id));
  create table if not exists place (name text primary key, value text)`);

const insertVoucher = copy.prepare('insert or ignore into voucher values (?, ?, ?, ?, ?, ?, ?)');
const insertRow = copy.prepare('insert or ignore into voucher_row values (?, ?, ?, ?, ?, ?)');
const setRecord = copy.prepare('insert or replace into record values (?, ?, ?)');
const removeRecord = copy.prepare('delete from record where list = ? and id = coalesce(?, id)');
const setPlace = copy.prepare('insert or replace into place values (?, ?)');
const findPlace = copy.prepare('select value from place where name = ?');
const ore = (kronor: number): number => Math.round(kronor * 100);

const placeOf = (name: string): string | null | undefined =>
  findPlace.get(name)?.['value'] as string | null | undefined;

/** All of it or nothing, whenever it is killed. */
function atOnce(work: () => void): void {
  copy.exec('begin immediate');
  work();
  copy.exec('commit');
}

/** What all lists that change have; what else there is differs, and is kept as it is told. */
interface Told {
  readonly id: string;
  readonly number: string | number;
}

interface Page {
  readonly data: readonly Told[];
  readonly next_cursor: string | null;
}

const keepRecord = (list: Changing, one: Told) =>
  setRecord.run(list, String(one[changing[list]]), JSON.stringify(one));

function keepVouchers(vouchers: readonly Voucher[]): void {
  for (const one of vouchers) {
    const { id, series, number, verification_date: day, description, counterparty, source } = one;
    insertVoucher.run(id, series, number, day, description, counterparty, source);
    for (const { row_no, account, debit, credit, note } of one.rows) {
      insertRow.run(id, row_no, account, ore(debit), ore(credit), note);
    }
  }
}

/** Where the feed stands is asked before anything is read: what happens meanwhile is told of afterwards. */
async function begin(): Promise<void> {
  if (placeOf('events') === undefined) {
    const { next_cursor } = await books.get('/api/v1/handelser', { query: { from: 'now' } });
    atOnce(() => setPlace.run('events', next_cursor));
  }
  for (let cursor = placeOf('vouchers'); cursor !== null; ) {
    const query = { limit: 200, ...(cursor === undefined ? {} : { cursor }) };
    const page = await books.get('/api/v1/verifikat', { query });
    cursor = page.next_cursor;
    atOnce(() => {
      keepVouchers(page.data);
      setPlace.run('vouchers', page.next_cursor);
    });
  }
}

/** What has been posted and what has gone since last time, in the order it happened; answers what the lists are asked for next time. */
async function follow(): Promise<string> {
  for (;;) {
    const query = { cursor: placeOf('events') ?? '', limit: 200 };
    const page = await books.get('/api/v1/handelser', { query }).catch(resume);
    const vouchers = await readVouchers(page.data);
    const again = await readRemoved(page.data);
    atOnce(() => {
      // First what went: of vouchers that are gone nothing is told any more.
      for (const event of page.data) forget(event);
      keepVouchers(vouchers);
      for (const [list, one] of again) keepRecord(list, one);
      setPlace.run('events', page.next_cursor);
    });
    if (!page.has_more) return page.updated_since;
  }
}

/** A hundred a call; a page of them is shorter when they have thousands of rows. */
async function readVouchers(events: readonly Event[]): Promise<Voucher[]> {
  const ids = events.flatMap(({ type, data }) =>
    type === 'voucher.posted' && data ? [String(data['id'])] : [],
  );
  const found: Voucher[] = [];
  for (let at = 0; at < ids.length; at += 100) {
    const query = { id: ids.slice(at, at + 100), limit: 100 };
    for await (const one of books.each('/api/v1/verifikat', { query })) found.push(one);
  }
  return found;
}

/** Account and article numbers can be taken again: those that are there now, a hundred a call. */
async function readRemoved(events: readonly Event[]): Promise<(readonly [Changing, Told])[]> {
  const found: (readonly [Changing, Told])[] = [];
  for (const list of ['konton', 'artiklar'] as const) {
    const ids = [...new Set(events.flatMap((event) => removedFrom(list, event)))];
    for (let at = 0; at < ids.length; at += 100) {
      const { data } = await readPage(list, { id: ids.slice(at, at + 100), limit: 100 });
      found.push(...data.map((one) => [list, one] as const));
    }
  }
  return found;
}

const removedFrom = (list: string, { type, data }: Event): string[] =>
  type === 'record.removed' && data?.['list'] === list ? [String(data['id'])] : [];

function forget({ type, data }: Event): void {
  if (type !== 'record.removed' || !data) return;
  const { list, id } = data as { list: string; id: string | null };
  // Books of nothing but imports can be begun anew: then all vouchers go at once.
  if (list === 'verifikat') copy.exec('delete from voucher; delete from voucher_row');
  else removeRecord.run(list, id);
}

/** The name of what a list was last read until. */
const sinceOf = (list: Changing): string => `since ${list}`;

async function readPage(list: Changing, query: object): Promise<Page> {
  return (await books.get(`/api/v1/${list}`, { query })) as unknown as Page;
}

/** After the events: what was removed and made again comes again here. */
async function readChanging(list: Changing): Promise<void> {
  const since = placeOf(sinceOf(list));
  for (let query: object = { limit: 200, ...(since && { updatedSince: since }) }; ; ) {
    const page = await readPage(list, query);
    atOnce(() => {
      for (const one of page.data) keepRecord(list, one);
    });
    if (page.next_cursor === null) return;
    query = { ...query, cursor: page.next_cursor };
  }
}

async function readSmall(list: (typeof small)[number]): Promise<void> {
  const those: { readonly id: string }[] = [];
  for await (const one of books.each(`/api/v1/${list}`, { query: { limit: 200 } })) those.push(one);
  atOnce(() => {
    removeRecord.run(list, null);
    for (const one of those) setRecord.run(list, one.id, JSON.stringify(one));
  });
}

/** The books have gone back to an earlier moment (a restored backup): what changes is read anew, and events from where both agree. */
function resume(error: unknown) {
  const cursor =
    error instanceof HuvudbokError &&
    error.code === 'cursor_ahead' &&
    error.detail['resume_cursor'];
  if (typeof cursor !== 'string') throw error;
  console.error('The books went back in time: look up which vouchers the copy has beyond them.');
  atOnce(() => copy.exec("delete from record; delete from place where name like 'since %'"));
  return books.get('/api/v1/handelser', { query: { cursor, limit: 200 } });
}

await begin();
const since = await follow();
const { scopes } = (await books.get('/api/v1/meta')).key;
const open = (Object.keys(changing) as Changing[]).filter(
  (list) => list !== 'banktransaktioner' || scopes.includes('bank:read'),
);
for (const list of open) await readChanging(list);
for (const list of small) await readSmall(list);
// What was not seen in this round, since its transaction is still open, is asked for in the next.
atOnce(() => {
  for (const list of open) setPlace.run(sinceOf(list), since);
});
const count = (table: string) =>
  copy.prepare(`select count(*) as count from ${table}`).get()?.['count'];
console.log(`${count('voucher')} vouchers, ${count('record')} records`);
