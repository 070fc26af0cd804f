/** The second factor: turned on and off, logged in with, and what a thief of passwords meets. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterSession } from '#src/access/sessions/store.ts';
import { codeAt, readTotpSecret } from '#src/access/users/second-factor.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { openSecondApp } from '../http/books.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { type LoggedIn, logIn, PASSWORD, type Visitor, visit } from '../support/person.ts';

const base = '/mitt-konto/andra-steget';
const session = '__Host-huvudbok';
let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.close());

/** The code of the installation's clock, or of `seconds` from it. */
const code = (secret: Buffer, seconds = 0): string =>
  codeAt(secret, new Date(Date.parse(`${TODAY}T12:00:00Z`) + seconds * 1_000));

interface Protected extends LoggedIn {
  readonly secret: Buffer;
  readonly codes: readonly string[];
}

/** Somebody whose second factor is on, by the code of the step before, so that today's is unused. */
async function protect(person: LoggedIn): Promise<Protected> {
  const { body } = await person.get(`${base}/pa`);
  const [, typed = ''] = /name="secret" value="([A-Z2-7]{32})"/.exec(body) ?? [];
  const secret = readTotpSecret(typed);
  if (!secret) throw new Error('the page shows no secret');
  const answer = await person.submit(`${base}/pa`, {
    secret: typed,
    code: code(secret, -30),
    password: PASSWORD,
  });
  const codes = answer.body.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? [];
  expect([answer.statusCode, codes.length]).toEqual([200, 10]);
  // As they are copied: one to a line and nothing else.
  expect(answer.body).toContain(`<code id="recovery-codes">${codes.join('\n')}</code>`);
  return { ...person, secret, codes };
}

const protectedPerson = async () => protect(await logIn(installation, 'medarbetare'));

/** A browser where the password has been given. */
async function withPassword({ email }: LoggedIn): Promise<Visitor> {
  const visitor = visit(installation);
  const answer = await visitor.submit('/logga-in', { email, password: PASSWORD });
  expect(answer.headers.location).toMatch(/^\/logga-in\/kod\?till=/);
  return visitor;
}

const enter = (visitor: Visitor, typed: string) =>
  visitor.submit('/logga-in/kod', { code: typed, till: '/dimensioner' });

/** As if nobody had used a code yet. */
const forgetSteps = ({ id }: LoggedIn) =>
  db(installation.owner).query(
    sql`update restricted.users set totp_last_step = null where id = ${id}::uuid`,
  );

test('a server that has no key for secrets says so before anybody scans a code', async () => {
  const keyless = await openSecondApp(installation);
  const person = await logIn({ ...installation, app: keyless.app }, 'medarbetare');
  const { body } = await person.get(`${base}/pa`);
  expect(body).toContain('Det andra steget kan inte slås på än');
  expect(body).not.toContain('totp-secret');
  await keyless.close();
});

describe('logging in', () => {
  test('takes password and code, and the session is another after each', async () => {
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    const waiting = visitor.cookies.get(session);
    for (const page of ['/dimensioner', '/mitt-konto']) {
      const { statusCode, headers } = await visitor.get(page);
      expect([statusCode, headers.location]).toEqual([
        303,
        `/logga-in/kod?till=${encodeURIComponent(page)}`,
      ]);
    }
    const answer = await enter(visitor, code(person.secret));
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/dimensioner']);
    expect((await visitor.get('/dimensioner')).statusCode).toBe(200);
    expect(visitor.cookies.get(session)).not.toBe(waiting);
    const old = visit(installation);
    old.cookies.set(session, waiting ?? '');
    expect((await old.get('/dimensioner')).headers.location).toMatch(/^\/logga-in\?/);
  });

  test('a code works once, also when it is sent twice at the same moment', async () => {
    const person = await protectedPerson();
    const browsers = await Promise.all([withPassword(person), withPassword(person)]);
    const answers = await Promise.all(
      browsers.map((visitor) => enter(visitor, code(person.secret))),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 401]);
    const third = await withPassword(person);
    expect((await enter(third, code(person.secret))).statusCode).toBe(401);
    expect((await enter(third, code(person.secret, -30))).statusCode).toBe(401);
    expect((await enter(third, code(person.secret, 30))).statusCode).toBe(303);
  });

  test('a clock may be half a minute off, and no more', async () => {
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    await forgetSteps(person);
    for (const seconds of [-60, 60, 90]) {
      expect((await enter(visitor, code(person.secret, seconds))).statusCode).toBe(401);
    }
    expect((await enter(visitor, code(person.secret, -30))).statusCode).toBe(303);
  });

  test('a recovery code works once, and is then one fewer', async () => {
    const person = await protectedPerson();
    const [first = ''] = person.codes;
    const visitor = await withPassword(person);
    expect((await enter(visitor, ` ${first.toLowerCase()} `)).statusCode).toBe(303);
    const { body } = await visitor.get('/mitt-konto');
    expect(body).toContain('9 av 10 återställningskoder');
    expect(body).toContain('Återställningskoden är förbrukad.');
    expect((await enter(await withPassword(person), first)).statusCode).toBe(401);
  });

  test("a recovery code of somebody else's opens nothing", async () => {
    const [person, other] = [await protectedPerson(), await protectedPerson()];
    expect((await enter(await withPassword(person), other.codes[0] ?? '')).statusCode).toBe(401);
    expect((await enter(await withPassword(person), code(other.secret))).statusCode).toBe(401);
  });

  test('codes cannot be tried for ever, from however many browsers', async () => {
    const person = await protectedPerson();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const wrong = code(person.secret) === '000000' ? '000001' : '000000';
      expect((await enter(await withPassword(person), wrong)).statusCode).toBe(401);
      await db(installation.owner).query(sql`delete from restricted.login_windows
        where subject like 'account %' or subject like 'address %'`);
    }
    const visitor = await withPassword(person);
    for (const typed of [code(person.secret), person.codes[0] ?? '']) {
      const answer = await enter(visitor, typed);
      expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    }
    await db(installation.owner).query(
      sql`update restricted.login_windows set opened_at = now() - interval '16 minutes'`,
    );
    expect((await enter(visitor, code(person.secret))).statusCode).toBe(303);
  });

  test('a session that waits too long begins again', async () => {
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    await db(installation.owner).query(
      sql`update restricted.sessions set created_at = now() - interval '16 minutes'
          where not is_complete and user_id = ${person.id}::uuid`,
    );
    const answer = await enter(visitor, code(person.secret));
    expect(answer.headers.location).toBe('/logga-in?till=%2Fdimensioner');
  });

  test('nobody gets to the code without the password, nor sends one from elsewhere', async () => {
    const stranger = visit(installation);
    expect((await stranger.get('/logga-in/kod')).headers.location).toMatch(/^\/logga-in\?/);
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    const answer = await visitor.post('/logga-in/kod', { code: code(person.secret) });
    expect(answer.statusCode).toBe(403);
    expect((await visitor.get('/dimensioner')).statusCode).toBe(303);
  });

  test('leads on to pages of ours only', async () => {
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    const fields = { code: code(person.secret), till: 'https://ond.example/' };
    const answer = await visitor.submit('/logga-in/kod', fields);
    expect(answer.headers.location).toBe('/oversikt');
  });
});

describe('turning it on and off', () => {
  test('ends the sessions that had only the password, and is asked for from then on', async () => {
    const person = await logIn(installation, 'medarbetare');
    const elsewhere = visit(installation);
    await elsewhere.submit('/logga-in', { email: person.email, password: PASSWORD });
    await protect(person);
    expect((await person.get('/mitt-konto')).body).toContain('10 av 10');
    expect((await elsewhere.get('/mitt-konto')).statusCode).toBe(303);
    expect((await person.get(`${base}/pa`)).body).toContain('redan på');
  });

  test('needs the password and a code of the shown secret, which stays while one mistypes', async () => {
    const person = await logIn(installation, 'medarbetare');
    const { body } = await person.get(`${base}/pa`);
    const [, secret = ''] = /name="secret" value="([A-Z2-7]{32})"/.exec(body) ?? [];
    const bytes = readTotpSecret(secret) ?? Buffer.alloc(20);
    expect(body).toContain('<svg class="qr-code"');
    expect(body).toContain((secret.match(/.{4}/g) ?? []).join(' '));
    const right = { secret, code: code(bytes), password: PASSWORD };
    const wrongCode = await person.submit(`${base}/pa`, { ...right, code: code(bytes, 300) });
    expect(wrongCode.statusCode).toBe(422);
    expect(wrongCode.body).toContain('f-code-error');
    expect(wrongCode.body).toContain(secret);
    const wrongPassword = await person.submit(`${base}/pa`, { ...right, password: 'fel lösenord' });
    expect(wrongPassword.body).toContain('f-password-error');
    const weak = await person.submit(`${base}/pa`, { ...right, secret: 'AAAA' });
    expect(weak.statusCode).toBe(422);
    expect((await person.get('/mitt-konto')).body).toContain('<span class="chip">Av</span>');
    expect((await person.submit(`${base}/pa`, right)).body).toContain('recovery-codes');
  });

  test('the code that turned it on does not log in as well', async () => {
    const person = await protectedPerson();
    const visitor = await withPassword(person);
    expect((await enter(visitor, code(person.secret, -30))).statusCode).toBe(401);
  });

  test('is turned off with password and code', async () => {
    const person = await protectedPerson();
    const off = `${base}/av`;
    const right = { password: PASSWORD, code: code(person.secret) };
    expect((await person.submit(off, { ...right, password: 'gissat' })).statusCode).toBe(422);
    expect((await person.submit(off, { ...right, code: '123' })).body).toContain('f-code-error');
    expect((await person.submit(off, right)).statusCode).toBe(303);
    const again = visit(installation);
    const { email } = person;
    const answer = await again.submit('/logga-in', { email, password: PASSWORD, till: '/x' });
    expect(answer.headers.location).toBe('/x');
    const rows = await db(installation.owner).query(
      sql`select from restricted.recovery_codes where user_id = ${person.id}::uuid`,
    );
    expect(rows).toEqual([]);
  });

  test('new recovery codes put the old ones out of use', async () => {
    const person = await protectedPerson();
    const fields = { password: PASSWORD, code: person.codes[9] ?? '' };
    const answer = await person.submit(`${base}/koder`, fields);
    const fresh = answer.body.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? [];
    expect(fresh).toHaveLength(10);
    expect(fresh.filter((one) => person.codes.includes(one))).toEqual([]);
    const visitor = await withPassword(person);
    expect((await enter(visitor, person.codes[0] ?? '')).statusCode).toBe(401);
    expect((await enter(visitor, fresh[0] ?? '')).statusCode).toBe(303);
  });
});

describe('what the database keeps to itself', () => {
  test('the login of the pages reads no secret, and tries codes only as it is counted', async () => {
    const person = await protectedPerson();
    const pool = createPool({
      url: await roleUrl(installation.url, 'hb_app'),
      max: 1,
      applicationName: 'test',
    });
    const hash = createHash('sha256')
      .update(person.cookies.get(session) ?? '')
      .digest();
    const asked = (statement: ReturnType<typeof sql>) =>
      withTx(pool, async (tx) => {
        await enterSession(tx, hash, randomUUID());
        return tx.query<Record<string, unknown>>(statement);
      });
    for (const statement of [
      sql`select totp_hash from restricted.users`,
      sql`select sealed_totp_secret from restricted.users`,
      sql`select password_verifier from restricted.users`,
      sql`select hash from restricted.recovery_codes`,
      sql`select app.spend_code(${person.id}::uuid, null, 1, null)`,
      sql`select app.replace_recovery_codes(${person.id}::uuid, '{}')`,
      sql`update restricted.users set password_verifier = null`,
    ]) {
      await expect(asked(statement)).rejects.toThrow(/permission denied/);
    }
    await expect(asked(sql`select app.remove_second_factor(${person.id}::uuid)`)).rejects.toThrow(
      /only owners/,
    );
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const [row] = await asked(sql`select sealed from app.try_second_factor()`);
      expect(row?.['sealed'] === null).toBe(attempt > 5);
    }
    const nobody = await withTx(pool, (tx) => tx.query(sql`select from app.try_second_factor()`));
    expect(nobody).toEqual([]);
    await pool.end();
  });
});
