/** huvudbok opening-items: what was open when the books began, out of a file. */
import type { Command } from 'commander';
import { db } from '../db/pool.ts';
import { oreToNumber } from '../domain/basics/money.ts';
import type { OpeningSide } from '../domain/sales/opening-items.ts';
import { formatKronor } from '../lib/swedish.ts';
import { openingColumns, readOpeningLines } from '../sales/opening-items/csv.ts';
import { getOpeningStanding, giveUp, takeOver } from '../sales/opening-items/service.ts';
import { listOpeningItems } from '../sales/opening-items/store.ts';
import { asOwner, print, readWhole, withPool } from './context.ts';
import { actor, type Json, jsonOption, uuid } from './options.ts';

const groups = [
  ['customers', 'kundfakturor', '1510'],
  ['suppliers', 'leverantörsfakturor', '2440'],
] as const;

export function registerOpeningItems(program: Command): void {
  const items = program
    .command('opening-items')
    .description('det som var obetalt när bokföringen började här, faktura för faktura');
  for (const [side, word, account] of groups) {
    const group = items.command(side).description(word);
    group
      .command('add <fil>')
      .description(
        `ta över ${word} ur en CSV-fil med kolumnerna ${Object.keys(openingColumns).join(';')}`,
      )
      .option(...jsonOption)
      .action(async (file: string, { json }: Json) => {
        const lines = await readOpeningLines((await readWhole(file)).toString('utf8'));
        const { differenceOre } = await asOwner((tx) => takeOver(tx, side, lines, actor));
        const left =
          differenceOre === 0n
            ? `De stämmer med den ingående balansen på ${account}.`
            : `Av den ingående balansen på ${account} återstår ${formatKronor(differenceOre)}.`;
        const value = { taken_over: lines.length, difference: oreToNumber(differenceOre) };
        print(json, value, `${lines.length} ${word} är övertagna. ${left}`);
      });
    group
      .command('list')
      .description(`visa övertagna ${word}`)
      .option(...jsonOption)
      .action(({ json }: Json) => list(side, json));
    group
      .command('remove')
      .description('ta bort en som blev fel, så länge inget har hänt med den')
      .argument('<id>', 'postens id', uuid)
      .option(...jsonOption)
      .action(async (id: string, { json }: Json) => {
        await asOwner((tx) => giveUp(tx, side, id, actor));
        print(json, { removed: id }, 'Posten är borttagen.');
      });
  }
}

async function list(side: OpeningSide, json: boolean | undefined): Promise<void> {
  const { items, standing } = await withPool(async (pool) => ({
    items: await listOpeningItems(db(pool), side),
    standing: await getOpeningStanding(db(pool), side),
  }));
  const lines = items.map(
    ({ id, number, party, due_date, open_ore }) =>
      `${id}  ${number}  ${party}  förfaller ${due_date ?? '–'}  återstår ${formatKronor(open_ore)}`,
  );
  const value = {
    items: items.map(({ id, number, party, invoice_date, due_date, taken_ore, open_ore }) => ({
      id,
      number,
      party,
      invoice_date,
      due_date,
      taken_over: oreToNumber(taken_ore),
      open: oreToNumber(open_ore),
    })),
    opening_balance: oreToNumber(standing.balanceOre),
    difference: oreToNumber(standing.differenceOre),
  };
  const sums = `Ingående balans ${formatKronor(standing.balanceOre)}, skillnad ${formatKronor(standing.differenceOre)}.`;
  print(json, value, [...lines, sums].join('\n'));
}
