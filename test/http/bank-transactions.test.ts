/** POST and GET /api/v1/banktransaktioner: rows of the bank come in once, and are read with what books them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBankAccount } from '#src/bank/service.ts';
import { keepFiles, takeIn } from '#src/bank/statements/begun-imports.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { camt053, camt054, fileOf, testIban } from '../support/bank-file.ts';
import { type Installation, TODAY } from '../support/installation.ts';
import { openBooks } from './books.ts';

const url = '/api/v1/banktransaktioner';
let books: Installation;
let writer: string;
let reader: string;
let ledgerAccount = 1930;
beforeAll(async () => {
  books = await openBooks();
  ({ key: writer } = await books.makeKey(['bank:write']));
  ({ key: reader } = await books.makeKey(['bank:read']));
});
afterAll(() => books.close());

/** Each test has an account of its own. */
let account = 0;
let iban = '';
beforeEach(async () => {
  account = ledgerAccount;
  ledgerAccount += 1;
  iban = `SE455000000005839825${account}`;
  await db(books.owner).query(sql`insert into ledger.accounts (number, name, type)
    values (${account}, 'Bank', 'asset') on conflict do nothing`);
  await withTx(books.owner, (tx) =>
    createBankAccount(tx, { name: `Konto ${account}`, ledgerAccount: account, iban }, 'test'),
  );
});

const coffee = { date: '2026-03-02', amount: -50, text: 'Kaffe' };
const post = (body: object, more: { key?: string; headers?: Record<string, string> } = {}) =>
  books.call({ method: 'POST', url, key: writer, ...more, payload: { account, ...body } });
const list = async (query = '') =>
  (await books.call({ url: `${url}?account=${account}${query}`, key: reader })).json();
const texts = async () =>
  (await list('&limit=200')).data.map(
    (row: { date: string; amount: number; text: string }) =>
      `${row.date} ${row.amount} ${row.text}`,
  );

test('rows come in with their payments and balances, once, and are read with all of it', async () => {
  const body = {
    from: '2026-03-02',
    to: '2026-03-03',
    openingBalance: 1000,
    closingBalance: 13400.5,
    rows: [
      coffee,
      coffee,
      {
        date: '2026-03-03',
        amount: 12500.5,
        text: 'Bankgiro inbetalning',
        reference: '991-2346 00142',
        transactionId: 'A-1',
        valueDate: '2026-03-04',
        payments: [
          {
            amount: 12500.5,
            ocr: '10041',
            invoiceNumbers: ['1004'],
            payer: { name: 'Kunden AB', account: '5050-1055' },
            endToEndId: 'E-7',
            message: 'Tack',
          },
        ],
      },
    ],
  };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post(body, { headers });
  expect([first.statusCode, first.json()]).toEqual([
    200,
    {
      importId: expect.any(String),
      account,
      iban,
      added: 3,
      known: 0,
      openingBalance: 1000,
      closingBalance: 13400.5,
    },
  ]);
  const replayed = await post(body, { headers });
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(replayed.json()).toEqual(first.json());
  const again = await post(body);
  expect(again.json()).toMatchObject({ importId: null, added: 0, known: 3 });
  const other = await post({ ...body, closingBalance: 1 }, { headers });
  expect(other.json()).toMatchObject({
    error: 'idempotency_conflict',
    detail: { differing_fields: ['closingBalance'] },
  });
  const { data, has_more } = await list();
  expect(has_more).toBe(false);
  expect(data[2]).toEqual({
    id: expect.any(String),
    account,
    iban,
    date: '2026-03-03',
    valueDate: '2026-03-04',
    amount: 12500.5,
    text: 'Bankgiro inbetalning',
    reference: '991-2346 00142',
    transactionId: 'A-1',
    balanceAfter: 13400.5,
    matched: false,
    matchedAt: null,
    voucher: null,
    paymentCount: 1,
    payments: [
      {
        amount: 12500.5,
        ocr: '10041',
        references: ['10041'],
        invoiceNumbers: ['1004'],
        message: 'Tack',
        payer: { name: 'Kunden AB', account: '5050-1055' },
        payee: { name: null, account: null },
        endToEndId: 'E-7',
        returnReason: null,
      },
    ],
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    url: `https://bok.example/bank/${data[2].id}`,
  });
  const told = await db(
    books.owner,
  ).query(sql`select o.type, e.actor like 'key:%' as is_keys, e.detail
    from events.outbox o join audit.events e on e.subject = o.subject::text and e.action = o.type
    where o.subject = ${first.json().importId}::uuid`);
  expect(told).toEqual([
    { type: 'bank.imported', is_keys: true, detail: { files: 0, statements: 1, rows: 3 } },
  ]);
  const balances = await db(
    books.owner,
  ).query(sql`select closing_date, balance_ore from bank.statements s
    join bank.accounts a on a.id = s.account_id where a.ledger_account = ${account} order by 1`);
  expect(balances).toEqual([{ closing_date: '2026-03-03', balance_ore: 1_340_050n }]);
});

test('what files have brought is known, and the other way round, also when words differ', async () => {
  const entries = [
    { day: '2026-03-02', ore: -5_000, text: 'Kaffe' },
    { day: '2026-03-03', ore: 70_000, text: 'Kund' },
  ];
  const text = camt053({ opening: 100_000, entries, from: '2026-03-02' }).replaceAll(
    testIban,
    iban,
  );
  const takeFile = async () => {
    const sources = [await fileOf(text, 'utdrag.xml')];
    return withTx(books.owner, async (tx) => {
      const id = await keepFiles(tx, sources, null, 'test');
      const choices = { accountId: null, isAccepted: true, equalRows: null };
      return takeIn(tx, { id, sources, choices, today: TODAY }, 'test');
    });
  };
  const rows = [
    { date: '2026-03-02', amount: -50, text: 'KAFFE 7-ELEVEN' },
    { date: '2026-03-03', amount: 700, text: 'Kund' },
  ];
  const body = { openingBalance: 1000, from: '2026-03-02', to: '2026-03-03', rows };
  expect((await takeFile()).added).toBe(2);
  expect((await post(body)).json()).toMatchObject({ added: 0, known: 2 });
  const more = { date: '2026-03-04', amount: 1, text: 'Ränta' };
  const longer = { ...body, to: '2026-03-04', rows: [...rows, more] };
  expect((await post(longer)).json()).toMatchObject({ added: 1, known: 2, closingBalance: 1651 });
  expect((await takeFile()).added).toBe(0);
  expect(await texts()).toEqual([
    '2026-03-02 -50 Kaffe',
    '2026-03-03 700 Kund',
    '2026-03-04 1 Ränta',
  ]);
});

test('where nothing proves whether rows are new, the call asks, and takes the answer', async () => {
  await post({ rows: [coffee] });
  const refused = await post({ rows: [coffee, coffee] });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    {
      error: 'unprocessable',
      detail: {
        problems: [{ path: 'equalRows', reason: 'bank_rows_in_doubt' }],
        days: [{ day: '2026-03-02', rows: 1 }],
      },
    },
  ]);
  expect(refused.json().message).toMatch(/2026-03-02 \(1\).*equalRows: known .* new /);
  expect(await texts()).toHaveLength(1);
  const known = await post({ rows: [coffee, coffee], equalRows: 'known' });
  expect(known.json()).toMatchObject({ added: 1, known: 1 });
  const fresh = await post({ rows: [coffee], equalRows: 'new' });
  expect(fresh.json()).toMatchObject({ added: 1, known: 0 });
  expect(await texts()).toHaveLength(3);
});

test('balances that contradict what is known are asked about, and nothing of the call is done', async () => {
  const body = { from: '2026-03-02', to: '2026-03-02', openingBalance: 1000, rows: [coffee] };
  expect((await post(body)).json().added).toBe(1);
  const refused = await post({ ...body, openingBalance: -20 });
  expect([refused.statusCode, refused.json()]).toMatchObject([
    422,
    {
      detail: {
        problems: [{ path: 'equalRows', reason: 'bank_opening_contradicts' }],
        days: [{ day: '2026-03-02', rows: 1 }],
      },
    },
  ]);
  expect(refused.json().message).toMatch(/2026-03-02 på −20,00\skr, men på 1\s000,00\skr/);
  expect(await texts()).toHaveLength(1);
  const said = await post({ ...body, openingBalance: -20, equalRows: 'known' });
  expect(said.json()).toMatchObject({ added: 0, known: 1 });
});

test('rows that differ of days that both are said to have whole are asked about, also on days without any', async () => {
  const month = { from: '2026-03-01', to: '2026-03-31' };
  const fee = { date: '2026-03-20', amount: -136, text: 'Avgift' };
  expect((await post({ ...month, rows: [coffee] })).json().added).toBe(1);
  for (const rows of [[fee], [{ ...coffee, amount: -51 }], [{ ...fee, date: '2026-03-21' }]]) {
    const refused = await post({ ...month, rows });
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { detail: { problems: [{ path: 'equalRows', reason: 'bank_rows_contradict' }] } },
    ]);
    expect(refused.json().message).toMatch(/2026-03-02.*equalRows/);
  }
  expect(await texts()).toHaveLength(1);
  expect((await post({ ...month, rows: [coffee, fee] })).json()).toMatchObject({ added: 1 });
  expect((await post({ ...month, rows: [coffee] })).json()).toMatchObject({ added: 0, known: 1 });
  const said = await post({ ...month, rows: [{ ...fee, amount: -1 }], equalRows: 'known' });
  expect(said.json()).toMatchObject({ added: 1 });
});

test('a bank that names its rows is never asked of, whatever order they come in and whatever they are called', async () => {
  const named = (id: string, text = 'Kaffe') => ({ ...coffee, text, transactionId: id });
  expect((await post({ rows: [named('1'), named('2')] })).json().added).toBe(2);
  const later = await post({ rows: [named('3'), named('2', 'Kaffe, Espresso House'), named('1')] });
  expect(later.json()).toMatchObject({ added: 1, known: 2 });
});

test('a row that the bank names is known when it comes again, though others of its day have no name', async () => {
  const named = (id: string) => ({ ...coffee, transactionId: id });
  await post({ rows: [{ ...coffee, amount: -700, text: 'Hyra' }] });
  expect((await post({ rows: [named('1')] })).json()).toMatchObject({ added: 1, known: 0 });
  expect((await post({ rows: [named('1')] })).json()).toMatchObject({ added: 0, known: 1 });
  expect((await post({ rows: [named('1'), named('2')] })).json()).toMatchObject({
    added: 1,
    known: 1,
  });
  // One without a name may be either.
  expect((await post({ rows: [coffee] })).statusCode).toBe(422);
  expect(await texts()).toHaveLength(3);
});

test('whoever asks every hour for the last days gets each row once without saying anything', async () => {
  const rows = [coffee, coffee, { ...coffee, date: '2026-03-04' }, { ...coffee, date: TODAY }];
  for (const count of [1, 2, 3, 3, 4]) {
    const some = rows.slice(0, count);
    const answer = await post({ from: '2026-03-01', to: TODAY, rows: some });
    expect([count, answer.statusCode]).toEqual([count, 200]);
    expect(await texts()).toHaveLength(count);
  }
});

test('two payments that the bank has named apart are both in, though day and amount are the same', async () => {
  const day = { from: '2026-03-02', to: '2026-03-02' };
  for (const transactionId of ['1', '2']) {
    const answer = await post({ ...day, rows: [{ ...coffee, transactionId }] });
    expect(answer.json()).toMatchObject({ added: 1, known: 0 });
  }
  expect(await texts()).toHaveLength(2);
});

test('a program whose bank names its rows is not stopped when the bank books one late, on an earlier day', async () => {
  const named = (date: string, amount: number, transactionId: string) => ({
    ...{ ...coffee, date, amount, transactionId },
  });
  const rows = [named('2026-03-02', -50, '1'), named('2026-03-04', 500, '2')];
  const late = named('2026-03-03', -7, '3');
  const month = { from: '2026-03-01', to: '2026-03-31', openingBalance: 1000 };
  const brought = async (more: object, isSaid = month.openingBalance) => {
    const answer = await post({ ...month, openingBalance: isSaid, ...more });
    return [answer.statusCode, answer.json().added ?? answer.json().detail.problems[0].reason];
  };
  expect(await brought({ rows })).toEqual([200, 2]);
  const all = [rows[0], late, rows[1]];
  for (const added of [1, 0]) {
    expect(await brought({ rows: all, closingBalance: 1443 })).toEqual([200, added]);
  }
  const sameDay = [rows[0], named('2026-03-02', -3, '4'), late, rows[1]];
  expect(await brought({ rows: sameDay, closingBalance: 1440 })).toEqual([200, 1]);
  // None of its rows explains another balance before them, nor that one which was there is gone.
  expect(await brought({ rows: sameDay }, 900)).toEqual([422, 'bank_opening_contradicts']);
  expect(await brought({ rows: all })).toEqual([422, 'bank_closing_contradicts']);
});

test('details that a notice had before are read on the row', async () => {
  const details = ['<RmtInf><Strd><CdtrRefInf><Ref>10041</Ref></CdtrRefInf></Strd></RmtInf>'];
  const entries = [{ day: '2026-03-03', ore: 70_000, text: 'Kund', reference: 'BG1', details }];
  const notice = camt054('N1', entries, iban);
  const sources = [await fileOf(notice, 'avisering.xml')];
  await withTx(books.owner, async (tx) => {
    const id = await keepFiles(tx, sources, null, 'test');
    const choices = { accountId: null, isAccepted: true, equalRows: null };
    await takeIn(tx, { id, sources, choices, today: TODAY }, 'test');
  });
  await post({ rows: [{ date: '2026-03-03', amount: 700, text: 'Bankgiro', reference: 'BG1' }] });
  const { data } = await list();
  expect(data).toHaveLength(1);
  expect(data[0].payments).toMatchObject([{ ocr: '10041' }]);
});

test('what does not add up is refused with its field, and nothing of it is in', async () => {
  const row = (more: object) => ({ rows: [{ ...coffee, ...more }] });
  const cases = [
    [
      { ...row({}), openingBalance: 100, closingBalance: 60 },
      422,
      'closingBalance',
      'bank_closing_differs',
    ],
    [
      { ...row({ balanceAfter: 10 }), openingBalance: 100 },
      422,
      'openingBalance',
      'bank_opening_differs',
    ],
    [
      {
        rows: [
          { ...coffee, balanceAfter: 50 },
          { ...coffee, balanceAfter: 10 },
          { ...coffee, balanceAfter: -50 },
        ],
      },
      422,
      'rows[1].balanceAfter',
      'bank_balance_broken',
    ],
    [
      row({ payments: [{ amount: -20 }, { amount: -20 }] }),
      422,
      'rows[0].payments',
      'bank_payments_differ',
    ],
    [{ ...row({}), from: '2026-03-03' }, 422, 'rows[0].date', 'bank_day_outside'],
    [{ ...row({ date: '9999-12-31' }), from: '9999-12-31' }, 422, 'rows[0].date', 'bank_day_ahead'],
    [row({ date: '2199-01-01' }), 422, 'rows[0].date', 'bank_day_ahead'],
    [
      { rows: [{ ...coffee, date: '2010-01-01' }, coffee] },
      422,
      'rows[1].date',
      'bank_days_too_many',
    ],
    [{ ...row({}), from: '2010-01-01' }, 422, 'from', 'bank_days_too_many'],
    [{ ...row({}), account: 1959 }, 422, 'account', 'bank_account_unknown'],
    [
      { ...row({}), account: undefined, iban: 'SE3550000000054910000003' },
      422,
      'iban',
      'bank_account_unknown',
    ],
    [{ ...row({}), account: undefined }, 400, 'account', 'required'],
    [{ ...row({}), iban: 'SE3550000000054910000003' }, 400, 'account', 'one_of_two'],
    [row({ amount: 0 }), 400, 'rows[0].amount', 'zero'],
    [row({ amount: 1.005 }), 400, 'rows[0].amount', 'too_many_decimals'],
    [row({ amount: 1e300 }), 400, 'rows[0].amount', 'too_large'],
    [row({ date: '2026-02-31' }), 400, 'rows[0].date', 'not_a_date'],
    [row({ text: '' }), 400, 'rows[0].text', 'too_short'],
    [row({ text: 'a\0b' }), 400, 'rows[0].text', 'nul_character'],
    [row({ note: 'x' }), 400, 'rows[0].note', 'unknown_field'],
    [{ rows: [] }, 400, 'rows', 'too_few'],
    [{ ...row({}), from: '2026-03-03', to: '2026-03-01' }, 400, 'from', 'after_to'],
  ] as const;
  for (const [body, status, path, reason] of cases) {
    const answer = await post(body);
    const [problem] = answer.json().detail?.problems ?? [];
    expect([body, answer.statusCode, problem]).toMatchObject([body, status, { path, reason }]);
    expect(problem.message).toMatch(/\S/);
  }
  expect(await texts()).toEqual([]);
});

test('its scopes open nothing else, and no key of before opens it', async () => {
  const old = await books.makeKey(['data:read', 'intake:write', 'documents:write', 'ledger:write']);
  expect((await post({ rows: [coffee] }, { key: old.key })).json().detail.missing).toEqual([
    'bank:write',
  ]);
  expect((await post({ rows: [coffee] }, { key: reader })).statusCode).toBe(403);
  expect((await books.call({ url, key: writer })).json().detail.missing).toEqual(['bank:read']);
  expect((await books.call({ url, key: old.key })).statusCode).toBe(403);
  expect((await books.call({ url: '/api/v1/verifikat', key: reader })).statusCode).toBe(403);
});

test('pages follow on each other, each row once, and a page of another list is refused', async () => {
  const rows = Array.from({ length: 7 }, (_, nth) => ({
    ...coffee,
    date: `2026-03-0${1 + (nth >> 1)}`,
  }));
  await post({ rows });
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await list(`&limit=3${cursor}`);
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    cursor = page.has_more ? `&cursor=${page.next_cursor}` : '';
  } while (cursor !== '');
  expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
  const { next_cursor } = await list('&limit=3');
  for (const query of [
    `&matched=true&cursor=${next_cursor}`,
    '&cursor=x',
    '&cursor=W10',
    '&matched=ja',
    '&konto=1',
  ]) {
    const answer = await books.call({ url: `${url}?account=${account}${query}`, key: reader });
    expect([query, answer.statusCode]).toEqual([query, 400]);
  }
  expect((await list('&from=2026-03-02&to=2026-03-02')).data).toHaveLength(2);
  const byIban = await books.call({ url: `${url}?iban=${iban}`, key: reader });
  expect(byIban.json().data).toHaveLength(7);
  expect((await books.call({ url: `${url}?account=1999`, key: reader })).json().data).toEqual([]);
});

test('a row says which voucher books it', async () => {
  await post({ rows: [coffee] });
  const voucher = await books.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: {
      seriesCode: 'A',
      date: '2026-03-02',
      description: 'Kaffe',
      rows: [
        { account: 4010, debit: 50, credit: 0 },
        { account, debit: 0, credit: 50 },
      ],
    },
  });
  const { id, label } = voucher.json();
  await db(
    books.owner,
  ).query(sql`update bank.transactions set voucher_id = ${id}::uuid, matched_at = now(),
    matched_by = 'test' where account_id = (select a.id from bank.accounts a where a.ledger_account = ${account})`);
  const { data } = await list('&matched=true');
  expect(data[0]).toMatchObject({ matched: true, voucher: { id, label } });
  expect((await list('&matched=false')).data).toEqual([]);
});

test('two who bring the same rows at once bring them once', async () => {
  const rows = [coffee, coffee, { ...coffee, date: '2026-03-05' }];
  const body = { from: '2026-03-01', to: '2026-03-05', rows };
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(body)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(answers.reduce((sum, answer) => sum + answer.json().added, 0)).toBe(3);
  expect(await texts()).toHaveLength(3);
});

test('rows are booked by themselves where the company has said so, as those of files are', async () => {
  const waiting = async () =>
    (await db(books.owner).query(sql`select from pgboss.job where name = 'bank-booking'`)).length;
  await post({ rows: [coffee] });
  expect(await waiting()).toBe(0);
  await db(books.owner).query(sql`update restricted.company set bank_booking_is_automatic = true`);
  await post({ rows: [{ ...coffee, text: 'Te' }] });
  expect(await waiting()).toBe(1);
});

test('a call that would wait long for its account is told to come back, and nothing of it is in', async () => {
  await withTx(books.owner, async (tx) => {
    await tx.query(sql`select from bank.accounts where ledger_account = ${account} for update`);
    const answer = await post({ rows: [coffee] });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });
  expect(await texts()).toEqual([]);
});

test('a row that an announcement details has changed, and so have all of an account with another IBAN', async () => {
  const owner = db(books.owner);
  const read = async () => {
    const answer = await books.call({ url: `${url}?limit=200`, key: reader });
    const told: { id: string; updatedAt: string; date: string }[] = answer.json().data;
    return new Map(told.map((one) => [one.id, one]));
  };
  const before = await read();
  const [row] = await owner.query<{ id: string; account_id: string; at: string }>(sql`
    select t.id, t.account_id, t.updated_at::text as at from bank.transactions t
    where t.statement_id is not null and not exists (
      select from bank.transactions o where o.id <> t.id and o.account_id = t.account_id
        and (o.booked_on, o.amount_ore) = (t.booked_on, t.amount_ore)) limit 1`);
  await owner.query(sql`insert into bank.announcements (id, account_id, statement_id, fingerprint, ordinal, booked_on,
      amount_ore, description)
    select gen_random_uuid(), t.account_id, t.statement_id, '\\x01'::bytea, 1, t.booked_on, t.amount_ore, 'Avi'
    from bank.transactions t where t.id = ${row?.id ?? ''}::uuid`);
  await owner.query(sql`select bank.tie_announcements(${row?.account_id ?? ''}::uuid)`);
  const tied = await read();
  const changed = [...tied.values()].filter(
    ({ id, updatedAt }) => before.get(id)?.updatedAt !== updatedAt,
  );
  expect(changed.map(({ id }) => id)).toEqual([row?.id]);
  const since = encodeURIComponent(changed[0]?.updatedAt ?? '');
  const later = await books.call({ url: `${url}?updatedSince=${since}`, key: reader });
  expect(later.json().data.map(({ id }: { id: string }) => id)).toEqual([row?.id]);
  await owner.query(sql`update bank.accounts set iban = null where id = ${row?.account_id ?? ''}::uuid
    and iban is not null`);
  await owner.query(sql`update bank.accounts set iban = 'SE4550000000058398257466'
    where id = ${row?.account_id ?? ''}::uuid`);
  const { rows } = await books.owner.query(
    `select count(*)::integer as count from bank.transactions where account_id = $1`,
    [row?.account_id],
  );
  const after = await read();
  const touched = [...after.values()].filter(
    ({ id, updatedAt }) => tied.get(id)?.updatedAt !== updatedAt,
  );
  expect(touched).toHaveLength(rows[0].count);
});
