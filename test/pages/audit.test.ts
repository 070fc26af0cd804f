import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordEvent } from '#src/audit/store.ts';
import { db, withTx } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { changeSetting } from '#src/installation/company/service.ts';
import { uuid } from '#src/lib/uuid.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let installation: Installation;
let person: LoggedIn;
beforeAll(async () => {
  installation = await createInstallation();
  person = await logIn(installation, 'administrator');
});
afterAll(() => installation.close());

const record = (event: { action: string; subject: string; detail?: object; actor?: string }) =>
  withTx(installation.owner, (tx) => recordEvent(tx, { actor: 'cli', ...event }));

const plain = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const rowsOf = (html: string): string[] =>
  (/<tbody>([\s\S]*)<\/tbody>/.exec(html)?.[1] ?? '').split('<tr>').slice(1).map(plain);

test('says who did what in words, and shows what it does not know as it is written', async () => {
  await withTx(installation.owner, (tx) =>
    changeSetting(tx, 'vat-period', 'month', `user:${person.id}`),
  );
  await record({
    action: 'moon.landed',
    subject: 'crater-9',
    detail: { by: '<script>eagle</script>' },
  });
  const page = await person.get('/handelser');
  expect(page.statusCode).toBe(200);
  const text = plain(page.body);
  expect(text).toContain('Test administrator ändrade ”Moms redovisas” till Varje månad');
  expect(text).toContain('Kommandoraden moon.landed crater-9');
  expect(text).toContain('Test administrator loggade in från 127.0.0.1');
  expect(page.body).toContain('&lt;script&gt;eagle');
  expect(page.body).not.toContain('<script>eagle');
});

test('leads to what it was about, where there is a page and the right to see it', async () => {
  const id = uuid();
  await record({ action: 'dimension.changed', subject: id });
  await record({ action: 'backup.done', subject: '2026-11-20T01:00:00.000Z' });
  await record({ action: 'archive.exported', subject: '2026' });
  const seen = await person.get('/handelser');
  expect(seen.body).toContain(`href="/dimensioner/${id}"`);
  expect(seen.body).toMatch(/href="\/drift" aria-label/);
  const reader = await logIn(installation, 'lasare');
  expect(seen.body).toMatch(/href="\/arkiv" aria-label/);
  // A dimension's page is a form, for those who keep the books.
  expect((await reader.get('/handelser')).body).not.toMatch(
    /href="\/(drift|arkiv|dimensioner\/.*)" aria-label/,
  );
});

test('says which one it was about', async () => {
  const [customer] = await db(installation.owner).query<{ id: string }>(
    sql`select id from sales.customers limit 1`,
  );
  const id = customer?.id ?? '';
  await record({ action: 'customer.merged', subject: id });
  await record({ action: 'customer.changed', subject: id, detail: { name: 'Webbkunder' } });
  await record({ action: 'user.password_reset', subject: person.id });
  const [reset = '', changed = '', merged = ''] = rowsOf((await person.get('/handelser')).body);
  expect(reset).toMatch(/gav en användare ett nytt lösenord\s*: Test administrator/);
  expect(changed).toMatch(/ändrade kunden Webbkunder\s+Öppna/);
  expect(merged).toMatch(/customer\.merged \S+\s*: Webbkunder/);
});

test("keeps the request's id of what a page did", async () => {
  const made = await person.submit('/dimensioner/ny', { kind: 'project', code: 'R1', name: 'x' });
  expect(made.statusCode).toBe(303);
  const page = await person.get('/drift');
  const answer = await person.post('/drift/forsok-igen', {
    _csrf: /name="_csrf" value="([^"]*)"/.exec(page.body)?.[1] ?? '',
    queue: 'purge',
  });
  expect(answer.statusCode).toBe(303);
  await db(installation.owner).query(
    sql`select intake.enqueue('purge-dead', array['{}']::jsonb[])`,
  );
  const again = await person.submit('/drift/forsok-igen', { queue: 'purge' }, '/drift');
  const requestId = String(again.headers['x-request-id']);
  const found = await person.get(`/handelser?sok=${requestId}`);
  expect(rowsOf(found.body)).toHaveLength(1);
  expect(plain(found.body)).toContain('lät 1 misslyckat jobb i purge göras om');
});

test('is filtered by day, by whom, by what and by words, and the address keeps it', async () => {
  const old = uuid();
  await db(
    installation.owner,
  ).query(sql`insert into audit.events (id, occurred_at, actor, action, subject, detail)
    values (${old}, '2026-01-31 22:59:59.999+00', 'cli', 'setting.changed', 'gammal', '{"value":"Åkeri"}'),
      (${uuid()}, '2026-01-31 23:00:00+00', 'job:webhooks', 'webhook.disabled', 'nyare', '{}')`);
  const find = async (query: string) => rowsOf((await person.get(`/handelser?${query}`)).body);
  // Midnight in Stockholm is an hour earlier in UTC.
  expect(await find('till=2026-01-31')).toEqual([expect.stringContaining('gammal')]);
  expect(await find('fran=2026-02-01&till=2026-02-01')).toEqual([
    expect.stringContaining('webhook'),
  ]);
  expect(await find('vem=job%3Awebhooks')).toHaveLength(1);
  expect(await find('vad=setting.changed&till=2026-02-01')).toHaveLength(1);
  expect(await find('sok=åke')).toEqual([expect.stringContaining('Åkeri')]);
  expect(await find('sok=åke+finnsinte')).toEqual([]);
  expect(await find(`sok=${encodeURIComponent("' | ! & :* \\ ( )")}`)).toEqual([]);
  const page = await person.get('/handelser?vem=job%3Awebhooks&sok=x%22y');
  expect(page.body).toContain('value="x&quot;y"');
  expect(page.body).toContain('href="/handelser.csv?vem&#x3D;job%3Awebhooks&amp;sok&#x3D;x%22y"');
});

test('a day that does not exist, or an address to no page, is refused', async () => {
  const page = await person.get('/handelser?fran=2026-02-30');
  expect(page.statusCode).toBe(400);
  expect(page.body).toContain('Skriv ett datum som finns');
  expect((await person.get('/handelser?efter=abc')).statusCode).toBe(400);
  expect((await person.get('/handelser.csv?till=x')).statusCode).toBe(400);
});

test('goes on page by page without losing or repeating any of a moment', async () => {
  await db(
    installation.owner,
  ).query(sql`insert into audit.events (id, occurred_at, actor, action, subject)
    select gen_random_uuid(), '2025-05-05 10:00:00.123456+00', 'cli', 'page.turned', n::text
    from generate_series(1, 120) n`);
  const seen: string[] = [];
  let url: string | undefined = '/handelser?vad=page.turned';
  for (let pages = 0; url !== undefined && pages < 10; pages += 1) {
    const { body }: { body: string } = await person.get(url);
    seen.push(...rowsOf(body).map((row) => /page\.turned (\d+) /.exec(row)?.[1] ?? ''));
    url = /href="([^"]*)" rel="next"/
      .exec(body)?.[1]
      ?.replaceAll('&#x3D;', '=')
      .replaceAll('&amp;', '&');
  }
  expect(seen.map(Number).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 120 }, (_, n) => n + 1),
  );
});

test('words in nearly every event are found too, by reading backwards', async () => {
  await db(
    installation.owner,
  ).query(sql`insert into audit.events (id, occurred_at, actor, action, subject)
    select gen_random_uuid(), '2024-05-05', 'cli', 'noise.made', 'vanligt'
    from generate_series(1, 5100) n`);
  await record({ action: 'noise.made', subject: 'vanligt sist' });
  const rows = rowsOf((await person.get('/handelser?sok=vanligt')).body);
  expect(rows).toHaveLength(50);
  expect(rows[0]).toContain('vanligt sist');
});

test('is exported whole, in order, with the filter, and computes nothing in a spreadsheet', async () => {
  for (const subject of ['=HYPERLINK("http://x")', '+1+1', '-1-1', '@SUM(A1)', '\t=x', 'a;b"c']) {
    await record({ action: 'formula.sent', subject, actor: '=cmd' });
  }
  const answer = await person.get('/handelser.csv?vad=formula.sent');
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="handelser.csv"');
  const [head = '', ...lines] = answer.body.replace(/\r\n$/, '').split('\r\n');
  expect(head).toBe('\ufefftid;vem;vad;händelse;aktör;gäller;detalj;anrop');
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).not.toMatch(/(^|;)"?[=+\-@\t]/);
  expect(answer.body).toContain(`;"'=HYPERLINK(""http://x"")";`);
  const noise = await person.get('/handelser.csv?vad=noise.made');
  expect(noise.body.trim().split('\r\n')).toHaveLength(5_102);
});

test('is for those who are logged in', async () => {
  const { app } = installation;
  for (const url of ['/handelser', '/handelser.csv', '/oversikt', '/drift']) {
    const answer = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, answer.statusCode, answer.headers.location?.toString().split('?')[0]]).toEqual([
      url,
      303,
      '/logga-in',
    ]);
  }
});
