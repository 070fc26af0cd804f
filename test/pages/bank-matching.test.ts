/** The list of bank rows: what each can be, said yes to together or one by one, refused at its row, and undone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
let accountId: string;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  ({ id: accountId } = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930 }, 'test'),
  ));
});
afterAll(() => books.close());

let serial = 0;
/** A row that pays an invoice of its own by OCR, less so many öre. */
async function paidRow(
  bookedOn: string,
  lessOre = 0n,
): Promise<{ rowId: string; invoiceId: string }> {
  const invoiceId = await makeInvoice(books.owner, [
    { quantityE4: 10_000n, unitPriceE4: 10_000_000n },
  ]);
  const [invoice] = await db(books.owner).query<{ ocr: string; ore: bigint }>(
    sql`select ocr, open_ore as ore from sales.invoices where id = ${invoiceId}::uuid`,
  );
  serial += 1;
  const reference = `bank-${serial}`;
  const row = {
    reference,
    bookedOn,
    amountOre: (invoice?.ore ?? 0n) - lessOre,
    description: `Bankgiro ${invoice?.ocr.padStart(9, '0')}`,
  };
  await withTx(books.owner, (tx) => insertTransactions(tx, accountId, [row]));
  const [found] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where reference = ${reference}`,
  );
  return { rowId: found?.id ?? '', invoiceId };
}
const approvalsIn = (body: string): string[] =>
  [...body.matchAll(/name="row" value="([^"]+)"/g)].map(([, value = '']) => value);
const approvalOf = (body: string, rowId: string): string =>
  approvalsIn(body).find((value) => value.startsWith(rowId)) ?? '';
const openOf = async (invoiceId: string): Promise<bigint | undefined> => {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select open_ore as ore from sales.invoices where id = ${invoiceId}::uuid`,
  );
  return row?.ore;
};

test('what is certain is ticked, and ticked rows are booked together; what was said of the others is kept', async () => {
  const [whole, part] = [await paidRow('2026-04-10'), await paidRow('2026-04-11', 10_000n)];
  const { body } = await keeper.get('/bank');
  expect(body).toContain('Säkert');
  expect(body).toMatch(new RegExp(`value="${whole.rowId}~[0-9a-f]{16}" checked`));
  expect(body).not.toMatch(new RegExp(`value="${part.rowId}~[0-9a-f]{16}" checked`));
  const done = await keeper.submit(
    '/bank/godkann',
    { row: [approvalOf(body, whole.rowId)] },
    '/bank',
  );
  expect(done.statusCode).toBe(303);
  expect(await openOf(whole.invoiceId)).toBe(0n);
  const after = (await keeper.get('/bank')).body;
  expect(after).toContain('1 bankrad är bokförd.');
  expect(after).not.toContain(whole.rowId);
  // One alone, by its own button, whatever is ticked.
  const only = { row: approvalsIn(after), only: approvalOf(after, part.rowId) };
  expect((await keeper.submit('/bank/godkann', only, '/bank')).statusCode).toBe(303);
  expect(await openOf(part.invoiceId)).toBe(10_000n);
});

test('a lock stops a row alone, and it says so at the row', async () => {
  const [shut, open] = [await paidRow('2026-03-31'), await paidRow('2026-04-12')];
  await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-03-31', 'test'));
  const { body } = await keeper.get('/bank');
  const both = [approvalOf(body, shut.rowId), approvalOf(body, open.rowId)];
  expect((await keeper.submit('/bank/godkann', { row: both }, '/bank')).statusCode).toBe(303);
  expect(await openOf(open.invoiceId)).toBe(0n);
  expect((await keeper.get('/bank')).body).toMatch(/1 kunde inte bokföras\. [^<]*2026-03-31/);
  const again = await keeper.submit('/bank/godkann', { row: both.slice(0, 1) }, '/bank');
  expect(again.statusCode).toBe(422);
  expect(again.body).toMatch(
    new RegExp(`href="/bank/${shut.rowId}"[^]*?<span class="error">[^<]*2026-03-31`),
  );
  await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
});

test('an old page books nothing that it did not show', async () => {
  const { rowId, invoiceId } = await paidRow('2026-04-13');
  const { body } = await keeper.get('/bank');
  const approval = approvalOf(body, rowId);
  const stale = `${approval.slice(0, -1)}${approval.endsWith('0') ? '1' : '0'}`;
  const answer = await keeper.submit('/bank/godkann', { row: [stale] }, '/bank');
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('Något har ändrats sedan förslaget visades');
  expect((await openOf(invoiceId)) !== 0n).toBe(true);
});

test('a row’s page says what undoing takes back, and does it', async () => {
  const { rowId, invoiceId } = await paidRow('2026-04-14');
  const page = `/bank/${rowId}`;
  const [, approval = ''] =
    /name="approval" value="([^"]+)"/.exec((await keeper.get(page)).body) ?? [];
  expect((await keeper.submit(`${page}/godkann`, { approval }, page)).statusCode).toBe(303);
  const booked = (await keeper.get(page)).body;
  expect(booked).toMatch(/tas tillbaka av ett nytt verifikat[^<]*blir öppen igen/);
  expect((await reader.get(page)).body).not.toContain('/angra');
  expect((await keeper.submit(`${page}/angra`, {}, page)).statusCode).toBe(303);
  expect((await openOf(invoiceId)) !== 0n).toBe(true);
  expect((await keeper.get(page)).body).toContain('name="approval"');
});

test('rows that were said yes to together are taken back together, each said before', async () => {
  const rows = [await paidRow('2026-04-15'), await paidRow('2026-04-16')];
  const [first, second] = rows.map(({ rowId }) => rowId) as [string, string];
  const { body } = await keeper.get('/bank');
  const both = [first, second].map((id) => approvalOf(body, id));
  expect((await keeper.submit('/bank/godkann', { row: both }, '/bank')).statusCode).toBe(303);
  expect((await keeper.get(`/bank/${first}`)).body).toContain(
    'Ångra alla 2 som bokfördes samtidigt',
  );
  const page = `/bank/${first}/angra-flera`;
  const told = (await keeper.get(page)).body;
  const choices = [...told.matchAll(/name="row" value="([^"]+)" checked/g)].map(([, one]) => one);
  expect(choices).toHaveLength(2);
  expect(told.match(/blir öppen igen/g)).toHaveLength(2);
  expect((await reader.get(page)).statusCode).toBe(403);
  // One that is another by now stops all of them.
  const other = `${choices[1]?.split('~')[0]}~${uuid()}`;
  const stale = await keeper.submit(page, { row: [choices[0] ?? '', other] });
  expect(stale.statusCode).toBe(422);
  expect(await Promise.all(rows.map(({ invoiceId }) => openOf(invoiceId)))).toEqual([0n, 0n]);
  expect((await keeper.submit(page, { row: choices as string[] })).statusCode).toBe(303);
  expect((await keeper.get('/bank')).body).toContain('2 verifikat är tillbakatagna');
  for (const { invoiceId } of rows) expect((await openOf(invoiceId)) !== 0n).toBe(true);
  expect((await keeper.submit(page, { row: choices as string[] })).statusCode).toBe(422);
  // A row alone has nobody beside it.
  const alone = (await keeper.get(`/bank/${first}/angra-flera`)).body;
  expect(alone).toContain('Ångra den på dess egen sida');
});

test('a rule suggests an account for rows that begin so, until it is taken away', async () => {
  const row = { reference: 'ruled', bookedOn: '2026-04-16', amountOre: -39_900n };
  await withTx(books.owner, (tx) =>
    insertTransactions(tx, accountId, [{ ...row, description: 'Autogiro TELEFONBOLAGET 11' }]),
  );
  const page = '/bank/regler';
  const rule = { text: 'autogiro  telefonbolaget', direction: 'out', account: '6212' };
  expect((await keeper.submit(page, { ...rule, text: 'ab' }, page)).statusCode).toBe(400);
  expect((await keeper.submit(page, { ...rule, account: '1510' }, page)).statusCode).toBe(422);
  expect((await keeper.submit(page, { ...rule, account: '9876' }, page)).statusCode).toBe(422);
  expect((await keeper.submit(page, rule, page)).statusCode).toBe(303);
  const again = await keeper.submit(page, rule, page);
  expect([again.statusCode, again.body.includes('Det finns redan en regel')]).toEqual([422, true]);
  expect((await keeper.get('/bank')).body).toMatch(
    /Konto 6212 [^<]+<\/a><span class="under">er regel/,
  );
  const [, id = ''] = /regler\/([0-9a-f-]{36})\/ta-bort/.exec((await keeper.get(page)).body) ?? [];
  expect((await keeper.submit(`${page}/${id}/ta-bort`, {}, page)).statusCode).toBe(303);
  expect((await keeper.get('/bank')).body).not.toContain('Konto 6212');
});

test('whoever only reads sees what rows can be, and no way to say yes', async () => {
  await paidRow('2026-04-15');
  const { body } = await reader.get('/bank');
  expect(body).toContain('Säkert');
  expect(body).not.toContain('Godkänn');
});
