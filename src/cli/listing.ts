/** Commands that show a list: one line each for a person, one JSON value for a program. */
import type { Command } from 'commander';
import { type Db, db } from '../db/pool.ts';
import { print, withPool } from './context.ts';
import { type Json, jsonOption } from './options.ts';

export interface Listing<Item, Options = unknown> {
  readonly description: string;
  /** Said when there is nothing. */
  readonly empty: string;
  readonly read: (db: Db, options: Options) => Promise<readonly Item[]>;
  /** What stands beside each other on an item's line. */
  readonly cells: (item: Item) => readonly (string | number | null)[];
  /** As JSON; the item itself unless said. */
  readonly wire?: (item: Item) => object;
}

/** Gives back the command, so that options can be added. */
export function addList<Item, Options>(
  parent: Command,
  { description, empty, read, cells, wire }: Listing<Item, Options>,
): Command {
  return parent
    .command('list')
    .description(description)
    .option(...jsonOption)
    .action(async ({ json, ...options }: Json & Options) => {
      const items = await withPool((pool) => read(db(pool), options as Options));
      print(
        json,
        items.map((item) => (wire ? wire(item) : (item as object))),
        alignedLines(items.map(cells)) || empty,
      );
    });
}

/** Cells in columns as wide as their widest; what is not there is a dash. */
export function alignedLines(rows: readonly (readonly (string | number | null)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? '–' : String(cell))));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => [...(row[column] ?? '')].length)),
  );
  return texts
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
