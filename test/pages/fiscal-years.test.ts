import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { closeYear } from '#src/ledger/fiscal-years/service.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { inWords } from '../support/words.ts';

/** When both of the years below have ended. */
const today = '2028-01-10';
let installation: Installation;
let reader: LoggedIn;
let keeper: LoggedIn;
let administrator: LoggedIn;
let owner: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation({ today });
  reader = await logIn(installation, 'lasare');
  keeper = await logIn(installation, 'medarbetare');
  administrator = await logIn(installation, 'administrator');
  owner = await logIn(installation, 'agare');
});
afterAll(() => installation.close());

const post = (date: string, rows?: object[]) =>
  installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(rows ? { date, rows } : { date }),
  });
const balance = async (account: number, from: string, to: string): Promise<bigint> => {
  const [row] = await db(installation.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account = ${account} and verification_date between ${from}::date and ${to}::date`,
  );
  return row?.ore ?? 0n;
};
const countOf = async (source: string): Promise<number> => {
  const [row] = await db(installation.owner).query<{ count: number }>(
    sql`select count(*)::integer as count from ledger.vouchers where source = ${source}`,
  );
  return row?.count ?? 0;
};

describe('locks', () => {
  const lock = (person: LoggedIn, kind: 'period' | 'moms', fields: Record<string, string>) =>
    person.submit(`/rakenskapsar/las/${kind}`, fields);

  test('a bookkeeper sees the locks and sets none, in the page or behind it', async () => {
    const { body } = await keeper.get('/rakenskapsar/las');
    expect(body).toContain('Inget är låst');
    expect(body).not.toContain('/rakenskapsar/las/period"');
    expect((await keeper.get('/rakenskapsar/las/period')).statusCode).toBe(403);
    const forged = await keeper.post('/rakenskapsar/las/period', {
      ...tokensOf(body),
      what: 'set',
      date: '2026-03-31',
    });
    expect(forged.statusCode).toBe(403);
    expect((await post('2026-01-15')).statusCode).toBe(200);
  });

  test('an administrator locks: postings stop at once, and who did it and why is shown', async () => {
    const reason = 'Kvartalet är <b>avstämt</b>';
    const set = await lock(administrator, 'period', { what: 'set', date: '2026-03-31', reason });
    expect(set.statusCode).toBe(303);
    const refused = await post('2026-03-31');
    expect(refused.statusCode).toBe(422);
    expect(refused.json().error).toBe('period_locked');
    expect((await post('2026-04-01')).statusCode).toBe(200);
    const { body } = await reader.get('/rakenskapsar/las');
    expect(body).toContain('Till och med 31 mars 2026.');
    expect(body).toContain('Test administrator');
    expect(body).toContain('Kvartalet är &lt;b&gt;avstämt&lt;/b&gt;');
  });

  test('locked days are opened with a reason only', async () => {
    const earlier = { what: 'set', date: '2026-02-28' };
    const refused = await lock(administrator, 'period', earlier);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('id="f-reason-error"');
    expect(refused.body).toContain('value="2026-02-28"');
    expect((await post('2026-03-31')).statusCode).toBe(422);
    const moved = await lock(administrator, 'period', { ...earlier, reason: 'Sen faktura' });
    expect(moved.statusCode).toBe(303);
    expect((await post('2026-03-31')).statusCode).toBe(200);
    const without = await lock(administrator, 'period', { what: 'lift', reason: '' });
    expect(without.statusCode).toBe(400);
    await lock(administrator, 'period', { what: 'lift', reason: 'Omtag' });
    expect((await post('2026-01-15')).statusCode).toBe(200);
  });

  test('an older tab moves no lock that has been moved since, and is told where it stands', async () => {
    await lock(administrator, 'period', { what: 'set', date: '2026-01-31' });
    const { body: older } = await administrator.get('/rakenskapsar/las/period');
    const reason = 'Sen faktura';
    await lock(administrator, 'period', { what: 'set', date: '2026-03-31', reason });
    const lift = { what: 'lift', reason };
    const form = { ...tokensOf(older), ...lift, seen: hidden(older, 'seen') };
    const refused = await administrator.post('/rakenskapsar/las/period', form);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('det gäller nu till och med 2026-03-31');
    expect((await post('2026-03-31')).statusCode).toBe(422);
    const again = { ...form, ...tokensOf(refused.body), seen: hidden(refused.body, 'seen') };
    expect((await administrator.post('/rakenskapsar/las/period', again)).statusCode).toBe(303);
    expect((await post('2026-03-31')).statusCode).toBe(200);
  });

  test('the VAT lock stops what touches VAT, and only that', async () => {
    await lock(administrator, 'moms', { what: 'set', date: '2026-06-30' });
    expect((await post('2026-06-30')).json().detail.lock).toBe('vat');
    const plain = [
      { account: 1930, debit: 0, credit: 10 },
      { account: 2018, debit: 10, credit: 0 },
    ];
    expect((await post('2026-06-30', plain)).statusCode).toBe(200);
    await lock(administrator, 'moms', { what: 'lift', reason: 'Test' });
  });

  test.each([
    [{ what: 'set', date: '2026-02-30' }, 400],
    [{ what: 'set', date: '' }, 400],
    [{ what: 'set', date: '2062-03-31' }, 422],
  ])('%j is refused', async (fields, status) => {
    const answer = await lock(administrator, 'period', fields);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain('id="f-date-error"');
  });
});

describe('series', () => {
  const idOf = (html: string, code: string): string =>
    new RegExp(`href="/serier/([0-9a-f-]{36})">${code}<`).exec(html)?.[1] ?? '';

  test('a series is added, used at once, renamed, and kept once it has vouchers', async () => {
    const fields = { year: '2026', code: 'k', name: 'Kassa <b>1</b>' };
    expect((await keeper.submit('/serier/ny', fields)).statusCode).toBe(303);
    expect((await keeper.submit('/serier/ny', fields)).body).toContain('Serien K finns redan 2026');
    const unused = await keeper.get('/serier?ar=2026');
    expect(unused.body).toContain('Kassa &lt;b&gt;1&lt;/b&gt;');
    const page = `/serier/${idOf(unused.body, 'K')}`;
    const posted = await installation.call({
      method: 'POST',
      url: '/api/v1/verifikat',
      payload: voucherBody({ seriesCode: 'K', date: '2026-07-01' }),
    });
    expect(posted.statusCode, posted.body).toBe(200);
    expect((await keeper.submit(page, { name: 'Kassan' })).statusCode).toBe(303);
    expect((await keeper.get('/serier?ar=2026')).body).toMatch(/Kassan[\s\S]*?K1/);
    const refused = await keeper.submit(`${page}/ta-bort`, {}, page);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('har verifikat');
  });

  test('one without vouchers is removed, but not those the program books in', async () => {
    await keeper.submit('/serier/ny', { year: '2026', code: 'Q', name: 'Fel' });
    const { body } = await keeper.get('/serier?ar=2026');
    const remove = (code: string) => {
      const page = `/serier/${idOf(body, code)}`;
      return keeper.submit(`${page}/ta-bort`, {}, page);
    };
    expect((await remove('Q')).statusCode).toBe(303);
    const refused = await remove('B');
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Programmet bokför');
    expect((await keeper.get('/serier?ar=2026')).body).not.toContain('>Q<');
  });

  test.each([
    [{ year: '2026', code: '', name: 'X' }, 'f-code-error'],
    [{ year: '2026', code: '-', name: 'X' }, 'f-code-error'],
    [{ year: '1999', code: 'X', name: 'X' }, 'f-year-error'],
  ])('%j is refused', async (fields, error) => {
    expect((await keeper.submit('/serier/ny', fields)).body).toContain(`id="${error}"`);
  });
});

describe('opening balances of the first year', () => {
  const send = (balances: string, person = keeper) =>
    person.submit('/rakenskapsar/2026/ingaende', { series: 'A', balances });

  test.each([
    ['1930 100\n2081 -99', 422, 'tar inte ut varandra'],
    ['1930 100\n3001 -100', 422, 'inget balanskonto'],
    ['1930 100\n1930 100\n2081 -200', 422, 'står två gånger'],
    ['1930 hundra', 400, 'Rad 1 går inte att läsa'],
    ['1931 100\n2081 -100', 422, 'Kontot 1931 finns inte'],
  ])('%j is refused, and stays typed', async (balances, status, sentence) => {
    const answer = await send(balances);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(sentence);
    expect(answer.body).toContain(balances.split('\n')[0]);
    expect(await countOf('opening')).toBe(0);
  });

  test('they are booked on the first day, once, and corrected by what differs', async () => {
    const first = '1930 125 000,50\n2081 −25 000,00\n2440;-100 000,50';
    expect((await send(first)).statusCode).toBe(303);
    expect(await countOf('opening')).toBe(1);
    expect((await send(first)).statusCode).toBe(303);
    expect(await countOf('opening')).toBe(1);
    const shown = (await reader.get('/rakenskapsar/2026/ingaende')).body;
    expect(shown).toContain('125\u00a0000,50');
    expect(shown).not.toContain('<textarea');

    await send('1930 120 000\n1910 5 000,50\n2081 -25 000\n2440 -100 000,50');
    expect(await countOf('opening')).toBe(2);
    expect(await balance(1930, '2026-01-01', '2026-01-01')).toBe(12_000_000n);
    expect(await balance(1910, '2026-01-01', '2026-01-01')).toBe(500_050n);
  });

  test('one that was a cost all along is corrected by what opens nothing', async () => {
    const [opening] = await db(installation.owner).query<{ id: string }>(
      sql`select id from ledger.vouchers where source = 'opening' order by number limit 1`,
    );
    const before = await countOf('opening');
    const answer = await keeper.submit(`/verifikat/${opening?.id}/ratta`, {
      date: '2026-03-31',
      description: 'Rättelse',
      replaces: 'on',
      newDescription: 'Var en kostnad',
      'rows[0].account': '5410',
      'rows[0].debit': '100',
      'rows[1].account': '1930',
      'rows[1].credit': '100',
    });
    expect(answer.statusCode).toBe(303);
    expect(await countOf('opening')).toBe(before);
  });

  test('many at once book it once', async () => {
    const before = await countOf('opening');
    const balances = '1930 130 000\n2081 -25 000\n2440 -105 000';
    const page = await keeper.get('/rakenskapsar/2026/ingaende');
    const { _csrf = '' } = tokensOf(page.body);
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        keeper.post('/rakenskapsar/2026/ingaende', { _csrf, series: 'A', balances }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    expect(await countOf('opening')).toBe(before + 1);
    expect(await balance(1930, '2026-01-01', '2026-01-01')).toBe(13_000_000n);
  });
});

describe('from one year to the next', () => {
  test('a year is suggested, made with the series, and never with a gap', async () => {
    const form = await administrator.get('/rakenskapsar/nytt');
    expect(form.body).toContain('value="2027-01-01"');
    expect(form.body).toContain('value="2027-12-31"');
    const gap = await administrator.submit('/rakenskapsar/nytt', {
      start: '2028-01-01',
      end: '2028-12-31',
    });
    expect(gap.statusCode).toBe(422);
    expect(gap.body).toContain('id="f-start-error"');
    for (const days of [
      { start: '9999-01-01', end: '9999-12-31' },
      { start: '2027-01-01', end: '9999-12-31' },
    ]) {
      const late = await administrator.submit('/rakenskapsar/nytt', days);
      expect(late.statusCode).toBe(422);
      expect(late.body).toContain('id="f-end-error"');
    }
    const span = { start: '2027-01-01', end: '2027-12-31' };
    expect((await administrator.submit('/rakenskapsar/nytt', span)).statusCode).toBe(303);
    expect((await reader.get('/serier?ar=2027')).body).toContain('Kassan');
    expect((await keeper.get('/rakenskapsar/nytt')).statusCode).toBe(403);
  });

  test('balances go over by themselves, and typing them in is refused', async () => {
    const at = await balance(1930, '2026-01-01', '2026-12-31');
    const { body } = await reader.get('/rakenskapsar/2027/ingaende');
    const kronor = String(at / 100n).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
    expect(body).toContain(`${kronor},${String(at % 100n).padStart(2, '0')}`);
    expect(body).toContain('är inte bokfört mot eget kapital');
    const refused = await keeper.post('/rakenskapsar/2027/ingaende', {
      ...tokensOf((await keeper.get('/rakenskapsar/2027/ingaende')).body),
      series: 'A',
      balances: '1930 100\n2081 -100',
    });
    expect(refused.statusCode).toBe(422);
    // The ledger of the account begins the year with the same figure.
    expect((await reader.get('/kontoplan/1930?ar=2027')).body).toContain(`${kronor},`);
  });

  test('the result goes to equity once; what is posted after it goes in a voucher of its own', async () => {
    const book = () => keeper.submit('/rakenskapsar/2026/resultat', { series: 'A' });
    const earned = -(await resultOf('2026-01-01', '2026-12-31'));
    expect((await book()).statusCode).toBe(303);
    expect((await book()).statusCode).toBe(303);
    expect(await countOf('closing')).toBe(1);
    expect(await balance(2099, '2026-12-31', '2026-12-31')).toBe(-earned);
    await post('2026-12-30');
    expect((await reader.get('/rakenskapsar/2026')).body).toContain('100,00\u00a0kr');
    await book();
    expect(await countOf('closing')).toBe(2);
    expect(await balance(2099, '2026-12-31', '2026-12-31')).toBe(-earned - 10_000n);
  });

  test('and on to 2098 as the next year begins, once', async () => {
    const openings = await countOf('opening');
    const move = () =>
      keeper.submit(
        '/rakenskapsar/2027/ingaende/omforing',
        { series: 'A' },
        '/rakenskapsar/2027/ingaende',
      );
    await move();
    await move();
    expect(await countOf('opening')).toBe(openings + 1);
    expect(await balance(2099, '2026-01-01', '2027-01-01')).toBe(0n);
    expect(await balance(2098, '2027-01-01', '2027-01-01')).toBeLessThan(0n);
    const { body } = await reader.get('/rakenskapsar/2027/ingaende');
    expect(body).not.toContain('är inte bokfört mot eget kapital');
    expect(body).not.toContain('Skillnaden');
  });
});

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

async function resultOf(from: string, to: string): Promise<bigint> {
  const [row] = await db(installation.owner).query<{ ore: bigint }>(
    sql`select coalesce(sum(debit_ore - credit_ore), 0)::bigint as ore from ledger.voucher_rows
        where account >= 3000 and verification_date between ${from}::date and ${to}::date`,
  );
  return row?.ore ?? 0n;
}

describe('closing and opening again', () => {
  const close = (person: LoggedIn, year: number, typed = String(year)) =>
    person.submit(`/rakenskapsar/${year}/stang`, { typed });

  test('an older tab closes no year of which more remains than it showed', async () => {
    const { body: older } = await administrator.get('/rakenskapsar/2026/stang');
    expect((await post('2026-12-31')).statusCode).toBe(200);
    const form = { ...tokensOf(older), typed: '2026', seen: hidden(older, 'seen') };
    const refused = await administrator.post('/rakenskapsar/2026/stang', form);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Det som återstår av året har ändrats sedan sidan visades');
    expect(refused.body).toContain('är inte bokfört mot eget kapital');
    expect((await post('2026-12-31')).statusCode).toBe(200);
  });

  test('a year is closed by an administrator who types it, the oldest first', async () => {
    expect((await close(keeper, 2026)).statusCode).toBe(403);
    const unsure = await close(administrator, 2026, '2025');
    expect(unsure.statusCode).toBe(400);
    expect(unsure.body).toContain('id="f-typed-error"');
    const early = await close(administrator, 2027);
    expect(early.statusCode).toBe(422);
    expect(early.body).toContain('Räkenskapsåret 2026 är öppet');
    expect((await close(administrator, 2026)).statusCode).toBe(303);
    expect((await post('2026-12-31')).json().detail.lock).toBe('fiscal_year');
    const { body } = await reader.get('/rakenskapsar/2026');
    expect(body).toContain('Stängt');
    expect(body).toContain('Test administrator');
    const closed = await keeper.submit('/serier/ny', { year: '2026', code: 'Z', name: 'Z' });
    expect(closed.body).toContain('är stängt');
  });

  test('only an owner opens it again, with a reason, and the last closed year first', async () => {
    expect((await administrator.get('/rakenskapsar/2026/oppna')).statusCode).toBe(403);
    await close(administrator, 2027);
    const later = await owner.submit('/rakenskapsar/2026/oppna', { reason: 'Fel' });
    expect(later.statusCode).toBe(422);
    expect(later.body).toContain('senare räkenskapsår');
    expect((await owner.submit('/rakenskapsar/2027/oppna', { reason: '' })).statusCode).toBe(400);
    await owner.submit('/rakenskapsar/2027/oppna', { reason: 'Fel <u>period</u>' });
    expect((await owner.submit('/rakenskapsar/2026/oppna', { reason: 'Samma' })).statusCode).toBe(
      303,
    );
    expect((await post('2026-12-31')).statusCode).toBe(200);
    expect((await reader.get('/rakenskapsar/2027')).body).toContain(
      'Fel &lt;u&gt;period&lt;/u&gt;',
    );
  });

  test('a year that goes on is not closed, nor its result booked: by page, command or SQL', async () => {
    const span = { start: '2028-01-01', end: '2028-12-31' };
    expect((await administrator.submit('/rakenskapsar/nytt', span)).statusCode).toBe(303);
    expect((await post('2028-01-05')).statusCode).toBe(200);
    const overview = await administrator.get('/rakenskapsar/2028');
    expect(overview.body).not.toContain('/rakenskapsar/2028/stang');
    for (const [url, fields] of [
      ['/rakenskapsar/2028/stang', { typed: '2028' }],
      ['/rakenskapsar/2028/resultat', { series: 'A' }],
    ] as const) {
      const page = await administrator.get(url);
      expect(page.body).toContain('pågår till och med 31 december 2028');
      expect(page.body).not.toContain('class="card form"');
      const forged = await administrator.post(url, { ...tokensOf(overview.body), ...fields });
      expect(forged.statusCode).toBe(422);
    }
    const close = (day: string) =>
      withTx(installation.owner, (tx) => closeYear(tx, { year: 2028, today: day }, 'cli'));
    await expect(inWords(close('2028-12-31'))).rejects.toThrow('avslutas tidigast 2029-01-01');
    for (const closedOn of ['2028-12-31', null]) {
      const statement = sql`update ledger.fiscal_years set status = 'closed',
        closed_on = ${closedOn}::date where year = 2028`;
      await expect(db(installation.owner).query(statement)).rejects.toThrow(
        'fiscal_years_closed_when_ended',
      );
    }
    expect((await post('2028-01-05')).statusCode).toBe(200);
  });

  test('the database holds what the pages say', async () => {
    const asOwnerOfTables = (statement: ReturnType<typeof sql>) =>
      withTx(installation.owner, (tx) => tx.query(statement));
    await expect(
      asOwnerOfTables(
        sql`update ledger.fiscal_years set end_date = '2027-01-31' where year = 2026`,
      ),
    ).rejects.toThrow(/its days stay/);
  });
});

test('pages of years that do not exist are not there', async () => {
  for (const url of ['/rakenskapsar/1999', '/rakenskapsar/x', '/rakenskapsar/1999/ingaende']) {
    expect((await owner.get(url)).statusCode).toBe(404);
  }
});
