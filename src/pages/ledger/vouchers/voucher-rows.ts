/** The rows of a voucher in a form: read, shown with what is wrong, and added to. */
import { z } from 'zod';
import type { Db } from '../../../db/pool.ts';
import { absolute, sum } from '../../../domain/basics/money.ts';
import {
  listUsableAccounts,
  listVatCodes,
  type UsableAccount,
} from '../../../ledger/accounts/store.ts';
import { vatText } from '../../../ledger/accounts/vat-text.ts';
import { listDimensions } from '../../../ledger/dimensions/store.ts';
import type { LedgerRow } from '../../../ledger/vouchers/posting-store.ts';
import { movingFaults } from '../../../lib/errors.ts';
import { type FieldView, field, type Option } from '../../fields.ts';
import { type Field, type Fields, rowsOf, textOf } from '../../form-fields.ts';
import { amountText } from '../../format.ts';
import {
  account,
  amount,
  optional,
  optionalText,
  parseTyped,
  readTyped,
  uuid,
} from '../../inputs.ts';
import type { FormInput } from '../../visit.ts';

/** A row and where it stood in the form: empty rows between are left out. */
export interface TypedVoucherRow {
  readonly place: number;
  readonly row: LedgerRow;
}

const rowSchema = z.object({
  account: z.string().default('').pipe(account),
  debit: optional(amount),
  credit: optional(amount),
  note: optionalText(500),
  vat_code: optionalText(20),
  cost_center: optional(uuid),
  project: optional(uuid),
});

const kinds = ['cost_center', 'project'] as const;
type Kind = (typeof kinds)[number];
const parts = ['account', 'debit', 'credit', 'note', 'vat_code', ...kinds] as const;
/** Shown at the first of the two amounts, since it concerns both. */
const wholeRow = /^rows\[(\d+)\]$/;

const isTyped = (row: Fields): boolean =>
  (['account', 'debit', 'credit', 'note', 'vat_code'] as const).some(
    (part) => textOf(row, part).trim() !== '',
  );

/** The rows of a form as a schema's value; what is wrong stands at `rows[<place>].<part>`. */
export const typedRows = z
  .custom<Field | undefined>()
  .transform((value, context): TypedVoucherRow[] =>
    rowsOf({ rows: value ?? [] }, 'rows').flatMap((fields, place) => {
      if (!isTyped(fields)) return [];
      const read = readTyped(rowSchema, fields);
      if (read.success) return [{ place, row: ledgerRow(read.data) }];
      for (const { message, path } of read.error.issues) {
        context.addIssue({ code: 'custom', message, path: [place, ...path] });
      }
      return [];
    }),
  );

function ledgerRow(read: z.output<typeof rowSchema>): LedgerRow {
  return {
    account: read.account,
    debitOre: read.debit ?? 0n,
    creditOre: read.credit ?? 0n,
    note: read.note,
    costCenter: read.cost_center,
    project: read.project,
    vatCode: read.vat_code ?? undefined,
  };
}

/** What the rules and the ledger say of `rows[n]` is said of the row as it stands in the form. */
export async function atTypedRows<T>(
  typed: readonly TypedVoucherRow[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw movingFaults(error, ({ path }) =>
      path
        .replace(/^rows\[(\d+)\]/, (_, n) => `rows[${typed[Number(n)]?.place ?? n}]`)
        .replace(wholeRow, 'rows[$1].debit'),
    );
  }
}

/**
 * What a form sent, with the cost centres and projects that were typed as codes (see `choosesByCode`) as the
 * ids that a select would have sent, and VAT codes in the chart's letters. What is no code of ours stays, to be
 * refused.
 */
export async function withKnownCodes(db: Db, fields: Fields): Promise<Fields> {
  return withDimensionIds(db, await withVatCodes(db, fields));
}

async function withVatCodes(db: Db, fields: Fields): Promise<Fields> {
  const rows = rowsOf(fields, 'rows');
  const keyOf = (code: string): string => code.trim().toLowerCase();
  if (rows.every((row) => keyOf(textOf(row, 'vat_code')) === '')) return fields;
  const known = new Map((await listVatCodes(db)).map(({ vat_code: code }) => [keyOf(code), code]));
  const named = (row: Fields): Fields => {
    const code = known.get(keyOf(textOf(row, 'vat_code')));
    return code === undefined ? row : { ...row, vat_code: code };
  };
  return { ...fields, rows: rows.map(named) };
}

async function withDimensionIds(db: Db, fields: Fields): Promise<Fields> {
  const rows = rowsOf(fields, 'rows');
  const typed = rows.some((row) => kinds.some((kind) => isCode(textOf(row, kind))));
  if (!typed) return fields;
  const idOf = new Map(
    (await listDimensions(db)).map(({ kind, code, id }) => [codeKey(kind, code), id]),
  );
  const named = (row: Fields, kind: Kind): Fields => {
    const id = idOf.get(codeKey(kind, textOf(row, kind)));
    return id === undefined ? row : { ...row, [kind]: id };
  };
  return { ...fields, rows: rows.map((row) => named(named(row, 'cost_center'), 'project')) };
}

const isCode = (text: string): boolean => text.trim() !== '' && !uuid.safeParse(text).success;
const codeKey = (kind: Kind, code: string): string => `${kind} ${code.trim().toLowerCase()}`;

/** The form with its rows under the names that their fields have: `rows[2].account`. */
function flat(input: FormInput): FormInput {
  const pairs = rowsOf(input.fields, 'rows').flatMap((row, place) =>
    parts.map((part): [string, string] => [`rows[${place}].${part}`, textOf(row, part)]),
  );
  return { ...input, fields: { ...input.fields, ...Object.fromEntries(pairs) } };
}

export interface RowsView {
  readonly rows: readonly (Record<(typeof parts)[number], FieldView> & {
    readonly no: number;
    readonly accountName: string;
  })[];
  /** What is wrong with all of them together. */
  readonly error: string | null;
  readonly accounts: readonly UsableAccount[];
  readonly hasVatCodes: boolean;
  readonly hasCostCenters: boolean;
  readonly hasProjects: boolean;
  /** To type codes of: VAT codes where the rows have them, dimensions where they have no selects. */
  readonly codes: readonly { readonly id: string; readonly options: readonly Option[] }[];
  readonly debit: string;
  readonly credit: string;
  /** What the sums say: nothing to balance yet, balanced, or how much is lacking. */
  readonly balance: { readonly tone: '' | 'good' | 'warn'; readonly text: string };
  /** The fields' names, so that nothing is said twice. */
  readonly names: readonly string[];
}

/**
 * So many choices fit in a page, in all its rows together: each row repeats them, and some hundred projects
 * in a thousand rows make a page that nobody can open. Beyond that they are typed by code, from one list.
 */
const choicesMax = 10_000;

const rowsAtFirst = 4;
/** Added when there are no more lines and no script to add them. */
const rowsMore = 5;

/** What a form may ask for besides being sent: empty rows, and a column for rows' own VAT codes. */
export type RowsWish = 'more_rows' | 'vat_codes' | null;

/** `first` stands there before anything was sent. A row's VAT code is shown where its account's is another. */
export async function showRows(
  db: Db,
  input: FormInput,
  options: { readonly first?: readonly LedgerRow[]; readonly wish?: RowsWish } = {},
): Promise<RowsView> {
  const { first = [], wish = null } = options;
  const accounts = await listUsableAccounts(db);
  const nameOf = new Map(accounts.map(({ number, name }) => [String(number), name]));
  const codeOfAccount = new Map(accounts.map(({ number, vat_code }) => [number, vat_code]));
  const ownCodeOf = ({ account, vatCode }: LedgerRow): string =>
    vatCode && vatCode !== codeOfAccount.get(account) ? vatCode : '';
  const hasVatCodes =
    wish === 'vat_codes' ||
    first.some((row) => ownCodeOf(row) !== '') ||
    rowsOf(input.fields, 'rows').some((row) => 'vat_code' in row);
  const dimensions = (await listDimensions(db)).filter(({ is_active }) => is_active);
  const ofKind = (kind: Kind) => dimensions.filter((one) => one.kind === kind);
  const sent = flat(input);
  const begun = input.isSent ? rowsOf(input.fields, 'rows').length : first.length;
  const amount = Math.max(begun + (wish === 'more_rows' ? rowsMore : 0), rowsAtFirst);
  const choosesByCode = amount * dimensions.length > choicesMax;
  const codeOf = new Map(dimensions.map(({ id, code }) => [id, code]));
  const choicesOf = (kind: Kind): Option[] => [
    { value: '', label: '–' },
    ...ofKind(kind).map(({ id, code, name }) => ({ value: id, label: `${code} ${name}` })),
  ];
  const choices = { cost_center: choicesOf('cost_center'), project: choicesOf('project') };
  const rows = Array.from({ length: amount }, (_, place) => {
    const row = first[place];
    const one = (part: (typeof parts)[number], label: string, value = '') =>
      field(sent, `rows[${place}].${part}`, label, { value });
    const dimension = (kind: Kind, label: string, value: string | null = '') => {
      const name = `rows[${place}].${kind}`;
      if (!choosesByCode) {
        return field(sent, name, label, { value, type: 'select', options: choices[kind] });
      }
      const typed = field(sent, name, label, { value, list: `codes-${kind}` });
      return { ...typed, value: codeOf.get(typed.value) ?? typed.value };
    };
    const account = one('account', 'Konto', row ? String(row.account) : '');
    return {
      no: place + 1,
      account,
      accountName: nameOf.get(account.value.trim().slice(0, 4)) ?? '',
      debit: one('debit', 'Debet', row?.debitOre ? amountText(row.debitOre) : ''),
      credit: one('credit', 'Kredit', row?.creditOre ? amountText(row.creditOre) : ''),
      note: one('note', 'Anteckning', row?.note ?? ''),
      vat_code: field(sent, `rows[${place}].vat_code`, 'Momskod', {
        value: row ? ownCodeOf(row) : '',
        list: 'codes-vat',
      }),
      cost_center: dimension('cost_center', 'Kostnadsställe', row?.costCenter),
      project: dimension('project', 'Projekt', row?.project),
    };
  });
  return {
    rows,
    accounts,
    error: input.problems.find(({ path }) => path === 'rows')?.message ?? null,
    hasVatCodes,
    hasCostCenters: choices.cost_center.length > 1,
    hasProjects: choices.project.length > 1,
    codes: [
      ...(hasVatCodes ? [{ id: 'codes-vat', options: await vatOptions(db) }] : []),
      ...(choosesByCode
        ? kinds.map((kind) => ({
            id: `codes-${kind}`,
            options: ofKind(kind).map(({ code, name }) => ({ value: code, label: name })),
          }))
        : []),
    ],
    names: ['rows', ...rows.flatMap((row) => parts.map((part) => row[part].name))],
    ...balanceOf(rows),
  };
}

async function vatOptions(db: Db): Promise<Option[]> {
  return (await listVatCodes(db)).map(({ vat_code: code, vat_rate: rate, vat_box: box }) => ({
    value: code,
    label: vatText({ code, rate, box }),
  }));
}

function balanceOf(rows: readonly { readonly debit: FieldView; readonly credit: FieldView }[]) {
  const total = (side: 'debit' | 'credit') =>
    sum(rows.map((row) => parseTyped(row[side].value, 2) ?? 0n));
  const [debit, credit] = [total('debit'), total('credit')];
  return {
    debit: amountText(debit),
    credit: amountText(credit),
    balance:
      debit !== credit
        ? ({ tone: 'warn', text: `Skillnad ${amountText(absolute(debit - credit))}` } as const)
        : debit === 0n
          ? ({ tone: '', text: 'Inga belopp än' } as const)
          : ({ tone: 'good', text: 'Balanserar' } as const),
  };
}
