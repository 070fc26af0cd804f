/** Statements of banks taken in: what becomes of them, that no row comes twice or is lost, and that it is all or nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createBankAccount, stateBalance } from '#src/bank/service.ts';
import {
  askForImport,
  keepFiles,
  takeBegunImport,
  takeIn,
} from '#src/bank/statements/begun-imports.ts';
import { doubtText } from '#src/bank/statements/doubt-words.ts';
import {
  type BankImportChoices,
  findBankImport,
  purgeBankFiles,
} from '#src/bank/statements/import-store.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import type { SourceFile } from '#src/lib/source-file.ts';
import { camt053, camt054, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/company.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { until } from '../support/processes.ts';

const ACTOR = 'test';
let books: Books;
let accountId: string;
beforeEach(async () => {
  books = await createBooks();
  ({ id: accountId } = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban }, ACTOR),
  ));
});
afterEach(() => books.close());

const choices: BankImportChoices = { accountId: null, isAccepted: false, equalRows: null };
const takeFiles = (sources: readonly SourceFile[], more: Partial<BankImportChoices> = {}) =>
  withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, sources, null, ACTOR);
    return takeIn(tx, { id, sources, choices: { ...choices, ...more }, today: TODAY }, ACTOR);
  });
const take = async (text: string, more: Partial<BankImportChoices> = {}, name = 'utdrag.xml') =>
  takeFiles([await fileOf(text, name)], more);
const rows = () =>
  db(books.owner).query<{ row: string }>(
    sql`select booked_on || ' ' || amount_ore || ' ' || description as row from bank.transactions
        order by 1`,
  );
const texts = async () => (await rows()).map(({ row }) => row);
const balances = async () =>
  (
    await db(books.owner).query<{ balance: string }>(
      sql`select closing_date || ' ' || balance_ore as balance from bank.statements order by 1`,
    )
  ).map(({ balance }) => balance);
const outcomes = ({ files }: Awaited<ReturnType<typeof take>>) =>
  files.flatMap(({ statements }) => statements.map(({ outcome, added }) => `${outcome} ${added}`));
const march: TestEntry[] = [
  { day: '2026-03-02', ore: -5_000, text: 'Kaffe' },
  { day: '2026-03-02', ore: -5_000, text: 'Kaffe' },
  { day: '2026-03-31', ore: 90_000, text: 'Kund' },
];

test('a statement comes in with its rows, balances, file and an event; again, it is known', async () => {
  const text = camt053({ opening: 100_000, entries: march, from: '2026-03-01' });
  const report = await take(text);
  expect(outcomes(report)).toEqual(['taken 3']);
  const expected = ['2026-03-02 -5000 Kaffe', '2026-03-02 -5000 Kaffe', '2026-03-31 90000 Kund'];
  expect(await texts()).toEqual(expected);
  expect(await balances()).toEqual(['2026-03-31 180000']);
  expect(outcomes(await take(text))).toEqual(['known 0']);
  expect(await texts()).toEqual(expected);
  // As the worker that delivers it reads it.
  const worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 1,
    applicationName: 'test worker',
  });
  onTestFinished(() => worker.end());
  const events = await db(worker).query(
    sql`select e.type, events.describe(e.type, e.subject) - 'importId' - 'accountIds' as told from events.outbox e`,
  );
  expect(events).toEqual([
    {
      type: 'bank.imported',
      told: { statements: 1, transactions: 3, from: '2026-03-01', to: '2026-03-31' },
    },
  ]);
  const [kept] = await db(books.owner).query(
    sql`select count(*)::integer as files from bank.files`,
  );
  expect(kept).toEqual({ files: 1 });
});

test('months that a statement covers each have their balance, and a later statement mends the day it was cut', async () => {
  const entries = [
    { day: '2026-01-10', ore: 1_000 },
    { day: '2026-03-05', ore: 2_000 },
  ];
  await take(camt053({ entries }));
  expect(await balances()).toEqual(['2026-01-31 1000', '2026-02-28 1000', '2026-03-05 3000']);
  await take(camt053({ opening: 3_000, entries: [{ day: '2026-03-05', ore: 2_000 }] }));
  expect(await texts()).toHaveLength(3);
  expect(await balances()).toContain('2026-03-05 5000');
  // The older one again, last: what is known better stays.
  await take(camt053({ entries: [...entries] }).replace('<MsgId>M', '<MsgId>N'));
  expect(await balances()).toContain('2026-03-05 5000');
  expect(await texts()).toHaveLength(3);
});

test('several files and statements come in the bank’s order, whatever order they are given in', async () => {
  const day = (nth: number): TestEntry => ({ day: `2026-03-0${nth}`, ore: -5_000, text: 'Kaffe' });
  const one = camt053(
    { opening: 90_000, entries: [day(3), day(4)] },
    { opening: 100_000, entries: [day(1), day(2)] },
  );
  const other = camt053({ opening: 95_000, entries: [day(2), day(3)] });
  const report = await takeFiles([await fileOf(one), await fileOf(other, 'b.xml')]);
  expect(report).toMatchObject({ taken: 3, added: 4, known: 2 });
  expect(await texts()).toHaveLength(4);
});

test('a day beside those of one file has its rows when the next file of the same import tells of it too', async () => {
  const { addTransaction } = await import('#src/bank/service.ts');
  const coffee = (nth: number): TestEntry => ({
    day: `2026-03-0${nth}`,
    ore: -5_000,
    text: 'Kaffe',
  });
  const some = await fileOf(camt053({ to: '2026-03-02', entries: [coffee(1)] }));
  const all = await fileOf(camt053({ to: '2026-03-05', entries: [coffee(1), coffee(2)] }), 'b.xml');
  await withTx(books.owner, (tx) =>
    addTransaction(
      tx,
      { accountId, bookedOn: '2026-03-02', amountOre: -5_000n, description: 'Fika' },
      ACTOR,
    ),
  );
  expect(await takeFiles([all])).toMatchObject({ added: 1, known: 1 });
  const again = await fileOf(
    camt053({ id: 'annat', to: '2026-03-02', entries: [coffee(1)] }),
    'c.xml',
  );
  expect(await takeFiles([some, again, all])).toMatchObject({ added: 0 });
  expect(await texts()).toHaveLength(2);
});

test('a statement that does not add up stays out, and the one beside it comes in', async () => {
  const broken = camt053(
    { entries: march },
    { opening: 80_000, entries: [{ day: '2026-04-02', ore: 100 }] },
  ).replace('<Amt Ccy="SEK">801.00', '<Amt Ccy="SEK">802.00');
  const report = await take(broken);
  expect(outcomes(report)).toEqual(['taken 3', 'refused 0']);
  expect(report.files[0]?.problems).toMatchObject([{ reason: 'sums_differ', path: 'Stmt[2]' }]);
  expect(await texts()).toHaveLength(3);
});

test('an account is asked for once, and then known by what the bank calls it', async () => {
  const text = (opening: number, day: string) =>
    camt053({ account: '8327912345678', opening, entries: [{ day, ore: 100 }] });
  expect(outcomes(await take(text(0, '2026-03-01')))).toEqual(['account_unknown 0']);
  expect(outcomes(await take(text(0, '2026-03-01'), { accountId }))).toEqual(['taken 1']);
  expect(outcomes(await take(text(100, '2026-03-02')))).toEqual(['taken 1']);
  const other = camt053({ account: '8327900000000', entries: march });
  expect(outcomes(await take(other, { accountId }))).toEqual(['account_differs 0']);
  const euro = camt053({ currency: 'EUR', entries: march });
  expect(outcomes(await take(euro, { isAccepted: true }))).toEqual(['currency_not_supported 0']);
});

const csv = (...lines: readonly string[]): string =>
  [
    '"Kontonummer";"Kontonamn";"";"Saldo";"Tillgängligt belopp"',
    '"9025-12.345.67";"Företag";"";"1,00";"1,00"',
    '',
    '"Bokföringsdatum";"Transaktionsdatum";"Transaktionstyp";"Meddelande";"Belopp"',
    ...lines.map((line) => `"${line.split(';').join('";"')}"`),
  ].join('\n');

test('CSV without balances waits for somebody to look, and equal rows for somebody to say', async () => {
  const first = csv(
    '2026-03-03;2026-03-03;Kortköp;Kaffe;-50,00',
    '2026-03-02;2026-03-02;Kortköp;Te;-20,00',
  );
  expect(outcomes(await take(first, { accountId }, 'lf.csv'))).toEqual(['doubt 0']);
  const sure = { accountId, isAccepted: true };
  expect(outcomes(await take(first, sure, 'lf.csv'))).toEqual(['taken 2']);
  const next = csv(
    '2026-03-04;2026-03-04;Kortköp;Te;-10,00',
    '2026-03-03;2026-03-03;Kortköp;Kaffe;-50,00',
  );
  const asked = await take(next, sure, 'lf2.csv');
  expect(asked.files[0]?.statements).toMatchObject([
    { outcome: 'rows_in_doubt', doubts: [{ day: '2026-03-03', rows: 1 }] },
  ]);
  expect(await texts()).toHaveLength(2);
  expect(outcomes(await take(next, { ...sure, equalRows: 'known' }, 'lf2.csv'))).toEqual([
    'taken 1',
  ]);
  expect(await texts()).toHaveLength(3);
});

// Two statements of the same days that begin on different balances, each of which adds up.
const contradicting = (opening: number, day = '2026-03-09') =>
  camt053({
    ...{ id: `S${opening}`, opening, from: '2026-03-01', to: '2026-03-31' },
    entries: [{ day, ore: 50_000, text: opening < 0 ? '' : 'Delbetalning' }],
  });

test('of two statements that contradict each other the second waits for a person, and nothing of it comes in', async () => {
  expect(outcomes(await take(contradicting(100_000)))).toEqual(['taken 1']);
  for (const day of ['2026-03-09', '2026-03-20']) {
    const second = contradicting(-50_000, day);
    const told = await take(second, { isAccepted: true });
    expect(outcomes(told)).toEqual([expect.stringContaining('contradicts')]);
    expect(told.files[0]?.statements[0]?.doubts[0]).toMatchObject({
      contradiction: { at: 'opening', known: expect.any(String), told: '-50000' },
    });
  }
  expect(await texts()).toEqual(['2026-03-09 50000 Delbetalning']);
  expect(await balances()).toEqual(['2026-03-09 150000', '2026-03-31 150000']);
  // The first is still the same, and what a person says holds.
  expect(outcomes(await take(contradicting(100_000)))).toEqual(['known 0']);
  const second = contradicting(-50_000);
  expect(outcomes(await take(second, { equalRows: 'known' }))).toEqual(['taken 0']);
  expect(outcomes(await take(contradicting(-50_001), { equalRows: 'new' }))).toEqual(['taken 1']);
  expect(await texts()).toHaveLength(2);
  expect(await balances()).toEqual(['2026-03-09 150000', '2026-03-31 150000']);
});

test('of two that come at once neither is right because of its place', async () => {
  const april = camt053({
    ...{ id: 'April', opening: 150_000, from: '2026-04-01', to: '2026-04-30' },
    entries: [{ day: '2026-04-07', ore: 100, text: 'Ränta' }],
  });
  const texted = [contradicting(100_000), contradicting(-50_000, '2026-03-20'), april];
  const files = await Promise.all(texted.map((text, place) => fileOf(text, `${place}.xml`)));
  for (const order of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ]) {
    const told = await takeFiles(order.flatMap((place) => files[place] ?? []));
    const [first, second] = ['0.xml', '1.xml'].map(
      (name) => told.files.find(({ file }) => file === name)?.statements[0],
    );
    expect([first, second]).toMatchObject([
      { outcome: 'contradicts', doubts: [{ contradiction: { told: '100000' } }, {}] },
      { outcome: 'contradicts', doubts: [{}, { contradiction: { known: '150000' } }] },
    ]);
    expect(await texts()).toEqual(['2026-04-07 100 Ränta']);
  }
});

// A list without balances has the whole of the days between its first and its last.
const list = (day: string, amount: string): string =>
  csv(
    '2026-05-30;2026-05-30;Övrigt;Sist;2,00',
    `${day};${day};Övrigt;Kund;${amount}`,
    '2026-05-01;2026-05-01;Övrigt;Först;1,00',
  );

test('rows that differ of days that lists without balances both have whole wait, in any order and at once', async () => {
  const sure = { isAccepted: true, accountId, equalRows: 'known' } as const;
  const asking = { ...sure, equalRows: null };
  const [one, other] = [list('2026-05-10', '100,00'), list('2026-05-11', '200,00')];
  const files = await Promise.all([one, other].map((text, n) => fileOf(text, `${n}.csv`)));
  for (const sources of [files, files.toReversed()]) {
    expect(outcomes(await takeFiles(sources, asking))).toEqual(['contradicts 0', 'contradicts 0']);
    expect(await texts()).toEqual([]);
  }
  expect(outcomes(await take(one, asking, '0.csv'))).toEqual(['taken 3']);
  const told = await take(other, asking, '1.csv');
  expect(outcomes(told)).toEqual([expect.stringContaining('contradicts')]);
  const doubts = told.files[0]?.statements[0]?.doubts ?? [];
  expect(doubts.filter(({ contradiction }) => contradiction)).toEqual([
    { day: '2026-05-10', rows: 0, contradiction: { at: 'rows' } },
    { day: '2026-05-11', rows: 0, contradiction: { at: 'rows' } },
  ]);
  expect(doubts.map(doubtText)[0]).toBe('2026-05-10 har andra rader än i ett annat kontoutdrag');
  expect(await texts()).toHaveLength(3);
  expect(outcomes(await take(one, asking, '0.csv'))).toEqual(['known 0']);
  expect(outcomes(await take(other, sure, '1.csv'))).toEqual(['taken 1']);
  expect(await texts()).toHaveLength(4);
});

test('what a person typed from the bank’s list is the row that the bank sends later', async () => {
  const { addTransaction } = await import('#src/bank/service.ts');
  await withTx(books.owner, (tx) =>
    addTransaction(
      tx,
      { accountId, bookedOn: '2026-03-31', amountOre: 90_000n, description: 'Från kunden' },
      ACTOR,
    ),
  );
  expect(outcomes(await take(camt053({ entries: march })))).toEqual(['taken 2']);
  expect(await texts()).toHaveLength(3);
});

const paid = (ocr: string, ore: number): string =>
  `<Refs><EndToEndId>E${ocr}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="SEK">${(ore / 100).toFixed(2)}</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>Kund ${ocr}</Nm></Dbtr></RltdPties><RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${ocr}</Ref></CdtrRefInf></Strd></RmtInf>`;

test('a notice that comes in two files at once is in once, and so is all else of the import', async () => {
  const entry = { day: '2026-03-31', ore: 90_000, reference: 'BG1', details: [paid('1', 90_000)] };
  const notice = camt054('N1', [entry, entry]);
  const files = await Promise.all([
    fileOf(notice, 'a.xml'),
    fileOf(notice.replace('<MsgId>M', '<MsgId>O'), 'b.xml'),
    fileOf(camt053({ entries: march }), 'c.xml'),
  ]);
  expect(outcomes(await takeFiles(files))).toEqual(['taken 2', 'known 0', `taken ${march.length}`]);
  const [kept] = await db(books.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from bank.announcements`,
  );
  expect(kept?.count).toBe(2);
});

/** A record of BgMax: texts from the columns on, counted from 1. */
const record = (parts: Readonly<Record<number, string>>): string =>
  Object.entries(parts)
    .reduce((text, [from, part]) => text.padEnd(Number(from) - 1) + part, '')
    .padEnd(80);

test('BgMax tells who paid what of a deposit, and is no row', async () => {
  const ore = (amount: number) => String(amount).padStart(18, '0');
  const of = (ocr: string, amount: number) =>
    record({ 1: '200003783511', 13: ocr.padStart(25), 38: `${ore(amount)}22`, 58: '000000000100' });
  const told = [
    record({ 1: '01BGMAX', 23: '0120260331173035010331P' }),
    record({ 1: '050009912346', 23: 'SEK' }),
    of('10017', 40_000),
    record({ 1: '26Kaffehuset i Åre' }),
    of('10025', 50_000),
    record({
      1: `15${'6000123456789'.padStart(35, '0')}2026033100074${ore(90_000)}SEK00000002`,
    }),
    record({ 1: '7000000002000000000000000000000001' }),
  ].join('\r\n');
  await take(camt053({ entries: march }));
  expect(outcomes(await take(told))).toEqual(['account_unknown 0']);
  expect(outcomes(await take(told, { accountId, isAccepted: true }))).toEqual(['taken 1']);
  // Its bankgiro is known from then on, and asked for no more.
  expect(outcomes(await take(told, { isAccepted: true }))).toEqual(['known 0']);
  expect(await texts()).toHaveLength(march.length);
  // The number that BgMax pads is not learnt, nor is a second bankgiro that leads to the account.
  const more = told.replace('050009912346', '050003783511').replace('10017', '10033');
  expect(outcomes(await take(more, { accountId, isAccepted: true }))).toEqual(['taken 1']);
  const [known] = await db(books.owner).query(
    sql`select iban, number, bankgiro from bank.accounts`,
  );
  expect(known).toEqual({ iban: testIban, number: null, bankgiro: '9912346' });
  const found = await db(books.owner).query(sql`select t.description as row, d.amount_ore as part,
      d.creditor_references as said, d.debtor ->> 'name' as payer
    from bank.details d join bank.announcements a on a.id = d.announcement_id
    join bank.transactions t on t.id = a.transaction_id order by d.place`);
  expect(found).toEqual([
    { row: 'Kund', part: 40_000n, said: ['10017'], payer: 'Kaffehuset i Åre' },
    { row: 'Kund', part: 50_000n, said: ['10025'], payer: null },
  ]);
});

test.each(['before', 'after'])(
  'camt.054 that comes %s its row details it, and is no row',
  async (when) => {
    const details = [paid('10017', 40_000), paid('10025', 50_000)];
    const notice = camt054('N1', [{ day: '2026-03-31', ore: 90_000, reference: 'BG1', details }]);
    const statement = camt053({
      entries: [
        ...march.slice(0, 2),
        { ...march[2], day: '2026-03-31', ore: 90_000, reference: 'BG1' },
      ],
    });
    for (const text of when === 'before' ? [notice, statement] : [statement, notice]) {
      expect(outcomes(await take(text))[0]).toMatch(/^taken/);
    }
    expect(outcomes(await take(notice.replace('<MsgId>M', '<MsgId>O')))).toEqual(['known 0']);
    expect(await texts()).toHaveLength(3);
    const found = await db(
      books.owner,
    ).query(sql`select t.amount_ore, d.amount_ore as part, d.creditor_references,
      d.end_to_end_id, d.debtor ->> 'name' as payer
    from bank.details d join bank.announcements a on a.id = d.announcement_id
    join bank.transactions t on t.id = a.transaction_id order by d.place`);
    expect(found).toEqual([
      {
        amount_ore: 90_000n,
        part: 40_000n,
        creditor_references: ['10017'],
        end_to_end_id: 'E10017',
        payer: 'Kund 10017',
      },
      {
        amount_ore: 90_000n,
        part: 50_000n,
        creditor_references: ['10025'],
        end_to_end_id: 'E10025',
        payer: 'Kund 10025',
      },
    ]);
  },
);

test('two who bring the same rows at once bring them once', async () => {
  const text = camt053({ entries: march });
  const reports = await Promise.all(
    Array.from({ length: 4 }, (_, nth) => take(text.replace('<MsgId>M', `<MsgId>${nth}`))),
  );
  expect(await texts()).toHaveLength(3);
  expect(reports.map(({ added }) => added).sort()).toEqual([0, 0, 0, 3]);
});

test('the tax account is taken in, and asks nobody for a voucher by the month’s end', async () => {
  await withTx(books.owner, (tx) =>
    createBankAccount(
      tx,
      { name: 'Skattekonto', kind: 'tax', ledgerAccount: 1630, number: '5591233878' },
      ACTOR,
    ),
  );
  const text = [
    '"Bolaget AB";"559123-3878";"";""',
    '',
    '"";"Ingående saldo 2026-03-01";"";"100"',
    '"2026-03-12";"Moms jan 2026";"-40";"60"',
    '"";"Utgående saldo 2026-03-31";"";"60"',
  ].join('\n');
  expect(outcomes(await take(text, {}, 'skatt.csv'))).toEqual(['taken 1']);
  const [answer] = await db(books.owner).query(
    sql`select ledger.failing_conditions('2026-03-01', 'Europe/Stockholm') as failing`,
  );
  expect((answer as { failing: string[] }).failing).not.toContain('bank');
});

test('files that nobody asked for are cleared away after a week', async () => {
  await withTx(books.owner, async (tx) => keepFiles(tx, [await fileOf('x')], null, ACTOR));
  await db(books.owner).query(sql`update bank.files set created_at = now() - interval '8 days'`);
  await db(books.owner).query(sql`update bank.imports set created_at = now() - interval '8 days'`);
  expect(await withTx(books.owner, purgeBankFiles)).toBe(1n);
});

test('a worker killed in the middle leaves nothing, and the next one takes the file in whole', async () => {
  const entries = Array.from({ length: 8_000 }, (_, nth) => ({ day: '2026-03-02', ore: nth + 1 }));
  const id = await withTx(books.owner, async (tx) => {
    const kept = await keepFiles(tx, [await fileOf(camt053({ entries }))], null, ACTOR);
    await askForImport(tx, kept, choices, ACTOR);
    return kept;
  });
  const program = `
    import { createBankImporter } from '#workers/import.ts';
    import { createPool } from '#src/db/pool.ts';
    const [databaseUrl, importId] = process.argv.slice(1);
    const teller = createPool({ url: databaseUrl, max: 1, applicationName: 'teller' });
    const log = { info() {} };
    await createBankImporter({ databaseUrl, timeZone: 'UTC' }).run(teller, log, { importId });`;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', program, books.url, id], {
    stdio: 'ignore',
  });
  const gone = once(worker, 'exit');
  // It has written some, which nobody sees.
  await until(async () => {
    const held = await db(books.owner).query(sql`select from pg_locks
      where relation = 'bank.transactions'::regclass and mode = 'RowExclusiveLock'
        and database = (select oid from pg_database where datname = current_database())
        and pid <> pg_backend_pid()`);
    return held.length > 0;
  });
  worker.kill('SIGKILL');
  expect((await gone)[1]).toBe('SIGKILL');
  expect(await texts()).toEqual([]);
  expect(await findBankImport(db(books.owner), id)).toMatchObject({
    failed_at: null,
    report: null,
  });
  const again = () =>
    takeBegunImport(id, {
      owner: books.owner,
      teller: books.owner,
      timeZone: 'Europe/Stockholm',
      signal: new AbortController().signal,
    });
  await Promise.all([again(), again()]);
  expect(await texts()).toHaveLength(8_000);
  expect((await findBankImport(db(books.owner), id))?.report).toMatchObject({ added: 8_000 });
});

test('a typed balance never takes the place of what a statement says of a whole day', async () => {
  await take(camt053({ opening: 100_000, entries: march, from: '2026-03-01', to: '2026-04-02' }));
  const state = (closingDate: string, balanceOre: bigint) =>
    withTx(books.owner, (tx) => stateBalance(tx, { accountId, closingDate, balanceOre }, ACTOR));
  await expect(state('2026-03-31', 1n)).rejects.toMatchObject({
    code: 'unprocessable',
    faults: [{ path: 'balance', reason: 'bank_balance_of_statement' }],
  });
  await state('2026-03-31', 180_000n);
  await expect(state('2026-04-02', 5n)).rejects.toMatchObject({ code: 'unprocessable' });
  await state('2026-04-30', 7n);
  const headings = 'Bokföringsdatum;Valutadatum;Verifikationsnummer;Text;Belopp;Saldo\n';
  const list = `${headings}2026-05-04;2026-05-04;1;Kaffe;-50,00;950,00\n`;
  await take(list, { accountId, isAccepted: true }, 'seb.csv');
  // Fetched at noon, a list does not say what the day ended with.
  await state('2026-05-04', 5n);
  expect(await balances()).toEqual([
    '2026-03-31 180000',
    '2026-04-02 180000',
    '2026-04-30 7',
    '2026-05-04 5',
  ]);
});
