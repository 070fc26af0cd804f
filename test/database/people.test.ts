/** What the web application's own login can do: nothing without a person, and then what their role may. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { enterSession } from '#src/access/sessions/store.ts';
import { type Role, roles } from '#src/access/users/roles.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, type Tx, withTx } from '#src/db/pool.ts';
import { type Sql, sql } from '#src/db/sql.ts';
import { postToLedger } from '#src/ledger/vouchers/posting-store.ts';
import { uuid } from '#src/lib/uuid.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { logIn } from '../support/person.ts';

let installation: Installation;
let pool: Pool;
const sessions = new Map<Role, Buffer>();
beforeAll(async () => {
  installation = await createInstallation();
  pool = createPool({
    url: await roleUrl(installation.url, 'hb_app'),
    max: 2,
    applicationName: 'test',
  });
  await installation.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
  for (const role of roles) {
    const { cookies } = await logIn(installation, role);
    sessions.set(role, hashOfSecret(String(cookies.get(sessionCookie))));
  }
});
afterAll(async () => {
  await pool.end();
  await installation.close();
});

const as = <T>(role: Role, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withTx(pool, async (tx) => {
    await enterSession(tx, sessions.get(role) ?? Buffer.alloc(32), uuid());
    return work(tx);
  });

const tables = [
  'ledger.vouchers',
  'ledger.voucher_rows',
  'ledger.accounts',
  'sales.customers',
  'restricted.company',
  'restricted.users',
  'audit.events',
];

async function countIn(tx: Tx, table: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    text: `select count(*)::integer as count from (select from ${table}) as t`,
    values: [],
  });
  return row?.count ?? 0;
}

test.each(tables)('without a person there is nothing in %s', async (table) => {
  expect(await withTx(pool, (tx) => countIn(tx, table))).toBe(0);
  expect(await as('lasare', (tx) => countIn(tx, table))).toBeGreaterThan(0);
});

test('a made-up session opens nothing', async () => {
  const count = await withTx(pool, async (tx) => {
    await tx.query(sql`select set_config('huvudbok.session', ${'ab'.repeat(32)}, true)`);
    return countIn(tx, 'ledger.vouchers');
  });
  expect(count).toBe(0);
});

const post = (tx: Tx) =>
  postToLedger(tx, [
    {
      id: uuid(),
      series: 'A',
      date: '2026-05-05',
      description: 'Prov',
      counterparty: null,
      source: 'app',
      actor: 'test',
      rows: [
        { account: 1930, debitOre: 100n, creditOre: 0n },
        { account: 3004, debitOre: 0n, creditOre: 100n },
      ],
    },
  ]);

const writes: [what: string, needs: Role, action: string, statement: Sql, subject?: string][] = [
  [
    'a customer',
    'medarbetare',
    'customer.created',
    sql`insert into sales.customers (id, name) values (gen_random_uuid(), 'K')`,
  ],
  [
    'a lock',
    'administrator',
    'lock.vat_changed',
    sql`update ledger.locks set vat_locked_to = vat_locked_to returning 1`,
  ],
  [
    'the company',
    'administrator',
    'setting.changed',
    sql`update restricted.company set phone = '1' returning 1`,
    'company-phone',
  ],
  ['a user', 'agare', 'user.renamed', sql`update restricted.users set name = name returning 1`],
];

describe.each(roles)('%s', (role) => {
  const mayFrom = (needed: Role) => roles.indexOf(role) >= roles.indexOf(needed);

  test(`${mayFrom('medarbetare') ? 'posts' : 'cannot post'} vouchers`, async () => {
    const posting = as(role, post);
    if (mayFrom('medarbetare')) expect((await posting)[0]?.error).toBeNull();
    else await expect(posting).rejects.toMatchObject({ code: 'HB405' });
  });

  test.each(writes)(
    'changes %s only when it may (%s)',
    async (_what, needed, action, statement, subject = 'test') => {
      const changing = as(role, async (tx) => {
        await tx.query(sql`select audit.record('', ${action}, ${subject}, '{}')`);
        return tx.query(statement);
      });
      const changed = await changing.then(
        (rows) => rows.length > 0 || statement.text.startsWith('insert'),
        () => false,
      );
      expect(changed).toBe(mayFrom(needed));
    },
  );

  test('never sees a password or a second factor, and others’ sessions only as an owner', async () => {
    for (const column of [
      'password_verifier',
      'password_salt',
      'totp_hash',
      'sealed_totp_secret',
    ]) {
      const reading = as(role, (tx) =>
        tx.query({ text: `select ${column} from restricted.users`, values: [] }),
      );
      await expect(reading).rejects.toMatchObject({ code: '42501' });
    }
    const sessionsSeen = role === 'agare' ? roles.length : 1;
    expect(await as(role, (tx) => countIn(tx, 'restricted.sessions'))).toBe(sessionsSeen);
  });

  test('makes drafts of invoices, but books and pays none without the functions that do', async () => {
    const writes = [
      sql`update sales.invoices set status = 'paid', open_ore = 0`,
      sql`update sales.invoices set number = 7, ocr = '75'`,
      sql`update sales.invoices set agreed_rate_e2 = 0, interest_from = 'demand'`,
      sql`insert into sales.invoices (id, source, status, original_total_ore) values
        (gen_random_uuid(), 'opening', 'booked', 1)`,
    ];
    for (const write of writes) {
      await expect(as(role, (tx) => tx.query(write))).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('changes no voucher, whoever asks', async () => {
    const change = as(role, (tx) => tx.query(sql`update ledger.vouchers set description = 'x'`));
    await expect(change).rejects.toMatchObject({ code: '42501' });
  });
});

test('what a person did is told by who did it', async () => {
  const [event] = await db(installation.owner).query<{ actor: string }>(
    sql`select actor from audit.events where action = 'user.logged_in' limit 1`,
  );
  expect(event?.actor).toMatch(/^user:[0-9a-f-]{36}$/);
});
