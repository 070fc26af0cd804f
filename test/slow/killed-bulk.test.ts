/** kill -9 in the middle of a bulk of vouchers: sent again, each is there once; all-or-none is all or none. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { type Service, startService } from '../process/crash.ts';
import { postmasterOf, waitUntil } from '../process/embedded.ts';
import { voucherBody } from '../support/installation.ts';

const size = 1_000;

interface Result {
  readonly status: number;
  readonly id?: string;
}

/** Vouchers that are known by what they are described as. */
const newBulk = () =>
  Array.from({ length: size }, () => {
    const name = randomUUID();
    return { ...voucherBody({ description: name }), idempotencyKey: name };
  });
type Bulk = ReturnType<typeof newBulk>;

async function send(service: Service, bulk: Bulk, query: string): Promise<Result[] | undefined> {
  const answer = await fetch(`${service.address}/api/v1/verifikat/bunt${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(bulk),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const body = await answer.json().catch(() => undefined);
  return (body as { results: Result[] } | undefined)?.results;
}

/** Sent again, as often as it takes, until every one of them is answered for. */
async function sendUntilDone(service: Service, bulk: Bulk, query: string): Promise<Result[]> {
  for (;;) {
    const results = await send(service, bulk, query);
    if (results?.every(({ status }) => status === 200)) return results;
    await sleep(200);
  }
}

const posted = async ({ owner }: Service, bulk: Bulk): Promise<string[]> => {
  const names = bulk.map(({ description }) => description);
  const rows = await db(owner).query<{ id: string }>(
    sql`select id from ledger.vouchers where description = any (${names}::text[])`,
  );
  return rows.map(({ id }) => id);
};

/** Whether a transaction that is not committed yet has written vouchers. */
const isWriting = async ({ owner }: Service): Promise<boolean> => {
  const found = await db(owner).query(sql`select from pg_locks l join pg_stat_activity a using (pid)
    where l.relation = 'ledger.vouchers'::regclass and l.mode = 'RowExclusiveLock' and a.usename like '%hb_api%'`);
  return found.length > 0;
};

const isUp = ({ owner }: Service): Promise<boolean> =>
  db(owner)
    .query(sql`select`)
    .then(
      () => true,
      () => false,
    );

interface Killing {
  readonly query: string;
  /** In the middle: some are posted, or are about to be. */
  readonly isUnderWay: (service: Service, bulk: Bulk) => Promise<boolean>;
  readonly kill: (service: Service) => Promise<void>;
  readonly mayBeLeft: (count: number) => boolean;
}

const someArePosted = async (service: Service, bulk: Bulk) =>
  (await posted(service, bulk)).length > 0;
const killHttp = async (service: Service) => {
  process.kill(service.children().get('http') ?? Number.NaN, 'SIGKILL');
};
const killDatabase = async ({ dataDir }: Service) => {
  process.kill(await postmasterOf(dataDir), 'SIGKILL');
};
const allOrNone = (count: number) => count === 0 || count === size;

const killings: readonly (readonly [string, Killing])[] = [
  [
    'HTTP, each by itself',
    { query: '', isUnderWay: someArePosted, kill: killHttp, mayBeLeft: () => true },
  ],
  [
    'HTTP, all or none',
    { query: '?atomic=true', isUnderWay: isWriting, kill: killHttp, mayBeLeft: allOrNone },
  ],
  [
    'PostgreSQL, all or none',
    { query: '?atomic=true', isUnderWay: isWriting, kill: killDatabase, mayBeLeft: allOrNone },
  ],
  [
    'PostgreSQL, each by itself',
    { query: '', isUnderWay: someArePosted, kill: killDatabase, mayBeLeft: () => true },
  ],
];

it('each voucher of a bulk is there once when it is sent again, whatever was killed in the middle', {
  timeout: 300_000,
}, async () => {
  const service = await startService();
  let vouchers = 0;
  for (const [name, { query, isUnderWay, kill, mayBeLeft }] of killings) {
    // The bulk may be quicker than who watches it: then another is sent.
    for (let isCut = false; !isCut; ) {
      const bulk = newBulk();
      let isAnswered = false;
      const sending = send(service, bulk, query).finally(() => {
        isAnswered = true;
      });
      await waitUntil(async () => isAnswered || (await isUnderWay(service, bulk)));
      if (!isAnswered) await kill(service);
      const results = await sending;
      // The HTTP process answers for those that the database did not.
      isCut = results?.every(({ status }) => status === 200) !== true;
      if (isCut) {
        await waitUntil(() => isUp(service));
        expect([name, mayBeLeft((await posted(service, bulk)).length)]).toEqual([name, true]);
      }
      const done = await sendUntilDone(service, bulk, query);
      const ids = done.map(({ id }) => id);
      expect(new Set(ids).size).toBe(size);
      expect((await posted(service, bulk)).sort()).toEqual(ids.sort());
      vouchers += size;
    }
  }
  expect(await service.command('verify', '--json')).toEqual({
    exitCode: 0,
    answer: { vouchers, series: 8, problems: [] },
  });
});
