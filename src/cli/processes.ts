/** huvudbok start · http · worker · migrate: the long-running processes and what they stand on. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { keyFileIn, openSecrets } from '../access/secrets/service.ts';
import { type Config, inheritedEnvironment, loadProcessConfig } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { createPool } from '../db/pool.ts';
import { gatherLines } from '../process/gathered-lines.ts';
import { surviveLostLogs } from '../process/lifecycle.ts';
import { ownLine, partLine } from '../process/log-lines.ts';
import { allParts, start } from '../process/start.ts';
import {
  type WorkerName,
  type WorkerOnCall,
  workerNames,
  workersOnCall,
} from '../process/worker-names.ts';
import { explained, note, print, withServer, write } from './context.ts';
import { collect, minutes, word } from './options.ts';

interface WorkerFlags {
  readonly call?: WorkerOnCall[];
  /** Minutes. */
  readonly untilIdle?: number;
}

/** Loaded by who wants it: all that makes books goes with it. */
const demoCommand = () => import('./demo.ts');

/**
 * At a terminal every call's line would bury the greeting, with the password in it that is shown once: unless
 * somebody asks for them the parts write what is wrong. Whoever collects logs gets every line.
 */
export const logLevelFor = (
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>> = inheritedEnvironment(),
): { readonly LOG_LEVEL?: string } =>
  isTerminal && !env['LOG_LEVEL'] && !env['LOG_LEVEL_FILE'] ? { LOG_LEVEL: 'warn' } : {};

export function registerProcesses(program: Command): void {
  program
    .command('start')
    .description('starta allt: databas, HTTP och alla arbetare')
    .option('--demo', 'fyll ett exempelföretag först')
    .action(async ({ demo }: { demo?: boolean }) => {
      const config = loadProcessConfig();
      surviveLostLogs();
      const isTerminal = process.stderr.isTTY;
      const lines = gatherLines((gathered) => void process.stderr.write(gathered));
      const say = (sentence: string) => {
        // What has been told before it stands before it.
        lines.now();
        if (isTerminal || sentence !== '') note(ownLine(sentence, isTerminal));
      };
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
        process.on(signal, () => stop.abort());
      }
      await start({
        entry: fileURLToPath(new URL('./huvudbok.ts', import.meta.url)),
        dataDir: config.dataDir,
        databaseUrl: config.databaseUrl,
        env: { ...inheritedEnvironment(), ...logLevelFor(isTerminal), ...keyFileOf(config) },
        parts: allParts,
        write: say,
        log: (part, line) => lines.add(`${partLine(part, line, isTerminal)}\n`),
        metrics: config.metrics,
        prepare: (url) => prepareSecrets(url, config),
        openDoor: async () => (await import('../http/front-door.ts')).openFrontDoor(config, say),
        greeting: async (address, url) => {
          if (demo) {
            const folder = config.databaseUrl === undefined ? config.dataDir : undefined;
            const told = await explained(
              url,
              async () => (await demoCommand()).runDemo(url, address),
              folder,
            );
            lines.now();
            // To be pasted as it stands, also where the log beside it is for machines.
            write(told.join('\n'));
          }
          return (await import('./greeting.ts')).greet(address, url);
        },
        stop: stop.signal,
      });
    });

  program
    .command('http')
    .description('HTTP-processen')
    .action(async () => {
      const config = loadProcessConfig();
      await (await import('../process/http-server.ts')).runHttp(config);
    });

  program
    .command('worker')
    .argument('<namn...>', workerNames.join(', '), collect(word(workerNames)))
    .description(`arbetare: ${workerNames.join(', ')}`)
    .option(
      '--call <namn...>',
      'säg till den som startade när mail eller render behövs (huvudbok start)',
      collect(word(workersOnCall)),
    )
    .option('--until-idle <minuter>', 'sluta när inget funnits att göra så länge', minutes)
    .action(async (names: WorkerName[], { call, untilIdle }: WorkerFlags) => {
      const config = loadProcessConfig();
      const calls = call ?? [];
      await (await import('../process/workers.ts')).runWorkerPart(names, config, {
        calls,
        untilIdle,
      });
    });

  program
    .command('migrate')
    .description('för databasen till det här programmets schema')
    .option('--json', 'ett JSON-värde på stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const { version } = await withServer((url) => migrate({ url, log: note }));
      print(json, { installation_schema_version: version }, `Databasen har schema ${version}.`);
    });
}

/** Where the parts of an installation with the embedded database find its key. */
const keyFileOf = ({ keyring, databaseUrl, dataDir }: Config): Record<string, string> =>
  keyring || databaseUrl !== undefined ? {} : { SECRETS_KEY_FILE: keyFileIn(dataDir) };

async function prepareSecrets(url: string, config: Config): Promise<void> {
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
