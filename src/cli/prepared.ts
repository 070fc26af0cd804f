/** The database's part of what `preparing.ts` does: loaded while the database starts. */
import { openSecrets } from '../access/secrets/service.ts';
import type { Config } from '../config/config.ts';
import { type Migrated, migrateOver } from '../db/migrate.ts';
import { readSchema } from '../db/migrations.ts';
import { createPool } from '../db/pool.ts';
import { whenDatabaseAnswers } from '../db/standing.ts';
import { explained, note, write } from './context.ts';
import { greet } from './greeting.ts';

export interface PreparedDatabase {
  /** What the parts are told of it. */
  readonly env: Readonly<Record<string, string>>;
  /** What the person at the terminal is shown, now that everything answers at `address`. */
  welcome(address: string): Promise<readonly string[]>;
}

export interface PrepareOptions {
  readonly config: Config;
  readonly say: (sentence: string) => void;
  /** Whether the example company is filled in before anybody is greeted. */
  readonly isDemo: boolean;
}

/** Reads what the database is to be; what it answers makes it so, when the database is there. */
export function readyToPrepare({ config, say, isDemo }: PrepareOptions) {
  const schema = readSchema();
  return async (url: string, folder: string | undefined): Promise<PreparedDatabase> => {
    const wait = { url, folder, say };
    const owner = createPool({ url, max: 1, applicationName: 'huvudbok start' });
    const { stamp } = await whenDatabaseAnswers(async () => {
      const client = await owner.connect();
      let migrated: Migrated | undefined;
      try {
        migrated = await migrateOver(client, { url, log: say, schema: await schema });
      } finally {
        client.release(migrated === undefined);
      }
      if (!(await openSecrets(owner, config))) {
        note(
          'SECRETS_KEY saknas, så webhookar och det andra steget vid inloggning är avstängda. Skapa en nyckel med huvudbok secrets create-key.',
        );
      }
      return migrated;
    }, wait);
    return {
      env: stamp === undefined ? {} : { SCHEMA_STAMP: stamp },
      // The parts wait for a database that goes away just now, and so must what stands over them.
      welcome: (address) =>
        whenDatabaseAnswers(async () => {
          if (isDemo) await fillDemo(url, folder, address);
          return greet(address, owner);
        }, wait),
    };
  };
}

async function fillDemo(url: string, folder: string | undefined, address: string): Promise<void> {
  const { runDemo } = await import('./demo.ts');
  // To be pasted as it stands, also where the log beside it is for machines.
  write((await explained(url, () => runDemo(url, address), folder)).join('\n'));
}
