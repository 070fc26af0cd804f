/** huvudbok demo --reset beside a service: killed in the middle it has done nothing, and calls go on afterwards. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { runCommand } from '../support/command.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { entry, onDay } from '../support/program.ts';
import { waitUntil } from './embedded.ts';
import { Running } from './running.ts';

let books: Installation;
let company: Installation;
beforeAll(async () => {
  [books, company] = await Promise.all([
    createInstallation({ content: 'demo' }),
    createInstallation(),
  ]);
});
afterAll(async () => {
  await books.close();
  await company.close();
});

const envOf = ({ url }: Installation) => {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, DATABASE_URL: url, ...onDay(TODAY) };
};
const command = (of: Installation, ...words: string[]) => runCommand(of, words, { today: TODAY });

const heads = () =>
  db(
    books.owner,
  ).query(sql`select code, last_number, encode(last_hash, 'hex') as hash from ledger.series
    order by fiscal_year_id, code`);
/** Whether somebody holds all the books, and has begun to fill them. */
const isFilling = async (): Promise<boolean> => {
  const { rows } = await books.owner.query(
    `select from pg_locks l join pg_stat_activity a using (pid)
     where l.relation = 'ledger.vouchers'::regclass and l.mode = 'AccessExclusiveLock' and l.granted
       and a.application_name = 'huvudbok demo' and a.datname = current_database()
       and now() - a.xact_start > interval '200 ms'`,
  );
  return rows.length > 0;
};

it('killed in the middle, the books are as they were, and a call that waited is answered', async () => {
  const before = await heads();
  const running = new Running(entry, ['demo', '--reset'], envOf(books));
  await running.says(/Tömmer exempelföretaget/);
  await waitUntil(isFilling);
  const waiting = books.call({ url: '/api/v1/verifikat?limit=1' });
  await running.kill('SIGKILL');
  const answer = await waiting;
  expect([200, 503]).toContain(answer.statusCode);
  await waitUntil(async () => (await books.call({ url: '/api/v1/meta' })).statusCode === 200);
  expect(await heads()).toEqual(before);
  const { code, stdout } = await command(books, 'verify', '--json');
  expect([code, JSON.parse(stdout).problems]).toEqual([0, []]);
});

it('of any other company it is refused, and says which', async () => {
  expect(await command(company, 'demo', '--reset')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Installationen tillhör'),
  });
  expect(
    await command(company, 'key', 'create', '--test', '--name', 'X', '--scope', 'data:read'),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Testnycklar fungerar bara mot exempelföretaget'),
  });
  expect((await company.call({ url: '/api/v1/meta' })).statusCode).toBe(200);
  const refused = await company.call({ url: '/api/v1/meta', key: `svc_test_${'a'.repeat(43)}` });
  expect([refused.statusCode, refused.json().error]).toEqual([401, 'unauthorized']);
  expect(refused.json().message).toContain('testnyckel');
});

it('a test key opens the example company as any key does', async () => {
  const { stdout } = await command(
    books,
    ...['key', 'create', '--test', '--name', 'Prov', '--scope', 'data:read', '--json'],
  );
  const { key } = JSON.parse(stdout);
  expect(key).toMatch(/^svc_test_[\w-]{43}$/);
  expect((await books.call({ url: '/api/v1/meta', key })).statusCode).toBe(200);
});
