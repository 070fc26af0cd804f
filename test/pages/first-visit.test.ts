import { readFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setUp } from '#src/installation/company/service.ts';
import { createSetupToken } from '#src/installation/setup/token.ts';
import { createInstallation, type Installation, testCompany } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { logIn, tokensOf, type Visitor, visit } from '../support/person.ts';

let installation: Installation;
let visitor: Visitor;
beforeEach(async () => {
  installation = await createInstallation({ content: 'nothing' });
  visitor = visit(installation);
});
afterEach(() => installation.close());

const answers = {
  chart: 'bas',
  company: 'Ny Bokföring AB',
  organizationNumber: '556036-0793',
  yearStart: '',
  yearEnd: '',
  ownerName: 'Åsa Öberg',
  email: 'asa@exempel.se',
  password: 'rätt häst batteri',
  passwordAgain: 'rätt häst batteri',
};

const keepChartOf = (json: string): string => deflateRawSync(json).toString('base64url');

/** The hidden fields of a page's form. */
const hiddenOf = (body: string): Record<string, string> =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

async function open(to: Visitor = visitor): Promise<string> {
  const token = await createSetupToken(installation.owner);
  if (token === undefined) throw new Error('no token');
  const first = await to.get(`/kom-igang?nyckel=${token}`);
  expect([first.statusCode, first.headers.location]).toEqual([303, '/kom-igang']);
  return token;
}

const one = async <Row extends object>(statement: ReturnType<typeof sql>): Promise<Row> => {
  const [row] = await db(installation.owner).query<Row>(statement);
  if (!row) throw new Error('no row');
  return row;
};

const written = () =>
  one(sql`select (select count(*)::integer from restricted.company) as companies,
    (select count(*)::integer from restricted.users) as users,
    (select count(*)::integer from ledger.accounts) as accounts,
    (select count(*)::integer from ledger.fiscal_years) as years,
    (select count(*)::integer from sales.customers) as customers,
    (select count(*)::integer from restricted.api_keys where name <> 'Test') as keys,
    (select count(*)::integer from audit.events where action <> 'key.created') as events`);
const nothing = {
  companies: 0,
  users: 0,
  accounts: 0,
  years: 0,
  customers: 0,
  keys: 0,
  events: 0,
};

test('a sole trader declares a year’s VAT in May, and is owed nothing for what they lay out', async () => {
  await open();
  await visitor.submit('/kom-igang', { ...answers, organizationNumber: '811218-9876' });
  expect(await one(sql`select vat_yearly from restricted.company`)).toEqual({
    vat_yearly: 'sole_trader',
  });
  const wrong = await visitor.submit('/installningar/foretag', { vat_yearly: 'legal_person' });
  expect([wrong.statusCode, errorAt(wrong.body, 'vat_yearly')]).toEqual([
    422,
    expect.stringContaining('Företaget har ett personnummer'),
  ]);
  const form = await visitor.get('/leverantorsinkorg/utlagg');
  expect(form.body).toMatch(/<select[^>]* name="debtAccount"[^>]*>\s*<option value="2018"/);
  const sent = await visitor.submit('/leverantorsinkorg/utlagg', {
    ...{ laidOutBy: 'Åsa Öberg', debtAccount: '2018', sellerName: 'Färghandeln' },
    ...{ kind: 'invoice', issueDate: '2026-11-02', total: '125', do: 'book' },
    ...{ 'rows[0].account': '5410', 'rows[0].amount': '', 'rows[0].vatCode': 'I25' },
    'rows[0].deduction': 'whole',
  });
  const page = textOfPage((await visitor.get(String(sent.headers.location))).body);
  expect(page).toContain('Betald');
  expect(page).not.toContain('Inget är betalt än');
  expect(page).not.toContain('Bokför betalningen');
});

test('what a sole trader’s program of before had not gathered on 2010 is gathered as its first year here begins', async () => {
  await open();
  await visitor.submit('/kom-igang', { ...answers, organizationNumber: '811218-9876' });
  const url = '/rakenskapsar/2026/ingaende';
  expect((await visitor.get(url)).body).toContain('2010 −25 000,00');
  const balances = '1930 15 000\n2013 3 000\n2018 -1 000\n2019 -17 000';
  expect((await visitor.submit(url, { series: 'A', balances })).statusCode).toBe(303);
  expect(textOfPage((await visitor.get(url)).body)).toContain('förs till konto 2010');
  const moved = await visitor.submit(`${url}/omforing`, { series: 'A' }, url);
  expect(moved.statusCode).toBe(303);
  expect(
    await db(installation.owner).query(sql`select account, sum(debit_ore - credit_ore)::text as ore
      from ledger.voucher_rows group by account having sum(debit_ore - credit_ore) <> 0 order by account`),
  ).toEqual([
    { account: 1930, ore: '1500000' },
    { account: 2010, ore: '-1500000' },
  ]);
  expect(textOfPage((await visitor.get(url)).body)).not.toContain('förs till konto 2010');
});

test('the first visit ends with books, an owner logged in, and a key that works', async () => {
  await open();
  const done = await visitor.submit('/kom-igang', answers);
  expect(done.statusCode).toBe(200);
  const [, key = ''] = /id="key">(svc_live_[\w-]{43})</.exec(done.body) ?? [];
  expect(done.body).toContain(`Bearer ${key}`);
  const meta = await installation.call({ url: '/api/v1/meta', key });
  expect(meta.statusCode).toBe(200);
  expect(meta.json().fiscal_years).toMatchObject([{ start: '2026-01-01', end: '2026-12-31' }]);
  const overview = await visitor.get('/dimensioner');
  expect(overview.statusCode).toBe(200);
  expect(overview.body).toContain('Åsa Öberg');
  expect(overview.body).toContain('Ny Bokföring AB');
  const { detail, request_id } = await one<{ detail: object; request_id: string | null }>(
    sql`select detail, request_id from audit.events where action = 'key.created'
        and actor like 'user:%'`,
  );
  expect(detail).toMatchObject({ name: 'Första nyckeln' });
  expect(request_id).toBe(done.headers['x-request-id']);
  // As a browser does that loads the page with the key anew.
  const again = await visitor.get('/kom-igang');
  expect(again.headers.location).toBe('/oversikt');
  const told = textOfPage((await visitor.get('/oversikt')).body);
  expect(told).toContain('Nyckeln visas bara en gång');
  expect(told).not.toContain('Logga in för att fortsätta');
  const marked = await one(sql`select array_agg(action order by occurred_at) as actions
    from audit.events where request_id = ${request_id}::uuid`);
  expect(marked).toEqual({
    actions: [
      'company.created',
      'fiscal_year.created',
      'user.created',
      'user.logged_in',
      'key.created',
    ],
  });
});

describe('the token', () => {
  test('is asked for, and its address says how to get one', async () => {
    const answer = await visitor.get('/kom-igang');
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('first-visit');
    const posted = await visitor.post('/kom-igang', answers);
    expect(posted.statusCode).toBe(403);
    expect(await written()).toEqual(nothing);
  });

  test('opens nothing when it is wrong', async () => {
    const answer = await visitor.get(`/kom-igang?nyckel=${'A'.repeat(43)}`);
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('Adressen gäller inte');
    expect((await visitor.get('/kom-igang')).statusCode).toBe(403);
  });

  test('opens nothing after a day, not even for who had the form open', async () => {
    await open();
    const form = await visitor.get('/kom-igang');
    await db(installation.owner).query(
      sql`update restricted.setup_tokens set created_at = now() - interval '24 hours 1 second'`,
    );
    const answer = await visitor.post('/kom-igang', { ...tokensOf(form.body), ...answers });
    expect(answer.statusCode).toBe(403);
    expect(await written()).toEqual(nothing);
  });

  test('opens nothing once somebody is a user', async () => {
    const token = await open();
    await logIn(installation, 'lasare');
    const again = await visit(installation).get(`/kom-igang?nyckel=${token}`);
    expect(again.headers.location).toBe('/logga-in');
    const posted = await visitor.submit('/kom-igang', answers);
    expect(posted.headers.location).toBe('/logga-in');
    expect(await createSetupToken(installation.owner)).toBeUndefined();
    expect(await written()).toMatchObject({ companies: 0, users: 1 });
  });

  test('makes nobody an owner by itself: other pages stay shut', async () => {
    const token = await open();
    visitor.cookies.set('__Host-huvudbok', token);
    const answer = await visitor.get('/dimensioner');
    expect([answer.statusCode, answer.headers.location]).toEqual([
      303,
      '/logga-in?till=%2Fdimensioner',
    ]);
  });
});

test('of two at once with tokens of their own, one wins and the other is shown the log-in', async () => {
  const other = visit(installation);
  await open();
  await open(other);
  const forms = await Promise.all([visitor, other].map((one) => one.get('/kom-igang')));
  const done = await Promise.all(
    [visitor, other].map((one, index) =>
      one.post('/kom-igang', {
        ...tokensOf(forms[index]?.body ?? ''),
        ...answers,
        email: `agare${index}@exempel.se`,
      }),
    ),
  );
  expect(done.map(({ statusCode }) => statusCode).sort()).toEqual([200, 303]);
  expect(await written()).toMatchObject({ companies: 1, users: 1, keys: 1, years: 1 });
});

test('a fault half-way leaves nothing behind', async () => {
  await open();
  await db(installation.owner).query(sql`alter table restricted.api_keys
    add constraint full_disk check (name = 'Test')`);
  const answer = await visitor.submit('/kom-igang', answers);
  expect(answer.statusCode).toBe(500);
  expect(await written()).toEqual(nothing);
  await db(installation.owner).query(
    sql`alter table restricted.api_keys drop constraint full_disk`,
  );
  expect((await visitor.submit('/kom-igang', answers)).statusCode).toBe(200);
});

test('what is wrong stands at its field, what was typed is kept, and nothing is written', async () => {
  const refusals: [string, Partial<typeof answers>, string, RegExp][] = [
    ['check digit', { organizationNumber: '556036-0794' }, 'organizationNumber', /kontrollera/],
    ['no name', { company: ' ' }, 'company', /Fyll i/],
    ['no organisation number', { organizationNumber: '' }, 'organizationNumber', /Fyll i/],
    ['mid-month start', { yearStart: '2026-01-15', yearEnd: '2026-12-31' }, 'yearStart', /första/],
    ['too long', { yearStart: '2026-01-01', yearEnd: '2027-07-31' }, 'yearEnd', /arton/],
    ['only a start', { yearStart: '2026-01-01' }, 'yearEnd', /ÅÅÅÅ-MM-DD/],
    [
      'sole trader with a broken year',
      { organizationNumber: '811218-9876', yearStart: '2026-07-01', yearEnd: '2027-06-30' },
      'yearEnd',
      /enskild näringsidkare/,
    ],
    ['e-mail', { email: 'asa' }, 'email', /e-postadress/],
    ['short password', { password: 'kort', passwordAgain: 'kort' }, 'password', /minst 10/],
    ['another password', { passwordAgain: 'något annat' }, 'passwordAgain', /inte lika/],
  ];
  await open();
  for (const [what, wrong, name, sentence] of refusals) {
    const answer = await visitor.submit('/kom-igang', {
      ...answers,
      ownerName: '<b>Åsa</b>',
      ...wrong,
    });
    expect([what, answer.statusCode]).toEqual([what, 400]);
    const [, error = ''] = new RegExp(`id="f-${name}-error">([^<]*)<`).exec(answer.body) ?? [];
    expect(error, what).toMatch(sentence);
    expect(answer.body).toContain('value="&lt;b&gt;Åsa&lt;/b&gt;"');
    expect(answer.body).not.toContain('rätt häst');
  }
  expect(await written()).toEqual(nothing);
});

test('a company that the command line made is left alone; only the owner is asked for', async () => {
  await withTx(installation.owner, (tx) => setUp(tx, testCompany, 'cli'));
  await open();
  const form = await visitor.get('/kom-igang');
  expect(form.body).toContain('Testbolaget AB är upplagt');
  expect(form.body).not.toContain('Organisationsnummer');
  const done = await visitor.submit('/kom-igang', { ...answers, company: 'Kapat AB' });
  expect(done.statusCode).toBe(200);
  const company = await one(sql`select name, organization_number from restricted.company`);
  expect(company).toEqual({ name: 'Testbolaget AB', organization_number: '5567026934' });
});

describe('a SIE file', () => {
  const sie = (encode: (text: string) => Buffer, extra = '') =>
    encode(
      [
        '#FLAGGA 0',
        '#FORMAT PC8',
        '#SIETYP 4',
        '#FNAMN "Räksmörgås i Åmål AB"',
        '#ORGNR 556702-6934',
        '#RAR 0 20260701 20270630',
        '#KONTO 1930 "Företagskonto Åmål"',
        '#KTYP 1930 T',
        '#SRU 1930 7281',
        '#KONTO 2091 "Balanserad vinst"',
        '#KTYP 2091 S',
        '#KONTO 2611 "Utgående moms"',
        '#KONTO 3001 "Försäljning <script>alert(1)</script>"',
        '#KONTO 6991 "Övrigt \\"blandat\\""',
        '#KONTO 19301 "Underkonto"',
        extra,
      ].join('\r\n'),
    );
  const pc8 = (text: string): Buffer => {
    const bytes: Readonly<Record<string, number>> = {
      å: 0x86,
      ä: 0x84,
      ö: 0x94,
      Å: 0x8f,
      Ä: 0x8e,
      Ö: 0x99,
    };
    return Buffer.from([...text].map((letter) => bytes[letter] ?? letter.charCodeAt(0)));
  };

  async function send(file: Buffer, fields: Readonly<Record<string, string>> = {}) {
    const form = await visitor.get('/kom-igang?fran=sie');
    const boundary = 'gränslöst'.replace('ä', 'a').replace('ö', 'o');
    const parts = Object.entries({
      ...tokensOf(form.body),
      ...answers,
      company: '',
      organizationNumber: '',
      chart: 'sie',
      ...fields,
    }).map(
      ([name, value]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="bok.se"\r\ncontent-type: text/plain\r\n\r\n`;
    return installation.app.inject({
      method: 'POST',
      url: '/kom-igang',
      headers: {
        accept: 'text/html',
        'content-type': `multipart/form-data; boundary=${boundary}`,
        cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      payload: Buffer.concat([
        Buffer.from(parts.join('') + head),
        file,
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ]),
    });
  }

  test.each([
    ['CP437', pc8],
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['Latin-1', (text: string) => Buffer.from(text, 'latin1')],
  ])('in %s gives chart, name, number and year', async (_name, encode) => {
    await open();
    const done = await send(sie(encode));
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('5 konton ur filen');
    expect(done.body).toContain('inte med: 19301');
    expect(await one(sql`select name, organization_number from restricted.company`)).toEqual({
      name: 'Räksmörgås i Åmål AB',
      organization_number: '5567026934',
    });
    expect(await one(sql`select year, start_date, end_date from ledger.fiscal_years`)).toEqual({
      year: 2027,
      start_date: '2026-07-01',
      end_date: '2027-06-30',
    });
    const accounts = await db(installation.owner).query(sql`select number, name, type, vat_code, sru
      from ledger.accounts where number in (1930, 2091, 2611, 3001, 6991, 3740, 5010) order by number`);
    expect(accounts).toEqual([
      { number: 1930, name: 'Företagskonto Åmål', type: 'asset', vat_code: null, sru: '7281' },
      { number: 2091, name: 'Balanserad vinst', type: 'equity', vat_code: null, sru: '7302' },
      { number: 2611, name: 'Utgående moms', type: 'liability', vat_code: 'U1', sru: '7369' },
      expect.objectContaining({ number: 3001, type: 'revenue', vat_code: 'MP1' }),
      expect.objectContaining({ number: 3740, type: 'revenue' }),
      { number: 6991, name: 'Övrigt "blandat"', type: 'cost', vat_code: null, sru: '7513' },
    ]);
  });

  test('what is typed goes before what the file says', async () => {
    await open();
    await send(sie(pc8), {
      company: 'Annat AB',
      organizationNumber: '5560360793',
      yearStart: '2026-01-01',
      yearEnd: '2026-12-31',
    });
    expect(await one(sql`select name, organization_number from restricted.company`)).toEqual({
      name: 'Annat AB',
      organization_number: '5560360793',
    });
  });

  test.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]), /ingen SIE-fil/],
    ['no accounts', Buffer.from('#FLAGGA 0\r\n#FNAMN "X"\r\n'), /inga konton/],
  ])(
    'that is %s is refused at its field, and nothing is written',
    async (_what, file, sentence) => {
      await open();
      const answer = await send(file, { company: 'X', organizationNumber: '5567026934' });
      expect(answer.statusCode).toBe(400);
      expect(/id="f-file-error">([^<]*)</.exec(answer.body)?.[1]).toMatch(sentence);
      expect(await written()).toEqual(nothing);
    },
  );

  test('is kept when something else was wrong, and nothing of it is asked for again', async () => {
    await open();
    const answer = await send(sie(pc8), { email: 'fel' });
    expect(answer.statusCode).toBe(400);
    expect(await written()).toEqual(nothing);
    const done = await visitor.post('/kom-igang', {
      ...hiddenOf(answer.body),
      ...answers,
      chart: 'sie',
      company: 'Räksmörgås',
    });
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('5 konton ur filen');
  });

  test('that is too large is told what to do with, which is not to divide it', async () => {
    await open();
    const told = await send(Buffer.alloc(10 * 1024 * 1024 + 1, '#FLAGGA 0'), { step: 'file' });
    expect(told.statusCode).toBe(400);
    expect(textOfPage(told.body)).toContain('bok.se: en SIE-fil får här vara högst 10 MiB');
    expect(textOfPage(told.body)).toContain('SIE typ 1');
  });

  test('is read first, and what is in doubt is decided on before anything is written', async () => {
    await open();
    const doubtful = [
      '#KONTO 2612 "Moms 6%"',
      '#KONTO 3011 "FSG 25% <MOMS>"',
      '#KONTO 2440 "Leverantörsskulder"',
      '#KTYP 2440 T',
      '#KONTO 5010 "Lokalhyra"',
      '#SRU 5010 7321',
    ].join('\r\n');
    const step = await send(sie(pc8, doubtful), { step: 'file' });
    expect(step.statusCode).toBe(200);
    expect(await written()).toEqual(nothing);
    expect(step.body).toContain('value="Räksmörgås i Åmål AB"');
    expect(step.body).toContain('value="556702-6934"');
    expect(step.body).toContain('FSG 25% &lt;MOMS&gt;');
    expect(step.body).toMatch(/name="vat_3011"[^>]*>\s*<option value="MP1" selected/);
    const sent = {
      ...hiddenOf(step.body),
      ...answers,
      chart: 'sie',
      organizationNumber: '556702-6934',
      vat_3011: 'MP1',
    };
    const undecided = await visitor.post('/kom-igang', sent);
    expect(undecided.statusCode).toBe(400);
    expect(await written()).toEqual(nothing);
    for (const path of ['vat_2612', 'types', 'sruCodes']) {
      expect(undecided.body).toContain(`id="f-${path}-error"`);
    }
    const done = await visitor.post('/kom-igang', {
      ...sent,
      ...hiddenOf(undecided.body),
      vat_2612: 'U3',
      types: 'usual',
      sruCodes: 'file',
    });
    expect(done.statusCode).toBe(200);
    const accounts = await db(
      installation.owner,
    ).query(sql`select number, type, vat_code, vat_rate, sru
      from ledger.accounts where number in (2440, 2612, 3011, 5010) order by number`);
    expect(accounts).toEqual([
      { number: 2440, type: 'liability', vat_code: null, vat_rate: null, sru: '7365' },
      { number: 2612, type: 'liability', vat_code: 'U3', vat_rate: 6, sru: '7369' },
      { number: 3011, type: 'revenue', vat_code: 'MP1', vat_rate: 25, sru: '7410' },
      { number: 5010, type: 'cost', vat_code: null, vat_rate: null, sru: '7321' },
    ]);
  });

  test.each(['', 'AAAA', keepChartOf('{"accounts":[{"number":1}]}')])(
    'that somebody made up (%s) is no file',
    async (kept) => {
      await open();
      const form = await visitor.get('/kom-igang?fran=sie');
      const answer = await visitor.post('/kom-igang', {
        ...tokensOf(form.body),
        ...answers,
        chart: 'sie',
        sie: kept,
      });
      expect(answer.statusCode).toBe(400);
      expect(await written()).toEqual(nothing);
    },
  );
});

test('the BAS chart has every account of the file it is read from', async () => {
  await open();
  await visitor.submit('/kom-igang', answers);
  const csv = await readFile(
    new URL('../../src/ledger/accounts/bas-base-chart.csv', import.meta.url),
    'utf8',
  );
  const { accounts } = (await written()) as { accounts: number };
  expect(accounts).toBe(csv.trim().split('\n').length - 1);
});
