/** Every way to the books, tried on a day that is shut: each is refused, and leaves nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookDirectly } from '#src/bank/booking.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { bookResult, setFirstBalances } from '#src/ledger/fiscal-years/opening-balances.ts';
import { closeYear, createYear, reopenYear } from '#src/ledger/fiscal-years/service.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { settleVat } from '#src/ledger/vat-filings/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { bookPurchases, createSupplierOf } from '#src/purchases/inbox/service.ts';
import { creditInvoice } from '#src/sales/invoices/credits.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { registerPayment } from '#src/sales/invoices/settlement.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { inWords } from '../support/words.ts';
import { row } from './books.ts';

const ACTOR = 'test';
/** The day after everything below, in the year after. */
const today = '2027-02-01';
const day = '2026-12-30';

let books: Installation;
/** Made while the day was open. */
const made = {
  invoice: '',
  draft: '',
  purchase: '',
  waiting: '',
  empty: '',
  voucher: '',
  line: '',
};
beforeAll(async () => {
  books = await createInstallation({ workers: true, today });
  const owner = <T>(work: (tx: Tx) => Promise<T>) => withTx(books.owner, work);
  await owner((tx) =>
    createYear(tx, { year: 2027, start: '2027-01-01', end: '2027-12-31' }, ACTOR),
  );
  [made.invoice = '', made.draft = ''] = await makeDrafts(books.owner, [100n, 200n], day);
  await owner((tx) => bookInvoices(tx, [made.invoice], ACTOR));
  made.purchase = await receive('F-1');
  await owner((tx) => createSupplierOf(tx, made.purchase, ACTOR));
  await owner((tx) => bookPurchases(tx, [made.purchase], ACTOR));
  made.waiting = await receive('F-2');
  made.empty = await receive('F-3', 0);
  const payload = voucherBody({ date: day });
  const answer = await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  made.voucher = answer.json().id;
  await owner(async (tx) => {
    const { id } = await createBankAccount(tx, { name: 'B', ledgerAccount: 1930 }, ACTOR);
    const line = { reference: '1', bookedOn: day, amountOre: -500n, description: 'Avgift' };
    await insertTransactions(tx, id, [line]);
    const [found] = await tx.query<{ id: string }>(sql`select id from bank.transactions`);
    made.line = found?.id ?? '';
  });
});
afterAll(() => books.close());

async function receive(number: string, net = 1_000): Promise<string> {
  const answer = await books.call({
    method: 'POST',
    url: '/api/inbound/peppol',
    payload: eInvoice({ number, net, issueDate: day }),
    headers: { 'content-type': 'application/xml' },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().draftId;
}

/** Refusals that are answers, not throws, are thrown. */
const thrown = <T extends { readonly refusal: Error | null }>([outcome]: readonly T[]): void => {
  if (outcome?.refusal) throw outcome.refusal;
};

const ways: readonly (readonly [string, (tx: Tx) => Promise<unknown>])[] = [
  ['a voucher by hand', (tx) => postAppVoucher(tx, byHand(), ACTOR)],
  [
    'a correction',
    (tx) =>
      correctVoucher(
        tx,
        { correctedId: made.voucher, date: day, description: 'Fel', replacement: null },
        ACTOR,
      ),
  ],
  [
    'a customer’s payment',
    (tx) =>
      registerPayment(tx, { invoiceId: made.invoice, date: day, today, amountOre: 1_000n }, ACTOR),
  ],
  ['a credit note', (tx) => creditInvoice(tx, { invoiceId: made.invoice, date: day }, ACTOR)],
  ['a supplier’s invoice', async (tx) => thrown(await bookPurchases(tx, [made.waiting], ACTOR))],
  ['one on zero kronor', async (tx) => thrown(await bookPurchases(tx, [made.empty], ACTOR))],
  [
    'a payment to a supplier',
    (tx) =>
      payPurchase(tx, { purchaseId: made.purchase, date: day, today, amountOre: 1_000n }, ACTOR),
  ],
  [
    'a bank row',
    (tx) =>
      bookDirectly(
        tx,
        {
          transactionId: made.line,
          date: day,
          today,
          account: 6570,
          description: 'Avgift',
          counterparty: null,
          series: 'A',
        },
        ACTOR,
      ),
  ],
  ['the year’s result', (tx) => bookResult(tx, { year: 2026, series: 'A', today }, ACTOR)],
  [
    'opening balances',
    (tx) =>
      setFirstBalances(
        tx,
        {
          year: 2026,
          series: 'A',
          balances: [
            { account: 1930, balanceOre: 100n },
            { account: 2081, balanceOre: -100n },
          ],
        },
        ACTOR,
      ),
  ],
];

/** What has a day of its own is told so; anything else, which is the first day that is open. */
const dayOf: Readonly<Record<string, string>> = {
  'the year’s result': 'bokförs 2026-12-31 och ingen annan dag',
  'opening balances': 'bokförs 2026-01-01 och ingen annan dag',
};

const byHand = () => ({
  series: 'A',
  date: day,
  description: 'För sent',
  counterparty: null,
  rows: [row(6110, 100), row(1930, -100)],
});

async function everything(): Promise<unknown> {
  const [found] = await db(books.owner).query(sql`select
    (select count(*)::integer from ledger.vouchers) as vouchers,
    (select sum(open_ore)::bigint from sales.invoices) as receivables,
    (select count(*)::integer from sales.invoices) as invoices,
    (select sum(open_ore)::bigint from purchases.invoices) as payables,
    (select json_agg(status order by id) from purchases.invoices) as purchases,
    (select count(*)::integer from bank.transactions where voucher_id is null) as bank`);
  return found;
}

test('years follow upon each other, whoever makes them', async () => {
  const later = { year: 2029, start: '2029-01-01', end: '2029-12-31' };
  await expect(inWords(withTx(books.owner, (tx) => createYear(tx, later, ACTOR)))).rejects.toThrow(
    'glapp',
  );
});

const period = (date: string | null) =>
  withTx(books.owner, (tx) => setLock(tx, 'period', date, ACTOR));

describe.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
  ['a locked period', () => period('2026-12-31'), () => period(null)],
  [
    'a closed year',
    () => withTx(books.owner, (tx) => closeYear(tx, { year: 2026, today }, ACTOR)),
    () => withTx(books.owner, (tx) => reopenYear(tx, 2026, 'Test', ACTOR)),
  ],
])('%s', (name, shut, open) => {
  beforeAll(async () => {
    await shut();
    return open;
  });
  let before: unknown;
  beforeEach(async () => {
    before = await everything();
  });

  test.each(ways)('takes no %s', async (what, way) => {
    await expect(inWords<unknown>(withTx(books.owner, way))).rejects.toMatchObject({
      code: 'period_locked',
      message: expect.stringContaining(dayOf[what] ?? '2027-01-01'),
    });
    expect(await everything()).toEqual(before);
  });

  test('keeps a refused draft a draft, and books nothing of it', async () => {
    await withTx(books.owner, (tx) => bookInvoices(tx, [made.draft], ACTOR));
    expect(await everything()).toEqual(before);
  });

  test('takes nothing over the API, nor by the ledger’s own function', async () => {
    const payload = voucherBody({ date: day });
    const answer = await books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
    expect(answer.json()).toMatchObject({
      error: 'period_locked',
      detail: { lock: name === 'a locked period' ? 'period' : 'fiscal_year' },
    });
    expect(await everything()).toEqual(before);
  });

  test('moves what settles VAT to the first open day', async () => {
    const settle = withTx(books.owner, async (tx) => {
      const { voucher } = await settleVat(tx, { end: '2026-12-31', today }, ACTOR);
      throw Object.assign(new Error('rolled back'), { date: voucher?.date });
    });
    await expect(settle).rejects.toMatchObject({ date: '2027-01-01' });
  });
});
