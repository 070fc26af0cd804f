/** POST and GET /api/v1/avrakning: a provider's payout is booked once, and the bank's row takes it off the clearing account. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postedSettlement, settlementOf } from '#src/api/settlements/schemas.ts';
import { bookSuggested, suggestMatches } from '#src/bank/matching/service.ts';
import { undoBooking } from '#src/bank/matching/undoing.ts';
import { addSettlement } from '#src/bank/provider-settlements/service.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { logIn } from '../support/person.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/avrakning';
let books: Installation;
let writer: string;
let reader: string;
let both: string;
let bank: string;
beforeAll(async () => {
  books = await openBooks();
  ({ key: writer } = await books.makeKey(['bank:write', 'ledger:write']));
  ({ key: both } = await books.makeKey(['ledger:write', 'data:read']));
  ({ key: reader } = await books.makeKey(['bank:read']));
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (1686, 'Avräkning', 'asset'),
      (4598, 'Motkonto', 'cost') on conflict do nothing`);
    ({ id: bank } = await createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930 }, 'test'));
  });
});
afterAll(() => books.close());

let made = 0;
const settlement = (more: object = {}) => {
  made += 1;
  return {
    provider: 'Kortbolaget',
    settlementId: `AVR-${made}`,
    date: TODAY,
    payout: 9675,
    lines: [
      { kind: 'sale', amount: 10_500, reference: '10041' },
      { kind: 'refund', amount: -500 },
      { kind: 'fee', amount: -260 },
      { kind: 'fee_vat', amount: -65 },
    ],
    ...more,
  };
};
const post = (body: object, { key = writer, headers = {} } = {}) =>
  books.call({ method: 'POST', url, key, headers, payload: body });
const list = async (query = '') =>
  (await books.call({ url: `${url}?limit=50${query}`, key: reader })).json();
const rowsOf = (voucherId: string) =>
  db(books.owner).query<{
    account: number;
    ore: bigint;
  }>(sql`select account, debit_ore - credit_ore as ore
    from ledger.voucher_rows where voucher_id = ${voucherId}::uuid order by row_no`);
const shown = async (voucherId: string) =>
  (await rowsOf(voucherId)).map(({ account, ore }) => `${account} ${Number(ore) / 100}`);
const vouchers = async () => (await db(books.owner).query(sql`select from ledger.vouchers`)).length;

test('sales leave the clearing account, fees and VAT are booked, and what is paid out waits there', async () => {
  const body = settlement();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post(body, { headers });
  expect([first.statusCode, first.json()]).toEqual([
    200,
    {
      id: expect.any(String),
      provider: 'Kortbolaget',
      settlementId: body.settlementId,
      payout: 9675,
      voucher: {
        id: expect.any(String),
        label: expect.stringMatching(/^A\d+$/),
        url: expect.any(String),
      },
      duplicate: false,
      url: expect.stringContaining('/bank/avrakningar/'),
    },
  ]);
  expect(await shown(first.json().voucher.id)).toEqual([
    '1686 -10500',
    '1686 500',
    '6570 260',
    '2641 65',
    '1686 9675',
  ]);
  const before = await vouchers();
  const replayed = await post(body, { headers });
  expect([replayed.headers['idempotent-replayed'], replayed.json()]).toEqual([
    'true',
    first.json(),
  ]);
  expect((await post({ ...body, provider: 'KORTBOLAGET' })).json().voucher).toEqual(
    first.json().voucher,
  );
  expect((await post(body)).json()).toEqual({ ...first.json(), duplicate: true });
  expect((await post({ ...body, date: '2026-01-02' })).json()).toMatchObject({
    error: 'unprocessable',
    detail: { problems: [{ path: 'settlementId', reason: 'settlement_differs' }] },
  });
  expect((await post({ ...body, date: '2026-01-02' }, { headers })).json()).toMatchObject({
    error: 'idempotency_conflict',
  });
  expect(await vouchers()).toBe(before);
  expect((await list(`&settlementId=${body.settlementId}`)).data).toMatchObject([
    {
      settlementId: body.settlementId,
      payout: 9675,
      paid: false,
      payoutVoucher: null,
      lines: body.lines,
    },
  ]);
});

test('of many that send the same at once one books it, and the others hear that it is booked', async () => {
  const body = settlement();
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(body)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map((one) => one.json().voucher.id)).size).toBe(1);
  expect(answers.filter((one) => !one.json().duplicate)).toHaveLength(1);
});

test('what a provider abroad charges is owed VAT here, and what it keeps stays on the clearing account', async () => {
  const body = settlement({
    country: 'IE',
    payout: 870,
    lines: [
      { kind: 'sale', amount: 1000 },
      { kind: 'fee', amount: -30, reverseChargeVat: 7.5 },
      { kind: 'reserve', amount: -100 },
    ],
  });
  const answer = await post(body);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await shown(answer.json().voucher.id)).toEqual([
    '1686 -1000',
    '1686 100',
    '6570 30',
    '4535 30',
    '4598 -30',
    '2614 -7.5',
    '2645 7.5',
    '1686 870',
  ]);
});

test('what does not add up, or cannot be, is refused at its field, and nothing is booked', async () => {
  const before = await vouchers();
  const problemsOf = async (body: object) => {
    const answer = await post(body);
    expect(answer.statusCode, answer.body).toBe(422);
    return answer
      .json()
      .detail.problems.map(
        ({ path, reason }: { path: string; reason: string }) => `${path} ${reason}`,
      );
  };
  const wrong = await post(settlement({ payout: 9700 }));
  expect([wrong.statusCode, wrong.json().message]).toEqual([
    422,
    expect.stringMatching(/25,00\skr skiljer/),
  ]);
  expect(
    await problemsOf(
      settlement({
        account: 1930,
        payout: -1,
        lines: [
          { kind: 'sale', amount: -1 },
          { kind: 'refund', amount: 1 },
          { kind: 'adjustment', amount: -1 },
          { kind: 'sale', amount: 1, account: 3001 },
          { kind: 'adjustment', amount: -1, account: 1510 },
          { kind: 'fee', amount: -1, reverseChargeVat: 0.25 },
        ],
      }),
    ),
  ).toEqual([
    'account not_a_clearing_account',
    'lines[0].amount settlement_sign',
    'lines[1].amount settlement_sign',
    'lines[2].account settlement_needs_account',
    'lines[3].account settlement_takes_no_account',
    'lines[4].account account_of_invoices',
    'lines[5].reverseChargeVat settlement_no_reverse_charge',
    'payout settlement_sum_differs',
  ]);
  expect(
    await problemsOf(
      settlement({
        country: 'IE',
        payout: -125,
        lines: [
          { kind: 'fee', amount: -100, reverseChargeVat: 2 },
          { kind: 'fee_vat', amount: -25 },
        ],
      }),
    ),
  ).toEqual([
    'lines[0].reverseChargeVat settlement_vat_differs',
    'lines[1].kind settlement_foreign_vat',
  ]);
  const cancelling = [
    { kind: 'reserve', amount: 100 },
    { kind: 'reserve', amount: -100 },
  ];
  expect(await problemsOf(settlement({ payout: 0, lines: cancelling }))).toEqual([
    'lines too_few_rows',
  ]);
  const huge = Array.from({ length: 2 }, () => ({ kind: 'sale', amount: 9_999_999_999 }));
  expect((await problemsOf(settlement({ payout: 9_999_999_999, lines: huge })))[0]).toBe(
    'payout settlement_sum_differs',
  );
  expect(await problemsOf(settlement({ date: '2099-01-01' }))).toEqual(['date in_the_future']);
  expect(
    await problemsOf(
      settlement({ payout: -1, lines: [{ kind: 'fee', amount: -1, account: 6999 }] }),
    ),
  ).toEqual(['lines[0].account unknown_account']);
  expect((await post({ ...settlement(), country: 'Sverige' })).statusCode).toBe(400);
  expect(await vouchers()).toBe(before);
});

test('a key that only brings rows, or only books, settles nothing', async () => {
  for (const scopes of [['bank:write'], ['ledger:write', 'data:read'], ['bank:read']] as const) {
    const { key } = await books.makeKey([...scopes]);
    expect((await post(settlement(), { key })).statusCode).toBe(403);
  }
});

test('the bank row that names a settlement closes the clearing account, and undoing opens it again', async () => {
  const body = settlement();
  const { id, voucher } = (await post(body)).json();
  const rowId = await withTx(books.owner, async (tx) => {
    await insertTransactions(tx, bank, [
      {
        reference: 'r1',
        bookedOn: TODAY,
        amountOre: 967_500n,
        description: `KORTBOLAGET ${body.settlementId}`,
      },
    ]);
    const [row] = await tx.query<{ id: string }>(
      sql`select id from bank.transactions where reference = 'r1'`,
    );
    return row?.id ?? '';
  });
  const { suggestions } = await suggestMatches(db(books.owner), { ids: [rowId] });
  const suggestion = suggestions.get(rowId);
  expect(suggestion?.match).toMatchObject({
    certainty: 'exact',
    target: { kind: 'settlement', settlementId: id },
  });
  const by = { today: TODAY, actor: 'test' };
  const { booked } = await withTx(books.owner, (tx) =>
    bookSuggested(tx, [{ rowId, digest: suggestion?.digest ?? '' }], by),
  );
  expect(await shown(booked[0]?.voucherId ?? '')).toEqual(['1930 9675', '1686 -9675']);
  expect((await list(`&settlementId=${body.settlementId}&paid=true`)).data).toMatchObject([
    { paid: true, payoutVoucher: { id: booked[0]?.voucherId } },
  ]);
  await withTx(books.owner, (tx) => undoBooking(tx, rowId, 'test'));
  expect((await list(`&settlementId=${body.settlementId}`)).data).toMatchObject([
    { paid: false, payoutVoucher: null, voucher: { id: voucher.id } },
  ]);
});

test('people see what was settled and say which voucher has brought it, which must be just that', async () => {
  const body = settlement();
  const { id } = (await post(body)).json();
  const person = await logIn(books, 'medarbetare');
  const reader = await logIn(books, 'lasare');
  expect((await reader.get('/bank/avrakningar')).body).toContain(body.settlementId);
  expect((await reader.get(`/bank/avrakningar/${id}`)).body).not.toContain('name="voucher"');
  const booked = (credit: number) =>
    books.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      key: both,
      payload: {
        seriesCode: 'A',
        date: TODAY,
        description: 'Utbetalning',
        rows: [
          { account: 1930, debit: credit, credit: 0 },
          { account: 1686, debit: 0, credit },
        ],
      },
    });
  const [wrong, right] = [(await booked(9674)).json(), (await booked(9675)).json()];
  const page = `/bank/avrakningar/${id}`;
  expect((await person.submit(page, { voucher: wrong.label })).body).toContain(
    'Verifikatet tar inte utbetalningen',
  );
  expect((await person.submit(page, { voucher: right.label })).statusCode).toBe(303);
  expect((await person.submit(page, { voucher: right.label })).statusCode).toBe(422);
  expect((await reader.get(page)).body).toContain('Utbetald');
});

test('a settlement whose voucher is taken back may be sent anew, and no row is held for it', async () => {
  const body = settlement();
  const { id, voucher } = (await post(body)).json();
  await withTx(books.owner, (tx) =>
    correctVoucher(
      tx,
      { correctedId: voucher.id, date: TODAY, description: 'Fel', replacement: null },
      'test',
    ),
  );
  const again = (await post(body)).json();
  expect([again.duplicate, again.id === id, again.voucher.id === voucher.id]).toEqual([
    false,
    false,
    false,
  ]);
  expect(
    (await list(`&settlementId=${body.settlementId}`)).data.map(
      (one: { takenBack: boolean }) => one.takenBack,
    ),
  ).toEqual([true, false]);
});

test('the same out of a file, by command, is booked by the same rules and once with what programs send', async () => {
  const body = settlement();
  const said = settlementOf(postedSettlement.parse(body));
  const read = { settlement: said, document: Buffer.from(JSON.stringify(body)) };
  const by = { today: TODAY, actor: 'cli' };
  const added = await withTx(books.owner, (tx) => addSettlement(tx, read, by));
  expect([added.isKnown, added.voucher]).toEqual([false, expect.stringMatching(/^A\d+$/)]);
  const again = await withTx(books.owner, (tx) => addSettlement(tx, read, by));
  expect([again.isKnown, again.id]).toEqual([true, added.id]);
  expect((await post(body)).json()).toMatchObject({
    duplicate: true,
    voucher: { label: added.voucher },
  });
  await expect(
    withTx(books.owner, (tx) =>
      addSettlement(tx, { ...read, settlement: { ...said, payoutOre: 1n } }, by),
    ),
  ).rejects.toMatchObject({ faults: [{ path: 'payout', reason: 'settlement_sum_differs' }] });
});
