/** huvudbok roles: what the service logs in as, for whoever looks after the PostgreSQL server. */
import type { Command } from 'commander';
import { describeRoles } from '../db/own-roles.ts';
import { connect } from '../db/pool.ts';
import { print, withServer, write } from './context.ts';
import { type Json, jsonOption } from './options.ts';

export function registerRoles(program: Command): void {
  program
    .command('roles')
    .description('visa vilka databasroller den här databasen har')
    .option('--sql', 'det som gör dem, för en administratör om ägaren inte får')
    .option(...jsonOption)
    .action(({ sql, json }: Json & { sql?: boolean }) =>
      withServer(async (url) => {
        const client = await connect(url, 'huvudbok roles');
        const { database, roles, statements } = await describeRoles(client, url).finally(() =>
          client.end(),
        );
        if (sql) return write(statements.map((statement) => `${statement};`).join('\n'));
        const lines = roles.map(({ name, state }) => `${name}: ${stateWords[state]}`);
        const head = `Databasen ${database.name} (oid ${database.oid}) loggas in på som:`;
        print(json, { database, roles }, [head, ...lines].join('\n'));
      }),
    );
}

const stateWords = {
  ready: 'finns och är databasens egen',
  missing: 'görs av nästa huvudbok migrate',
  unclaimed: 'tas över av nästa huvudbok migrate',
} as const;
