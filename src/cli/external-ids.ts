/** huvudbok customer · supplier · article · dimension external-id: what other systems call them. */
import type { Command } from 'commander';
import type { Tx } from '../db/pool.ts';
import { asOwner, print } from './context.ts';
import { actor, externalId, type Json, jsonOption } from './options.ts';

export const externalIdOption = [
  '--external-id <namn>',
  'vad ett annat system kallar den; finns i API:et som external_id',
  externalId,
] as const;

/** What is asked for by `key`, as that register has it. */
export function addExternalId<Key extends string>(
  parent: Command,
  key: { readonly name: string; readonly words: string; readonly parse: (value: string) => Key },
  set: (tx: Tx, key: Key, externalId: string | null, actor: string) => Promise<void>,
): void {
  parent
    .command('external-id')
    .description('säg vad ett annat system kallar den; utan namn tas det bort')
    .argument(`<${key.name}>`, key.words, key.parse)
    .argument('[namn]', 'vad den kallas där', externalId)
    .option(...jsonOption)
    .action(async (which: Key, called: string | undefined, { json }: Json) => {
      const outside = called ?? null;
      await asOwner((tx) => set(tx, which, outside, actor));
      const told = outside === null ? 'Den kallas inget i andra system.' : `Den kallas ${outside}.`;
      print(json, { [key.name]: which, external_id: outside }, told);
    });
}
