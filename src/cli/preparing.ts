/**
 * What `huvudbok start` has done in a process of its own (process/preparation.ts):
 *
 *   node src/cli/preparing.ts [--demo]
 *
 * The settings are read and the port is held; the database is migrated and its secrets' key agreed on; then, when
 * everything answers, the person at the terminal is greeted: what they are shown only once, and what it is for, is made
 * then and not before. Nothing but the settings and the port is loaded before the database is told to start.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { type Config, loadProcessConfig } from '../config/config.ts';
import { inheritedEnvironment } from '../config/environment.ts';
import { keyFileIn } from '../config/keyring.ts';
import { openFrontDoor } from '../http/front-door.ts';
import { OperatorError } from '../lib/operator-error.ts';
import {
  exitWithParent,
  reportBegun,
  reportPrepared,
  reportRefusal,
  surviveLostLogs,
} from '../process/lifecycle.ts';
import { logLevelFor, ownLine } from '../process/log-lines.ts';
import type { PreparationMessage } from '../process/preparation.ts';
import type { StartSettings } from '../process/start-settings.ts';

exitWithParent();
surviveLostLogs();
const isDemo = process.argv.includes('--demo');
const say = (sentence: string) => {
  const line = ownLine(sentence, process.stderr.isTTY);
  if (line !== undefined) process.stderr.write(`${line}\n`);
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

async function prepareAndGreet(): Promise<void> {
  const config = loadProcessConfig();
  const door = await openFrontDoor(config, say);
  const toPrepare = told('prepare');
  await reportBegun(settingsOf(config));
  const { readyToPrepare } = await import('./prepared.ts');
  const prepare = readyToPrepare({ config, say, isDemo });
  const { url, folder } = await toPrepare;
  const { env, welcome } = await prepare(url, folder);
  await door.close();
  const toGreet = told('greet');
  await reportPrepared(env);
  const { address } = await toGreet;
  for (const line of await welcome(address)) say(line);
}

void prepareAndGreet().then(
  () => process.exit(0),
  async (error) => {
    if (!(error instanceof OperatorError)) throw error;
    // Said by `start`, which ends by it.
    await reportRefusal(error.message);
    process.exit(1);
  },
);
