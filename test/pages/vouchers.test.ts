import type { Response } from 'light-my-request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { bookInvoices } from '#src/sales/invoices/service.ts';
import { ledgerVoucher, post, refusalOf, row } from '../database/books.ts';
import { countVouchers, createInstallation, type Installation } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { multipartOf, type SentFile } from '../support/multipart.ts';
import { type LoggedIn, logIn, tokensOf, visit } from '../support/person.ts';

const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202e${'å'.repeat(60)}`;
const escaped = '&lt;script&gt;alert(1)&lt;/script&gt;';
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

let installation: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  [person, reader] = await Promise.all([
    logIn(installation, 'medarbetare'),
    logIn(installation, 'lasare'),
  ]);
});
afterAll(() => installation.close());

/** A voucher form as the browser fills it: rows as account, debit, credit. */
function voucherForm(
  rows: readonly (readonly [account: string, debit: string, credit: string])[],
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const typed = rows.flatMap(([account, debit, credit], place) => [
    [`rows[${place}].account`, account],
    [`rows[${place}].debit`, debit],
    [`rows[${place}].credit`, credit],
    [`rows[${place}].note`, ''],
  ]);
  return {
    seriesCode: 'A',
    date: '2026-05-15',
    description: 'Kontorsmaterial',
    counterparty: '',
    ...Object.fromEntries(typed),
    ...more,
  };
}
const rent = [
  ['5010 Lokalhyra', '1 000,50', ''],
  ['1930', '', '1000.50'],
] as const;

const idIn = ({ headers }: Response): string => String(headers['location']).split('/').at(-1) ?? '';

async function posted(overrides: Parameters<typeof ledgerVoucher>[0] = {}): Promise<string> {
  const id = uuid();
  const [outcome] = await post(installation.owner, [ledgerVoucher({ id, ...overrides })]);
  expect(outcome?.error).toBeNull();
  return id;
}

async function upload(
  who: LoggedIn,
  voucherId: string,
  files: readonly SentFile[],
  tokens?: Record<string, string>,
): Promise<Response> {
  const own = tokens ?? tokensOf((await who.get(`/verifikat/${voucherId}`)).body);
  const { payload, headers } = multipartOf(own, files);
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return installation.app.inject({
    method: 'POST',
    url: `/verifikat/${voucherId}/bilagor`,
    headers: { ...headers, accept: 'text/html', cookie },
    payload,
  });
}

/** The addresses of a voucher's attachments, in order. */
async function attachmentsOf(voucherId: string): Promise<string[]> {
  const { body } = await person.get(`/verifikat/${voucherId}`);
  return [...new Set([...body.matchAll(/\/bilagor\/([0-9a-f-]{36})/g)].map(([, id = '']) => id))];
}

describe('a new voucher', () => {
  test('is posted from the form and shown with its rows, sums and who posted it', async () => {
    const answer = await person.submit('/verifikat/ny', voucherForm(rent));
    expect(answer.statusCode).toBe(303);
    const { body } = await person.get(String(answer.headers['location']));
    expect(body).toMatch(/A\d+ är bokfört\./);
    expect(body).toContain('Lokalhyra');
    expect(body.match(/1\u00a0000,50/g)?.length).toBeGreaterThanOrEqual(4);
    expect(body).toContain('Test medarbetare');
    expect(body).toContain('Manuellt');
  });

  test('sent twice is posted once, also at the same moment', async () => {
    const { body } = await person.get('/verifikat/ny');
    const before = await countVouchers(installation.owner);
    const fields = { ...tokensOf(body), ...voucherForm(rent) };
    const answers = await Promise.all([1, 2, 3].map(() => person.post('/verifikat/ny', fields)));
    expect(new Set(answers.map(({ headers }) => headers['location'])).size).toBe(1);
    expect(await countVouchers(installation.owner)).toBe(before + 1);
  });

  test('that does not balance tells by how much, and keeps what was typed', async () => {
    const rows = [
      ['5010', '100', ''],
      ['', '', ''],
      ['1930', '', '90,50'],
    ] as const;
    const { statusCode, body } = await person.submit('/verifikat/ny', voucherForm(rows));
    expect(statusCode).toBe(400);
    expect(body).toContain('Verifikatet balanserar inte');
    expect(body).toContain('Skillnad 9,50');
    expect(body).toContain('name="rows[2].credit" value="90,50"');
  });

  test.each([
    ['rows-0-account', { 'rows[0].account': 'hyra' }, 'fyra siffror'],
    ['rows-0-account', { 'rows[0].account': '5999' }, 'Kontot 5999 finns inte i kontoplanen'],
    ['rows-0-debit', { 'rows[0].debit': '12x' }, 'Skriv ett belopp'],
    ['rows-0-debit', { 'rows[0].credit': '5' }, 'både debet och kredit'],
    ['rows-0-debit', { 'rows[0].debit': '' }, 'saknar belopp'],
    ['date', { date: '2026-02-30' }, 'Skriv ett datum som finns'],
    ['date', { date: '2031-01-01' }, 'utanför alla räkenskapsår'],
    ['seriesCode', { seriesCode: 'Q' }, 'Serien Q finns inte'],
    ['description', { description: ' ' }, 'Fyll i fältet'],
    ['rows-0-note', { 'rows[0].note': 'x'.repeat(501) }, 'Högst 500 tecken'],
  ])('%s says what is wrong with it: %o', async (id, changed, sentence) => {
    const answer = await person.submit('/verifikat/ny', voucherForm(rent, changed));
    expect([400, 422]).toContain(answer.statusCode);
    const [, error] = new RegExp(`id="f-${id}-error"[^>]*>([^<]*)`).exec(answer.body) ?? [];
    expect(error).toContain(sentence);
  });

  test('an empty row between others moves no error to another row', async () => {
    const rows = [
      ['', '', ''],
      ['5010', '10', ''],
      ['5998', '', '10'],
    ] as const;
    const { body } = await person.submit('/verifikat/ny', voucherForm(rows));
    expect(body).toContain('id="f-rows-2-account-error"');
    expect(body).not.toContain('id="f-rows-1-account-error"');
  });

  test('"Fler rader" without script keeps everything, posts nothing and refuses nothing', async () => {
    const before = await countVouchers(installation.owner);
    const more = { wish: 'more_rows', 'rows[0].debit': '12x' };
    const { statusCode, body } = await person.submit('/verifikat/ny', voucherForm(rent, more));
    expect(statusCode).toBe(200);
    expect(body).toContain('name="rows[6].account"');
    expect(body).toContain('value="12x"');
    expect(await countVouchers(installation.owner)).toBe(before);
  });

  test('takes its documents along, and posts nothing when one of them is refused', async () => {
    const send = async (bytes: Buffer) => {
      const { body } = await person.get('/verifikat/ny');
      const file = { name: 'files', fileName: 'kvitto.pdf', bytes };
      const { payload, headers } = multipartOf({ ...tokensOf(body), ...voucherForm(rent) }, [file]);
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const all = { ...headers, accept: 'text/html', cookie };
      return installation.app.inject({
        method: 'POST',
        url: '/verifikat/ny',
        headers: all,
        payload,
      });
    };
    const before = await countVouchers(installation.owner);
    const refused = await send(Buffer.from('MZ\0\0'));
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('kvitto.pdf: Filen är inte PDF');
    expect(await countVouchers(installation.owner)).toBe(before);
    expect(await attachmentsOf(idIn(await send(pdf)))).toHaveLength(1);
  });

  test('a thousand rows fit in the form with files', async () => {
    const fields: Record<string, string> = voucherForm([]);
    for (let place = 0; place < 1000; place += 1) {
      fields[`rows[${place}].account`] = '1930';
      fields[`rows[${place}].${place % 2 ? 'credit' : 'debit'}`] = '1';
      fields[`rows[${place}].note`] = 'rad';
      fields[`rows[${place}].cost_center`] = '';
    }
    const { body } = await person.get('/verifikat/ny');
    const { payload, headers } = multipartOf({ ...tokensOf(body), ...fields }, []);
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { ...headers, accept: 'text/html', cookie };
    const request = { method: 'POST', url: '/verifikat/ny', headers: all, payload } as const;
    expect((await installation.app.inject(request)).statusCode).toBe(303);
  });
});

describe('rows’ own VAT codes', () => {
  const loss = [
    ['6351', '100', ''],
    ['2611', '25', ''],
    ['1510', '', '125'],
  ] as const;
  const field = (no: number) => `name="rows[${no}].vat_code"`;
  const codesOf = (id: string) =>
    db(installation.owner).query<{ account: number; vat_code: string | null }>(
      sql`select account, vat_code from ledger.voucher_rows where voucher_id = ${id}::uuid
          order by row_no`,
    );

  test('have a column only when asked for, which stays with what was typed', async () => {
    expect((await person.get('/verifikat/ny')).body).not.toContain(field(0));
    const asked = await person.submit('/verifikat/ny', voucherForm(loss, { wish: 'vat_codes' }));
    expect(asked.body).toContain(field(3));
    expect(asked.body).toContain('name="rows[0].debit" value="100"');
    expect(asked.body).toContain('<option value="MP1">MP1 · 25 % · ruta 05</option>');
    expect(asked.body).not.toContain('value="vat_codes"');
    const more = { 'rows[0].vat_code': 'MP1', wish: 'more_rows' };
    const again = await person.submit('/verifikat/ny', voucherForm(loss, more));
    expect(again.body).toContain(`${field(0)} value="MP1"`);
    expect(again.body).toContain(field(7));
  });

  test('are posted, shown where the account says otherwise, and follow copies and corrections', async () => {
    const typed = voucherForm(loss, { 'rows[0].vat_code': 'mp1', 'rows[1].vat_code': '' });
    const id = idIn(await person.submit('/verifikat/ny', typed));
    const codes = [
      { account: 6351, vat_code: 'MP1' },
      { account: 2611, vat_code: 'U1' },
      { account: 1510, vat_code: null },
    ];
    expect(await codesOf(id)).toEqual(codes);
    expect((await person.get(`/verifikat/${id}`)).body).toContain('>Momskod</th>');
    expect((await person.get(`/verifikat/${await posted()}`)).body).not.toContain('Momskod');

    const copy = await person.get(`/verifikat/ny?kopia=${id}`);
    expect(copy.body).toContain(`${field(0)} value="MP1"`);
    expect(copy.body).toContain(`${field(1)} value=""`);
    const corrected = await person.submit(`/verifikat/${id}/ratta`, {
      date: '2026-05-15',
      description: 'Fel kund',
    });
    expect(await codesOf(idIn(corrected))).toEqual(codes);
  });

  test('follow a template', async () => {
    const form = voucherForm(loss, {
      'rows[0].vat_code': 'MP1',
      wish: 'save_template',
      templateName: 'Kundförlust',
    });
    expect((await person.submit('/verifikat/ny', form)).statusCode).toBe(303);
    const { body } = await person.get('/verifikat/mallar');
    const [, id = ''] = /mall=([0-9a-f-]{36})/.exec(body) ?? [];
    expect((await person.get(`/verifikat/ny?mall=${id}`)).body).toContain(
      `${field(0)} value="MP1"`,
    );
    await person.submit(`/verifikat/mallar/${id}/ta-bort`, {}, '/verifikat/mallar');
  });

  test('that no account has are refused at their row, and nothing is posted', async () => {
    const before = await countVouchers(installation.owner);
    const answer = await person.submit(
      '/verifikat/ny',
      voucherForm(loss, { 'rows[2].vat_code': 'MP9' }),
    );
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('id="f-rows-2-vat_code-error"');
    expect(answer.body).toContain('Inget konto har momskoden MP9');
    expect(await countVouchers(installation.owner)).toBe(before);
  });

  test('are taken back also when no account has them any more, or the account has got one', async () => {
    await installation.owner.query(
      `update ledger.accounts set vat_code = 'EGEN' where number = 3690`,
    );
    const rows = [
      ['3690', '', '100'],
      ['1930', '100', ''],
    ] as const;
    const id = idIn(await person.submit('/verifikat/ny', voucherForm(rows)));
    await installation.owner.query(
      `update ledger.accounts set vat_code = 'MP1' where number = 3690`,
    );
    await installation.owner.query(
      `update ledger.accounts set vat_code = 'U9' where number = 1930`,
    );
    try {
      const taken = await person.submit(`/verifikat/${id}/ratta`, {
        date: '2026-05-15',
        description: 'Fel',
      });
      expect(await codesOf(idIn(taken))).toEqual([
        { account: 3690, vat_code: 'EGEN' },
        { account: 1930, vat_code: null },
      ]);
    } finally {
      await installation.owner.query(
        `update ledger.accounts set vat_code = null where number = 1930`,
      );
    }
  });
});

describe('templates', () => {
  test('are saved without balancing, begin a voucher, refuse a name twice and are removed', async () => {
    const rows = [
      ['5010', '8000', ''],
      ['1930', '', ''],
    ] as const;
    const form = voucherForm(rows, {
      wish: 'save_template',
      templateName: `Hyra ${hostile}`.slice(0, 90),
    });
    expect((await person.submit('/verifikat/ny', form)).statusCode).toBe(303);
    const list = await person.get('/verifikat/mallar');
    expect(list.body).toContain(`Hyra ${escaped}`);
    expect(list.body).not.toContain('<script>alert');
    const again = await person.submit('/verifikat/ny', form);
    expect(again.statusCode).toBe(422);
    expect(again.body).toContain('id="f-templateName-error"');
    const [, id = ''] = /mall=([0-9a-f-]{36})/.exec(list.body) ?? [];
    const begun = await person.get(`/verifikat/ny?mall=${id}`);
    expect(begun.body).toContain('name="rows[0].debit" value="8\u00a0000,00"');
    const gone = await person.submit(`/verifikat/mallar/${id}/ta-bort`, {}, '/verifikat/mallar');
    expect(gone.statusCode).toBe(303);
    expect((await person.get('/verifikat/mallar')).body).toContain('Inga mallar än');
    expect((await person.get(`/verifikat/ny?mall=${id}`)).statusCode).toBe(404);
  });
});

describe('the list', () => {
  beforeAll(async () => {
    await post(installation.owner, [
      ledgerVoucher({
        date: '2026-07-01',
        description: 'Inköp Överskottslager 100%',
        source: 'butik',
      }),
      ledgerVoucher({
        date: '2026-07-02',
        series: 'P',
        counterparty: hostile,
        description: hostile,
      }),
    ]);
    const many = Array.from({ length: 120 }, (_, n) =>
      ledgerVoucher({
        date: '2026-08-01',
        description: `Många ${n}`,
        rows: [row(1930, 100 + n), row(1940, -100 - n)],
      }),
    );
    const outcomes = await post(installation.owner, many);
    expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
  });
  const labels = (body: string) =>
    [...body.matchAll(/row-link" href="\/verifikat\/[0-9a-f-]+">([^<]+)/g)].map(
      ([, label]) => label,
    );

  test.each([
    ['sok=överskott', 1],
    ['sok=100%25', 1],
    ['sok=_', 0],
    ['serie=P', 1],
    ['ursprung=butik', 1],
    ['underlag=saknas&serie=P', 1],
    ['fran=2026-07-01&till=2026-07-01', 1],
    ['belopp=1,05', 1],
    ['belopp=1,05–1,09', 5],
    ['konto=1940&belopp=1,05-1,06', 2],
    ['konto=1940 Något&sok=många 77', 1],
    ['konto=1940&serie=P', 0],
    ['sok=finns inte', 0],
  ])('?%s finds %i', async (query, expected) => {
    const { statusCode, body } = await reader.get(
      `/verifikat?${encodeURI(query).replaceAll('%2525', '%25')}`,
    );
    expect(statusCode).toBe(200);
    expect(labels(body)).toHaveLength(expected);
    expect(body).toContain('dolda av filtret');
  });

  test.each([
    'sok=många',
    'konto=1940',
    'serie=A&fran=2026-08-01',
    'till=2026-08-01&fran=2026-08-01',
  ])('pages through ?%s, each voucher once, newest first', async (query) => {
    const seen: string[] = [];
    let next: string | undefined = `/verifikat?${encodeURI(query)}`;
    for (let pages = 0; next !== undefined && pages < 5; pages += 1) {
      const { body }: Response = await reader.get(next);
      seen.push(...labels(body).map(String));
      next = /href="([^"]*)" rel="next"/
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=');
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    const numbers = seen.map((label) => Number(label.slice(1)));
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
  });

  test('a place in another list is refused, not taken for page one', async () => {
    const queries = [
      'efter=2026-08-01~12~A&serie=P',
      'efter=x',
      'efter=2026-08-01~12~A&till=2026-07-01',
    ];
    for (const query of queries) {
      expect((await reader.get(`/verifikat?${query}`)).statusCode).toBe(400);
    }
  });

  test('a filter that cannot be read says so at its field, and shows no list', async () => {
    const { body } = await reader.get('/verifikat?belopp=abc&fran=2026-02-31&konto=x');
    expect(body.match(/class="error"/g)).toHaveLength(3);
    expect(labels(body)).toEqual([]);
  });

  test('hostile texts are only texts, in the list and on the voucher', async () => {
    const { body } = await reader.get('/verifikat?serie=P');
    expect(body).toContain(escaped);
    expect(body).not.toContain('<script>alert');
    const [, id = ''] = /row-link" href="\/verifikat\/([0-9a-f-]+)/.exec(body) ?? [];
    const page = await reader.get(`/verifikat/${id}`);
    expect(page.body).not.toContain('<script>alert');
    expect(page.body).not.toContain('<img src=x');
    const search = await reader.get(
      `/verifikat?sok=${encodeURIComponent(hostile)}&ursprung="><script>`,
    );
    expect(search.body).not.toContain('<script>alert');
  });

  test('a label leads straight to its voucher', async () => {
    const { body } = await reader.get('/verifikat?sok=p1');
    expect(body).toMatch(/Gå till <a href="\/verifikat\/[0-9a-f-]+">P1 \(2026\)/);
  });

  test('tells the first and last number of each series, and what the check of the books found', async () => {
    const finding = {
      kind: 'gap',
      series: 'A',
      year: 2026,
      number: 7,
      message: 'Nummer 5–6 saknas.',
    };
    const check = (problems: object[]) =>
      db(installation.owner).query(
        sql`insert into audit.verifications (id, actor, vouchers, problems)
            values (${uuid()}, 'test', 1, ${JSON.stringify(problems)}::jsonb)`,
      );
    await check([finding]);
    expect((await reader.get('/verifikat')).body).toContain('A (2026): Nummer 5–6 saknas.');
    await check([]);
    const { body } = await reader.get('/verifikat');
    expect(body).toContain('Inga nummer saknas.');
    expect(body).toMatch(/P Periodiseringar<\/td><td class="number">1<\/td><td class="number">1</);
  });
});

describe('one voucher', () => {
  test('opens from a cold browser through the log-in', async () => {
    const id = await posted();
    const cold = visit(installation);
    const sent = await cold.get(`/verifikat/${id}`);
    expect(sent.headers['location']).toBe(
      `/logga-in?till=${encodeURIComponent(`/verifikat/${id}`)}`,
    );
    const answer = await cold.submit('/logga-in', {
      email: reader.email,
      password: 'rätt häst batteri',
      till: `/verifikat/${id}`,
    });
    expect(answer.headers['location']).toBe(`/verifikat/${id}`);
    expect((await cold.get(`/verifikat/${id}`)).statusCode).toBe(200);
  });

  test('names the key that posted it, for a reader who may not see keys', async () => {
    const answer = await installation.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: {
        seriesCode: 'A',
        date: '2026-03-31',
        description: 'Från kassan',
        rows: [
          { account: 1930, debit: 1, credit: 0 },
          { account: 3001, debit: 0, credit: 1 },
        ],
      },
    });
    const { id, url } = answer.json();
    expect(url).toBe(`https://bok.example/verifikat/${id}`);
    expect((await reader.get(`/verifikat/${id}`)).body).toContain('API-nyckeln Test');
  });

  test.each(['x', uuid(), '..%2f..', "'%20or%201=1"])('%s is no voucher', async (id) => {
    expect((await reader.get(`/verifikat/${id}`)).statusCode).toBe(404);
  });

  test('of an invoice links to it, and is not taken back here', async () => {
    const [invoiceId = ''] = await makeDrafts(installation.owner, [100n]);
    await withTx(installation.owner, (tx) => bookInvoices(tx, [invoiceId], 'test'));
    const [invoice] = await db(installation.owner).query<{ voucher_id: string }>(
      sql`select voucher_id from sales.invoices where id = ${invoiceId}`,
    );
    const invoiceVoucher = `/verifikat/${invoice?.voucher_id}`;
    const { body } = await person.get(invoiceVoucher);
    expect(body).toContain(`href="/kundfakturor/${invoiceId}"`);
    expect(body).toContain('kreditera fakturan i stället');
    expect(body).not.toContain(`${invoiceVoucher}/ratta`);
    const form = { date: '2026-11-20', description: 'x' };
    const id = await posted();
    const tokens = tokensOf((await person.get(`/verifikat/${id}/ratta`)).body);
    const forced = await person.post(`${invoiceVoucher}/ratta`, { ...tokens, ...form });
    expect(forced.statusCode).toBe(422);
    expect(forced.body).toContain('kreditera fakturan i stället');
  });
});

describe('attachments', () => {
  test('are shown, served as what they are and nothing else, and noted in the history', async () => {
    const id = await posted();
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(8)]);
    const files = [
      { name: 'files', fileName: 'kvitto å "ä" ö.pdf', bytes: pdf },
      { name: 'files', fileName: '../../etc/passwd', bytes: png, type: 'text/html' },
      {
        name: 'files',
        fileName: 'sida.html',
        bytes: '<script>alert(1)</script>',
        type: 'text/html',
      },
      { name: 'files', fileName: `${hostile}.xml`, bytes: '<?xml version="1.0"?><a/>' },
    ];
    expect((await upload(person, id, files)).statusCode).toBe(303);
    const { body } = await reader.get(`/verifikat/${id}`);
    expect(body).toContain('Bilaga: passwd');
    expect(body).not.toContain('<script>alert');
    const [first = '', second = '', third = '', fourth = ''] = await attachmentsOf(id);
    const get = (attachment: string) => reader.get(`/verifikat/${id}/bilagor/${attachment}`);
    const answers = await Promise.all([first, second, third, fourth].map(get));
    expect(answers.map(({ headers }) => headers['content-type']).sort()).toEqual([
      'application/pdf',
      'application/xml; charset=utf-8',
      'image/png',
      'text/plain; charset=utf-8',
    ]);
    for (const { headers, statusCode } of answers) {
      expect(statusCode).toBe(200);
      expect(headers['x-content-type-options']).toBe('nosniff');
      // Chrome and Safari show no PDF in a sandbox.
      const isPdf = headers['content-type'] === 'application/pdf';
      expect(headers['content-security-policy']).toMatch(
        isPdf ? /^frame-ancestors 'self'$/ : /\bsandbox\b.*frame-ancestors 'self'/,
      );
      expect(headers['x-frame-options']).toBe('SAMEORIGIN');
      const isShown = /pdf|png/.test(String(headers['content-type']));
      expect(headers['content-disposition']).toMatch(isShown ? /^inline; / : /^attachment; /);
      expect(String(headers['content-disposition'])).toMatch(/^[\x20-\x7e]+$/);
    }
    const download = await reader.get(`/verifikat/${id}/bilagor/${first}?hamta=1`);
    expect(download.headers['content-disposition']).toMatch(/^attachment; /);
    expect(download.rawPayload.equals(pdf)).toBe(true);
  });

  test('an id of another voucher, a forged one or a path is not there', async () => {
    const [id, other] = [await posted(), await posted()];
    await upload(person, id, [{ name: 'files', fileName: 'a.pdf', bytes: pdf }]);
    const [attachment = ''] = await attachmentsOf(id);
    expect((await reader.get(`/verifikat/${id}/bilagor/${attachment}`)).statusCode).toBe(200);
    const tricks = [attachment, uuid(), '..%2f..%2fetc%2fpasswd', `${attachment}%00`, '1'];
    for (const trick of tricks) {
      expect((await reader.get(`/verifikat/${other}/bilagor/${trick}`)).statusCode).toBe(404);
    }
    expect(
      (await visit(installation).get(`/verifikat/${id}/bilagor/${attachment}`)).statusCode,
    ).toBe(303);
  });

  test('a program, an empty file and no file are refused at the field, each by name', async () => {
    const id = await posted();
    const refusals = [
      [[{ name: 'files', fileName: 'spel.exe', bytes: 'MZ\0' }], 'spel.exe: Filen är inte PDF'],
      [[{ name: 'files', fileName: 'tom.pdf', bytes: '' }], 'tom.pdf: Filen är tom'],
      [[], 'Välj minst en fil'],
    ] as const;
    for (const [files, sentence] of refusals) {
      const answer = await upload(person, id, files);
      expect([400, 422]).toContain(answer.statusCode);
      expect(answer.body).toContain(sentence);
    }
    const half = await upload(person, id, [
      { name: 'files', fileName: 'bra.pdf', bytes: pdf },
      { name: 'files', fileName: 'spel.exe', bytes: 'MZ\0' },
    ]);
    expect(half.statusCode).toBe(422);
    expect(await attachmentsOf(id)).toEqual([]);
  });

  test('a file over 10 MiB gets a page that says so', async () => {
    const id = await posted();
    const bytes = Buffer.alloc(10 * 1024 * 1024 + 1, '%PDF-');
    const answer = await upload(person, id, [{ name: 'files', fileName: 'stor.pdf', bytes }]);
    expect(answer.statusCode).toBe(413);
    expect(answer.body).toContain('högst 10 MiB');
    expect(await attachmentsOf(id)).toEqual([]);
  });

  test('a form from another site adds nothing', async () => {
    const id = await posted();
    const file = { name: 'files', fileName: 'a.pdf', bytes: pdf };
    expect((await upload(person, id, [file], {})).statusCode).toBe(403);
    expect(await attachmentsOf(id)).toEqual([]);
  });
});

describe('a correction', () => {
  const correct = (id: string, more: Record<string, string> = {}) =>
    person.submit(`/verifikat/${id}/ratta`, {
      date: '2026-03-31',
      description: 'Rättelse: fel konto',
      ...more,
    });

  test('takes the voucher back, links both ways, and cannot be done twice', async () => {
    const id = await posted();
    const form = await person.get(`/verifikat/${id}/ratta`);
    expect(form.body).toContain('name="date" value="2026-03-31"');
    const answer = await correct(id);
    expect(answer.statusCode).toBe(303);
    const reversalId = idIn(answer);
    const reversal = await person.get(`/verifikat/${reversalId}`);
    expect(reversal.body).toContain(`href="/verifikat/${id}"`);
    expect(reversal.body).toContain('>Rättelse<');
    const corrected = await person.get(`/verifikat/${id}`);
    expect(corrected.body).toContain(`href="/verifikat/${reversalId}"`);
    expect(corrected.body).not.toContain(`/verifikat/${id}/ratta`);
    const [left] = await db(installation.owner).query<{ ore: bigint }>(
      sql`select sum(abs(net))::bigint as ore from (select sum(debit_ore - credit_ore) as net
            from ledger.voucher_rows where voucher_id in (${id}, ${reversalId}) group by account) s`,
    );
    expect(left?.ore).toBe(0n);
    expect((await person.get(`/verifikat/${id}/ratta`)).body).toContain('redan rättat');
    const tokens = tokensOf((await person.get('/verifikat/ny')).body);
    const again = await person.post(`/verifikat/${id}/ratta`, {
      ...tokens,
      date: '2026-03-31',
      description: 'igen',
    });
    expect(again.statusCode).toBe(422);
  });

  test('with a replacement posts three vouchers that know each other, documents included', async () => {
    const id = await posted();
    await upload(person, id, [{ name: 'files', fileName: 'a.pdf', bytes: pdf }]);
    const answer = await correct(id, {
      replaces: 'on',
      newDescription: 'Rätt den här gången',
      'rows[0].account': '5410',
      'rows[0].debit': '125',
      'rows[2].account': '1930',
      'rows[2].credit': '125',
    });
    const replacementId = idIn(answer);
    const { body } = await person.get(`/verifikat/${replacementId}`);
    expect(body).toContain('Rätt den här gången');
    expect(body).toContain('Rättelse: ersätter');
    expect(await attachmentsOf(replacementId)).toHaveLength(1);
    expect((await person.get(`/verifikat/${id}`)).body).toContain(
      `href="/verifikat/${replacementId}"`,
    );
  });

  test('with a faulty replacement posts nothing, and says so in its row', async () => {
    const id = await posted();
    const before = await countVouchers(installation.owner);
    const answer = await correct(id, {
      replaces: 'on',
      newDescription: 'x',
      'rows[1].account': '5999',
      'rows[1].debit': '1',
      'rows[3].account': '1930',
      'rows[3].credit': '1',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('id="f-rows-1-account-error"');
    expect(await countVouchers(installation.owner)).toBe(before);
  });

  test('by two people at once happens once', async () => {
    const id = await posted();
    const other = await logIn(installation, 'agare');
    const before = await countVouchers(installation.owner);
    const send = (who: LoggedIn) =>
      who.submit(`/verifikat/${id}/ratta`, { date: '2026-03-31', description: 'x' });
    const answers = await Promise.all([send(person), send(other)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422]);
    expect(await countVouchers(installation.owner)).toBe(before + 1);
  });

  test('is held true by the database: only a mirror takes back, and links never change', async () => {
    const [id, other] = [await posted(), await posted({ source: 'reversal' })];
    const link = `insert into ledger.corrections (corrected_id, reversal_id, created_by)`;
    const { owner } = installation;
    expect(await refusalOf(owner, `${link} values ('${id}', '${other}', 'x')`)).toBe(
      'corrections_take_back',
    );
    const mirror = ledgerVoucher().rows.map((row) => ({
      ...row,
      debitOre: row.creditOre,
      creditOre: row.debitOre,
    }));
    const [, , third] = mirror;
    expect(third).toBeDefined();
    const withoutCode = await posted({
      source: 'reversal',
      rows: mirror.map((row) => (row === third ? { ...row, vatCode: null } : row)),
    });
    expect(await refusalOf(owner, `${link} values ('${id}', '${withoutCode}', 'x')`)).toBe(
      'corrections_take_back',
    );
    await correct(id);
    expect(await refusalOf(owner, 'delete from ledger.corrections')).toBe('vouchers_are_immutable');
    expect(await refusalOf(owner, `update ledger.corrections set created_by = 'x'`)).toBe(
      'vouchers_are_immutable',
    );
  });
});

describe('locks', () => {
  test('are shown with who set them, and every refusal with the way out at the date', async () => {
    const id = await posted({ date: '2026-01-15' });
    const owner = await logIn(installation, 'agare');
    await withTx(installation.owner, (tx) =>
      setLock(tx, 'period', '2026-01-31', `user:${owner.id}`),
    );
    const { body } = await reader.get(`/verifikat/${id}`);
    expect(body).toMatch(/Perioden är låst till 2026-01-31, av Test agare, 20\d\d-/);
    expect(body).toContain('tidigast 2026-02-01');
    const form = await person.get(`/verifikat/${id}/ratta`);
    expect(form.body).toContain('name="date" value="2026-02-01"');
    const locked = { date: '2026-01-20', description: 'x' };
    for (const answer of [
      await person.submit('/verifikat/ny', voucherForm(rent, locked)),
      await person.submit(`/verifikat/${id}/ratta`, locked),
    ]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toMatch(/id="f-date-error">Perioden är låst[^<]*2026-02-01/);
    }
    await withTx(installation.owner, (tx) => setLock(tx, 'period', null, 'test'));
  });
});

test('a reader sees no button that writes, and is refused when writing all the same', async () => {
  const id = await posted();
  const { body } = await reader.get(`/verifikat/${id}`);
  expect(body).not.toContain('/ratta');
  expect(body).not.toContain('type="file"');
  expect((await reader.get('/verifikat')).body).not.toContain('/verifikat/ny');
  for (const url of ['/verifikat/ny', `/verifikat/${id}/ratta`]) {
    expect((await reader.get(url)).statusCode).toBe(403);
    expect((await reader.post(url, tokensOf(body))).statusCode).toBe(403);
  }
  const file = { name: 'files', fileName: 'a.pdf', bytes: pdf };
  expect((await upload(reader, id, [file])).statusCode).toBe(403);
  const template = `/verifikat/mallar/${uuid()}/ta-bort`;
  expect((await reader.post(template, tokensOf(body))).statusCode).toBe(403);
});
