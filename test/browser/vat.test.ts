/** A VAT return from the books to Skatteverket: looked at, settled, fetched as a file, filed, mended and filed anew. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherBody } from '../support/installation.ts';
import { complaintsOf, openSite, type Site, savedFile } from './browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const post = async (overrides: object): Promise<string> => {
  const payload = voucherBody(overrides);
  const answer = await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().id;
};

test('a person files a VAT return, and mends it', async () => {
  await post({ date: '2026-09-30', description: 'Kontantförsäljning i kassan' });
  const page = await site.openAs('medarbetare');
  await page.getByRole('link', { name: /momsdeklaration att lämna/ }).click();
  await page.getByRole('heading', { level: 1, name: /^Moms 2026-07-01 – 2026-09-30/ }).waitFor();

  // What is behind a box.
  await page.getByRole('link', { name: '05', exact: true }).click();
  await page.getByText('Kontantförsäljning i kassan').waitFor();
  await page.goBack();

  await page.getByRole('button', { name: 'Boka om till 2650' }).click();
  await page.getByText('Momsen är bokad till 2650 med M1.').waitFor();

  await page.getByLabel('Upplysning till Skatteverket').fill('Första deklarationen & sista');
  await page.getByRole('button', { name: 'Lägg i filen' }).click();
  // The page before has such a link too, whose file would not have the text.
  await page.waitForURL(/upplysning=/);
  const file = await savedFile(page, () =>
    page.getByRole('link', { name: 'Hämta filen till Skatteverket' }).click(),
  );
  expect(file.name).toBe('moms-5567026934-2026-09.xml');
  const text = file.bytes.toString('latin1');
  expect(text).toContain('<Period>202609</Period>');
  expect(text).toContain('<MomsBetala>25</MomsBetala>');
  expect(text).toContain('Första deklarationen &amp; sista');

  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Anteckna som lämnad' }).click();
  await page.getByText(/Deklarationen är antecknad som lämnad/).waitFor();
  await page.getByText('Nummer 1, 25 kr').waitFor();

  // Nobody books into it any more; what mends it stands after it.
  const payload = voucherBody({ date: '2026-09-30' });
  const refused = await site.call({ method: 'POST', url: '/api/v1/verifikat', payload });
  expect(refused.json()).toMatchObject({ error: 'period_locked', detail: { lock: 'vat' } });
  await post({ date: '2026-10-05', description: 'Glömd försäljning i september' });
  await page.getByText('Ett annat verifikat').click();
  await page.getByLabel('Verifikat', { exact: true }).fill('A2');
  await page.getByRole('button', { name: 'Räkna hit' }).click();
  await page.getByText('A2 räknas till perioden.').waitFor();
  await page.getByText('Rättad, lämna på nytt').waitFor();

  await page.getByLabel('På annat sätt', { exact: true }).check();
  await page.getByLabel('Dag den lämnades på annat sätt').fill('2026-11-20');
  await page.getByLabel('Referens').fill('Kvittens 17');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Anteckna som lämnad' }).click();
  await page.getByText('Nummer 2, 50 kr').waitFor();
  await page.getByText('på annat sätt: Kvittens 17').waitFor();
  const href = await page.getByRole('link', { name: 'Nummer 1, 25 kr' }).getAttribute('href');
  const first = await page.context().request.get(`${site.address}${href}`);
  expect((await first.body()).toString('latin1')).toBe(text);
  expect(complaintsOf(page)).toEqual([]);
});

/** Half a year out of another program, with both of its quarters settled, one by an ordinary-looking voucher, and one that only looks so. */
const imported = `#FLAGGA 0
#PROGRAM "Annat" 1.0
#FORMAT PC8
#GEN 20260701
#SIETYP 4
#FNAMN "Testbolaget AB"
#ORGNR 556702-6934
#RAR 0 20260101 20261231
#KONTO 1630 "Skattekonto"
#KONTO 1930 "Bank"
#KONTO 2611 "Moms 25"
#KONTO 2641 "Ingaende moms"
#KONTO 2650 "Momsredovisning"
#KONTO 3001 "Forsaljning"
#KONTO 4010 "Inkop"
#VER A 1 20260210 "Forsaljning februari"
{
#TRANS 1930 {} 1250.00
#TRANS 3001 {} -1000.00
#TRANS 2611 {} -250.00
}
#VER A 2 20260310 "Inkop mars"
{
#TRANS 4010 {} 400.00
#TRANS 2641 {} 100.00
#TRANS 1930 {} -500.00
}
#VER A 3 20260331 "Momsredovisning kvartal 1"
{
#TRANS 2611 {} 250.00
#TRANS 2641 {} -100.00
#TRANS 2650 {} -150.00
}
#VER A 4 20260515 "Forsaljning maj"
{
#TRANS 1930 {} 2500.00
#TRANS 3001 {} -2000.00
#TRANS 2611 {} -500.00
}
#VER A 5 20260630 "Moms till skattekontot"
{
#TRANS 2611 {} 500.00
#TRANS 1630 {} -500.00
}
#VER A 6 20260620 "Utgaende moms flyttad fran 2650"
{
#TRANS 2650 {} 50.00
#TRANS 2611 {} -50.00
}
`;

test('a person says which imported vouchers settle VAT, and the boxes are whole again', async () => {
  const other = await openSite();
  try {
    const page = await other.openAs('agare');
    await page.goto('/sie');
    const buffer = Buffer.from(imported);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'halvar.se', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Förhandsgranska' }).click();
    // The other program wrote no closing balances to hold the vouchers against, which the person has seen.
    await page.locator('input[name=sett]').check();
    await page.getByRole('button', { name: 'Läs in filen' }).click();
    await expect
      .poll(async () => (await other.owner.query('select from ledger.imported_vouchers')).rowCount)
      .toBe(6);

    // Nobody has said it yet: the return lacks what was settled, and the controls say why.
    await page.goto('/moms/2026-03-31');
    await page
      .getByText(/ser ut att redovisa moms/)
      .first()
      .waitFor();
    const boxOf = (box: string) =>
      page
        .getByRole('row', { name: new RegExp(`^${box} `) })
        .locator('.number')
        .last();
    expect((await page.locator('main').innerText()).replaceAll('\u00a0', ' ')).toContain('1 000');
    await page.goto('/moms');
    const section = page.getByRole('region', { name: /Importerade verifikat som ser ut/ });
    const rows = section.locator('tbody tr');
    expect(await rows.count()).toBe(3);
    const judge = async (text: string, choice: string) => {
      const row = rows.filter({ hasText: text });
      await row.getByRole('combobox').selectOption(choice);
      await row.getByRole('button', { name: 'Spara' }).click();
      await page
        .getByText(
          choice === '' ? /räknas som andra verifikat/ : `redovisar momsen till och med ${choice}.`,
        )
        .first()
        .waitFor();
    };
    await judge('Momsredovisning kvartal 1', '2026-03-31');
    await judge('Moms till skattekontot', '2026-06-30');
    await judge('Utgaende moms flyttad', '');
    expect(complaintsOf(page)).toEqual([]);

    await page.goto('/moms/2026-03-31');
    expect(await boxOf('10').innerText()).toBe('250');
    expect(await boxOf('48').innerText()).toBe('100');
    expect(await page.getByText(/ser ut att redovisa moms/).count()).toBe(0);
    await page.goto('/moms/2026-06-30');
    // What only looked so counts as it stands.
    expect(await boxOf('10').innerText()).toBe('550');
  } finally {
    await other.close();
  }
});
