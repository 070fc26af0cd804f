/** What the HTTP process holds open: a pool for each role it speaks as, and an ear for decisions. */
import { createPool, type Pool } from '../db/pool.ts';
import { roleUrl } from '../db/roles.ts';
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

/** Enough for two batches of each kind in flight and as many readers. */
const POOL_MAX = 12;
/** An agency asks a few times an hour. */
const AGENCY_POOL_MAX = 4;
/** People click; a page is some milliseconds. */
const APP_POOL_MAX = 8;

/** Nothing connects before it is used; `decisions` listens when it is started. */
export function createConnections(
  databaseUrl: string,
  applicationName = 'huvudbok http',
): Connections {
  const url = roleUrl(databaseUrl, 'hb_api');
  const pool = createPool({ url, max: POOL_MAX, applicationName });
  const agencyPool = createPool({
    url: roleUrl(databaseUrl, 'hb_agency'),
    max: AGENCY_POOL_MAX,
    applicationName: `${applicationName} agency`,
  });
  const appPool = createPool({
    url: roleUrl(databaseUrl, 'hb_app'),
    max: APP_POOL_MAX,
    applicationName: `${applicationName} app`,
  });
  return { pool, agencyPool, appPool, decisions: new Decisions(url) };
}

export async function closeConnections(connections: Connections): Promise<void> {
  await connections.decisions.stop();
  const { pool, agencyPool, appPool } = connections;
  await Promise.all([pool.end(), agencyPool.end(), appPool.end()]);
}
