import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let installation: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  keeper = await logIn(installation, 'medarbetare');
  reader = await logIn(installation, 'lasare');
});
afterAll(() => installation.close());

const HOSTILE = '<script>alert("x")</script>';
const form = (overrides: Record<string, string> = {}) => ({
  name: 'Nordljus AB',
  countryCode: 'SE',
  isActive: 'on',
  ...overrides,
});

async function create(overrides: Record<string, string> = {}): Promise<string> {
  const answer = await keeper.submit('/kunder/ny', form(overrides));
  expect(answer.statusCode, answer.body).toBe(303);
  return String(answer.headers.location);
}

test('a customer is made with everything a demand needs, shown and changed', async () => {
  const page = await create({
    name: 'Hela Kunden AB',
    organizationNumber: '556036-0793',
    vatNumber: 'SE 556036079301',
    email: 'faktura@exempel.se',
    phone: '090-12 34 56',
    address: 'Storgatan 1',
    postalCode: '903 26',
    city: 'Umeå',
    paymentTermsDays: '15',
    agreedRate: '8,5',
  });
  const { body } = await reader.get(page);
  for (const text of [
    '556036-0793',
    'SE556036079301',
    'faktura@exempel.se',
    'Storgatan 1, 903 26 Umeå',
    '15 dagar',
    '8,5 % (avtalad)',
  ]) {
    expect(body).toContain(text);
  }
  expect(body).not.toContain('Saknas på fakturor');
  expect(body).not.toContain(`${page}/andra`);
  const changed = await keeper.submit(
    `${page}/andra`,
    form({ name: 'Nytt Namn AB', city: 'Luleå' }),
  );
  expect(changed.statusCode).toBe(303);
  const after = (await reader.get(page)).body;
  expect(after).toContain('Nytt Namn AB');
  expect(after).toContain('Saknas på fakturor och krav: gatuadress, organisationsnummer.');
});

test('a new invoice carries the address of the register to its debtor', async () => {
  const page = await create({
    name: 'Fakturerad AB',
    address: 'Kungsgatan 2',
    postalCode: '111 22',
    city: 'Stockholm',
  });
  const id = page.split('/').at(-1);
  const answer = await installation.call({
    method: 'POST',
    url: '/api/v1/kundfakturor',
    payload: {
      customerId: id,
      invoiceDate: '2026-11-01',
      paymentTerms: 10,
      book: true,
      rows: [{ description: 'Arbete', quantity: 1, unitPrice: 1000, vatRate: 25, account: 3001 }],
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const [invoice] = await db(installation.owner).query<{ debtor: Record<string, string> }>(
    sql`select debtor from sales.invoices where customer_id = ${id}::uuid`,
  );
  expect(invoice?.debtor).toMatchObject({
    address: 'Kungsgatan 2',
    postalCode: '111 22',
    city: 'Stockholm',
  });
  // It was due 2026-11-11, and today is later.
  const shown = (await reader.get(page)).body;
  expect(shown).toContain('1\u00a0250,00\u00a0kr');
  expect(shown).toContain('Förfallen');
  expect((await reader.get('/kunder?q=fakturerad')).body).toContain('1\u00a0250,00');
  // What is used is deactivated, never removed: not offered, and refused when asked for all the same.
  expect((await keeper.get(`${page}/andra`)).body).not.toContain('ta-bort');
  const removed = await keeper.submit(`${page}/ta-bort`, {}, `${page}/andra`);
  expect(removed.statusCode).toBe(422);
  expect(removed.body).toContain('Gör den inaktiv');
  expect(removed.body).toContain('value="Kungsgatan 2"');
});

test.each([
  [{ organizationNumber: '556036-0794' }, 'f-organizationNumber-error'],
  [{ vatNumber: 'SE123' }, 'f-vatNumber-error'],
  [{ email: 'ingen adress' }, 'f-email-error'],
  [{ countryCode: 'QQ' }, 'f-countryCode-error'],
  [{ paymentTermsDays: '91' }, 'f-paymentTermsDays-error'],
  [{ agreedRate: '101' }, 'f-agreedRate-error'],
  [{ name: '' }, 'f-name-error'],
])('%j is refused beside its field, and what was typed stays', async (wrong, error) => {
  const answer = await keeper.submit('/kunder/ny', form({ city: 'Skellefteå', ...wrong }));
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(`id="${error}"`);
  expect(answer.body).toContain('value="Skellefteå"');
});

test('a number that another customer has is refused until a person insists', async () => {
  await create({ name: 'Äldst AB', organizationNumber: '2120000142' });
  const twice = { name: 'Samma AB', organizationNumber: '212000-0142' };
  const answer = await keeper.submit('/kunder/ny', form(twice));
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('Äldst AB har redan organisationsnumret');
  expect(answer.body).toContain('type="checkbox" id="f-sharesNumber"');
  await create({ ...twice, sharesNumber: 'on' });
});

test('text that is code is shown as text, in the list, on the page and in the form', async () => {
  const page = await create({ name: HOSTILE, city: HOSTILE, phone: '‮evil', address: HOSTILE });
  for (const url of ['/kunder?q=script', page, `${page}/andra`]) {
    const { body } = await keeper.get(url);
    expect(body).not.toContain(HOSTILE);
    expect(body).toContain('&lt;script&gt;');
  }
  expect((await keeper.get(`/kunder?q=${encodeURIComponent('"><script>')}`)).body).not.toContain(
    '"><script>',
  );
});

test('an unused customer is removed, and is gone', async () => {
  const page = await create({ name: 'Felstavad AB' });
  const gone = await keeper.submit(`${page}/ta-bort`, {}, `${page}/andra`);
  expect(gone.headers.location).toBe('/kunder');
  expect((await keeper.get(page)).statusCode).toBe(404);
});

test('the collective customer stays active', async () => {
  const list = await keeper.get('/kunder?q=Webbkunder');
  const [, id] = /href="\/kunder\/([0-9a-f-]{36})"/.exec(list.body) ?? [];
  const answer = await keeper.submit(`/kunder/${id}/andra`, {
    name: 'Webbkunder',
    countryCode: 'SE',
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('Samlingskunden');
});

describe('the list', () => {
  test('goes page by page in the order of the Swedish alphabet, none twice and none lost', async () => {
    await db(installation.owner).query(sql`insert into sales.customers (id, name)
      select gen_random_uuid(), 'Sida ' || lpad(n::text, 3, '0') from generate_series(1, 60) as n`);
    await db(installation.owner).query(sql`insert into sales.customers (id, name)
      select gen_random_uuid(), name from unnest(array['Sida Z', 'Sida å', 'Sida Ä', 'Sida ö']) as n (name)`);
    const names: string[] = [];
    let url: string | undefined = '/kunder?q=sida';
    for (let pages = 0; url !== undefined && pages < 5; pages += 1) {
      const { body } = await reader.get(url);
      names.push(
        ...[...body.matchAll(/class="row-link"[^>]*>([^<]+)</g)].map(([, name = '']) => name),
      );
      url = /href="([^"]+)" rel="next"/
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=');
    }
    expect(names).toHaveLength(64);
    expect(new Set(names).size).toBe(64);
    expect(names.slice(-4)).toEqual(['Sida Z', 'Sida å', 'Sida Ä', 'Sida ö']);
  });

  test('inactive ones are shown when asked for', async () => {
    const page = await create({ name: 'Vilande AB' });
    const { isActive: _box, ...inactive } = form({ name: 'Vilande AB' });
    await keeper.submit(`${page}/andra`, inactive);
    expect((await reader.get('/kunder?q=vilande')).body).toContain('Ingen kund stämmer');
    expect((await reader.get('/kunder?q=vilande&visa=inaktiva')).body).toContain('Vilande AB');
  });

  test('a search that means something to the database is only text', async () => {
    expect((await reader.get('/kunder?q=%25')).body).toContain('Ingen kund stämmer');
    expect((await reader.get('/kunder?q=%27%3Bdrop')).statusCode).toBe(200);
  });

  test('a place that nobody gave is no page', async () => {
    for (const place of ['x', Buffer.from('["a","b"]').toString('base64url'), 'W10']) {
      expect((await reader.get(`/kunder?efter=${place}`)).statusCode).toBe(400);
    }
  });
});

test('whoever only reads changes nothing', async () => {
  expect((await reader.get('/kunder')).body).not.toContain('/kunder/ny');
  expect((await reader.get('/kunder/ny')).statusCode).toBe(403);
});

test('what another system calls a customer is shown, searched for, and one customer only', async () => {
  const page = await create({ name: 'Butikens kund AB', externalId: '  Å 17<i>  ' });
  expect((await reader.get(page)).body).toContain('Å 17&lt;i&gt;');
  const search = await reader.get(`/kunder?q=${encodeURIComponent('A\u030a 17<i>')}`);
  expect(search.body).toContain('Butikens kund AB');
  const taken = await keeper.submit('/kunder/ny', form({ name: 'En till', externalId: 'Å 17<i>' }));
  expect(taken.statusCode).toBe(422);
  expect(taken.body).toMatch(
    /<details open>[\s\S]*id="f-externalId-error">En annan i samma register/,
  );
  const odd = await keeper.submit('/kunder/ny', form({ name: 'En till', externalId: 'a\0b' }));
  expect(odd.statusCode).toBe(400);
  const long = await keeper.submit(
    '/kunder/ny',
    form({ name: 'En till', externalId: 'å'.repeat(256) }),
  );
  expect(long.body).toContain('id="f-externalId-error">Högst 255 tecken.');
  await keeper.submit(`${page}/andra`, form({ name: 'Butikens kund AB' }));
  expect((await reader.get(page)).body).not.toContain('Kallas i andra system');
  await create({ name: 'En till', externalId: 'Å 17<i>' });
});
