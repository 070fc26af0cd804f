/**
 * Whoever holds a key that proposes, or is logged in, and can run any SQL with it: a proposal stays what was sent, is decided
 * by people alone, once, and is approved as nothing that is not there.
 */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { db } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { sessionCookie } from '#src/pages/person.ts';
import { attackerAs } from '../support/attacker.ts';
import { createInstallation, type Installation, TODAY } from '../support/installation.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let keeper: LoggedIn;
let reader: LoggedIn;
let key: string;
beforeAll(async () => {
  books = await createInstallation();
  keeper = await logIn(books, 'medarbetare');
  reader = await logIn(books, 'lasare');
  ({ key } = await books.makeKey(['data:read', 'proposals:write']));
});
afterAll(() => books.close());

const login = (role: DatabaseRole) => attackerAs(role, () => books.url, 'constraint', 'code');
const api = login('hb_api');
const app = login('hb_app');
const worker = login('hb_worker');
const presented = (someone: LoggedIn): string =>
  hashOfSecret(String(someone.cookies.get(sessionCookie))).toString('hex');

const payload = {
  seriesCode: 'A',
  date: TODAY,
  description: 'Kaffe',
  rows: [
    { account: 6110, debit: 100, credit: 0 },
    { account: 1930, debit: 0, credit: 100 },
  ],
};
const hex = (text: string) => createHash('sha256').update(text).digest();
const propose = (
  secret: string,
  kind: string,
  sent: object,
  idempotencyKey: string | null = randomUUID(),
) =>
  api.run(`select outcome, id from api.propose($1, $2, $3, $4, $5, $6, $7, $8)`, [
    hashOfSecret(secret),
    idempotencyKey,
    hex(JSON.stringify(sent)),
    randomUUID(),
    randomUUID(),
    kind,
    sent,
    null,
  ]);
const statusOf = async (id: string) =>
  (
    await db(books.owner).query<{ status: string }>(
      sql`select status from proposals.proposals where id = ${id}::uuid`,
    )
  )[0]?.status;
async function open(): Promise<string> {
  const [made] = (await propose(key, 'voucher', payload)) as { id: string }[];
  return made?.id ?? '';
}

test('a key reaches no table, names no other, and books nothing by proposing', async () => {
  for (const statement of [
    'select * from proposals.proposals',
    `update proposals.proposals set status = 'approved'`,
    `select proposals.grounds_of('voucher', '{}')`,
    `select proposals.problems_of('voucher', '{}', '{}')`,
    "select set_config('huvudbok.credential', '00', false); select * from api.list_proposals(null, null, null, 9)",
  ]) {
    expect([statement, await api.run(statement)]).toEqual([
      statement,
      expect.stringMatching(/^(42501|HB401)$/),
    ]);
  }
  const { key: stranger } = await books.makeKey(['data:read']);
  expect(await propose(stranger, 'voucher', payload)).toEqual([
    { outcome: 'insufficient_scope', id: null },
  ]);
  const { key: bold } = await books.makeKey(['data:read', 'proposals:write', 'ledger:write']);
  expect(await propose(bold, 'voucher', payload)).toEqual([
    { outcome: 'scope_conflict', id: null },
  ]);
  expect(await propose(key, 'match', { transactionId: randomUUID() })).toEqual([
    { outcome: 'insufficient_scope', id: null },
  ]);
  expect(await propose(key, 'payment', payload)).toEqual(expect.stringMatching(/./));
  expect(await propose(key, 'voucher', payload, null)).toBe('22023');
  expect(await propose(key, 'voucher', { ...payload, rows: 'none' })).toEqual(expect.anything());
});

test('what no form takes can be kept by SQL, and is approved as nothing', async () => {
  const [odd] = (await propose(key, 'invoice_draft', { customerId: null, rows: [] })) as {
    id: string | null;
    outcome: string;
  }[];
  if (odd?.id) {
    const answer = await keeper.submit('/forslag/godkann', { proposal: odd.id }, '/forslag');
    expect(answer.statusCode).toBe(422);
    expect((await keeper.get('/forslag')).statusCode).toBe(200);
  }
  // Balanced for the ledger's dry run, and more than the payload says it is.
  const sly = { ...payload, source: 'closing', untold: 'x' };
  const [made] = (await propose(key, 'voucher', sly)) as { id: string }[];
  const answer = await keeper.submit('/forslag/godkann', { proposal: made?.id ?? '' }, '/forslag');
  expect([answer.statusCode, await statusOf(made?.id ?? '')]).toEqual([422, 'open']);
});

test('whoever keeps the books decides once, says so in the trail, and changes nothing of it', async () => {
  const id = await open();
  const as = (person: LoggedIn, ...statements: string[]) =>
    app
      .run(
        `begin; select set_config('huvudbok.session', '${presented(person)}', true); ${statements.join('; ')}; commit`,
      )
      .then(async (answer) => {
        if (typeof answer === 'string') await app.run('rollback');
        return answer;
      });
  const [voucher] = await db(books.owner).query<{ id: string }>(
    sql`select id from ledger.vouchers limit 1`,
  );
  const posted = async (date: string, kronor = 100) =>
    (
      await books.call({
        method: 'POST',
        url: '/api/v1/verifikat',
        payload: {
          ...payload,
          date,
          rows: [
            { account: 6110, debit: kronor, credit: 0 },
            { account: 1930, debit: 0, credit: kronor },
          ],
        },
      })
    ).json();
  const other = ({ id: voucherId }: { id: string }) => voucherId;
  const approved = (result: string, when = 'now()') =>
    `update proposals.proposals set status = 'approved', decided_at = ${when}, decided_by = 'x', result_kind = 'voucher', result_id = '${result}' where id = '${id}'`;
  const written = `select audit.record('x', 'proposal.approved', '${id}', '{}')`;
  for (const [why, statements] of [
    ['what is not there', [approved(randomUUID()), written]],
    ['a voucher of another day', [approved(other(await posted('2026-03-30'))), written]],
    ['a voucher of other amounts', [approved(other(await posted(TODAY, 99))), written]],
    ['without a word', [approved(voucher?.id ?? randomUUID())]],
    ['another payload', [`update proposals.proposals set payload = '{}' where id = '${id}'`]],
    [
      'other grounds',
      [`update proposals.proposals set grounds = '{}', grounds_hash = '' where id = '${id}'`],
    ],
    [
      'withdrawn by a person',
      [
        `update proposals.proposals set status = 'withdrawn', decided_at = now(), decided_by = 'x' where id = '${id}'`,
      ],
    ],
    ['taken away', [`delete from proposals.proposals where id = '${id}'`]],
    ['a new one', [`insert into proposals.proposals select * from proposals.proposals`]],
  ] as const) {
    expect([why, typeof (await as(keeper, ...statements))]).toEqual([why, 'string']);
  }
  expect(await statusOf(id)).toBe('open');
  // Row level security lets a reader see, and nothing of theirs is found to change.
  await as(
    reader,
    `update proposals.proposals set status = 'rejected', reason = 'x', decided_at = now(), decided_by = 'x' where id = '${id}'`,
  );
  expect(await statusOf(id)).toBe('open');
  expect(await worker.run('select * from proposals.proposals')).toBe('42501');
  const rejected = await as(
    keeper,
    `update proposals.proposals set status = 'rejected', reason = 'Nej', decided_at = '1999-01-01', decided_by = 'user:somebody' where id = '${id}'`,
    `select audit.record('x', 'proposal.rejected', '${id}', '{}')`,
  );
  expect(typeof rejected).not.toBe('string');
  const [row] = await db(books.owner).query<{ decided_by: string; is_now: boolean }>(
    sql`select decided_by, decided_at > now() - interval '1 hour' as is_now from proposals.proposals where id = ${id}::uuid`,
  );
  expect(row).toEqual({ decided_by: `user:${keeper.id}`, is_now: true });
  expect(
    typeof (await as(keeper, `update proposals.proposals set reason = 'Annat' where id = '${id}'`)),
  ).toBe('string');
});
