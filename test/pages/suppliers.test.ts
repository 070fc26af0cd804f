import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { errorAt } from '../support/pages.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let installation: Installation;
let keeper: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  keeper = await logIn(installation, 'medarbetare');
});
afterAll(() => installation.close());

const HOSTILE = '<img src=x onerror=alert(1)>';
const form = (overrides: Record<string, string> = {}) => ({
  name: 'Grossisten AB',
  countryCode: 'SE',
  isActive: 'on',
  ...overrides,
});

async function create(overrides: Record<string, string> = {}): Promise<string> {
  const answer = await keeper.submit('/leverantorer/ny', form(overrides));
  expect(answer.statusCode, answer.body).toBe(303);
  return String(answer.headers.location);
}

test('a supplier is made with where it is paid, found by its giro, and changed', async () => {
  const page = await create({
    name: 'Pappret i Borås AB',
    organizationNumber: '556036-0793',
    bankgiro: '5805-6201',
    iban: 'SE45 5000 0000 0583 9825 7466',
    account: '4000',
    email: 'order@papper.se',
  });
  const { body } = await keeper.get(page);
  expect(body).toContain('5805-6201');
  expect(body).toContain('SE45 5000 0000 0583 9825 7466');
  expect((await keeper.get('/leverantorer?q=5805-6201')).body).toContain('Pappret i Borås AB');
  const changed = await keeper.submit(
    `${page}/andra`,
    form({ name: 'Pappret AB', account: '5460' }),
  );
  expect(changed.statusCode).toBe(303);
  expect((await keeper.get(page)).body).toContain('5460');
});

test('an account is added and taken away, each written down', async () => {
  const page = await create({ name: 'Kontot AB' });
  const wrong = await keeper.submit(
    `${page}/konton`,
    { kind: 'bankgiro', number: '5805-6202' },
    page,
  );
  expect(wrong.statusCode).toBe(400);
  expect(wrong.body).toContain('Bankgiro stämmer inte');
  expect(wrong.body).toContain('value="5805-6202"');
  const added = await keeper.submit(
    `${page}/konton`,
    { kind: 'bankgiro', number: '991-2346' },
    page,
  );
  expect(added.statusCode).toBe(303);
  const twice = await keeper.submit(
    `${page}/konton`,
    { kind: 'bankgiro', number: '9912346' },
    page,
  );
  expect(twice.body).toContain('har redan det kontot');
  const fields = { kind: 'bankgiro', number: '9912346' };
  const gone = await keeper.submit(`${page}/konton/ta-bort`, fields, page);
  expect(gone.statusCode).toBe(303);
  expect((await keeper.get(page)).body).toContain('Inget konto än');
  const events = await db(installation.owner).query(
    sql`select action from audit.events where actor = ${`user:${keeper.id}`}
          and action like 'supplier.account%' order by occurred_at`,
  );
  expect(events).toEqual([
    { action: 'supplier.account_added' },
    { action: 'supplier.account_removed' },
  ]);
});

test.each([
  [{ organizationNumber: '5560360794' }, 'f-organizationNumber-error'],
  [{ bankgiro: '1234-5678' }, 'f-bankgiro-error'],
  [{ iban: 'SE4550000000058398257467' }, 'f-iban-error'],
  [{ endpoint: 'någonstans' }, 'f-endpoint-error'],
])('%j is refused beside its field', async (wrong, error) => {
  const answer = await keeper.submit('/leverantorer/ny', form(wrong));
  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(`id="${error}"`);
});

test('signs that another supplier has, and an account that does not exist, are refused', async () => {
  await create({ name: 'Ensam AB', organizationNumber: '2120000142', endpoint: '0007:2120000142' });
  const answer = await keeper.submit(
    '/leverantorer/ny',
    form({ organizationNumber: '2120000142', endpoint: '0007:2120000142', account: '4999' }),
  );
  expect(answer.statusCode).toBe(422);
  expect(answer.body).toContain('Ensam AB har redan organisationsnumret.');
  expect(answer.body).toContain('Ensam AB har redan den elektroniska adressen.');
  expect(answer.body).toContain('Kontot 4999 finns inte');
});

test.each(['3001', '2099', '2440', '8999'])(
  'account %s is none that purchases are booked on',
  async (account) => {
    const answer = await keeper.submit('/leverantorer/ny', form({ account }));
    expect(answer.statusCode).toBe(422);
    expect(errorAt(answer.body, 'account')).toContain(`Inköp bokförs inte på konto ${account}`);
  },
);

test('a supplier with invoices is kept, one without is removed with its accounts', async () => {
  const used = await create({ name: 'Använd AB' });
  const id = used.split('/').at(-1);
  const documentId = randomUUID();
  const { id: keyId } = await installation.makeKey();
  await db(
    installation.owner,
  ).query(sql`insert into intake.e_invoices (id, sha256, raw, size, key_id,
      request_id) values (${documentId}, sha256('x'), 'x', 1, ${keyId}::uuid, ${randomUUID()})`);
  await db(
    installation.owner,
  ).query(sql`insert into purchases.invoices (id, document_id, status, kind,
      supplier_id, seller, invoice_number, issue_date, currency, net_ore, vat_ore, rounding_ore,
      prepaid_ore, payable_ore, payment)
    values (${randomUUID()}, ${documentId}, 'new', 'invoice', ${id}::uuid, '{"name": "Använd AB"}',
      'F-<b>1</b>', '2026-11-01', 'SEK', 10000, 2500, 0, 0, 12500, '{"accounts": []}')`);
  expect((await keeper.get(used)).body).toContain('F-&lt;b&gt;1&lt;/b&gt;');
  const refused = await keeper.submit(`${used}/ta-bort`, {}, `${used}/andra`);
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('Gör den inaktiv');

  const unused = await create({ name: 'Oanvänd AB', plusgiro: '5805620-1' });
  const gone = await keeper.submit(`${unused}/ta-bort`, {}, `${unused}/andra`);
  expect(gone.statusCode).toBe(303);
  expect((await keeper.get(unused)).statusCode).toBe(404);
});

test('text that is code is shown as text', async () => {
  const page = await create({ name: HOSTILE, address: HOSTILE, phone: HOSTILE, city: HOSTILE });
  for (const url of ['/leverantorer?q=onerror', page, `${page}/andra`]) {
    const { body } = await keeper.get(url);
    expect(body).not.toContain(HOSTILE);
    expect(body).toContain('&lt;img');
  }
});

test('whoever only reads sees the accounts and changes none', async () => {
  const reader = await logIn(installation, 'lasare');
  const page = await create({ name: 'Sedd AB', bankgiro: '5805-6201' });
  const { body } = await reader.get(page);
  expect(body).toContain('5805-6201');
  expect(body).not.toContain('/konton');
  const answer = await reader.post(`${page}/konton`, {
    ...tokensOf(body),
    kind: 'bankgiro',
    number: '991-2346',
  });
  expect(answer.statusCode).toBe(403);
});
