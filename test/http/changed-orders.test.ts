/** An order that its shop changes once it is an invoice: people see what differs, until somebody has seen to it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let installation: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation({ workers: true });
  keeper = await logIn(installation, 'medarbetare');
  reader = await logIn(installation, 'lasare');
  await installation.call({
    method: 'POST',
    url: '/api/inbound/order',
    payload: order('kund', {}),
  });
});
afterAll(() => installation.close());

const row = { description: 'Kaffebryggare', quantity: 1, unitPrice: 199, vatRate: 25 };
const order = (externalId: string, more: object) => ({
  externalId,
  orderDate: '2026-11-21',
  currency: 'SEK',
  pricesIncludeVat: true,
  total: 199,
  customer: { name: 'Anna Andersson', email: 'anna@exempel.se' },
  rows: [row],
  ...more,
});

let number = 0;
let id = '';
beforeEach(async () => {
  number += 1;
  await db(
    installation.owner,
  ).query(sql`update intake.changed_orders set seen_at = now(), seen_by = 'test'
    where seen_at is null`);
});

const send = async (payload: object, key = installation.key) =>
  (await installation.call({ method: 'POST', url: '/api/inbound/order', payload, key })).json();

/** The order of this test, which has become a draft. */
async function sold(): Promise<string> {
  const externalId = `W-${number}`;
  const { invoiceId, ...rest } = await send(order(externalId, {}));
  if (!invoiceId) throw new Error(JSON.stringify(rest));
  const [found] = await db(installation.owner).query<{ id: string }>(
    sql`select id from intake.orders where invoice_id = ${invoiceId}::uuid`,
  );
  id = found?.id ?? '';
  return externalId;
}

const changed = (externalId: string) =>
  order(externalId, {
    total: 398,
    customer: { name: 'Anna Åkesson', email: 'anna@exempel.se' },
    rows: [
      { ...row, quantity: 2 },
      { ...row, description: 'Filter' },
    ],
  });

const waiting = async () => (await keeper.get('/order?flik=andrade')).body;

describe('an order that is changed once it is an invoice', () => {
  test('waits in the inbox, and its page says what differs and what can be done', async () => {
    const externalId = await sold();
    expect((await send(changed(externalId))).differingFields).toEqual([
      'customer',
      'rows',
      'total',
    ]);
    const list = await waiting();
    expect(list).toContain('Ändrade efteråt (1)');
    expect(list).toContain(`/order/${id}`);
    const { body } = await keeper.get(`/order/${id}`);
    expect(body).toContain('Ändrad efter faktureringen');
    for (const text of [
      'Köparens namn',
      'Anna Andersson',
      'Anna Åkesson',
      'Antalet på rad 1',
      'Benämning: Filter',
    ]) {
      expect(body).toContain(text);
    }
    expect(body).not.toContain('Köparens e-postadress');
    expect(body).toContain('Öppna utkastet och ändra det');
    expect((await reader.get(`/order/${id}`)).body).not.toContain('Klar med ändringen');
  });

  test('waits no more once somebody is done, until it is changed otherwise', async () => {
    const externalId = await sold();
    await send(changed(externalId));
    const page = (await keeper.get(`/order/${id}`)).body;
    const receivedAt = /name="receivedAt" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const settle = () => keeper.submit(`/order/${id}/andring`, { receivedAt }, `/order/${id}`);
    expect(
      (await reader.submit(`/order/${id}/andring`, { receivedAt }, '/oversikt')).statusCode,
    ).toBe(403);
    // Another has come meanwhile, which nobody has seen.
    await send(order(externalId, { total: 1 }));
    await settle();
    expect(await waiting()).toContain(`/order/${id}`);
    const now =
      /name="receivedAt" value="([^"]+)"/.exec((await keeper.get(`/order/${id}`)).body)?.[1] ?? '';
    const done = await keeper.submit(`/order/${id}/andring`, { receivedAt: now }, `/order/${id}`);
    expect(done.headers.location).toBe('/order?flik=andrade');
    expect(await waiting()).not.toContain(`/order/${id}`);
    // The same again is nothing new.
    await send(order(externalId, { total: 1 }));
    expect(await waiting()).not.toContain(`/order/${id}`);
    await send(changed(externalId));
    expect(await waiting()).toContain(`/order/${id}`);
  });

  test('and sent again as it was tells nobody anything', async () => {
    const externalId = await sold();
    await send(order(externalId, {}));
    // Written otherwise, and the same.
    await send({ ...order(externalId, {}), total: 199.0, orderDate: '2026-11-21' });
    expect(await waiting()).not.toContain(`/order/${id}`);
  });

  test('is not changed by what another key sends under its number', async () => {
    const externalId = await sold();
    const { key } = await installation.makeKey(['intake:write']);
    expect((await send(changed(externalId), key)).differingFields).toBeUndefined();
    expect(await waiting()).not.toContain(`/order/${id}`);
  });
});
