/**
 * What programs note of calls and of themselves is read by pages, figures and the sizing of workers. Whoever can run any
 * SQL as one of them says nothing by it that stops those for everybody.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret } from '#src/access/keys/secrets.ts';
import { db, withTx } from '#src/db/pool.ts';
import type { DatabaseRole } from '#src/db/roles.ts';
import { sql } from '#src/db/sql.ts';
import { listProcesses, listQueueFigures } from '#src/installation/processes/store.ts';
import { createAccrual, type WrittenAccrual } from '#src/ledger/accruals/service.ts';
import { insertCustomer } from '#src/sales/customers/store.ts';
import { createRecurring } from '#src/sales/recurring/service.ts';
import { attackerAs } from '../support/attacker.ts';
import { createInstallation, type Installation } from '../support/installation.ts';
import { makeDrafts } from '../support/invoices.ts';
import { type LoggedIn, logIn } from '../support/person.ts';

let books: Installation;
let owner: LoggedIn;
beforeAll(async () => {
  books = await createInstallation();
  owner = await logIn(books, 'agare');
});
afterAll(() => books.close());

const login = (role: DatabaseRole) => attackerAs(role, () => books.url, 'code');

describe('any SQL as hb_api', () => {
  const api = login('hb_api');

  test.each(['infinity', '-infinity', '4713-01-01 BC', '294276-01-01'])(
    'a call at %s is one of lately on the page of its key',
    async (calledAt) => {
      const { id, key } = await books.makeKey(['data:read']);
      const noted = await api.run(
        `select api.record_calls(array[$1::bytea], array[$2::timestamptz], array['GET /x'], array[200],
          array[repeat('x', 1000000)], array[1], array[gen_random_uuid()])`,
        [hashOfSecret(key), calledAt],
      );
      expect(noted).toHaveLength(1);
      const page = await owner.get(`/installningar/api-nycklar/${id}`);
      expect([page.statusCode, page.body.length < 100_000]).toEqual([200, true]);
    },
  );

  test('a batch takes no more of the locks that all share than a program does', async () => {
    const count = 5_000;
    const calls = `array_fill($1::bytea, array[${count}]), (select array_agg('lock ' || n) from generate_series(1, ${count}) n),
      array_fill('\\x01'::bytea, array[${count}])`;
    const ids = `array_fill(gen_random_uuid(), array[${count}])`;
    const texts = `array_fill('A'::text, array[${count}])`;
    const answer = await api.run(
      `select count(*) from api.post_vouchers(${calls}, ${texts}, ${ids}, ${texts},
        array_fill('2026-03-31'::date, array[${count}]), ${texts}, ${texts}, array_fill('api'::text, array[${count}]), ${ids},
        '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', null, false, null)`,
      [hashOfSecret(books.key)],
    );
    expect(answer).toBe('22023');
  });
});

describe('any SQL as hb_worker', () => {
  const worker = login('hb_worker');
  const note = (more: Record<string, unknown>) => {
    const { parts, startedAt, handled, work } = {
      parts: '{http}',
      startedAt: '2026-01-01',
      handled: {},
      work: {},
      ...more,
    };
    return worker.run(`select restricted.note_process($1, 'host', 1, $2, '1', $3, $4, $5)`, [
      randomUUID(),
      parts,
      startedAt,
      JSON.stringify(handled),
      JSON.stringify(work),
    ]);
  };

  test.each<[string, Record<string, unknown>]>([
    ['parts within parts', { parts: '{{http},{mail}}' }],
    ['a part that is none', { parts: '{null}' }],
    ['jobs that are no number', { handled: { purge: 'x' } }],
    ['jobs in a list', { handled: [] }],
    ['more jobs than there are', { handled: { purge: 1e300 } }],
    ['work that is no object', { work: { purge: 7 } }],
    ['half a slot', { work: { purge: { busy_ms: 1, slots: 0.5 } } }],
    ['no slots', { work: { purge: { busy_ms: 1 } } }],
  ])('a process with %s is none', async (_, more) => {
    expect(await note(more)).toBe('HB405');
  });

  test('a process that began at no time has begun, and figures and pages stand', async () => {
    for (const startedAt of ['infinity', '-infinity'])
      expect(await note({ startedAt })).toHaveLength(1);
    const times = (await listProcesses(db(books.owner))).map((one) => one.started_at);
    expect(times.every((at) => at instanceof Date)).toBe(true);
    expect(await listQueueFigures(db(books.owner))).not.toEqual([]);
    expect((await owner.get('/drift')).statusCode).toBe(200);
  });

  test.each(['infinity', '-infinity', '4713-01-01 BC', '294276-12-31', '0001-01-01'])(
    'what failed at %s stands on its pages',
    async (at) => {
      await books.owner.query(`insert into events.endpoints (id, url, after_epoch, after_xid, after_seq, created_by)
        select gen_random_uuid(), 'https://exempel.se/krok', 0, '0', 0, 'test'
        where not exists (select from events.endpoints)`);
      expect(await worker.run('update events.endpoints set failing_since = $1', [at])).toEqual([]);
      expect((await owner.get('/installningar/webhooks')).statusCode).toBe(200);
    },
  );

  test.each([
    'null',
    '7',
    '[]',
    '{}',
    '{"error":"period_locked"}',
    '{"error":"period_locked","detail":{"earliest_allowed_date":"när som helst"}}',
    '{"error":"unprocessable","detail":{"problems":[null]}}',
    '{"error":"unprocessable","detail":{"problems":7}}',
  ])('why an invoice was not booked may be %s, and its page stands', async (refusal) => {
    const [draft] = await makeDrafts(books.owner, [100n]);
    const set = 'update sales.invoices set booking_refusal = $1 where id = $2';
    expect(await worker.run(set, [refusal, draft])).toEqual([]);
    expect((await owner.get(`/kundfakturor/${draft}`)).statusCode).toBe(200);
    expect((await owner.get('/kundfakturor')).statusCode).toBe(200);
  });
});

test.each([
  'null',
  '{"reason":7}',
  '{"reason":"__proto__"}',
  '{"reason":"period_locked","params":null}',
  '{"reason":"period_locked","params":{"lock":7}}',
  '{"path":null,"reason":"exceeds_open","params":{"number":[],"openOre":"x"}}',
])(
  'why something planned did not come about may be kept as %s, and its page stands',
  async (kept) => {
    const [plan, recurring] = await withTx(books.owner, async (tx) => {
      const today = '2026-03-31';
      const doing = { today, actor: 'test' };
      const written: WrittenAccrual = {
        ...{ kind: 'accrued_cost', description: 'El', series: 'P', amountOre: 30_000n, months: 3 },
        ...{ firstMonth: '2026-06-01', movedOn: null, sharesOn: 'last', lateOn: null },
        ...{ resultAccount: 5020, balanceAccount: 2990, costCenter: null, project: null },
        originVoucherId: null,
      } as const;
      await tx.query(sql`insert into ledger.accounts (number, name, type) values (5020, 'El', 'cost'),
      (2990, 'Upplupet', 'liability') on conflict do nothing`);
      const { id: customerId } = await insertCustomer(tx, { name: 'Hyresgästen AB' });
      const rent = { articleNumber: null, description: 'Hyra', quantityE4: 10_000n, unit: null };
      const recurringId = await createRecurring(
        tx,
        {
          ...{ customerId, recurrence: { anchor: '2026-06-01', unit: 'month', count: 1 } },
          ...{ lastDate: null, becomes: 'draft', paymentTermsDays: 30, yourReference: null },
          ...{ notes: null, isVatConfirmed: false },
          rows: [{ ...rent, unitPriceE4: 10_000n, discountE2: 0n, vatRate: 25, account: null }],
        },
        doing,
      );
      return [(await createAccrual(tx, written, doing)).id, recurringId];
    });
    const isFault = kept !== 'null';
    await books.owner.query(
      `update ledger.accrual_postings set problem = $1 where accrual_id = $2 and voucher_id is null`,
      [isFault ? kept : null, plan],
    );
    await books.owner.query(`update sales.recurring_invoices set problems = $1 where id = $2`, [
      `[${kept}]`,
      recurring,
    ]);
    for (const place of ['/periodiseringar', `/periodiseringar/${plan}`, '/manadsavslut']) {
      expect([place, (await owner.get(place)).statusCode]).toEqual([place, 200]);
    }
    for (const place of ['/aterkommande', `/aterkommande/${recurring}`]) {
      expect([place, (await owner.get(place)).statusCode]).toEqual([place, 200]);
    }
  },
);
