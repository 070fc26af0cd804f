import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { createInstallation, type Installation, voucherBody } from '../support/installation.ts';
import { type LoggedIn, logIn, tokensOf } from '../support/person.ts';

const url = '/installningar/api-nycklar';
const meta = '/api/v1/meta';
let installation: Installation;
let person: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  person = await logIn(installation, 'administrator');
});
afterAll(() => installation.close());

async function create(fields: Record<string, string | string[]> = {}) {
  const answer = await person.submit(`${url}/ny`, {
    name: 'Butiken',
    quota: '600',
    scopes: 'data:read',
    ...fields,
  });
  const [key = ''] = /svc_live_[\w-]{43}/.exec(answer.body) ?? [];
  const [, id = ''] = /api-nycklar\/([0-9a-f-]{36})/.exec(answer.body) ?? [];
  return { answer, key, id };
}

const call = async (key: string, path = meta) =>
  (await installation.call({ url: path, key })).statusCode;

/** What the page shows once the log has been written. */
async function pageWith(path: string, text: string | RegExp): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const { body } = await person.get(path);
    const isThere = typeof text === 'string' ? body.includes(text) : text.test(body);
    if (isThere || Date.now() > deadline) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a new key', () => {
  test('is shown once, tried, listed, and revoked so that the next call fails', async () => {
    const { answer, key, id } = await create({ name: 'Butiken <b>1</b>' });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Butiken &lt;b&gt;1&lt;/b&gt;');
    expect(answer.body).toContain('https://bok.example/api/v1/meta');
    expect(answer.headers['cache-control']).toContain('no-store');
    const trial = `${url}/${id}/prov`;
    expect((await person.get(trial)).body).toMatch(/data-poll="[^"]+\/prov"[\s\S]*Väntar på/);
    expect(await call(key)).toBe(200);
    const green = await pageWith(trial, 'Nyckeln fungerar');
    expect(green).toMatch(/chip good">Nyckeln fungerar[\s\S]*GET \/api\/v1\/meta/);
    expect(green).not.toContain('data-poll');
    const list = (await person.get(url)).body;
    expect(list).toContain('Butiken &lt;b&gt;1&lt;/b&gt;');
    expect(list).toContain(`${key.slice(0, 13)}…`);
    expect(list).toMatch(/1\/600<\/span> <meter/);
    expect(list).not.toContain(key);
    // Pressed twice, in two windows: it stays revoked from the first time.
    const from = `${url}/${id}`;
    const open = tokensOf((await person.get(from)).body);
    const again = tokensOf((await person.get(from)).body);
    const revoked = await person.post(`${from}/aterkalla`, open);
    expect((await person.post(`${from}/aterkalla`, again)).statusCode).toBe(303);
    expect(revoked.statusCode).toBe(303);
    const next = await installation.call({ url: meta, key });
    expect([next.statusCode, next.json().error]).toEqual([401, 'key_revoked']);
    expect(await pageWith(`${url}/${id}`, 'key_revoked')).toMatch(/chip bad">Återkallad/);
  });

  test('that books reads too, whatever the form sent', async () => {
    const { key } = await create({ scopes: ['ledger:write'] });
    const options = { method: 'POST', url: '/api/v1/verifikat', key } as const;
    expect((await installation.call({ ...options, payload: voucherBody() })).statusCode).toBe(200);
    expect(await call(key, '/api/v1/verifikat')).toBe(200);
  });

  test('needs a name, a scope, a quota, and a last day that has not been', async () => {
    const { answer } = await create({ name: ' ', scopes: [], quota: '0', expires: '2026-11-19' });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('f-name-error');
    expect(answer.body).toContain('Välj minst en behörighet.');
    expect(answer.body).toContain('f-quota-error');
    const late = await create({ name: 'Sen', expires: '2026-11-19' });
    expect(late.answer.statusCode).toBe(422);
    expect(late.answer.body).toMatch(/f-expires-error">Dagen har redan varit/);
    expect(late.answer.body).toContain('value="Sen"');
    expect((await create({ scopes: ['owner:all'] })).answer.statusCode).toBe(400);
  });

  test('ends with its last day where the company is', async () => {
    const { id } = await create({ expires: '2027-03-31' });
    const [row] = await db(installation.owner).query<{ at: Date }>(
      sql`select expires_at as at from restricted.api_keys where id = ${id}::uuid`,
    );
    expect(row?.at.toISOString()).toBe('2027-03-31T22:00:00.000Z');
  });

  test('sent twice is made once, and its secret is not shown again', async () => {
    const page = await person.get(`${url}/ny`);
    const fields = { ...tokensOf(page.body), name: 'Tvilling', quota: '1', scopes: 'data:read' };
    const first = await person.post(`${url}/ny`, fields);
    const second = await person.post(`${url}/ny`, fields);
    expect(first.body).toMatch(/svc_live_/);
    expect(second.statusCode).toBe(303);
    expect((await person.get(url)).body.match(/Tvilling/g)).toHaveLength(1);
  });
});

describe('a key in use', () => {
  test('is rotated: both work until the old one ends, and each links to the other', async () => {
    const old = await create({ name: 'Lönesystemet', quota: '77', scopes: ['intake:write'] });
    const page = `${url}/${old.id}`;
    const answer = await person.submit(`${page}/byt`, { overlap: '24' }, page);
    expect(answer.statusCode).toBe(200);
    const [fresh = ''] = /svc_live_[\w-]{43}/.exec(answer.body) ?? [];
    expect(fresh).not.toBe(old.key);
    expect(answer.body).toMatch(/Den gamla nyckeln gäller till \d{4}-/);
    expect([await call(old.key), await call(fresh)]).toEqual([200, 200]);
    const [row] = await db(installation.owner).query<{ hours: number; successor: string }>(
      sql`select round(extract(epoch from expires_at - now()) / 3600)::integer as hours,
            successor_id as successor
          from restricted.api_keys where id = ${old.id}::uuid`,
    );
    expect(row?.hours).toBe(24);
    const oldPage = (await person.get(page)).body;
    expect(oldPage).toContain(`href="${url}/${row?.successor}"`);
    expect(oldPage).not.toContain(`${page}/byt`);
    const freshPage = (await person.get(`${url}/${row?.successor}`)).body;
    expect(freshPage).toContain(`href="${page}"`);
    expect(freshPage).toContain('value="77"');
    await db(installation.owner).query(
      sql`update restricted.api_keys set expires_at = now() where id = ${old.id}::uuid`,
    );
    expect([await call(old.key), await call(fresh)]).toEqual([401, 200]);
    expect((await person.get(url)).body).toMatch(/Utgången/);
  });

  test('is rotated at once, but not for longer than thirty days, nor twice', async () => {
    const { id, key } = await create({ name: 'Läckt' });
    const page = `${url}/${id}`;
    const long = await person.submit(`${page}/byt`, { overlap: '721' }, page);
    expect(long.statusCode).toBe(400);
    const two = await Promise.all([
      person.submit(`${page}/byt`, { overlap: '0' }, page),
      person.submit(`${page}/byt`, { overlap: '0' }, page),
    ]);
    expect(two.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422]);
    expect(await call(key)).toBe(401);
  });

  test('gets another quota, which holds from the next call', async () => {
    const { id, key } = await create({ quota: '1' });
    expect([await call(key), await call(key)]).toEqual([200, 429]);
    const page = `${url}/${id}`;
    expect((await person.get(page)).body).toContain('1 nekade');
    expect((await person.submit(page, { quota: '5' })).statusCode).toBe(303);
    expect(await call(key)).toBe(200);
    expect((await person.submit(page, { quota: '-1' })).body).toContain('f-quota-error');
  });
});

describe('who may', () => {
  test('nobody below an administrator sees keys or makes them', async () => {
    const keeper = await logIn(installation, 'medarbetare');
    const { id } = await create({ name: 'Hemlig' });
    for (const path of [url, `${url}/ny`, `${url}/${id}`, `${url}/${id}/prov`]) {
      const { statusCode, body } = await keeper.get(path);
      expect([path, statusCode]).toEqual([path, 403]);
      expect(body).not.toContain('Hemlig');
    }
    const from = '/dimensioner/ny';
    const answer = await keeper.submit(`${url}/${id}/aterkalla`, {}, from);
    expect(answer.statusCode).toBe(403);
  });

  test('a form of another site, or without its token, does nothing', async () => {
    const { id, key } = await create();
    for (const path of ['aterkalla', 'byt']) {
      const { statusCode } = await person.post(`${url}/${id}/${path}`, { overlap: '0' });
      expect(statusCode).toBe(403);
    }
    expect((await person.post(url.concat('/ny'), { name: 'X' })).statusCode).toBe(403);
    expect(await call(key)).toBe(200);
  });

  test('a key that does not exist has no page', async () => {
    const nobody = `${url}/01a1fdac-5846-7631-ba68-260cc57a7856`;
    expect((await person.get(nobody)).statusCode).toBe(404);
    expect((await person.get(`${url}/x`)).statusCode).toBe(404);
    expect((await person.submit(`${nobody}/aterkalla`, {}, url.concat('/ny'))).statusCode).toBe(
      404,
    );
  });
});
