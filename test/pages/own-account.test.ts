/** Mitt konto: one's own name, password and sessions, and a password that somebody else gave. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, PASSWORD, visit } from '../support/person.ts';

const url = '/mitt-konto';
const passwordUrl = `${url}/losenord`;
const OTHER = 'en helt annan fras';
let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.close());

/** The same person in one more browser. */
async function again({ email }: LoggedIn, password = PASSWORD) {
  const visitor = visit(installation);
  const answer = await visitor.submit('/logga-in', { email, password });
  return { ...visitor, answer };
}

const isIn = async (visitor: { get: LoggedIn['get'] }) =>
  (await visitor.get(url)).statusCode === 200;

test('a person changes their name, and it is shown as they wrote it', async () => {
  const person = await logIn(installation, 'lasare');
  const name = '<script>alert("Å")</script>';
  expect((await person.submit(url, { name })).statusCode).toBe(303);
  const { body } = await person.get(url);
  expect(body).toContain('&lt;script&gt;alert(&quot;Å&quot;)&lt;/script&gt;');
  expect(body).not.toContain('<script>alert');
  expect((await person.submit(url, { name: 'x'.repeat(201) })).body).toContain('Högst 200 tecken');
});

describe('the password', () => {
  const fields = (overrides: object = {}) => ({
    password: PASSWORD,
    next: OTHER,
    again: OTHER,
    ...overrides,
  });

  test('is changed by whoever knows the old one, and ends every other session', async () => {
    const person = await logIn(installation, 'lasare');
    const elsewhere = await again(person);
    expect(await isIn(elsewhere)).toBe(true);
    const answer = await person.submit(passwordUrl, fields());
    expect([answer.statusCode, answer.headers.location]).toEqual([303, url]);
    expect([await isIn(person), await isIn(elsewhere)]).toEqual([true, false]);
    expect((await again(person)).answer.statusCode).toBe(401);
    expect((await again(person, OTHER)).answer.statusCode).toBe(303);
  });

  test('is not changed by whoever does not, and no typed password comes back', async () => {
    const person = await logIn(installation, 'lasare');
    const wrong = await person.submit(passwordUrl, fields({ password: 'gissning nr 1' }));
    expect(wrong.statusCode).toBe(422);
    expect(wrong.body).toContain('f-password-error">Lösenordet stämmer inte.');
    for (const typed of ['gissning nr 1', OTHER]) expect(wrong.body).not.toContain(typed);
    const unlike = await person.submit(passwordUrl, fields({ again: 'en helt annan fran' }));
    expect(unlike.body).toContain('f-again-error');
    const short = await person.submit(passwordUrl, fields({ next: 'kort', again: 'kort' }));
    expect(short.body).toContain('f-next-error');
    const same = await person.submit(passwordUrl, fields({ next: PASSWORD, again: PASSWORD }));
    expect(same.body).toContain('f-next-error');
    expect((await again(person)).answer.statusCode).toBe(303);
  });

  test('cannot be guessed at for ever by whoever found the browser open', async () => {
    const person = await logIn(installation, 'lasare');
    for (let guess = 1; guess <= 10; guess += 1) {
      const answer = await person.submit(passwordUrl, fields({ password: `gissning ${guess}` }));
      expect(answer.body).toContain('stämmer inte');
    }
    const right = await person.submit(passwordUrl, fields());
    expect(right.statusCode).toBe(422);
    expect(right.body).toContain('För många försök');
    expect((await again(person)).answer.statusCode).toBe(429);
  });

  test('that is temporary must be changed before anything else, and then lets on', async () => {
    const person = await logIn(installation, 'medarbetare');
    await db(installation.owner).query(
      sql`update restricted.users set password_is_temporary = true, password_expires_at = 'infinity' where id = ${person.id}::uuid`,
    );
    for (const page of [url, '/dimensioner', `${url}/andra-steget/pa`]) {
      const { statusCode, headers } = await person.get(page);
      expect([statusCode, headers.location]).toEqual([
        303,
        `${passwordUrl}?till=${encodeURIComponent(page)}`,
      ]);
    }
    const form = `${passwordUrl}?till=%2Fdimensioner`;
    expect((await person.get(form)).body).toContain('Välj ett eget lösenord');
    const answer = await person.submit(passwordUrl, fields({ till: '/dimensioner' }), form);
    expect(answer.headers.location).toBe('/dimensioner');
    expect((await person.get('/dimensioner')).statusCode).toBe(200);
  });

  test('leads to no other site afterwards', async () => {
    const person = await logIn(installation, 'medarbetare');
    await db(installation.owner).query(
      sql`update restricted.users set password_is_temporary = true, password_expires_at = 'infinity' where id = ${person.id}::uuid`,
    );
    const answer = await person.submit(passwordUrl, fields({ till: '//ond.example/x' }));
    expect(answer.headers.location).toBe('/oversikt');
  });
});

describe('sessions', () => {
  test('are listed with where and what, and ended one by one', async () => {
    const person = await logIn(installation, 'lasare');
    const elsewhere = await again(person);
    await db(installation.owner).query(
      sql`update restricted.sessions set agent = '<img src=x> Firefox/140.0 Windows',
            address = '2001:db8::1'
          where user_id = ${person.id}::uuid and created_at = (select max(created_at)
            from restricted.sessions where user_id = ${person.id}::uuid)`,
    );
    const { body } = await person.get(url);
    expect(body).toContain('Firefox på Windows');
    expect(body).toContain('2001:db8::1');
    expect(body).not.toContain('<img src=x>');
    expect(body.match(/chip good">Den här/g)).toHaveLength(1);
    const [, id] = /sessioner\/([0-9a-f]{64})\/avsluta/.exec(body) ?? [];
    const ended = await person.submit(`${url}/sessioner/${id}/avsluta`, {}, url);
    expect(ended.statusCode).toBe(303);
    expect([await isIn(person), await isIn(elsewhere)]).toEqual([true, false]);
  });

  test('of others cannot be ended, whatever their id', async () => {
    const victim = await logIn(installation, 'agare');
    const person = await logIn(installation, 'lasare');
    const [session] = await db(installation.owner).query<{ id: string }>(
      sql`select encode(hash, 'hex') as id from restricted.sessions
          where user_id = ${victim.id}::uuid`,
    );
    const answer = await person.submit(`${url}/sessioner/${session?.id}/avsluta`, {}, url);
    expect(answer.statusCode).toBe(404);
    expect(await isIn(victim)).toBe(true);
  });

  test('all others end, or all', async () => {
    const person = await logIn(installation, 'lasare');
    const stranger = await logIn(installation, 'lasare');
    const two = [await again(person), await again(person)];
    await person.submit(`${url}/sessioner/andra`, {}, url);
    expect([await isIn(person), ...(await Promise.all(two.map(isIn)))]).toEqual([
      true,
      false,
      false,
    ]);
    const third = await again(person);
    const everywhere = await person.submit(`${url}/sessioner/alla`, {}, url);
    expect(everywhere.headers.location).toBe('/logga-in');
    expect([await isIn(person), await isIn(third), await isIn(stranger)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('nothing here is done without the form of the session', async () => {
    const person = await logIn(installation, 'lasare');
    for (const path of ['', '/losenord', '/sessioner/andra', '/sessioner/alla']) {
      expect((await person.post(url + path, { name: 'X' })).statusCode).toBe(403);
    }
    expect(await isIn(person)).toBe(true);
  });
});
