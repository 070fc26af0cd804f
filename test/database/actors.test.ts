/** Who did what, and when, is what the database knows, whatever SQL says of it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { enterSession } from '#src/access/sessions/store.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, databaseErrorOf, db, type Pool, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { uuid } from '#src/lib/uuid.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let app: Pool;
let worker: Pool;
let anna: LoggedIn;
let bertil: LoggedIn;
let invoiceId: string;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  app = createPool({ url: await roleUrl(books.url, 'hb_app'), max: 2, applicationName: 'test' });
  worker = createPool({
    url: await roleUrl(books.url, 'hb_worker'),
    max: 2,
    applicationName: 'test',
  });
  anna = await logIn(books, 'medarbetare');
  bertil = await logIn(books, 'agare');
  const order = await books.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: orderBody(),
  });
  invoiceId = order.json().invoiceId;
});
afterAll(async () => {
  await app.end();
  await worker.end();
  await books.close();
});

/** Statements in one transaction of the person's; what the last of them gave, or its SQLSTATE. */
const as = async (person: LoggedIn | null, ...statements: string[]) => {
  try {
    return await withTx(app, async (tx) => {
      if (person) {
        const session = hashOfSecret(String(person.cookies.get(sessionCookie)));
        await enterSession(tx, session, uuid());
      }
      return run(tx, statements);
    });
  } catch (error) {
    return databaseErrorOf(error)?.code ?? String(error);
  }
};

const asWorker = async (...statements: string[]) =>
  withTx(worker, (tx) => run(tx, statements)).catch(
    (error) => databaseErrorOf(error)?.code ?? String(error),
  );

async function run(tx: Tx, statements: readonly string[]): Promise<object[]> {
  let rows: object[] = [];
  for (const text of statements) rows = await tx.query({ text, values: [] });
  return rows;
}

const asOwner = (text: string) => db(books.owner).query<object>({ text, values: [] });
const isNow = expect.toSatisfy((at: Date) => Math.abs(Date.now() - at.getTime()) < 600_000);
const longAgo = `'1999-01-01'`;

describe('the audit log', () => {
  const forged = (actor: string) =>
    `insert into audit.events (id, occurred_at, actor, action, subject)
     values (gen_random_uuid(), ${longAgo}, '${actor}', 'lock.period', 'x')`;

  test('takes nothing written by hand, from nobody', async () => {
    expect(await as(bertil, forged(`user:${anna.id}`))).toBe('42501');
    expect(await as(bertil, forged(`user:${bertil.id}`))).toBe('42501');
    expect(await asWorker(forged(`user:${anna.id}`))).toBe('42501');
  });

  test('names who is there and the time it is, whoever is said to have done it', async () => {
    const subject = randomUUID();
    await as(
      anna,
      `select audit.record('user:${bertil.id}', 'voucher.corrected', '${subject}', '{}')`,
    );
    expect(
      await asOwner(`select actor, occurred_at from audit.events where subject = '${subject}'`),
    ).toEqual([{ actor: `user:${anna.id}`, occurred_at: isNow }]);
  });

  test('takes from people what their role may do, and of themselves what everybody may', async () => {
    const carl = await logIn(books, 'lasare');
    const record = (action: string, subject: string) =>
      `select audit.record('cli', '${action}', '${subject}', '{}')`;
    const id = randomUUID();
    for (const [person, action, subject, taken] of [
      [carl, 'voucher.corrected', id, false],
      [carl, 'key.revoked', id, false],
      [carl, 'user.deactivated', carl.id, false],
      [carl, 'user.sessions_ended', anna.id, false],
      [carl, 'made.up', id, false],
      [carl, 'user.sessions_ended', carl.id, true],
      [carl, 'sie.exported', '2026', true],
      [anna, 'voucher.corrected', id, true],
      [anna, 'key.revoked', id, false],
      [anna, 'lock.period', '2026-01-31', false],
      [anna, 'user.changed', anna.id, false],
      [bertil, 'user.changed', anna.id, true],
    ] as const) {
      const answer = await as(person, record(action, subject));
      expect([action, subject, answer]).toEqual([
        action,
        subject,
        taken ? [{ record: '' }] : 'HB405',
      ]);
    }
  });

  test.each([
    ['an action', `repeat('a', 50) || '.b'`, `'x'`, `'{}'`],
    ['a subject', `'voucher.corrected'`, `repeat('x', 501)`, `'{}'`],
    ['details', `'voucher.corrected'`, `'x'`, `jsonb_build_object('x', repeat('x', 100000))`],
  ])('takes %s in bounds only', async (_what, action, subject, detail) => {
    const record = `select audit.record('cli', ${action}, ${subject}, ${detail})`;
    expect(await as(bertil, record)).toBe('HB002');
    expect(await asWorker(record.replace('cli', 'job:mail'))).toBe('HB002');
  });

  test('takes nothing from whoever is nobody, or has only half a login', async () => {
    const record = `select audit.record('cli', 'key.revoked', 'x', '{}')`;
    expect(await as(null, record)).toBe('HB405');
    expect(await as(null, `set huvudbok.session = '${'ab'.repeat(32)}'`, record)).toBe('HB405');
  });

  test('believes of a worker that it is a worker, and nothing else', async () => {
    const record = (actor: string) => `select audit.record('${actor}', 'key.revoked', 'x', '{}')`;
    for (const actor of [`user:${anna.id}`, 'cli', 'setup', 'job:nothing', 'key:x', 'job:']) {
      expect([actor, await asWorker(record(actor))]).toEqual([actor, 'HB405']);
    }
    expect(await asWorker(record('job:mail'))).toEqual([{ record: '' }]);
  });
});

describe('what people write themselves', () => {
  const mine = `user:${'%'}`;
  const supplier = randomUUID();
  test.each([
    [
      'a supplier',
      `insert into purchases.suppliers (id, name, created_at, created_by)
       values ('${supplier}', 'x', ${longAgo}, 'MINE')`,
      `select created_by as actor, created_at as at from purchases.suppliers where id = '${supplier}'`,
    ],
    [
      'a template',
      `insert into ledger.voucher_templates (id, name, series, description, rows, created_at, created_by)
       values (gen_random_uuid(), 'mall', 'A', 'x', '[]', ${longAgo}, 'MINE')`,
      `select created_by as actor, created_at as at from ledger.voucher_templates where name = 'mall'`,
    ],
    [
      'a dispute',
      `insert into sales.disputes (invoice_id, reason, created_at, created_by)
       select id, 'x', ${longAgo}, 'MINE' from sales.invoices limit 1`,
      `select created_by as actor, created_at as at from sales.disputes`,
    ],
    [
      'a decision about an order',
      `insert into intake.order_decisions (id, order_id, attempt_id, decision, reason, request_id, decided_at, decided_by)
       select gen_random_uuid(), order_id, id, 'dismissed', 'x', gen_random_uuid(), ${longAgo}, 'MINE' from intake.order_attempts`,
      `select decided_by as actor, decided_at as at from intake.order_decisions`,
    ],
  ])('%s is theirs, of today', async (_, insert, select) => {
    const forged = insert.replace('MINE', mine.replace('%', bertil.id));
    expect(await as(anna, forged)).toEqual([]);
    expect(await asOwner(select)).toEqual([{ actor: `user:${anna.id}`, at: isNow }]);
  });

  test('is not signed over to another afterwards', async () => {
    await as(bertil, `update purchases.suppliers set created_by = 'cli', created_at = ${longAgo}`);
    expect(await asOwner(`select created_by as actor from purchases.suppliers`)).toEqual([
      { actor: `user:${anna.id}` },
    ]);
  });

  test('a draft is theirs, and so is the word that it bears no VAT', async () => {
    const id = randomUUID();
    const draft = `insert into sales.invoices (id, source, created_by, customer_id, invoice_date, due_date,
        payment_terms_days, debtor, vat_confirmed_by, net_ore, vat_ore, total_ore)
      select '${id}', 'app', 'user:${bertil.id}', customer_id, invoice_date, due_date, 30, '{}',
        'user:${bertil.id}', 0, 0, 0 from sales.invoices where id = '${invoiceId}'`;
    expect(await as(anna, draft)).toEqual([]);
    const select = `select created_by, vat_confirmed_by from sales.invoices where id = '${id}'`;
    const user = `user:${anna.id}`;
    expect(await asOwner(select)).toEqual([{ created_by: user, vat_confirmed_by: user }]);
    await as(bertil, `update sales.invoices set vat_confirmed_by = 'cli' where id = '${id}'`);
    expect(await asOwner(select)).toEqual([
      { created_by: user, vat_confirmed_by: `user:${bertil.id}` },
    ]);
  });

  test('a voucher is posted in their name, and never as an invoice’s', async () => {
    const post = (id: string, source: string) => `select number, error from ledger.post(
      array['${id}']::uuid[], array['A'], array['2026-03-31']::date[], array['x'], array[null],
      array['${source}'], 'user:${bertil.id}', array[1, 1], array[1, 2], array[1930, 3001],
      array[100, 0]::bigint[], array[0, 100]::bigint[], array[null, null],
      array[null, null]::uuid[], array[null, null]::uuid[])`;
    const id = randomUUID();
    expect(await as(anna, post(id, 'app'))).toMatchObject([{ error: null }]);
    expect(await asOwner(`select posted_by from ledger.vouchers where id = '${id}'`)).toEqual([
      { posted_by: `user:${anna.id}` },
    ]);
    for (const source of ['invoice', 'order', 'api']) {
      expect([source, await as(anna, post(randomUUID(), source))]).toEqual([source, 'HB405']);
    }
    // Theirs to give, and only to what comes out of a SIE file.
    expect(await as(anna, post(randomUUID(), 'import'))).toBe('HB002');
    expect(await asWorker(post(randomUUID(), 'vat'))).toBe('HB405');
    expect(await asWorker(post(randomUUID(), 'supplier_invoice'))).toBe('HB405');
  });
});

describe('keys', () => {
  test('are made, and revoked for good, by who is there', async () => {
    const { id } = await books.makeKey();
    const revoke = (at: string, by: string) =>
      `update restricted.api_keys set revoked_at = ${at}, revoked_by = ${by} where id = '${id}'`;
    const told = `select audit.record('cli', 'key.revoked', '${id}', '{}')`;
    await as(bertil, revoke(longAgo, `'user:${anna.id}'`), told);
    const select = `select revoked_by as actor, revoked_at as at from restricted.api_keys where id = '${id}'`;
    const revoked = [{ actor: `user:${bertil.id}`, at: isNow }];
    expect(await asOwner(select)).toEqual(revoked);
    await as(bertil, revoke('null', 'null'), told);
    expect(await asOwner(select)).toEqual(revoked);
  });
});

test('the time a document was stored is the time it was stored', async () => {
  const insert = `insert into archive.contents (sha256, bytes, created_at)
    values (sha256('kvitto'), 'kvitto', ${longAgo})`;
  expect(await as(anna, insert)).toEqual([]);
  const stored = await db(books.owner).query(
    sql`select created_at from archive.contents where sha256 = sha256('kvitto')`,
  );
  expect(stored).toEqual([{ created_at: isNow }]);
});
