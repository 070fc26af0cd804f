/**
 * Whoever can run any SQL on the connections of the pages (hb_app) becomes nobody: not by what it reads,
 * not by what it calls, not by rolling back to guess again.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { logIn as logInThrough } from '#src/access/sessions/service.ts';
import { type Hashing, rawHashOf } from '#src/access/users/passwords.ts';
import { sealTotpSecret } from '#src/access/users/second-factor.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Pool, withTx } from '#src/db/pool.ts';
import { roles as logins } from '#src/db/roles.ts';
import { type Sql, sql } from '#src/db/sql.ts';
import { purgeExpired } from '#src/installation/operations/store.ts';
import { sha256Of } from '#src/lib/sha256.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, PASSWORD } from '../support/person.ts';
import { testKeyring } from '../support/secrets.ts';

let installation: Installation;
let pool: Pool;
let owner: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  pool = createPool({
    url: await roleUrl(installation.url, 'hb_app'),
    max: 3,
    applicationName: 'test',
  });
  owner = await logIn(installation, 'agare');
});
afterAll(async () => {
  await pool.end();
  await installation.close();
});

const session = (person: LoggedIn): Buffer =>
  hashOfSecret(String(person.cookies.get(sessionCookie)));
const statement = (text: string): Sql => ({ text, values: [] });

/** The rows, or the SQLSTATE. */
const run = (text: string, as?: LoggedIn): Promise<unknown> =>
  withTx(pool, async (tx) => {
    if (as) await tx.query(sql`select from app.enter(${session(as)})`);
    return tx.query(statement(text));
  }).catch((error: { code?: string }) => error.code);

const forbidden = '42501';
const noRight = 'HB405';

const startTry = async (email: string) => {
  const [row] = await db(pool).query<{ seconds_left: number; try: string } & Hashing>(
    sql`select * from app.find_login(${email}, '192.0.2.7')`,
  );
  if (!row) throw new Error('no row');
  return row;
};

const presented = 'ab'.repeat(32);
const begin = (id: string): Promise<{ outcome: string }[]> =>
  db(pool).query(sql`select app.begin_session(${id}::uuid, decode(${presented}, 'hex'), null,
    '192.0.2.7', 'attacker') as outcome`);

const forgetCounts = () => db(installation.owner).query(sql`delete from restricted.login_windows`);

describe('what is read', () => {
  test.each([
    'select password_verifier from restricted.users',
    'select password_salt from restricted.users',
    'select totp_hash from restricted.users',
    'select sealed_totp_secret from restricted.users',
    'select sealed_secret from events.endpoints',
    'select * from restricted.secrets_key',
    'select u from restricted.users u',
    'select hash from restricted.recovery_codes',
    'select secret from restricted.login_salt',
    'select is_right from restricted.password_tries',
    'select * from restricted.login_windows',
    'select * from restricted.setup_tokens',
  ])('%s gives nobody anything, not even an owner', async (text) => {
    expect(await run(text)).toBe(forbidden);
    expect(await run(text, owner)).toBe(forbidden);
  });

  test('sessions as the database has them open nothing: an owner sees all and presents none', async () => {
    const victim = await logIn(installation, 'administrator');
    const stored = (await run(
      `select encode(hash, 'hex') as hash from restricted.sessions where user_id = '${victim.id}'`,
      owner,
    )) as { hash: string }[];
    expect(stored).toHaveLength(1);
    for (const { hash: known } of stored) {
      const [row] = (await run(`select app.current_role_name() as role
        from set_config('huvudbok.session', '${known}', true)`)) as { role: string | null }[];
      expect(row).toEqual({ role: null });
    }
  });

  test('the salt of somebody shut out stays what it was', async () => {
    const gone = await logIn(installation, 'lasare');
    const before = await startTry(gone.email);
    await db(installation.owner).query(
      sql`update restricted.users set deactivated_at = now() where id = ${gone.id}::uuid`,
    );
    expect((await startTry(gone.email)).salt).toEqual(before.salt);
  });

  test('salt and cost of an address that nobody has are steady and like everybody’s', async () => {
    await forgetCounts();
    const known = await startTry(owner.email);
    const unknown = [await startTry('ingen@exempel.se'), await startTry('INGEN@exempel.se')];
    const other = await startTry('nagon@exempel.se');
    expect(unknown[1]?.salt).toEqual(unknown[0]?.salt);
    expect(other.salt).not.toEqual(unknown[0]?.salt);
    for (const one of [...unknown, other]) {
      expect([one.cost, one.salt.length]).toEqual([known.cost, known.salt.length]);
    }
    expect(Object.keys(known)).toEqual(Object.keys(other));
  });
});

describe('what is called', () => {
  const user = '00000000-0000-7000-8000-000000000001';
  test.each([
    [`select app.add_session('${user}', sha256(''), true, '192.0.2.1', '')`, forbidden],
    [`select app.spend_try('${user}', null)`, forbidden],
    [`select app.forget_tries('${user}')`, forbidden],
    [`select app.count_login('a@b.se', '192.0.2.1')`, forbidden],
    [`select app.refuse_login('${user}', '192.0.2.1')`, forbidden],
    [`select app.spend_code('${user}', sha256(''), 1, null)`, forbidden],
    [`select app.clear_second_factor('${user}')`, forbidden],
    [`update events.endpoints set url = 'https://ond.example'`, forbidden],
    [`update events.endpoints set sealed_secret = null`, forbidden],
    [`select events.replace_secret('${user}', '', false)`, noRight],
    [`select app.replace_recovery_codes('${user}', '{}')`, forbidden],
    [`select app.begin_first_session('${user}', sha256(''), '192.0.2.1', '')`, noRight],
    [
      `select app.create_user('${user}', 'e@b.se', '', 'agare', sha256(''), 'm=1,t=1,p=1', sha256(''), false)`,
      noRight,
    ],
    [`select app.reset_password('${user}', sha256(''), 'm=1,t=1,p=1', sha256(''))`, noRight],
    [`select app.remove_second_factor('${user}')`, noRight],
    [
      `insert into restricted.users (id, email, role) values ('${user}', 'e@b.se', 'agare')`,
      forbidden,
    ],
    [`update restricted.users set password_verifier = sha256('')`, forbidden],
    [`update restricted.users set role = 'agare' returning id`, []],
    [`update restricted.users set deactivated_at = null returning id`, []],
    [`delete from restricted.users`, forbidden],
    [
      `insert into restricted.sessions (hash, user_id, is_complete) values ('', null, true)`,
      forbidden,
    ],
    [`update restricted.sessions set last_seen_at = now()`, forbidden],
    [`delete from restricted.sessions returning user_id`, []],
    [`delete from restricted.login_windows`, forbidden],
    [`update restricted.password_tries set is_right = true`, forbidden],
    [`insert into restricted.setup_tokens (hash) values (sha256(''))`, forbidden],
    ['set role hb_owner', forbidden],
  ])('%s makes nobody of a stranger', async (text, answer) => {
    const answered = await run(text);
    expect(answered === '22023' || answered === '42704' ? forbidden : answered).toEqual(answer);
  });

  test.each([
    [`update restricted.users set role = 'agare' returning id`, []],
    [
      `select app.create_user('${user}', 'e@b.se', '', 'agare', sha256(''), 'm=1,t=1,p=1', sha256(''), false)`,
      noRight,
    ],
    [`update restricted.sessions set is_complete = true`, forbidden],
    [
      `select app.change_own_password('${user}', sha256(''), 'm=1,t=1,p=1', sha256('')) as done`,
      [{ done: false }],
    ],
    [
      `select app.turn_on_second_factor('${user}', sha256(''), '', 1, '{}') as outcome`,
      [{ outcome: 'password' }],
    ],
    [
      `select app.turn_off_second_factor('${user}', sha256(''), 1, null) as outcome`,
      [{ outcome: 'password' }],
    ],
    [
      `select app.renew_recovery_codes('${user}', sha256(''), 1, null, '{}') as outcome`,
      [{ outcome: 'password' }],
    ],
  ])('%s makes no more of an administrator', async (text, answer) => {
    expect(await run(text, await logIn(installation, 'administrator'))).toEqual(answer);
  });

  test('no other login reaches any of it', async () => {
    for (const login of logins.filter((name) => name !== 'hb_app')) {
      const other = createPool({
        url: await roleUrl(installation.url, login),
        max: 1,
        applicationName: 't',
      });
      for (const text of [
        'select * from restricted.users',
        'select * from restricted.sessions',
        'select * from restricted.login_salt',
        'select * from restricted.password_tries',
        `select * from app.find_login('a@b.se', '192.0.2.1')`,
        `select app.begin_session('${user}', sha256(''), null, '192.0.2.1', '')`,
        `select * from app.enter(sha256(''))`,
      ]) {
        const refused = await other.query(text).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        expect([login, text, refused]).toEqual([login, text, forbidden]);
      }
      await other.end();
    }
  });
});

describe('nobody fills the database', () => {
  const count = async (table: string) =>
    (
      await db(installation.owner).query<{ count: bigint }>(
        statement(`select count(*) from ${table}`),
      )
    )[0]?.count;

  test('with pages to print, or with jobs that print them', async () => {
    const request = `select archive.request_rendering('<p>${randomUUID()}</p>')`;
    expect(await run(request)).toBe(noRight);
    expect(await count('archive.pages')).toBe(0n);
    expect(await run(request, owner)).toHaveLength(1);
    expect(await run(`select intake.enqueue('rendering', array['{}']::jsonb[])`)).toBe(noRight);
  });

  test('with forms', async () => {
    const before = await count('restricted.form_posts');
    const claim = `select app.claim_form('${randomUUID()}') as went`;
    expect(await run(claim)).toBe(noRight);
    expect(await count('restricted.form_posts')).toBe(before);
    expect(await run(claim, owner)).toEqual([{ went: null }]);
  });

  test('with processes', async () => {
    const note = (
      handled: string,
    ) => `select restricted.note_process(gen_random_uuid(), 'x', 1, '{}',
      '1', now(), ${handled}) from generate_series(1, 1100)`;
    expect(await run(note(`jsonb_build_object('x', repeat('x', 20000))`))).toBe(noRight);
    expect(await run(note(`'{}'`))).toHaveLength(1100);
    expect(await count('restricted.processes')).toBeLessThanOrEqual(1000n);
  });
});

describe('a password', () => {
  test('opens a session when it is right, in three transactions', async () => {
    await forgetCounts();
    const started = await startTry(owner.email);
    await db(pool).query(
      sql`select app.answer_try(${started.try}::uuid, ${await rawHashOf(PASSWORD, started)})`,
    );
    expect(await begin(started.try)).toEqual([{ outcome: 'logged_in' }]);
    expect(await begin(started.try)).toEqual([{ outcome: 'refused' }]);
    const [row] = (await run(`select app.current_role_name() as role
      from set_config('huvudbok.session', '${presented}', true)`)) as object[];
    expect(row).toEqual({ role: 'agare' });
  });

  test('waits for little of what a flood of tries left, which upkeep takes away', async () => {
    await forgetCounts();
    const { owner: books } = installation;
    await db(books).query(sql`insert into restricted.password_tries (id, made_at)
      select gen_random_uuid(), now() - interval '20 minutes' from generate_series(1, 3000)`);
    const stale = async () => {
      const [row] = await db(books).query<{ left: number }>(sql`select count(*)::integer as left
        from restricted.password_tries where made_at < now() - interval '15 minutes'`);
      return row?.left;
    };
    await startTry(owner.email);
    expect(await stale()).toBe(2000);
    await withTx(books, (tx) => purgeExpired(tx));
    expect(await stale()).toBe(0);
  });

  test('is told of in no transaction that could be rolled back to guess again', async () => {
    await forgetCounts();
    const raw = await rawHashOf(PASSWORD, await startTry(owner.email));
    const told = withTx(pool, async (tx) => {
      const [started] = await tx.query<{ try: string }>(
        sql`select try from app.find_login(${owner.email}, '192.0.2.7')`,
      );
      const id = String(started?.try);
      await tx.query(sql`savepoint guess`);
      await tx.query(sql`select app.answer_try(${id}::uuid, ${raw})`);
      await tx.query(sql`release savepoint guess`);
      return tx.query(
        sql`select app.begin_session(${id}::uuid, sha256('x'), null, '192.0.2.7', '')`,
      );
    });
    await expect(told).rejects.toMatchObject({ code: noRight });
  });

  test('is tried ten times, whatever is rolled back and from wherever it is said to come', async () => {
    await forgetCounts();
    const guesser = await logIn(installation, 'agare');
    await forgetCounts();
    for (let guess = 0; guess < 10; guess += 1) {
      const [started] = await db(pool).query<{ try: string }>(
        sql`select try from app.find_login(${guesser.email}, ${`198.51.100.${guess}`}::inet)`,
      );
      const id = String(started?.try);
      await db(pool).query(sql`select app.answer_try(${id}::uuid, sha256('guess'))`);
      // The first answer stands, and a refusal that is rolled back is refused again.
      await db(pool).query(sql`select app.answer_try(${id}::uuid, sha256('another'))`);
      for (const end of ['rollback', 'commit']) {
        const client = await pool.connect();
        await client.query('begin');
        const { rows } = await client.query(
          `select app.begin_session($1, sha256('y'), null, '192.0.2.7', '') as outcome`,
          [id],
        );
        expect(rows).toEqual([{ outcome: 'refused' }]);
        await client.query(end);
        client.release();
      }
    }
    const last = await startTry(guesser.email);
    expect([last.seconds_left > 0, last.try, last.salt]).toEqual([true, null, null]);
  });

  test('of somebody shut out opens nothing', async () => {
    const gone = await logIn(installation, 'agare');
    await forgetCounts();
    await db(installation.owner).query(
      sql`update restricted.users set deactivated_at = now() where id = ${gone.id}::uuid`,
    );
    const started = await startTry(gone.email);
    await db(pool).query(
      sql`select app.answer_try(${started.try}::uuid, ${await rawHashOf(PASSWORD, started)})`,
    );
    expect(await begin(started.try)).toEqual([{ outcome: 'refused' }]);
  });

  test('shown in one session changes nothing in another', async () => {
    const [one, other] = [await logIn(installation, 'lasare'), await logIn(installation, 'lasare')];
    const [started] = (await run('select * from app.try_password()', one)) as ({
      try: string;
    } & Hashing)[];
    if (!started) throw new Error('no try');
    const raw = (await rawHashOf(PASSWORD, started)).toString('hex');
    await run(`select app.answer_try('${started.try}', '\\x${raw}')`, one);
    const change = `select app.change_own_password('${started.try}', sha256(''), 'm=19456,t=2,p=1',
      sha256('')) as done`;
    const shown = `select app.has_shown_password('${started.try}') as has`;
    expect(await run(shown, other)).toEqual([{ has: false }]);
    expect(await run(change, other)).toEqual([{ done: false }]);
    expect(await run(shown, one)).toEqual([{ has: true }]);
    expect(await run(change, one)).toEqual([{ done: true }]);
    expect(await run(change, one)).toEqual([{ done: false }]);
  });
});

describe('who is logged in', () => {
  const started = async (someone: LoggedIn): Promise<string> => {
    const [one] = (await run('select * from app.try_password()', someone)) as ({
      try: string;
    } & Hashing)[];
    if (!one) throw new Error('no try');
    const raw = (await rawHashOf(PASSWORD, one)).toString('hex');
    await run(`select app.answer_try('${one.try}', '\\x${raw}')`, someone);
    return one.try;
  };

  test('gives their password no cost that a login of a made-up address would have to pay', async () => {
    const reader = await logIn(installation, 'lasare');
    for (const cost of ['m=999999,t=99,p=1', 'm=1,t=1,p=9', 'm=8,t=1,p=1']) {
      const change = `select app.change_own_password('${await started(reader)}', sha256(''), '${cost}',
        sha256('')) as done`;
      expect([cost, await run(change, reader)]).toEqual([cost, '23514']);
    }
    await forgetCounts();
  });

  test('is shown nothing of what proves their password by a refusal', async () => {
    const reader = await logIn(installation, 'lasare');
    const [{ verifier } = { verifier: '' }] = await db(installation.owner).query<{
      verifier: string;
    }>(sql`select encode(password_verifier, 'hex') as verifier from restricted.users u
      where u.role = 'lasare' order by u.last_login_at desc nulls last limit 1`);
    expect(verifier).toHaveLength(64);
    const passwordTry = await started(reader);
    for (const text of [
      `select app.rename_self(repeat('x', 201))`,
      'select app.rename_self(null)',
      `select app.turn_on_second_factor('${passwordTry}', null, '\\x01', 1, '{}')`,
      `select app.change_own_password('${passwordTry}', '\\x00', 'm=19456,t=2,p=1', sha256(''))`,
    ]) {
      const refusal = await withTx(pool, async (tx) => {
        await tx.query(sql`select from app.enter(${session(reader)})`);
        await tx.query(statement(text));
      }).catch((error: pg.DatabaseError) => error);
      expect([text, refusal]).toEqual([text, expect.objectContaining({ detail: undefined })]);
      expect([text, JSON.stringify(refusal)]).toEqual([
        text,
        expect.not.stringContaining(verifier.slice(0, 40)),
      ]);
    }
    await forgetCounts();
  });
});

test('a refused login is answered alike whether the account exists or not', async () => {
  await forgetCounts();
  const attempt = (email: string) =>
    logInThrough(pool, {
      email,
      password: 'fel lösenord',
      address: '192.0.2.9',
      agent: '',
      requestId: randomUUID(),
      previous: undefined,
    });
  expect(await attempt('ingen@exempel.se')).toEqual({ outcome: 'refused' });
  expect(await attempt(owner.email)).toEqual({ outcome: 'refused' });
});

describe('the second factor', () => {
  test('is passed by nobody who has the password but not the key of the installation', async () => {
    const person = await logIn(installation, 'medarbetare');
    const secret = Buffer.alloc(20, 9);
    await db(installation.owner).query(
      sql`update restricted.users set totp_hash = sha256(${secret}),
            sealed_totp_secret = ${sealTotpSecret(testKeyring, person.id, secret)}
          where id = ${person.id}::uuid`,
    );
    await forgetCounts();
    const started = await startTry(person.email);
    await db(pool).query(
      sql`select app.answer_try(${started.try}::uuid, ${await rawHashOf(PASSWORD, started)})`,
    );
    const waiting = 'cd'.repeat(32);
    const present = (text: string) =>
      withTx(pool, async (tx) => {
        await tx.query(sql`select from app.enter(decode(${waiting}, 'hex'))`);
        return tx.query(statement(text));
      });
    expect(
      await db(pool).query(sql`select app.begin_session(${started.try}::uuid,
        decode(${waiting}, 'hex'), null, '192.0.2.7', '') as outcome`),
    ).toEqual([{ outcome: 'second_factor' }]);
    // A waiting session is nobody yet, and ends nobody's sessions.
    expect(await present('select app.current_role_name() as role')).toEqual([{ role: null }]);
    expect(await present('delete from restricted.sessions returning user_id')).toEqual([]);
    const [seen] = (await present('select * from app.try_second_factor()')) as { sealed: Buffer }[];
    expect(seen?.sealed.includes(secret)).toBe(false);
    const complete = (presentedSecret: Buffer) =>
      present(`select app.complete_session(sha256('new'), '\\x${presentedSecret.toString('hex')}',
        1, null, '192.0.2.7', '') as is_done`);
    for (const guess of [seen?.sealed ?? secret, sha256Of(secret), Buffer.alloc(20)]) {
      expect(await complete(guess)).toEqual([{ is_done: false }]);
    }
    expect(await complete(secret)).toEqual([{ is_done: true }]);
  });
});
