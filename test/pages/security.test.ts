/** What hostile senders try on the pages as such, whatever page it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '#src/config/config.ts';
import { findLogins } from '#src/db/logins.ts';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { closeConnections, createConnections } from '#src/http/connections.ts';
import { createSetupToken } from '#src/installation/setup/token.ts';
import { systemClock } from '#src/lib/clock.ts';
import { readFields, readSentFields } from '#src/pages/form-fields.ts';
import { email } from '#src/pages/inputs.ts';
import { buildApp } from '#src/process/app.ts';
import { createLogger } from '#src/process/logger.ts';
import { expectCheap } from '../support/cost.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { type LoggedIn, logIn, PASSWORD, tokensOf, visit } from '../support/person.ts';

let installation: Installation;
let owner: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  owner = await logIn(installation, 'agare');
});
afterAll(() => installation.close());

const plain = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

describe('a form that is made to cost', () => {
  test('holds no more rows than a form can have, however many lists it names', async () => {
    await expectCheap(1_000, () => {
      const pairs = Array.from({ length: 10_000 }, (_, n): [string, string] => [
        `a${n}[9999].b`,
        'x',
      ]);
      const lists = Object.values(readFields(pairs)) as unknown[][];
      expect(lists.reduce((sum, rows) => sum + rows.length, 0)).toBeLessThanOrEqual(1_000);
      expect(() => readSentFields(pairs)).toThrow('rymmer högst 1\u00a0000 rader');
      const far = pairs.map((_, n): [string, string] => [`rows[9999].p${n}`, 'x']);
      expect(readFields(far)).toEqual({});
      expect(() => readSentFields(far)).toThrow('gå tillbaka');
    });
  });

  test('costs its sender for every row that it costs the page', () => {
    const skipping = (step: number): [string, string][] =>
      Array.from({ length: 40 }, (_, n) => [`rows[${(n + 1) * step}].a`, '1']);
    // 480 bytes for a page of 800 rows.
    expect(() => readSentFields(skipping(20))).toThrow('rader');
    expect(readSentFields(skipping(2))).toMatchObject({ rows: { length: 81 } });
  });

  test.each([
    'rows[1e9].a',
    'rows[-1].a',
    'rows[0x10].a',
    'rows[99999].a',
    'rows[0].a.b.c',
    'rows[]',
  ])('has no place called %s', (name) => expect(readSentFields([[name, 'x']])).toEqual({}));

  test.each([
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    '__proto__[0].a',
  ])('changes nothing by a field called %s', async (name) => {
    const fields = readSentFields([[name, 'x']]);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
    const tokens = tokensOf((await owner.get('/verifikat/ny')).body);
    for (const page of ['/verifikat/ny', '/kundfakturor/ny', '/kunder/ny']) {
      const answer = await owner.post(page, { ...tokens, [name]: 'x', [`rows[0].${name}`]: 'x' });
      expect([page, answer.statusCode]).toEqual([page, 400]);
    }
  });

  test('is refused with a sentence by every page that has rows, in no time', async () => {
    const posted = await installation.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({ description: 'Rättas inte' }),
    });
    for (const page of [
      '/verifikat/ny',
      `/verifikat/${posted.json().id}/ratta`,
      '/kundfakturor/ny',
    ]) {
      const tokens = tokensOf((await owner.get(page)).body);
      await expectCheap(1_000, async () => {
        const answer = await owner.post(page, {
          ...tokens,
          'rows[9999].account': '1',
          wish: 'more_rows',
          do: 'more',
        });
        expect([page, answer.statusCode]).toEqual([page, 413]);
        expect(answer.body).toContain('rymmer högst 1\u00a0000 rader');
        expect(answer.body.length).toBeLessThan(50_000);
      });
    }
  });

  test('is answered by whoever has not logged in too', async () => {
    const stranger = visit(installation);
    const body = Array.from({ length: 10_000 }, (_, n) => `a${n}[9999].b=`).join('&');
    await expectCheap(2_000, async () =>
      expect([403, 413]).toContain((await stranger.send('/logga-in', body)).statusCode),
    );
  });

  test('has no field whose length costs its square', async () => {
    const long = `a@${'.'.repeat(1_000_000)}@`;
    // The square would take minutes.
    await expectCheap(2_000, () => expect(email.safeParse(long).success).toBe(false));
  });

  test('keeps every row of a long voucher in its place', () => {
    const pairs = Array.from({ length: 1_000 }, (_, n): [string, string][] => [
      [`rows[${n}].account`, `${n}`],
      [`rows[${n}].debit`, '1'],
    ]).flat();
    const rows = readSentFields(pairs)['rows'] as readonly { account: string }[];
    expect(rows.map(({ account }) => account)).toEqual(rows.map((_, n) => `${n}`));
  });
});

test('a voucher of ten thousand rows from a program has pages that a person can open', async () => {
  const rows = Array.from({ length: 10_000 }, (_, n) =>
    n % 2 === 0 ? { account: 1930, debit: 1, credit: 0 } : { account: 3001, debit: 0, credit: 1 },
  );
  const posted = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({ description: 'Lång', rows }),
  });
  expect(posted.statusCode).toBe(200);
  const page = `/verifikat/${posted.json().id}`;
  const first = await owner.get(page);
  expect(first.body).toContain('Rad 1–500 av 10\u00a0000.');
  expect(first.body).toContain('5\u00a0000,00');
  const next = plain(/href="([^"]*rad(?:=|&#x3D;)[^"]*)">Nästa rader/.exec(first.body)?.[1] ?? '');
  expect((await owner.get(next)).body).toContain('Rad 501–1\u00a0000 av');
  expect((await owner.get(`${page}?rad=999999`)).body).toContain('Rad 9\u00a0501–10\u00a0000 av');
  expect((await owner.get(`${page}?rad=-1&rad=x`)).statusCode).toBe(200);
  const correction = await owner.get(`${page}/ratta`);
  expect(correction.body).toContain('Och 9\u00a0500 rader till');
  const copy = await owner.get(`/verifikat/ny?kopia=${posted.json().id}`);
  expect([copy.statusCode, copy.body.includes('ett formulär rymmer 1\u00a0000')]).toEqual([
    422,
    true,
  ]);
  for (const { body } of [first, correction, copy]) expect(body.length).toBeLessThan(400_000);
});

test('nothing that stands behind the log-in is kept in a cache, files and refusals neither', async () => {
  const posted = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(),
  });
  const page = `/verifikat/${posted.json().id}`;
  const tokens = tokensOf((await owner.get(page)).body);
  const { payload, headers } = multipartOf(tokens, [
    { name: 'files', fileName: 'kvitto.txt', bytes: 'kvitto' },
  ]);
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const sent = { ...headers, cookie, accept: 'text/html' };
  await installation.app.inject({ method: 'POST', url: `${page}/bilagor`, payload, headers: sent });
  const file =
    /href="([^"]*\/bilagor\/[0-9a-f-]{36})/.exec((await owner.get(page)).body)?.[1] ?? '';
  expect(file).not.toBe('');
  const addresses = [
    '/oversikt',
    page,
    file,
    '/handelser.csv',
    '/kundfakturor/forslag/artiklar?sok=ka',
    '/finns-inte/alls',
    '/verifikat?fran=x',
    '/logga-in',
    '/',
  ];
  for (const address of addresses) {
    const caching = String((await owner.get(address)).headers['cache-control']);
    expect([address, caching]).toEqual([address, expect.stringContaining('no-store')]);
  }
  const stranger = visit(installation);
  expect((await stranger.get('/oversikt')).headers['cache-control']).toContain('no-store');
});

describe('a place in a list that somebody has made up', () => {
  const id = '00000000-0000-0000-0000-000000000000';
  test.each([
    `/handelser?efter=${base64url(`2026-99-99 10:00:00+01|${id}`)}`,
    `/handelser?efter=${base64url(`2026-03-31 10:00:00+01|${'-'.repeat(36)}`)}`,
    `/handelser?efter=${base64url(`2026-03-31 10:00:00+99:99|${id}`)}`,
    `/kontoplan/1930?efter=${base64url('["0000-01-01","A",1,1]')}`,
    `/kunder?efter=${base64url(`["a\\u0000","${id}"]`)}`,
    `/kundfakturor?efter=2026-02-30_${id}`,
    '/verifikat?efter=2026-02-30~1~A',
  ])('is refused: %s', async (address) => {
    expect((await owner.get(address)).statusCode).toBe(400);
  });
});

test('a form whose number is none is refused or done, and never fails', async () => {
  const tokens = tokensOf((await owner.get('/mitt-konto')).body);
  const answer = await owner.post('/mitt-konto', {
    ...tokens,
    _once: '-'.repeat(36),
    name: 'Åsa',
  });
  expect(answer.statusCode).toBe(303);
});

test.each([
  ['/verifikat?sok=a%20b', '/verifikat?sok=a%20b'],
  ['//evil.example', '/oversikt'],
  ['/\\evil.example', '/oversikt'],
  ['https://evil.example', '/oversikt'],
  ['/\u20ac\u{1f4a5}', '/oversikt'],
  ['/a\r\nset-cookie: a=b', '/oversikt'],
  ['/\t/evil.example', '/oversikt'],
])('whoever logs in on the way to %j comes to %s', async (wanted, place) => {
  const visitor = visit(installation);
  const answer = await visitor.submit('/logga-in', {
    email: owner.email,
    password: PASSWORD,
    till: wanted,
  });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, place]);
});

test('a refused log-in takes as many statements for nobody as for somebody, and keeps nothing of nobody', async () => {
  const count = async () => {
    const [row] = await db(installation.owner).query<{ count: number }>(
      sql`select count(*)::integer as count from audit.events where action = 'user.login_refused'`,
    );
    return row?.count ?? 0;
  };
  const before = await count();
  const visitor = visit(installation);
  const wrong = { password: 'inte mitt lösenord' };
  const nobody = await visitor.submit('/logga-in', { ...wrong, email: 'ingen@exempel.se' });
  expect([nobody.statusCode, await count()]).toEqual([401, before]);
  const somebody = await visitor.submit('/logga-in', { ...wrong, email: owner.email });
  expect([somebody.statusCode, await count()]).toEqual([401, before + 1]);
});

test('a file with a hostile name is saved and handed out under a harmless one', async () => {
  const posted = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({ description: 'Bilagor' }),
  });
  const page = `/verifikat/${posted.json().id}`;
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const names = [
    '../../etc/passwd',
    '..\\..\\boot.ini',
    'a\u202efdp.exe',
    '<img src=x>.txt',
    '',
    '.',
  ];
  const tokens = tokensOf((await owner.get(page)).body);
  const files = names.map((fileName, n) => ({ name: 'files', fileName, bytes: `text ${n}` }));
  const { payload, headers } = multipartOf(tokens, files);
  const answer = await installation.app.inject({
    method: 'POST',
    url: `${page}/bilagor`,
    payload,
    headers: { ...headers, cookie, accept: 'text/html' },
  });
  expect(answer.statusCode).toBe(303);
  const { body } = await owner.get(page);
  const links = [...body.matchAll(/href="([^"]*\/bilagor\/[0-9a-f-]{36})/g)].map(
    (found) => found[1] ?? '',
  );
  expect(new Set(links).size).toBe(names.length);
  for (const link of new Set(links)) {
    const { headers: answered } = await owner.get(link);
    expect(answered['content-disposition']).toMatch(
      /^attachment; filename="[\w.\- ]+"; filename\*=UTF-8''[\w.%~!-]+$/,
    );
    expect(answered['content-disposition']).not.toMatch(/\.\.|%2F|%5C|%E2%80%AE/);
    expect(answered['content-security-policy']).toContain('sandbox');
    expect(answered['x-content-type-options']).toBe('nosniff');
  }
});

test('thousands of parts are refused, and nothing of them is kept', async () => {
  const page = await owner.get('/verifikat/ny');
  const fields: Record<string, string> = tokensOf(page.body);
  for (let n = 0; n < 10_100; n += 1) fields[`rows[0].p${n}`] = '';
  const { payload, headers } = multipartOf(fields, []);
  const cookie = [...owner.cookies].map((pair) => pair.join('=')).join('; ');
  const answer = await installation.app.inject({
    method: 'POST',
    url: '/verifikat/ny',
    payload,
    headers: { ...headers, cookie, accept: 'text/html' },
  });
  expect(answer.statusCode).toBe(413);
});

test('no log line holds a password, a token, a cookie or the address of the first visit', async () => {
  const empty = await createInstallation({ content: 'nothing' });
  const lines: string[] = [];
  const logger = createLogger('trace', 'test', { write: (line) => void lines.push(line) });
  const connections = createConnections(await findLogins(empty.url), 'test log');
  const config = loadConfig({});
  const app = await buildApp({ config, ...connections, clock: systemClock('UTC'), logger });
  try {
    const token = (await createSetupToken(empty.owner)) ?? '';
    const visitor = visit({ app });
    await visitor.get(`/kom-igang?nyckel=${token}`);
    await visitor.get(`/kom-igang?fran=bas&nyckel=${token.replace('A', '%41')}`);
    const secrets = [token, 'hemligt första ord', 'hemligt andra ord', 'hemligt tredje ord'];
    const [, first = '', second = '', wrong = ''] = secrets;
    const done = await visitor.submit('/kom-igang', {
      chart: 'bas',
      company: 'Loggbolaget AB',
      organizationNumber: '5567026934',
      ownerName: 'Åsa',
      email: 'asa@exempel.se',
      password: first,
      passwordAgain: first,
    });
    expect(done.statusCode).toBe(200);
    secrets.push(/svc_live_[\w-]{43}/.exec(done.body)?.[0] ?? 'no key');
    await visitor.submit('/mitt-konto/losenord', { password: wrong, next: second, again: wrong });
    await visitor.submit('/mitt-konto/losenord', { password: first, next: second, again: second });
    await visitor.submit('/logga-ut', {}, '/oversikt');
    await visitor.submit('/logga-in', { email: 'asa@exempel.se', password: wrong });
    await visitor.submit('/logga-in', { email: 'asa@exempel.se', password: second });
    expect((await visitor.get('/oversikt')).statusCode).toBe(200);
    // Whom they look for, and what they type of somebody, is nobody's who reads the log.
    await visitor.get('/kunder?sok=Kalle%20Kund&efter=850709-9805');
    const customer = { name: 'Kalle Kund'.repeat(60), email: 'kalle.kund', number: 'Kalle Kund' };
    const refused = await visitor.submit('/kunder/ny', customer);
    expect(refused.statusCode).toBe(400);
    const log = lines.join('');
    expect(log).toContain('/kunder?sok=[dolt]&efter=[dolt]');
    expect(log).not.toMatch(/Kalle.Kund|kalle\.kund|850709|exempel\.se/);
    expect(log).toContain('/kom-igang?nyckel=[dolt]');
    expect(log).toContain('/mitt-konto/losenord');
    for (const secret of [...secrets, ...visitor.cookies.values()]) {
      expect([secret, log.includes(secret)]).toEqual([secret, false]);
      expect([secret, log.includes(encodeURIComponent(secret))]).toEqual([secret, false]);
    }
  } finally {
    await app.close();
    await closeConnections(connections);
    await empty.close();
  }
});
