/** What somebody had typed when their session ended: it comes back after the login, and nothing else does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, PASSWORD, tokensOf } from '../support/person.ts';

const form = '/dimensioner/ny';
const evil = '"><script>alert(1)</script></textarea>';
// Longer than what comes by chance in a token.
const typed = { kind: 'project', code: 'PROV-9', name: evil };

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.close());

const endSession = ({ id }: LoggedIn) =>
  db(installation.owner).query(sql`delete from restricted.sessions where user_id = ${id}::uuid`);
const countDimensions = async () =>
  (await db(installation.owner).query(sql`select from ledger.dimensions`)).length;
const fromOurPage = { 'sec-fetch-site': 'same-origin' };
const hiddenOf = (html: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

/** The login page that a form sent too late is answered with. */
async function sendTooLate(person: LoggedIn, url: string, fields: Record<string, string>) {
  const tokens = tokensOf((await person.get(url)).body);
  await endSession(person);
  return person.post(url, { ...tokens, ...fields });
}

const logInWith = (person: LoggedIn, page: string, kept: Record<string, string>) =>
  person.post('/logga-in', {
    ...tokensOf(page),
    email: person.email,
    password: PASSWORD,
    ...kept,
  });

describe('a form sent after the session ended', () => {
  test('is answered with the login, and comes back with every word; nothing is done by itself', async () => {
    const person = await logIn(installation, 'medarbetare');
    const before = await countDimensions();
    const late = await sendTooLate(person, form, typed);
    expect(late.statusCode).toBe(401);
    expect(late.body).toContain('Det du skrev finns kvar');
    expect(late.headers['content-security-policy']).toContain("default-src 'none'");
    expect(late.headers['cache-control']).toContain('no-store');
    expect(late.body).not.toContain('<script>alert');
    const kept = {
      keptUrl: hiddenOf(late.body, 'keptUrl'),
      keptPairs: hiddenOf(late.body, 'keptPairs'),
    };
    expect(kept.keptUrl).toBe(form);
    const back = await logInWith(person, late.body, kept);
    expect(back.statusCode).toBe(200);
    expect(back.body).not.toContain('<script>alert');
    expect(back.body).toContain(`action="${form}"`);

    const shown = await person.post(form, { ...tokensOf(back.body), ...typed, fortsatt: '1' });
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('value="PROV-9"');
    expect(shown.body).toContain('inget är sparat än');
    expect(shown.body).not.toContain('<script>alert');
    expect(await countDimensions()).toBe(before);
    const done = await person.post(form, { ...tokensOf(shown.body), ...typed });
    expect(done.statusCode).toBe(303);
    expect(await countDimensions()).toBe(before + 1);
  });

  test('comes back too when the browser has forgotten the session, as after a logout in another tab', async () => {
    const person = await logIn(installation, 'medarbetare');
    const tokens = tokensOf((await person.get(form)).body);
    const late = await installation.app.inject({
      method: 'POST',
      url: form,
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        ...fromOurPage,
      },
      payload: new URLSearchParams({ ...tokens, ...typed }).toString(),
    });
    expect(late.statusCode).toBe(401);
    expect(hiddenOf(late.body, 'keptUrl')).toBe(form);
    expect(hiddenOf(late.body, 'keptPairs')).toContain('PROV-9');
  });

  test('by somebody who may no longer do it leads to a refusal', async () => {
    const person = await logIn(installation, 'medarbetare');
    const late = await sendTooLate(person, form, typed);
    const keptPairs = hiddenOf(late.body, 'keptPairs');
    await db(installation.owner).query(
      sql`update restricted.users set role = 'lasare' where id = ${person.id}::uuid`,
    );
    const back = await logInWith(person, late.body, { keptUrl: form, keptPairs });
    const shown = await person.post(form, { ...tokensOf(back.body), ...typed, fortsatt: '1' });
    expect(shown.statusCode).toBe(403);
  });

  test('comes back to whoever has got a new password meanwhile, once they have chosen their own', async () => {
    const person = await logIn(installation, 'medarbetare');
    const late = await sendTooLate(person, form, typed);
    const kept = { keptUrl: form, keptPairs: hiddenOf(late.body, 'keptPairs') };
    await db(installation.owner).query(
      sql`update restricted.users set password_is_temporary = true, password_expires_at = 'infinity' where id = ${person.id}::uuid`,
    );
    const back = await logInWith(person, late.body, kept);
    const asked = await person.post(form, { ...tokensOf(back.body), ...typed, fortsatt: '1' });
    expect(asked.body).toContain('Välj ett eget lösenord');
    expect(asked.body).toContain('Det du skrev finns kvar');
    const chosen = 'sju gröna kullar';
    const carried = { keptUrl: form, keptPairs: hiddenOf(asked.body, 'keptPairs') };
    const choose = (page: string, password: string) =>
      person.post('/mitt-konto/losenord', {
        ...tokensOf(page),
        ...carried,
        password,
        next: chosen,
        again: chosen,
      });
    const wrong = await choose(asked.body, 'fel');
    expect([wrong.statusCode, hiddenOf(wrong.body, 'keptPairs')]).toEqual([422, carried.keptPairs]);
    const done = await choose(wrong.body, PASSWORD);
    expect(done.body).toContain(`action="${form}"`);
    const shown = await person.post(form, { ...tokensOf(done.body), ...typed, fortsatt: '1' });
    expect(shown.body).toContain('value="PROV-9"');
  });

  test('with a password in it is not kept', async () => {
    const person = await logIn(installation, 'medarbetare');
    const late = await sendTooLate(person, '/mitt-konto/losenord', {
      password: PASSWORD,
      next: 'något nytt och långt',
      again: 'något nytt och långt',
    });
    expect(late.statusCode).toBe(303);
    expect(late.headers.location).toBe('/logga-in');
    expect((await person.get('/logga-in')).body).toContain('så inget gjordes');
  });

  test('and longer than a form can carry is not kept, and that is said', async () => {
    const person = await logIn(installation, 'medarbetare');
    const late = await sendTooLate(person, form, { ...typed, name: 'x'.repeat(300_000) });
    expect([late.statusCode, late.headers.location]).toEqual([303, '/logga-in']);
    expect((await person.get('/logga-in')).body).toContain('så inget gjordes');
  });
});

describe('what is carried', () => {
  test.each([
    ['another site', '//evil.example/x', '[]'],
    ['another site in full', 'https://evil.example/x', '[]'],
    ['a script', 'javascript:alert(1)', '[]'],
    ['no JSON', form, '{'],
    ['no pairs', form, '[["a",{"b":1}]]'],
    ['no list', form, '{"a":"b"}'],
  ])('is nothing of ours: %s', async (_, keptUrl, keptPairs) => {
    const person = await logIn(installation, 'lasare');
    await person.submit('/logga-ut', {}, '/dimensioner');
    const page = await person.get('/logga-in');
    const answer = await logInWith(person, page.body, { keptUrl, keptPairs });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/oversikt']);
  });

  test('never the tokens of the form it was', async () => {
    const person = await logIn(installation, 'medarbetare');
    const tokens = tokensOf((await person.get(form)).body);
    const late = await sendTooLate(person, form, typed);
    const keptPairs = hiddenOf(late.body, 'keptPairs');
    expect(keptPairs).toContain('PROV-9');
    expect(keptPairs).not.toMatch(/_csrf|_once/);
    for (const token of Object.values(tokens)) expect(late.body).not.toContain(token);
  });
});

describe('a form that is shown again', () => {
  test.each([
    ['/mitt-konto/sprak', '/mitt-konto', { language: 'en' }, 'Test agare'],
    ['/mitt-konto', '/mitt-konto', { name: 'Ny' }, '<option value="sv" selected>'],
  ])('of %s leaves the others on its page as they are stored', async (url, page, fields, stays) => {
    const person = await logIn(installation, 'agare');
    const tokens = tokensOf((await person.get(page)).body);
    const shown = await person.post(url, { ...tokens, ...fields, fortsatt: '1' });
    expect([shown.statusCode, shown.body]).toEqual([200, expect.stringContaining(stays)]);
  });

  test('of a filed VAT period leaves the day and the way of filing as they were', async () => {
    const person = await logIn(installation, 'medarbetare');
    const page = '/moms/2026-03-31';
    const tokens = tokensOf((await person.get(page)).body);
    const shown = await person.post(`${page}/omforing`, { ...tokens, fortsatt: '1' });
    const boxes = (html: string) => html.match(/<input[^>]*name="(way|on)"[^>]*>/g);
    expect(boxes(shown.body)).not.toBeNull();
    expect(boxes(shown.body)).toEqual(boxes((await person.get(page)).body));
  });
});

describe('a form of an earlier login', () => {
  const sendOld = async (headers: Record<string, string>) => {
    const person = await logIn(installation, 'medarbetare');
    const old = await logIn(installation, 'medarbetare');
    const tokens = tokensOf((await old.get(form)).body);
    const before = await countDimensions();
    const answer = await installation.app.inject({
      method: 'POST',
      url: form,
      headers: {
        accept: 'text/html',
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      payload: new URLSearchParams({ ...tokens, ...typed }).toString(),
    });
    expect(await countDimensions()).toBe(before);
    return answer;
  };

  test('that our own page sent is shown again, and not done', async () => {
    const answer = await sendOld(fromOurPage);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('value="PROV-9"');
    expect(answer.body).toContain('inget är sparat än');
  });

  test.each(['cross-site', 'same-site', 'none'])('is refused when it came %s', async (site) => {
    const answer = await sendOld({ 'sec-fetch-site': site });
    expect(answer.statusCode).toBe(403);
    expect(answer.body).not.toContain('PROV-9');
  });
});
