/** Files of the bank in any order, overlapping, together or one by one, and again: the account knows each row of the bank once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { addDays } from '#src/domain/basics/dates.ts';
import { camt053, camt054, fileOf, type TestEntry, testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/company.ts';
import { createBooks } from '../support/installation.ts';
import { tries } from '../support/tries.ts';

const actor = 'test';
const first = '2026-02-20';
const opening = 1_000_000;

/** What the bank did: some rows a day, some alike, some with payments of which a notice tells. */
const year = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 12 }),
    ore: fc.constantFrom(-5_000, -5_000, 5_000, 20_000, -13_600, 99_999),
    text: fc.constantFrom('Kaffe', 'Kaffe', 'Bankgiroinbetalning', 'Autogiro'),
    isNoticed: fc.boolean(),
  }),
  { minLength: 3, maxLength: 24 },
);

const payment = (name: string, ore: number): string =>
  `<Refs><EndToEndId>${name}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="SEK">${(Math.abs(ore) / 100).toFixed(2)}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>${name}</Ustrd></RmtInf>`;

test('whatever the order and however often, as if all had come at once', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      year,
      fc.array(fc.tuple(fc.nat(200), fc.integer({ min: 0, max: 60 })), {
        minLength: 2,
        maxLength: 7,
      }),
      fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }),
      async (happened, spans, keys) => {
        let day = first;
        const rows = happened.map(({ after, ore, text, isNoticed }, place) => {
          day = addDays(day, after);
          const reference = isNoticed ? `BG${place}` : undefined;
          return { day, ore, text, reference, name: `P${place}` };
        });
        const entry = ({ day: on, ore, text, reference }: (typeof rows)[number]): TestEntry => ({
          ...{ day: on, ore, text },
          ...(reference === undefined ? {} : { reference }),
        });
        // Whole days, as banks close them; of no rows too.
        const statements = [...spans, [0, 300] as const].map(([start, length], place) => {
          const [from, to] = [addDays(first, start), addDays(first, start + length)];
          const within = rows.filter((row) => row.day >= from && row.day <= to);
          const before = rows.filter((row) => row.day < from);
          return camt053({
            ...{ id: `S${place}`, from: addDays(from, -1), to: addDays(to, 1) },
            opening: before.reduce((sum, { ore }) => sum + ore, opening),
            entries: within.map(entry),
          });
        });
        const notices = rows.flatMap((row) =>
          row.reference === undefined
            ? []
            : [camt054(`N${row.name}`, [{ ...entry(row), details: [payment(row.name, row.ore)] }])],
        );
        const files = await Promise.all(
          [...statements, ...notices].map((text, place) => fileOf(text, `f${place}.xml`)),
        );
        const again = [...files, ...files.slice(0, 5)];
        const order = again
          .map((file, place) => ({ file, key: keys[place % keys.length] ?? 0, place }))
          .sort((a, b) => a.key - b.key || a.place - b.place)
          .map(({ file }) => file);
        const known = await Promise.all([
          taken(order.map((file) => [file])),
          taken([order.slice(0, 3), order.slice(3)].map((some) => [...new Set(some)])),
          taken([[...new Set(order)]]),
        ]);
        const expected = rows.map((row) => `${row.day} ${row.ore} ${row.text}`).sort();
        for (const one of known) {
          expect(one.rows).toEqual(expected);
          expect(one.details).toEqual(known[2]?.details);
          expect(one.balance).toBe(rows.reduce((sum, { ore }) => sum + ore, opening));
        }
        expect(known[0]?.details).toHaveLength(notices.length);
      },
    ),
    { numRuns: tries(2) },
  );
});

type Source = Awaited<ReturnType<typeof fileOf>>;

/** What an account knows that was given these files, group by group. */
async function taken(groups: readonly (readonly Source[])[]) {
  const books = await createBooks();
  try {
    const account = { name: 'Konto', ledgerAccount: 1930, iban: testIban };
    await withTx(books.owner, (tx) => createBankAccount(tx, account, actor));
    for (const sources of groups) {
      await withTx(books.owner, async (tx) => {
        const id = await keepFiles(tx, sources, null, actor);
        const choices = { accountId: null, isAccepted: true, equalRows: null };
        await takeIn(tx, { id, sources, choices, today: TODAY }, actor);
      });
    }
    const read = async (statement: ReturnType<typeof sql>) =>
      (await db(books.owner).query<{ text: string }>(statement)).map(({ text }) => text);
    const [balance] = await read(sql`select balance_ore::text as text from bank.statements
      order by closing_date desc limit 1`);
    return {
      rows: await read(sql`select booked_on || ' ' || amount_ore || ' ' || description as text
        from bank.transactions order by 1`),
      // Which payment each row is said to hold.
      details:
        await read(sql`select t.booked_on || ' ' || t.amount_ore || ' ' || d.end_to_end_id as text
        from bank.announcements a join bank.details d on d.announcement_id = a.id
        join bank.transactions t on t.id = a.transaction_id order by 1`),
      balance: Number(balance),
    };
  } finally {
    await books.close();
  }
}
