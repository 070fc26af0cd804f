/**
 * Odd values in every filter of every page and in every field of every form of an installation that has some of everything: nothing
 * that an owner's browser can send is more than a page can say no to.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { recordEvent } from '#src/audit/store.ts';
import { withTx } from '#src/db/pool.ts';
import { createEndpoint, queueTest } from '#src/events/webhooks/service.ts';
import { addAttachment } from '#src/ledger/attachments/service.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { createArticle } from '#src/sales/articles/store.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { ledgerVoucher, post, row } from '../database/books.ts';
import { eInvoice } from '../support/e-invoice.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { testKeyring } from '../support/secrets.ts';

const SEED = 20261120;
const TRIES_PER_ADDRESS = 6;
const TRIES_PER_FORM = 4;
const SLOWEST_MS = 3_000;

let installation: Installation;
let person: LoggedIn;
const addresses = new Set<string>();
const forms = new Map<string, SeenForm>();

interface SeenForm {
  readonly action: string;
  readonly page: string;
  readonly isGet: boolean;
  readonly values: ReadonlyMap<string, string>;
}

beforeAll(async () => {
  installation = await createInstallation({ workers: true });
  await fill(installation);
  person = await logIn(installation, 'agare');
  await logIn(installation, 'lasare');
  await crawl();
}, 60_000);
afterAll(() => installation.close());

/** Something of everything that has a page, and more vouchers than a page of their list holds. */
async function fill({ owner, call }: Installation): Promise<void> {
  await withTx(owner, async (tx) => {
    for (let n = 0; n < 60; n += 1) {
      await insertCustomer(tx, { name: `Kund ${n}`, email: 'kund@exempel.se' });
      await recordEvent(tx, { actor: 'test', action: 'customer.created', subject: `Kund ${n}` });
    }
    await insertDimension(tx, { kind: 'project', code: 'P1', name: 'Bygget' });
    const facts = { description: 'Timme', supply: 'services', account: 3001 } as const;
    await createArticle(tx, 'K1', { ...facts, unitPriceE4: 12_000_000n, unit: 'tim' }, 'test');
    await createAgencyKey(tx, 'Byrån', 'test');
    const endpoint = { url: 'https://exempel.se/krok', types: [], description: 'Krok' };
    await queueTest(
      tx,
      (await createEndpoint(tx, endpoint, { webhookNetworks: [], keyring: testKeyring }, 'test'))
        .id,
    );
  });
  const vouchers = Array.from({ length: 120 }, (_, n) =>
    ledgerVoucher({
      date: '2026-02-01',
      description: `Många ${n}`,
      rows: [row(1930, 100 + n), row(6110, -100 - n)],
    }),
  );
  await post(owner, vouchers);
  const [voucherId = ''] = vouchers.map(({ id }) => id);
  const file = { fileName: 'kvitto.txt', bytes: Buffer.from('kvitto') };
  await withTx(owner, (tx) => addAttachment(tx, { voucherId, ...file }, 'test'));
  await makeDrafts(owner, [100n]);
  await makeInvoice(owner, [{ quantityE4: 10_000n, unitPriceE4: 10_000_000n }]);
  const send = (url: string, payload: object | string, type = 'application/json') =>
    call({ method: 'POST', url, payload, headers: { 'content-type': type } });
  for (const currency of ['SEK', 'EUR']) await send('/api/inbound/order', orderBody({ currency }));
  for (const document of [eInvoice(), '<slask>']) {
    await send('/api/inbound/peppol', document, 'application/xml');
  }
}

const kindOf = (address: string): string =>
  address
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g, ':id')
    .replace(/\d+/g, ':n')
    .replace(/=[^&]*/g, '=…');
const plain = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=').replaceAll('&quot;', '"');

/** Every kind of page that links lead to from the overview, and the forms that stand there. */
async function crawl(): Promise<void> {
  const waiting = ['/oversikt', '/kom-igang', '/logga-in', '/logga-in/kod'];
  for (const address of waiting) {
    addresses.add(address);
    // A PDF is waited for, and nobody prints here.
    if (/\/pdf$|format=pdf/.test(address)) continue;
    const { body, headers } = await person.get(address);
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    noteForms(address, body);
    for (const [, href = ''] of body.matchAll(/\s(?!\w*action)[\w-]+="(\/[^"]*)/g)) {
      const link = plain(href).replace(/#.*/, '');
      const alike = waiting.filter((one) => kindOf(one) === kindOf(link)).length;
      // A PDF is waited for, and there is no worker here to print one.
      const isLeftOut = /^\/(public|docs|openapi)|\/pdf$|format=pdf/.test(link);
      if (isLeftOut || waiting.includes(link) || alike >= ofEachKind) continue;
      waiting.push(link);
    }
  }
}

const ofEachKind = 3;

function noteForms(page: string, html: string): void {
  for (const [, attributes = '', inside = ''] of html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)) {
    const isGet = !/method="post"/i.test(attributes);
    const action = plain(/action="([^"]*)"/.exec(attributes)?.[1] ?? page);
    const known = `${isGet ? 'GET' : 'POST'} ${kindOf(action)} ${kindOf(page)}`;
    // Logging out ends the test's own session.
    if (!forms.has(known) && action !== '/logga-ut') {
      forms.set(known, { action, page, isGet, values: filledIn(inside) });
    }
  }
}

/** What a person would leave in the fields: what stands there, else something that fits. */
function filledIn(html: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [tag, name = ''] of html.matchAll(
    /<(?:input|select|textarea|button)[^>]*\sname="([^"]+)"[^>]*>/g,
  )) {
    const standing = plain(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '');
    if (!values.has(name) || tag.includes(' checked'))
      values.set(plain(name), standing || fitting(name));
  }
  return values;
}

const fittings: readonly [RegExp, string][] = [
  [/date|start|expires/i, '2026-10-15'],
  [/^end$/, '2027-12-31'],
  [/0\]\.(debit|unitPrice)|1\]\.credit|amount|percent/i, '125,50'],
  [/[01]\]\.account/, '1930'],
  [/0\]\.quantity/, '2'],
  [/0\]\.vatRate/, '25'],
  [/email/i, 'nagon@exempel.se'],
  [/organizationNumber/, '5560360793'],
  [/url/, 'https://exempel.se/krok'],
  [/number|quota|year|terms/i, '30'],
  [/role/, 'lasare'],
  [/supply/, 'goods'],
  [/series/i, 'A'],
  [/debit|credit|note|cost_center|project|vat|Rate/, ''],
];
const fitting = (name: string): string =>
  fittings.find(([form]) => form.test(name))?.[1] ?? 'Något';

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

test('the crawl has found the pages and forms there are', () => {
  expect(addresses.size).toBeGreaterThan(100);
  expect(forms.size).toBeGreaterThan(40);
});

test('no query makes a page fail', { timeout: 120_000 }, async () => {
  const faults: string[] = [];
  const standing = new Map<string, Map<string, string>>();
  const note = (address: string, pairs: Iterable<readonly [string, string]>) => {
    const path = address.split('?', 1)[0] ?? '';
    standing.set(path, new Map([...(standing.get(path) ?? []), ...pairs]));
  };
  for (const address of addresses) {
    note(address, new URLSearchParams(address.split('?', 2)[1] ?? ''));
  }
  for (const { action, isGet, values } of forms.values()) if (isGet) note(action, values);
  for (const [path, values] of standing) {
    if (path.endsWith('/pdf')) continue;
    const sampled = sampleOf(pairsFor([...values.keys()]), TRIES_PER_ADDRESS);
    const places = [...values].filter(([name]) => ['efter', 'fore'].includes(name)).flatMap(twist);
    const found = await fuzz([...sampled, ...places.map((pair) => [pair])], (sent) =>
      person.get(`${path}?${encode(sent)}`),
    );
    faults.push(...found.map((fault) => `${path} ${fault}`));
  }
  expect(faults).toEqual([]);
});

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

test('no form makes the server fail', { timeout: 120_000 }, async () => {
  const faults: string[] = [];
  for (const { action, page, isGet, values } of forms.values()) {
    if (isGet) continue;
    const names = [...values.keys()].filter((name) => name !== '_csrf' && name !== '_once');
    const found = await fuzz(sampleOf(pairsFor(names), TRIES_PER_FORM), async (sent, nth) => {
      let html = (await person.get(page)).body;
      if (!html.includes('name="_csrf"')) {
        person = await logIn(installation, 'agare');
        html = (await person.get(page)).body;
      }
      // Half of them are what a person means, save in a place or two.
      const kept = nth % 2 === 0 ? [] : names.filter((name) => sent.every(([one]) => one !== name));
      const odd = kept.length === 0 ? sent : sent.slice(0, 2);
      const filled = kept.map((name) => [name, values.get(name) ?? ''] as const);
      return person.send(action, encode([...odd, ...filled, ...Object.entries(tokensOf(html))]));
    });
    faults.push(...found.map((fault) => `${action} ${fault}`));
  }
  expect(faults).toEqual([]);
});
