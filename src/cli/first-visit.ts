/** huvudbok first-visit: the address that opens an installation without users. */
import type { Command } from 'commander';
import { loadProcessConfig } from '../config/config.ts';
import { createSetupToken, firstVisitAddress } from '../installation/setup/token.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { print, withPool } from './context.ts';
import { type Json, jsonOption } from './options.ts';

export function registerFirstVisit(program: Command): void {
  program
    .command('first-visit')
    .description('skriv ut en ny adress för det första besöket; den gäller i ett dygn')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const token = await withPool(createSetupToken);
      if (token === undefined) {
        throw new OperatorError(
          'Installationen har redan användare; det första besöket är gjort. Fler: huvudbok user create.',
        );
      }
      const address = firstVisitAddress(loadProcessConfig().baseUrl, token);
      print(json, { address }, `Öppna adressen inom ett dygn:\n\n  ${address}\n`);
    });
}
