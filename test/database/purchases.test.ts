/** The supplier inbox: matched, coded, booked, rejected, paid; and booked once, whoever tries. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enqueue, supplierInvoiceBooking } from '#src/db/jobs.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { signedRow } from '#src/domain/ledger/voucher.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import {
  bookPurchases,
  createSupplierOf,
  matchToSupplier,
  rejectPurchase,
  setRows,
} from '#src/purchases/inbox/service.ts';
import { getPurchase, listPurchases } from '#src/purchases/inbox/store.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { listSuppliers } from '#src/purchases/suppliers/store.ts';
import { type EInvoiceParts, eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { inWords, wordsOf } from '../support/words.ts';

const ACTOR = 'test';
let books: Installation;
beforeEach(async () => {
  books = await createInstallation({ workers: true });
});
afterEach(() => books.close());

const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);

async function receive(parts: EInvoiceParts = {}): Promise<string> {
  const response = await books.call({
    method: 'POST',
    url: '/api/inbound/peppol',
    payload: eInvoice(parts),
    headers: { 'content-type': 'application/xml' },
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().draftId;
}

const book = (id: string, date?: string) =>
  owner(async (tx) => (await bookPurchases(tx, [id], ACTOR, date))[0]);
const adopt = (id: string) => owner((tx) => createSupplierOf(tx, id, ACTOR));
const shown = (id: string) => getPurchase(db(books.owner), id);

/** A booked invoice of 1 250 kr. */
async function booked(parts: EInvoiceParts = {}): Promise<string> {
  const id = await receive(parts);
  await adopt(id);
  expect((await book(id))?.refusal).toBeNull();
  return id;
}

async function balance(account: number): Promise<bigint> {
  const [row] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account}`,
  );
  return row?.ore ?? 0n;
}

describe('booking', () => {
  test('needs a supplier, which a person makes of the sender', async () => {
    const id = await receive();
    expect(wordsOf((await book(id))?.refusal)).toContain('saknar leverantör');
    const supplier = await adopt(id);
    expect(await book(id)).toMatchObject({ refusal: null, voucherId: expect.any(String) });
    expect(await listSuppliers(db(books.owner))).toMatchObject([
      {
        id: supplier.id,
        name: 'Pappersbruket AB',
        organization_number: '5560360793',
        accounts: [{ kind: 'bankgiro', number: '50501055' }],
      },
    ]);
    expect(await shown(id)).toMatchObject({ status: 'booked', open_ore: 125_000n });
    expect([await balance(2440), await balance(2641)]).toEqual([-125_000n, 25_000n]);
  });

  test('twice books once, also many at once and by the worker too', async () => {
    const id = await receive();
    await adopt(id);
    await owner((tx) =>
      enqueue(tx, supplierInvoiceBooking, [{ purchaseId: id }, { purchaseId: id }]),
    );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => book(id)));
    const vouchers = new Set(outcomes.map((outcome) => outcome?.voucherId));
    await expect.poll(async () => (await shown(id))?.status).toBe('booked');
    expect(vouchers.size).toBe(1);
    expect(await balance(2440)).toBe(-125_000n);
  });

  test('in a locked period is refused with the way out, and can be dated after it', async () => {
    const id = await receive();
    await adopt(id);
    await owner((tx) => setLock(tx, 'period', '2026-03-31', ACTOR));
    const refused = await book(id);
    expect(refused?.refusal?.code).toBe('period_locked');
    expect(refused?.refusal?.detail).toMatchObject({ earliest_allowed_date: '2026-04-01' });
    expect(await shown(id)).toMatchObject({ status: 'review' });
    expect((await book(id, '2026-04-01'))?.refusal).toBeNull();
  });

  test('one of many that is refused does not harm its neighbours', async () => {
    const [good, bad] = [await receive(), await receive({ number: 'F-2', currency: 'EUR' })];
    const supplier = await adopt(good);
    await owner((tx) => matchToSupplier(tx, { purchaseId: bad, supplierId: supplier.id }, ACTOR));
    const outcomes = await owner((tx) => bookPurchases(tx, [good, bad], ACTOR));
    const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
    expect(byId.get(good)?.refusal).toBeNull();
    expect(wordsOf(byId.get(bad)?.refusal)).toContain('saknar konteringsrader');
  });

  test('vouches for the account, so that the next is not suspected', async () => {
    await booked();
    const id = await receive({ number: 'F-2', bankgiro: '9912346' });
    expect((await shown(id))?.warnings.map(({ rule }) => rule)).toEqual(['HB-PAYMENT-CHANGED']);
    await book(id);
    const next = await receive({ number: 'F-3', bankgiro: '9912346' });
    expect((await shown(next))?.warnings).toEqual([]);
  });

  test('of rows whose output VAT is not its rate of the base is refused, with the amounts', async () => {
    const id = await receive();
    await adopt(id);
    const row = (account: number, ore: bigint) => signedRow(account, ore);
    const code = (vat: bigint) =>
      owner((tx) =>
        setRows(
          tx,
          id,
          [row(4535, 100_000n), row(2645, vat), row(2614, -vat), row(2440, -100_000n)],
          ACTOR,
        ),
      );
    await code(20_000n);
    expect(wordsOf((await book(id))?.refusal)).toMatch(
      /25 % moms på underlaget 1\s000,00\skr är 250,00\skr, men raderna har 200,00\skr/,
    );
    await code(25_000n);
    expect((await book(id))?.refusal).toBeNull();
  });

  test('leaves books that verify', async () => {
    await booked();
    await booked({ root: 'CreditNote', number: 'K-1', seller: { orgNumber: '2021005489' } });
    const { problems } = await verifyBooks(db(books.owner), () => undefined);
    expect(problems).toEqual([]);
  });
});

describe('a person', () => {
  test('codes it otherwise, in rows that balance', async () => {
    const id = await receive();
    await adopt(id);
    const row = (account: number, ore: bigint) => ({
      account,
      debitOre: ore > 0n ? ore : 0n,
      creditOre: ore < 0n ? -ore : 0n,
      note: null,
    });
    const code = (...rows: ReturnType<typeof row>[]) => owner((tx) => setRows(tx, id, rows, ACTOR));
    await expect(inWords(code(row(5410, 100n), row(2440, -99n)))).rejects.toThrow(
      'lika med kredit',
    );
    await expect(inWords(code(row(5410, 100n)))).rejects.toThrow('minst två');
    await code(row(6110, 100_000n), row(2641, 25_000n), row(2440, -125_000n));
    await book(id);
    expect(await balance(6110)).toBe(100_000n);
  });

  test('rejects it with a reason, and then nothing more can be done with it', async () => {
    const id = await receive();
    await owner((tx) => rejectPurchase(tx, id, 'Vi har inte beställt det.', ACTOR));
    expect(await shown(id)).toMatchObject({ status: 'rejected' });
    for (const work of [
      () => adopt(id),
      () => owner((tx) => rejectPurchase(tx, id, 'igen', ACTOR)),
    ]) {
      await expect(inWords<unknown>(work())).rejects.toThrow('avvisad');
    }
    expect(wordsOf((await book(id))?.refusal)).toContain('avvisad');
  });

  test('pays it, in parts and never more than what is left', async () => {
    const id = await booked();
    const pay = (amountOre: bigint) =>
      owner((tx) =>
        payPurchase(tx, { today: TODAY, purchaseId: id, date: '2026-04-30', amountOre }, ACTOR),
      );
    expect(await pay(100_000n)).toMatchObject({ openOre: 25_000n });
    await expect(inWords(pay(25_001n))).rejects.toThrow(
      /^Det återstår 250,00\skr att betala på leverantörsfaktura \S+\. .* förskott på 1480\.$/,
    );
    await expect(inWords(pay(-100_001n))).rejects.toThrow(
      /^Bara 1\s000,00\skr är registrerat som betalt/,
    );
    expect(await pay(-25_000n)).toMatchObject({ openOre: 50_000n });
    expect(await pay(25_000n)).toMatchObject({ openOre: 25_000n });
    expect(await pay(25_000n)).toMatchObject({ openOre: 0n });
    await expect(inWords(pay(1n))).rejects.toThrow('återstår');
    expect([await balance(2440), await balance(1930)]).toEqual([0n, -125_000n]);
  });

  test('gets a credit paid back', async () => {
    const id = await booked({ root: 'CreditNote' });
    const pay = (amountOre: bigint) =>
      owner((tx) =>
        payPurchase(tx, { today: TODAY, purchaseId: id, date: '2026-04-30', amountOre }, ACTOR),
      );
    const wayOut = /^Leverantören har 1\s250,00\skr kvar att betala tillbaka på kreditfaktura/;
    for (const wrong of [125_000n, -125_001n]) {
      await expect(inWords(pay(wrong))).rejects.toThrow(wayOut);
    }
    expect(await pay(-125_000n)).toMatchObject({ openOre: 0n });
    expect(await balance(1930)).toBe(125_000n);
  });

  test('makes another supplier of a seller at an address that two share', async () => {
    const of = (name: string, country: string, vatNumber: string) =>
      ({ category: 'AE', seller: { name, foreign: { country, vatNumber } } }) as const;
    const one = await adopt(await receive(of('Papier GmbH', 'DE', 'DE136695976')));
    const id = await receive({ number: 'F-2', ...of('Paperi Oy', 'FI', 'FI01120389') });
    expect(wordsOf((await book(id))?.refusal)).toContain('saknar leverantör');
    const other = await adopt(id);
    expect(other).toMatchObject({ name: 'Paperi Oy' });
    const again = await receive({ number: 'F-3', ...of('Paperi', 'FI', 'FI01120389') });
    expect(await shown(again)).toMatchObject({ supplier: other.name });
    const first = await receive({ number: 'F-4', ...of('Papier', 'DE', 'DE136695976') });
    expect(await shown(first)).toMatchObject({ supplier: one.name });
  });

  test('cannot make two suppliers of one number', async () => {
    const supplier = {
      name: 'Ett',
      organizationNumber: '5560360793',
      vatNumber: null,
      endpoint: null,
      countryCode: 'SE',
      account: null,
      accounts: [],
    };
    await owner((tx) => createSupplier(tx, supplier, ACTOR));
    await expect(inWords(owner((tx) => createSupplier(tx, supplier, ACTOR)))).rejects.toThrow(
      'organisationsnumret',
    );
  });
});

describe('what is decided', () => {
  test.each([
    `update purchases.invoices set payable_ore = 1`,
    `update purchases.invoices set status = 'new', decided_at = null`,
    `delete from purchases.invoices`,
    `update purchases.invoice_rows set account = 4010`,
    `delete from purchases.invoice_rows`,
    `insert into purchases.invoice_rows select invoice_id, 9, account, debit_ore, credit_ore, null
       from purchases.invoice_rows limit 1`,
    `truncate purchases.invoices cascade`,
    `update intake.e_invoices set raw = 'x'`,
    `update intake.e_invoices set status = 'received'`,
    `update intake.e_invoices set sha256 = 'x'`,
    `delete from intake.e_invoices`,
  ])('stays, also for the owner of the tables: %s', async (statement) => {
    await booked();
    await expect(books.owner.query(statement)).rejects.toThrow();
  });
});

describe('the inbox', () => {
  test('shows what waits first, newest first', async () => {
    const done = await booked();
    const [first, second] = [await receive({ number: 'F-2' }), await receive({ number: 'F-3' })];
    const listed = await listPurchases(db(books.owner));
    expect(listed.map(({ id }) => id)).toEqual([second, first, done]);
    const waiting = await listPurchases(db(books.owner), { status: 'booked' });
    expect(waiting.map(({ id }) => id)).toEqual([done]);
  });

  test('is asked about by month ends and agencies', async () => {
    const failing = async () => {
      const [row] = await db(books.owner).query<{ names: string[] }>(
        sql`select ledger.failing_conditions('2026-03-01', 'Europe/Stockholm') as names`,
      );
      return row?.names;
    };
    const id = await receive();
    expect(await failing()).toEqual(['leverantorsinkorg']);
    await adopt(id);
    await book(id);
    expect(await failing()).toEqual(['moms']);
    await books.owner.query(`update purchases.invoices set open_ore = open_ore - 1`);
    expect(await failing()).toEqual(['leverantorsreskontra', 'moms']);
  });
});
