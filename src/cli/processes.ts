/** huvudbok start · http · worker · migrate: the long-running processes and what they stand on. */
import type { Command } from 'commander';
import { type Config, loadProcessConfig } from '../config/config.ts';
import { migrate } from '../db/migrate.ts';
import { untilTold } from '../process/lifecycle.ts';
import {
  type WorkerName,
  type WorkerOnCall,
  workerNames,
  workersOnCall,
} from '../process/worker-names.ts';
import { note, print, withServer } from './context.ts';
import { collect, minutes, word } from './options.ts';

interface Told {
  readonly told?: boolean;
}
interface WorkerFlags extends Told {
  readonly call?: WorkerOnCall[];
  /** Minutes. */
  readonly untilIdle?: number;
}

const toldFlag = ['--told', 'börja när den som startade säger till (huvudbok start)'] as const;

/** The settings, when they are known: one that is told has loaded its program before. */
async function settings({ told }: Told): Promise<Config> {
  if (told) await untilTold();
  return loadProcessConfig();
}

export function registerProcesses(program: Command): void {
  program
    .command('start')
    .description('starta allt: databas, HTTP och alla arbetare')
    .option('--demo', 'fyll ett exempelföretag först')
    .action(async ({ demo = false }: { demo?: boolean }) => {
      await (await import('./start.ts')).runStart(demo);
    });

  program
    .command('http')
    .description('HTTP-processen')
    .option(...toldFlag)
    .action(async (flags: Told) => {
      const { runHttp } = await import('../process/http-server.ts');
      await runHttp(await settings(flags));
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
    .option(...toldFlag)
    .action(async (names: WorkerName[], { call: calls = [], untilIdle, ...flags }: WorkerFlags) => {
      const { loadWorkerPart } = await import('../process/workers.ts');
      const run = await loadWorkerPart(names);
      await run(await settings(flags), { calls, untilIdle });
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
