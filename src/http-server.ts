/** The HTTP process: listens until told to stop, then finishes what it has begun. */

import type { Logger } from 'pino';
import { chartSentence, listChartFaults } from './accounts/completeness.ts';
import { buildApp } from './app.ts';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { httpConnections } from './db/connection-budget.ts';
import { createPool, db, withTx } from './db/pool.ts';
import { closeConnections, createConnections } from './http/connections.ts';
import { syncLegacySecrets } from './keys/legacy.ts';
import { createLogger } from './logger.ts';
import { OperatorError } from './operator-error.ts';
import { startHeartbeat } from './processes/heartbeat.ts';

export async function startHttp(
  config: Config,
  databaseUrl: string,
): Promise<{ address: string; stop(): Promise<void> }> {
  const logger = createLogger(config.logLevel, 'http');
  const budget = httpConnections(config.databaseConnections);
  await prepare(config, databaseUrl, logger);
  const connections = createConnections(databaseUrl, 'huvudbok http', budget);
  await connections.decisions.start();
  const app = await buildApp({
    config,
    ...connections,
    clock: systemClock(config.timeZone),
    logger,
  });
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
  try {
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await stop();
    throw explainListen(error, config);
  }
  return { address: config.baseUrl, stop };
}

/** What needs the owner's login: keys are the owner's to make, and the chart is looked through as a whole. */
async function prepare(
  { legacySecrets }: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<void> {
  const pool = createPool({ url: databaseUrl, max: 1, applicationName: 'huvudbok http start' });
  try {
    await withTx(pool, (tx) => syncLegacySecrets(tx, legacySecrets));
    const faults = await listChartFaults(db(pool));
    if (faults.length > 0) logger.warn({ faults }, chartSentence(faults));
  } finally {
    await pool.end();
  }
}

function explainListen(error: unknown, { port, host }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${port} är upptagen av ett annat program. Sätt PORT till en ledig port, t.ex. PORT=${port + 1} npm start.`,
      { cause: error },
    );
  }
  if (code === 'EACCES') {
    return new OperatorError(
      `Port ${port} får inte öppnas av den här användaren. Sätt PORT till 1024 eller högre.`,
      { cause: error },
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new OperatorError(`Adressen ${host} finns inte på den här datorn. Rätta HOST.`, {
      cause: error,
    });
  }
  return error;
}
