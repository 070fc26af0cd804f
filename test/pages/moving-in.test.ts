/** Moving in from another program, by the pages: two years of files, what was unpaid, and balances that agree. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { importSie } from '#src/ledger/sie/importing.ts';
import { verifyBooks } from '#src/ledger/verification/service.ts';
import { sourceOf } from '#src/lib/source-file.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';
import { movingFiles } from '../support/sie.ts';
import { sieText, voucher, yearParts } from '../unit/sie-file.ts';

let installation: Installation;
let person: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  person = await logIn(installation, 'administrator');
});
afterAll(() => installation.close());

const take = async (text: string, differenceAccount: number | null = null, to = installation) => {
  const source = await sourceOf(async function* () {
    yield encodePc8(text);
  }, 'gammalt.se');
  return withTx(to.owner, (tx) =>
    importSie(
      tx,
      source,
      { isAccepted: true, differenceAccount, timeZone: 'Europe/Stockholm' },
      'test',
    ),
  );
};
const ground = { method: 'invoice', legalForm: 'limited_company', day: '2026-06-30' };

test('what must be chosen is asked for before the form is sent', async () => {
  const { body } = await person.get('/flytta-in');
  for (const name of ['method', 'legalForm']) {
    expect(body).toMatch(new RegExp(`<input type="radio"[^>]* name="${name}"[^>]* required`));
  }
});

test('what Huvudbok cannot keep the books of is said, and nothing goes on', async () => {
  const cash = await person.submit('/flytta-in', { ...ground, method: 'cash' });
  expect([cash.statusCode, errorAt(cash.body, 'method')]).toEqual([
    422,
    expect.stringContaining('kontantmetoden'),
  ]);
  const other = await person.submit('/flytta-in', {
    ...ground,
    legalForm: 'other',
    day: '2027-01-31',
  });
  expect([errorAt(other.body, 'legalForm'), errorAt(other.body, 'day')]).toEqual([
    expect.stringContaining('aktiebolag och enskilda firmor'),
    expect.stringContaining('har inte varit än'),
  ]);
  const differs = await person.submit('/flytta-in', { ...ground, legalForm: 'sole_trader' });
  expect(errorAt(differs.body, 'legalForm')).toContain('ett annat slags');
  const waiting = voucher('A 1 20260115', '1930 {} 125.00', '3001 {} -100.00', '2618 {} -25.00');
  const { id, plan } = await take(
    sieText({ ...yearParts, years: ['#RAR 0 20260101 20261231'], balances: [], vouchers: waiting }),
  );
  expect([id, plan.problems.find(({ rule }) => rule === 'cash_method')?.params]).toEqual([
    null,
    { account: '2618', count: 1 },
  ]);
});

test('two years come in, what was unpaid follows, and the balances agree, account by account', async () => {
  const [before, present] = movingFiles;
  for (const file of [before, present]) expect((await take(file)).id).not.toBeNull();
  const begun = await person.submit('/flytta-in', { ...ground, day: '2026-05-15' });
  expect(begun.statusCode).toBe(303);
  expect(textOfPage((await person.get('/flytta-in')).body)).toContain(
    'är inte slutet på en momsperiod',
  );
  expect((await person.submit('/flytta-in', ground)).statusCode).toBe(303);
  const template = await person.get('/ingaende-poster/kunder/mall.csv');
  expect(template.body).toBe(
    '\ufefffakturanummer;namn;organisationsnummer;fakturadatum;förfallodatum;belopp;kvar;ocr;konto\n',
  );
  // Invoices of the year that was imported, up to the day; one from after it is booked here.
  const heading = template.body.trim();
  const late = '9;Kunden AB;;2026-07-01;2026-07-31;100,00;;;';
  const refused = await person.submit(
    '/ingaende-poster/kunder/flera',
    { lines: `${heading}\n${late}` },
    '/ingaende-poster/kunder',
  );
  expect(refused.statusCode).toBe(422);
  const lines = `${heading}\n8;Kunden AB;;2026-06-20;2026-07-20;1 250,00;;;3001`;
  const taken = await person.submit(
    '/ingaende-poster/kunder/flera',
    { lines },
    '/ingaende-poster/kunder',
  );
  expect(taken.statusCode).toBe(303);
  const steps = textOfPage((await person.get('/flytta-in')).body);
  expect(steps).toContain('Kundfakturor 1 250,00 kr 1 250,00 kr 0,00 kr');
  expect(steps).toContain('Leverantörsfakturor 400,00 kr 0,00 kr 400,00 kr');
  // Said before the books are locked.
  expect(steps).toContain('Leverantörsfakturor skiljer 400,00 kr från kontot.');
  expect(steps).not.toContain('Kundfakturor skiljer');
  expect(textOfPage((await person.get('/flytta-in/saldon')).body)).toContain(
    'Alla konton stämmer.',
  );
  const wrong = 'Konto;Saldo\n1930;50 000,00\n1510;1 250,00\n2081;-51 000,00\nSumma;1';
  const compared = await person.submit('/flytta-in/saldon', { report: wrong }, '/flytta-in/saldon');
  expect(textOfPage(compared.body)).toMatch(/\d konton skiljer/);
  // Last year's result was moved without a voucher there.
  expect(textOfPage(compared.body)).toMatch(
    /verifikat den 2026-01-01.*2081 kredit 1\s000,00\skr, 2099 debet 1\s000,00\skr/,
  );
  expect(compared.body).toContain('href="/verifikat/ny"');
  const unreadable = await person.submit('/flytta-in/saldon', { report: '1930;mycket' });
  expect(errorAt(unreadable.body, 'report')).toContain('Rad 1: saldot för konto 1930');
  expect((await person.submit('/flytta-in', { ...ground, day: '2026-03-31' })).statusCode).toBe(
    422,
  );
  const reader = await logIn(installation, 'lasare');
  expect((await reader.get('/flytta-in')).body).not.toContain('Avsluta flytten');
});

test('it ends with the day locked, the year before shut, and nothing asked of what was imported', async () => {
  const done = await person.submit('/flytta-in/klar', { closes: 'on' }, '/flytta-in');
  expect(done.statusCode).toBe(303);
  const [standing] = await db(installation.owner).query(
    sql`select l.period_locked_to as locked, to_char(c.months_from, 'YYYY-MM') as months,
          ledger.count_attachments_missing() as missing,
          'underlag' = any (ledger.failing_conditions('2026-06-01', 'Europe/Stockholm')) as asks,
          (select array_agg(year || ' ' || status order by year) from ledger.fiscal_years) as years
        from ledger.locks l, restricted.company c`,
  );
  expect(standing).toEqual({
    locked: '2026-06-30',
    months: '2026-07',
    missing: 0n,
    asks: false,
    years: ['2025 closed', '2026 open'],
  });
  expect((await verifyBooks(db(installation.owner), () => undefined)).problems).toEqual([]);
});

test('what the old program’s opening balances lacked is asked for, and explains why the account agrees', async () => {
  const other = await createInstallation();
  onTestFinished(() => other.close());
  const administrator = await logIn(other, 'administrator');
  await administrator.submit('/flytta-in', ground);
  const empty = textOfPage((await administrator.get('/flytta-in')).body);
  expect(empty, 'nothing has come yet, which is asked about').toContain('Inget är inläst eller');

  const text = sieText({
    ...yearParts,
    years: ['#RAR 0 20260101 20261231'],
    balances: [
      ...['#IB 0 1930 50000.00', '#IB 0 2081 -48000.00', '#UB 0 1930 50100.00'],
      ...['#UB 0 2081 -48000.00', '#RES 0 3001 -100.00'],
    ],
    vouchers: voucher('A 1 20260310', '1930 {} 100.00', '3001 {} -100.00'),
  });
  expect((await take(text, 2099, other)).id).not.toBeNull();
  const balances = textOfPage((await administrator.get('/flytta-in/saldon')).body);
  expect(balances).toContain('Alla konton stämmer.');
  expect(balances).toContain('På 2099 räknas kredit 2 000,00 kr in, som filens ingående balanser');
  // Another difference on the same account is one.
  const report = '1930;Bank;50 100\n2081;;-48 000\n2099;;500\n3001;;-100';
  const apart = await administrator.submit('/flytta-in/saldon', { report }, '/flytta-in/saldon');
  expect(textOfPage(apart.body)).toContain('1 konto skiljer');
});
