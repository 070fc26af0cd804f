/** huvudbok agency create · list · revoke */
import type { Command } from 'commander';
import { type ListedAgencyKey, listAgencyKeys } from '../access/agency/key-store.ts';
import { createAgencyKey, revokeAgencyKey } from '../access/agency/keys.ts';
import { db } from '../db/pool.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { asOwner, print, withPool } from './context.ts';
import { actor, type Json, jsonOption, text, uuid } from './options.ts';
import { when } from './words.ts';

export function registerAgencyKeys(program: Command): void {
  const agency = program.command('agency').description('byrånycklar: läsa läget, ingenting annat');

  agency
    .command('create')
    .description('skapa en byrånyckel; hemligheten visas en enda gång')
    .requiredOption('--name <namn>', 'byråns namn', text(200))
    .option(...jsonOption)
    .action(async ({ name, json }: Json & { name: string }) => {
      const created = await asOwner((tx) => createAgencyKey(tx, name, actor));
      print(
        json,
        created,
        `Byrånyckeln för ${created.name} är skapad. Den visas bara nu:\n\n  ${created.key}\n`,
      );
    });

  agency
    .command('list')
    .description('visa alla byrånycklar')
    .option(...jsonOption)
    .action(async ({ json }: Json) => {
      const keys = await withPool((pool) => listAgencyKeys(db(pool)));
      print(
        json,
        keys,
        keys.length === 0 ? 'Det finns inga byrånycklar.' : keys.map(line).join('\n'),
      );
    });

  agency
    .command('revoke')
    .description('återkalla en byrånyckel och dess token; verkar genast')
    .argument('<id>', 'nyckelns id, se agency list', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      const found = await asOwner((tx) => revokeAgencyKey(tx, id, actor));
      if (!found) {
        throw new OperatorError(`Det finns ingen byrånyckel ${id}; se huvudbok agency list.`);
      }
      print(json, { id, revoked: true }, `Byrånyckeln ${id} är återkallad.`);
    });
}

function line(key: ListedAgencyKey): string {
  const used = key.last_exchanged_at
    ? `senast använd ${when(key.last_exchanged_at)}`
    : 'aldrig använd';
  const state = key.revoked_at ? `återkallad ${when(key.revoked_at)}` : used;
  return `${key.id}  ${key.hint}…  ${key.name}  ${state}`;
}
