/** huvudbok start · http · worker · migrate: the long-running processes and what they stand on. */
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { keyFileIn } from '../access/secrets/service.ts';
import { type Config, inheritedEnvironment, loadProcessConfig } from '../config/config.ts';
import { gatherLines } from '../process/gathered-lines.ts';
import { surviveLostLogs } from '../process/lifecycle.ts';
import { ownLine, partLine } from '../process/log-lines.ts';
import { startPreparing } from '../process/preparation.ts';
import { allParts, start } from '../process/start.ts';
import {
  type WorkerName,
  type WorkerOnCall,
  workerNames,
  workersOnCall,
} from '../process/worker-names.ts';
import { note, print, withServer } from './context.ts';
import { collect, minutes, word } from './options.ts';

const preparing = fileURLToPath(new URL('./preparing.ts', import.meta.url));

interface WorkerFlags {
  readonly call?: WorkerOnCall[];
  /** Minutes. */
  readonly untilIdle?: number;
}

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
        const line = ownLine(sentence, isTerminal);
        if (line !== undefined) note(line);
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
        prepare: (url, folder) =>
          startPreparing([preparing, ...(demo ? ['--demo'] : [])], url, folder),
        openDoor: async () => (await import('../http/front-door.ts')).openFrontDoor(config, say),
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
      const { migrate } = await import('../db/migrate.ts');
      const { version } = await withServer((url) => migrate({ url, log: note }));
      print(json, { installation_schema_version: version }, `Databasen har schema ${version}.`);
    });
}

/** Where the parts of an installation with the embedded database find its key. */
const keyFileOf = ({ keyring, databaseUrl, dataDir }: Config): Record<string, string> =>
  keyring || databaseUrl !== undefined ? {} : { SECRETS_KEY_FILE: keyFileIn(dataDir) };
