/** Tills' reports at their pages, with a real worker: shown, mended, tried again, put aside. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

let number = 0;
async function send(overrides: object = {}) {
  number += 1;
  const body = {
    tillId: `Kassa <${randomUUID().slice(0, 8)}>`,
    zNumber: number,
    date: '2026-03-31',
    sales: [{ vatRate: 25, amount: 1_250 }],
    payments: [{ method: 'card', amount: 1_250 }],
    ...overrides,
  };
  await books.call({ method: 'POST', url: '/api/inbound/dagskassa', payload: body });
  const find = async () => {
    const [found] = await db(books.owner).query<{ id: string; status: string }>(
      sql`select id, status from intake.till_reports where till = ${body.tillId}`,
    );
    expect(found?.status).not.toBe('received');
    return found?.id ?? '';
  };
  return { body, id: await vi.waitFor(find, { timeout: 20_000, interval: 20 }) };
}

async function follow(answer: { statusCode: number; headers: object; body: string }) {
  expect(answer.statusCode, answer.body).toBe(303);
  return person.get((answer.headers as { location: string }).location);
}

test('one that is booked is shown with its sums and its voucher, and nothing it says is markup', async () => {
  const { id, body } = await send();
  const list = await person.get('/dagskassor?flik=alla');
  expect(list.body).toContain('1 250,00'.replace(' ', '\u00a0'));
  expect(list.body).not.toContain(body.tillId);
  const page = await reader.get(`/dagskassor/${id}`);
  expect(page.body).toContain('Bokförd');
  expect(page.body).toMatch(/<a href="\/verifikat\/[0-9a-f-]+">A\d+<\/a>/);
  expect(page.body).toContain('Arbetaren för dagskassor');
  expect(page.body).not.toContain('Avvisa');
  const original = await reader.get(`/dagskassor/${id}/original`);
  expect(original.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(JSON.parse(original.body)).toEqual(body);
});

test('one that stopped says why and what to do, and is booked when the account has been said', async () => {
  const { id } = await send({ payments: [{ method: 'rikskupong', amount: 1_250 }] });
  const page = await person.get(`/dagskassor/${id}`);
  expect(page.body).toContain('”rikskupong” har inget konto');
  expect(page.body).toContain('means_unknown');
  expect((await person.get('/oversikt')).body).toContain('dagskassa har stannat');
  const refused = await reader.submit(`/dagskassor/${id}/forsok-igen`, {}, `/dagskassor/${id}`);
  expect(refused.statusCode).toBe(403);
  await withTx(books.owner, (tx) =>
    changeSetting(tx, 'till-accounts', 'card 1686, cash 1910, rikskupong 1686', 'test'),
  );
  const again = await follow(
    await person.submit(`/dagskassor/${id}/forsok-igen`, {}, `/dagskassor/${id}`),
  );
  expect(again.body).toContain('Bokförd');
  expect(again.body).toContain('Prövad igen');
  const twice = await follow(
    await person.submit(`/dagskassor/${id}/forsok-igen`, {}, `/dagskassor/${id}`),
  );
  expect(twice.body).toContain('redan bokförd');
});

test('one that is not to be booked is put aside with a reason, and can be tried again', async () => {
  const { id } = await send({ payments: [{ method: 'okänt', amount: 1_250 }] });
  const empty = await person.submit(
    `/dagskassor/${id}/avvisa`,
    { reason: ' ' },
    `/dagskassor/${id}`,
  );
  expect(empty.statusCode).toBe(400);
  await follow(
    await person.submit(
      `/dagskassor/${id}/avvisa`,
      { reason: 'Bokförd <för> hand' },
      `/dagskassor/${id}`,
    ),
  );
  expect((await person.get(`/dagskassor/${id}`)).body).toContain('Bokförd &lt;för&gt; hand');
  const late = await person.submit(
    `/dagskassor/${id}/avvisa`,
    { reason: 'Igen' },
    `/dagskassor/${id}`,
  );
  expect(late.statusCode).toBe(422);
  const all = await follow(await person.submit('/dagskassor/forsok-igen', {}, '/dagskassor'));
  expect(all.body).toContain('Ingen dagskassa väntade');
  const again = await follow(
    await person.submit(`/dagskassor/${id}/forsok-igen`, {}, `/dagskassor/${id}`),
  );
  expect(again.body).toContain('Stoppad');
});

test('of numbers that a till has gone past the page tells which', async () => {
  const tillId = randomUUID();
  await send({ tillId, zNumber: 5 });
  await send({ tillId, zNumber: 8 });
  const list = await person.get('/dagskassor');
  expect(list.body).toContain(`${tillId}: Z\u00a06–7`);
  expect((await person.get(`/dagskassor/${randomUUID()}`)).statusCode).toBe(404);
});
