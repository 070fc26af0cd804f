/** Whoever can run any SQL with a key that settles, and whoever does two things at once: a settlement is what its lines say, and its payout is booked once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { postedSettlement, settlementOf } from '#src/api/settlements/schemas.ts';
import { bookDecisions } from '#src/bank/matching/booking.ts';
import { suggestMatches } from '#src/bank/matching/service.ts';
import { listUnmatchedRows } from '#src/bank/matching/world-store.ts';
import { addSettlement, sayPaidOut } from '#src/bank/provider-settlements/service.ts';
import { findSettlement } from '#src/bank/provider-settlements/store.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions } from '#src/bank/transaction-store.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { listAttachments } from '#src/ledger/attachments/store.ts';
import { listOpenItems } from '#src/ledger/open-items/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { attackerAs } from '../support/attacker.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';

let books: Installation;
let bank: string;
let writer: string;
beforeAll(async () => {
  books = await createInstallation();
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`insert into ledger.accounts (number, name, type) values (1686, 'Avräkning', 'asset'),
      (4598, 'Motkonto', 'cost') on conflict do nothing`);
    ({ id: bank } = await createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930 }, 'test'));
  });
  ({ key: writer } = await books.makeKey(['bank:write', 'ledger:write']));
});
afterAll(() => books.close());

const actor = 'test';
let made = 0;
/** Settled by command: of so much, and its payout if any. */
async function settled(more: object = {}) {
  made += 1;
  const body = {
    ...{ provider: 'Kortbolaget', settlementId: `ANF-${made}`, date: TODAY, payout: 90 },
    lines: [
      { kind: 'sale', amount: 100 },
      { kind: 'fee', amount: -10 },
    ],
    ...more,
  };
  const settlement = settlementOf(postedSettlement.parse(body));
  const document = Buffer.from(` ${JSON.stringify(body)}\n`);
  const { id, voucherId } = await withTx(books.owner, (tx) =>
    addSettlement(tx, { settlement, document }, { today: TODAY, actor }),
  );
  return { id, voucherId, number: body.settlementId, document };
}
const paidOut = async (ore = 9_000n): Promise<string> => {
  const { id } = await withTx(books.owner, (tx) =>
    postAppVoucher(
      tx,
      {
        ...{ series: 'A', date: TODAY, description: 'Utbetalning', counterparty: null },
        source: 'app',
        rows: [
          { account: 1930, debitOre: ore, creditOre: 0n },
          { account: 1686, debitOre: 0n, creditOre: ore },
        ],
      },
      actor,
    ),
  );
  return id;
};
const say = (settlementId: string, voucherId: string) =>
  withTx(books.owner, (tx) => sayPaidOut(tx, { settlementId, voucherId }, actor));
const takeBack = (tx: Tx, correctedId: string) =>
  correctVoucher(
    tx,
    { correctedId, date: TODAY, description: 'Tillbaka', replacement: null },
    actor,
  );
const payoutOf = async (id: string) =>
  (await findSettlement(db(books.owner), id))?.payout_voucher_id ?? null;
const isNotThePayout = { faults: [{ path: 'voucher', reason: 'not_the_payout' }] };

test('what came is the document of the voucher, byte for byte', async () => {
  const { voucherId, number, document } = await settled();
  const [kept, ...others] = await listAttachments(db(books.owner), voucherId);
  expect([kept?.file_name, kept?.size, others]).toEqual([
    `avrakning-${number}.json`,
    document.length,
    [],
  ]);
  const sent = Buffer.from(
    `{ "provider":"Swish",\n "settlementId":"S/1 å", "date":"${TODAY}", "payout":1, "lines":[{"kind":"sale","amount":1.00}]}`,
  );
  const answer = await books.call({
    ...{ method: 'POST', url: '/api/v1/avrakning', key: writer, payload: sent },
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { rows } = await books.owner.query(
    `select a.file_name, c.bytes from ledger.attachments a join archive.contents c using (sha256) where a.voucher_id = $1`,
    [answer.json().voucher.id],
  );
  expect(rows).toEqual([{ file_name: 'avrakning-S_1_å.json', bytes: sent }]);
});

test('a voucher is the payout of one settlement, also when two say so at once', async () => {
  const [one, other] = [await settled(), await settled()];
  const voucherId = await paidOut();
  const tried = await Promise.allSettled([say(one.id, voucherId), say(other.id, voucherId)]);
  expect(tried.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(tried.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: isNotThePayout,
  });
});

test('a payout whose voucher is taken back is waited for again, and that voucher is nobody’s payout', async () => {
  const { id } = await settled();
  const voucherId = await paidOut();
  await say(id, voucherId);
  await withTx(books.owner, (tx) => takeBack(tx, voucherId));
  expect(await payoutOf(id)).toBeNull();
  await expect(say(id, voucherId)).rejects.toMatchObject(isNotThePayout);
  const { items } = await listOpenItems(db(books.owner), 1686, TODAY);
  expect(items.some((item) => item.voucherId === voucherId)).toBe(false);
});

test('what was paid out of a settlement that is taken back is the payout of the one that comes in its place', async () => {
  const first = await settled();
  const voucherId = await paidOut();
  await say(first.id, voucherId);
  await withTx(books.owner, (tx) => takeBack(tx, first.voucherId));
  const again = await settled({ settlementId: first.number });
  await say(again.id, voucherId);
  expect([await payoutOf(first.id), await payoutOf(again.id)]).toEqual([null, voucherId]);
});

test('a settlement of nothing to pay out waits for nothing, and no voucher pays it out', async () => {
  const { id, number } = await settled({
    payout: 0,
    lines: [
      { kind: 'sale', amount: 10 },
      { kind: 'fee', amount: -10 },
    ],
  });
  await expect(say(id, await paidOut())).rejects.toMatchObject(isNotThePayout);
  const listed = async (paid: boolean) => {
    const url = `/api/v1/avrakning?settlementId=${number}&paid=${paid}&limit=5`;
    const { data } = (await books.call({ url })).json();
    return data.map((one: { paid: boolean }) => one.paid);
  };
  expect([await listed(true), await listed(false)]).toEqual([[true], []]);
});

test('a row of the bank that was to be a payout is left, when a person has said meanwhile which voucher that is', async () => {
  const { id, number } = await settled({ payout: 77, lines: [{ kind: 'sale', amount: 77 }] });
  await withTx(books.owner, (tx) =>
    insertTransactions(tx, bank, [
      { reference: 'anf', bookedOn: TODAY, amountOre: 7_700n, description: `KB ${number}` },
    ]),
  );
  const { rows } = await books.owner.query(
    `select id from bank.transactions where reference = 'anf'`,
  );
  const ids = [rows[0].id];
  const { suggestions } = await suggestMatches(db(books.owner), { ids });
  const match = suggestions.get(ids[0])?.match;
  if (match?.certainty !== 'exact' || match.target.kind !== 'settlement') throw new Error('none');
  await say(id, await paidOut(7_700n));
  const { target } = match;
  const answer = await withTx(books.owner, async (tx) => {
    const decisions = (await listUnmatchedRows(tx, { latest: 0, ids })).map((row) => ({
      ...{ row, target, other: null },
    }));
    return bookDecisions(tx, decisions, { today: TODAY, actor });
  });
  expect(answer).toMatchObject({
    booked: [],
    refused: [{ fault: { reason: 'suggestion_changed' } }],
  });
});

describe('any SQL with a key that settles', () => {
  const api = attackerAs('hb_api', () => books.url, 'code', 'constraint');
  let of: Record<string, unknown>;
  beforeEach(() => {
    of = {
      ...{ id: randomUUID(), voucher_id: randomUUID(), provider: 'X', number: randomUUID() },
      ...{ day: TODAY, account: 1686, payout_ore: 9_000, payout_reference: null, country: 'SE' },
      content_hash: '00'.repeat(32),
    };
  });
  const lines = [
    { kind: 'sale', amount_ore: 10_000 },
    { kind: 'fee', amount_ore: -1_000 },
  ];
  const debit = (account: number, ore: number) => ({ account, debit_ore: ore, credit_ore: 0 });
  const credit = (account: number, ore: number) => ({ account, debit_ore: 0, credit_ore: ore });
  const rows = [credit(1686, 10_000), debit(6570, 1_000), debit(1686, 9_000)];
  const take = (more: { of?: object; lines?: unknown; rows?: unknown; key?: string }) =>
    api.run(
      `select outcome from api.take_provider_settlement($1, $2, '\\x01', '{}', gen_random_uuid(), $3, $4, $5)`,
      [
        hashOfSecret(more.key ?? writer),
        randomUUID(),
        JSON.stringify({ ...of, ...more.of }),
        JSON.stringify(more.lines ?? lines),
        JSON.stringify(more.rows ?? rows),
      ],
    );
  const crooked: [string, Parameters<typeof take>[0]][] = [
    ['a voucher of quite other accounts', { rows: [debit(1930, 9_000), credit(2893, 9_000)] }],
    ['a voucher of more than its lines', { rows: [...rows, debit(1930, 1), credit(3001, 1)] }],
    ['a fee that is another cost', { rows: [rows[0], debit(7010, 1_000), rows[2]] }],
    [
      'VAT that no line says',
      { rows: [credit(1686, 10_000), debit(6570, 800), debit(2641, 200), debit(1686, 9_000)] },
    ],
    [
      'the bank for a clearing account',
      { of: { account: 1930 }, rows: [credit(1930, 10_000), rows[1], debit(1930, 9_000)] },
    ],
    ['lines that are not the payout', { of: { payout_ore: 9_001 } }],
    ['a line of nothing', { lines: [...lines, { kind: 'sale', amount_ore: 0 }] }],
    ['an adjustment of no account', { lines: [...lines, { kind: 'adjustment', amount_ore: 0 }] }],
    ['a kind that there is not', { lines: [lines[0], { kind: 'bribe', amount_ore: -1_000 }] }],
    ['lines that are no lines', { lines: [null] }],
    ['lines that are no list', { lines: {} }],
    ['rows that are no rows', { rows: [7] }],
    ['more than any account holds', { of: { payout_ore: '9223372036854775808' } }],
    [
      'sums beyond all',
      {
        of: { payout_ore: '9223372036854775807' },
        lines: [{ kind: 'sale', amount_ore: '9223372036854775807' }],
        rows: [credit(1686, 1), debit(1686, 1)],
      },
    ],
    ['a day that never comes', { of: { day: 'infinity' } }],
    ['a day before all', { of: { day: '-infinity' } }],
    ['no day', { of: { day: null } }],
    ['no account', { of: { account: null } }],
    ['no country', { of: { country: '' } }],
    ['no number', { of: { number: '' } }],
    ['a number without end', { of: { number: 'x'.repeat(101) } }],
    ['no provider', { of: { provider: null } }],
    ['a hash of nothing', { of: { content_hash: '' } }],
    ['a document of nothing', { of: { document: '' } }],
    ['a document beyond what is kept', { of: { document: 'AAAA'.repeat(3_500_000) } }],
    ['a document that is none', { of: { document: '?' } }],
  ];
  const count = async () => {
    const { rows: found } =
      await books.owner.query(`select (select count(*) from ledger.vouchers) as vouchers,
      (select count(*) from bank.provider_settlements) as settlements, (select count(*) from archive.contents) as contents`);
    return found[0];
  };

  test.each(crooked)('books none with %s', async (_, call) => {
    const before = await count();
    const answer = await take(call);
    if (Array.isArray(answer)) expect(answer).toEqual([{ outcome: 'unprocessable' }]);
    else expect(answer).toMatch(/^(HB\d\d\d|2[23]\w{3})$/);
    expect(await count()).toEqual(before);
  });

  test('books what adds up, of any number once, and none with a key that only brings rows', async () => {
    const { key } = await books.makeKey(['bank:write']);
    expect(await take({ key })).toEqual([{ outcome: 'insufficient_scope' }]);
    const number = 'åäö/../%s';
    expect(await take({ of: { number } })).toEqual([{ outcome: 'posted' }]);
    const ids = { id: randomUUID(), voucher_id: randomUUID(), number: number.toUpperCase() };
    expect(await take({ of: ids })).toEqual([{ outcome: 'known' }]);
    expect(await take({ of: { ...ids, content_hash: '01'.repeat(32) } })).toEqual([
      { outcome: 'differs' },
    ]);
  });
});
