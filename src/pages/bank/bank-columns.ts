/** Saying what the columns of a file are, whose form nobody knows: said once, and kept for files with the same headings. */
import { z } from 'zod';
import { sourcesOf } from '../../bank/statements/begun-imports.ts';
import { getBankImport } from '../../bank/statements/import-store.ts';
import { listMappings } from '../../bank/statements/mapping-store.ts';
import { keepMapping, removeMapping, sampleOfFile } from '../../bank/statements/mappings.ts';
import {
  type BankFileMapping,
  type ColumnRole,
  columnRoles,
  type FileSample,
  guessMapping,
} from '../../domain/ledger/bank-files/mapping.ts';
import { AppError } from '../../lib/errors.ts';
import type { SourceFile } from '../../lib/source-file.ts';
import { field, formOf } from '../fields.ts';
import { type Fields, textOf } from '../form-fields.ts';
import { moment } from '../format.ts';
import { choice, integer, ticked, uuid } from '../inputs.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';

const home = '/bank/kolumner';
const params = z.object({ id: uuid, place: integer(1, 9_999) });
type OfFile = Visit<{ id: string; place: number }>;

const roleNames: Readonly<Record<ColumnRole, string>> = {
  date: 'Bokföringsdag',
  valueDate: 'Valutadag',
  text: 'Text',
  amount: 'Belopp',
  deposit: 'Insättning',
  withdrawal: 'Uttag',
  balance: 'Saldo',
  reference: 'Referens',
  otherName: 'Den andras namn',
};
const roleOptions = [
  { value: '', label: 'Läses inte' },
  ...columnRoles.map((value) => ({ value, label: roleNames[value] })),
];
const decimals = [
  { value: ',', label: 'Komma: 1 234,50' },
  { value: '.', label: 'Punkt: 1234.50' },
] as const;
const dayOrders = [
  { value: 'ymd', label: 'År, månad, dag: 2026-11-05' },
  { value: 'dmy', label: 'Dag, månad, år: 05-11-2026' },
  { value: 'compact', label: 'Utan skiljetecken: 20261105' },
] as const;

const said = z.looseObject({
  decimal: choice([',', '.']),
  dayOrder: choice(['ymd', 'dmy', 'compact']),
  isReversed: ticked,
});

const nameOf = (column: number): string => `column${column + 1}`;

export function registerBankColumnPages(pages: Pages): void {
  pages.form({
    url: '/bank/import/:id/kolumner/:place',
    right: 'keep_books',
    params,
    fields: said,
    show: showForm,
    perform: async (visit, { decimal, dayOrder, isReversed, ...fields }) => {
      const { source, sample } = await sampled(visit);
      const roles = sample.headings.map((_, column) => roleIn(fields as Fields, column));
      const mapping: BankFileMapping = {
        headings: sample.headings,
        roles,
        decimal,
        dayOrder,
        isReversed,
      };
      await keepMapping(
        visit.tx,
        { mapping, source, today: visit.deps.clock.today() },
        visit.person.actor,
      );
      const notice = 'Kolumnerna är sparade, och gäller filer med samma rubriker från nu.';
      return { to: `/bank/import/${visit.params.id}`, notice };
    },
  });
  pages.show({ url: home, right: 'read', show: showList });
  pages.act({
    url: `${home}/:id/ta-bort`,
    right: 'keep_books',
    params: z.object({ id: uuid }),
    perform: async ({ tx, person, params: { id } }) => {
      await removeMapping(tx, id, person.actor);
      return { to: home, notice: 'Kolumnerna är glömda. Det som är inläst finns kvar.' };
    },
  });
}

function roleIn(fields: Fields, column: number): ColumnRole | null {
  const role = textOf(fields, nameOf(column));
  return columnRoles.find((one) => one === role) ?? null;
}

/** Throws 404 where there is no such file, or nothing that a person needs to say of it. */
async function sampled({ tx, deps, params: { id, place } }: OfFile): Promise<{
  readonly source: SourceFile;
  readonly sample: FileSample;
}> {
  const one = await getBankImport(tx, id);
  const source = one.finished_at === null ? (await sourcesOf(tx, one))[place - 1] : undefined;
  const sample = source && (await sampleOfFile(source, deps.clock.today()));
  if (source && sample) return { source, sample };
  throw new AppError(
    'not_found',
    'Filens kolumner går inte att välja: den är inläst redan, har en känd form, eller är ingen lista med rubriker.',
  );
}

async function showForm(visit: OfFile, input: FormInput): Promise<View> {
  const { source, sample } = await sampled(visit);
  const kept = (await listMappings(visit.tx)).find(
    ({ headings }) => headings.join('\n') === sample.headings.join('\n'),
  );
  const guess = kept ?? guessMapping(sample);
  return {
    template: 'bank-columns',
    title: `Kolumner i ${source.fileName}`,
    values: {
      back: `/bank/import/${visit.params.id}`,
      rows: sample.rows,
      columns: sample.headings.map((heading, column) => ({
        heading: heading || 'utan rubrik',
        ...field(input, nameOf(column), `Vad är ${heading || `kolumn ${column + 1}`}?`, {
          type: 'select',
          value: guess.roles[column] ?? '',
          options: roleOptions,
          saysOptional: false,
        }),
      })),
      form: formOf(input, {
        decimal: field(input, 'decimal', 'Decimaltecken', {
          type: 'select',
          isRequired: true,
          value: guess.decimal,
          options: decimals,
        }),
        dayOrder: field(input, 'dayOrder', 'Dagar skrivs', {
          type: 'select',
          isRequired: true,
          value: guess.dayOrder,
          options: dayOrders,
        }),
        isReversed: field(input, 'isReversed', 'Belopp utan minus är pengar ut', {
          type: 'checkbox',
          value: guess.isReversed ? 'on' : '',
        }),
      }),
    },
  };
}

async function showList({ tx, deps, person }: Visit): Promise<View> {
  const { timeZone } = deps.config;
  return {
    template: 'bank-column-list',
    title: 'Kolumner i bankfiler',
    values: {
      mayKeep: person.may('keep_books'),
      mappings: (await listMappings(tx)).map(({ id, headings, roles, createdAt }) => ({
        id,
        headings: headings.filter(Boolean).join(', '),
        read: headings
          .flatMap((heading, index) => {
            const role = roles[index];
            return role ? [`${heading}: ${roleNames[role].toLowerCase()}`] : [];
          })
          .join(', '),
        at: moment(createdAt, timeZone),
      })),
    },
  };
}
