/** huvudbok bank mapping list · add · remove: what the columns are of lists whose form nobody knows */

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { listMappings } from '../bank/statements/mapping-store.ts';
import { keepMapping, removeMapping, sampleOfFile } from '../bank/statements/mappings.ts';
import {
  type BankFileMapping,
  type ColumnRole,
  columnRoles,
  guessMapping,
} from '../domain/ledger/bank-files/mapping.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { sourceOf } from '../lib/source-file.ts';
import { whyUnreadable } from '../lib/unreadable-file.ts';
import { asOwner, print, today } from './context.ts';
import { addList, alignedLines } from './listing.ts';
import { actor, type Json, jsonOption, uuid, word } from './options.ts';

interface Given extends Json {
  readonly column?: readonly string[];
  readonly decimal?: BankFileMapping['decimal'];
  readonly days?: BankFileMapping['dayOrder'];
  readonly reversed?: boolean;
}

export function registerBankMappings(bank: Command): void {
  const mapping = bank
    .command('mapping')
    .description('vad kolumnerna är i listor som ingen känd bank skriver');
  addList(mapping, {
    description: 'visa vad som är sagt, det senaste först',
    empty: 'Inget är sagt om kolumner.',
    read: (tx) => listMappings(tx),
    cells: (one) => [one.id, columnsOf(one).join(', ')],
    wire: wireOf,
  });
  mapping
    .command('add')
    .description('säg vad kolumnerna i en fil är; det som går att gissa är ifyllt')
    .argument('<fil>', 'en lista med rubriker, CSV eller Excel')
    .option(
      '--column <rubrik=slag...>',
      `vad kolumnen med rubriken är: ${columnRoles.join(', ')}, eller inget för den som inte läses`,
    )
    .option('--decimal <tecken>', 'decimaltecken i filen', word([',', '.']))
    .option(
      '--days <form>',
      'hur dagar skrivs: ymd, dmy eller compact (20261105)',
      word(['ymd', 'dmy', 'compact']),
    )
    .option('--reversed', 'belopp utan minus är pengar ut')
    .option(...jsonOption)
    .action(add);
  mapping
    .command('remove')
    .description('glöm vad som är sagt; det som är inläst finns kvar')
    .argument('<id>', 'ur mapping list', uuid)
    .option(...jsonOption)
    .action(async (id: string, { json }: Json) => {
      await asOwner((tx) => removeMapping(tx, id, actor));
      print(json, { id }, 'Kolumnerna är glömda.');
    });
}

async function add(path: string, given: Given): Promise<void> {
  const source = await sourceOf(() => createReadStream(path), basename(path)).catch((cause) => {
    throw new OperatorError(`${path}: ${whyUnreadable(cause)}`, { cause });
  });
  const sample = await sampleOfFile(source, today());
  if (sample === null) {
    throw new OperatorError(
      `${path} har en form som är känd, eller är ingen lista med en rad av rubriker och rader med dag och belopp under. Se efter med huvudbok bank check.`,
    );
  }
  const guess = guessMapping(sample);
  const mapping: BankFileMapping = {
    ...guess,
    roles: rolesOf(guess, given.column ?? []),
    decimal: given.decimal ?? guess.decimal,
    dayOrder: given.days ?? guess.dayOrder,
    isReversed: given.reversed ?? guess.isReversed,
  };
  await asOwner((tx) => keepMapping(tx, { mapping, source, today: today() }, actor));
  const lines = sample.headings.map((heading, index) => [
    heading || null,
    mapping.roles[index] ?? 'läses inte',
    sample.rows[0]?.[index] ?? null,
  ]);
  print(
    given.json,
    wireOf(mapping),
    `${alignedLines(lines)}\nFiler med de rubrikerna läses så från nu. Är något fel, säg det med --column "Rubrik=slag".`,
  );
}

function rolesOf(
  { headings, roles }: BankFileMapping,
  given: readonly string[],
): (ColumnRole | null)[] {
  const said = [...roles];
  for (const text of given) {
    const at = text.lastIndexOf('=');
    const [heading, name] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
    const index = headings.indexOf(heading);
    const role = columnRoles.find((one) => one === name) ?? null;
    if (at < 0 || index < 0 || (role === null && name !== '')) {
      const known = headings.filter(Boolean).join(', ');
      throw new OperatorError(
        `--column "${text}": skriv Rubrik=slag, med en av filens rubriker (${known}) och ett av slagen ${columnRoles.join(', ')}.`,
      );
    }
    said[index] = role;
  }
  return said;
}

const columnsOf = ({ headings, roles }: BankFileMapping): string[] =>
  headings.map((heading, index) => `${heading || '–'}=${roles[index] ?? ''}`);

const wireOf = (mapping: BankFileMapping & { readonly id?: string }): object => ({
  ...(mapping.id === undefined ? {} : { id: mapping.id }),
  columns: mapping.headings.map((heading, index) => ({ heading, role: mapping.roles[index] })),
  decimal: mapping.decimal,
  days: mapping.dayOrder,
  reversed: mapping.isReversed,
});
