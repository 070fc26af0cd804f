/** The books are tampered with; what the soak works out for itself says so. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { proveBooks } from '../../soak/books-proof.ts';
import { type FeedEvent, proveFeed } from '../../soak/events-proof.ts';
import { holdAgainst, readBooks } from '../../soak/proof.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { tamper } from './books.ts';

let books: Installation;
beforeEach(async () => {
  books = await createInstallation();
  for (const description of ['one', 'two', 'three']) {
    const payload = voucherBody({ description });
    await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  }
  const drafts = await makeDrafts(books.owner, [100n, 200n]);
  await withTx(books.owner, (tx) => bookInvoices(tx, drafts, 'test'));
});
afterEach(() => books.close());

/** All that has happened, which is told when nothing older goes on anywhere on the server. */
async function feed(): Promise<FeedEvent[]> {
  const tell = async (): Promise<FeedEvent[]> =>
    (await books.call({ url: '/api/v1/handelser' })).json().data;
  const { rowCount } = await books.owner.query('select from events.outbox');
  await expect.poll(tell).toHaveLength(rowCount ?? 0);
  return tell();
}

test('whole books are whole', async () => {
  expect(await proveBooks(books.owner)).toEqual([]);
  expect(await proveFeed(books.owner, await feed())).toEqual([]);
});

const ofA2 = `(select id from ledger.vouchers where series = 'A' and number = 2)`;

test.each([
  ['a voucher is gone', `delete from ledger.vouchers where id = ${ofA2}`, /numbers up to 3/],
  ['a text changed', `update ledger.vouchers set description = 'x' where id = ${ofA2}`, /hash/],
  [
    'an amount changed',
    `update ledger.voucher_rows set debit_ore = debit_ore + 1 where voucher_id = ${ofA2} and row_no = 1`,
    /does not balance/,
  ],
  [
    'a balance changed',
    'update ledger.month_balances set debit_ore = debit_ore + 1 where account = 1930',
    /another balance/,
  ],
  [
    'an invoice number is left out',
    'update sales.invoices set number = number + 5 where number = 1002',
    /in a span of/,
  ],
  [
    'what remains is untrue',
    'update sales.invoices set open_ore = open_ore + 1 where number = 1001',
    /öre remain/,
  ],
])('that %s is found', async (_, statement, fault) => {
  await tamper(books.url, statement);
  expect((await proveBooks(books.owner)).join('\n')).toMatch(fault);
});

test('an event that is missing, doubled or of nothing is found', async () => {
  const events = await feed();
  const [first] = events;
  if (!first) throw new Error('no events');
  expect((await proveFeed(books.owner, events.slice(1))).join()).toContain(
    'have no voucher.posted',
  );
  expect((await proveFeed(books.owner, [...events, first])).join()).toContain('twice');
  const made = { ...first, id: 'made up', data: { id: 'made up' } };
  expect((await proveFeed(books.owner, [...events, made])).join()).toContain('not in the books');
});

test('what a journal promises is looked for in the books', async () => {
  const found = await readBooks(books.owner);
  const [one] = found.get('voucher')?.filter(({ op }) => op === 'one') ?? [];
  const entries = ['one', 'two', 'three'].map((op) => {
    const told = found.get('voucher')?.find((voucher) => voucher.op === op)?.told ?? {};
    return { kind: 'voucher', op, at: 0, ms: 1, status: 200, answer: told } as const;
  });
  const vouchers: typeof found = new Map([['voucher', found.get('voucher') ?? []]]);
  expect(one?.told).toMatchObject({ series: 'A', number: 1, verification_date: '2026-03-31' });
  expect(holdAgainst(entries, vouchers)).toEqual([]);
  await tamper(books.url, `update ledger.vouchers set number = 9 where id = ${ofA2}`);
  const after = await readBooks(books.owner);
  const changed: typeof found = new Map([['voucher', after.get('voucher') ?? []]]);
  expect(holdAgainst(entries, changed)).toHaveLength(1);
});
