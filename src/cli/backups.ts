/** huvudbok backup done: a backup script's last line, so that Drift can say when the last one was. */
import { type Command, InvalidArgumentError } from 'commander';
import { recordBackup } from '../operations/service.ts';
import { asOwner, print } from './context.ts';
import { ACTOR, type Json, jsonOption } from './options.ts';
import { when } from './words.ts';

export function registerBackups(program: Command): void {
  program
    .command('backup')
    .description('säkerhetskopior')
    .command('done')
    .description('anteckna att en säkerhetskopia är tagen; sista raden i ditt skript')
    .option('--at <tid>', 'när den togs, t.ex. 2026-11-20T02:00:00+01:00; annars nu', pointInTime)
    .option(...jsonOption)
    .action(async ({ at = new Date(), json }: Json & { at?: Date }) => {
      await asOwner((tx) => recordBackup(tx, at, ACTOR));
      print(json, { finished_at: at.toISOString() }, `Säkerhetskopian ${when(at)} är antecknad.`);
    });
}

function pointInTime(value: string): Date {
  const at = new Date(value);
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
  if (!isWhole || Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError('Ange tid med tidszon, t.ex. 2026-11-20T02:00:00+01:00.');
  }
  if (at.getTime() > Date.now() + 60_000) {
    throw new InvalidArgumentError('Tiden ligger i framtiden.');
  }
  return at;
}
