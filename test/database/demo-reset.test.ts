/** The example company begun anew: the books of its first day, by the same keys, and never anybody else's books. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateKey } from '#src/access/keys/rotation.ts';
import { createKey } from '#src/access/keys/service.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { readDemo, resetDemo } from '#src/demo/service.ts';
import { emptyDemo } from '#src/demo/store.ts';
import { createEndpoint } from '#src/events/webhooks/service.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { Refusal } from '#src/lib/errors.ts';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { type Books, createBooks, TODAY } from '../support/installation.ts';
import { testKeyring } from '../support/secrets.ts';
import { demoContent } from './demo-content.ts';

const options = { today: TODAY, timeZone: 'Europe/Stockholm', keyring: testKeyring };
const allowed = { webhookNetworks: [], keyring: testKeyring };
const asked = { name: 'Min', quotaPerHour: 10, expiresAt: null, isTest: true } as const;

let database: TestDatabase;
let pool: Pool;
let company: Books;
beforeAll(async () => {
  [database, company] = await Promise.all([cloneDatabase('demo'), createBooks()]);
  pool = createPool({ url: database.url, max: 3, applicationName: 'test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await company.close();
});

const run = (statement: ReturnType<typeof sql>, from = pool) => db(from).query(statement);
/** How much each table of the books holds, whoever it is about. */
async function rowCounts(): Promise<Record<string, number>> {
  const tables = (await run(sql`select format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('archive', 'audit', 'bank', 'events', 'intake', 'ledger',
      'proposals', 'purchases', 'restricted', 'sales') order by 1`)) as { name: string }[];
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query(`select count(*)::integer as count from ${name}`);
    counts[name] = rows[0].count;
  }
  return counts;
}

describe('the example company', () => {
  test('has the books of its first day again, and whoever had access has it', async () => {
    const fresh = await demoContent(pool);
    const counts = await rowCounts();
    // Somebody has tried things.
    const { key, endpoint } = await withTx(pool, async (tx) => ({
      key: await createKey(tx, { ...asked, scopes: ['data:read'] }, 'test'),
      endpoint: await createEndpoint(
        tx,
        { url: 'https://mottagare.example/', types: [], description: '' },
        allowed,
        'test',
      ),
    }));
    await run(sql`update restricted.company set name = 'Ett annat namn'`);
    await run(sql`insert into ledger.accounts (number, name, type) values (1999, 'Eget', 'asset')`);
    await run(sql`update sales.customers set name = name || ' X'`);
    const secretsBefore = await run(
      sql`select password_verifier from restricted.users order by email`,
    );
    const hashes = sql`select name, encode(hash, 'hex') as hash, is_test from restricted.api_keys order by name`;
    const keysBefore = await run(hashes);
    const [last] = (await run(sql`select max(xid::text::bigint) as xid from events.outbox`)) as {
      xid: bigint;
    }[];

    const demo = await withTx(pool, (tx) => resetDemo(tx, options, 'demo'));

    expect(demo.secrets).toEqual({
      key: null,
      agencyKey: null,
      assistantKey: null,
      password: null,
      people: [],
    });
    const { events: _, keys, ...books } = await demoContent(pool);
    const { events: __, keys: freshKeys = [], ...freshBooks } = fresh;
    expect(books).toEqual(freshBooks);
    expect(keys).toHaveLength(freshKeys.length + 1);
    expect(await run(hashes)).toEqual(keysBefore);
    expect(keysBefore).toContainEqual(expect.objectContaining({ name: 'Min', is_test: true }));
    expect(key.key).toMatch(/^svc_test_[\w-]{43}$/);
    expect(await run(sql`select password_verifier from restricted.users order by email`)).toEqual(
      secretsBefore,
    );
    // Each table holds what it did; but what was written down of making keys, people and webhooks.
    const { 'audit.events': written, ...rest } = await rowCounts();
    const { 'audit.events': writtenFirst, ...first } = counts;
    expect(rest).toEqual({
      ...first,
      'restricted.api_keys': (first['restricted.api_keys'] ?? 0) + 1,
      'events.endpoints': (first['events.endpoints'] ?? 0) + 1,
      'events.deliveries': 0,
    });
    expect(written).toBeLessThan((writtenFirst ?? 0) + 1);
    expect(await run(sql`select actor from audit.events where action = 'demo.reset'`)).toEqual([
      { actor: 'demo' },
    ]);
    expect((await verifyBooks(db(pool), () => undefined)).problems).toEqual([]);

    // Events go on from where they were, and a webhook is not told of all that is in the new books.
    const [events] = (await run(sql`select min(o.xid::text::bigint) as first, count(*) filter (
        where (o.epoch, o.xid, o.seq) > (e.after_epoch, e.after_xid, e.after_seq))::integer as waiting
      from events.outbox o, events.endpoints e where e.id = ${endpoint.id}::uuid`)) as {
      first: bigint;
      waiting: number;
    }[];
    expect(events?.waiting).toBe(0);
    expect(BigInt(events?.first ?? 0)).toBeGreaterThan(BigInt(last?.xid ?? 0));
  });

  test('is held as any other books are, afterwards too', async () => {
    for (const statement of [
      'truncate ledger.vouchers cascade',
      'delete from ledger.vouchers',
      'truncate audit.events',
      'truncate sales.invoices cascade',
    ]) {
      await expect(pool.query(statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/^HB/),
      });
    }
    const { rows } = await pool.query(
      `select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`,
    );
    expect(rows).toEqual([]);
  });

  test('keeps its books when the work is cut off in the middle', async () => {
    const before = await demoContent(pool);
    await expect(
      withTx(pool, async (tx) => {
        await emptyDemo(tx);
        expect(await readDemo(tx).catch(() => null)).toBeUndefined();
        throw new Error('cut off');
      }),
    ).rejects.toThrow('cut off');
    expect(await demoContent(pool)).toEqual(before);
  });

  test('waits for nobody who works in the books for long, and says so', async () => {
    await withTx(pool, async (reader) => {
      await reader.query(sql`select from ledger.vouchers limit 1`);
      await expect(withTx(pool, (tx) => emptyDemo(tx, '20ms'))).rejects.toThrow(
        'Någon arbetar i böckerna just nu',
      );
    });
  });

  test('becomes no other company, and no other becomes it', async () => {
    const becomes = (change: string, from: Pool) =>
      from.query(`update restricted.company set ${change}`);
    await expect(becomes('is_demo = false', pool)).rejects.toMatchObject({
      constraint: 'company_stays_what_it_is',
    });
    await expect(becomes(`organization_number = '5567026934'`, pool)).rejects.toMatchObject({
      constraint: 'company_demo_has_its_number',
    });
    for (const change of ['is_demo = true', `is_demo = true, organization_number = '5599990008'`]) {
      await expect(becomes(change, company.owner)).rejects.toMatchObject({
        code: expect.any(String),
      });
    }
    expect(await run(sql`select is_demo from restricted.company`, company.owner)).toEqual([
      { is_demo: false },
    ]);
  });
});

describe('any other company', () => {
  test('is never emptied, by whoever asks the database', async () => {
    const count = sql`select count(*) from ledger.accounts`;
    const before = await run(count, company.owner);
    await expect(company.owner.query('select restricted.empty_demo()')).rejects.toMatchObject({
      constraint: 'only_the_example_is_emptied',
    });
    await expect(withTx(company.owner, (tx) => resetDemo(tx, options, 'demo'))).rejects.toThrow(
      'Bara exempelföretagets böcker kan tömmas.',
    );
    await expect(withTx(company.owner, readDemo)).rejects.toThrow('Installationen tillhör');
    expect(await run(count, company.owner)).toEqual(before);
  });

  test('has no test keys, and its own stay as they are', async () => {
    const made = withTx(company.owner, (tx) =>
      createKey(tx, { ...asked, scopes: ['data:read'] }, 'test'),
    );
    await expect(made).rejects.toSatisfy(
      (error) => error instanceof Refusal && error.whole?.reason === 'test_key_needs_demo',
    );
    const { id, key } = await company.makeKey();
    expect(key).toMatch(/^svc_live_/);
    await expect(
      company.owner.query('update restricted.api_keys set is_test = true where id = $1', [id]),
    ).rejects.toMatchObject({ code: expect.any(String) });
  });
});

test('a test key is rotated into a test key', async () => {
  const { created } = await withTx(pool, async (tx) => {
    const { id } = await createKey(tx, { ...asked, name: 'Byts', scopes: ['data:read'] }, 'test');
    return rotateKey(tx, id, 1, 'test');
  });
  expect(created.key).toMatch(/^svc_test_/);
});
