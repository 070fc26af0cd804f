/** Under load no process holds more connections than it was given, and few are enough. */
import { expect, it } from 'vitest';
import { db } from '#src/db/pool.ts';
import { sql } from '#src/db/sql.ts';
import { Load, proveWhole, startService } from '../process/crash.ts';

/** What the processes of `huvudbok start` call themselves, besides what they listen with. */
const processes = [
  { pools: /^huvudbok (http|decisions)/, name: 'http' },
  { pools: /^huvudbok (intake|order-intake)/, name: 'worker intake' },
  { pools: /^huvudbok (booking|invoice-booking)/, name: 'worker booking' },
  { pools: /^huvudbok (upkeep|purge|backup)/, name: 'the other workers' },
];

it('keeps within DATABASE_CONNECTIONS while vouchers, orders and pages pour in', async () => {
  const given = 8;
  const service = await startService({ DATABASE_CONNECTIONS: String(given) });
  const most = new Map<string, number>();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const rows = await db(service.owner).query<{ name: string; count: number }>(
        sql`select application_name as name, count(*)::integer as count from pg_stat_activity
            where application_name like 'huvudbok %' and application_name <> 'huvudbok DATA_DIR'
            group by application_name`,
      );
      const known = rows.filter(({ name }) => processes.some(({ pools }) => pools.test(name)));
      expect(known).toEqual(rows);
      for (const { pools, name } of processes) {
        const count = rows.reduce((sum, row) => sum + (pools.test(row.name) ? row.count : 0), 0);
        most.set(name, Math.max(most.get(name) ?? 0, count));
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const load = new Load(service, 0);
  const read = async (path: string, headers = {}) => {
    while (!isOver) await fetch(service.address + path, { headers }).then((r) => r.arrayBuffer());
  };
  const reading = [
    ...Array.from({ length: 8 }, () =>
      read('/api/v1/meta', { authorization: `Bearer ${service.key}` }),
    ),
    ...Array.from({ length: 8 }, () => read('/logga-in')),
  ];
  await load.goOn(200, 100);
  await load.end();
  isOver = true;
  await Promise.all([watching, ...reading]);
  await proveWhole(service, load);
  for (const [name, count] of most)
    expect([name, count <= given, count]).toEqual([name, true, count]);
  expect(most.get('http')).toBeGreaterThan(2);
});
