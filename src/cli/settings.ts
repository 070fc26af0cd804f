/** huvudbok settings list · set */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import type { SettingName } from '../domain/basics/company-settings.ts';
import { changeSetting, settings } from '../installation/company/service.ts';
import { findSettings } from '../installation/company/store.ts';
import { refuseWhole } from '../lib/errors.ts';
import { asOwner, print, withPool } from './context.ts';
import { alignedLines } from './listing.ts';
import { actor, type Json, jsonOption, word } from './options.ts';

const names = Object.keys(settings) as SettingName[];

export function registerSettings(program: Command): void {
  const setting = program.command('settings').description('installationens regler');

  setting
    .command('list')
    .description('visa alla regler, vad de är nu och vad de kan vara')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const values = await withPool((pool) => findSettings(db(pool)));
      if (!values) {
        throw refuseWhole('unprocessable', 'not_set_up');
      }
      print(
        json,
        Object.fromEntries(names.map((name) => [name, values[name]])),
        alignedLines(names.map((name) => [name, values[name] || null, `(${settings[name].hint})`])),
      );
    });

  setting
    .command('set')
    .description('ändra en regel')
    .argument('<namn>', 'regelns namn, se settings list', word(names))
    .argument('<värde>', 'det den ska vara; "" tar bort ett värde som får saknas')
    .option(...jsonOption)
    .action(async (name: SettingName, value: string, { json }: Json) => {
      await asOwner((tx) => changeSetting(tx, name, value, actor));
      const words = value === '' ? `${name} är nu tom.` : `${name} är nu ${value}.`;
      print(json, { [name]: value }, words);
    });
}
