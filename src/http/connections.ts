/**
 * What the HTTP process holds open: for each role it speaks as a pool, of which those who read leave some to
 * those who write, and an ear for decisions.
 */
import { type HttpConnections, httpConnections } from '../db/connection-budget.ts';
import { Decisions } from '../db/decisions.ts';
import { createPool, type Pool, type PoolOptions } from '../db/pool.ts';
import type { DatabaseRole, Logins } from '../db/roles.ts';
import { Load } from './load.ts';
import { Readers } from './readers.ts';

export type HttpRole = Exclude<DatabaseRole, 'hb_worker'>;

export interface Connections {
  readonly load: Load;
  /** Connections of the role hb_api, for letting keys in and for what they write. */
  readonly pool: Pool;
  /** Keys that read what may be much. */
  readonly readers: Readers;
  /** Keys that read little: they never wait for those who read much. */
  readonly quickReaders: Readers;
  /** Connections of the role hb_agency. */
  readonly agencyReaders: Readers;
  /** Connections of the role hb_app, for the people who log in. */
  readonly appPool: Pool;
  /** Pages that people look at: never on the last of those connections. */
  readonly appReaders: Readers;
  readonly decisions: Decisions;
  /** Where each role that the process speaks as does its work. */
  readonly poolOfRole: Readonly<Record<HttpRole, Pool>>;
  /** All of the above, to be watched and closed. */
  readonly pools: readonly Pool[];
}

/** Their roles' statements may take 30 s (role-limits.ts), */
const silentMsMax = 45_000;
/** but of people's one may take ten minutes: that which begins the books anew. */
const silentToPeopleMsMax = 11 * 60_000;

/** What keys read: the heaviest takes a tenth of it among a million vouchers. */
const readTimeoutMs = 10_000;

/** All but one of them, so that whatever is quick or writes has that. */
const allButOne = (connections: number): number => Math.max(1, connections - 1);

/** Nothing connects, nor asks for its login, before it is used; `decisions` listens when it is started. */
export function createConnections(
  login: Logins,
  applicationName = 'huvudbok http',
  budget: HttpConnections = httpConnections(),
  load = new Load(),
): Connections {
  const pools: Pool[] = [];
  const poolOf = (
    role: DatabaseRole,
    max: number,
    name: string,
    options: Omit<PoolOptions, 'url' | 'max' | 'applicationName'> = {},
  ): Pool => {
    const pool = createPool({
      get url() {
        return login(role);
      },
      max,
      applicationName: `${applicationName}${name}`,
      silentMsMax,
      ...options,
    });
    pools.push(pool);
    return pool;
  };
  const pool = poolOf('hb_api', budget.keys, '', { isPipelined: true });
  const readPool = poolOf('hb_api', budget.reading, ' readers', {
    statementTimeoutMs: readTimeoutMs,
    isPipelined: true,
  });
  const agencyPool = poolOf('hb_agency', budget.agencies, ' agency');
  const appPool = poolOf('hb_app', budget.people, ' app', {
    silentMsMax: silentToPeopleMsMax,
  });
  const readersOf = (from: Pool, atOnce: number): Readers =>
    new Readers({ pool: from, atOnce, waiting: load.limits.waiting_readers });
  return {
    load,
    pool,
    readers: readersOf(readPool, allButOne(budget.reading)),
    quickReaders: readersOf(readPool, 1),
    agencyReaders: readersOf(agencyPool, budget.agencies),
    appPool,
    appReaders: readersOf(appPool, allButOne(budget.people)),
    decisions: new Decisions(),
    poolOfRole: { hb_api: pool, hb_app: appPool, hb_agency: agencyPool },
    pools,
  };
}

export async function closeConnections({ decisions, pools }: Connections): Promise<void> {
  await decisions.stop();
  await Promise.all(pools.map((pool) => pool.end()));
}
