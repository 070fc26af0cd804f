/** A row of a purchase written by hand: how it is shown and read. */
import { z } from 'zod';
import { usualVatCode } from '../../domain/purchases/vat-codes.ts';
import type { Deduction } from '../../domain/purchases/written-purchase.ts';
import type { Dimension } from '../../ledger/dimensions/store.ts';
import type { WrittenJson } from '../../purchases/by-hand/written.ts';
import { field, type Option } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { amountText } from '../format.ts';
import { account, amount, choice, integer, optional, optionalText, uuid } from '../inputs.ts';
import type { FormInput } from '../visit.ts';
import { deductionOptions, vatCodeOptions } from './by-hand-words.ts';

type KeptLine = WrittenJson['lines'][number];

export const isBlank = (row: Fields): boolean =>
  ['account', 'amount', 'note'].every((name) => textOf(row, name).trim() === '');

const kinds = ['whole', 'half', 'none', 'percent', 'meals'] as const;

/** A row as it stands in the form. */
export const typedLine = z
  .object({
    account,
    amount: optional(amount),
    vatCode: z.string().default(usualVatCode),
    deduction: z.string().default('whole').pipe(choice(kinds)),
    deductionNumber: optional(integer(0, 10_000)),
    note: optionalText(500),
    costCenter: optional(uuid),
    project: optional(uuid),
  })
  .transform(({ amount: ore, deduction, deductionNumber, ...rest }) => ({
    ...rest,
    ore,
    // What is left out is out of range, and said so where it is typed.
    deduction: deductionOf(deduction, deductionNumber ?? -1),
  }));

/** Of a row that is not yet whole: the amount, where one is typed, and how its VAT is. */
export const typedAmount = z
  .object({ amount: optional(amount), vatCode: z.string().default(usualVatCode) })
  .transform(({ amount: ore, vatCode }) => ({ ore, vatCode }));

function deductionOf(kind: (typeof kinds)[number], number: number): Deduction {
  switch (kind) {
    case 'whole':
      return { kind: 'share', percent: 100 };
    case 'half':
      return { kind: 'share', percent: 50 };
    case 'none':
      return { kind: 'share', percent: 0 };
    case 'percent':
      return { kind: 'share', percent: number };
    case 'meals':
      return { kind: 'meals', people: number };
    default:
      return kind satisfies never;
  }
}

function deductionTexts(deduction: Deduction): { deduction: string; deductionNumber: string } {
  if (deduction.kind === 'meals') {
    return { deduction: 'meals', deductionNumber: String(deduction.people) };
  }
  const known: Readonly<Record<number, string>> = { 100: 'whole', 50: 'half', 0: 'none' };
  const { percent } = deduction;
  const kind = known[percent];
  return kind === undefined
    ? { deduction: 'percent', deductionNumber: String(percent) }
    : { deduction: kind, deductionNumber: '' };
}

export const lineTexts = (line: KeptLine): Fields => ({
  account: String(line.account),
  amount: line.ore === null ? '' : amountText(BigInt(line.ore)),
  vatCode: line.vatCode,
  ...deductionTexts(line.deduction),
  note: line.note ?? '',
  costCenter: line.costCenter ?? '',
  project: line.project ?? '',
});

/** The inputs of a row. Its number is its place among the rows that are written, as problems count it. */
export function lineCells(
  input: FormInput,
  row: Fields,
  index: number,
  dimensions: readonly Dimension[],
) {
  const cell = (name: string, label: string, options: Parameters<typeof field>[3] = {}) => {
    const path = `rows[${index}].${name}`;
    const problems = input.problems.filter((problem) => problem.path === path);
    const fields = { [path]: textOf(row, name) };
    return field({ fields, problems, isSent: true }, path, label, options);
  };
  const dimension = (kind: Dimension['kind'], name: string, label: string) => {
    const options = choicesOf(dimensions, kind);
    return options.length === 0 ? [] : [cell(name, label, { type: 'select', options })];
  };
  const more = [
    cell('deduction', 'Avdrag för momsen', { type: 'select', options: deductionOptions }),
    cell('deductionNumber', '% eller personer', { maxLength: 5 }),
    cell('note', 'Text', { maxLength: 500 }),
    ...dimension('cost_center', 'costCenter', 'Kostnadsställe'),
    ...dimension('project', 'project', 'Projekt'),
  ];
  const isSaid = !['', 'whole'].includes(textOf(row, 'deduction')) || textOf(row, 'note') !== '';
  const hasDimension = textOf(row, 'costCenter') !== '' || textOf(row, 'project') !== '';
  return {
    no: index + 1,
    cells: [
      cell('account', 'Konto', { maxLength: 100, list: 'accounts' }),
      cell('amount', 'Belopp', { type: 'amount', maxLength: 30 }),
      cell('vatCode', 'Moms', { type: 'select', options: vatCodeOptions }),
    ],
    more,
    isMoreOpen: isSaid || hasDimension || more.some(({ error }) => error !== null),
  };
}

const choicesOf = (dimensions: readonly Dimension[], kind: Dimension['kind']): Option[] => {
  const found = dimensions.filter((one) => one.kind === kind && one.is_active);
  if (found.length === 0) return [];
  return [
    { value: '', label: '–' },
    ...found.map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` })),
  ];
};
