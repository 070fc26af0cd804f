/** huvudbok openapi: the API's description, without a server or a database. */
import type { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { loadConfig } from '../config.ts';
import { createPool } from '../db/pool.ts';
import { OrderOutcomes } from '../orders/outcomes.ts';
import { write } from './context.ts';

/** Nothing connects to it: only the routes are asked what they are. */
const nowhere = 'postgres://localhost/none';

export function registerOpenApiCommand(program: Command): void {
  program
    .command('openapi')
    .description('skriv ut API:ets OpenAPI-beskrivning')
    .action(async () => {
      const { buildApp } = await import('../app.ts');
      const config = loadConfig({});
      const pool = createPool({ url: nowhere, max: 1, applicationName: 'huvudbok openapi' });
      const outcomes = new OrderOutcomes(nowhere, pool);
      const app = await buildApp({ config, pool, outcomes, clock: systemClock(config.timeZone) });
      await app.ready();
      write(JSON.stringify(app.swagger(), null, 2));
      await app.close();
    });
}
