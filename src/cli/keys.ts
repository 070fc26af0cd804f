/** huvudbok key create|list|revoke */
import type { Command } from 'commander';
import { proposesAndBooks, type Scope, scopes } from '../access/keys/scopes.ts';
import { createKey, endOfDay, revokeKey } from '../access/keys/service.ts';
import { type ApiKey, listKeys } from '../access/keys/store.ts';
import { loadProcessConfig } from '../config/config.ts';
import { db, withTx } from '../db/pool.ts';
import { refuse } from '../lib/errors.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { asOwner, print, withPool } from './context.ts';
import {
  actor,
  collect,
  date,
  integer,
  type Json,
  jsonOption,
  text,
  uuid,
  word,
} from './options.ts';
import { when } from './words.ts';

export function registerKeys(program: Command): void {
  const key = program.command('key').description('API-nycklar');

  key
    .command('create')
    .description('skapa en nyckel; hemligheten visas en enda gång')
    .requiredOption('--name <namn>', 'vad nyckeln är till', text(100))
    .requiredOption(
      '--scope <behörighet>',
      `${scopes.join(', ')}; kan upprepas`,
      collect(word(scopes)),
    )
    .option('--quota <antal>', 'anrop per timme', integer(1, 1_000_000_000), 600)
    .option('--expires <datum>', 'sista giltighetsdag', date)
    .option('--test', 'en testnyckel (svc_test_…), som bara fungerar mot exempelföretaget')
    .option(...jsonOption)
    .action(
      async (options: {
        name: string;
        scope: Scope[];
        quota: number;
        expires?: string;
        test?: boolean;
        json?: boolean;
      }) => {
        if (proposesAndBooks(options.scope)) {
          throw refuse('unprocessable', [{ path: 'scope', reason: 'key_proposes_and_books' }]);
        }
        const { timeZone } = loadProcessConfig();
        const created = await asOwner((tx) =>
          createKey(
            tx,
            {
              name: options.name,
              scopes: [...new Set(options.scope)],
              quotaPerHour: options.quota,
              expiresAt: options.expires ? endOfDay(options.expires, timeZone) : null,
              isTest: options.test ?? false,
            },
            actor,
          ),
        );
        print(
          options.json,
          created,
          `${options.test ? 'Testnyckeln' : 'Nyckeln'} ${created.name} (${created.scopes.join(', ')}) är skapad. Den visas bara nu:\n\n  ${created.key}\n`,
        );
      },
    );

  key
    .command('list')
    .description('visa alla nycklar')
    .option(...jsonOption)
    .action(async (options: Json) => {
      const keys = await withPool((pool) => listKeys(db(pool)));
      print(
        options.json,
        keys.map(({ as_of, ...key }) => key),
        keys.length === 0 ? 'Det finns inga nycklar.' : keys.map(line).join('\n'),
      );
    });

  key
    .command('revoke')
    .description('återkalla en nyckel; verkar genast')
    .argument('<id>', 'nyckelns id, se key list', uuid)
    .option(...jsonOption)
    .action(async (id: string, options: Json) => {
      const found = await withPool((pool) => withTx(pool, (tx) => revokeKey(tx, id, actor)));
      if (!found) throw new OperatorError(`Det finns ingen nyckel ${id}; se huvudbok key list.`);
      print(options.json, { id, revoked: true }, `Nyckeln ${id} är återkallad.`);
    });
}

function line(key: ApiKey): string {
  const state = key.revoked_at ? `återkallad ${when(key.revoked_at)}` : `${key.quota_per_hour}/h`;
  return `${key.id}  ${key.hint}…  ${key.name}  [${key.scopes.join(' ')}]  ${state}`;
}
