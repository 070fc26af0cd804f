/** The HTTP process: listens until told to stop, then finishes what it has begun. */

import type { Logger } from 'pino';
import { syncLegacySecrets } from '../access/keys/legacy.ts';
import { openSecrets } from '../access/secrets/service.ts';
import type { Config } from '../config/config.ts';
import { httpConnections } from '../db/connection-budget.ts';
import { db, type Pool, withTx } from '../db/pool.ts';
import { type Logins, loginsOf, plainPrefix } from '../db/roles.ts';
import { checkRole, whenDatabaseAnswers, withOwner } from '../db/standing.ts';
import { closeConnections, createConnections, type HttpRole } from '../http/connections.ts';
import type { App, AppDeps } from '../http/fastify.ts';
import { explainListen, openFrontDoor } from '../http/front-door.ts';
import { checkSpool } from '../http/spool.ts';
import { startHeartbeat } from '../installation/processes/heartbeat.ts';
import { chartSentence, listChartFaults } from '../ledger/accounts/completeness.ts';
import { systemClock } from '../lib/clock.ts';
import { countLoad } from '../lib/metrics/load.ts';
import { buildApp } from './app.ts';
import { reportReady, stopWhenAsked } from './lifecycle.ts';
import { asPart, databaseUrl } from './part.ts';

/** `huvudbok http`: answers until it is told to stop. */
export async function runHttp(config: Config): Promise<void> {
  await asPart('http', config, async (log) => {
    const http = await startHttp(config, databaseUrl(config.databaseUrl), log);
    stopWhenAsked(http.stop);
    log.info({ address: http.address }, `Huvudbok svarar på ${http.address}`);
    await reportReady(http.address);
    return http;
  });
}

/** Those that it speaks as. */
const roles: readonly HttpRole[] = ['hb_api', 'hb_app', 'hb_agency'];

async function startHttp(
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<{ address: string; isWell(): boolean; stop(): Promise<void> }> {
  const budget = httpConnections(config.databaseConnections);
  await checkSpool();
  const door = await openFrontDoor(config, (line) => logger.warn(line));
  // As far as is known before the database says what its roles are called; nobody connects until then.
  let logins = loginsOf(databaseUrl, plainPrefix);
  const connections = createConnections((role) => logins(role), 'huvudbok http', budget);
  const clock = systemClock(config.timeZone);
  const begin = async (owner: Pool, found: Logins) => {
    logins = found;
    await Promise.all(roles.map((role) => checkRole(connections.poolOfRole[role], role, found)));
    await prepare(config, owner, logger);
    await connections.decisions.start(found('hb_api'));
  };
  const database = { url: databaseUrl, stamp: config.schemaStamp };
  const readying = whenDatabaseAnswers(() => withOwner(database, begin), {
    url: databaseUrl,
    folder: config.embeddedIn,
    say: (sentence) => logger.warn(sentence),
  });
  // Meanwhile: a quarter of a second of this process.
  const building = buildReadyApp({ config, ...connections, clock, logger });
  const [app] = await Promise.all([building, readying]).catch(async (error) => {
    await building.then(
      (built) => built.close(),
      () => undefined,
    );
    await closeConnections(connections);
    throw error;
  });
  countLoad(connections.load);
  const heartbeat = await startHeartbeat({
    pool: connections.appPool,
    parts: ['http'],
    log: logger,
  });
  const stop = async (): Promise<void> => {
    await app.close();
    await heartbeat.stop();
    await closeConnections(connections);
  };
  await door.close();
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await stop();
    throw explainListen(error, config.port, config.host);
  }
  return { address: config.baseUrl, isWell: heartbeat.isHeard, stop };
}

/** Whoever calls between its front door and the server finds a closed port: all that can be done before is. */
async function buildReadyApp(deps: AppDeps): Promise<App> {
  const app = await buildApp(deps);
  await app.ready();
  return app;
}

/** What needs the owner's login: keys are the owner's to make, and the chart is looked through as a whole. */
async function prepare(config: Config, owner: Pool, logger: Logger): Promise<void> {
  await openSecrets(owner, { ...config, databaseUrl: databaseUrl(config.databaseUrl) });
  await withTx(owner, (tx) => syncLegacySecrets(tx, config.legacySecrets));
  const faults = await listChartFaults(db(owner));
  if (faults.length > 0) logger.warn({ faults }, chartSentence(faults));
}
