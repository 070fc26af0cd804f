/** Paying by file: nothing is asked of the bank twice, nothing is paid more than is open, and what the bank says closes or opens it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bookExact, bookSuggested, suggestMatches } from '#src/bank/matching/service.ts';
import { undoBooking } from '#src/bank/matching/undoing.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { readPaymentAccount } from '#src/domain/basics/payment-accounts.ts';
import { wholeDeduction } from '#src/domain/purchases/written-purchase.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { fileVatReturn, settleVat } from '#src/ledger/vat-filings/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { correctVoucher } from '#src/ledger/vouchers/corrections.ts';
import { postAppVoucher } from '#src/ledger/vouchers/service.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { writeInvoice, writeOutlay } from '#src/purchases/by-hand/service.ts';
import { payPurchase } from '#src/purchases/inbox/payments.ts';
import { bookPurchases } from '#src/purchases/inbox/service.ts';
import { bookAsPaid } from '#src/purchases/payment-files/booking.ts';
import { listPayables } from '#src/purchases/payment-files/register.ts';
import {
  cancelPaymentFile,
  createPaymentFile,
  markSent,
  takeBankAnswer,
} from '#src/purchases/payment-files/service.ts';
import {
  findPaymentFile,
  listPayouts,
  readBankAnswerOf,
  readContent,
} from '#src/purchases/payment-files/store.ts';
import { createSupplier } from '#src/purchases/suppliers/service.ts';
import { listArchivedBankFiles, readSentFile } from '#src/reports/archive/store.ts';
import { camt053, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { runCommand } from '../support/command.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { inWords } from '../support/words.ts';

const ACTOR = 'test';
const by = { today: TODAY, actor: ACTOR };
let books: Books;
let accountId: string;
let supplierId: string;
const owner = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => withTx(books.owner, work);

beforeEach(async () => {
  books = await createBooks();
  const account = { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban };
  accountId = (await owner((tx) => createBankAccount(tx, account, ACTOR))).id;
  const supplier = {
    ...{ name: 'Granens Frakt AB', organizationNumber: null, vatNumber: null, endpoint: null },
    ...{ countryCode: 'SE', account: 4000, paymentDays: 10 },
    accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
  };
  supplierId = (await owner((tx) => createSupplier(tx, supplier, ACTOR))).id;
});
afterEach(() => books.close());

const lines = [
  {
    account: 4000,
    ore: null,
    vatCode: 'I25',
    deduction: wholeDeduction,
    note: null,
    costCenter: null,
    project: null,
  },
];
const amounts = (ore: number) => ({
  totalOre: BigInt(ore),
  vatOre: null,
  isVatIncluded: true,
  lines,
});
const head = { issueDate: '2026-11-01', documentIds: [] };
async function booked(write: (tx: Tx) => Promise<string>): Promise<string> {
  const id = await owner(write);
  const [outcome] = await owner((tx) => bookPurchases(tx, [id], ACTOR));
  expect(outcome?.refusal).toBeNull();
  return id;
}
const invoice = (invoiceNumber: string, ore: number, more: object = {}): Promise<string> =>
  booked((tx) =>
    writeInvoice(
      tx,
      null,
      {
        ...{ ...head, kind: 'invoice', supplierId, invoiceNumber, dueDate: '2026-11-18' },
        ...{ reference: null, payTo: null, ...amounts(ore) },
        ...more,
      },
      ACTOR,
    ),
  );
const credit = (number: string, ore: number) =>
  invoice(number, ore, { kind: 'credit_note', dueDate: null });
const row = (key: string, ore: number, payee: string | null = null) => ({
  key,
  amountOre: BigInt(ore),
  payee: payee === null ? null : readPaymentAccount(payee),
});
const create = async (...rows: ReturnType<typeof row>[]): Promise<string> => {
  const choices = { accountId, executionOn: TODAY, today: TODAY, now: new Date(), rows };
  return (await owner((tx) => createPaymentFile(tx, choices, ACTOR))).id;
};
const send = (id: string) => owner((tx) => markSent(tx, id, ACTOR));
const sent = async (...rows: ReturnType<typeof row>[]): Promise<string> => {
  const id = await create(...rows);
  await send(id);
  return id;
};
const payouts = (fileId: string) => listPayouts(db(books.owner), fileId);
const file = async (id: string) => findPaymentFile(db(books.owner), { id });
const payables = async () =>
  (await listPayables(db(books.owner), TODAY)).map(
    ({ number, openOre, obstacle }) => `${number} ${openOre}${obstacle ? ` ${obstacle}` : ''}`,
  );
async function receive(...entries: TestEntry[]): Promise<void> {
  const source = await fileOf(camt053({ entries, opening: 5_000_000 }));
  await owner(async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, ACTOR);
  });
}
const named = (id: string, ore: number): string =>
  `<Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="SEK">${(Math.abs(ore) / 100).toFixed(2)}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
async function suggestions(): Promise<string[]> {
  const found = (await suggestMatches(db(books.owner))).suggestions;
  return [...found.values()].map(({ row: { amountOre }, match }) =>
    match.certainty === 'none'
      ? `${amountOre} none`
      : `${amountOre} ${match.certainty} ${match.reasons[0]}`,
  );
}
async function balance(account: number): Promise<number> {
  const [found] = await db(books.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows where account = ${account}`,
  );
  return Number(found?.ore ?? 0n);
}
const expectBooksHold = async () =>
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
const refused = async (work: Promise<unknown>, words: string) =>
  expect(inWords(work)).rejects.toThrow(words);

test('a file of many payees is made about as soon for each as one of few', async () => {
  const owed: string[] = [];
  const usual = supplierId;
  for (let n = 0; n < 120; n += 1) {
    const supplier = {
      ...{ name: `Leverantör ${n}`, organizationNumber: null, vatNumber: null, endpoint: null },
      ...{ countryCode: 'SE', account: 4000, paymentDays: 10 },
      accounts: [{ kind: 'bankgiro' as const, number: '9912346' }],
    };
    supplierId = (await owner((tx) => createSupplier(tx, supplier, ACTOR))).id;
    owed.push(await invoice(`F${n}`, 1_000 + n));
  }
  supplierId = usual;
  /** The least of three, in milliseconds; each is cancelled, so that the next may be made. */
  const makes = async (payees: number): Promise<number> => {
    const times: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      const began = performance.now();
      const id = await create(...owed.slice(0, payees).map((key, n) => row(key, 1_000 + n)));
      times.push(performance.now() - began);
      await owner((tx) => cancelPaymentFile(tx, id, null, ACTOR));
    }
    return Math.min(...times);
  };
  const few = await makes(15);
  expect((await makes(120)) / few).toBeLessThan(24);
});

test('the bank’s rows close what was asked for: in part, with a credit set off, and an outlay, each once', async () => {
  const first = await invoice('F1', 100_000);
  const second = await invoice('F2', 50_000);
  const note = await credit('K1', 20_000);
  const outlay = await booked((tx) =>
    writeOutlay(
      tx,
      null,
      {
        ...{
          ...head,
          kind: 'invoice',
          laidOutBy: 'Åsa Ek',
          debtAccount: 2893,
          sellerName: 'Macken',
        },
        ...{ invoiceNumber: 'U1', ...amounts(30_000) },
      },
      ACTOR,
    ),
  );
  expect(await payables()).toEqual(['F1 100000', 'F2 50000', 'K1 -20000', 'U1 30000']);
  const id = await create(
    row(first, 40_000),
    row(second, 50_000),
    row(note, -20_000),
    row(outlay, 30_000, '5050-1055'),
  );
  expect(await payables()).toEqual([
    'F1 100000 in_file',
    'F2 50000 in_file',
    'K1 -20000 in_file',
    'U1 30000 in_file',
  ]);
  const asked = await payouts(id);
  const sums = asked.map(
    ({ amount_ore, parts }) => `${amount_ore}: ${parts.map((part) => part.number).join(' ')}`,
  );
  expect(sums.sort()).toEqual(['30000: F2 K1', '30000: U1', '40000: F1']);
  await send(id);
  await receive(
    ...asked.map((one) => {
      const ore = -Number(one.amount_ore);
      return { day: TODAY, ore, text: 'Betalning', details: [named(one.end_to_end_id, ore)] };
    }),
  );
  expect((await suggestions()).sort()).toEqual(
    [-30_000, -30_000, -40_000].map((ore) => `${ore} exact end_to_end_id`),
  );
  expect(await bookExact(books.owner, by)).toBe(3);
  expect(await payables()).toEqual(['F1 60000']);
  expect(await file(id)).toMatchObject({ paid: 3, refused: 0 });
  expect([await balance(2440), await balance(2893), await balance(1930)]).toEqual([
    -60_000, 0, -100_000,
  ]);
  await expectBooksHold();
  // What is left can be paid by another file; what the bank has paid is not cancelled.
  await refused(
    owner((tx) => cancelPaymentFile(tx, id, 'fel', ACTOR)),
    'redan betalt',
  );
  const [matched] = await db(books.owner).query<{ id: string }>(
    sql`select id from bank.transactions where amount_ore = -40000`,
  );
  await owner((tx) => undoBooking(tx, matched?.id ?? '', ACTOR));
  expect(await payables()).toEqual(['F1 100000 in_file']);
  await expectBooksHold();
});

test('a batch that the bank books as one row is suggested by its sum, and settles all of it', async () => {
  const id = await sent(
    row(await invoice('F1', 10_000), 10_000),
    row(await invoice('F2', 25_000), 25_000),
  );
  await receive({ day: TODAY, ore: -35_000, text: 'BG-BETALNING' });
  expect(await suggestions()).toEqual(['-35000 likely payment_file']);
  const [one] = [...(await suggestMatches(db(books.owner))).suggestions.values()];
  const approvals = [{ rowId: one?.row.id ?? '', digest: one?.digest ?? '' }];
  expect(await owner((tx) => bookSuggested(tx, approvals, by))).toMatchObject({ refused: [] });
  expect([await payables(), (await file(id))?.paid]).toEqual([[], 2]);
  await expectBooksHold();
});

test('a batch that the bank names as our file did is booked by itself, and settles all of it', async () => {
  const id = await sent(
    row(await invoice('F1', 10_000), 10_000),
    row(await invoice('F2', 25_000), 25_000),
  );
  const [first, second] = await payouts(id);
  const batch = first?.block_id ?? '';
  expect(second?.block_id).toBe(batch);
  await receive({ day: TODAY, ore: -35_000, text: 'BG-BETALNING', batch });
  expect(await suggestions()).toEqual(['-35000 exact payment_batch']);
  expect(await bookExact(books.owner, by)).toBe(1);
  expect([await payables(), (await file(id))?.paid]).toEqual([[], 2]);
  await expectBooksHold();
});

test('two who choose the same at once: one wins, and the other is told', async () => {
  const [a, b] = [await invoice('F1', 10_000), await invoice('F2', 20_000)];
  const both = await Promise.allSettled(
    [create(row(a, 10_000)), create(row(b, 20_000), row(a, 10_000))].map(inWords),
  );
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [lost] = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  expect(lost).toMatch(/F1 står redan i betalfil \d/);
  // And whatever SQL says, in the database.
  const [live] = await db(books.owner).query<{ payout_id: string }>(
    sql`select payout_id from purchases.payout_parts where is_live and invoice_id = ${a}`,
  );
  await expect(
    owner((tx) =>
      tx.query(sql`insert into purchases.payout_parts (payout_id, place, invoice_id, amount_ore)
      values (${live?.payout_id}, 9, ${a}, 10000)`),
    ),
  ).rejects.toThrow('made whole');
});

test('what stands in a file is not paid beside it; once sent, a payment of just that is the file’s', async () => {
  const a = await invoice('F1', 10_000);
  const id = await create(row(a, 10_000));
  const pay = (amountOre: bigint) =>
    owner((tx) =>
      payPurchase(
        tx,
        { purchaseId: a, date: TODAY, today: TODAY, amountOre, differences: {} },
        ACTOR,
      ),
    );
  await refused(pay(10_000n), 'betalfil');
  await refused(pay(1n), 'betalfil');
  await send(id);
  await refused(pay(1n), 'betalfil');
  await pay(10_000n);
  expect(await file(id)).toMatchObject({ paid: 1 });
  expect(await balance(2440)).toBe(0);
  await expectBooksHold();
});

test('a payee’s account that came after the first payment is another, whatever has been paid since', async () => {
  const pay = (purchaseId: string) =>
    owner((tx) =>
      payPurchase(
        tx,
        { purchaseId, date: TODAY, today: TODAY, amountOre: 100n, differences: {} },
        ACTOR,
      ),
    );
  const a = await invoice('F1', 10_000);
  await pay(a);
  await owner((tx) =>
    tx.query(sql`insert into purchases.supplier_accounts (supplier_id, kind, number, created_by)
      values (${supplierId}, 'bankgiro', '50501055', 'test')`),
  );
  // An öre by hand, or a row of the bank that tells late, says nothing of where it went.
  await pay(a);
  const changed = async (bankgiro: string) => {
    const id = await create(row(a, 9_800, bankgiro));
    const [payout] = await payouts(id);
    await owner((tx) => cancelPaymentFile(tx, id, null, ACTOR));
    return payout?.is_payee_changed;
  };
  expect(await changed('991-2346')).toBe(false);
  expect(await changed('5050-1055')).toBe(true);
});

test('is cancelled or sent, whoever is first, and what is cancelled is never matched', async () => {
  const a = await invoice('F1', 10_000);
  const id = await create(row(a, 10_000));
  const [cancel, mark] = await Promise.allSettled([
    owner((tx) => cancelPaymentFile(tx, id, null, ACTOR)),
    send(id),
  ]);
  const outcome = await file(id);
  // Sent first, it is cancelled only for a reason.
  expect([cancel.status, mark.status].filter((status) => status === 'fulfilled')).toHaveLength(1);
  if (outcome?.cancelled_at === null)
    await owner((tx) => cancelPaymentFile(tx, id, 'dubbelt', ACTOR));
  const [payout] = await payouts(id);
  await receive({
    day: TODAY,
    ore: -10_000,
    text: 'Bet',
    details: [named(payout?.end_to_end_id ?? '', -10_000)],
  });
  expect(await suggestions()).not.toContain('-10000 exact end_to_end_id');
  await refused(send(id), 'avbruten');
  const again = await create(row(a, 10_000));
  expect(again).not.toBe(id);
});

test('a bank that has the file and decides later: it counts as sent, and nothing of it as taken or refused', async () => {
  const id = await create(row(await invoice('P1', 10_000), 10_000));
  const [asked] = await payouts(id);
  const { message_id: messageId = '' } = (await file(id)) ?? {};
  const take = (status: string) =>
    owner((tx) =>
      takeBankAnswer(
        tx,
        Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>B</MsgId></GrpHdr>
      <OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><GrpSts>ACCP</GrpSts></OrgnlGrpInfAndSts>
      <OrgnlPmtInfAndSts><OrgnlPmtInfId>${asked?.block_id}</OrgnlPmtInfId>
      <TxInfAndSts><OrgnlEndToEndId>${asked?.end_to_end_id}</OrgnlEndToEndId><TxSts>${status}</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`),
        ACTOR,
      ),
    );
  expect(await take('PDNG')).toMatchObject({ accepted: 0, refused: 0, pending: 1 });
  expect(await payables()).toContain('P1 10000 in_file');
  const later = owner((tx) => cancelPaymentFile(tx, id, null, ACTOR));
  await refused(later, 'stoppa den hos banken');
  expect(await take('RJCT')).toMatchObject({ accepted: 0, refused: 1, pending: 0 });
  expect(await payables()).toContain('P1 10000');
});

test('the bank’s answer opens what it refuses, and a refused payment is never matched', async () => {
  const [a, b] = [await invoice('F1', 10_000), await invoice('F2', 20_000)];
  const id = await create(row(a, 10_000), row(b, 20_000));
  const asked = await payouts(id);
  const answer = (message: string) =>
    Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><GrpHdr><MsgId>B</MsgId></GrpHdr>
      <OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
      <OrgnlPmtInfAndSts><OrgnlPmtInfId>${asked[0]?.block_id}</OrgnlPmtInfId>
      <TxInfAndSts><OrgnlEndToEndId>${asked[0]?.end_to_end_id}</OrgnlEndToEndId><TxSts>RJCT</TxSts><StsRsnInf><Rsn><Cd>AC01</Cd></Rsn><AddtlInf>Okänt bankgiro</AddtlInf></StsRsnInf></TxInfAndSts>
      <TxInfAndSts><OrgnlEndToEndId>${asked[1]?.end_to_end_id}</OrgnlEndToEndId><TxSts>ACCP</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`);
  const take = (message: string) => owner((tx) => takeBankAnswer(tx, answer(message), ACTOR));
  await refused(take('OTHER'), 'inte är gjord här');
  const { message_id: messageId = '' } = (await file(id)) ?? {};
  expect(await take(messageId)).toMatchObject({ accepted: 1, refused: 1, refusedPaid: 0 });
  expect(await payables()).toEqual(['F1 10000', 'F2 20000 in_file']);
  expect(await payouts(id)).toMatchObject([{ refusal: 'AC01: Okänt bankgiro' }, { refusal: null }]);
  expect((await file(id))?.sent_at).not.toBeNull();
  const ore = -10_000;
  await receive({
    day: TODAY,
    ore,
    text: 'Bet',
    details: [named(asked[0]?.end_to_end_id ?? '', ore)],
  });
  expect(await suggestions()).not.toContain('-10000 exact end_to_end_id');
  expect(await take(messageId)).toMatchObject({ refused: 1 });
  await create(row(a, 10_000));
  // The year's archive has what was sent and what came back, each once, and nothing that was only made.
  const days = { from: '2000-01-01', to: '9999-12-31', timeZone: 'Europe/Stockholm' };
  const kept = await listArchivedBankFiles(db(books.owner), days);
  expect(kept.map(({ kind }) => kind)).toEqual(['statement', 'payments', 'answer']);
  const bytes = await readBankAnswerOf(db(books.owner), id, kept[2]?.sha256 ?? '');
  expect(bytes).toEqual(answer(messageId));
  expect(await readSentFile(db(books.owner), id)).toEqual(await readContent(db(books.owner), id));
  await expect(owner((tx) => tx.query(sql`delete from purchases.bank_answers`))).rejects.toThrow(
    'never changed',
  );
});

/** 300 kr, of October's wages. */
async function oweTax(): Promise<void> {
  await owner((tx) => changeSetting(tx, 'company-tax-ocr', '1655670269349', ACTOR));
  await owner((tx) =>
    postAppVoucher(
      tx,
      {
        ...{ series: 'A', date: '2026-10-25', description: 'Lön', counterparty: null },
        rows: [
          { account: 7210, debitOre: 100_000n, creditOre: 0n, note: null },
          { account: 2710, debitOre: 0n, creditOre: 30_000n, note: null },
          { account: 1930, debitOre: 0n, creditOre: 70_000n, note: null },
        ],
      },
      ACTOR,
    ),
  );
}

test('the bank’s row of tax is booked with what tax it is, and of which file', async () => {
  await oweTax();
  const id = await create(row('payroll 2026-10', 30_000));
  await send(id);
  const { stdout } = await runCommand(books, ['payments', 'show', '1']);
  expect(stdout).toMatch(/Skatteverket .* Skatt och arbetsgivaravgifter 2026-10 /);
  const [payout] = await payouts(id);
  const details = [named(payout?.end_to_end_id ?? '', -30_000)];
  await receive({ day: TODAY, ore: -30_000, text: 'Bg-bet. via internet', details });
  expect(await bookExact(books.owner, by)).toBe(1);
  const [voucher] = await db(books.owner).query(
    sql`select description from ledger.vouchers where source = 'bank'`,
  );
  expect(voucher).toEqual({
    description: 'Skatt och arbetsgivaravgifter 2026-10 (betalfil 1)',
  });
});

test('VAT of a quarter falls due as it did when it was filed, also when the company reports by the year since', async () => {
  await owner(async (tx) => {
    await changeSetting(tx, 'company-tax-ocr', '1655670269349', ACTOR);
    const sale = { series: 'A', date: '2026-08-10', description: 'Såld', counterparty: null };
    const rows = [
      { account: 1930, debitOre: 125_000n, creditOre: 0n, note: null },
      { account: 3001, debitOre: 0n, creditOre: 100_000n, note: null },
      { account: 2611, debitOre: 0n, creditOre: 25_000n, note: null },
    ];
    await postAppVoucher(tx, { ...sale, rows }, ACTOR);
    await settleVat(tx, { end: '2026-09-30', today: TODAY }, ACTOR);
    await fileVatReturn(tx, { end: '2026-09-30', today: TODAY }, ACTOR);
  });
  const due = async () =>
    (await listPayables(db(books.owner), TODAY)).map(({ number, dueOn }) => `${number} ${dueOn}`);
  expect(await due()).toEqual(['Moms till och med 2026-09-30 2026-11-12']);
  await owner((tx) => changeSetting(tx, 'vat-period', 'year', ACTOR));
  expect(await due()).toEqual(['Moms till och med 2026-09-30 2026-11-12']);
});

/** The tax account takes what somebody has paid from the bank, by a voucher of their own. */
const payByHand = (date: string, ore: number, more: { account: number; ore: number }[] = []) =>
  owner((tx) =>
    postAppVoucher(
      tx,
      {
        ...{ series: 'A', date, description: 'Inbetald skatt', counterparty: null },
        rows: [
          { account: 1630, debitOre: BigInt(ore), creditOre: 0n, note: null },
          ...more.map((one) => ({
            account: one.account,
            debitOre: BigInt(one.ore),
            creditOre: 0n,
            note: null,
          })),
          {
            account: 1930,
            debitOre: 0n,
            creditOre: BigInt(more.reduce((sum, one) => sum + one.ore, ore)),
            note: null,
          },
        ],
      },
      ACTOR,
    ),
  );

test('tax that somebody books as paid before the bank’s row comes is what the file asked for', async () => {
  await oweTax();
  const id = await create(row('payroll 2026-10', 30_000));
  // Not asked for yet by anybody whom the bank has heard.
  const early = await payByHand(TODAY, 30_000);
  expect((await payouts(id)).map(({ voucher_id }) => voucher_id)).toEqual([null]);
  const date = TODAY;
  await owner((tx) =>
    correctVoucher(
      tx,
      { correctedId: early.id, date, description: 'Fel', replacement: null },
      ACTOR,
    ),
  );
  await send(id);
  await payByHand(TODAY, 29_900);
  await payByHand(TODAY, 30_000, [{ account: 6230, ore: 100 }]);
  await payByHand('2026-10-25', 30_000);
  expect((await payouts(id)).map(({ voucher_id }) => voucher_id)).toEqual([null]);

  const paid = await payByHand(TODAY, 30_000);
  expect((await payouts(id)).map(({ voucher_id }) => voucher_id)).toEqual([paid.id]);
  await refused(
    owner((tx) => bookAsPaid(tx, { fileId: id, date: TODAY, today: TODAY }, ACTOR)),
    'Inget i filen',
  );
  const [payout] = await payouts(id);
  const details = [named(payout?.end_to_end_id ?? '', -30_000)];
  await receive({ day: TODAY, ore: -30_000, text: 'Bg-bet. via internet', details });
  const { suggestions: matches } = await suggestMatches(db(books.owner));
  expect([...matches.values()].map(({ match }) => match)).toMatchObject([
    { target: { kind: 'voucher', voucherId: paid.id } },
  ]);

  await owner((tx) =>
    correctVoucher(
      tx,
      { correctedId: paid.id, date, description: 'Fel', replacement: null },
      ACTOR,
    ),
  );
  expect((await payouts(id)).map(({ voucher_id }) => voucher_id)).toEqual([null]);
  expect(await bookExact(books.owner, by)).toBe(1);
  await expectBooksHold();
});

test('booked as paid by a person, with tax, for who takes in no rows of the bank', async () => {
  const a = await invoice('F1', 10_000);
  await oweTax();
  expect(await payables()).toEqual(['F1 10000', 'Skatt och arbetsgivaravgifter 2026-10 30000']);
  const id = await sent(row(a, 10_000), row('payroll 2026-10', 30_000));
  expect(new Set((await payouts(id)).map(({ block_id }) => block_id)).size).toBe(2);
  expect(await payables()).toEqual([
    'F1 10000 in_file',
    'Skatt och arbetsgivaravgifter 2026-10 30000 in_file',
  ]);
  expect(
    await owner((tx) => bookAsPaid(tx, { fileId: id, date: TODAY, today: TODAY }, ACTOR)),
  ).toBe(2);
  expect([await payables(), await balance(1630), await balance(2440)]).toEqual([[], 30_000, 0]);
  await refused(
    owner((tx) => bookAsPaid(tx, { fileId: id, date: TODAY, today: TODAY }, ACTOR)),
    'Inget i filen',
  );
  await receive(
    { day: TODAY, ore: -10_000, text: 'Granens Frakt F1' },
    { day: TODAY, ore: -30_000, text: 'Skatteverket 2026-10' },
  );
  expect((await suggestions()).map((one) => one.split(' ')[1])).not.toContain('none');
  await expectBooksHold();
});

test('is kept as it was made, byte for byte, and no more is said of it than what is true', async () => {
  const id = await create(row(await invoice('F1', 10_000), 10_000));
  const content = await readContent(db(books.owner), id);
  expect(sha256Of(content)).toEqual((await file(id))?.sha256);
  expect(content.toString()).toContain('<CtrlSum>100.00</CtrlSum>');
  for (const change of [
    sql`update purchases.payment_files set content = '\\x00' where id = ${id}`,
    sql`update purchases.payouts set amount_ore = 1 where file_id = ${id}`,
    sql`update purchases.payout_parts set is_live = false`,
    sql`delete from purchases.payout_parts`,
    sql`delete from purchases.payment_files where id = ${id}`,
    sql`update purchases.payment_files set approved_at = now(), approved_by = created_by where id = ${id}`,
  ]) {
    await expect(owner((tx) => tx.query(change))).rejects.toMatchObject({
      constraint: expect.stringContaining('payment_files'),
    });
  }
  // As the worker that tells webhooks reads it.
  const events = await owner(async (tx) => {
    await tx.query(sql`set local role hb_worker`);
    return tx.query<{ data: object }>(
      sql`select events.describe(type, subject) as data from events.outbox
          where type = 'payment_file.created'`,
    );
  });
  const told = { paymentFileId: id, payments: 1, total: 100, needsApproval: false };
  expect(events).toMatchObject([{ data: told }]);
});

test('a payout is booked by what pays just that, whoever says which voucher it is', async () => {
  const id = await sent(row(await invoice('F1', 10_000), 10_000));
  const { id: other } = await owner((tx) =>
    postAppVoucher(
      tx,
      {
        ...{ series: 'A', date: TODAY, description: 'Annat', counterparty: null },
        rows: [
          { account: 6570, debitOre: 10_000n, creditOre: 0n },
          { account: 1930, debitOre: 0n, creditOre: 10_000n },
        ],
      },
      ACTOR,
    ),
  );
  const say = (tx: Tx) =>
    tx.query(sql`update purchases.payouts set voucher_id = ${other} where file_id = ${id}`);
  await expect(owner(say)).rejects.toMatchObject({ constraint: 'payouts_are_paid' });
  expect(await payables()).toEqual(['F1 10000 in_file']);
});
