/**
 * What `huvudbok start` has done in a process of its own (process/preparation.ts):
 *
 *   node src/cli/preparing.ts [--demo]
 *
 * The settings are read and the port is held; the database is migrated and its secrets' key agreed on; then, when
 * everything answers, the person at the terminal is greeted: what they are shown only once, and what it is for, is made
 * then and not before.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { keyFileIn, openSecrets } from '../access/secrets/service.ts';
import { type Config, loadProcessConfig } from '../config/config.ts';
import { inheritedEnvironment } from '../config/environment.ts';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { whenDatabaseAnswers } from '../db/standing.ts';
import { openFrontDoor } from '../http/front-door.ts';
import { OperatorError } from '../lib/operator-error.ts';
import {
  exitWithParent,
  reportBegun,
  reportReady,
  reportRefusal,
  surviveLostLogs,
} from '../process/lifecycle.ts';
import { logLevelFor, ownLine } from '../process/log-lines.ts';
import type { PreparationMessage } from '../process/preparation.ts';
import type { StartSettings } from '../process/start-settings.ts';
import { explained, note, write } from './context.ts';
import { greet } from './greeting.ts';

exitWithParent();
surviveLostLogs();
const isDemo = process.argv.includes('--demo');
const say = (sentence: string) => {
  const line = ownLine(sentence, process.stderr.isTTY);
  if (line !== undefined) note(line);
};

async function told<K extends PreparationMessage['kind']>(kind: K) {
  const [message] = (await once(process, 'message')) as [PreparationMessage];
  if (message.kind !== kind) throw new Error(`${kind} was expected, not ${message.kind}`);
  return message as Extract<PreparationMessage, { kind: K }>;
}

function settingsOf(config: Config): StartSettings {
  const { keyring, databaseUrl, dataDir, metrics } = config;
  const env = inheritedEnvironment();
  return {
    folder: databaseUrl === undefined ? dataDir : undefined,
    databaseUrl,
    metrics,
    env: {
      ...logLevelFor(process.stderr.isTTY, env),
      ...(databaseUrl === undefined && {
        EMBEDDED_IN: dataDir,
        // Who has no server of their own has nobody else who takes backups.
        BACKUP_DIR: env['BACKUP_DIR'] || join(dataDir, 'backups'),
        ...(!keyring && { SECRETS_KEY_FILE: keyFileIn(dataDir) }),
      }),
    },
  };
}

async function prepareDatabase(url: string, config: Config): Promise<void> {
  await migrate({ url, log: say });
  const pool = createPool({ url, max: 1, applicationName: 'huvudbok start' });
  try {
    if (await openSecrets(pool, config)) return;
    note(
      'SECRETS_KEY saknas, så webhookar och det andra steget vid inloggning är avstängda. Skapa en nyckel med huvudbok secrets create-key.',
    );
  } finally {
    await pool.end();
  }
}

async function fillDemo(url: string, folder: string | undefined, address: string): Promise<void> {
  const { runDemo } = await import('./demo.ts');
  // To be pasted as it stands, also where the log beside it is for machines.
  write((await explained(url, () => runDemo(url, address), folder)).join('\n'));
}

try {
  const config = loadProcessConfig();
  const door = await openFrontDoor(config, say);
  const toPrepare = told('prepare');
  await reportBegun(settingsOf(config));
  const { url, folder } = await toPrepare;
  const wait = { url, folder, say };
  await whenDatabaseAnswers(() => prepareDatabase(url, config), wait);
  await door.close();
  const toGreet = told('greet');
  await reportReady();
  const { address } = await toGreet;
  // The parts wait for a database that goes away just now, and so must what stands over them.
  const lines = await whenDatabaseAnswers(async () => {
    if (isDemo) await fillDemo(url, folder, address);
    return greet(address, url);
  }, wait);
  for (const line of lines) say(line);
  process.exit(0);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  // Said by `start`, which ends by it.
  await reportRefusal(error.message);
  process.exit(1);
}
