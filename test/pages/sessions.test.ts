/** Who is let in, for how long, and what a stranger can find out or slip past. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { logIn, PASSWORD, tokensOf, visit } from '../support/person.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation.close());

/** A page that everybody who is logged in may read. */
const PAGE = '/dimensioner';
const owner = () => db(installation.owner);

describe('logging in', () => {
  test('a page asked for by a stranger is reached after logging in', async () => {
    const { email } = await logIn(installation, 'lasare');
    const stranger = visit(installation);
    const sent = await stranger.get(`${PAGE}?a=1`);
    expect([sent.statusCode, sent.headers.location]).toEqual([
      303,
      `/logga-in?till=${encodeURIComponent(`${PAGE}?a=1`)}`,
    ]);
    const till = `${PAGE}?a=1`;
    const answer = await stranger.submit(
      '/logga-in',
      { email, password: PASSWORD, till },
      String(sent.headers.location),
    );
    expect([answer.statusCode, answer.headers.location]).toEqual([303, till]);
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/a\nb', 'x'])(
    'nobody is sent to another site: %j',
    async (till) => {
      const { email } = await logIn(installation, 'lasare');
      const answer = await visit(installation).submit('/logga-in', {
        email,
        password: PASSWORD,
        till,
      });
      expect(answer.headers.location).toBe('/oversikt');
    },
  );

  test('which addresses exist is not told', async () => {
    const { email } = await logIn(installation, 'lasare');
    const [known, unknown] = await Promise.all(
      [email, 'ingen@exempel.se'].map((address) =>
        visit(installation).submit('/logga-in', { email: address, password: 'fel lösenord' }),
      ),
    );
    const plain = (body = '') => body.replace(/value="[^"]*"/g, '');
    expect([known?.statusCode, unknown?.statusCode]).toEqual([401, 401]);
    expect(plain(known?.body)).toBe(plain(unknown?.body));
  });

  test('an account is tried ten times, existing or not, and the right password waits too', async () => {
    const { email } = await logIn(installation, 'lasare');
    for (const address of [email, 'finns-inte@exempel.se']) {
      const stranger = visit(installation);
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        const answer = await stranger.submit('/logga-in', { email: address, password: 'fel' });
        expect(answer.statusCode).toBe(401);
      }
      const answer = await stranger.submit('/logga-in', { email: address, password: PASSWORD });
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(600);
      await owner().query(sql`delete from restricted.login_windows where subject like 'address %'`);
    }
  });

  test('an address is throttled whatever accounts it tries', async () => {
    const { app } = installation;
    const stranger = visit({ app });
    const tokens = tokensOf((await stranger.get('/logga-in')).body);
    const codes: number[] = [];
    for (let attempt = 1; attempt <= 51; attempt += 1) {
      const fields = { ...tokens, email: `a${attempt}@exempel.se`, password: 'fel' };
      codes.push((await stranger.post('/logga-in', fields)).statusCode);
    }
    expect(codes.slice(-1)).toEqual([429]);
    await owner().query(sql`delete from restricted.login_windows`);
  });

  test.each([
    ['a name that is no address', { email: 'x'.repeat(5_000), password: 'y' }],
    ['a NUL', { email: 'a\0b@exempel.se', password: 'y\0' }],
    ['lists', { email: ['a', 'b'], password: ['c', 'd'] }],
    ['nothing', {}],
  ])('odd input is refused, never a fault of ours: %s', async (_, fields) => {
    const answer = await visit(installation).submit('/logga-in', fields as Record<string, string>);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    await owner().query(sql`delete from restricted.login_windows`);
  });
});

describe('a session', () => {
  test('is a new secret at each login, and the one the browser came with is dead', async () => {
    const person = await logIn(installation, 'lasare');
    const first = person.cookies.get(sessionCookie);
    const fields = { email: person.email, password: PASSWORD };
    const again = await person.submit('/logga-in', fields, PAGE);
    expect(again.statusCode).toBe(303);
    expect(person.cookies.get(sessionCookie)).not.toBe(first);
    const thief = visit(installation);
    thief.cookies.set(sessionCookie, String(first));
    expect((await thief.get(PAGE)).statusCode).toBe(303);
  });

  test('that is alive goes past the log-in, to a page of ours', async () => {
    const person = await logIn(installation, 'lasare');
    const to = async (address: string) => (await person.get(address)).headers.location;
    expect(await to('/logga-in')).toBe('/oversikt');
    expect(await to('/logga-in?till=%2Fverifikat%3Fserie%3DA')).toBe('/verifikat?serie=A');
    expect(await to('/logga-in?till=https%3A%2F%2Fnagon.example%2F')).toBe('/oversikt');
  });

  test('that somebody planted is not taken over', async () => {
    const planted = 'p'.repeat(43);
    const { email } = await logIn(installation, 'lasare');
    const victim = visit(installation);
    victim.cookies.set(sessionCookie, planted);
    await victim.submit('/logga-in', { email, password: PASSWORD });
    expect(victim.cookies.get(sessionCookie)).not.toBe(planted);
    const thief = visit(installation);
    thief.cookies.set(sessionCookie, planted);
    expect((await thief.get(PAGE)).headers.location).toContain('/logga-in');
  });

  test('is not ended by a look into, or a log-in to, another installation at another port of the host', async () => {
    const person = await logIn(installation, 'lasare');
    const host = 'localhost:4001';
    const looked = await person.get(PAGE, { host });
    expect(looked.headers.location).toContain('/logga-in');
    const page = await person.get('/logga-in', { host });
    const answer = await installation.app.inject({
      method: 'POST',
      url: '/logga-in',
      headers: {
        host,
        accept: 'text/html',
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({
        ...tokensOf(page.body),
        email: person.email,
        password: PASSWORD,
      }).toString(),
    });
    const own = answer.cookies.find(({ name }) => name === `${sessionCookie}-4001`);
    expect([answer.statusCode, own]).toEqual([303, expect.anything()]);
    person.cookies.set(`${sessionCookie}-4001`, String(own?.value));
    expect((await person.get(PAGE, { host })).statusCode).toBe(200);
    expect((await person.get(PAGE)).statusCode).toBe(200);
  });

  test('lives in a cookie that scripts, other sites and plain HTTP do not get', async () => {
    const { email } = await logIn(installation, 'lasare');
    const answer = await visit(installation).submit('/logga-in', { email, password: PASSWORD });
    const cookie = answer.cookies.find(({ name }) => name === sessionCookie);
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax', path: '/' });
    expect(cookie).not.toHaveProperty('domain');
  });

  test.each([
    ['unused for two hours', sql`last_seen_at = now() - interval '121 minutes'`],
    [
      'twelve hours old',
      sql`created_at = now() - interval '12 hours 1 minute', last_seen_at = now()`,
    ],
  ])('%s opens nothing', async (_, change) => {
    const person = await logIn(installation, 'lasare');
    const presented = hashOfSecret(String(person.cookies.get(sessionCookie)));
    await owner().query(
      sql`update restricted.sessions set ${change} where hash = sha256(${presented})`,
    );
    expect((await person.get(PAGE)).headers.location).toContain('/logga-in');
  });

  test('ends with logging out, also for whoever copied it', async () => {
    const person = await logIn(installation, 'lasare');
    const copy = visit(installation);
    for (const [name, value] of person.cookies) copy.cookies.set(name, value);
    expect((await person.submit('/logga-ut', {}, PAGE)).headers.location).toBe('/logga-in');
    expect((await copy.get(PAGE)).statusCode).toBe(303);
  });

  test('ends at once when the user may no longer log in', async () => {
    const person = await logIn(installation, 'lasare');
    expect((await person.get(PAGE)).statusCode).toBe(200);
    await owner().query(
      sql`update restricted.users set deactivated_at = now() where id = ${person.id}::uuid`,
    );
    expect((await person.get(PAGE)).statusCode).toBe(303);
  });

  test('is never in the database in the clear', async () => {
    const person = await logIn(installation, 'lasare');
    const secret = String(person.cookies.get(sessionCookie));
    const [row] = await owner().query<{ text: string }>(
      sql`select string_agg(s::text, ' ') as text from restricted.sessions s`,
    );
    expect(row?.text).not.toContain(secret);
    expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'));
    // Nor what presents it to the database.
    expect(row?.text).not.toContain(hashOfSecret(secret).toString('hex'));
  });
});

describe('a form', () => {
  const form = '/dimensioner/ny';
  const fields = { kind: 'project', code: 'X', name: 'Y' };

  test('without its token is refused, and nothing is done', async () => {
    const person = await logIn(installation, 'medarbetare');
    const answer = await person.post(form, fields);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('Formuläret hör till en annan inloggning');
  });

  test('with the token of another session is refused', async () => {
    const [one, other] = [await logIn(installation, 'agare'), await logIn(installation, 'agare')];
    const tokens = tokensOf((await other.get(form)).body);
    expect((await one.post(form, { ...tokens, ...fields })).statusCode).toBe(403);
  });

  test('that another site sent is refused, even with the token', async () => {
    const person = await logIn(installation, 'medarbetare');
    const tokens = tokensOf((await person.get(form)).body);
    const answer = await installation.app.inject({
      method: 'POST',
      url: form,
      headers: {
        accept: 'text/html',
        cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
      payload: new URLSearchParams({ ...tokens, ...fields }).toString(),
    });
    expect(answer.statusCode).toBe(403);
  });

  test('answered by one person cannot be looked up by another', async () => {
    const [one, other] = [await logIn(installation, 'agare'), await logIn(installation, 'agare')];
    const once = tokensOf((await one.get(form)).body)['_once'] ?? '';
    const first = await one.submit(form, { ...fields, code: 'Z1', _once: once });
    expect(first.statusCode).toBe(303);
    const second = await other.submit(form, { ...fields, code: 'Z2', _once: once });
    expect(second.statusCode).toBe(403);
  });
});

test('every page keeps scripts, frames and guesses about types out', async () => {
  const person = await logIn(installation, 'lasare');
  for (const url of [PAGE, '/logga-in', '/finns-inte', '/']) {
    const { headers } = await person.get(url);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('same-origin');
  }
});

test('pages over TLS tell the browser to stay there', async () => {
  const tls = await createInstallation({ env: { TRUST_PROXY: '127.0.0.1' } });
  try {
    const { headers } = await tls.app.inject({
      url: '/logga-in',
      headers: { accept: 'text/html', 'x-forwarded-proto': 'https' },
    });
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
  } finally {
    await tls.close();
  }
});

test('whoever opens a page over http from another computer is told to use https, on a page that looks like one', async () => {
  const remoteAddress = '192.0.2.1';
  const answer = await installation.app.inject({
    url: '/logga-in',
    remoteAddress,
    headers: { accept: 'text/html' },
  });
  expect(answer.statusCode).toBe(403);
  expect(answer.body).toContain('<h1>Öppna sidan med https</h1>');
  expect(answer.body).not.toContain('nyckel');
  // It would lead here again.
  expect(answer.body).not.toContain('Till startsidan');
  const files = [...answer.body.matchAll(/(?:href|src)="(\/public\/[^"]+)"/g)].map(
    ([, url]) => url,
  );
  expect(files.length).toBeGreaterThan(1);
  for (const url of files) {
    const file = await installation.app.inject({ url: url ?? '', remoteAddress });
    expect([url, file.statusCode]).toEqual([url, 200]);
  }
});

test('an error is a page for a person and the error body for a program', async () => {
  const person = await logIn(installation, 'lasare');
  const page = await person.get('/dimensioner/ny');
  expect(page.statusCode).toBe(403);
  expect(page.body).toContain('be en medarbetare');
  expect(page.body).toContain(String(page.headers['x-request-id']));
  const program = await installation.app.inject({ url: PAGE });
  expect([program.statusCode, program.json().error]).toEqual([401, 'unauthorized']);
});
