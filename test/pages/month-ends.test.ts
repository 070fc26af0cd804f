/** Månadsavslut: what is in the way, said with links; a person's word; and the VAT period with it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAgencyKey } from '#src/access/agency/keys.ts';
import { createBankAccount } from '#src/bank/service.ts';
import { insertTransactions, upsertStatement } from '#src/bank/transaction-store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { createAccrual } from '#src/ledger/accruals/service.ts';
import { getLocks } from '#src/ledger/locks/store.ts';
import { getMonthEnds } from '#src/ledger/months/store.ts';
import { conditions } from '#src/pages/ledger/months/month-words.ts';
import { eInvoice } from '../support/e-invoice.ts';
import {
  createInstallation,
  type Installation,
  orderBody,
  TODAY,
  voucherBody,
} from '../support/installation.ts';
import { makeDrafts, makeInvoice } from '../support/invoices.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const HOME = '/manadsavslut';
let books: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let administrator: LoggedIn;
let owner: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  await withTx(books.owner, (tx) => changeSetting(tx, 'months-from', '2026-01', 'test'));
  reader = await logIn(books, 'lasare');
  keeper = await logIn(books, 'medarbetare');
  administrator = await logIn(books, 'administrator');
  owner = await logIn(books, 'agare');
});
afterAll(() => books.close());

const run = (statement: ReturnType<typeof sql>) => db(books.owner).query(statement);
const locks = () => getLocks(db(books.owner));
async function post(date: string, rows?: object[]) {
  const payload = voucherBody(rows ? { date, rows } : { date });
  return books.call({ method: 'POST', url: '/api/v1/verifikat', payload });
}
const plainRows = (account: number) => [
  { account, debit: 10, credit: 0 },
  { account: 1930, debit: 0, credit: 10 },
];
/** The addresses that the part of a page about its conditions links to. */
const linksOf = (html: string): string[] =>
  [
    ...(/<ul class="checks">[\s\S]*?<\/section>/.exec(html)?.[0].matchAll(/href="([^"]+)"/g) ?? []),
  ].map(([, href = '']) => href.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='));

test('a month with nothing in the way says so; the words know every condition', async () => {
  const { body, statusCode } = await reader.get(HOME);
  expect(statusCode).toBe(200);
  expect(body).toContain('januari 2026');
  expect(body).not.toContain('Återstår');
  expect(body).not.toContain('name="month"');
  // Nothing is said to agree that nothing is compared with.
  for (const account of [1510, 2440]) expect(body).toContain(`konto ${account} jämförs inte`);
  expect(body).toContain('Inget saldo är antecknat från banken');
  expect(body).not.toMatch(/är vad konto \d+ visar|bankens saldo är bokföringens/);
  const [{ names } = { names: [] as string[] }] = await db(books.owner).query<{ names: string[] }>(
    sql`select array(select m[1] from regexp_matches(
      pg_get_functiondef('ledger.failing_conditions'::regproc), 'select \\d+(?: as place)?, ''(\\w+)''', 'g') as m)
      as names`,
  );
  expect(Object.keys(conditions)).toEqual(names);
});

test('acknowledging offers the period lock to those who may lock', async () => {
  const page = await keeper.get(HOME);
  expect(page.body).toContain('tills en administratör låser');
  const forged = await keeper.post(HOME, { ...tokensOf(page.body), month: '2026-01', locks: 'on' });
  expect(forged.statusCode).toBe(403);
  expect((await reader.submit(HOME, { month: '2026-01' })).statusCode).toBe(403);
  expect((await keeper.submit(HOME, { month: '2026-01' })).statusCode).toBe(303);
  expect(await locks()).toMatchObject({ period_locked_to: null });

  const offered = await administrator.get(HOME);
  expect(offered.body).toMatch(/name="locks" value="on" checked/);
  const answer = await administrator.submit(HOME, { month: '2026-02', locks: 'on' });
  expect(answer.statusCode).toBe(303);
  expect(await locks()).toMatchObject({ period_locked_to: '2026-02-28' });
  expect((await post('2026-02-28')).json().detail.lock).toBe('period');
  const { body } = await reader.get(`${HOME}/2026-02`);
  expect(body).toContain('Kvitterad');
  expect(body).toContain('Test administrator');
});

test.each([
  ['without its month', {}, 'Formuläret kom utan fältet month.'],
  [
    'with two months',
    { month: ['2026-02', '2026-03'] },
    'Fältet month kom i en form som inte kan läsas.',
  ],
])('a form %s is told so in Swedish, with the way on', async (_, sent, sentence) => {
  const page = await keeper.get(HOME);
  const { body, statusCode } = await keeper.post(HOME, { ...tokensOf(page.body), ...sent });
  expect(statusCode).toBe(400);
  expect(body).toContain(`${sentence} Ladda om sidan och skicka det igen.`);
});

test('a month is opened again by an owner with a reason, the last first, and no lock is moved', async () => {
  const reopen = (month: string, reopenReason: string) =>
    owner.submit(`${HOME}/oppna`, { month, reopenReason }, `${HOME}/2026-02`);
  for (const one of [keeper, administrator]) {
    const page = await one.get(`${HOME}/2026-02`);
    expect(page.body).not.toContain('Öppna igen');
    const forged = { ...tokensOf(page.body), month: '2026-02', reopenReason: 'Fel' };
    expect((await one.post(`${HOME}/oppna`, forged)).statusCode).toBe(403);
  }
  const unsaid = await reopen('2026-02', '');
  expect(unsaid.statusCode).toBe(400);
  expect(unsaid.body).toContain('id="f-reopenReason-error"');
  const early = await reopen('2026-01', 'Fel');
  expect(early.statusCode).toBe(422);
  expect(early.body).toContain('öppna den först');
  expect((await reopen('2026-02', 'Sen <i>faktura</i>')).statusCode).toBe(303);
  expect(await locks()).toMatchObject({ period_locked_to: '2026-02-28' });
  const { body } = await reader.get(HOME);
  expect(body).toContain('Sen &lt;i&gt;faktura&lt;/i&gt;');
  // Another tab, which has not seen it, is not sent to open the month before.
  expect((await reopen('2026-02', 'Igen')).body).toContain('2026-02 är inte kvitterad.');
  expect((await keeper.submit(HOME, { month: '2026-02' })).statusCode).toBe(303);
});

test('a month that another tab has acknowledged says so, and offers nothing to send again', async () => {
  const acknowledged = { month: '2026-02', reason: 'Banken släpar' };
  const form = await owner.get(HOME);
  // Sent again, and coming back after a login.
  for (const sent of [acknowledged, { ...acknowledged, fortsatt: 'inloggad' }]) {
    const { body } = await owner.post(HOME, { ...tokensOf(form.body), ...sent });
    expect(body).toContain(
      '2026 är redan kvitterad.'.replace('2026', 'fortsatt' in sent ? 'Februari 2026' : '2026-02'),
    );
    expect(body).not.toContain('skicka det igen');
    expect(body).not.toMatch(/<details open>\s*<summary>Öppna/);
  }
});

test('the database keeps months in turn', async () => {
  const insert = (month: string) =>
    run(sql`insert into ledger.month_ends (month, acknowledged_by) values (${month}::date, 'x')`);
  await expect(insert('2026-09-01')).rejects.toThrow('is not acknowledged');
  const remove = run(sql`delete from ledger.month_ends where month = '2026-01-01'`);
  await expect(remove).rejects.toThrow('a later month');
});

async function bookPurchase(page: string): Promise<void> {
  await keeper.submit(`${page}/ny-leverantor`, {}, page);
  const rows = [
    ['4000', '1 000,00', ''],
    ['2641', '250,00', ''],
    ['2440', '', '1 250,00'],
  ].flatMap(([account = '', debit = '', credit = ''], index) => [
    [`rows[${index}].account`, account],
    [`rows[${index}].debit`, debit],
    [`rows[${index}].credit`, credit],
    [`rows[${index}].note`, ''],
  ]);
  const coding = { ...Object.fromEntries(rows), date: '2026-03-31', gor: 'bokfor' };
  expect((await keeper.submit(`${page}/kontering`, coding, page)).statusCode).toBe(303);
}

describe('a month with everything in the way', () => {
  beforeAll(async () => {
    await makeInvoice(books.owner, [{ quantityE4: 10_000n, unitPriceE4: 1_000_000n }]);
    await makeDrafts(books.owner, Array<bigint>(7).fill(100n));
    await run(sql`insert into ledger.accounts (number, name, type)
      values (2999, 'OBS-konto', 'liability') on conflict do nothing`);
    for (const account of [1510, 2440, 2999, 6110]) await post('2026-03-05', plainRows(account));
    await post('2026-03-05', [
      { account: 6110, debit: 10, credit: 0 },
      { account: 1910, debit: 0, credit: 10 },
    ]);
    const order = orderBody({ total: 1 });
    await books.call({ method: 'POST', url: '/api/inbound/order', payload: order });
    await run(sql`update intake.orders set created_at = '2026-03-10T12:00:00Z'`);
    const headers = { 'content-type': 'application/xml' };
    for (const number of ['F-1', 'F-2']) {
      const payload = eInvoice({ number });
      const url = '/api/inbound/peppol';
      const { draftId } = (await books.call({ method: 'POST', url, payload, headers })).json();
      if (number === 'F-1') await bookPurchase(`/leverantorsinkorg/${draftId}`);
    }
    await withTx(books.owner, async (tx) => {
      const { id: accountId } = await createBankAccount(
        tx,
        { name: 'B', ledgerAccount: 1930 },
        'x',
      );
      const line = { reference: '1', bookedOn: '2026-03-02', amountOre: 5n, description: '' };
      await insertTransactions(tx, accountId, [line]);
      await upsertStatement(tx, { accountId, closingDate: '2026-03-31', balanceOre: 1n });
      const wearing = {
        kind: 'depreciation',
        description: 'Kvarn',
        series: 'P',
        amountOre: 100n,
        firstMonth: '2026-03-01',
        months: 1,
        movedOn: null,
        sharesOn: 'last',
        resultAccount: 7832,
        balanceAccount: 1229,
        costCenter: null,
        project: null,
        originVoucherId: null,
        lateOn: null,
      } as const;
      await createAccrual(tx, wearing, { today: '2026-03-01', actor: 'x' });
    });
    await run(sql`insert into audit.verifications (id, actor, vouchers, problems)
      values (gen_random_uuid(), 'test', 1, '[{"kind": "gap", "series": "A", "message": "lucka"}]')`);
  });

  test('names each thing, with links that lead somewhere', async () => {
    const { body } = await reader.get(HOME);
    expect(body.match(/>Återstår</g)).toHaveLength(Object.keys(conditions).length);
    const links = linksOf(body);
    const kinds = new Set(links.map((href) => href.replace(/[0-9a-f-]{36}/, ':id')));
    for (const kind of [
      '/bank/:id',
      '/bank',
      '/verifikat/:id',
      '/verifikat?fran=2026-03-01&till=2026-03-31&underlag=saknas',
      '/leverantorsinkorg/:id',
      '/order/:id',
      '/kundfakturor/:id',
      '/kundfakturor?flik=utkast',
      '/kontoplan/1510',
      '/kontoplan/1910',
      '/kontoplan/2440',
      '/kontoplan/2999',
      '/moms/2026-03-31',
      '/periodiseringar/:id',
    ]) {
      expect(kinds, kind).toContain(kind);
    }
    for (const href of links) expect((await reader.get(href)).statusCode, href).toBe(200);
  });

  test('is acknowledged with a reason only, which is typed once', async () => {
    const unsaid = await administrator.submit(HOME, { month: '2026-03', locks: 'on' });
    expect(unsaid.statusCode).toBe(422);
    expect(unsaid.body).toContain('id="f-reason-error"');
    expect(unsaid.body).toMatch(/name="locks" value="on" checked/);
    expect(await locks()).toMatchObject({ period_locked_to: '2026-02-28' });
    const reason = 'Allt utreds av revisorn';
    expect((await keeper.submit(HOME, { month: '2026-03', reason })).statusCode).toBe(303);
    const { body } = await reader.get(HOME);
    expect(body).toContain('april 2026');
    expect(body).toContain(reason);
    expect(body).toContain('bank, underlag, leverantörsinkorg');
    // Who may not open it again is told who may.
    const only = 'Bara en ägare kan öppna månaden igen';
    expect((await administrator.get(`${HOME}/2026-03`)).body).toContain(only);
    expect((await owner.get(`${HOME}/2026-03`)).body).not.toContain(only);
  });

  test('waits its turn, is running, or is not there', async () => {
    expect((await reader.get(`${HOME}/2026-08`)).body).toContain('Väntar på tidigare månader');
    expect((await reader.get(`${HOME}/2026-11`)).body).toContain('Pågår');
    for (const month of ['2025-12', '2026-12', '2026-13', 'x']) {
      expect((await reader.get(`${HOME}/${month}`)).statusCode, month).toBe(404);
    }
  });
});

describe('a VAT period', () => {
  const page = '/moms/2026-03-31';
  const act = (name: string, fields = {}, who = keeper) =>
    who.submit(`${page}/${name}`, fields, page);

  test('is settled, filed and shut by a bookkeeper, and withdrawn with a reason', async () => {
    expect((await reader.get(page)).body).not.toContain('Boka om till 2650</button>');
    expect((await act('lamnad', {}, reader)).statusCode).toBe(403);
    expect((await keeper.get(page)).body).toContain('225,00\u00a0kr att få tillbaka');
    expect((await act('omforing')).statusCode).toBe(303);
    const settled = (await keeper.get(page)).body;
    expect(settled).toContain('M1</a>');
    expect(settled).toContain('Inget står kvar av periodens moms');
    expect((await act('lamnad')).statusCode).toBe(303);
    expect(await locks()).toMatchObject({ vat_locked_to: '2026-03-31' });
    expect((await post('2026-03-31')).json().detail.lock).toBe('vat');
    expect((await reader.get(`${HOME}/2026-03`)).body).toContain('lämnad 20 november 2026');
    expect((await act('inte-lamnad', { reason: '' })).statusCode).toBe(400);
    expect((await act('inte-lamnad', { reason: 'Fel kvartal' })).statusCode).toBe(303);
    expect(await locks()).toMatchObject({ vat_locked_to: '2026-03-31' });
  });

  test('filed first, its settlement is dated the first open day, and the page says so', async () => {
    const late = '/moms/2026-06-30';
    await post('2026-05-05');
    const filed = await keeper.submit(`${late}/lamnad`, {}, late);
    expect(filed.statusCode).toBe(303);
    const { body } = await keeper.get(late);
    expect(body).toContain('momskontona är inte tömda');
    expect(body).toContain('dateras 1 juli 2026');
    const left = 'periodens moms står kvar på 2611';
    expect((await reader.get(`${HOME}/2026-06`)).body).toContain(left);
    await keeper.submit(`${late}/omforing`, {}, late);
    expect((await reader.get(`${HOME}/2026-06`)).body).not.toContain(left);
    expect((await keeper.get(late)).body).toContain('2026-07-01');
  });

  test('shows every box of the return, bases by the codes of the rows, before and after it is settled', async () => {
    const third = '/moms/2026-09-30';
    const row = (account: number, debit: number, credit: number, vat_code?: string) => ({
      account,
      debit,
      credit,
      ...(vat_code ? { vat_code } : {}),
    });
    await post('2026-08-03', [row(1930, 1250.94, 0), row(3001, 0, 1000.75), row(2611, 0, 250.19)]);
    await post('2026-08-04', [row(1930, 2000.5, 0), row(3308, 0, 2000.5)]);
    // A confirmed loss lessens box 05 by its row's code, not by its account.
    await post('2026-09-30', [row(6351, 100, 0, 'MP1'), row(2611, 25, 0), row(1510, 0, 125)]);
    // A service bought in Germany: we owe the VAT and deduct it.
    await post('2026-09-30', [
      row(4535, 400, 0),
      row(2645, 100, 0),
      row(2614, 0, 100),
      row(1930, 0, 400),
    ]);
    const boxes = async () =>
      [
        ...(await reader.get(third)).body.matchAll(
          /<tr><t[dh][^>]*>(?:<a[^>]*>)?(\d\d)<.*?<td class="number">([^<]+)<\/td><\/tr>/g,
        ),
      ].map(([, box, amount = '']) => `${box}: ${amount.replaceAll('\u00a0', ' ')}`);
    const expected = [
      '05: 900',
      '10: 225',
      '21: 400',
      '30: 100',
      '39: 2 000',
      '48: 100',
      '49: 225',
    ];
    expect(await boxes()).toEqual(expected);
    await keeper.submit(`${third}/omforing`, {}, third);
    expect((await reader.get(third)).body).toContain('Inget står kvar av periodens moms');
    expect(await boxes()).toEqual(expected);
  });

  test('that goes on or is none is not dealt with', async () => {
    const running = await keeper.get('/moms/2026-12-31');
    expect(running.body).toContain('Perioden pågår');
    const forged = await keeper.post('/moms/2026-12-31/lamnad', tokensOf(running.body));
    expect(forged.statusCode).toBe(422);
    for (const end of ['2026-11-30', '1999-12-31', 'x']) {
      expect((await keeper.get(`/moms/${end}`)).statusCode, end).toBe(404);
    }
  });
});

test('agencies, the command and the page say the same of the month ends, whatever has happened', async () => {
  const site = await createInstallation();
  onTestFinished(() => site.close());
  const person = await logIn(site, 'agare');
  const { key } = await withTx(site.owner, (tx) => createAgencyKey(tx, 'Byrån', 'test'));
  const day = { today: TODAY, timeZone: 'Europe/Stockholm' };
  const agree = async () => {
    const exchanged = await site.call({ method: 'POST', url: '/api/byra/token', key });
    const token = exchanged.json().access_token;
    const told = (await site.call({ url: '/api/stats/byra', key: token })).json();
    const ends = await getMonthEnds(db(site.owner), day);
    const { open_month, open_month_failing } = ends;
    expect(told).toMatchObject({
      ...ends,
      open_month_status:
        open_month === null ? null : open_month_failing.length > 0 ? 'in_progress' : 'ready',
    });
    const { body } = await person.get(HOME);
    if (open_month !== null) {
      const left = [
        ...body.matchAll(/<strong>([^<]+)<\/strong> <span class="chip [^"]*">Återstår<\/span>/g),
      ].map(([, label]) => label);
      const labels = Object.entries(conditions).flatMap(([name, { label }]) =>
        open_month_failing.includes(name) ? [label] : [],
      );
      expect(left).toEqual(labels);
      expect(body).toContain(`name="month" value="${open_month.slice(0, 7)}"`);
      expect(body).toContain('>Kvittera</button>');
    } else {
      expect(body).not.toContain('>Kvittera</button>');
    }
    return ends;
  };
  const acknowledge = (month: string) =>
    person.submit(HOME, { month, reason: 'Väntar på underlag' });

  expect(await agree()).toMatchObject({ open_month: null, months_behind: 0 });
  await withTx(site.owner, (tx) => changeSetting(tx, 'months-from', '2026-08', 'test'));
  expect(await agree()).toMatchObject({ open_month: '2026-08-01', open_month_failing: [] });
  await site.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({ date: '2026-08-14' }),
  });
  expect(await agree()).toMatchObject({ open_month_failing: ['underlag'], months_behind: 3 });
  await makeDrafts(site.owner, [100n], '2026-08-15');
  expect(await agree()).toMatchObject({ open_month_failing: ['underlag', 'kundfakturor'] });
  await acknowledge('2026-08');
  expect(await agree()).toMatchObject({
    last_closed_month: '2026-08-01',
    open_month: '2026-09-01',
    open_month_failing: ['kundfakturor', 'moms'],
  });
  for (const month of ['2026-09', '2026-10']) await acknowledge(month);
  expect(await agree()).toMatchObject({ open_month: null, months_behind: 0 });
  const reopened = { month: '2026-10', reopenReason: 'En faktura till' };
  await person.submit(`${HOME}/oppna`, reopened, HOME);
  expect(await agree()).toMatchObject({ last_closed_month: '2026-09-01', months_behind: 1 });
});
