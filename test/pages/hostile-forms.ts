/**
 * What no browser sends, in every form of every role: rows by the thousand where there is much to choose from,
 * names that come again and again, texts far too long. Each is answered, and none costs the process much: not
 * its time (of the processor, whatever else the machine does) and not a page that nobody can open.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#src/access/users/roles.ts';
import { withTx } from '#src/db/pool.ts';
import { insertDimension } from '#src/ledger/dimensions/store.ts';
import { uuid } from '#src/lib/uuid.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { type Crawled, crawl, formKind, type SeenForm } from './crawl.ts';
import { fill } from './some-of-everything.ts';

/** As many cost centres, and as many projects. */
const DIMENSIONS = 300;
const BYTES_MAX = 3_000_000;
const CPU_MAX_MS = 1_500;

let books: Installation;

type Pair = readonly [string, string];
const long = 'å𝔘\u202e\u0301'.repeat(20_000);

/** The fields that a form's rows have, as in `rows[0].account`. */
const partsOf = ({ values }: SeenForm) => [
  ...new Set([...values.keys()].flatMap((name) => /^\w+\[\d+\]\.(\w+)$/.exec(name)?.[1] ?? [])),
];
const listOf = ({ values }: SeenForm) =>
  [...values.keys()].flatMap((name) => /^(\w+)\[\d+\]/.exec(name)?.[1] ?? [])[0] ?? 'rows';
const rowsOf = (form: SeenForm, amount: number, value: (part: string) => string): Pair[] => {
  const parts = partsOf(form);
  return Array.from({ length: amount }, (_, n) =>
    (parts.length === 0 ? ['account', 'debit'] : parts).map(
      (part): Pair => [`${listOf(form)}[${n}].${part}`, value(part)],
    ),
  ).flat();
};

/** What is sent beside what a person would have left in the form, or in its place. */
const shapes: Readonly<Record<string, (form: SeenForm) => readonly Pair[]>> = {
  'a place far away': (form) => [
    [`${listOf(form)}[9999].account`, '1'],
    ['rows[9999999].account', '1'],
    ['a[1000].b', '1'],
  ],
  'a thousand rows with a fault in each': (form) => rowsOf(form, 1_000, () => 'x'),
  'a thousand empty rows': (form) => rowsOf(form, 1_000, () => ''),
  'a thousand rows that may be meant': (form) =>
    rowsOf(form, 1_000, (part) =>
      /cost|project/.test(part) ? '' : /description|note/.test(part) ? 'Rad' : '1',
    ),
  'more rows wished for, ten times': (form) => [
    ...rowsOf(form, 999, () => ''),
    ...Array.from({ length: 10 }, (): Pair => ['wish', 'more_rows']),
    ['more', '1'],
  ],
  'names again and again': ({ values }) => {
    const names = [...values.keys()];
    return names.flatMap((name) =>
      Array.from({ length: Math.floor(9_000 / names.length) }, (): Pair => [name, '1']),
    );
  },
  'names that no form has': () =>
    Array.from(
      { length: 9_000 },
      (_, n): Pair => [
        ['__proto__', 'constructor', `x${n}`, `rows[${n % 1_000}]`, `a[${n}].b[${n}].c`][n % 5] ??
          '',
        'x',
      ],
    ),
  'long texts': ({ values }) =>
    [...values.keys()].slice(0, 3).map((name): Pair => [name, long.slice(0, 100_000)]),
  'long digits': ({ values }) =>
    [...values.keys()].slice(0, 8).map((name): Pair => [name, '9'.repeat(100_000)]),
  'long addresses and marks': ({ values }) =>
    [...values.keys()]
      .slice(0, 8)
      .map(
        (name, n): Pair => [
          name,
          (['a.', '%_\\', ' ', '1 ', '@', '-'][n % 6] ?? '').repeat(50_000),
        ],
      ),
};

const encode = (pairs: readonly Pair[]): string =>
  pairs
    .map((pair) => pair.map((part) => encodeURIComponent(part.toWellFormed())).join('='))
    .join('&');

/** `isChosen` says of the nth shape whether it is tried on a form, which may have rows. */
export function testHostileForms(isChosen: (nth: number, hasRows: boolean) => boolean): void {
  beforeAll(async () => {
    books = await createInstallation({ workers: true });
    await fill(books);
    await withTx(books.owner, async (tx) => {
      for (let n = 0; n < DIMENSIONS; n += 1) {
        const name = `Något som pågår länge ${n}`;
        await insertDimension(tx, { kind: 'project', code: `PR${n}`, name });
        await insertDimension(tx, { kind: 'cost_center', code: `KS${n}`, name });
      }
    });
  });
  afterAll(() => books.close());

  // First: what the others send may lock its month.
  test('a cost centre is typed by its code where there are too many of them for every row', async () => {
    const person = await logIn(books, 'medarbetare');
    const voucher = {
      seriesCode: 'A',
      date: '2026-03-31',
      description: 'Till ett av många ställen',
      'rows[0].account': '1930',
      'rows[0].debit': '10',
      'rows[1].account': '3001',
      'rows[1].credit': '10',
      'rows[19].note': '',
    };
    const wrong = await person.submit('/verifikat/ny', {
      ...voucher,
      'rows[0].cost_center': 'KS9999',
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toMatch(
      /name="rows\[0\]\.cost_center" value="KS9999" list="codes-cost_center"/,
    );
    expect(wrong.body).toContain('id="f-rows-0-cost_center-error">Välj något av alternativen.');
    expect(wrong.body).toContain('<option value="KS7">Något som pågår länge 7</option>');
    const right = await person.submit('/verifikat/ny', {
      ...voucher,
      'rows[0].cost_center': ' ks7 ',
    });
    expect(right.statusCode).toBe(303);
    const { body } = await person.get(String(right.headers.location));
    expect(body).toContain('KS7');
  });

  /** A form costs whoever sends it the same: the first role that has it tries it. */
  const tried = new Set<string>();

  describe.each(roles)('as %s', (role) => {
    let person: LoggedIn;
    let found: Crawled;
    beforeAll(async () => {
      person = await logIn(books, role);
      found = await crawl(person, 1);
    });

    test('no form costs more than it should', async () => {
      const faults: string[] = [];
      const all = Object.entries(shapes);
      let tokens = await tokensNow();
      const untried = found.forms.filter((form) => !tried.has(formKind(form)));
      for (const [nth, form] of untried.entries()) {
        tried.add(formKind(form));
        const hasRows = partsOf(form).length > 0;
        const chosen = all.filter((_, n) => isChosen(n + nth, hasRows));
        for (const [name, shape] of chosen) {
          const given = shape(form);
          const names = new Set(given.map(([one]) => one));
          const kept = [...form.values].filter(([one]) => !names.has(one) && !/^_/.test(one));
          const from = process.cpuUsage();
          const answer = await send(form, [...given.filter(([one]) => !/^_/.test(one)), ...kept]);
          const { user, system } = process.cpuUsage(from);
          const ms = (user + system) / 1_000;
          if (answer.statusCode >= 500 || answer.body.length > BYTES_MAX || ms > CPU_MAX_MS) {
            faults.push(
              `${form.action} on ${form.page}, ${name}: ${answer.statusCode}, ${answer.body.length} bytes, ${Math.round(ms)} ms`,
            );
          }
        }
        if (!(await isLoggedIn())) {
          person = await logIn(books, role);
          tokens = await tokensNow();
        }
      }
      expect(faults).toEqual([]);
      expect(found.forms.length).toBeGreaterThan(10);
      expect(untried.length).toBeGreaterThan(0);

      function send({ action, isGet }: SeenForm, pairs: readonly Pair[]) {
        if (isGet) return person.get(`${action.split('?')[0]}?${encode(pairs).slice(0, 15_000)}`);
        return person.send(
          action,
          encode([...pairs, ['_csrf', tokens['_csrf'] ?? ''], ['_once', uuid()]]),
        );
      }
    });

    const tokensNow = async () => tokensOf((await person.get('/mitt-konto')).body);
    const isLoggedIn = async () => (await person.get('/mitt-konto')).statusCode === 200;
  });

  /** What a program has sent is shown to people, whatever it is. */
  test('no order makes a page that cannot be opened', async () => {
    const person = await logIn(books, 'lasare');
    // The forms above have revoked the first.
    const { key } = await books.makeKey();
    const wide = '"'.repeat(2_000);
    const nested = (depth: number, inside: string) =>
      '['.repeat(depth) + inside + ']'.repeat(depth);
    const row = {
      description: wide,
      quantity: 1,
      unitPrice: 1.01,
      vatRate: 25,
      articleNumber: wide,
    };
    const small = { description: 'x', quantity: 1, unitPrice: 0.01, vatRate: 25 };
    const bodies = [
      JSON.stringify(orderBody({ rows: Array.from({ length: 110 }, () => row) })),
      JSON.stringify(orderBody({ rows: Array.from({ length: 1_000 }, () => small) })),
      JSON.stringify(orderBody({ rows: Array.from({ length: 14_000 }, () => small) })),
      `${JSON.stringify(orderBody()).slice(0, -1)},"x":${nested(28, `${'1,'.repeat(45_000)}1`)}}`,
      JSON.stringify(orderBody({ externalId: wide, currency: wide, total: wide })),
      JSON.stringify(
        orderBody({ rows: Array.from({ length: 1_500 }, () => ({ [wide.slice(0, 300)]: 1 })) }),
      ),
    ];
    for (const payload of bodies) {
      await books.call({
        key,
        method: 'POST',
        url: '/api/inbound/order',
        payload,
        headers: { 'content-type': 'application/json' },
      });
    }
    const { rows } = await books.owner.query<{ id: string; size: number }>(
      'select o.id, max(octet_length(a.raw)) as size from intake.orders o join intake.order_attempts a on a.order_id = o.id group by o.id',
    );
    const costs = [];
    for (const address of ['/order', '/order?visa=alla', ...rows.map(({ id }) => `/order/${id}`)]) {
      const from = process.cpuUsage();
      const { statusCode, body } = await person.get(address);
      const { user, system } = process.cpuUsage(from);
      costs.push({ address, statusCode, bytes: body.length, ms: (user + system) / 1_000 });
    }
    expect(costs.filter(({ bytes, ms }) => bytes > 1_500_000 || ms > CPU_MAX_MS)).toEqual([]);
    expect(costs.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(Math.max(...rows.map(({ size }) => size))).toBeGreaterThan(900_000);
  });
}

export const shapeCount = Object.keys(shapes).length;
