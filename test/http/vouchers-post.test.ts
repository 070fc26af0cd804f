import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { countVouchers, type Installation, voucherBody } from '../support/installation.ts';
import { tries } from '../support/tries.ts';
import { openBooks, openSecondApp } from './books.ts';

const url = '/api/v1/verifikat';
const LIMIT = 512 * 1024;
let books: Installation;
const ids = { active: '', inactive: '', project: '' };
beforeAll(async () => {
  books = await openBooks();
  const makeDimension = async (kind: string, code: string, isActive: boolean) => {
    const id = randomUUID();
    await db(books.owner).query(sql`insert into ledger.dimensions (id, kind, code, name, is_active)
      values (${id}, ${kind}, ${code}, ${code}, ${isActive})`);
    return id;
  };
  ids.active = await makeDimension('cost_center', 'KS1', true);
  ids.inactive = await makeDimension('cost_center', 'KS2', false);
  ids.project = await makeDimension('project', 'P1', true);
  await db(books.owner).query(
    sql`update ledger.accounts set is_active = false where number = 1920`,
  );
});
afterAll(() => books.close());

interface Sending {
  readonly headers?: Record<string, string>;
  readonly key?: string;
}
const json = { 'content-type': 'application/json' };
const send = (payload: string | Buffer | object, { headers = {}, key }: Sending = {}) =>
  books.call({
    method: 'POST',
    url,
    payload,
    headers: { ...json, ...headers },
    ...(key ? { key } : {}),
  });
const text = (overrides: object = {}) => JSON.stringify(voucherBody(overrides));
const twoRows = (debit: unknown, credit: unknown) => [
  { account: 1930, debit, credit: 0 },
  { account: 3001, debit: 0, credit },
];
const debitOf = (literal: string) => text({ rows: twoRows('¤', 1) }).replace('"¤"', literal);

/** The problems of a refusal, as `path reason`. */
const problemsOf = (answer: { json(): { detail?: { problems?: object[] } } }) =>
  (answer.json().detail?.problems ?? []).map((problem) => {
    const { path, reason } = problem as { path: string; reason: string };
    return `${path} ${reason}`;
  });

/** Nothing that is refused may leave a trace. */
async function expectNothingBooked<T>(work: () => Promise<T>): Promise<T> {
  const before = await countVouchers(books.owner);
  const result = await work();
  expect(await countVouchers(books.owner)).toBe(before);
  return result;
}

describe('a body that cannot be read', () => {
  test.each([
    ['nothing at all', ''],
    ['words', 'hello'],
    ['half an object', text().slice(0, -1)],
    ['something after the object', `${text()}}`],
    ['NaN', debitOf('NaN')],
    ['Infinity', debitOf('-Infinity')],
    ['hexadecimal', debitOf('0x10')],
    ['a leading zero', debitOf('01')],
    ['a decimal comma', debitOf('1,50')],
    ['single quotes', `{'seriesCode':'A'}`],
    ['a comment', `${text()} // hej`],
    ['a trailing comma', text().replace(/}$/, ',}')],
    ['form data', 'seriesCode=A&date=2026-03-31'],
    ['XML', '<voucher/>'],
  ])('%s is refused as not JSON, by name', async (_, payload) => {
    const answer = await expectNothingBooked(() => send(payload));
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe('invalid_request');
    expect(problemsOf(answer)).toEqual(['body not_json']);
  });

  test('text in another encoding than UTF-8 is refused instead of garbled', async () => {
    const latin1 = Buffer.from(text({ description: 'Försäljning' }), 'latin1');
    const utf16 = Buffer.from(text(), 'utf16le');
    for (const payload of [latin1, utf16]) {
      const answer = await expectNothingBooked(() => send(payload));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual(['body not_json']);
    }
  });

  test('a byte order mark is read past', async () => {
    const answer = await send(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text())]),
    );
    expect(answer.statusCode).toBe(200);
  });

  test.each(['null', '17', '"text"', 'true', '[]', `[${text()}]`])(
    'JSON that is no object (%s) is refused',
    async (payload) => {
      const answer = await expectNothingBooked(() => send(payload));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual(['body wrong_type']);
    },
  );

  test('a name given twice is refused, since one of the values would be lost', async () => {
    for (const [payload, name] of [
      [text().replace('{', '{"date":"2026-01-01",'), 'date'],
      [text().replace('{', '{"d\\u0061te":"2026-01-01",'), 'date'],
      [text().replace('"debit":125', '"debit":100,"debit":125'), 'debit'],
    ] as const) {
      const answer = await expectNothingBooked(() => send(payload));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual([`${name} duplicate_name`]);
    }
  });

  test('a name that JavaScript treats by itself is an unknown field like any other', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const inBody = text().replace('{', `{"${name}":{"seriesCode":"B"},`);
      const inRow = text().replace('{"account"', `{"${name}":1,"account"`);
      for (const [payload, path] of [
        [inBody, name],
        [inRow, `rows[0].${name}`],
      ] as const) {
        const answer = await expectNothingBooked(() => send(payload));
        expect(answer.statusCode).toBe(400);
        expect(problemsOf(answer)).toEqual([`${path} unknown_field`]);
      }
    }
  });

  test('brackets and colons inside texts are no names', async () => {
    const description = 'a":1,{"a":2}\\ [x]: "date": "';
    const answer = await send(text({ description }));
    expect(answer.statusCode).toBe(200);
  });

  test('nesting without end is refused, neither crashing nor hanging', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const depth = Math.floor(LIMIT / (open.length + close.length)) - 10;
      const payload = open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
      const answer = await expectNothingBooked(() => send(payload));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual(['body too_deep']);
    }
  });
});

describe('fields of the wrong kind', () => {
  test.each<[string, object, string[]]>([
    ['no seriesCode', { seriesCode: undefined }, ['seriesCode required']],
    ['a null date', { date: null }, ['date wrong_type']],
    ['a number as description', { description: 5 }, ['description wrong_type']],
    ['an empty description', { description: '' }, ['description too_short']],
    ['a blank description', { description: ' \t\n' }, ['description too_short']],
    ['an empty series', { seriesCode: '' }, ['seriesCode too_short']],
    ['no rows', { rows: undefined }, ['rows required']],
    ['rows that are no list', { rows: {} }, ['rows wrong_type']],
    ['an empty list of rows', { rows: [] }, ['rows too_few']],
    ['a single row', { rows: twoRows(1, 1).slice(0, 1) }, ['rows too_few']],
    ['a row that is null', { rows: [null, ...twoRows(1, 1)] }, ['rows[0] wrong_type']],
    ['an impossible day', { date: '2026-02-30' }, ['date not_a_date']],
    ['29 February of a common year', { date: '2026-02-29' }, ['date not_a_date']],
    ['a date with a time', { date: '2026-03-31T00:00:00Z' }, ['date not_a_date']],
    ['a date without dashes', { date: '20260331' }, ['date not_a_date']],
    ['a date in other digits', { date: '２０２６-03-31' }, ['date not_a_date']],
    ['the year 0000', { date: '0000-01-01' }, ['date not_a_date']],
    ['an unknown field', { series: 'A' }, ['series unknown_field']],
    [
      'fields of the answer',
      { number: 7, id: randomUUID() },
      ['number unknown_field', 'id unknown_field'],
    ],
    [
      'an unknown field in a row',
      { rows: [{ account: 1930, debit: 1, credit: 0, vat: 25 }, ...twoRows(1, 2)] },
      ['rows[0].vat unknown_field'],
    ],
    ['a source in capitals', { source: 'API' }, ['source wrong_format']],
    ['a source too long', { source: 'a'.repeat(41) }, ['source wrong_format']],
    ['a source with a newline after it', { source: 'api\n' }, ['source wrong_format']],
  ])('%s is named', async (_, overrides, expected) => {
    const answer = await expectNothingBooked(() => send(text(overrides)));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toEqual(expected);
    expect(answer.json().message).toContain(expected[0]?.split(' ')[0]);
  });

  test.each<[string, object, string]>([
    ['an account as text', { account: '1930' }, 'account wrong_type'],
    ['half an account', { account: 1930.5 }, 'account wrong_type'],
    ['a negative account', { account: -1930 }, 'account too_small'],
    ['an account beyond all charts', { account: 1e12 }, 'account too_large'],
    ['an account beyond all numbers', { account: 1e300 }, 'account too_large'],
    ['an amount as text', { debit: '125' }, 'debit wrong_type'],
    ['no amount', { credit: undefined }, 'credit required'],
    ['an amount that is null', { credit: null }, 'credit wrong_type'],
    ['a negative amount', { debit: -125 }, 'debit negative'],
    ['three decimals', { debit: 125.001 }, 'debit too_many_decimals'],
    ['an amount over the limit', { debit: 10_000_000_000 }, 'debit too_large'],
    ['a note that is a number', { note: 7 }, 'note wrong_type'],
    ['a code for a dimension', { cost_center: 'KS1' }, 'cost_center wrong_format'],
  ])('in a row, %s is named with its place', async (_, change, expected) => {
    const rows = [
      { account: 3001, debit: 0, credit: 125 },
      { account: 1930, debit: 125, credit: 0 },
    ];
    const answer = await expectNothingBooked(() =>
      send(text({ rows: [rows[0], { ...rows[1], ...change }] })),
    );
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toContain(`rows[1].${expected}`);
  });

  test.each([
    ['1e400', 'rows[0].debit too_large'],
    ['-1e400', 'rows[0].debit too_large'],
    ['-0', 'rows[0].debit negative'],
    ['-0.0', 'rows[0].debit negative'],
    ['1e-7', 'rows[0].debit too_many_decimals'],
    ['0.1e-2', 'rows[0].debit too_many_decimals'],
    ['-1e-400', 'rows[0].debit negative'],
    ['9999999999.995', 'rows[0].debit too_large'],
  ])('the amount %s is refused', async (literal, expected) => {
    const answer = await expectNothingBooked(() => send(debitOf(literal)));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toEqual([expected]);
  });

  test('amounts in other spellings of the same number are read exactly', async () => {
    for (const literal of ['1.0', '1.00', '1e0', '10e-1', '0.01E2', '1.000']) {
      expect((await send(debitOf(literal))).statusCode).toBe(200);
    }
  });

  test('every fault is told at once, and of very many the first hundred', async () => {
    const several = await send(text({ seriesCode: 'ABC', date: 'x', rows: twoRows('1', -1) }));
    expect(problemsOf(several)).toEqual([
      'seriesCode too_long',
      'date not_a_date',
      'rows[0].debit wrong_type',
      'rows[1].credit negative',
    ]);
    const rows = Array.from({ length: 5_000 }, () => 1);
    const answer = await send(text({ rows }));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toHaveLength(101);
    expect(problemsOf(answer).at(-1)).toMatch(/more_problems$/);
    expect(answer.body.length).toBeLessThan(50_000);
  });
});

describe('the rules of a voucher', () => {
  test('unbalanced rows are told by how much', async () => {
    const answer = await expectNothingBooked(() => send(text({ rows: twoRows(125, 100.5) })));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toEqual(['rows unbalanced']);
    expect(answer.json().message.replaceAll('\u00a0', ' ')).toContain('24,50 kr');
  });

  test('a thousandth of rounding is never what unbalances: 0.1 + 0.2 is 0.3', async () => {
    const rows = [
      { account: 1930, debit: 0.1, credit: 0 },
      { account: 1930, debit: 0.2, credit: 0 },
      { account: 3001, debit: 0, credit: 0.3 },
    ];
    expect((await send(text({ rows }))).statusCode).toBe(200);
  });

  test('a row with both sides, and a row with none, is refused', async () => {
    const rows = [
      { account: 1930, debit: 5, credit: 5 },
      { account: 3001, debit: 0, credit: 0 },
    ];
    const answer = await expectNothingBooked(() => send(text({ rows })));
    expect(problemsOf(answer)).toEqual(['rows[0] both_sides', 'rows[1] no_amount']);
  });

  test('the largest amount is booked and read back to the öre, one öre more is refused', async () => {
    const most = 9_999_999_999.99;
    const posted = await send(text({ rows: twoRows(most, most) }));
    expect(posted.statusCode).toBe(200);
    const read = await books.call({ url: `${url}?id=${posted.json().id}` });
    expect(read.json().data[0].rows[0].debit).toBe(most);
    expect(read.body).toContain('9999999999.99');
    const over = await expectNothingBooked(() => send(text({ rows: twoRows(1e10, 1e10) })));
    expect(problemsOf(over)).toEqual(['rows[0].debit too_large', 'rows[1].credit too_large']);
  });

  test('a total over the limit is refused though each amount is within it', async () => {
    const half = 5_000_000_000;
    const rows = [...twoRows(half, half), ...twoRows(half, half)];
    const answer = await expectNothingBooked(() => send(text({ rows })));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toEqual(['rows total_too_large']);
  });

  test('reserved origins are refused one and all, others are kept', async () => {
    for (const source of [
      ...['invoice', 'payment', 'supplier_invoice', 'supplier_payment', 'order', 'reminder', 'vat'],
      ...['closing', 'opening', 'reversal', 'bank', 'import', 'app'],
    ]) {
      const answer = await expectNothingBooked(() => send(text({ source })));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual(['source reserved_source']);
    }
    for (const source of ['api', 'webshop', 'invoices', 'a_1']) {
      const posted = await send(text({ source }));
      const read = await books.call({ url: `${url}?id=${posted.json().id}` });
      expect(read.json().data[0].source).toBe(source);
    }
  });
});

describe('texts', () => {
  const fields: [string, number, (value: string) => object][] = [
    ['description', 500, (description) => ({ description })],
    ['counterparty', 200, (counterparty) => ({ counterparty })],
    ['rows[0].note', 500, (note) => ({ rows: [{ ...twoRows(1, 1)[0], note }, twoRows(1, 1)[1]] })],
  ];

  test.each(fields)(
    '%s takes %d characters, as people count them, and no more',
    async (path, max, put) => {
      for (const letter of ['x', 'å', '\u{1F9FE}']) {
        expect((await send(text(put(letter.repeat(max))))).statusCode).toBe(200);
        const over = await expectNothingBooked(() => send(text(put(letter.repeat(max + 1)))));
        expect(over.statusCode).toBe(400);
        expect(problemsOf(over)).toEqual([`${path} too_long`]);
      }
    },
  );

  test('seriesCode takes two characters and no more', async () => {
    for (const seriesCode of ['XX', '\u{1F9FE}\u{1F9FE}']) {
      expect((await send(text({ seriesCode }))).statusCode).toBe(422);
    }
    expect(problemsOf(await send(text({ seriesCode: 'AAA' })))).toEqual(['seriesCode too_long']);
  });

  const everywhere: [string, (value: string) => object][] = [
    ...fields.map(([path, , put]): [string, (value: string) => object] => [path, put]),
    ['seriesCode', (seriesCode) => ({ seriesCode })],
    ['date', (date) => ({ date })],
    ['source', (source) => ({ source })],
    [
      'rows[0].project',
      (project) => ({ rows: [{ ...twoRows(1, 1)[0], project }, twoRows(1, 1)[1]] }),
    ],
  ];
  test.each(everywhere)('NUL and half characters in %s are refused by name', async (path, put) => {
    for (const [bad, reason] of [
      ['\0', 'nul_character'],
      ['a\0', 'nul_character'],
      ['\ud83e', 'lone_surrogate'],
      ['\udffe', 'lone_surrogate'],
    ] as const) {
      const answer = await expectNothingBooked(() => send(text(put(bad))));
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual([`${path} ${reason}`]);
    }
  });

  test('NUL and half characters in a name are refused too', async () => {
    for (const name of ['\0', 'a\0b', '\ud83e']) {
      const answer = await send(text({ [name]: 1 }));
      expect(answer.statusCode).toBe(400);
    }
  });

  test('what is kept is read back to the letter', async () => {
    const description =
      '  "Å̈ngström" \\ \n\t\u2028 <script>alert(1)</script> \u{1F9FE} \u202e\u007f\u0001';
    const posted = await send(text({ description, counterparty: `'; drop table x; --` }));
    expect(posted.statusCode).toBe(200);
    const read = await books.call({ url: `${url}?id=${posted.json().id}` });
    expect(read.json().data[0]).toMatchObject({
      description,
      counterparty: `'; drop table x; --`,
    });
  });

  test('optional fields may be null', async () => {
    const rows = twoRows(1, 1).map((row) => ({
      ...row,
      note: null,
      cost_center: null,
      project: null,
    }));
    expect((await send(text({ counterparty: null, source: null, rows }))).statusCode).toBe(200);
  });
});

describe('a row’s VAT code', () => {
  const codesOf = async (rows: readonly object[]) => {
    const posted = await send(text({ rows }));
    expect(posted.statusCode).toBe(200);
    const read = await books.call({ url: `${url}?id=${posted.json().id}` });
    return read.json().data[0].rows.map((row: { vat_code: unknown }) => row.vat_code);
  };

  test('is read as it was given; left out or null it is the account’s', async () => {
    const loss = [
      { account: 6351, debit: 100, credit: 0, vat_code: 'MP1' },
      { account: 2611, debit: 25, credit: 0, vat_code: null },
      { account: 1510, debit: 0, credit: 125 },
    ];
    expect(await codesOf(loss)).toEqual(['MP1', 'U1', null]);
    expect(await codesOf(twoRows(1, 1))).toEqual([null, 'MP1']);
  });

  test.each(['MP9', 'mp1', ' MP1', "'; drop"])(
    '%j, which no account has, is named',
    async (code) => {
      const rows = [
        { account: 6351, debit: 1, credit: 0, vat_code: code },
        { account: 9998, debit: 0, credit: 1, vat_code: 'MP1' },
      ];
      for (const query of ['', '?dryRun=true']) {
        const answer = await expectNothingBooked(() =>
          books.call({ method: 'POST', url: `${url}${query}`, payload: voucherBody({ rows }) }),
        );
        expect(answer.statusCode).toBe(422);
        expect(problemsOf(answer)).toEqual([
          'rows[1].account unknown_account',
          'rows[0].vat_code unknown_vat_code',
        ]);
        expect(answer.json().detail.problems[1].message).toBe(
          `Inget konto har momskoden ${code}; ange en som står i kontoplanen, till exempel MP1, eller lämna den tom, så gäller kontots egen.`,
        );
      }
    },
  );

  test.each([
    ['empty', '', 'too_short'],
    ['too long', 'M'.repeat(21), 'too_long'],
    ['a number', 1, 'wrong_type'],
  ])('that is %s is refused by its field', async (_what, code, reason) => {
    const rows = twoRows(1, 1).map((row) => ({ ...row, vat_code: code }));
    const answer = await expectNothingBooked(() => send(text({ rows })));
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toContain(`rows[0].vat_code ${reason}`);
  });

  test('brings a voucher under the VAT lock', async () => {
    await db(books.owner).query(sql`update ledger.locks set vat_locked_to = '2026-03-31'`);
    try {
      const rows = (code?: string) => [
        { account: 6351, debit: 1, credit: 0, ...(code ? { vat_code: code } : {}) },
        { account: 1510, debit: 0, credit: 1 },
      ];
      expect((await send(text({ rows: rows() }))).statusCode).toBe(200);
      const answer = await expectNothingBooked(() => send(text({ rows: rows('MP1') })));
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toMatchObject({ error: 'period_locked', detail: { lock: 'vat' } });
      expect(answer.json().message).toContain('verifikatet rör moms');
    } finally {
      await db(books.owner).query(sql`update ledger.locks set vat_locked_to = null`);
    }
  });
});

describe('what a voucher refers to', () => {
  const unprocessable = async (overrides: object) => {
    const answer = await expectNothingBooked(() => send(text(overrides)));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error).toBe('unprocessable');
    for (const { message } of answer.json().detail.problems) expect(message).toMatch(/\.$/);
    return answer;
  };

  test('an unknown and an inactive account are named at their rows', async () => {
    const answer = await unprocessable({
      rows: [
        { account: 1930, debit: 2, credit: 0 },
        { account: 9998, debit: 0, credit: 1 },
        { account: 1920, debit: 0, credit: 1 },
      ],
    });
    expect(answer.json().detail.problems).toEqual([
      expect.objectContaining({
        path: 'rows[1].account',
        reason: 'unknown_account',
        account: 9998,
      }),
      expect.objectContaining({
        path: 'rows[2].account',
        reason: 'inactive_account',
        account: 1920,
      }),
    ]);
    expect(answer.json().message).toContain('9998');
  });

  test('an unknown series of the year is named, also one with a stray space or small letter', async () => {
    for (const seriesCode of ['Z', 'a', ' A', 'A ', '%', '_', `'"`]) {
      expect(problemsOf(await unprocessable({ seriesCode }))).toEqual([
        'seriesCode unknown_series',
      ]);
    }
  });

  test('a day outside every fiscal year is named', async () => {
    for (const date of ['2025-12-31', '2027-01-01', '9999-12-31', '1900-01-01']) {
      expect(problemsOf(await unprocessable({ date }))).toEqual(['date date_outside_fiscal_years']);
    }
  });

  test('dimensions: unknown, inactive and of the wrong kind', async () => {
    const row = (dimensions: object) => ({ account: 1930, debit: 1, credit: 0, ...dimensions });
    const answer = await unprocessable({
      rows: [
        row({ cost_center: randomUUID() }),
        row({ cost_center: ids.inactive }),
        row({ project: ids.active }),
        row({ cost_center: ids.project }),
        row({ cost_center: ids.active, project: ids.project }),
        row({ project: '11111111-1111-1111-1111-111111111111' }),
        { account: 3001, debit: 0, credit: 6 },
      ],
    });
    expect(problemsOf(answer)).toEqual([
      'rows[0].cost_center unknown_dimension',
      'rows[1].cost_center inactive_dimension',
      'rows[2].project unknown_dimension',
      'rows[3].cost_center unknown_dimension',
      'rows[5].project unknown_dimension',
    ]);
    const sentences = answer
      .json()
      .detail.problems.map(({ message }: { message: string }) => message);
    expect(sentences).toEqual([
      expect.stringContaining('finns inte; ange dess id'),
      expect.stringContaining('är inaktiv; ange en annan'),
      expect.stringContaining('är ett kostnadsställe; skicka det som cost_center'),
      expect.stringContaining('är ett projekt; skicka det som project'),
      expect.stringContaining('finns inte; ange dess id'),
    ]);
  });

  test('good dimensions are booked', async () => {
    const rows = [
      { account: 1930, debit: 1, credit: 0, cost_center: ids.active, project: ids.project },
      { account: 3001, debit: 0, credit: 1, cost_center: ids.active.toUpperCase() },
    ];
    const posted = await send(text({ rows }));
    expect(posted.statusCode).toBe(200);
    const kept = await db(books.owner).query(
      sql`select cost_center_id, project_id from ledger.voucher_rows
          where voucher_id = ${posted.json().id} order by row_no`,
    );
    expect(kept).toEqual([
      { cost_center_id: ids.active, project_id: ids.project },
      { cost_center_id: ids.active, project_id: null },
    ]);
  });

  test('date, series, accounts and dimensions are all told at once', async () => {
    const answer = await unprocessable({
      seriesCode: 'Z',
      rows: [
        { account: 9998, debit: 1, credit: 0, project: ids.active },
        { account: 1920, debit: 0, credit: 1, cost_center: ids.inactive },
      ],
    });
    expect(problemsOf(answer).sort()).toEqual([
      'rows[0].account unknown_account',
      'rows[0].project unknown_dimension',
      'rows[1].account inactive_account',
      'rows[1].cost_center inactive_dimension',
      'seriesCode unknown_series',
    ]);
  });
});

describe('locks', () => {
  const lock = (kind: 'period' | 'vat', date: string | null) =>
    withTx(books.owner, (tx) => setLock(tx, kind, date, 'test'));
  const close = (status: string) =>
    db(books.owner).query(sql`update ledger.fiscal_years set status = ${status},
      closed_on = case when ${status} = 'closed' then end_date + 1 end`);
  beforeEach(async () => {
    await lock('period', null);
    await lock('vat', null);
    await close('open');
    return async () => {
      await lock('period', null);
      await lock('vat', null);
      await close('open');
    };
  });
  const withoutVat = [
    { account: 1930, debit: 10, credit: 0 },
    { account: 1940, debit: 0, credit: 10 },
  ];
  const refused = async (overrides: object) => {
    const answer = await expectNothingBooked(() => send(text(overrides)));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().error).toBe('period_locked');
    return answer.json();
  };

  test('the period lock stops its last day and tells the first open one', async () => {
    await lock('period', '2026-03-31');
    const body = await refused({ rows: withoutVat });
    expect(body.detail).toEqual({
      lock: 'period',
      locked_to: '2026-03-31',
      earliest_allowed_date: '2026-04-01',
    });
    expect(body.message).toContain('2026-03-31');
    expect(body.message).toContain('2026-04-01');
    expect((await send(text({ date: '2026-04-01' }))).statusCode).toBe(200);
  });

  test('the VAT lock stops only vouchers that touch VAT', async () => {
    await lock('vat', '2026-03-31');
    expect((await refused({})).detail).toEqual({
      lock: 'vat',
      locked_to: '2026-03-31',
      earliest_allowed_date: '2026-04-01',
    });
    expect((await send(text({ rows: withoutVat }))).statusCode).toBe(200);
    expect((await send(text({ date: '2026-04-01' }))).statusCode).toBe(200);
  });

  test('with both locks the way out is past both, for a voucher that touches VAT', async () => {
    await lock('period', '2026-03-31');
    await lock('vat', '2026-06-30');
    expect((await refused({})).detail).toMatchObject({
      lock: 'period',
      earliest_allowed_date: '2026-07-01',
    });
    expect((await refused({ rows: withoutVat })).detail).toMatchObject({
      lock: 'period',
      earliest_allowed_date: '2026-04-01',
    });
    expect((await refused({ date: '2026-05-01' })).detail.lock).toBe('vat');
    expect((await send(text({ date: '2026-05-01', rows: withoutVat }))).statusCode).toBe(200);
  });

  test('a closed year stops everything in it', async () => {
    await close('closed');
    expect((await refused({ rows: withoutVat })).detail).toEqual({
      lock: 'fiscal_year',
      locked_to: '2026-12-31',
      earliest_allowed_date: '2027-01-01',
    });
  });

  test('faults in what a voucher refers to are told before locks', async () => {
    await lock('period', '2026-12-31');
    const answer = await send(
      text({
        rows: [
          ...withoutVat,
          { account: 9998, debit: 1, credit: 0 },
          { account: 1930, debit: 0, credit: 1 },
        ],
      }),
    );
    expect(answer.json().error).toBe('unprocessable');
  });

  test('a locked call may be sent again with the same key once the lock is lifted', async () => {
    await lock('period', '2026-03-31');
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send(text(), { headers })).statusCode).toBe(422);
    await lock('period', null);
    const answer = await send(text(), { headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('Idempotency-Key', () => {
  test('is required', async () => {
    for (const headers of [{}, { 'idempotency-key': '' }]) {
      const answer = await expectNothingBooked(() =>
        books.app.inject({
          method: 'POST',
          url,
          payload: voucherBody(),
          headers: { authorization: `Bearer ${books.key}`, ...headers },
        }),
      );
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toBe('idempotency_required');
    }
  });

  test('is not asked for of whoever misspells dryRun: that is what is named', async () => {
    for (const dryRun of ['True', '1', '', 'true&dryRun=true']) {
      const answer = await expectNothingBooked(() =>
        books.app.inject({
          method: 'POST',
          url: `${url}?dryRun=${dryRun}`,
          payload: voucherBody(),
          headers: { authorization: `Bearer ${books.key}` },
        }),
      );
      expect([dryRun, answer.statusCode, problemsOf(answer)[0]?.split(' ')[0]]).toEqual([
        dryRun,
        400,
        'dryRun',
      ]);
    }
  });

  test('has 8 to 255 characters', async () => {
    const status = async (length: number) => {
      const key = randomUUID().replaceAll('-', '').repeat(9).slice(0, length);
      return (await send(text(), { headers: { 'idempotency-key': key } })).statusCode;
    };
    expect(await status(7)).toBe(400);
    expect(await status(8)).toBe(200);
    expect(await status(255)).toBe(200);
    expect(await status(256)).toBe(400);
  });

  test('a retry with other spacing and order of names gets the first answer, byte for byte', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(text(), { headers });
    expect(first.statusCode).toBe(200);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const { rows, ...rest } = voucherBody();
    const turned = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()));
    const other = JSON.stringify({ rows: turned, ...rest }, null, 4).replace('125', '125.00');
    await expectNothingBooked(async () => {
      const again = await send(other, { headers });
      expect(again.statusCode).toBe(200);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.body).toBe(first.body);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    });
  });

  test('a retry is answered as the first time though the books were locked since', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(text(), { headers });
    await withTx(books.owner, (tx) => setLock(tx, 'period', '2026-12-31', 'test'));
    try {
      expect((await send(text(), { headers })).body).toBe(first.body);
    } finally {
      await withTx(books.owner, (tx) => setLock(tx, 'period', null, 'test'));
    }
  });

  test('a retry after the installation has moved links to where the voucher now is', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = (await send(text(), { headers })).json();
    const moved = await openSecondApp(books, { env: { BASE_URL: 'https://ny.example' } });
    const again = await moved.app.inject({
      method: 'POST',
      url,
      payload: text(),
      headers: { ...json, ...headers, authorization: `Bearer ${books.key}` },
    });
    await moved.close();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json()).toEqual({ ...first, url: `https://ny.example/verifikat/${first.id}` });
  });

  test('another body under the same key is a conflict that says what differs and from what', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const before = Date.now();
    const first = await send(text(), { headers });
    const answer = await expectNothingBooked(() =>
      send(text({ date: '2026-04-01', counterparty: 'ICA' }), { headers }),
    );
    expect(answer.statusCode).toBe(409);
    const { error, detail } = answer.json();
    expect(error).toBe('idempotency_conflict');
    expect(detail).toEqual({
      first_request_id: first.headers['x-request-id'],
      first_seen_at: expect.stringMatching(/^\d{4}-.*Z$/),
      differing_fields: ['counterparty', 'date'],
    });
    expect(Math.abs(Date.parse(detail.first_seen_at) - before)).toBeLessThan(60_000);
  });

  test('order of rows is part of the body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await send(text(), { headers });
    const answer = await send(text({ rows: voucherBody().rows.toReversed() }), { headers });
    expect(answer.json().detail.differing_fields).toEqual(['rows']);
  });

  test('two API keys never meet in one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const { key } = await books.makeKey();
    const first = await send(text(), { headers });
    const second = await send(text(), { headers, key });
    expect(second.statusCode).toBe(200);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.json().id).not.toBe(first.json().id);
  });

  test('a refused call keeps nothing: the key takes a corrected body', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await send('{', { headers })).statusCode).toBe(400);
    expect((await send(text({ rows: twoRows(1, 2) }), { headers })).statusCode).toBe(400);
    expect((await send(text({ seriesCode: 'Z' }), { headers })).statusCode).toBe(422);
    const answer = await send(text(), { headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
  });

  test('many identical calls at once make one voucher; the others wait or are told to', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const before = await countVouchers(books.owner);
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(text(), { headers })));
    expect(await countVouchers(books.owner)).toBe(before + 1);
    const bodies = new Set<string>();
    for (const answer of answers) {
      if (answer.statusCode === 200) bodies.add(answer.body);
      else {
        expect(answer.statusCode).toBe(409);
        expect(answer.json().error).toBe('idempotency_in_progress');
        expect(answer.headers['retry-after']).toBe('1');
      }
    }
    expect(bodies.size).toBe(1);
  });

  test('a key in letters beyond ASCII is kept apart from others', async () => {
    const key = Buffer.from(`nyckel-åäö-${randomUUID()}`).toString('latin1');
    const first = await send(text(), { headers: { 'idempotency-key': key } });
    const again = await send(text(), { headers: { 'idempotency-key': key } });
    expect(first.statusCode).toBe(200);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});

describe('size', () => {
  const padded = (bytes: number) => {
    const body = text();
    return body + ' '.repeat(bytes - Buffer.byteLength(body));
  };

  test('512 kB is taken, a byte more is not', async () => {
    expect((await send(padded(LIMIT))).statusCode).toBe(200);
    const over = await expectNothingBooked(() => send(padded(LIMIT + 1)));
    expect(over.statusCode).toBe(413);
    expect(over.json().error).toBe('payload_too_large');
  });

  test('thousands of rows are booked when they fit', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      account: index % 2 === 0 ? 1930 : 1940,
      debit: index % 2 === 0 ? 1 : 0,
      credit: index % 2 === 0 ? 0 : 1,
    }));
    const payload = text({ rows });
    expect(Buffer.byteLength(payload)).toBeLessThan(LIMIT);
    const posted = await send(payload);
    expect(posted.statusCode).toBe(200);
    const read = await books.call({ url: `${url}?id=${posted.json().id}` });
    expect(read.json().data[0].rows).toHaveLength(10_000);
    const unknown = await send(text({ rows: rows.map((row) => ({ ...row, account: 9998 })) }));
    expect(unknown.statusCode).toBe(422);
    expect(problemsOf(unknown)).toHaveLength(101);
  });

  test('a compressed body is refused, not unpacked', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip']) {
      const answer = await expectNothingBooked(() =>
        send(text(), { headers: { 'content-encoding': encoding } }),
      );
      expect(answer.statusCode).toBe(400);
      expect(problemsOf(answer)).toEqual(['Content-Encoding not_supported']);
    }
    for (const encoding of ['Identity', '']) {
      const answer = await send(text(), { headers: { 'content-encoding': encoding } });
      expect([encoding, answer.statusCode]).toEqual([encoding, 200]);
    }
    const headers = { 'content-encoding': 'identity' };
    expect((await send(text(), { headers })).statusCode).toBe(200);
  });

  test('the content type neither opens nor closes anything', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/vnd.api+json',
      'multipart/form-data; boundary=x',
    ]) {
      expect((await send(text(), { headers: { 'content-type': type } })).statusCode).toBe(200);
    }
    const none = await books.call({ method: 'POST', url, payload: Buffer.from(text()) });
    expect(none.statusCode).toBe(200);
  });

  test('a content type that is none is refused as a bad call', async () => {
    for (const type of ['json', '/', 'a/b/c d', ';']) {
      const answer = await send(text(), { headers: { 'content-type': type } });
      expect(answer.statusCode).toBe(400);
    }
  });

  test('an unknown parameter is named', async () => {
    const answer = await expectNothingBooked(() =>
      books.call({ method: 'POST', url: `${url}?dryrun=true`, payload: voucherBody() }),
    );
    expect(answer.statusCode).toBe(400);
    expect(problemsOf(answer)).toEqual(['dryrun unknown_field']);
  });
});

describe('whatever is sent', () => {
  const anyAmount = fc.oneof(
    fc.integer({ min: 0, max: 999_999_999 }).map((ore) => ore / 100),
    fc.double(),
    fc.constantFrom(0, -0, 1e10, 1e-9, null, '1'),
  );
  const anyRow = fc.record(
    {
      account: fc.oneof(fc.constantFrom(1930, 3001, 1920, 9998), fc.integer(), fc.anything()),
      debit: anyAmount,
      credit: anyAmount,
      note: fc.oneof(fc.string({ unit: 'binary' }), fc.constant(null)),
      cost_center: fc.oneof(fc.uuid(), fc.string()),
      project: fc.oneof(fc.uuid(), fc.constant(null)),
    },
    { requiredKeys: ['account', 'debit', 'credit'] },
  );
  const anyVoucher = fc.record(
    {
      seriesCode: fc.oneof(fc.constant('A'), fc.string({ unit: 'binary', maxLength: 3 })),
      date: fc.oneof(fc.constant('2026-05-05'), fc.string()),
      description: fc.string({ unit: 'binary' }),
      counterparty: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      source: fc.oneof(fc.constantFrom('api', 'invoice', '__proto__', 'constructor'), fc.string()),
      rows: fc.oneof(fc.array(anyRow, { maxLength: 4 }), fc.anything()),
    },
    { requiredKeys: [] },
  );

  test('the answer is 200, 400 or 422, never a fault of ours', async () => {
    const property = fc.asyncProperty(fc.oneof(anyVoucher, fc.jsonValue()), async (body) => {
      const answer = await send(JSON.stringify(body) ?? 'undefined');
      expect([200, 400, 422]).toContain(answer.statusCode);
    });
    await fc.assert(property, { numRuns: tries(75) });
  });

  test('bytes that are no JSON get 400', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const answer = await send(Buffer.from(bytes));
      expect(answer.statusCode).toBe(400);
    });
    await fc.assert(property, { numRuns: tries(30) });
  });

  test('the ledger adds up afterwards: every voucher balances and no number is missing', async () => {
    const [sums] = await db(books.owner).query<{ difference: bigint; gaps: number }>(sql`
      select (select sum(debit_ore - credit_ore)::bigint from ledger.voucher_rows) as difference,
        (select count(*)::integer from ledger.series s where s.last_number <>
          (select count(*) from ledger.vouchers v where v.series_id = s.id)) as gaps`);
    expect(sums).toEqual({ difference: 0n, gaps: 0 });
  });
});
