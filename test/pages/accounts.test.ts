import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let installation: Installation;
let keeper: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  keeper = await logIn(installation, 'medarbetare');
});
afterAll(() => installation.close());

const post = async (overrides: object = {}) => {
  const answer = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody(overrides),
  });
  expect(answer.statusCode, answer.body).toBe(200);
};
const cells = (html: string): string[] =>
  [...html.matchAll(/<td class="number">([^<]*)<\/td>/g)].map(([, text = '']) => text);
const form = (overrides: Record<string, string> = {}) => ({
  name: 'Försäljning online',
  type: 'usual',
  vat: '',
  ...overrides,
});

test('an account is made of the type its number says, given a VAT code, and shown', async () => {
  const made = await keeper.submit('/kontoplan/nytt', form({ number: '3011', vat: 'MP1|25|05' }));
  expect(made.statusCode, made.body).toBe(303);
  const list = (await keeper.get('/kontoplan?q=3011')).body;
  expect(list).toContain('Försäljning online');
  expect(list).toContain('Intäkt');
  expect(list).toContain('MP1 · 25 % · ruta 05');
  expect((await keeper.get('/kontoplan?q=ONLINE')).body).toContain('3011');
});

test.each([
  [{ number: '3012', name: '' }, 400, 'f-name-error'],
  [{ number: '9100' }, 400, 'f-number-error'],
  [{ number: '1930' }, 422, 'f-number-error'],
  [{ number: '3012', type: 'cost' }, 422, 'f-type-error'],
  [{ number: '3012', vat: 'PÅHITT||' }, 422, 'f-vat-error'],
  [{ number: '3012', sru: '73' }, 400, 'f-sru-error'],
])('%j is refused beside its field', async (wrong, status, error) => {
  const answer = await keeper.submit('/kontoplan/nytt', form(wrong));
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toContain(`id="${error}"`);
});

test('the type of a used account stays, whatever the form says; the rest changes', async () => {
  await keeper.submit('/kontoplan/nytt', form({ number: '8115', name: 'Ränta' }));
  const change = (type: string) =>
    keeper.submit('/kontoplan/8115/andra', { name: 'Ränta', type, vat: '', isActive: 'on' });
  expect((await change('cost')).statusCode).toBe(303);
  await post({
    rows: [
      { account: 1930, debit: 0, credit: 5 },
      { account: 8115, debit: 5, credit: 0 },
    ],
  });
  const refused = await change('revenue');
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('dess slag ändras inte');
  expect((await keeper.get('/kontoplan/8115/andra')).body).not.toContain('value="revenue"');
});

test('an account is removed only when it was added here and nothing points at it', async () => {
  const remove = (number: number) =>
    keeper.submit(`/kontoplan/${number}/ta-bort`, {}, `/kontoplan/${number}/andra`);
  await keeper.submit('/kontoplan/nytt', form({ number: '5099', name: 'Felslaget' }));
  await keeper.submit('/kontoplan/nytt', form({ number: '5098', name: 'Använt' }));
  await post({
    rows: [
      { account: 1930, debit: 0, credit: 5 },
      { account: 5098, debit: 5, credit: 0 },
    ],
  });
  const used = await remove(5098);
  expect(used.statusCode).toBe(422);
  expect(used.body).toContain('används och kan inte tas bort');
  const base = await remove(1510);
  expect(base.statusCode).toBe(422);
  expect(base.body).toContain('grundkontoplanen');
  expect((await remove(5099)).statusCode).toBe(303);
  expect((await keeper.get('/kontoplan/5099')).statusCode).toBe(404);
});

test('an account taken out of use stops vouchers at once and says so', async () => {
  await keeper.submit('/kontoplan/nytt', form({ number: '5097', name: 'Stängt' }));
  await keeper.submit('/kontoplan/5097/andra', { name: 'Stängt', type: 'cost', vat: '' });
  const answer = await installation.call({
    method: 'POST',
    url: '/api/v1/verifikat',
    payload: voucherBody({
      rows: [
        { account: 1930, debit: 0, credit: 5 },
        { account: 5097, debit: 5, credit: 0 },
      ],
    }),
  });
  expect(answer.statusCode).toBe(422);
  expect((await keeper.get('/kontoplan/5097')).body).toContain('Kontot är inaktivt');
  expect((await keeper.get('/kontoplan?q=5097')).body).toContain('Inget konto stämmer');
  expect((await keeper.get('/kontoplan?q=5097&visa=inaktiva')).body).toContain('Stängt');
});

describe('the ledger of an account', () => {
  const ACCOUNT = 1920;
  beforeAll(async () => {
    for (const [date, kronor] of [
      ['2026-01-31', 100],
      ['2026-02-01', 20],
      ['2026-02-28', 3],
      ['2026-03-01', 4000],
    ] as const) {
      await post({
        date,
        description: `Insättning <i>${kronor}</i>`,
        rows: [
          { account: ACCOUNT, debit: kronor, credit: 0 },
          { account: 2018, debit: 0, credit: kronor },
        ],
      });
    }
  });

  test('shows each row with the balance after it, and the period summed up', async () => {
    const { body } = await keeper.get(`/kontoplan/${ACCOUNT}?ar=2026`);
    expect(cells(body).filter(Boolean)).toEqual([
      '0,00',
      ...['100,00', '100,00', '20,00', '120,00', '3,00', '123,00'],
      ...['4\u00a0000,00', '4\u00a0123,00'],
      ...['4\u00a0123,00', '0,00', '4\u00a0123,00'],
    ]);
    expect(body).toContain('Insättning &lt;i&gt;');
  });

  test('a period begins with the balance before it and holds its own days only', async () => {
    const { body } = await keeper.get(`/kontoplan/${ACCOUNT}?ar=2026&fran=2026-02&till=2026-02`);
    expect(cells(body).filter(Boolean)).toEqual([
      '100,00',
      ...['20,00', '120,00', '3,00', '123,00'],
      ...['23,00', '0,00', '123,00'],
    ]);
    const turned = await keeper.get(`/kontoplan/${ACCOUNT}?ar=2026&fran=2026-03&till=2026-02`);
    expect(cells(turned.body).filter(Boolean).at(-1)).toBe('4\u00a0123,00');
  });

  test('goes on page by page with the right balance, also when rows come in between', async () => {
    await keeper.submit('/kontoplan/nytt', form({ number: '1921', name: 'Många' }));
    const rows = Array.from({ length: 130 }, (_, index) => index + 1);
    await post({
      date: '2026-05-10',
      rows: [
        ...rows.map(() => ({ account: 1921, debit: 1, credit: 0 })),
        { account: 2018, debit: 0, credit: 130 },
      ],
    });
    const first = await keeper.get('/kontoplan/1921?ar=2026');
    expect(cells(first.body).at(-1)).toBe('100,00');
    const next = /href="([^"]+)" rel="next"/
      .exec(first.body)?.[1]
      ?.replaceAll('&amp;', '&')
      .replaceAll('&#x3D;', '=');
    await post({
      date: '2026-05-02',
      rows: [
        { account: 1921, debit: 1000, credit: 0 },
        { account: 2018, debit: 0, credit: 1000 },
      ],
    });
    const second = await keeper.get(String(next));
    expect(cells(second.body).filter(Boolean)[0]).toBe('1\u00a0100,00');
    expect(cells(second.body).filter(Boolean).at(-1)).toBe('1\u00a0130,00');
  });

  test('an account that does not exist has no page', async () => {
    expect((await keeper.get('/kontoplan/1234')).statusCode).toBe(404);
    expect((await keeper.get('/kontoplan/abc')).statusCode).toBe(404);
    expect((await keeper.get('/kontoplan/1920?efter=W10')).statusCode).toBe(400);
  });
});

test('text that is code is shown as text', async () => {
  const hostile = '<script>x</script>';
  await keeper.submit('/kontoplan/nytt', form({ number: '6995', name: hostile }));
  for (const url of ['/kontoplan?q=6995', '/kontoplan/6995', '/kontoplan/6995/andra']) {
    const { body } = await keeper.get(url);
    expect(body).not.toContain(hostile);
    expect(body).toContain('&lt;script&gt;');
  }
});

test('a reader sees the chart and is not offered to change it', async () => {
  const reader = await logIn(installation, 'lasare');
  const { body } = await reader.get('/kontoplan');
  expect(body).toContain('1930');
  expect(body).not.toContain('/kontoplan/nytt');
  expect((await reader.get('/kontoplan/1930/andra')).statusCode).toBe(403);
});
