/**
 * Whoever holds a key for bank rows, or works in a queue, and can run any SQL with it: what comes in is what a bank can
 * have said, is the bank's for good, and is known to have come from whom it came from.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { createBankAccount } from '#src/bank/service.ts';
import {
  askForImport,
  keepFiles,
  takeBegunImport,
  takeIn,
} from '#src/bank/statements/begun-imports.ts';
import { findBankImport } from '#src/bank/statements/import-store.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { attackerAs } from '../support/attacker.ts';
import { camt053, fileOf, testIban } from '../support/bank-file.ts';
import { TODAY } from '../support/company.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let accountId: string;
let writer: string;
let reader: string;
beforeAll(async () => {
  books = await createInstallation();
  person = await logIn(books, 'medarbetare');
  ({ id: accountId } = await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: 'Konto', ledgerAccount: 1930, iban: testIban }, 'test'),
  ));
  ({ key: writer } = await books.makeKey(['bank:write']));
  ({ key: reader } = await books.makeKey(['bank:read']));
});
afterAll(() => books.close());

const login = (role: DatabaseRole) => attackerAs(role, () => books.url, 'constraint', 'code');

const presented = (someone: LoggedIn): string =>
  hashOfSecret(String(someone.cookies.get(sessionCookie))).toString('hex');

const party = { name: null, account: null, accountKind: null };
const detail = {
  place: 1,
  amount_ore: 12_500,
  end_to_end_id: null,
  creditor_references: ['10041'],
  documents: [{ number: '1004', kind: 'CINV' }],
  texts: ['Tack'],
  debtor: { ...party, name: 'Kunden AB' },
  creditor: party,
};
const row = {
  booked_on: '2026-03-02',
  amount_ore: 12_500,
  description: 'Inbetalning',
  line: 1,
  value_date: null,
  balance_after_ore: 12_500,
  bank_reference: null,
  servicer_reference: null,
  details: [detail],
};
const statement = {
  first_day: '2026-03-02',
  last_day: '2026-03-02',
  opening_ore: 0,
  closing_ore: 12_500,
  entries: 1,
};
const day = {
  day: '2026-03-02',
  opening_ore: 0,
  closing_ore: 12_500,
  is_from_start: true,
  is_to_end: true,
};

describe('any SQL with a key that brings rows of the bank', () => {
  const api = login('hb_api');
  const app = login('hb_app');

  const take = (more: {
    rows?: readonly object[];
    statement?: object;
    days?: readonly object[];
    balances?: readonly object[];
  }) =>
    api.run(
      `select api.take_bank_rows($1, $2, '\\x01', '{}', gen_random_uuid(), gen_random_uuid(), $3, $4, $5, $6, $7, $8)`,
      [
        hashOfSecret(writer),
        randomUUID(),
        accountId,
        JSON.stringify({ ...statement, id: randomUUID(), ...more.statement }),
        JSON.stringify((more.rows ?? [row]).map((one) => ({ id: randomUUID(), ...one }))),
        JSON.stringify(more.days ?? [day]),
        JSON.stringify(more.balances ?? []),
        JSON.stringify({ added: 1 }),
      ],
    );

  const crooked: [string, Parameters<typeof take>[0]][] = [
    ['a day that never comes', { rows: [{ ...row, booked_on: 'infinity' }] }],
    ['a value day before all days', { rows: [{ ...row, value_date: '-infinity' }] }],
    ['a day after all that are written', { rows: [{ ...row, booked_on: '10000-01-01' }] }],
    ['more than any voucher holds', { rows: [{ ...row, amount_ore: '9223372036854775807' }] }],
    ['a balance at the edge', { rows: [{ ...row, balance_after_ore: '-9223372036854775808' }] }],
    ['a reference of any length', { rows: [{ ...row, bank_reference: 'x'.repeat(3000) }] }],
    ['a statement without end', { statement: { last_day: 'infinity' } }],
    ['a statement of fewer than no rows', { statement: { entries: -1 } }],
    ['a closing balance at the edge', { statement: { closing_ore: '9223372036854775807' } }],
    ['a day known for ever', { days: [{ ...day, day: 'infinity' }] }],
    ['a balance of no day', { balances: [{ day: '-infinity', ore: 1 }] }],
    ['a balance beyond all', { balances: [{ day: '2026-03-05', ore: '9223372036854775807' }] }],
    ['more rows than a call has', { rows: Array.from({ length: 1001 }, () => row) }],
    ['more days than a call has', { days: Array.from({ length: 1001 }, () => day) }],
    ...[
      { documents: {} },
      { documents: ['1004'] },
      { documents: [{ number: 7, kind: null }] },
      { documents: [[{ number: '7', kind: null }]] },
      { documents: [{ kind: null }] },
      { documents: Array.from({ length: 101 }, () => ({ number: '7', kind: null })) },
      { debtor: null },
      { debtor: [] },
      { debtor: { ...party, account: 7 } },
      { debtor: { ...party, name: ['x'] } },
      { creditor: { name: null } },
      { texts: [null] },
      { texts: '{{a,b},{c,d}}' },
      { texts: Array.from({ length: 101 }, () => 'x') },
      { texts: ['x'.repeat(300_000)] },
      { creditor_references: [null] },
      { end_to_end_id: 'x'.repeat(3000) },
      { amount_ore: '-9223372036854775808' },
      { place: null },
    ].map((fault): [string, Parameters<typeof take>[0]] => [
      `payments with ${JSON.stringify(fault).slice(0, 60)}`,
      { rows: [{ ...row, details: [{ ...detail, ...fault }] }] },
    ]),
  ];

  test.each(crooked)('brings none with %s', async (_, call) => {
    expect(await take(call)).toEqual(expect.any(String));
    const { rows } = await books.owner.query(
      `select from bank.transactions union all select from bank.days union all select from bank.statements`,
    );
    expect(rows).toEqual([]);
  });

  test('brings rows that no person takes away as typed, and that pages and programs can read', async () => {
    const named = { ...row, reference: 'manuell-1', details: [] };
    expect(await take({ rows: [named, named] })).toEqual([{ take_bank_rows: '' }]);
    expect(await take({})).toEqual([{ take_bank_rows: '' }]);
    await app.run(`set huvudbok.session = '${presented(person)}'`);
    const { rows } = await books.owner.query(
      `select id, reference from bank.transactions order by reference`,
    );
    const references = [1, 2, 3].map((number) => `2026-03-02 12500 ${number}`);
    expect(rows.map(({ reference }) => reference)).toEqual(references);
    expect(await app.run('delete from bank.transactions')).toBe('transactions_stay');
    const { rows: imports } = await books.owner.query('select id from bank.imports');
    for (const url of [
      '/bank',
      '/bank/import',
      `/bank/import/${imports[0].id}`,
      `/bank/konton/${accountId}`,
      `/bank/${rows[0].id}`,
    ])
      expect([url, (await person.get(url)).statusCode]).toEqual([url, 200]);
    const listed = await books.call({ url: '/api/v1/banktransaktioner', key: reader });
    expect([listed.statusCode, listed.json().data.length]).toEqual([200, 3]);
  });

  test('has rows booked by one job, however many calls there are before it begins', async () => {
    const set = (value: boolean) =>
      books.owner.query(`update restricted.company set bank_booking_is_automatic = ${value}`);
    const waiting = `select from pgboss.job where name = 'bank-booking' and state = 'created'`;
    await set(true);
    await take({});
    await take({});
    expect((await books.owner.query(waiting)).rows).toHaveLength(1);
    await set(false);
  });

  test('a row of a statement is never called as typed ones are, whoever writes it', async () => {
    await expect(
      books.owner.query(`insert into bank.transactions (id, account_id, statement_id, reference, booked_on, amount_ore,
          description) select gen_random_uuid(), account_id, statement_id, 'manuell-2', booked_on, amount_ore, description
        from bank.transactions limit 1`),
    ).rejects.toMatchObject({ constraint: 'transactions_sent_or_typed' });
  });

  test('says no balance that nobody can see it has said', async () => {
    const told = () =>
      db(books.owner).query<{ actor: string; detail: object }>(sql`select actor, detail
        from audit.events where action = 'bank.balance_stated'`);
    const later = { day: '2026-03-03', ore: 99_900 };
    expect(await take({ rows: [], days: [], balances: [later] })).toEqual([{ take_bank_rows: '' }]);
    const entry = { actor: expect.stringMatching(/^key:/), detail: { closing_date: later.day } };
    expect(await told()).toEqual([entry]);
    // What is known already is nothing new.
    await take({ rows: [], days: [day], balances: [later] });
    expect(await told()).toEqual([entry]);
  });
});

test('what a statement says that a day ended with, nobody says otherwise by SQL', async () => {
  const source = await fileOf(
    camt053({ from: '2026-08-01', to: '2026-08-31', opening: 100, entries: [] }),
    'augusti.xml',
  );
  const choices = { accountId, isAccepted: true, equalRows: null };
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, [source], null, 'test');
    await takeIn(tx, { id, sources: [source], choices, today: TODAY }, 'test');
  });
  const pool = createPool({
    url: await roleUrl(books.url, 'hb_app'),
    max: 1,
    applicationName: 'attacker',
  });
  const say = (day: string, ore: number) =>
    withTx(pool, async (tx) => {
      await tx.query(sql`select set_config('huvudbok.session', ${presented(person)}, true)`);
      await tx.query(sql`insert into bank.statements (account_id, closing_date, balance_ore)
        values (${accountId}::uuid, ${day}::date, ${ore})
        on conflict (account_id, closing_date) do update set balance_ore = excluded.balance_ore`);
    });
  await expect(say('2026-08-31', 5)).rejects.toMatchObject({
    constraint: 'statements_are_the_banks',
  });
  // The same, and days that no statement has told of, are for people to write.
  await say('2026-08-31', 100);
  await say('2026-09-30', 5);
  await say('2026-09-30', 7);
  await pool.end();
});

describe('files of the bank that are only looked at', () => {
  const worker = login('hb_worker');
  const app = login('hb_app');
  let teller: Pool;
  beforeAll(async () => {
    const url = await roleUrl(books.url, 'hb_worker');
    teller = createPool({ url, max: 1, applicationName: 'test worker' });
    return () => teller.end();
  });
  const carryOut = (id: string) =>
    takeBegunImport(id, {
      owner: books.owner,
      teller,
      timeZone: 'Europe/Stockholm',
      signal: new AbortController().signal,
    });
  const send = async (actor: string, ore: number): Promise<string> => {
    const file = await fileOf(camt053({ entries: [{ day: '2026-04-01', ore }] }), 'utdrag.xml');
    return withTx(books.owner, (tx) => keepFiles(tx, [file], accountId, actor));
  };
  const importers = async (id: string): Promise<unknown[]> =>
    db(books.owner).query(
      sql`select actor from audit.events where action = 'bank.imported' and subject = ${id}`,
    );

  test('are not taken in by a job that nobody asked for', async () => {
    const id = await send(`user:${person.id}`, 1_000);
    const job = `select intake.enqueue('bank-import', array[jsonb_build_object('importId', '${id}')])`;
    expect(await worker.run(job)).toHaveLength(1);
    await carryOut(id);
    expect(await importers(id)).toEqual([]);
    expect(await worker.run(`update bank.imports set asked_at = now()`)).toBe('42501');
  });

  test('are taken in as whoever asked, not as whoever sent them', async () => {
    const other = await logIn(books, 'medarbetare');
    const id = await send(`user:${other.id}`, 2_000);
    const form = await person.submit(`/bank/import/${id}`, { rader: 'new' });
    expect(form.statusCode).toBe(303);
    await carryOut(id);
    expect(await importers(id)).toEqual([{ actor: `user:${person.id}` }]);
  });

  test('are the files that they are called, whoever kept them before', async () => {
    await app.run(`set huvudbok.session = '${presented(person)}'`);
    const before = await db(books.owner).query(sql`select from bank.transactions`);
    for (const [nth, kept] of ['x'.repeat(5_000_000), 'x', 'no gzip'].entries()) {
      const text = camt053({ entries: [{ day: '2026-05-01', ore: 4_000 + nth }] });
      const file = await fileOf(text);
      await app.run(
        `insert into bank.files (sha256, file_name, size, gzip) values (decode($1, 'hex'), 'x', $2, $3)`,
        [file.sha256, file.size, kept === 'no gzip' ? Buffer.from(kept) : gzipSync(kept)],
      );
      const id = await withTx(books.owner, async (tx) => {
        const began = await keepFiles(tx, [file], accountId, 'test');
        const choices = { accountId, isAccepted: true, equalRows: 'new' } as const;
        await askForImport(tx, began, choices, 'test');
        return began;
      });
      await carryOut(id);
      const found = await findBankImport(db(books.owner), id);
      expect(found).toMatchObject({ report: null, refusal: { reason: 'kept_file_differs' } });
      expect((await person.get(`/bank/import/${id}`)).statusCode).toBe(422);
    }
    expect(await db(books.owner).query(sql`select from bank.transactions`)).toEqual(before);
  });

  test('are asked for by nobody else than the one who does, nor otherwise than they did', async () => {
    const other = await logIn(books, 'medarbetare');
    const id = await send(`user:${other.id}`, 3_000);
    await withTx(books.owner, (tx) =>
      askForImport(tx, id, { accountId, isAccepted: false, equalRows: 'new' }, 'test'),
    );
    await app.run(`set huvudbok.session = '${presented(person)}'`);
    const change = `update bank.imports set asked_by = 'user:${other.id}', equal_rows = 'known' where id = '${id}'`;
    expect(await app.run(change)).toEqual([]);
    const file = `insert into bank.import_files select '${id}', 2, sha256, file_name from bank.files limit 1`;
    expect(await app.run(file)).toBe('bank_is_immutable');
    await carryOut(id);
    expect(await importers(id)).toEqual([{ actor: `user:${person.id}` }]);
    expect(await app.run(change)).toBe('bank_is_immutable');
  });
});
