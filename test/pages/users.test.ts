/** Inställningar › Användare: who looks after whom, at once, and never without an owner. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { deactivateUser } from '#src/access/users/service.ts';
import { findUserByEmail, getUser } from '#src/access/users/store.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, PASSWORD, tokensOf, visit } from '../support/person.ts';
import { times, until } from '../support/processes.ts';

const url = '/installningar/anvandare';
let installation: Installation;
let owner: LoggedIn;
let admin: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  owner = await logIn(installation, 'agare');
  admin = await logIn(installation, 'administrator');
});
afterAll(() => installation.close());
// Every test logs in from the same address; what slows down guessing is not what is tried here.
beforeEach(() => db(installation.owner).query(sql`delete from restricted.login_windows`));

const act = (person: LoggedIn, id: string, path: string) =>
  person.submit(`${url}/${id}/${path}`, {}, person.id === admin.id ? url : `${url}/ny`);

async function logInWith(email: string, password: string) {
  const visitor = visit(installation);
  const answer = await visitor.submit('/logga-in', { email, password });
  return { ...visitor, answer };
}

const userId = async (email: string): Promise<string> =>
  (await findUserByEmail(db(installation.owner), email))?.id ?? '';

const temporary = (body: string): string =>
  /id="temporary-password">([a-z2-9-]{19})</.exec(body)?.[1] ?? '';

describe('a new user', () => {
  test('may get a password that is shown once and must be changed at the first login', async () => {
    const email = 'ny@exempel.se';
    const name = 'Ny <script>alert(1)</script>';
    const invited = await owner.submit(`${url}/ny`, { email, name, role: 'medarbetare' });
    expect(invited.statusCode).toBe(200);
    expect(invited.body).toContain('Ny &lt;script&gt;');
    const id = await userId(email);
    const password = temporary((await act(owner, id, 'losenord')).body);
    expect(password).not.toBe('');
    const list = (await owner.get(url)).body;
    expect(list).toContain('Tillfälligt lösenord');
    expect(list).not.toContain('<script>alert(1)');
    expect(list).not.toContain(password);
    const newcomer = await logInWith(email, password);
    expect((await newcomer.get('/dimensioner')).headers.location).toBe(
      '/mitt-konto/losenord?till=%2Fdimensioner',
    );
    await newcomer.submit('/mitt-konto/losenord', { password, next: PASSWORD, again: PASSWORD });
    expect((await newcomer.get('/dimensioner')).statusCode).toBe(200);
    expect((await logInWith(email, password)).answer.statusCode).toBe(401);
  });

  test('needs an address that is one, that nobody has, and a role there is', async () => {
    const wrong = await owner.submit(`${url}/ny`, { email: 'x', name: 'Å', role: 'kung' });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('f-email-error');
    expect(wrong.body).toContain('f-role-error');
    expect(wrong.body).toContain('value="Å"');
    const taken = await owner.submit(`${url}/ny`, {
      email: admin.email.toUpperCase(),
      role: 'lasare',
    });
    expect(taken.statusCode).toBe(422);
    expect(taken.body).toMatch(/f-email-error">[^<]* har redan en användare\. Öppna den i listan/);
  });
});

describe('what an administrator may', () => {
  test('is to see everybody, and to reset those who may less', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    const list = (await admin.get(url)).body;
    expect(list).toContain(keeper.email);
    expect(list).toContain(owner.email);
    expect(list).not.toContain(`${url}/ny`);
    expect(list).not.toContain(`${url}/${owner.id}`);
    const reset = await act(admin, keeper.id, 'losenord');
    expect(reset.statusCode).toBe(200);
    expect(reset.body).toContain('Tidigare inloggningar är avslutade.');
    expect((await keeper.get('/dimensioner')).statusCode).toBe(303);
    const back = await logInWith(keeper.email, temporary(reset.body));
    expect(back.answer.statusCode).toBe(303);
  });

  test('is not to reset owners, administrators or themselves', async () => {
    const other = await logIn(installation, 'administrator');
    for (const { id, email } of [owner, other, admin]) {
      expect((await act(admin, id, 'losenord')).statusCode).toBe(403);
      expect((await logInWith(email, PASSWORD)).answer.statusCode).toBe(303);
    }
  });

  test('is not to create, change, shut out or unlock anybody', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    expect((await admin.get(`${url}/ny`)).statusCode).toBe(403);
    const fields = { email: keeper.email, name: 'X', role: 'agare' };
    for (const path of [`${url}/ny`, `${url}/${keeper.id}`, `${url}/${admin.id}`]) {
      expect((await admin.submit(path, fields, url)).statusCode).toBe(403);
    }
    for (const path of ['stang-av', 'slapp-in', 'andra-steget', 'logga-ut']) {
      expect((await act(admin, keeper.id, path)).statusCode).toBe(403);
    }
    const user = await getUser(db(installation.owner), keeper.id);
    expect([user.role, user.deactivated_at]).toEqual(['medarbetare', null]);
    expect((await keeper.get('/dimensioner')).statusCode).toBe(200);
  });

  test('is decided by the database too, were a page to forget to ask', async () => {
    const session = hashOfSecret(String(admin.cookies.get(sessionCookie))).toString('hex');
    const pool = createPool({
      url: await roleUrl(installation.url, 'hb_app'),
      max: 1,
      applicationName: 'test',
    });
    const asAdmin = (statement: ReturnType<typeof sql>) =>
      withTx(pool, async (tx) => {
        await tx.query(sql`select set_config('huvudbok.session', ${session}, true)`);
        return tx.query(statement);
      });
    expect(await asAdmin(sql`update restricted.users set role = 'agare' returning id`)).toEqual([]);
    expect(
      await asAdmin(sql`select from restricted.sessions where user_id = ${owner.id}::uuid`),
    ).toEqual([]);
    await expect(
      asAdmin(sql`select app.reset_password(${owner.id}::uuid, '', '', '')`),
    ).rejects.toThrow(/may not reset/);
    await pool.end();
  });

  test('nobody below sees the users', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    for (const path of [url, `${url}/${admin.id}`]) {
      expect((await keeper.get(path)).statusCode).toBe(403);
    }
  });
});

describe('an owner', () => {
  test('changes a role, which holds in the next statement of whoever has it', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    expect((await keeper.get('/dimensioner/ny')).statusCode).toBe(200);
    const changed = await owner.submit(`${url}/${keeper.id}`, {
      email: keeper.email,
      name: 'Nu läsare',
      role: 'lasare',
    });
    expect(changed.statusCode).toBe(303);
    expect((await keeper.get('/dimensioner/ny')).statusCode).toBe(403);
    expect((await keeper.get('/dimensioner')).statusCode).toBe(200);
  });

  test('shuts somebody out at once, and lets them in again to log in anew', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    expect((await act(owner, keeper.id, 'stang-av')).statusCode).toBe(303);
    expect((await keeper.get('/dimensioner')).headers.location).toMatch(/^\/logga-in/);
    expect((await logInWith(keeper.email, PASSWORD)).answer.statusCode).toBe(401);
    expect((await owner.get(url)).body).toContain('Avstängd');
    await act(owner, keeper.id, 'slapp-in');
    expect((await keeper.get('/dimensioner')).statusCode).toBe(303);
    expect((await logInWith(keeper.email, PASSWORD)).answer.statusCode).toBe(303);
  });

  test("lets go of their own place as of another's, while there is another owner", async () => {
    const other = await logIn(installation, 'agare');
    expect((await act(other, other.id, 'logga-ut')).statusCode).toBe(303);
    expect((await other.get('/dimensioner')).headers.location).toMatch(/^\/logga-in/);
    const third = await logIn(installation, 'agare');
    const fields = { email: third.email, name: 'X', role: 'lasare' };
    const lessened = await third.submit(`${url}/${third.id}`, fields, `${url}/ny`);
    expect([lessened.statusCode, lessened.headers.location]).toEqual([303, '/oversikt']);
    expect((await third.get('/oversikt')).body).toContain('med rollen Läsare');
    expect((await third.get(`${url}/ny`)).statusCode).toBe(403);
    const fourth = await logIn(installation, 'agare');
    expect((await act(fourth, fourth.id, 'stang-av')).statusCode).toBe(303);
    expect((await logInWith(fourth.email, PASSWORD)).answer.statusCode).toBe(401);
    await act(owner, other.id, 'stang-av');
  });

  test('sees where somebody is logged in, and logs them out', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    const page = `${url}/${keeper.id}`;
    expect((await owner.get(page)).body).toContain('Logga ut överallt');
    expect((await act(owner, keeper.id, 'logga-ut')).statusCode).toBe(303);
    expect((await keeper.get('/dimensioner')).statusCode).toBe(303);
    expect((await owner.get(page)).body).toContain('Ingenstans.');
  });

  test('turns off the second factor of whoever lost theirs', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    await db(installation.owner).query(
      sql`update restricted.users set totp_hash = sha256('')
          where id = ${keeper.id}::uuid`,
    );
    expect((await owner.get(`${url}/${keeper.id}`)).body).toContain('Stäng av andra steget');
    await act(owner, keeper.id, 'andra-steget');
    const { answer } = await logInWith(keeper.email, PASSWORD);
    expect(answer.headers.location).toBe('/oversikt');
  });

  test.each([
    ['role', sql`update restricted.users set role = 'lasare' where id = `],
    ['login', sql`delete from restricted.sessions where user_id = `],
  ])(
    'is told so, and nothing done or written down, when their %s goes meanwhile',
    async (_what, take) => {
      const other = await logIn(installation, 'agare');
      const keeper = await logIn(installation, 'medarbetare');
      const tokens = tokensOf((await other.get(`${url}/${keeper.id}`)).body);
      const holder = await connect(installation.url, 'holder');
      const holding = db(holder);
      await holding.query(sql`begin`);
      // What they do is on its way when it is taken from them.
      await holding.query(
        sql`select from restricted.users where id = ${keeper.id}::uuid for update`,
      );
      const fields = { ...tokens, email: keeper.email, name: '', role: 'agare' };
      const sent = other.post(`${url}/${keeper.id}`, fields);
      await until(async () => {
        const [waiting] = await holding.query(sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        return waiting !== undefined;
      });
      await holding.query(sql`${take} ${other.id}::uuid`);
      await holding.query(sql`commit`);
      await holder.end();
      const answer = await sent;
      expect(answer.statusCode).toBe(403);
      expect(answer.body).toContain('Ingenting är gjort');
      expect(await getUser(db(installation.owner), keeper.id)).toMatchObject({
        role: 'medarbetare',
      });
      const written = await db(installation.owner).query(
        sql`select from audit.events where subject = ${keeper.id} and action = 'user.changed'`,
      );
      expect(written).toEqual([]);
      await db(installation.owner).query(
        sql`update restricted.users set role = 'lasare' where id = ${other.id}::uuid`,
      );
    },
  );

  test.each([
    ['role', sql`update restricted.users set role = 'lasare' where id = `],
    ['login', sql`delete from restricted.sessions where user_id = `],
  ])('is told so when their %s goes before anything is written', async (_what, take) => {
    const keeper = await logIn(installation, 'medarbetare');
    const holder = await connect(installation.url, 'holder');
    const holding = db(holder);
    await holding.query(sql`begin`);
    await holding.query(sql`lock table restricted.form_posts in exclusive mode`);
    const sent = keeper.submit('/kunder/ny', { name: 'Sen AB', countryCode: 'SE', isActive: 'on' });
    await until(async () => {
      const [waiting] = await holding.query(sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting !== undefined;
    });
    await holding.query(sql`${take} ${keeper.id}::uuid`);
    await holding.query(sql`commit`);
    await holder.end();
    const answer = await sent;
    expect([answer.statusCode, answer.body]).toEqual([
      403,
      expect.stringContaining('Ingenting är gjort'),
    ]);
  });

  test('does nothing through a form of another site', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    for (const path of ['', '/losenord', '/stang-av', '/logga-ut', '/andra-steget']) {
      const answer = await owner.post(`${url}/${keeper.id}${path}`, { email: 'x@y.se' });
      expect(answer.statusCode).toBe(403);
    }
    expect((await keeper.get('/dimensioner')).statusCode).toBe(200);
  });
});

describe('the last owner', () => {
  const activeOwners = () =>
    db(installation.owner).query<{ id: string }>(
      sql`select id from restricted.users where role = 'agare' and deactivated_at is null`,
    );

  test('is neither shut out nor made less, by themselves, by operators or in SQL', async () => {
    expect(await activeOwners()).toEqual([{ id: owner.id }]);
    const shut = await act(owner, owner.id, 'stang-av');
    expect(shut.statusCode).toBe(422);
    expect(shut.body).toContain('minst en aktiv ägare');
    expect(shut.body).toContain(`value="${owner.email}"`);
    expect(shut.body).toMatch(/value="agare" checked/);
    const fields = { email: owner.email, name: 'X', role: 'administrator' };
    const less = await owner.submit(`${url}/${owner.id}`, fields);
    expect(less.statusCode).toBe(422);
    expect(less.body).toContain('f-role-error');
    const user = await getUser(db(installation.owner), owner.id);
    await expect(
      withTx(installation.owner, (tx) => deactivateUser(tx, user, 'cli')),
    ).rejects.toThrow(/last_owner/);
    for (const statement of [
      sql`update restricted.users set deactivated_at = now()`,
      sql`update restricted.users set role = 'lasare'`,
    ]) {
      await expect(db(installation.owner).query(statement)).rejects.toThrow(/last owner/);
    }
    expect(await activeOwners()).toEqual([{ id: owner.id }]);
  });

  test('of two who shut each other out at the same moment, one stays', async () => {
    const other = await logIn(installation, 'agare');
    const answers = await Promise.all([
      act(owner, other.id, 'stang-av'),
      act(other, owner.id, 'stang-av'),
    ]);
    const left = await activeOwners();
    expect(left).toHaveLength(1);
    // Whoever came second may already be led to log in.
    const done = answers.filter(({ headers }) => headers.location?.toString().startsWith(url));
    expect(done).toHaveLength(1);
    await db(installation.owner).query(
      sql`update restricted.users set deactivated_at = null where id = ${owner.id}::uuid`,
    );
  });
});

test('whoever guessed wrong while the clock was ahead is not shut out until that moment', async () => {
  const { email } = await logIn(installation, 'lasare');
  for (const _ of times(10)) await logInWith(email, 'fel lösenord');
  expect((await logInWith(email, PASSWORD)).answer.statusCode).toBe(429);
  await db(installation.owner).query(
    sql`update restricted.login_windows set opened_at = now() + interval '1 year'`,
  );
  expect((await logInWith(email, PASSWORD)).answer.statusCode).toBe(303);
});
