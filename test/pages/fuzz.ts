/**
 * Odd values in every filter of every page and in every field of every form of an installation that has some of everything: nothing
 * that an owner's browser can send is more than a page can say no to.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { roleUrl } from '#src/db/logins.ts';
import { connect, db } from '#src/db/pool.ts';
import { roles } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { AnySql } from '../support/any-sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { type Crawled, crawl } from './crawl.ts';
import { fill } from './some-of-everything.ts';

const SEED = 20261120;
const SLOWEST_MS = 10_000;

let installation: Installation;
let person: LoggedIn;
let addresses: Crawled['addresses'];
let forms: Crawled['forms'];

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1',
    '1e308',
    'NaN',
    '-0',
    '99999999999999999999',
    '9999999999999,99',
    '1,00001',
    '2147483648',
    '9223372036854775808',
    '\u221212',
    '0001-01-01',
    '9999-12-31',
    '10000-01-01',
    '2026-02-30',
    '2026-13',
    '0000-00',
    '2026',
    '%',
    '_',
    '\\',
    "'",
    '"',
    "'; drop table ledger.vouchers; --",
    '<script>alert(1)</script>',
    '{{constructor}}',
    '=cmd|calc',
    '\u0000',
    '\u202e\u2066x',
    '\ud800',
    '../../etc/passwd',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '\r\nset-cookie: a=b',
    '/\u20ac\u{1f4a5}',
    'null',
    'undefined',
    '[object Object]',
    '__proto__',
    'a'.repeat(5000),
    '& | ! :*',
    '00000000-0000-0000-0000-000000000000',
    'f'.repeat(64),
    '..',
    'eyJpZCI6MX0',
    'eyJkYXRlIjoiOTk5OTk5LTAxIn0',
    Buffer.from('["x","y"]').toString('base64url'),
    Buffer.from('9999-99-99,1,2').toString('base64url'),
    '2026-03-31~1~x',
    '2026-03-31_00000000-0000-0000-0000-000000000000',
    'on',
    'true',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.nat().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.uuid(),
);
const strangeNames = [
  '__proto__',
  'constructor',
  'toString',
  'rows[9999].account',
  'rows[0].__proto__',
  'rows',
  'rows[0]',
  'a[0].b',
  'q',
  'efter',
  'till',
  'fran',
  '_once',
  'files',
];

/** Values under the names of a page, some of them several times, and some names that no page has. */
const pairsFor = (names: readonly string[]): fc.Arbitrary<[string, string][]> =>
  fc.array(
    fc.tuple(
      names.length === 0
        ? fc.constantFrom(...strangeNames)
        : fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(...names) },
            { weight: 1, arbitrary: fc.constantFrom(...strangeNames) },
          ),
      odd,
    ),
    { minLength: 1, maxLength: Math.max(3, names.length) },
  );

const encode = (pairs: readonly (readonly [string, string])[]): string =>
  pairs
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&');

const sampleOf = (pairs: fc.Arbitrary<[string, string][]>, numRuns: number) =>
  fc.sample(pairs, { seed: SEED, numRuns });

async function fuzz(
  samples: readonly [string, string][][],
  call: (
    sent: readonly [string, string][],
    nth: number,
  ) => Promise<{ statusCode: number; body: string }>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [nth, sample] of samples.entries()) {
    const from = performance.now();
    const { statusCode, body } = await call(sample, nth);
    const ms = performance.now() - from;
    const isTold =
      statusCode < 500 && !/at .*\.ts:\d|node:internal|syntax error at|relation "/.test(body);
    if (!isTold || ms > SLOWEST_MS) {
      faults.push(`${statusCode} after ${Math.round(ms)} ms: ${JSON.stringify(sample)}`);
    }
  }
  return faults;
}

/** A place in a list as somebody would change them who knows how they are made. */
function twist([name, value]: readonly [string, string]): [string, string][] {
  const inside = Buffer.from(value, 'base64url').toString('latin1');
  const changes = [/\d/g, /[0-9a-f](?=[0-9a-f-]*$)/g, /-\d\d/g, /[^|~_,]/g].flatMap((part) => [
    (text: string) => text.replace(part, '9'),
    (text: string) => text.replace(part, '-'),
    (text: string) => text.replace(part, '0'),
  ]);
  return changes.flatMap((change): [string, string][] => [
    [name, change(value)],
    [name, Buffer.from(change(inside), 'latin1').toString('base64url')],
  ]);
}

/** So many tries for each address and for each form. */
export function testFuzzing(triesPerAddress: number, triesPerForm: number): void {
  beforeAll(async () => {
    installation = await createInstallation({ workers: true });
    await fill(installation);
    person = await logIn(installation, 'agare');
    await logIn(installation, 'lasare');
    ({ addresses, forms } = await crawl(person));
  });
  afterAll(() => installation.close());

  test('the crawl has found the pages and forms there are', () => {
    expect(addresses.size).toBeGreaterThan(100);
    expect(forms.length).toBeGreaterThan(40);
  });

  test('no query makes a page fail', async () => {
    const faults: string[] = [];
    const standing = new Map<string, Map<string, string>>();
    const note = (address: string, pairs: Iterable<readonly [string, string]>) => {
      const path = address.split('?', 1)[0] ?? '';
      standing.set(path, new Map([...(standing.get(path) ?? []), ...pairs]));
    };
    for (const address of addresses) {
      note(address, new URLSearchParams(address.split('?', 2)[1] ?? ''));
    }
    for (const { action, isGet, values } of forms) if (isGet) note(action, values);
    for (const [path, values] of standing) {
      if (path.endsWith('/pdf')) continue;
      const sampled = sampleOf(pairsFor([...values.keys()]), triesPerAddress);
      const places = [...values]
        .filter(([name]) => ['efter', 'fore'].includes(name))
        .flatMap(twist);
      const found = await fuzz([...sampled, ...places.map((pair) => [pair])], (sent) =>
        person.get(`${path}?${encode(sent)}`),
      );
      faults.push(...found.map((fault) => `${path} ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test('no form makes the server fail', async () => {
    const faults: string[] = [];
    for (const { action, page, isGet, values } of forms) {
      if (isGet) continue;
      const names = [...values.keys()].filter((name) => name !== '_csrf' && name !== '_once');
      const found = await fuzz(sampleOf(pairsFor(names), triesPerForm), async (sent, nth) => {
        let html = (await person.get(page)).body;
        if (!html.includes('name="_csrf"')) {
          person = await logIn(installation, 'agare');
          html = (await person.get(page)).body;
        }
        // Half of them are what a person means, save in a place or two.
        const kept =
          nth % 2 === 0 ? [] : names.filter((name) => sent.every(([one]) => one !== name));
        const odd = kept.length === 0 ? sent : sent.slice(0, 2);
        const filled = kept.map((name) => [name, values.get(name) ?? ''] as const);
        return person.send(action, encode([...odd, ...filled, ...Object.entries(tokensOf(html))]));
      });
      faults.push(...found.map((fault) => `${action} ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  test('no SQL of any login breaks anything inside, the books, or a page of somebody else', async () => {
    const staff = await logIn(installation, 'medarbetare');
    const session = hashOfSecret(String(staff.cookies.get(sessionCookie))).toString('hex');
    const key = hashOfSecret(installation.key).toString('hex');
    const entriesDue = (table: string, row: object) =>
      db(installation.owner).query<{ action: string; subject: string }>(
        sql`select action, subject from audit.entries_due(${table}, null, ${JSON.stringify(row)}::jsonb)`,
      );
    const faults: string[] = [];
    let done = 0;
    for (const [nth, role] of roles.entries()) {
      const client = await connect(await roleUrl(installation.url, role), 'attacker');
      await client.query(`set statement_timeout = '10s'; set huvudbok.session = '${session}';
      set huvudbok.credential = '${key}'`);
      const attacker = new AnySql(client, key, entriesDue, SEED + nth);
      await attacker.callFunctions(3);
      await attacker.writeColumns(2);
      await attacker.addRows(8);
      faults.push(...attacker.faults.map((fault) => `${role} ${fault}`));
      done += attacker.done;
      await client.end();
    }
    expect(faults).toEqual([]);
    expect(done).toBeGreaterThan(300);
    expect((await verifyBooks(db(installation.owner), () => undefined)).problems).toEqual([]);
    person = await logIn(installation, 'agare');
    const fallen: string[] = [];
    for (const address of addresses) {
      if (/\/(pdf|zip)$|format=pdf/.test(address)) continue;
      const { statusCode } = await person.get(address);
      if (statusCode >= 500) fallen.push(`${statusCode} ${address}`);
    }
    expect(fallen).toEqual([]);
  });
}
