/** The order inbox with a real intake worker: stopped, helped, tried again, dismissed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { enterSession } from '#src/access/sessions/store.ts';
import { roleUrl } from '#src/db/logins.ts';
import { createPool, db, type Tx, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { dismissOrders, retryOrders } from '#src/intake/orders/inbox.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { createInstallation, type Installation, orderBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

let books: Installation;
let person: LoggedIn;
let reader: LoggedIn;
beforeAll(async () => {
  books = await createInstallation({ workers: true });
  // Without a collective customer, an unknown buyer stops the order.
  await books.owner.query('update restricted.company set collective_customer_id = null');
  person = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
});
afterAll(() => books.close());

const send = (payload: object) =>
  books.call({ method: 'POST', url: '/api/inbound/order', payload });

/** An order that stopped, as the shop knows it and by its id here. */
async function stopped(overrides: object = {}) {
  const body = orderBody({ customer: { name: `Köpare ${randomUUID()}` }, ...overrides });
  const answer = await send(body);
  expect(answer.statusCode, answer.body).toBe(422);
  return { body, id: answer.json().detail.order_id as string, detail: answer.json().detail };
}

const one = async <Row extends object>(statement: ReturnType<typeof sql>): Promise<Row> => {
  const [found] = await db(books.owner).query<Row>(statement);
  if (!found) throw new Error('nothing found');
  return found;
};
const orderOf = (id: string) =>
  one<{ invoice_id: string | null; is_dismissed: boolean; attempts: number; decisions: number }>(
    sql`select invoice_id, is_dismissed,
          (select count(*)::integer from intake.order_attempts where order_id = o.id) as attempts,
          (select count(*)::integer from intake.order_decisions where order_id = o.id) as decisions
        from intake.orders o where id = ${id}::uuid`,
  );
const countStopped = async () =>
  (
    await one<{ count: number }>(
      sql`select intake.count_stopped_orders('infinity')::integer as count`,
    )
  ).count;

/** Follows an answer to the page it leads to. */
async function follow(answer: { statusCode: number; headers: object; body: string }) {
  expect(answer.statusCode, answer.body).toBe(303);
  return person.get((answer.headers as { location: string }).location);
}

describe('a stopped order', () => {
  test('is shown with what came beside why it stopped, and counted until somebody decides', async () => {
    const { id, body } = await stopped({ externalId: 'W-1 visad' });
    const list = await person.get('/order');
    expect(list.body).toContain('W-1 visad');
    expect(list.body).toContain('Köparen finns inte i kundregistret');
    expect(list.body).toContain('customer_unknown');
    expect(list.body).toContain('199,00');
    const page = await person.get(`/order/${id}`);
    expect(page.body).toContain((body as { customer: { name: string } }).customer.name);
    expect(page.body).toContain('Kaffebryggare');
    expect(page.body).toContain('<bdi>Köparen');
    // The raw body keeps its own indentation, wherever in the page it stands.
    expect(page.body).toContain('{\n  &quot;externalId&quot;: &quot;W-1 visad&quot;');
    expect(page.body).toContain('\n      &quot;unitPrice&quot;: 199');
  });

  test('becomes a draft when its customer is created and it is tried again, on the bytes that came', async () => {
    const { id, body } = await stopped({
      customer: { name: 'Å Öberg & Co AB', orgNumber: '556036-0793', email: 'a@exempel.se' },
    });
    const form = await person.get(`/order/${id}/kund`);
    expect(form.body).toContain('value="Å Öberg &amp; Co AB"');
    expect(form.body).toContain('value="5560360793"');
    const page = await follow(
      await person.submit(`/order/${id}/kund`, {
        name: 'Å Öberg & Co AB',
        email: 'a@exempel.se',
        organizationNumber: '556036-0793',
        vatNumber: '',
        countryCode: 'SE',
        paymentTermsDays: '20',
      }),
    );
    expect(page.body).toContain('1 blev fakturautkast');
    const { invoice_id, attempts, decisions } = await orderOf(id);
    expect([attempts, decisions]).toEqual([1, 1]);
    expect(page.body).toContain(`/kundfakturor/${invoice_id}`);
    // What the shop is told from now on is what the contract says of an order with an invoice.
    const again = await send(body);
    expect(again.json()).toMatchObject({ ok: true, duplicate: true, invoiceId: invoice_id });
    const drafts = await person.get('/order?flik=utkast');
    expect(drafts.body).toContain(id);
    expect(drafts.body).toContain('199,00');
  });

  test('is stopped again when nothing has changed, and every try is in the timeline', async () => {
    const { id, body, detail } = await stopped();
    const page = await follow(await person.submit(`/order/${id}/forsok-igen`, {}, `/order/${id}`));
    expect(page.body).toContain('1 stoppades på nytt');
    expect(page.body).toMatch(/Försökt igen av Test medarbetare[\s\S]*Skickad med nyckeln Test/);
    expect(page.body.match(/Stoppad: Okänd kund/g)).toHaveLength(2);
    expect((await orderOf(id)).attempts).toBe(1);
    // The shop still gets the refusal it got, word for word.
    expect((await send(body)).json().detail).toEqual(detail);
  });

  test('is tried once when two people try at once', async () => {
    const { id } = await stopped();
    const other = await logIn(books, 'administrator');
    await Promise.all(
      [person, other, person, other].map((who) =>
        who.submit(`/order/${id}/forsok-igen`, {}, `/order/${id}`),
      ),
    );
    await expect
      .poll(async () => (await person.get(`/order/${id}`)).body.includes('Stoppad'))
      .toBe(true);
    const { decisions, attempts } = await orderOf(id);
    expect(attempts).toBe(1);
    // A second try may come after the first was judged; never two while one is under way.
    const jobs = await one<{ count: number }>(sql`select count(*)::integer as count from pgboss.job
      where name = 'order-intake' and data ->> 'attemptId' =
        (select id::text from intake.order_attempts where order_id = ${id}::uuid)`);
    expect(jobs.count).toBe(decisions + 1);
  });

  test('is not tried again once it is an invoice', async () => {
    const { id } = await stopped({ customer: { name: 'Sen Kund AB' } });
    const tokens = tokensOf((await person.get(`/order/${id}`)).body);
    await follow(
      await person.submit(`/order/${id}/kund`, { name: 'Sen Kund AB', countryCode: 'SE' }),
    );
    const page = await follow(await person.post(`/order/${id}/forsok-igen`, tokens));
    expect(page.body).toContain('Ordern har redan blivit en faktura.');
    expect((await orderOf(id)).decisions).toBe(1);
  });

  test('is not helped by a customer it would not be matched to, or one that is there', async () => {
    const { id } = await stopped({ customer: { name: 'Rätt Namn AB' } });
    const before = await one<{ count: number }>(
      sql`select count(*)::integer as count from sales.customers`,
    );
    const differs = await person.submit(`/order/${id}/kund`, {
      name: 'Helt Annan AB',
      countryCode: 'SE',
    });
    expect(differs.statusCode).toBe(422);
    expect(differs.body).toContain('skulle stoppas igen');
    const wrong = await person.submit(`/order/${id}/kund`, {
      name: '',
      organizationNumber: '1234567890',
      countryCode: 'XQ',
    });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain('value="1234567890"');
    const answers = await Promise.all(
      [1, 2].map(() =>
        person.submit(`/order/${id}/kund`, { name: 'Rätt Namn AB', countryCode: 'SE' }),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 422]);
    const after = await one<{ count: number }>(
      sql`select count(*)::integer as count from sales.customers`,
    );
    expect(after.count).toBe(before.count + 1);
  });
});

describe('dismissing', () => {
  test('closes the order with who and why, and changes nothing for the shop', async () => {
    const { id, body, detail } = await stopped();
    const before = await countStopped();
    const nameless = await person.submit(`/order/${id}/avvisa`, { reason: ' ' }, `/order/${id}`);
    expect(nameless.statusCode).toBe(400);
    expect(nameless.body).toContain('id="f-reason-error"');
    const reason = 'Testorder <b>från</b> butiken';
    const list = await follow(
      await person.submit(`/order/${id}/avvisa`, { reason }, `/order/${id}`),
    );
    expect(list.body).not.toContain(id);
    expect(await countStopped()).toBe(before - 1);
    const dismissed = await person.get('/order?flik=avvisade');
    expect(dismissed.body).toContain(id);
    expect(dismissed.body).toContain('Testorder &lt;b&gt;från&lt;/b&gt; butiken');
    const page = await person.get(`/order/${id}`);
    expect(page.body).toContain('Testorder &lt;b&gt;från&lt;/b&gt; butiken');
    expect(page.body).toContain('Avvisad av Test medarbetare');
    expect((await send(body)).json().detail).toEqual(detail);
    expect((await orderOf(id)).is_dismissed).toBe(true);
  });

  test('is undone by another body that stops, and by trying again', async () => {
    const { id, body } = await stopped();
    const dismiss = () => person.submit(`/order/${id}/avvisa`, { reason: 'Fel' }, `/order/${id}`);
    await follow(await dismiss());
    expect((await send({ ...body, currency: 'EUR' })).statusCode).toBe(422);
    expect(await orderOf(id)).toMatchObject({ is_dismissed: false, attempts: 2 });
    // What came first can still be read beside the latest.
    const page = await person.get(`/order/${id}`);
    expect(page.body).toContain('currency_not_supported');
    const [, earlier = ''] = /href="([^"]*visa[^"]*)"/.exec(page.body) ?? [];
    const first = await person.get(earlier.replace('&#x3D;', '='));
    expect(first.body).toContain('Det här är ett tidigare innehåll');
    expect(first.body).toContain('customer_unknown');
    await follow(await dismiss());
    await follow(await person.submit(`/order/${id}/forsok-igen`, {}, `/order/${id}`));
    expect((await orderOf(id)).is_dismissed).toBe(false);
  });

  test('is refused for an order that has its invoice', async () => {
    const { id } = await stopped({ customer: { name: 'Hann Före AB' } });
    const tokens = tokensOf((await person.get(`/order/${id}`)).body);
    await follow(
      await person.submit(`/order/${id}/kund`, { name: 'Hann Före AB', countryCode: 'SE' }),
    );
    const answer = await person.post(`/order/${id}/avvisa`, { ...tokens, reason: 'Nej' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('Ordern är inte stoppad');
  });
});

describe('several at once', () => {
  test('are tried again together, and the list says what came of each', async () => {
    const name = `Ny Kund ${randomUUID()}`;
    const found = await Promise.all([1, 2, 3].map(() => stopped({ customer: { name } })));
    const other = await stopped();
    await withTx(books.owner, (tx) =>
      tx.query(sql`insert into sales.customers (id, name) values (${randomUUID()}::uuid, ${name})`),
    );
    const ids = [...found, other].map(({ id }) => id);
    const page = await follow(
      await person.submit('/order/forsok-igen?orsak=customer_unknown', { order: ids }, '/order'),
    );
    expect(page.body).toContain(
      '4 order prövades igen. 3 blev fakturautkast. 1 stoppades på nytt.',
    );
    expect(page.body).toContain('<option value="customer_unknown" selected>');
  });

  test('are dismissed together; none ticked, or nonsense, is refused beside the list', async () => {
    const ids = [(await stopped()).id, (await stopped()).id];
    for (const order of [[], ['inget'], "' or 1=1"]) {
      const refused = await person.submit('/order/forsok-igen', { order }, '/order');
      expect(refused.statusCode).toBe(400);
      expect(refused.body).toContain('Markera minst en order');
    }
    const page = await follow(
      await person.submit('/order/avvisa', { order: ids, reason: 'Dubbel import' }, '/order'),
    );
    expect(page.body).toContain('2 order avvisade.');
    for (const id of ids) expect((await orderOf(id)).is_dismissed).toBe(true);
    const gone = await person.submit(
      '/order/avvisa',
      { order: [randomUUID()], reason: 'Finns inte' },
      '/order',
    );
    expect(gone.statusCode).toBe(422);
  });
});

describe('what a person sees', () => {
  test('the öre table, when the rows do not make the total', async () => {
    const { id } = await stopped({
      total: 250,
      rows: [
        { description: 'A', quantity: 3, unitPrice: 33.33, vatRate: 25 },
        { description: 'B', quantity: 1, unitPrice: 49, vatRate: 12 },
      ],
    });
    const { body } = await person.get(`/order/${id}`);
    expect(body).toContain('Örestabellen');
    expect(body).toMatch(/Rad 1<\/td>[\s\S]*?25 %[\s\S]*?79,99[\s\S]*?20,00[\s\S]*?99,99/);
    expect(body).toMatch(/avrundad per momssats[\s\S]*?148,99[\s\S]*?101,01/);
    expect(body).toContain('avrundad per rad');
  });

  test('no markup of a shop, in any field of an order', async () => {
    const evil = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>\u202e';
    const { id } = await stopped({
      externalId: evil,
      currency: evil.slice(0, 10),
      orderDate: evil,
      pricesIncludeVat: evil,
      total: evil,
      customer: { name: evil, email: evil, orgNumber: evil, vatNumber: evil, countryCode: evil },
      rows: [
        { description: evil, articleNumber: evil, quantity: evil, unitPrice: evil, vatRate: evil },
        evil,
      ],
      [evil]: evil,
    });
    for (const url of ['/order', '/order?flik=alla', `/order/${id}`, `/order/${id}/kund`]) {
      const { body, statusCode } = await person.get(url);
      expect(statusCode).toBe(200);
      expect(body).not.toContain('<script>alert');
      expect(body).not.toContain('<img src=x');
      expect(body).toContain('&lt;script&gt;alert');
    }
    const { id: attempt } = await one<{ id: string }>(
      sql`select id from intake.order_attempts where order_id = ${id}::uuid`,
    );
    const original = await person.get(`/order/${id}/original/${attempt}`);
    expect(original.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment'),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(original.json().externalId).toBe(evil);
  });

  test('an order that is hardly one', async () => {
    for (const payload of ['[]', '"x"', 'null', '{"rows":{"a":1},"customer":[1],"total":1e400}']) {
      const answer = await books.call({
        method: 'POST',
        url: '/api/inbound/order',
        payload,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.statusCode).toBe(422);
      const page = await person.get(`/order/${answer.json().detail.order_id}`);
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain('invalid_order');
    }
  });

  test('an order found by its number, also among all, and pages that meet without gap', async () => {
    await Promise.all(Array.from({ length: 55 }, () => stopped()));
    const seen = new Set<string>();
    let url: string | undefined = '/order?flik=alla';
    while (url) {
      const { body } = await person.get(url);
      for (const [, id = ''] of body.matchAll(/class="row-link" href="\/order\/([^"]+)"/g)) {
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
      url = /href="([^"]+)" rel="next"/
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=');
    }
    const all = await one<{ count: number }>(
      sql`select count(*)::integer as count from intake.orders`,
    );
    expect(seen.size).toBe(all.count);
    const { id } = await stopped({ externalId: 'Sökt åäö/1' });
    const found = await person.get('/order?sok=S%C3%B6kt+%C3%A5%C3%A4%C3%B6%2F1');
    expect(found.body.match(/row-link/g)).toHaveLength(1);
    expect(found.body).toContain(id);
    expect((await person.get('/order?sok=%00&efter=x&orsak=y&provas=z')).statusCode).toBe(200);
  });

  test('an order whose job was lost, which is tried again', async () => {
    const { id } = await stopped();
    await books.owner.query(`begin; alter table intake.order_attempts disable trigger user;
      update intake.order_attempts set status = 'received', reason = null, detail = null,
        received_at = now() - interval '6 minutes' where order_id = '${id}';
      alter table intake.order_attempts enable trigger user; commit`);
    const list = await person.get('/order');
    expect(list.body).toContain('Har fastnat');
    const page = await follow(await person.submit(`/order/${id}/forsok-igen`, {}, `/order/${id}`));
    expect(page.body).toContain('1 stoppades på nytt');
  });
});

describe('who may', () => {
  test('a reader sees all and is offered nothing, and is refused all', async () => {
    const { id } = await stopped();
    const list = await reader.get('/order');
    expect(list.body).toContain(id);
    expect(list.body).not.toContain('type="checkbox"');
    const page = await reader.get(`/order/${id}`);
    expect(page.body).toContain('Varför den stoppades');
    expect(page.body).not.toContain('/forsok-igen');
    expect((await reader.get(`/order/${id}/kund`)).statusCode).toBe(403);
    const tokens = tokensOf(page.body);
    for (const [url, fields] of [
      [`/order/${id}/forsok-igen`, {}],
      [`/order/${id}/avvisa`, { reason: 'x' }],
      [`/order/${id}/kund`, { name: 'x', countryCode: 'SE' }],
      ['/order/forsok-igen', { order: id }],
      ['/order/avvisa', { order: id, reason: 'x' }],
    ] as const) {
      expect((await reader.post(url, { ...tokens, ...fields })).statusCode, url).toBe(403);
    }
    expect(await orderOf(id)).toMatchObject({ is_dismissed: false, decisions: 0 });
  });

  test('what does not exist is not found, whatever is asked of it', async () => {
    const { id } = await stopped();
    const tokens = tokensOf((await person.get(`/order/${id}`)).body);
    const other = randomUUID();
    for (const url of [`/order/${other}`, '/order/1', `/order/${other}/kund`]) {
      expect((await person.get(url)).statusCode, url).toBe(404);
    }
    expect((await person.get(`/order/${id}/original/${other}`)).statusCode).toBe(404);
    const retried = await person.post(`/order/${other}/forsok-igen`, tokens);
    expect(retried.statusCode).toBe(404);
    const dismissed = await person.post(`/order/${other}/avvisa`, { ...tokens, reason: 'x' });
    expect(dismissed.statusCode).toBe(404);
    const created = await person.post(`/order/${other}/kund`, {
      ...tokens,
      name: 'x',
      countryCode: 'SE',
    });
    expect(created.statusCode).toBe(404);
  });

  test('the database refuses a reader, whatever a page would forget to ask', async () => {
    const { id } = await stopped();
    const pool = createPool({
      url: await roleUrl(books.url, 'hb_app'),
      max: 1,
      applicationName: 'test',
    });
    const session = hashOfSecret(reader.cookies.get(sessionCookie) ?? '');
    const decider = { actor: `user:${reader.id}`, requestId: randomUUID() };
    const asReader = (work: (tx: Tx) => Promise<unknown>) =>
      withTx(pool, async (tx) => {
        expect(await enterSession(tx, session, randomUUID())).toBeDefined();
        return work(tx);
      });
    await expect(asReader((tx) => retryOrders(tx, [id], decider))).rejects.toMatchObject({
      code: '42501',
    });
    await expect(asReader((tx) => dismissOrders(tx, [id], 'x', decider))).rejects.toMatchObject({
      code: '42501',
    });
    await pool.end();
    expect(await orderOf(id)).toMatchObject({ is_dismissed: false, decisions: 0 });
  });

  test('not even the database lets anybody judge otherwise or take a decision back', async () => {
    const { id } = await stopped();
    await follow(await person.submit(`/order/${id}/avvisa`, { reason: 'x' }, `/order/${id}`));
    for (const statement of [
      `update intake.order_attempts set status = 'draft', reason = null where order_id = '${id}'`,
      `update intake.order_decisions set reason = 'y'`,
      `delete from intake.order_decisions`,
      `truncate intake.order_decisions`,
    ]) {
      await expect(books.owner.query(statement)).rejects.toMatchObject({ code: 'HB001' });
    }
  });
});
