/** huvudbok openapi: the API's description, without a server or a database. */
import type { Command } from 'commander';
import { loadConfig } from '../config/config.ts';
import { createConnections } from '../http/connections.ts';
import { systemClock } from '../lib/clock.ts';
import { write } from './context.ts';

/** Nothing connects to it: only the routes are asked what they are. */
const nowhere = 'postgres://localhost/none';

export function registerOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('skriv ut API:ets OpenAPI-beskrivning')
    .action(async () => {
      const { buildApp } = await import('../process/app.ts');
      const config = loadConfig({});
      const connections = createConnections(() => nowhere);
      const app = await buildApp({ config, ...connections, clock: systemClock(config.timeZone) });
      await app.ready();
      write(JSON.stringify(app.swagger(), null, 2));
      await app.close();
    });
}
