/** huvudbok start · http · worker · migrate: the long-running processes and what they stand on. */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
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

interface WorkerFlags {
  readonly told?: boolean;
  readonly call?: WorkerOnCall[];
  /** Minutes. */
  readonly untilIdle?: number;
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
    .action(async () => {
      const { runHttp } = await import('../process/http-server.ts');
      await runHttp(loadProcessConfig());
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
    .option('--told', 'börja när den som startade säger till (huvudbok start)')
    .action(async (names: WorkerName[], { call: calls = [], untilIdle, told }: WorkerFlags) => {
      const { loadWorkerPart } = await import('../process/workers.ts');
      const run = await loadWorkerPart(names);
      if (told) await untilTold();
      await run(loadProcessConfig(), { calls, untilIdle });
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
