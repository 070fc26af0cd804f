/** Inställningar: the company, reference rates, agency keys, earlier secrets and webhooks. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { concludeAttempt } from '#src/events/webhooks/service.ts';
import { take } from '#src/events/webhooks/store.ts';
import { settings } from '#src/installation/company/service.ts';
import { findSettings } from '#src/installation/company/store.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { errorAt } from '../support/pages.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

const base = '/installningar';
const orderSecret = 'hemlig-order-hemlighet-som-ar-lang';
let installation: Installation;
let person: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation({
    env: { ORDER_INBOUND_SECRET: orderSecret },
  });
  person = await logIn(installation, 'administrator');
});
afterAll(() => installation.close());
beforeEach(() => db(installation.owner).query(sql`delete from restricted.login_windows`));

const owner = () => db(installation.owner);
const changes = (action: string) =>
  owner().query<{ actor: string; subject: string; detail: Record<string, unknown> }>(
    sql`select actor, subject, detail from audit.events where action = ${action}
        order by occurred_at, id`,
  );

test('every page is reached from the cards, and none by a bookkeeper', async () => {
  const keeper = await logIn(installation, 'medarbetare');
  const { body } = await person.get(base);
  const links = [...body.matchAll(/class="card-link" href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  );
  expect(links).toHaveLength(7);
  for (const href of [base, ...links]) {
    expect([href, (await person.get(href)).statusCode]).toEqual([href, 200]);
    expect([href, (await keeper.get(href)).statusCode]).toEqual([href, 403]);
    // Of another site: no token.
    expect((await person.post(href, { name: 'X' })).statusCode).toBeGreaterThanOrEqual(403);
  }
});

describe('the company', () => {
  const url = `${base}/foretag`;
  const company = () => findSettings(owner());

  /** What the form holds as it is shown. */
  async function shown(): Promise<Record<string, string>> {
    const { body } = await person.get(url);
    const fields: Record<string, string> = {};
    for (const [, name = '', value = ''] of body.matchAll(
      /<input type="(?:text|email|month)" id="f-\w+" name="(\w+)" value="([^"]*)"/g,
    )) {
      fields[name] = value.replaceAll('&#x3D;', '=');
    }
    for (const [, name = ''] of body.matchAll(
      /type="checkbox" id="f-\w+" name="(\w+)" value="on" checked/g,
    )) {
      fields[name] = 'on';
    }
    for (const [, name = '', options = ''] of body.matchAll(
      /<select id="f-\w+" name="(\w+)"[^>]*>(.*?)<\/select>/gs,
    )) {
      fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? '';
    }
    fields['order_supply'] = /name="order_supply" value="(\w+)" checked/.exec(body)?.[1] ?? '';
    return fields;
  }

  test('every setting can be read, so that none is lost when the form is saved', async () => {
    const values = await company();
    for (const name of Object.keys(settings)) expect(values).toHaveProperty(name);
    expect(Object.keys(await shown())).toEqual(
      expect.arrayContaining(['company_name', 'purchase_account', 'vat_period', 'vat_digital']),
    );
    const before = await company();
    expect((await person.submit(url, await shown())).statusCode).toBe(303);
    expect(await company()).toEqual(before);
    expect(await changes('setting.changed')).toEqual([]);
  });

  test('is changed, each change written down with who made it', async () => {
    const answer = await person.submit(url, {
      ...(await shown()),
      company_name: 'Nya <b>Bolaget</b> AB',
      company_bankgiro: '50501055',
      company_iban: 'se4550000000058398257466',
      vat_period: 'month',
      order_supply: 'services',
      order_booking: 'on',
      receiver_ids: '0088:7300010000001, 0007:5567026934',
      months_from: '2026-03',
    });
    expect(answer.statusCode).toBe(303);
    expect(await company()).toMatchObject({
      'company-name': 'Nya <b>Bolaget</b> AB',
      'company-bankgiro': '5050-1055',
      'company-iban': 'SE45 5000 0000 0583 9825 7466',
      'vat-period': 'month',
      'order-supply': 'services',
      'order-booking': 'on',
      'receiver-ids': '0088:7300010000001,0007:5567026934',
      'months-from': '2026-03',
    });
    const events = await changes('setting.changed');
    expect(events.map(({ subject }) => subject).sort()).toEqual([
      'company-bankgiro',
      'company-iban',
      'company-name',
      'months-from',
      'order-booking',
      'order-supply',
      'receiver-ids',
      'vat-period',
    ]);
    expect(new Set(events.map(({ actor }) => actor))).toEqual(new Set([`user:${person.id}`]));
    const { body } = await person.get(url);
    expect(body).toContain('Nya &lt;b&gt;Bolaget&lt;/b&gt; AB');
    expect(body).not.toContain('<b>Bolaget</b>');
  });

  test('says at each field what is wrong, all at once, and changes nothing', async () => {
    const before = await company();
    const answer = await person.submit(url, {
      ...(await shown()),
      company_name: ' ',
      company_bankgiro: '5050-1056',
      company_email: 'ingen',
      order_payment_terms: '91',
      purchase_account: '1930',
      vat_period: 'day',
      order_collective_customer: 'Ingen som finns',
      company_city: 'Umeå',
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('f-order_collective_customer-error');
    const rest = await person.submit(url, {
      ...(await shown()),
      company_name: ' ',
      company_bankgiro: '5050-1056',
      company_email: 'ingen',
      order_payment_terms: '91',
      purchase_account: '1930',
      vat_period: 'day',
      company_city: 'Umeå',
    });
    for (const name of [
      'company_name',
      'company_bankgiro',
      'company_email',
      'order_payment_terms',
      'purchase_account',
      'vat_period',
    ]) {
      expect(rest.body).toContain(`f-${name}-error`);
    }
    expect(rest.body).toContain('value="Umeå"');
    expect(await company()).toEqual(before);
  });

  test('takes no account that the chart does not have or no longer uses, and says which', async () => {
    const before = await company();
    await owner().query(sql`update ledger.accounts set is_active = false where number = 1686`);
    const answer = await person.submit(url, {
      ...(await shown()),
      till_accounts: 'card 1686, cash 1910, kassa-2/cash 1912',
      order_payment_accounts: 'card 1687, swish 1930',
      purchase_account: '4999',
    });
    await owner().query(sql`update ledger.accounts set is_active = true where number = 1686`);
    expect(answer.statusCode).toBe(422);
    expect(errorAt(answer.body, 'till_accounts')).toMatch(/1686, 1912.*under Kontoplan/);
    expect(errorAt(answer.body, 'order_payment_accounts')).toContain('1687');
    expect(errorAt(answer.body, 'purchase_account')).toContain('4999');
    expect(await company()).toEqual(before);
  });

  test('has its collective customer by name, unless several have it', async () => {
    const add = (name: string) => withTx(installation.owner, (tx) => insertCustomer(tx, { name }));
    const [one, two] = [await add('Kassakunder'), await add('Kassakunder')];
    const save = async (name: string) =>
      person.submit(url, { ...(await shown()), order_collective_customer: name });
    expect((await save('Kassakunder')).body).toContain('Flera kunder heter så');
    expect((await save(two.id)).statusCode).toBe(303);
    expect((await company())?.['order-collective-customer']).toBe(two.id);
    // Shown by its name, which is not its alone: saving the page leaves it.
    expect((await person.submit(url, await shown())).statusCode).toBe(303);
    expect((await company())?.['order-collective-customer']).toBe(two.id);
    expect((await save('')).statusCode).toBe(303);
    expect((await company())?.['order-collective-customer']).toBe('');
    expect((await save('01a1fdac-5846-7631-ba68-260cc57a7856')).statusCode).toBe(422);
    expect(one.id).not.toBe(two.id);
  });
});

describe('reference rates', () => {
  const url = `${base}/referensrantor`;

  test('the next half-year is asked for, added, corrected, and written down', async () => {
    expect((await person.get(url)).body).toMatch(/Nästa halvår börjar 1 januari 2027/);
    const fields = { halfYear: '2027-01-01', percent: '2,5', sfs: '2026:<b>999</b>' };
    expect((await person.submit(`${url}/ny`, fields)).statusCode).toBe(303);
    const { body } = await person.get(url);
    expect(body).not.toContain('Nästa halvår börjar');
    expect(body).toMatch(/2027-01-01[\s\S]*?2,5 %[\s\S]*?10,5 %[\s\S]*?2026:&lt;b&gt;999/);
    const corrected = await person.submit(`${url}/2027-01-01`, { percent: '−0,50', sfs: '' });
    expect(corrected.statusCode).toBe(303);
    expect((await person.get(url)).body).toMatch(/−0,5 %[\s\S]*?7,5 %/);
    expect((await changes('reference_rate.changed'))[0]?.detail).toEqual({
      percent: ['2.50', '-0.50'],
      sfs: null,
    });
  });

  test('is refused for a half-year that has one, or is none, or in quarters of a percent', async () => {
    const taken = await person.submit(`${url}/ny`, { halfYear: '2026-07-01', percent: '2' });
    expect(taken.body).toContain('f-halfYear-error');
    for (const halfYear of ['2027-02-01', '', '2027-13-01']) {
      const answer = await person.submit(`${url}/ny`, { halfYear, percent: '2' });
      expect(answer.statusCode).toBe(400);
    }
    const odd = await person.submit(`${url}/ny`, { halfYear: '2027-07-01', percent: '2,25' });
    expect(odd.body).toMatch(/f-percent-error">[^<]*halva procent/);
    expect((await person.get(`${url}/2026-02-01`)).statusCode).toBe(404);
    expect((await person.get(`${url}/x`)).statusCode).toBe(404);
  });

  test('a half-year that is going on without a rate is warned of', async () => {
    await owner().query(sql`delete from sales.reference_rates where valid_from >= '2026-07-01'`);
    expect((await person.get(url)).body).toMatch(
      /Referensräntan för andra halvåret 2026 saknas[\s\S]*fran&#x3D;2026-07-01|fran=2026-07-01/,
    );
  });
});

test('an agency key is shown once, works, and is revoked at once', async () => {
  const url = `${base}/byranycklar`;
  const made = await person.submit(url, { name: 'Byrån <i>&</i> Co' });
  const [key = ''] = /svcb_[\w-]{43}/.exec(made.body) ?? [];
  const exchange = async () =>
    (await installation.call({ method: 'POST', url: '/api/byra/token', key })).statusCode;
  expect(await exchange()).toBe(200);
  const list = (await person.get(url)).body;
  expect(list).toContain('Byrån &lt;i&gt;&amp;&lt;/i&gt; Co');
  expect(list).not.toContain(key);
  const [, id] = /byranycklar\/([0-9a-f-]{36})\/aterkalla/.exec(list) ?? [];
  expect((await person.post(`${url}/${id}/aterkalla`, {})).statusCode).toBe(403);
  expect((await person.submit(`${url}/${id}/aterkalla`, {}, url)).statusCode).toBe(303);
  expect(await exchange()).toBe(401);
  expect((await person.get(url)).body).toContain('Återkallad');
  expect((await person.submit(url, { name: '' })).body).toContain('f-name-error');
});

test('an earlier secret is seen in use, and revoked until it is changed', async () => {
  const url = `${base}/aldre-hemligheter`;
  const order = { method: 'POST', url: '/api/inbound/order', key: orderSecret } as const;
  const answered = async () =>
    (
      await installation.call({
        ...order,
        payload: 'x',
        headers: { 'content-type': 'application/json' },
      })
    ).statusCode;
  expect(await answered()).toBe(400);
  const { body } = await person.get(url);
  expect(body).toMatch(/ORDER_INBOUND_SECRET[\s\S]*?Satt och öppen[\s\S]*?1\/600/);
  expect(body).toMatch(/STATS_API_KEY[\s\S]*?Inte satt/);
  expect(body).not.toContain(orderSecret);
  const revoke = `${url}/ORDER_INBOUND_SECRET/aterkalla`;
  expect((await person.post(revoke, {})).statusCode).toBe(403);
  expect((await person.submit(revoke, {}, url)).statusCode).toBe(303);
  expect(await answered()).toBe(401);
  expect((await person.get(url)).body).toMatch(/ORDER_INBOUND_SECRET[\s\S]*?Återkallad/);
  const unset = await person.submit(`${url}/STATS_API_KEY/aterkalla`, {}, url);
  expect(unset.statusCode).toBe(404);
});

describe('webhooks', () => {
  const url = `${base}/webhooks`;
  async function create(fields: Record<string, string | string[]> = {}) {
    const answer = await person.submit(`${url}/ny`, {
      url: 'https://mottagare.example/in',
      ...fields,
    });
    const [, id = ''] = /webhooks\/([0-9a-f-]{36})/.exec(answer.body) ?? [];
    const [secret = ''] = /whsec_[A-Za-z0-9+/]{43}/.exec(answer.body) ?? [];
    return { answer, id, secret, page: `${url}/${id}` };
  }

  /** The worker's part, without the network. */
  async function attempt(id: string, status: number | null, error: string | null) {
    const due = await owner().query<{ id: string }>(
      sql`select id from events.deliveries where endpoint_id = ${id}::uuid and state = 'pending'`,
    );
    await withTx(installation.owner, async (tx) => {
      for (const delivery of await take(
        tx,
        due.map((one) => one.id),
      )) {
        await concludeAttempt(tx, delivery, {
          startedAt: new Date(),
          durationMs: 12,
          status,
          error,
          restMs: 0,
        });
      }
    });
  }

  test('one is made, tried, seen to answer, sent again, and removed', async () => {
    const { id, secret, page } = await create({
      url: 'https://mottagare.example/in?a="b"',
      description: '<script>x</script>',
      types: ['voucher.posted'],
    });
    expect(secret).not.toBe('');
    const list = (await person.get(url)).body;
    expect(list).toContain('&lt;script&gt;x');
    expect(list).toContain('Verifikat bokfört');
    expect(list).not.toContain(secret);
    expect((await person.submit(`${page}/prova`, {}, page)).statusCode).toBe(303);
    const waiting = (await person.get(page)).body;
    expect(waiting).toMatch(/data-poll="[^"]+\/leveranser"/);
    expect(waiting).toMatch(/Provmeddelande[\s\S]*Väntar[\s\S]*Inget försök än/);
    await attempt(id, 500, null);
    const failed = (await person.get(`${page}/leveranser`)).body;
    expect(failed).toMatch(/Misslyckad[\s\S]*Svarade 500[\s\S]*\(12 ms\)/);
    expect(failed).not.toContain('data-poll');
    const [, delivery] = /leveranser\/([0-9a-f-]{36})\/igen/.exec(failed) ?? [];
    await person.submit(`${page}/leveranser/${delivery}/igen`, {}, page);
    await attempt(id, null, 'Ingen tar emot <på> adressen.');
    expect((await person.get(page)).body).toContain('Ingen tar emot &lt;på&gt; adressen.');
    expect((await person.get(`${page}?lage=failed`)).body.match(/\(12 ms\)/g)).toHaveLength(2);
    expect((await person.get(`${page}?lage=delivered`)).body).toContain('Inga leveranser här');
    expect((await person.submit(`${page}/ta-bort`, {}, page)).statusCode).toBe(303);
    expect((await person.get(page)).statusCode).toBe(404);
  });

  test('the secret is replaced, and it is turned off and on', async () => {
    const { id, secret, page } = await create();
    const rotated = await person.submit(`${page}/hemlighet`, {}, page);
    const [fresh = ''] = /whsec_[A-Za-z0-9+/]{43}/.exec(rotated.body) ?? [];
    expect([fresh === '', fresh === secret]).toEqual([false, false]);
    await person.submit(`${page}/stang-av`, {}, page);
    expect((await person.get(page)).body).toContain('Avstängd av en användare.');
    await person.submit(`${page}/sla-pa`, {}, page);
    expect((await person.get(page)).body).toContain('Skicka ett provmeddelande');
    const actions = await owner().query<{ action: string }>(
      sql`select action from audit.events where subject = ${id} order by occurred_at, id`,
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'webhook.created',
      'webhook.rotated',
      'webhook.disabled',
      'webhook.enabled',
    ]);
  });

  test('are never sent into the network, and not without knowing where', async () => {
    for (const address of [
      'https://127.0.0.1/',
      'http://mottagare',
      'ftp://x',
      '',
      'https://a:b@c.se/',
    ]) {
      const { answer } = await create({ url: address });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.body).toContain('f-url-error');
    }
    expect((await create({ types: ['allt'] })).answer.statusCode).toBe(400);
  });

  test('many deliveries are paged through without gaps, wherever one begins', async () => {
    const { id, page } = await create();
    await owner().query(
      sql`insert into events.deliveries (endpoint_id, event_id, type, subject, occurred_at, created_at,
            state, finished_at)
          select ${id}::uuid, gen_random_uuid(), 'voucher.posted', gen_random_uuid(), now(),
            '2026-01-01'::timestamptz + (n / 3) * interval '1 microsecond', 'delivered', now()
          from generate_series(1, 120) n`,
    );
    const seen = new Set<string>();
    let next: string | undefined = page;
    for (let pages = 0; next !== undefined && pages < 10; pages += 1) {
      const { body } = await person.get(next);
      for (const [, one = ''] of body.matchAll(/leveranser\/([0-9a-f-]{36})\/igen/g)) seen.add(one);
      next = /href="([^"]+)" rel="next"/
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&')
        .replaceAll('&#x3D;', '=');
    }
    expect([seen.size, next]).toEqual([120, undefined]);
    for (const place of ['x', '2026-13-45 99:00:00+00|x', "';--"]) {
      const answer = await person.get(`${page}?fore=${encodeURIComponent(place)}`);
      expect(answer.statusCode).toBe(200);
    }
  });

  test('nothing is done through a form of another site', async () => {
    const { page } = await create();
    for (const path of ['prova', 'hemlighet', 'stang-av', 'sla-pa', 'ta-bort']) {
      expect((await person.post(`${page}/${path}`, {})).statusCode).toBe(403);
    }
    expect((await person.get(page)).body).toContain('Inga leveranser här');
  });
});
