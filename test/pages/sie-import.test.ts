/** The page where a SIE file is sent, looked at, taken in and taken back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withTx } from '#src/db/pool.ts';
import { encodePc8 } from '#src/domain/ledger/sie/code-page.ts';
import { setLock } from '#src/ledger/locks/service.ts';
import { takeBegunImport } from '#src/ledger/sie/begun-imports.ts';
import { createInstallation, type Installation, testCompany } from '../support/installation.ts';
import { multipartOf } from '../support/multipart.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';
import { sieText, voucher, yearParts } from '../unit/sie-file.ts';

let installation: Installation;
let person: LoggedIn;
beforeEach(async () => {
  installation = await createInstallation();
  person = await logIn(installation, 'administrator');
});
afterEach(() => installation.close());

const parts = {
  ...yearParts,
  head: [...yearParts.head, '#ORGNR 556702-6934'],
  years: ['#RAR 0 20260101 20261231'],
  vouchers: voucher('LÖN 7 20260115 "Såld vara"', '1930 {} 100.00', '3001 {} -100.00'),
};

/** What the worker does of an import that a page has asked for. */
const takeIn = (report: string) =>
  takeBegunImport(report.replace('/sie/importer/', ''), {
    owner: installation.owner,
    teller: installation.owner,
    timeZone: 'Europe/Stockholm',
    signal: new AbortController().signal,
  });

async function sendFile(text: string) {
  const tokens = tokensOf((await person.get('/sie')).body);
  const { payload, headers } = multipartOf(tokens, [
    { name: 'file', fileName: 'bok.se', bytes: Buffer.from(encodePc8(text)) },
  ]);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return installation.app.inject({
    method: 'POST',
    url: '/sie/import',
    headers: { ...headers, cookie, accept: 'text/html' },
    payload,
  });
}

test('a file that is empty is told to be exported anew, not to be chosen once more', async () => {
  const sent = await sendFile('');
  expect(sent.statusCode).toBe(400);
  expect(errorAt(sent.body, 'file')).toContain(
    'bok.se är tom. Exportera den igen ur det gamla programmet.',
  );
});

test('a file is looked at, taken in, found by its old numbers, and taken back', async () => {
  const sent = await sendFile(sieText(parts));
  expect(sent.statusCode).toBe(303);
  const place = String(sent.headers.location);
  const preview = textOfPage((await person.get(place)).body);
  expect(preview).toContain('Inget är inläst än');
  expect(preview).toContain('Nya nummer i S');
  const taken = await person.submit(place, {});
  expect([taken.statusCode, String(taken.headers.location)]).toEqual([
    303,
    expect.stringMatching(/^\/sie\/importer\/[0-9a-f-]{36}$/),
  ]);
  const report = String(taken.headers.location);
  expect(textOfPage((await person.get(report)).body)).toContain('Läser in');
  expect((await person.get(`${report}/lage`)).body).toContain('data-poll');
  await takeIn(report);
  expect((await person.get(`${report}/lage`)).body).not.toContain('data-poll');
  expect(textOfPage((await person.get(report)).body)).toContain('1930');
  const filtered = (await person.get(`${report}?konto=3001`)).body;
  expect(filtered).toContain('3001');
  expect(filtered).not.toContain('>1930 ');
  const found = (await person.get('/verifikat?sok=lön+7')).body;
  const [, voucherPage = ''] = /href="(\/verifikat\/[0-9a-f-]{36})">S2 \(LÖN7/.exec(found) ?? [];
  expect(textOfPage((await person.get(voucherPage)).body)).toContain('LÖN 7');
  const again = await person.submit(place, {});
  expect(again.statusCode).toBe(422);
  expect(textOfPage(again.body)).toContain('Samma fil är redan inläst');
  const undone = await person.submit(`${report}/angra`, {}, report);
  expect(undone.statusCode).toBe(303);
  expect(textOfPage((await person.get(report)).body)).toContain('Importen ångrades');
  const trail = textOfPage((await person.get('/handelser')).body);
  expect(trail).toContain('läste in SIE-filen bok.se (1 verifikat)');
  expect(trail).toContain('ångrade importen av bok.se (2 verifikat togs tillbaka)');
});

test('a file that is being taken in is not asked for once more, from its preview or from another tab', async () => {
  const place = String((await sendFile(sieText(parts))).headers.location);
  const otherTab = tokensOf((await person.get(place)).body);
  const underWay = String((await person.submit(place, {})).headers.location);
  const { body } = await person.get(place);
  expect(body).not.toContain('<button class="main"');
  expect(textOfPage(body)).toContain('Filen läses in just nu.');
  expect(body).toContain(`href="${underWay}"`);
  const again = await person.post(place, otherTab);
  expect([again.statusCode, again.headers.location]).toEqual([303, underWay]);
  await takeIn(underWay);
  expect(textOfPage((await person.get(underWay)).body)).toContain('Import av bok.se');
  expect((await person.get(place)).body).not.toContain('Filen läses in just nu.');
});

test('what is in doubt must be looked at, and what is lacking be put somewhere', async () => {
  const balances = ['#IB 0 1930 500.00', '#IB 0 2081 -400.00', '#UB 0 1930 600.00'];
  const place = String((await sendFile(sieText({ ...parts, balances }))).headers.location);
  const lacking = await person.submit(place, { sett: 'on' });
  expect([lacking.statusCode, errorAt(lacking.body, 'konto')]).toEqual([
    422,
    expect.stringContaining('ingående balanser'),
  ]);
  const unseen = await person.submit(place, { konto: '2099' });
  expect([unseen.statusCode, errorAt(unseen.body, 'sett')]).toEqual([
    422,
    expect.stringContaining('tveksamma'),
  ]);
  const asked = await person.submit(place, { konto: '2099', sett: 'on' });
  expect(asked.statusCode).toBe(303);
  // Somebody locks the year before the worker gets to it.
  await withTx(installation.owner, (tx) => setLock(tx, 'period', '2026-12-31', 'test'));
  await takeIn(String(asked.headers.location));
  const stopped = textOfPage((await person.get(String(asked.headers.location))).body);
  expect(stopped).toContain('Inte inläst Böckerna har ändrats sedan förhandsgranskningen.');
  expect(textOfPage((await person.get(place)).body)).toContain('Perioden är låst');
});

test('an owner empties books of nothing but imports; others may not, nor when something rests on them', async () => {
  const place = String((await sendFile(sieText(parts))).headers.location);
  await takeIn(String((await person.submit(place, {})).headers.location));
  expect((await person.get('/sie/borja-om')).statusCode).toBe(403);
  const owner = await logIn(installation, 'agare');
  const wrong = await owner.submit('/sie/borja-om', { typed: 'Annat AB' });
  expect([wrong.statusCode, errorAt(wrong.body, 'typed')]).toEqual([
    400,
    expect.stringContaining(testCompany.company),
  ]);
  const done = await owner.submit('/sie/borja-om', { typed: testCompany.company });
  expect([done.statusCode, done.headers.location]).toEqual([303, '/sie']);
  expect(textOfPage((await owner.get('/sie')).body)).toContain('Tömd');
  expect(textOfPage((await owner.get('/sie/borja-om')).body)).toContain('Böckerna är tomma');
  expect(textOfPage((await owner.get('/handelser')).body)).toContain(
    'tömde böckerna, som bara hade inlästa verifikat, och började om (2 verifikat ur 1 importer)',
  );
});

test('a file that cannot come in says why with its line, and has no button', async () => {
  const vouchers = voucher('A 1 20260115', '1930 {} 100.00', '3001 {} -99.00');
  const place = String((await sendFile(sieText({ ...parts, vouchers }))).headers.location);
  const { body } = await person.get(place);
  expect(textOfPage(body)).toMatch(/\d+ Fel Verifikat A 1 balanserar inte/);
  expect(body).not.toContain('Läs in filen');
  expect((await person.submit(place, { sett: 'on' }, '/dimensioner')).statusCode).toBe(422);
});
