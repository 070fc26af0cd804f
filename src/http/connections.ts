/** What the HTTP process holds open: a pool for each role it speaks as, and an ear for decisions. */
import { type HttpConnections, httpConnections } from '../db/connection-budget.ts';
import { createPool, type Pool } from '../db/pool.ts';
import type { Logins } from '../db/roles.ts';
import { Decisions } from './decisions.ts';

export interface Connections {
  /** Connections of the role hb_api. */
  readonly pool: Pool;
  /** Connections of the role hb_agency. */
  readonly agencyPool: Pool;
  /** Connections of the role hb_app, for the people who log in. */
  readonly appPool: Pool;
  readonly decisions: Decisions;
}

/** Nothing connects before it is used; `decisions` listens when it is started. */
export function createConnections(
  login: Logins,
  applicationName = 'huvudbok http',
  budget: HttpConnections = httpConnections(),
): Connections {
  const url = login('hb_api');
  const pool = createPool({ url, max: budget.keys, applicationName });
  const agencyPool = createPool({
    url: login('hb_agency'),
    max: budget.agencies,
    applicationName: `${applicationName} agency`,
  });
  const appPool = createPool({
    url: login('hb_app'),
    max: budget.people,
    applicationName: `${applicationName} app`,
  });
  return { pool, agencyPool, appPool, decisions: new Decisions(url) };
}

export async function closeConnections(connections: Connections): Promise<void> {
  await connections.decisions.stop();
  const { pool, agencyPool, appPool } = connections;
  await Promise.all([pool.end(), agencyPool.end(), appPool.end()]);
}
