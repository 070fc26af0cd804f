/** Cost centres and projects. */
import { z } from 'zod';
import {
  changeDimension,
  createDimension,
  removeDimension,
} from '../../ledger/dimensions/service.ts';
import {
  type Dimension,
  type DimensionUse,
  findDimensions,
  getDimension,
  listDimensionUses,
} from '../../ledger/dimensions/store.ts';
import { field, formOf } from '../fields.ts';
import { amountOrEmpty } from '../format.ts';
import { choice, externalId, text, ticked, uuid } from '../inputs.ts';
import { namedOutside } from '../named-outside.ts';
import type { Pages } from '../page.ts';
import type { FormInput, View, Visit } from '../visit.ts';
import { asStored, optionsOf, registerFilterOf, shown } from './lists.ts';

const kinds = { cost_center: 'Kostnadsställe', project: 'Projekt' } as const;
const params = z.object({ id: uuid });
const fields = z.object({
  kind: choice(['cost_center', 'project']),
  code: text(20),
  name: text(200),
  externalId,
});

export function registerDimensionPages(pages: Pages): void {
  pages.show({ url: '/dimensioner', right: 'read', show: showDimensions });

  pages.form({
    url: '/dimensioner/ny',
    right: 'keep_books',
    fields,
    show: async (_visit, input) => dimensionForm(input, undefined, []),
    perform: async ({ tx, person }, { externalId: outside, ...values }) => {
      const { code, name } = await createDimension(tx, values, person.actor, outside);
      return { to: '/dimensioner', notice: `${kinds[values.kind]} ${code} ${name} är upplagt.` };
    },
  });

  pages.form({
    url: '/dimensioner/:id',
    changesStored: true,
    right: 'keep_books',
    params,
    fields: z.object({ name: text(200), externalId, isActive: ticked }),
    show: showDimension,
    perform: async ({ tx, person, params: { id } }, values) => {
      await changeDimension(tx, id, values, person.actor);
      return { to: '/dimensioner', notice: `${values.name} är sparat.` };
    },
  });
  pages.act({
    url: '/dimensioner/:id/ta-bort',
    right: 'keep_books',
    params,
    show: (visit, input) => showDimension(visit, asStored(input)),
    perform: async ({ tx, person, params: { id } }) => {
      const { code, name } = await removeDimension(tx, id, person.actor);
      return { to: '/dimensioner', notice: `${code} ${name} är borttaget.` };
    },
  });
}

async function showDimensions({ tx, query }: Visit): Promise<View> {
  const { search, show, isActive } = registerFilterOf(query);
  const dimensions = await findDimensions(tx, { search, isActive });
  return {
    template: 'dimensions',
    title: 'Dimensioner',
    values: {
      search,
      shown: optionsOf(shown, show),
      isFiltered: search !== '' || show !== 'aktiva',
      dimensions: dimensions.map(({ id, code, name, kind, is_active, last_used }) => ({
        id,
        code,
        name,
        kind: kinds[kind],
        isActive: is_active,
        lastUsed: last_used ?? '',
      })),
    },
  };
}

const usesShown = 30;

async function showDimension(
  { tx, params: { id } }: Visit<{ id: string }>,
  input: FormInput,
): Promise<View> {
  const dimension = await getDimension(tx, id);
  return dimensionForm(input, dimension, await listDimensionUses(tx, dimension, usesShown));
}

function dimensionForm(
  input: FormInput,
  dimension: Dimension | undefined,
  uses: readonly DimensionUse[],
): View {
  return {
    template: 'dimension',
    title: dimension ? `${dimension.code} ${dimension.name}` : 'Ny dimension',
    values: {
      id: dimension?.id ?? null,
      uses: uses.map((use) => ({
        voucherId: use.voucher_id,
        voucher: `${use.series}${use.number}`,
        date: use.verification_date,
        account: use.account,
        text: use.description,
        debit: amountOrEmpty(use.debit_ore),
        credit: amountOrEmpty(use.credit_ore),
      })),
      form: formOf(input, {
        kind: field(input, 'kind', 'Slag', {
          type: dimension ? 'hidden' : 'radios',
          value: dimension?.kind ?? 'cost_center',
          options: [
            {
              value: 'cost_center',
              label: 'Kostnadsställe',
              help: 'En del av verksamheten, som består.',
            },
            { value: 'project', label: 'Projekt', help: 'Något som börjar och tar slut.' },
          ],
        }),
        code: field(input, 'code', 'Kod', {
          isRequired: true,
          maxLength: 20,
          value: dimension?.code ?? '',
          isReadOnly: dimension !== undefined,
          help: dimension
            ? 'Koden ändras inte, eftersom verifikat kan bära den.'
            : 'Kort, t.ex. 100 eller BUTIK.',
        }),
        name: field(input, 'name', 'Namn', {
          isRequired: true,
          maxLength: 200,
          value: dimension?.name ?? '',
        }),
        ...namedOutside(input, dimension?.external_id),
        isActive: field(input, 'isActive', 'Får användas på nya verifikat', {
          type: dimension ? 'checkbox' : 'hidden',
          value: !dimension || dimension.is_active ? 'on' : null,
        }),
      }),
    },
  };
}
