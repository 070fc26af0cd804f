/** Runs of reminders: each reminder and its fee once, whoever runs and however often; nothing while the bank is silent. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { payDocument } from '#src/bank/booking.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { getBankNews } from '#src/bank/statements/told.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { judgeDisputed } from '#src/sales/collection/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { findSeller } from '#src/sales/mail/store.ts';
import { pauseReminders } from '#src/sales/reminders/pauses.ts';
import { previewReminders, runReminders } from '#src/sales/reminders/runs.ts';
import { camt053, fileOf, testIban } from '../support/bank-file.ts';
import { runCommand } from '../support/command.ts';
import { type Books, createBooks } from '../support/installation.ts';
import { fillInCompany, makeDrafts } from '../support/invoices.ts';

const ACTOR = 'test';
/** The invoices fall due 2026-03-31. */
const today = '2026-04-10';
let books: Books;
let ids: string[];
beforeEach(async () => {
  books = await createBooks();
  await fillInCompany(books.owner);
  await withTx(books.owner, async (tx) => {
    for (const [name, value] of [
      ['reminder-runs', 'on'],
      ['reminder-run-fees', 'on'],
      ['reminder-fees', 'on'],
    ] as const) {
      await changeSetting(tx, name, value, ACTOR);
    }
    await createBankAccount(
      tx,
      { name: 'Företagskonto', ledgerAccount: 1930, iban: testIban },
      ACTOR,
    );
  });
  ids = await makeDrafts(books.owner, [1000n, 2000n]);
  await withTx(books.owner, async (tx) => {
    const { id } = await insertCustomer(tx, { name: 'Kunden AB', email: 'kund@exempel.se' });
    await tx.query(sql`update sales.invoices set customer_id = ${id}`);
    await bookInvoices(tx, ids, ACTOR);
  });
});
afterEach(() => books.close());

async function readBank(day = '2026-04-09'): Promise<void> {
  await take(camt053({ entries: [{ day, ore: 100, text: 'Ränta' }], opening: 5_000_000 }));
}
async function take(text: string): Promise<void> {
  const source = await fileOf(text);
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, [source], null, ACTOR);
    await takeIn(
      tx,
      {
        id,
        sources: [source],
        choices: { accountId: null, isAccepted: true, equalRows: null },
        today,
      },
      ACTOR,
    );
  });
}
const preview = (day = today) =>
  withTx(books.owner, async (tx) =>
    previewReminders(tx, { today: day, canMail: true, bank: (await getBankNews(tx)).accounts }),
  );
async function run(marks: readonly string[], id = uuid(), day = today) {
  return withTx(books.owner, async (tx) => {
    const seller = await findSeller(tx);
    if (!seller) throw new Error('no company');
    const sender = { name: 'Vi', address: 'vi@exempel.se', replyTo: null };
    const { accounts: bank } = await getBankNews(tx);
    const mail = { seller, sender };
    return runReminders(
      tx,
      { id, marks, today: day, bank, timeZone: 'Europe/Stockholm', mail },
      ACTOR,
    );
  });
}
const marksOf = async (day = today) => (await preview(day)).due.map(({ mark }) => mark);
async function sent() {
  const [row] = await db(books.owner).query(sql`select
    (select count(*)::integer from sales.reminders) as reminders,
    (select coalesce(sum(fee_ore), 0)::integer from sales.reminders) as fees,
    (select count(*)::integer from sales.mails) as mails,
    (select count(*)::integer from sales.reminder_runs) as runs,
    (select count(*)::integer from pgboss.job where name = 'mail') as jobs`);
  return row;
}
const once = { reminders: 2, fees: 12_000, mails: 2, runs: 1, jobs: 2 };
const none = { reminders: 0, fees: 0, mails: 0, runs: 0, jobs: 0 };

test('a statement that says it is of years ahead does not let customers be reminded for ever after', async () => {
  await readBank();
  await withTx(books.owner, async (tx) => {
    for (const table of ['imported_statements', 'transactions']) {
      await tx.query({ text: `alter table bank.${table} disable trigger user`, values: [] });
    }
    const at = '2026-04-09T10:00:00Z';
    await tx.query(
      sql`update bank.imported_statements set last_day = '2031-04-09', created_at = ${at}`,
    );
    await tx.query(sql`update bank.transactions set booked_on = '2031-04-09', created_at = ${at}`);
  });
  expect((await preview()).obstacle).toBeNull();
  expect((await preview('2026-04-14')).obstacle).toMatchObject({
    reason: 'bank_told_too_long_ago',
    params: { lastDay: '2026-04-09' },
  });
});

test('two people at once remind once, and the other is told', async () => {
  await readBank();
  const marks = await marksOf();
  expect(marks).toHaveLength(2);
  const both = await Promise.allSettled([run(marks), run(marks)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { faults: [{ reason: 'reminders_changed' }] },
  });
  expect(await sent()).toEqual(once);
  expect((await verifyBooks(db(books.owner), () => undefined)).problems).toEqual([]);
});

test('the same form twice is one run, also when both come at once', async () => {
  await readBank();
  const marks = await marksOf();
  const id = uuid();
  const both = await Promise.all([run(marks, id), run(marks, id)]);
  expect(both.map(({ isRepeated }) => isRepeated).sort()).toEqual([false, true]);
  expect((await run(marks, id)).isRepeated).toBe(true);
  expect(await sent()).toEqual(once);
  // Nothing more is due the same day, nor until the time to pay by the reminder is out.
  expect((await preview()).due).toEqual([]);
  await readBank('2026-04-24');
  expect((await preview('2026-04-25')).due.map(({ reminder }) => reminder.level)).toEqual([2, 2]);
});

test('is stopped while the bank has told of nothing for longer than the company allows', async () => {
  expect((await preview()).obstacle).toMatchObject({ reason: 'bank_account_not_read' });
  await readBank('2026-04-06');
  const marks = await marksOf();
  await expect(run(marks)).rejects.toMatchObject({
    whole: { reason: 'bank_told_too_long_ago', params: { lastDay: '2026-04-06', bankDays: 3 } },
  });
  expect(await sent()).toEqual(none);
  await withTx(books.owner, (tx) => changeSetting(tx, 'reminder-bank-days', '4', ACTOR));
  expect((await run(marks)).sent).toHaveLength(2);
});

test('savings that statements come of seldom stop nobody, once another account is where customers pay', async () => {
  const savings = '90001234567';
  await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Sparkonto', ledgerAccount: 1940, number: savings }, ACTOR),
  );
  await readBank();
  // Nobody has read it yet: it may be where customers pay.
  expect((await preview()).obstacle).toMatchObject({ params: { bankName: 'Sparkonto' } });
  await take(
    camt053({ account: savings, entries: [{ day: '2026-03-01', ore: 100, text: 'Ränta' }] }),
  );
  // Nor has any customer paid to the other so far.
  expect((await preview()).obstacle).toMatchObject({ params: { bankName: 'Sparkonto' } });
  const [row] = await db(books.owner).query<{ id: string }>(
    sql`select t.id from bank.transactions t join bank.accounts a on a.id = t.account_id where a.iban = ${testIban}`,
  );
  const payment = {
    transactionId: row?.id ?? '',
    kind: 'invoice',
    documentId: ids[0] ?? '',
  } as const;
  await withTx(books.owner, (tx) =>
    payDocument(tx, { ...payment, date: '2026-04-09', today }, ACTOR),
  );
  expect((await preview()).obstacle).toBeNull();
  // The account that they do pay to is asked as before.
  expect((await preview('2026-04-20')).obstacle).toMatchObject({
    params: { bankName: 'Företagskonto' },
  });
});

test('a process that dies in the middle has sent nothing, and the next run sends all once', async () => {
  await readBank();
  const marks = await marksOf();
  // Whoever is cut off after the first reminder and its mail leaves what a rollback does.
  await books.owner.query(`create function pg_temp_fail() returns trigger language plpgsql as
    $$ begin if (select count(*) from sales.reminders) > 1 then raise exception 'cut off'; end if; return null; end $$`);
  await books.owner.query(`create trigger cut_off after insert on sales.reminders
    for each row execute function pg_temp_fail()`);
  await expect(run(marks)).rejects.toThrow('cut off');
  expect(await sent()).toEqual(none);
  await books.owner.query('drop trigger cut_off on sales.reminders');
  await run(marks);
  expect(await sent()).toEqual(once);
});

test('what has changed since it was looked at is left, and the rest goes', async () => {
  await readBank();
  const marks = await marksOf();
  const [first = '', second = ''] = ids;
  const kind = 'promise' as const;
  await withTx(books.owner, async (tx) => {
    const pause = { kind, lastDay: '2026-04-20', reason: null };
    await pauseReminders(tx, { invoiceId: first, today, ...pause }, ACTOR);
  });
  const done = await run(marks);
  expect(done.sent.map(({ invoiceId }) => invoiceId)).toEqual([second]);
  expect(done.changed).toBe(1);
  const left = (await preview()).leftOut.map(({ id, leftOut }) => [id, leftOut.why]);
  expect(Object.fromEntries(left)).toEqual({ [first]: 'promised', [second]: 'not_yet' });
  await withTx(books.owner, (tx) => judgeDisputed(tx, first, 'Trasig', ACTOR));
  expect((await preview()).leftOut.find(({ id }) => id === first)?.leftOut.why).toBe('disputed');
});

test('by command: who is left out and why, and nothing done when one who was named is not due', async () => {
  await readBank();
  const [promised = '', due = ''] = ids;
  await withTx(books.owner, async (tx) => {
    const pause = { kind: 'promise' as const, lastDay: '2026-04-20', reason: null };
    await pauseReminders(tx, { invoiceId: promised, today, ...pause }, ACTOR);
  });
  const env = { SMTP_URL: 'smtp://127.0.0.1:2525', MAIL_FROM: 'vi@exempel.se' };
  const command = (...words: string[]) =>
    runCommand(books, ['reminders', ...words], { env, today });
  const looked = (await command('preview')).stdout;
  expect(looked).toMatch(/påminnelse 1 +\d\s\d{3},00\skr/);
  expect(looked).toMatch(/\d\s\d{3},00\skr .*Kunden har lovat att betala senast 2026-04-20\./);
  const unknown = '00000000-0000-0000-0000-000000000000';
  const refused = await command(
    'run',
    '--invoice',
    due,
    '--invoice',
    promised,
    '--invoice',
    unknown,
  );
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /påminns inte: Kunden har lovat .*00000000-0000-0000-0000-000000000000 är ingen förfallen faktura\. Inget är gjort\./,
  );
  expect(await sent()).toEqual(none);
});
