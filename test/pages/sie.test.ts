/** The page of SIE files: the year fetched as a file, by those who may read the books. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { errorAt, textOfPage } from '../support/pages.ts';
import { logIn } from '../support/person.ts';
import { judge } from '../support/sie.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation();
  await installation.call({ method: 'POST', url: '/api/v1/verifikat', payload: voucherBody() });
});
afterAll(() => installation.close());

test('whoever may read the books fetches a year, and it is written down', async () => {
  const reader = await logIn(installation, 'lasare');
  expect((await reader.get('/sie')).body).toContain('Hämta filen');
  const file = await reader.get('/sie/export?ar=2026&typ=4E&fran=&till=');
  expect(file.statusCode).toBe(200);
  expect(file.headers['content-disposition']).toBe('attachment; filename="5567026934-2026.se"');
  expect(await judge(file.rawPayload)).toMatchObject({ verdict: 'ok', type: '4E', vouchers: 1 });
  expect(textOfPage((await reader.get('/sie')).body)).toMatch(
    /SIE 4E, 2026-01-01–2026-12-31, 1 verifikat/,
  );
  expect((await reader.get('/handelser')).body).toContain(
    'exporterade räkenskapsåret 2026 som SIE 4E',
  );
});

test('what is wrong with the days stands beside them', async () => {
  const reader = await logIn(installation, 'lasare');
  const outside = await reader.get('/sie/export?ar=2026&typ=4I&fran=2025-01-01&till=');
  expect(outside.statusCode).toBe(422);
  expect(errorAt(outside.body, 'fran')).toContain('utanför räkenskapsåret 2026');
  const unread = await reader.get('/sie/export?ar=2026&typ=4I&fran=&till=igår');
  expect(unread.statusCode).toBe(400);
  expect(errorAt(unread.body, 'till')).toContain('ÅÅÅÅ-MM-DD');
  expect((await reader.get('/sie/export?ar=1999&typ=4E')).statusCode).toBe(404);
});
